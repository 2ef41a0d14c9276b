"""The synchronous heart: sit, bet, move, expire, admin. The only place where engine and ledger meet.

No clock, no randomness, no threads, no awaits: time and entropy are arguments. A command is worked out on a `Paper`;
who calls writes the paper and only then publishes it.

    command.py    what comes in and goes out         house.py       the published state, and the paper on top of it
    table.py      one table as a frozen value        amounts.py     amounts as people type them
    floor.py      handle, expire, publish            registry.py    every command, declared once
    betting.py    from the first bet to the deal     playing.py     moves, clocks, payment
    boxes.py      black jack: holders, the shoe      stacks.py      stud: stacks, the button, sitting out
    squeeze.py    paiju: cards in hand               standing.py    what is played when time runs out
    meter.py      the progressive                    keys.py        prizes that wait: confirm, reject
    deals.py      how the books keep a deal          control.py     a stored hand played again, against the books
    chips.py      wallets, daily chips, gifts        words.py       names and texts as people type them
    knowing.py    rules, records, help               persons.py     one person across platforms: link, unlink
    inspectors.py tables, voids, grants, audit       office.py      bans, adjustments, export
    houses.py     several communities in a casino    places.py      where a casino speaks; places lost and found
    care.py       pauses and limits of one's own
"""
