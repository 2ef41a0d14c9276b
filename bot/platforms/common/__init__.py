"""What every platform needs, once. A door stands on it and adds what its platform alone has.

door.py       what a door is to the house        desk.py       tables and places, identity and language, commands
press.py      what stands behind a button        typed.py      what people type
questions.py  asked once more                    sentences.py  what every door says in the same words
allowance.py  how much anybody may ask for       recent.py     what is remembered for a while
budget.py     who calls the platform next        turns.py      the same on the event loop
newest.py     the newest state wins              stages.py     what of a hand is worth a message
reach.py      places that are away and back      guests.py     house players who keep people company
setting_up.py what `/setup` lacks and offers     kept_answers.py  private answers, for after a restart
witness.py    that bets were closed before the round
"""
