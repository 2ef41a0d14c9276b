"""Parts that every platform uses; a platform adds only what it alone has.

platform.py       the interface of a platform        context.py    tables and places, accounts and language, commands
press.py      button data                        typed.py      commands that people type
questions.py  confirmations of costly commands   sentences.py  sentences common to all platforms
allowance.py  rate limits per person or place    recent.py     bounded mappings (LRU)
budget.py     rate limiter with priorities       turns.py      the same on the event loop
newest.py     coalescing sender                  stages.py     stages of a hand that are worth a message
connectivity.py connectivity of places         guests.py     house players (bots) of the lounge
setting_up.py what `/setup` misses and offers    kept_answers.py  private answers, stored for a restart
witness.py    proof that bets were closed before the beacon's round
"""
