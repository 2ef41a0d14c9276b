"""`ridotto bench ranks`: ranks of seven cards beside the libraries that are installed, by turns in one run.

Each row is a median over rounds of CPU time; the ratio is ours to theirs. A peer that is not installed is left out
(`pip install -e .[bench]` brings them).
"""

import random
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations_with_replacement
from statistics import median
from typing import Any, NamedTuple

from engine.cards import FRENCH, RANKS, SUITS
from engine.poker import rank, rank_and_low

ROUNDS = 5
HANDS = 20_000
SLOW_HANDS = 200


class Measure(NamedTuple):
    """`per_s` of this row; `ratio` how many times as fast the row is that begins its comparison, in the same run."""

    what: str
    per_s: int
    ratio: float


def measure_ranks() -> list[Measure]:
    """Seven cards, one hand at a time, through each library's own way in."""
    rng = random.Random(1)
    hands = [tuple(rng.sample(FRENCH, 7)) for _number in range(HANDS)]
    fill_tables()
    ways: dict[str, tuple[Callable[[Any], object], list[Any]]] = {
        "ridotto high": (rank, list(hands)),
        "ridotto high and low": (rank_and_low, list(hands)),
    }
    if find_spec("phevaluator"):
        evaluate = import_module("phevaluator").evaluate_cards
        ways["phevaluator"] = (lambda hand: evaluate(*hand), list(hands))
    if find_spec("treys"):
        treys = import_module("treys")
        known = [[treys.Card.new(card) for card in hand] for hand in hands]
        judge = treys.Evaluator()
        ways["treys"] = (lambda hand: judge.evaluate(hand[:2], hand[2:]), known)
    if find_spec("eval7"):
        eval7 = import_module("eval7")
        ways["eval7 (compiled)"] = (eval7.evaluate, [[eval7.Card(card) for card in hand] for hand in hands])
    if find_spec("pokerkit"):
        best = import_module("pokerkit").StandardHighHand.from_game
        ways["pokerkit"] = (best, ["".join(hand) for hand in hands[:SLOW_HANDS]])
    return compare({name: partial(_rate, way, known) for name, (way, known) in ways.items()})


def fill_tables() -> None:
    """Every sum of ranks of five to seven cards is met once, as after a long run: from here on each is known."""
    for size in (5, 6, 7):
        for ranks in combinations_with_replacement(RANKS, size):
            if max(map(ranks.count, ranks)) <= len(SUITS):
                rank_and_low([value + SUITS[i % 4] for i, value in enumerate(ranks)])


def compare(ways: Mapping[str, Callable[[], float]]) -> list[Measure]:
    """By turns, so that a slow moment of the machine meets all of them; each answers with how many a second."""
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for _round in range(ROUNDS):
        for name, way in ways.items():
            rates[name].append(way())
    ours = median(next(iter(rates.values())))
    return [Measure(name, round(median(found)), round(ours / median(found), 1)) for name, found in rates.items()]


def _rate(way: Callable[[Any], object], hands: Sequence[Any]) -> float:
    started = time.process_time()
    for hand in hands:
        way(hand)
    return len(hands) / max(time.process_time() - started, 1e-9)
