"""`ridotto bench coach`: what a decision takes to be valued, in the process that counts for a house.

Random decisions of example tables, each asked once as `/odds` asks it. CPU time of that process alone, what it is told
and what it answers included; its memory stands when it has answered all of the row, and of those above. Measured on
Linux alone.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random
from statistics import median
from typing import NamedTuple

from bot.house.counting import Counting
from bot.house.play import PLAYS
from bot.tools.bench.machine import milliseconds, rss_mib
from bot.tools.simulate import roll
from engine.advice import Asked, decision_of, weigh
from engine.felt import Deal, Move
from engine.games import GAMES, ODDS
from engine.hand import Hand
from engine.odds import Decision, choices_of
from tests.examples import EXAMPLES, TIMES, people_at

DECISIONS = 100


class Measure(NamedTuple):
    """CPU milliseconds; `first_ms` of the first decision of its game, which reads its tables, and no other has it in.

    `does` says what is counted, where it is no value of each choice. `worker_mib`: memory of the process.
    """

    game: str
    decisions: int
    median_ms: float
    worst_ms: float
    first_ms: float
    worker_mib: float
    does: str = ""


def measure_coach(decisions: int = DECISIONS) -> list[Measure]:
    """So many decisions of each game that asks for any, and whose choices are counted."""
    counting = Counting()
    try:
        return [_measure(counting, game, decisions) for game in PLAYS if game in ODDS and GAMES[game].words]
    finally:
        counting.close()


def _measure(counting: Counting, game: str, decisions: int) -> Measure:
    odds, process, spent = ODDS[game], counting(os.getpid), list[float]()
    for _number, decision in zip(range(decisions + 1), _random_decisions(game, Random(f"coach {game}")), strict=False):
        before = _cpu_s(process)
        if odds.equity is not None:
            counting(odds.equity, decision)
        else:
            counting(weigh, odds.values, Asked(decision))
        spent.append(_cpu_s(process) - before)
    first, *rest = map(milliseconds, spent)
    does = "" if odds.equity is None else "its share of the pot, sampled; no table tells it"
    return Measure(game, len(rest), round(median(rest), 2), max(rest), first, rss_mib(process), does)


def _cpu_s(process: int) -> float:
    """What its one thread has worked so far, in seconds."""
    return int(Path(f"/proc/{process}/schedstat").read_text().split()[0]) / 1e9


def _random_decisions(game: str, random: Random) -> Iterator[Decision]:
    """Of full tables whose people choose anything, one after the other without an end."""
    while True:
        hand = Hand(_deal(game, random))
        while hand.asks:
            seat = random.choice(list(hand.asks))
            yield decision_of(hand, seat)
            word, _space, argument = random.choice(choices_of(hand.asks[seat])).partition(" ")
            hand = hand.play(Move(seat, word, argument))


def _deal(name: str, random: Random) -> Deal:
    game, examples = GAMES[name], EXAMPLES[name]
    options = game.parse_options({})
    seats = range(1, people_at(name) + 1)
    stakes = [stake for seat in seats for stake in examples.lay(random, game, seat, random.choice(TIMES))]
    full = game.full_deck(options)
    deck, meter = random.sample(full, len(full)), examples.meter or None
    return Deal(name, options, tuple(stakes), tuple(deck), roll(game, random), jackpot=meter)
