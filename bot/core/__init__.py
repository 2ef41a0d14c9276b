"""Core of the casino: commands, rounds and state. The only package where engine and ledger meet.

No clock, no randomness, no threads, no awaits: time and entropy are arguments; only the writer has a thread and both. A
command is worked out on a `Transaction`; the caller writes it and only then publishes it.

    writer.py   the single-writer loop: takes a batch, commits it, answers
    handle.py   commands, answered in the transaction of their batch
    schedule.py clocks, and what runs out without a command
    startup.py  what the books hold at a start
    admin/      inspectors: tables, voids, chips by decision, bans, adjustments, what an auditor is handed
    casinos/    several communities in one casino; the places where it speaks, lost and found; the log of its hands
    rounds/     one round at a table: betting, playing, standing orders, recovery, and how the books keep a hand
    players/    wallets, names, links between platforms, limits of one's own, what passes from person to person
    guide/      the coach and the lessons
    commands/   the registry, amounts and names as people type them, preconditions, answers
    state/      frozen values and the transaction over them: casinos, people, tables, clocks
"""
