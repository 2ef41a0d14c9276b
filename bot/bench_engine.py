"""`ridotto bench ranks` and `bench hands`: the engine beside the libraries that are installed, by turns in one run.

Each row is a median over rounds of CPU time; the ratio is ours to theirs. A peer that is not installed is left out
(`pip install -e .[bench]` brings them).
"""

import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import Any, NamedTuple

from bot.simulate import simulate
from engine.cards import FRENCH
from engine.hand import GAMES
from engine.poker import rank, rank_and_low

ROUNDS = 5
HANDS = 20_000
SLOW_HANDS = 200


class Measure(NamedTuple):
    """`per_s` of this row; `ratio` how many times as fast the engine is in the same run."""

    what: str
    per_s: int
    ratio: float


def measure_ranks() -> list[Measure]:
    """Seven cards, one hand at a time, through each library's own way in."""
    rng = random.Random(1)
    hands = [tuple(rng.sample(FRENCH, 7)) for _number in range(HANDS)]
    for hand in hands:
        rank_and_low(hand)  # the tables fill: from here on each sum is known
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
    return _compare(ways)


def _compare(ways: dict[str, tuple[Callable[[Any], object], list[Any]]]) -> list[Measure]:
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for _round in range(ROUNDS):
        for name, (way, hands) in ways.items():
            rates[name].append(_rate(way, hands))
    ours = median(next(iter(rates.values())))
    return [Measure(name, round(median(found)), round(ours / median(found), 1)) for name, found in rates.items()]


def _rate(way: Callable[[Any], object], hands: Sequence[Any]) -> float:
    started = time.process_time()
    for hand in hands:
        way(hand)
    return len(hands) / max(time.process_time() - started, 1e-9)


def measure_hands() -> list[Measure]:
    """Whole rounds as `ridotto simulate` plays them, and the same game of a peer."""
    ours = {game: _median_of(partial(_simulated, game)) for game in GAMES}
    rows = [Measure(game, round(rate), 1.0) for game, rate in ours.items()]
    if find_spec("rlcard"):
        rate = _median_of(_rlcard_blackjack)
        rows.append(Measure("rlcard blackjack", round(rate), round(ours["blackjack"] / rate, 1)))
    return rows


def _median_of(measure: Callable[[], float]) -> float:
    return median(measure() for _round in range(3))


def _simulated(game: str) -> float:
    found: float = simulate(game, rounds=1000 if game == "stud" else 4000)["rounds_per_s"]
    return found


def _rlcard_blackjack() -> float:
    environment = import_module("rlcard").make("blackjack")
    agent = import_module("rlcard.agents").RandomAgent(num_actions=environment.num_actions)
    environment.set_agents([agent])
    started = time.process_time()
    for _round in range(500):
        environment.run(is_training=False)
    return 500 / (time.process_time() - started)
