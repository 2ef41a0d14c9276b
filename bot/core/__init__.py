"""The synchronous heart: sit, bet, move, expire, administer. The only place where engine and ledger meet.

No clock, no randomness, no threads, no awaits: time and entropy are arguments; only the pit has a thread and both. A
command is worked out on a `Paper`; who calls writes the paper and only then publishes it.

    floor.py    handle a command, let clocks expire, publish
    pit.py      the one thread: takes a batch, commits it, answers
    lounge.py   the casino that is the house's own
    state/      what the house knows, as frozen values: casinos, people, tables, clocks
    speech/     commands and their registry, amounts and names as people type them, offers and cards in words
    round/      one round at a table: betting, playing, standing orders, and how the books keep a hand
    people/     wallets, names, links between platforms, limits of one's own, what passes from person to person
    casinos/    several communities in one casino; the places where it speaks, lost and found
    office/     inspectors: tables, voids, chips by decision, bans, adjustments, what an auditor is handed
"""
