"""Measure how much a deeper shoe is worth to a card counter at their best (bot.games.puntobanco.words).

    python -m tests.counted.puntobanco_counter [SHOES]      prints the value of each area; 5,000 take eight minutes

The counter knows all cards that have gone, and bets only on an area with a positive value. Shoes of six decks are
checked wherever they may end when three quarters come out, each counted exactly.
"""

import sys
from collections.abc import Mapping
from random import Random

from engine.cards import FRENCH
from engine.games.puntobanco import count
from engine.games.puntobanco_odds import count_winners

_DECKS, _DEEPEST = 6, 7500


def measure(shoes: int, random: Random) -> Mapping[str, float]:
    """Return {area: the value of a hand on it, in units of the bet}, with égalité at nine to one and the default
    commission.
    """
    deck, gains = list(FRENCH * _DECKS), dict[str, float]()
    for _ in range(shoes):
        random.shuffle(deck)
        left = deck[random.randrange(len(deck) * _DEEPEST // 10_000) :]
        for area, edge in _edges(left).items():
            gains[area] = gains.get(area, 0.0) + max(0.0, -edge) / shoes
    return gains


def _edges(left: list[str]) -> dict[str, float]:
    counts = [0] * 10
    for card in left:
        counts[count([card])] += 1
    wins = count_winners(counts)
    punto, banco, egalite = (wins[one] / sum(wins.values()) for one in ("punto", "banco", "egalite"))
    ranks = [sum(card[0] == rank for card in left) for rank in {card[0] for card in left}]
    pair = sum(number * (number - 1) for number in ranks) / (len(left) * (len(left) - 1))
    edges = {"punto": banco - punto, "banco": punto - 0.95 * banco, "egalite": 1 - 10 * egalite}
    return edges | {"pair-punto": 1 - 12 * pair, "pair-banco": 1 - 12 * pair}


if __name__ == "__main__":
    print(measure(int(sys.argv[1]) if len(sys.argv) > 1 else 5000, Random(1)))
