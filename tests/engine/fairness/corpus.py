"""`python -m tests.engine.fairness.corpus [RECORDS] > FILE`: records of all games, the same on every machine.

A record a line, each with its log: random stakes, options, cuts and moves, shoes that go on, hands void
before their deal and commitments that are dropped. A log has fifty hands, so that one line can be had without all
of them.
"""

import json
import sys
from collections.abc import Iterator
from itertools import count, islice
from random import Random
from typing import Any

from engine.fairness.canonical import digest
from engine.fairness.record import Record
from engine.games import GAMES
from engine.record import write_record
from tests.engine.conformance import random_deal
from tests.engine.fairness.writing import STAKES, Table, Writing

RECORDS = 10_000
HANDS_OF_A_LOG = 50
_CUTS = ["anna", "Buona fortuna, città!", "12", "🃏", "a\u2028b", "x" * 64]
_WHY = ["the house was closed", "an inspector said so", "un guasto della casa"]


def make_corpus(records: int = RECORDS) -> Iterator[Record]:
    """Yield the first `records` of an endless sequence."""
    return islice((record for number in count() for record in _make_log(number)), records)


def digest_of(records: Iterator[Record]) -> str:
    """Return one digest of all records in order."""
    return digest([digest(record) for record in records])


def _make_log(number: int) -> list[Record]:
    """Return the records of a log; the games take turns, and so does the first one."""
    written, chance, games = Writing(number), Random(f"corpus {number}"), sorted(STAKES)
    while len(written.records) < HANDS_OF_A_LOG:
        game = games[(number + written.hands) % len(games)]
        _play_table(written, game, chance)
    written.sign()
    return [written.proven(hand) for hand in list(written.records)[:HANDS_OF_A_LOG]]


def _play_table(written: Writing, game: str, chance: Random) -> None:
    """Play one commitment with all hands dealt from it."""
    deal = random_deal(game, chance)
    options: dict[str, Any] = dict(vars(deal.options))
    if GAMES[game].shoe and chance.random() < 0.5:
        options["penetration"] = chance.choice([1000, 5000])
    table, stakes = Table(f"t{game}", game, options), write_record(deal, [])["stakes"]
    players = len({stake.player for stake in deal.stakes})
    written.commitment(table)
    written.wait(chance.randrange(5, 60))
    if chance.random() < 0.05:
        written.open(table, chance.choice(_WHY))
        return
    is_going_on = True
    while is_going_on:
        void = chance.choice(_WHY) if chance.random() < 0.05 else ""
        cuts = chance.sample(_CUTS, chance.randint(0, min(players, len(_CUTS))))
        written.play(table, stakes=stakes, cuts=cuts, void=void)
        is_going_on = written.goes_on(table) and chance.random() < 0.8
    written.open(table)


if __name__ == "__main__":
    for record in make_corpus(int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS):
        print(json.dumps(record, sort_keys=True))
