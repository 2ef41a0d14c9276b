"""`python -m tests.simulation`: a whole house under seeded faults, checked after every step.

Hundreds of people on three platforms bet, move, inspect, link their accounts and mistype at tables of all games;
updates come twice, late, stale, forged and out of order; places are lost and found again, platforms are away, clocks
run out and the wall clock is set; disks fill up, commits and reads fail, the process dies before, within and after a
commit and starts again on the files that it left. Of those some are lost in a copy, which must be noticed; and a second
house opens on the folder, after which the first may write no more. One seed is one history: whoever runs the seed again
finds the fault again.

What must hold, of all that a step touched after that step, and of everything every thousand steps and after every
restart: the accounts sum to zero and none of a player's is below zero; a hand that is closed is empty, and replays from
the disk to what was shown; what was acknowledged is on disk and is answered the same again; what was not is there whole
or not at all; nobody is shown a card that is hidden from him; no error is in the log.

    crowd.py      who is there, and what they know                     invariants.py  what must hold after a step
    workload.py   who says what                                        sight.py       who may see which card
    behavior.py   what is said and checked at one game's tables        remains.py     what a dead process has left
    world.py      what plans are made of                               losses.py      what may be missing of its files
    plans.py      what takes more than one word                        books.py       writes and reads that fail
    rounds.py     the beacon of every other house                      history.py     the steps, deaths and restarts
    faults.py     time, and what befalls the house from outside        runs.py        many houses, one after another

A long simulation is many houses: after HOUSE_STEPS steps the next one is founded, on new books and with the next seed,
so that whatever is found at step seven million is played again in a minute.
"""
