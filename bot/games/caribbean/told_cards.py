"""What seats gain that tell each other all their cards (CS2): measured, and told to the inspector who sets how many.

    python -m bot.games.caribbean.told_cards [DEALS]      prints GAINS; 4,000 deals take five minutes

Each seat chooses what is best by all cards that these seats have been dealt and the dealer's open one; what the same
hand is worth by its own cards is taken off, so that little scatters. Whoever exchanges is told of no card that others
buy meanwhile.
"""

import sys
from collections.abc import Mapping, Sequence
from random import Random
from statistics import fmean

from engine.cards import FRENCH, Card
from engine.games.caribbean import CaribbeanOptions, exchanges, offers
from engine.games.caribbean_odds import Chair, Unseen

SEATS = range(2, 8)
_ANTE = 1000

GAINS: Mapping[int, float] = {2: 0.007, 3: 0.016, 4: 0.025, 5: 0.038, 6: 0.058, 7: 0.098}
"""{seats that tell each other their cards: what each gains, of its ante}: of 4,000 deals; two seats may gain a quarter
more or less, seven a twentieth.
"""


def measure(deals: int, random: Random) -> dict[int, float]:
    """The same, of so many deals."""
    found: dict[int, list[float]] = {seats: [] for seats in SEATS}
    for _ in range(deals):
        *cards, up = random.sample(FRENCH, 5 * SEATS[-1] + 1)
        hands = [cards[first : first + 5] for first in range(0, len(cards), 5)]
        alone = [_worth(hand, Unseen(up, [*hand, up])) for hand in hands]
        for seats, gains in found.items():
            together = Unseen(up, [*cards[: 5 * seats], up])
            gains += [_worth(hand, together) - own for hand, own in zip(hands[:seats], alone, strict=False)]
    return {seats: fmean(gains) for seats, gains in found.items()}


def _worth(hand: Sequence[Card], unseen: Unseen) -> float:
    """Of the best choice, in antes."""
    chair, options = Chair(tuple(hand), unseen, _ANTE, False, 0, 0), CaribbeanOptions()
    choices = [*offers(_ANTE, options), *exchanges(hand, _ANTE)]
    return max(chair.worth(offer, 2 * _ANTE) for offer in choices) / _ANTE


if __name__ == "__main__":
    for number, gain in measure(int(sys.argv[1]) if len(sys.argv) > 1 else 4000, Random(1)).items():
        print(f"    {number}: {gain:.3f},")
