"""`python -m tests.simulation`: a whole casino under seeded faults, checked after every step.

Hundreds of people on three platforms bet, move, inspect, link their accounts and mistype at tables of all games;
updates come twice, late, stale, forged and out of order; places are lost and found again, platforms are away, clocks
run out and the wall clock is set; disks fill up, commits and reads fail, the process dies before, within and after a
commit and starts again on the files that it left. Some of those are lost in a copy, which must be noticed; and a second
node opens the folder, after which the first may write no more. A seed determines the whole history, so running it again
finds the same fault.

Invariants of everything that a step touched, checked after that step, and of everything every thousand steps and after
every restart: the accounts sum to zero and none of a player's is below zero; a hand that is closed is empty, and
replays from the disk to what was shown; what was acknowledged is on disk and is answered the same again; the rest is
there whole or not at all; no one is shown a card that is hidden from them; no error is in the log.

    crowd.py      people and their knowledge                           invariants.py  what must hold after a step
    workload.py   commands of people                                   visible_cards.py  which cards a viewer may see
    behavior.py   commands and checks at one game's tables             remains.py     files of a dead process
    world.py      common parts of plans                                losses.py      missing parts of files
    plans.py      sequences of commands                                books.py       writes and reads that fail
    rounds.py     a simulated beacon, in every other casino            history.py     the steps, deaths and restarts
    faults.py     time, and faults from outside                        runs.py        many casinos, one after another

A long simulation is many casinos: after HOUSE_STEPS steps the next one is founded, on a new store and with the next
seed, so that a fault at step seven million is replayed in a minute.
"""
