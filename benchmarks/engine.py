"""Ranking of seven cards, compared with installed libraries, by turns in one run.

All rank the same hands. Each row is a median over rounds of CPU time; the ratio is ours to theirs. A peer that is not
installed is left out (`pip install -e .[bench]` installs all).
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
HANDS = 2000
# More than a processor's own cache holds, with the tables of ranks.
MANY_HANDS = 20_000
# A measurement is repeated until it has taken this long.
SHORTEST_S = 0.05


class Measure(NamedTuple):
    """One row. `per_s` is its rate; `ratio` how many times as fast the first row of its comparison is, in the same run.

    `does` says what is counted, if one row does other work than the next.
    """

    what: str
    per_s: int
    ratio: float
    does: str = ""


_DOES = {
    "ridotto high": "cards are words; the tables are full, as after a long run",
    "phevaluator": "cards are words; compiled",
    "treys": "cards are numbers, made beforehand",
    "eval7 (compiled)": "cards are objects, made beforehand",
    "pokerkit": "cards are one word; the answer is a hand with its cards, not a number",
}


def measure_ranks(
    hands: int = HANDS, many: int = MANY_HANDS, rounds: int = ROUNDS, shortest_s: float = SHORTEST_S
) -> list[Measure]:
    """Rank seven cards, one hand at a time, by each library's own interface."""
    rng = random.Random(1)
    drawn = [tuple(rng.sample(FRENCH, 7)) for _number in range(many)]
    few = drawn[:hands]
    fill_tables()
    ways: dict[str, tuple[Callable[[Any], object], list[Any]]] = {
        "ridotto high": (rank, list(few)),
        "ridotto high and low": (rank_and_low, list(few)),
        f"ridotto high, {many} hands": (rank, drawn),
    }
    if find_spec("phevaluator"):
        evaluate = import_module("phevaluator").evaluate_cards
        ways["phevaluator"] = (lambda hand: evaluate(*hand), list(few))
    if find_spec("treys"):
        treys = import_module("treys")
        known = [[treys.Card.new(card) for card in hand] for hand in few]
        judge = treys.Evaluator()
        ways["treys"] = (lambda hand: judge.evaluate(hand[:2], hand[2:]), known)
    if find_spec("eval7"):
        eval7 = import_module("eval7")
        ways["eval7 (compiled)"] = (eval7.evaluate, [[eval7.Card(card) for card in hand] for hand in few])
    if find_spec("pokerkit"):
        best = import_module("pokerkit").StandardHighHand.from_game
        ways["pokerkit"] = (best, ["".join(hand) for hand in few])
    return compare({name: partial(_rate, way, known, shortest_s) for name, (way, known) in ways.items()}, _DOES, rounds)


def fill_tables() -> None:
    """Rank every sum of ranks of five to seven cards once, so that all caches are full as after a long run."""
    for size in (5, 6, 7):
        for ranks in combinations_with_replacement(RANKS, size):
            if max(map(ranks.count, ranks)) <= len(SUITS):
                rank_and_low([value + SUITS[i % 4] for i, value in enumerate(ranks)])


def compare(ways: Mapping[str, Callable[[], float]], does: Mapping[str, str], rounds: int = ROUNDS) -> list[Measure]:
    """Measure by turns, so that a slow moment of the machine affects all; each function returns its rate a second."""
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for _round in range(rounds):
        for name, way in ways.items():
            rates[name].append(way())
    ours = median(next(iter(rates.values())))
    return [
        Measure(name, round(median(found)), round(ours / median(found), 1), does.get(name, ""))
        for name, found in rates.items()
    ]


def _rate(way: Callable[[Any], object], hands: Sequence[Any], shortest_s: float) -> float:
    done, spent, started = 0, 0.0, time.process_time()
    while spent < shortest_s:
        for hand in hands:
            way(hand)
        done += len(hands)
        spent = time.process_time() - started
    return done / spent
