"""A cheating owner: they know the whole store, cut last, close at will, and bet at their own table.

Without the beacon they win, as fairness.md says. With it their results are chance's: tested at 99 %, against the exact
chances of their bets, first by the rules of the log alone, then at a real table.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from engine.fairness import log
from engine.fairness.beacon import NOTICE_S, PERIOD_S, BeaconRound, randomness_of, round_after, round_at, time_of
from engine.fairness.canonical import digest
from engine.fairness.commitment import commit_to, hash_seed, make_commitment
from engine.felt import Deal, Stake
from engine.games import GAMES
from engine.games.puntobanco import PuntoBancoOptions
from engine.games.puntobanco_odds import count_odds
from engine.hand import Hand
from engine.record import shuffled
from engine.shuffler import Seed
from tests.core.conftest import TABLES, House
from tests.core.rounds import Rounds

HANDS = 10_000
# Fewer hands are enough where the owner may choose.
FEW = 500
# At a real table, where each hand takes some milliseconds.
A_FEW = 120
# Two-sided 1 % quantile of the normal distribution.
LEVEL_99 = 2.576
BEGAN = 1_790_000_000
BET = 1000
AREAS = ("punto", "banco")
CUTS = ("", "a", "b", "c")
GAME = GAMES["puntobanco"]
OPTIONS = PuntoBancoOptions()


class Close(NamedTuple):
    """The owner's last acts before the close: a bet, a cut ("" for none), and the time waited."""

    area: str
    cut: str
    waited_s: int = 0


class Known(NamedTuple):
    """The owner's knowledge when they decide: the store also has the seeds of future hands.

    `rounds` are those that the chain has published by `at`, the newest last.
    """

    at: int
    seed: bytes
    cut_of_another: str
    rounds: Sequence[str]
    seeds_to_come: Sequence[bytes]


Owner = Callable[[Known], Close]


def result_of(area: str, seed: Seed) -> Fraction:
    """Return the result of a unit on this area."""
    deck, _dice = shuffled(GAME, OPTIONS, seed)
    hand = Hand(Deal(GAME.name, OPTIONS, (Stake(1, "owner", {area: BET}),), deck, None, seed))
    returned = sum(sum(spots.values()) for spots in hand.returned().values())
    return Fraction(returned - BET, BET)


@cache
def chances() -> Mapping[str, tuple[float, float]]:
    """Return the exact (mean, variance) of a unit on each area: won, returned, or lost."""
    known = {}
    for area in AREAS:
        odds = count_odds(OPTIONS)[area]
        mean = -odds["edge"]
        pay = (mean + odds["lose"]) / odds["win"]
        known[area] = float(mean), float(odds["win"] * pay**2 + odds["lose"] - mean**2)
    return known


def play(owner: Owner, hands: int, *, has_beacon: bool, sees_ahead_s: int = 0) -> float:
    """Return by how many standard errors the owner's results exceed chance's.

    `sees_ahead_s`: how early the owner knows the chain's rounds, which no one does.
    """
    chance, at = Random("books"), BEGAN
    seeds = [chance.randbytes(32) for _hand in range(hands)]
    chain = Random("chain").randbytes(32)
    gained = variance = 0.0
    for number, seed in enumerate(seeds):
        commitment = make_commitment(
            house=hash_seed(b"house"), casino="1", log=1, table="1", hand=str(number), game=GAME.name,
            options=OPTIONS, previous="", server=seed, beacon=has_beacon,
        )  # fmt: skip
        at += 20
        cut_of_another = f"anna {number}"
        choose = Known(at, seed, cut_of_another, published(chain, at + sees_ahead_s), seeds[number + 1 :][:3])
        close = owner(choose)
        assert 0 <= close.waited_s <= 60
        at += close.waited_s
        # Like a real close: cuts, stakes and the round are in the log before the round exists.
        cuts, round = sorted(filter(None, (cut_of_another, close.cut))), round_after(at) if has_beacon else 0
        entry = log.closed(commit_to(commitment), start=0, cuts=cuts, salt="", stakes=[], round=round, at=at)
        assert not has_beacon or time_of(entry["round"]) >= at + NOTICE_S
        beacon = randomness_in(chain, round) if has_beacon else ""
        assert entry["cuts"] == digest(cuts)
        mean, spread = chances()[close.area]
        gained += float(result_of(close.area, Seed(seed, tuple(cuts), 0, beacon))) - mean
        variance += spread
        at = max(at, time_of(round) if has_beacon else at)
    return gained / sqrt(variance)


def randomness_in(chain: bytes, round: int) -> str:
    """Return the randomness of a test chain."""
    return randomness_of(hashlib.sha512(chain + round.to_bytes(8, "big")).digest())


def published(chain: bytes, at: int) -> list[str]:
    newest = round_after(at) - 1 - NOTICE_S // PERIOD_S
    while time_of(newest + 1) <= at:
        newest += 1
    assert time_of(newest) <= at < time_of(newest + 1)
    return [randomness_in(chain, round) for round in range(newest - 2, newest + 1)]


def best_of(known: Known, beacons: Sequence[str]) -> Close:
    """Return the best cut and area if the hand had one of these beacons."""

    def worth(close: Close) -> Fraction:
        cuts = tuple(sorted(filter(None, (known.cut_of_another, close.cut))))
        return sum((result_of(close.area, Seed(known.seed, cuts, 0, beacon)) for beacon in beacons), Fraction(0))

    return max((Close(area, cut) for area in AREAS for cut in CUTS), key=worth)


def takes_the_best_cut(known: Known) -> Close:
    """Choose the best cut as if there were no beacon."""
    return best_of(known, [""])


def takes_the_newest_round(known: Known) -> Close:
    """Choose by the newest known number, as if it were the next."""
    return best_of(known, known.rounds[-1:])


def waits_for_a_sign(known: Known) -> Close:
    """Wait for a time given by the newest round, and cut by future seeds."""
    told = int(known.rounds[-1][:8], 16)
    sum_of_seeds = hashlib.sha256(b"".join(known.seeds_to_come) + known.seed).hexdigest()[:-1]
    return Close(AREAS[told % 2], sum_of_seeds, told % 30)  # 64 hex digits are the form of sealed cuts


def takes_the_round_that_comes(known: Known) -> Close:
    """Choose by the newest round seen, which for an owner who sees ahead is the one of the close."""
    return best_of(known, known.rounds[-1:])


@pytest.mark.long
def test_fairness_5_without_the_beacon_the_owner_wins() -> None:
    assert play(takes_the_best_cut, FEW, has_beacon=False) > 10


@pytest.mark.long
@pytest.mark.parametrize("owner", [takes_the_best_cut, takes_the_newest_round, waits_for_a_sign])
def test_fairness_5_with_the_beacon_a_few_hands_are_chance(owner: Owner) -> None:
    assert abs(play(owner, FEW, has_beacon=True)) < LEVEL_99


@pytest.mark.slow
@pytest.mark.parametrize("owner", [takes_the_best_cut, takes_the_newest_round, waits_for_a_sign])
def test_fairness_5_with_the_beacon_ten_thousand_hands_of_the_owner_are_chance(owner: Owner) -> None:
    assert abs(play(owner, HANDS, has_beacon=True)) < LEVEL_99


@pytest.mark.long
def test_fairness_5_who_knew_the_round_would_be_found_out() -> None:
    """The test can fail with the beacon too."""
    ahead = time_of(round_after(BEGAN)) - BEGAN
    assert play(takes_the_round_that_comes, FEW, has_beacon=True, sees_ahead_s=ahead) > 5


class AtHome:
    """The owner's own casino, whose store they can read. Anna bets a little, cuts first, and is in every hand."""

    def __init__(self, folder: Path, *, has_beacon: bool, sees_ahead: bool = False) -> None:
        self.chain, self.sees_ahead = Random("chain").randbytes(32), sees_ahead
        self.beacon = Rounds() if has_beacon else None
        self.house = House(folder, beacon=self.beacon, began=float(BEGAN))
        self.house.entropy = Random("books").randbytes
        for name in ("greta", "anna"):
            self.do(f"{name} balance")
            self.do(f"insp grant {name} 1000000 for a test")

    def do(self, line: str) -> None:
        answer = self.house.do(line, table=TABLES[GAME.name], sure=True)
        assert not answer.refused, (line, answer)

    def table(self) -> Any:
        return self.house.table(TABLES[GAME.name])

    def play(self, owner: Owner, hands: int) -> float:
        """Play like the function `play`, measured by the owner's wallet."""
        gained = variance = 0.0
        for number in range(hands):
            mean, spread, won = self.hand(owner, f"anna {number}")
            gained += won - mean
            variance += spread
        return gained / sqrt(variance)

    def hand(self, owner: Owner, cut_of_another: str) -> tuple[float, float, float]:
        before = self.house.chips("greta")
        self.do("anna bet punto 10")
        self.do(f"anna cut {cut_of_another}")
        close = owner(self.known(cut_of_another))
        self.do(f"greta bet {close.area} {BET // 100}")
        if close.cut:
            self.do(f"greta cut {close.cut}")
        self.house.wait(min(close.waited_s, 4))  # a ready player ends it sooner
        for name in ("anna", "greta"):
            self.do(f"{name} ready")
        self.house.wait(
            max(0.0, self.table().round.deadline - self.house.clock.now) if self.table().round.bets else 0.0
        )
        if self.beacon is not None:
            waits = self.table().round.waits
            assert waits is not None
            self.house.clock.now = float(time_of(waits.round))
            self.beacon.come(waits.round, self.round(waits.round))
            self.house.writer.round([], [])
        while self.table().round.bets:
            self.house.wait(1)
        mean, spread = chances()[close.area]
        return mean, spread, (self.house.chips("greta") - before) / BET

    def known(self, cut_of_another: str) -> Known:
        """Return the contents of the store at that moment, and every number that the chain has published."""
        at = int(self.house.clock.now)
        rounds = [self.round(number).randomness for number in self.published(at)]
        return Known(at, self.table().round.seed, cut_of_another, rounds, ())

    def published(self, at: int) -> list[int]:
        # A player who is ready at once closes the bets five seconds after the first one.
        newest = round_after(at + 5) if self.sees_ahead else round_at(at)
        return [newest - 1, newest]

    def round(self, number: int) -> BeaconRound:
        signature = hashlib.sha384(self.chain + number.to_bytes(8, "big")).digest()
        return BeaconRound(number, randomness_of(signature), signature.hex())


def at_home(folder: Path, owner: Owner, hands: int, **more: bool) -> float:
    home = AtHome(folder, **more)
    try:
        return home.play(owner, hands)
    finally:
        home.house.close()


@pytest.mark.long
def test_fairness_5_at_a_table_without_the_beacon_the_owner_wins(tmp_path: Path) -> None:
    assert at_home(tmp_path, takes_the_best_cut, A_FEW, has_beacon=False) > 5


@pytest.mark.slow
@pytest.mark.parametrize("owner", [takes_the_best_cut, takes_the_newest_round, waits_for_a_sign])
def test_fairness_5_at_a_table_with_the_beacon_a_few_hands_are_chance(tmp_path: Path, owner: Owner) -> None:
    assert abs(at_home(tmp_path, owner, A_FEW, has_beacon=True)) < LEVEL_99


@pytest.mark.exhaustive
@pytest.mark.parametrize("owner", [takes_the_newest_round, waits_for_a_sign])
def test_fairness_5_at_a_table_with_the_beacon_ten_thousand_hands_are_chance(tmp_path: Path, owner: Owner) -> None:
    assert abs(at_home(tmp_path, owner, HANDS, has_beacon=True)) < LEVEL_99
