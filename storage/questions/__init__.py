"""Queries of the books, by noun: plain functions of a `Reader`, one question each, that return rows or values.

SQL is written in storage alone: a new question is a new function here. Every store answers the same questions, and
neither questions nor answers depend on the store.

    people       players, their accounts on platforms, their names and codes, members of casinos
    casinos      casinos, their places and their tables
    hands        hands and their moves
    postings     movements between accounts
    accounts     balances of accounts, now and earlier, and their sums
    results      results of hands by player, added up or one by one
    audit        acts of inspectors
    browsers     browsers of the lounge, who is signed in there, recovery phrases
    logs         logs of casinos: entries, nodes of their trees, heads
    notes        notes of the platforms
    everything   counts over all of the books, for the doctor
"""
