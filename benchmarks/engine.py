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


Peer = tuple[Callable[[str], Any], Callable[[Any], object]]


class Measure(NamedTuple):
    """One row. `per_s` is its rate; `ratio` how many times as fast the first row of its comparison is, in the same run.

    `does` says what is counted, if one row does other work than the next.
    """

    what: str
    per_s: int
    ratio: float
    does: str = ""


def measure_ranks(
    hands: int = HANDS, many: int = MANY_HANDS, rounds: int = ROUNDS, shortest_s: float = SHORTEST_S
) -> list[Measure]:
    """Rank seven cards, one hand at a time, by each library's own interface: peers from words, as ours, and from their
    own cards, made beforehand.
    """
    rng = random.Random(1)
    drawn = [tuple(rng.sample(FRENCH, 7)) for _number in range(many)]
    few = drawn[:hands]
    fill_tables()
    ways: dict[str, tuple[Callable[[Any], object], Sequence[Any]]] = {
        "ridotto": (rank, few),
        "ridotto, high and low": (rank_and_low, few),
        f"ridotto, {many} hands": (rank, drawn),
    }
    for name, read in PEERS.items():
        if find_spec(name):
            card_of, evaluate = read(import_module(name))
            from_words = evaluate if name in READ_WORDS else partial(_rank_words, card_of, evaluate)
            ways[f"{name}, from words"] = (from_words, few)
            ways[f"{name}, from its own cards"] = (evaluate, [[card_of(word) for word in hand] for hand in few])
    return compare({name: partial(_rate, way, known, shortest_s) for name, (way, known) in ways.items()}, _DOES, rounds)


def _rank_words(card_of: Callable[[str], Any], evaluate: Callable[[Any], object], hand: Sequence[str]) -> object:
    return evaluate([card_of(word) for word in hand])


def _read_treys(treys: Any) -> Peer:
    judge = treys.Evaluator()
    return treys.Card.new, lambda hand: judge.evaluate(hand[:2], hand[2:])


PEERS: Mapping[str, Callable[[Any], Peer]] = {
    "eval7": lambda eval7: (eval7.Card, eval7.evaluate),
    "phevaluator": lambda phevaluator: (phevaluator.Card.to_id, lambda hand: phevaluator.evaluate_7cards(*hand)),
    "pkrbot": lambda pkrbot: (pkrbot.Card, pkrbot.evaluate),
    "pokerkit": lambda pokerkit: (lambda word: next(pokerkit.Card.parse(word)), pokerkit.StandardHighHand.from_game),
    "treys": _read_treys,
}
"""{library: (its module) -> its card of a word, and its rank of cards}"""
READ_WORDS = {"phevaluator"}
_DOES = {
    "ridotto": "from words; the tables are full, as after a long run",
    "eval7, from its own cards": "compiled",
    "phevaluator, from its own cards": "compiled",
    "pkrbot, from its own cards": "compiled",
    "pokerkit, from its own cards": "the answer is a hand with its cards, not a number",
}


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
        Measure(name, round(median(found)), round(ours / median(found), 2), does.get(name, ""))
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
