"""Whole rounds as by `ridotto simulate`, and the same game of the peers, by turns; and the coach's advice.

A row of ours counts everything in a round, shuffling and choosing too; CPU time, medians.
"""

import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import islice
from random import Random
from statistics import median
from typing import NamedTuple

from benchmarks.engine import ROUNDS as TURNS
from benchmarks.engine import Measure, compare, fill_tables
from benchmarks.machine import milliseconds
from benchmarks.peers import PEERS, Play, Rounds
from bot.cli.simulate import one_by_one, roll, shuffle_top
from bot.core.state.plays import PLAYS
from engine.advice import decision_of
from engine.felt import Deal
from engine.games import ODDS, SIMULATIONS
from engine.hand import Hand, run
from engine.odds import Decision, value_nothing
from engine.simulation import Simulation, Strategy

ROUNDS = 2000
DECISIONS = 30


class Advice(NamedTuple):
    """Milliseconds of CPU until the coach has valued one decision of a game."""

    game: str
    decisions: int
    cpu_ms: float
    max_ms: float
    does: str


def measure_hands(share: int = 1, rounds: int = TURNS) -> Iterator[Measure]:
    """Measure rounds a second of every game, and of installed libraries.

    `share`: divides the number of rounds played; `rounds`: the number of turns.
    """
    fill_tables()
    for game in PLAYS:
        yield from measure_beside(own_rounds(game, SIMULATIONS[game]), share, rounds)
    for beside in PEERS:
        yield from measure_beside(beside, share, rounds)


def measure_beside(beside: tuple[Rounds, ...], share: int, rounds: int) -> list[Measure]:
    """Measure one comparison of installed libraries."""
    there = [each for each in beside if not each.library or find_spec(each.library)]
    return compare(
        {each.what: partial(_per_s, each, share) for each in there},
        {each.what: each.does for each in there if each.does},
        rounds,
    )


def _per_s(rounds: Rounds, share: int) -> float:
    """Return the rounds in a second of CPU time."""
    play_round, many = rounds.prepare(), max(1, rounds.many // share)
    started = time.process_time()
    for _round in range(many):
        play_round()
    return many / max(time.process_time() - started, 1e-9)


def own_rounds(game: str, simulation: Simulation) -> tuple[Rounds, ...]:
    """Return the rounds of a game, as simulated and as at a table; a hand with several players takes accordingly
    longer.
    """
    name, choose = next(iter(simulation.strategies.items()))
    many = ROUNDS // len(simulation.lay(simulation.game.parse_options({}), name))
    return (
        Rounds(game, "", many, partial(one_by_one, simulation, name, choose, {})),
        Rounds(f"{game}, with its events", "as at a table", many, partial(_told, simulation, name, choose)),
    )


def _told(simulation: Simulation, name: str, choose: Strategy) -> Play:
    """Play the same rounds as scripts at a table: they stop at every ask, and leave all their events."""
    game, random = simulation.game, Random(1)
    options = game.parse_options({})
    stakes, deck = simulation.lay(options, name), list(game.full_deck(options))

    def play_round() -> None:
        shuffle_top(deck, 0, simulation.cards, random)
        run(Deal(game.name, options, stakes, tuple(deck), roll(game, random)), choose)

    return play_round


def measure_coach(decisions: int = DECISIONS) -> Iterator[Advice]:
    """Measure the coach at this many decisions of each game that has any, in hands by its first strategy."""
    for game in PLAYS:
        odds = ODDS.get(game)
        if odds is not None and (odds.equity or odds.values is not value_nothing):
            asked = list(islice(_decide(SIMULATIONS[game]), decisions))
            spent = [_advise(odds.equity or odds.values, decision) for decision in asked]
            does = "samples the share of the pot" if odds.equity else "values all choices exactly"
            yield Advice(game, len(asked), milliseconds(median(spent)), milliseconds(max(spent)), does)


def _advise(value: Callable[[Decision], object], decision: Decision) -> float:
    """Return the seconds of CPU time."""
    started = time.process_time()
    value(decision)
    return time.process_time() - started


def _decide(simulation: Simulation) -> Iterator[Decision]:
    """Yield the decisions of hands with random cards, without end."""
    game, random = simulation.game, Random(1)
    options = game.parse_options({})
    name, choose = next(iter(simulation.strategies.items()))
    stakes, deck = simulation.lay(options, name), list(game.full_deck(options))
    while True:
        random.shuffle(deck)
        hand = Hand(Deal(game.name, options, stakes, tuple(deck), roll(game, random)))
        while hand.asks:
            seat, offers = next(iter(hand.asks.items()))
            yield decision_of(hand, seat)
            hand = hand.play(choose(seat, offers, hand.cards(seat)))
