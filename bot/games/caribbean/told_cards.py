"""The gain of seats that tell each other all their cards (CS2), for the inspector who sets the number of seats.

Measured by `python -m tests.counted.told_cards`. Each seat chooses what is best by all cards that these seats have been
dealt and the dealer's open one. Whoever exchanges is told of no card that others buy meanwhile.
"""

from collections.abc import Mapping

GAINS: Mapping[int, float] = {2: 0.007, 3: 0.016, 4: 0.025, 5: 0.038, 6: 0.058, 7: 0.098}
"""{seats that tell each other their cards: what each gains, of its ante}: of 4,000 deals; two seats may gain a quarter
more or less, seven a twentieth.
"""
