"""The statistical tests, which accept a fair shuffle and find each well-meant but faulty one."""

from collections.abc import Callable, Sequence
from functools import cache
from random import Random

import pytest

from engine.cards import Card
from engine.shuffler import Stream
from tests.engine.fairness.chance import (
    FEWEST,
    Measure,
    measure_chance,
)

EVERY_TEST = {
    "positions",
    "pairs",
    "neighbours",
    "from deck to deck",
    "runs, rising",
    "runs, of a colour",
    "dice",
    "dice and first card",
    "from throw to throw",
}


class Fair(Stream):
    """A fair stream, the base of the faulty ones."""

    def __init__(self, server: bytes) -> None:
        super().__init__(server, (), "")


class AnyTwo(Fair):
    """Swaps of each card with any other: some decks come more often, as 52^52 is no multiple of 52!."""

    def shuffle(self, deck: Sequence[Card]) -> tuple[Card, ...]:
        cards = list(deck)
        for i in range(len(cards)):
            j = self.below(len(cards))
            cards[i], cards[j] = cards[j], cards[i]
        return tuple(cards)


class NeverItself(Fair):
    """One too few: no card stays in its place (Sattolo)."""

    def shuffle(self, deck: Sequence[Card]) -> tuple[Card, ...]:
        cards = list(deck)
        for last in range(len(cards) - 1, 0, -1):
            j = self.below(last)
            cards[last], cards[j] = cards[j], cards[last]
        return tuple(cards)


class SevenRiffles(Fair):
    """Riffles by hand: neighbouring cards still rise together a little too often."""

    def __init__(self, server: bytes) -> None:
        super().__init__(server)
        self.chance = Random(server)

    def shuffle(self, deck: Sequence[Card]) -> tuple[Card, ...]:
        cards = list(deck)
        for _riffle in range(7):
            piles = f"{self.chance.getrandbits(len(cards)):0{len(cards)}b}"
            left = iter(cards)
            first = [next(left) for _card in range(piles.count("0"))]
            piled = {"0": iter(first), "1": left}
            cards = [next(piled[pile]) for pile in piles]
        return tuple(cards)


class Sticky(Fair):
    """One deck in thirty starts with neighbours of the written order."""

    def shuffle(self, deck: Sequence[Card]) -> tuple[Card, ...]:
        cards = list(super().shuffle(deck))
        if self.below(30) == 0:
            follows = deck[(deck.index(cards[0]) + 1) % len(deck)]
            other = cards.index(follows)
            cards[1], cards[other] = cards[other], cards[1]
        return tuple(cards)


class Clumps(Fair):
    """One deck in twenty has a card behind its predecessor, wherever that is."""

    def shuffle(self, deck: Sequence[Card]) -> tuple[Card, ...]:
        cards = list(super().shuffle(deck))
        if self.below(20) == 0:
            first = self.below(len(deck) - 1)
            cards.remove(deck[first + 1])
            cards.insert(cards.index(deck[first]) + 1, deck[first + 1])
        return tuple(cards)


class LoadedDice(Fair):
    """Dice with a six in every fiftieth other throw."""

    def dice(self) -> tuple[int, int]:
        first, second = super().dice()
        return (6 if self.below(50) == 0 else first), second


class TooEven(Fair):
    """Rotations: each card is in each place as often as the others, to the deck."""

    turns = 0

    def shuffle(self, deck: Sequence[Card]) -> tuple[Card, ...]:
        TooEven.turns = (TooEven.turns + 1) % len(deck)
        return (*deck[TooEven.turns :], *deck[: TooEven.turns])


@cache
def fair() -> list[Measure]:
    return measure_chance(FEWEST)


@pytest.mark.slow
def test_fairness_4_the_shuffle_is_chance() -> None:
    assert {row.test for row in fair()} == EVERY_TEST
    assert [row for row in fair() if row.found == "OUT"] == []
    assert sum(row.tests for row in fair()) * fair()[0].limit == pytest.approx(0.01, rel=0.05)
    assert all(0 < row.p <= 1 for row in fair())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "found_by"),
    [
        (AnyTwo, "positions"),
        (NeverItself, "positions"),
        (SevenRiffles, "neighbours"),
        (Sticky, "pairs"),
        (Clumps, "neighbours"),
        (LoadedDice, "dice"),
        (TooEven, "positions"),
    ],
)
def test_a_planted_bias_is_found(make: Callable[[bytes], Stream], found_by: str) -> None:
    assert found_by in {row.test for row in measure_chance(FEWEST, make=make) if row.found == "OUT"}


@pytest.mark.slow
def test_a_seed_that_is_used_twice_is_found_from_deck_to_deck() -> None:
    chance_of_seeds = Random(1)
    seeds = [seed for seed in (chance_of_seeds.randbytes(32) for _ in range(FEWEST)) for _twice in range(2)]
    repeated = iter(seeds * 3)
    out = {row.test for row in measure_chance(FEWEST, make=lambda _server: Fair(next(repeated))) if row.found == "OUT"}
    assert {"from deck to deck", "from throw to throw"} <= out
