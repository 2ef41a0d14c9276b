"""Measure the gain of seats that tell each other all their cards (CS2; bot.games.caribbean.words).

    python -m tests.counted.told_cards [DEALS]      prints TOLD_GAINS; 4,000 deals take five minutes

Each seat makes the best choice by all cards that these seats have been dealt and the dealer's open one; the value of
the same hand by its own cards is subtracted, so that the spread is small. A seat that exchanges does not know the cards
that others buy meanwhile.
"""

import sys
from collections.abc import Sequence
from random import Random
from statistics import fmean

from engine.cards import FRENCH, Card
from engine.games.caribbean import CaribbeanOptions, exchanges, offers
from engine.games.caribbean_odds import Chair, Unseen

SEATS = range(2, 8)
_ANTE = 1000


def measure(deals: int, random: Random) -> dict[int, float]:
    """Return {seats: the gain of each, in antes} over this many deals."""
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
    """Return the value of the best choice, in antes."""
    chair, options = Chair(tuple(hand), unseen, _ANTE, False, 0, 0), CaribbeanOptions()
    choices = [*offers(_ANTE, options), *exchanges(hand, _ANTE)]
    return max(chair.worth(offer, 2 * _ANTE) for offer in choices) / _ANTE


if __name__ == "__main__":
    for number, gain in measure(int(sys.argv[1]) if len(sys.argv) > 1 else 4000, Random(1)).items():
        print(f"    {number}: {gain:.3f},")
