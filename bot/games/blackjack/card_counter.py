"""What a shoe that goes on is worth to who counts its cards: measured, and told to the inspector who sets the option.

    python -m bot.games.blackjack.card_counter [ROUNDS]      prints GAINS; 1,500,000 rounds take two minutes a depth

The counter keeps the hi-lo count of one box's rounds, plays basic strategy and never insures. What a round is worth to
him rises evenly with the true count: a line is laid through all rounds, so that rare high counts are known as well as
the others.
"""

import sys
from random import Random
from typing import NamedTuple

from engine.cards import Card
from engine.games.blackjack import GAME
from engine.games.blackjack_strategies import SIMULATION, play_basic

DEPTHS = (2500, 5000, 7500)
_HIGH, _LOW = frozenset("TJQKA"), frozenset("23456")
_DECK = 52


class Gain(NamedTuple):
    """Of a round, in units: of the bet that is laid where the count is good, and of the one that is laid elsewhere."""

    good: float
    bad: float


GAINS = {
    2500: Gain(0.000438, -0.006410),
    5000: Gain(0.001131, -0.006452),
    7500: Gain(0.002048, -0.007301),
}
"""{basis points of a shoe of six decks that come out: what a round is worth}, by the usual options: each of 1,500,000
rounds, the last, whose bets matter most, of 3,000,000. Another three million may say a tenth more or less.
"""


def gain_of(depth: int) -> Gain | None:
    """What is told of a shoe of which so much comes out: measured for no less; None where every hand has its own."""
    return GAINS[min(one for one in DEPTHS if one >= depth)] if depth else None


def measure(depth: int, rounds: int, random: Random) -> Gain:
    """Of so many rounds at a table whose shoe serves until this part of it is out."""
    from bot.tools.simulate import play_rounds  # what a house needs of this module plays nothing

    options = GAME.parse_options({"penetration": depth})
    size, shoe, stakes = len(GAME.full_deck(options)), GAME.shoe, SIMULATION.lay(options, "basic")
    assert shoe is not None, "BJ7"
    limit, unit = shoe.limit(options, size), stakes[0].bets["main"]
    counts, nets = list[float](), list[float]()
    gone = running = 0
    for felt in play_rounds(SIMULATION, options, stakes, play_basic, rounds, random):
        counts.append(running * _DECK / (size - gone))
        nets.append((sum(felt.returned.values()) - sum(felt.staked.values())) / unit)
        gone += felt.drawn
        running += sum(_tag(card) for cards in felt.cards.values() for card in cards)
        if gone >= limit:
            gone = running = 0
    return _lay_line(counts, nets)


def _tag(card: Card) -> int:
    return (card[0] in _LOW) - (card[0] in _HIGH)


def _lay_line(counts: list[float], nets: list[float]) -> Gain:
    """Least squares; then what the line says of each round, of those above nothing and of the others."""
    rounds = len(counts)
    mean, net = sum(counts) / rounds, sum(nets) / rounds
    spread = sum((count - mean) ** 2 for count in counts)
    slope = sum((count - mean) * (one - net) for count, one in zip(counts, nets, strict=True)) / spread
    worth = [net + slope * (count - mean) for count in counts]
    return Gain(sum(one for one in worth if one > 0) / rounds, sum(one for one in worth if one <= 0) / rounds)


def main() -> None:
    """The data, as it stands above."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1_500_000
    for depth in DEPTHS:
        gain = measure(depth, rounds, Random(depth))
        print(f"    {depth}: Gain({gain.good:.6f}, {gain.bad:.6f}),", flush=True)


if __name__ == "__main__":
    main()
