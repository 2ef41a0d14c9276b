"""What the books are asked, by noun: plain functions of a `Reader`, one question each, that answer with rows or values.

Nobody outside storage writes SQL: who wants to know something new asks a new question here. Whatever the books are kept
in answers the same ones, so no question and no answer knows what that is.

    people       players, their accounts on platforms, their names and codes, members of casinos
    casinos      casinos, their places and their tables
    hands        hands and their moves
    postings     what moved between accounts
    accounts     what accounts hold, held and come to
    results      what hands brought whom, added up or one by one
    audit        who did what
    browsers     browsers of the lounge, who is signed in there, the phrases that lead back
    logs         logs of casinos: entries, nodes of their trees, heads
    notes        what doors keep of their platforms
    everything   the whole of the books, for who examines it
"""
