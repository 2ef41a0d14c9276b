"""The worth of a shoe of several hands to a card counter, measured by `python -m tests.counted.blackjack_counter`.

Shown to the inspector who sets the option.
"""

from typing import NamedTuple

DEPTHS = (2500, 5000, 7500)


class Gain(NamedTuple):
    """Average gain of a round in units of the bet: with a good count, and otherwise."""

    good: float
    bad: float


GAINS = {
    2500: Gain(0.000438, -0.006410),
    5000: Gain(0.001131, -0.006452),
    7500: Gain(0.002048, -0.007301),
}
"""{basis points of a shoe of six decks that come out: the gain of a round}, with default options: each over 1,500,000
rounds, the last, whose bets matter most, over 3,000,000. Another three million may say a tenth more or less.
"""


def gain_of(depth: int) -> Gain | None:
    """Return the gain of a card counter for a shoe dealt to this depth, never overstated; None with a new shoe per
    hand.
    """
    return GAINS[min(one for one in DEPTHS if one >= depth)] if depth else None
