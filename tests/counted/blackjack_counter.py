"""Measure how much a Black Jack shoe that serves several hands is worth to a card counter.

    python -m tests.counted.blackjack_counter [ROUNDS]      prints GAINS; 1,500,000 rounds take two minutes a depth

The counter keeps the hi-lo count of one box's rounds, plays basic strategy and never insures. A round's value rises
linearly with the true count: a line is fitted to all rounds, so that rare high counts are known as well as the others.
"""

import sys
from random import Random

from bot.cli.simulate import play_rounds
from bot.games.blackjack.card_counter import DEPTHS, Gain
from engine.cards import Card
from engine.games.blackjack import GAME
from engine.games.blackjack_strategies import SIMULATION, play_basic

_HIGH, _LOW = frozenset("TJQKA"), frozenset("23456")
_DECK = 52


def measure(depth: int, rounds: int, random: Random) -> Gain:
    """Measure this many rounds at a table whose shoe serves until this part of it is used."""
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
    """Fit a line by least squares; return the line's values for the rounds above zero and the others."""
    rounds = len(counts)
    mean, net = sum(counts) / rounds, sum(nets) / rounds
    spread = sum((count - mean) ** 2 for count in counts)
    slope = sum((count - mean) * (one - net) for count, one in zip(counts, nets, strict=True)) / spread
    worth = [net + slope * (count - mean) for count in counts]
    return Gain(sum(one for one in worth if one > 0) / rounds, sum(one for one in worth if one <= 0) / rounds)


def main() -> None:
    """Print the data above."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1_500_000
    for depth in DEPTHS:
        gain = measure(depth, rounds, Random(depth))
        print(f"    {depth}: Gain({gain.good:.6f}, {gain.bad:.6f}),", flush=True)


if __name__ == "__main__":
    main()
