"""Randomness for a casino of a test that deals hands of Hold'em in which chosen players win."""

import random
from collections.abc import Sequence
from typing import Any

from engine import poker
from engine.games import GAMES
from engine.record import shuffled
from engine.shuffler import Seed

HOLDEM = GAMES["holdem"]
OPTIONS: Any = HOLDEM.parse_options({})
SEED_BYTES = 32


class Dealer:
    """A source of randomness for a writer. `wish` applies to every seed drawn from then on, so set it a hand ahead."""

    def __init__(self, seed: int = 7) -> None:
        self._random = random.Random(seed)
        self._order: tuple[tuple[int, ...], ...] = ()

    def wish(self, *order: Sequence[int]) -> None:
        """Rank the players by place from the dealer's left, ties together: `wish([1], [0, 2])` lets the second win."""
        self._order = tuple(tuple(sorted(places)) for places in order)

    def __call__(self, size: int) -> bytes:
        while True:
            drawn = self._random.randbytes(size)
            if size != SEED_BYTES or not self._order or self._ranking(drawn) == self._order:
                return drawn

    def _ranking(self, seed: bytes) -> tuple[tuple[int, ...], ...]:
        players = sum(len(places) for places in self._order)
        deck, _dice = shuffled(HOLDEM, OPTIONS, Seed(seed, (), 0, ""))
        board = deck[2 * players : 2 * players + 5]
        ranks = [poker.rank((*deck[place : 2 * players : players], *board)) for place in range(players)]
        return tuple(
            tuple(place for place in range(players) if ranks[place] == rank) for rank in sorted({*ranks}, reverse=True)
        )
