"""Quicknet: when its rounds come, and that a library checks what the chain signed."""

import json
import math
import sys
from typing import Any

import pytest

from bot.verifier import quicknet
from bot.verifier.records import verify_record
from engine.fairness import beacon, canonical
from tests.engine.fairness.writing import ROUNDS, Table, Writing, round_of_quicknet

needs_the_library = pytest.mark.skipif(not quicknet.can_check(), reason="needs py_ecc")


@pytest.mark.parametrize("at", [*range(beacon.GENESIS - 10, beacon.GENESIS + 20), 1_790_000_000, 0])
def test_fairness_5_a_close_takes_the_first_round_three_seconds_after_it(at: int) -> None:
    round = beacon.round_after(at)
    assert round >= 1
    assert beacon.time_of(round) >= at + 3
    assert round == 1 or beacon.time_of(round - 1) < at + 3


@pytest.mark.parametrize("now", [beacon.GENESIS + 300.05 + tenth / 10 for tenth in range(70)])
def test_fairness_5_a_right_clock_closes_at_any_time_and_one_that_is_a_round_behind_never(now: float) -> None:
    at, newest = math.ceil(now), beacon.round_at(now)
    assert beacon.time_of(newest) <= now < beacon.time_of(newest + 1)
    named = beacon.round_to_name(at, newest)
    assert named == beacon.round_after(at)
    assert beacon.round_to_name(at, named - 1) is None
    assert beacon.round_to_name(at, named) is None
    assert beacon.round_to_name(at - 2 * beacon.PERIOD_S, newest) is None


def test_fairness_5_before_the_first_round_there_is_none() -> None:
    assert beacon.round_at(beacon.GENESIS - 0.5) == 0
    assert beacon.round_at(0.0) == 0
    assert beacon.round_at(beacon.GENESIS) == 1


def test_fairness_5_the_constants_are_quicknets() -> None:
    assert beacon.time_of(1) == 1692803367
    assert beacon.time_of(1000) == 1692803367 + 999 * 3
    assert len(beacon.PUBLIC_KEY) == 96
    # As the chain publishes it.
    assert round_of_quicknet(1000)["randomness"] == "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"


def a_record(round: int, told: dict[str, Any]) -> dict[str, Any]:
    written = Writing(at=beacon.time_of(round) - 5)
    table = Table("public", "puntobanco", beacon=True)
    written.promise(table)
    written.play(table, round=told)
    written.sign()
    return written.proven("1")


@pytest.mark.slow
@needs_the_library
def test_fairness_5_what_quicknet_signed_is_ok() -> None:
    for number in ROUNDS:
        answer = verify_record(a_record(number, round_of_quicknet(number)))
        assert (answer["verified"], answer["checks"]["beacon"]) == (True, "ok")


@pytest.mark.long
@needs_the_library
def test_fairness_5_what_quicknet_signed_for_another_round_is_wrong() -> None:
    answer = verify_record(a_record(1000, round_of_quicknet(1001) | {"round": 1000}))
    assert (answer["verified"], answer["checks"]["beacon"]) == (
        False,
        "wrong: this is not quicknet's signature of round 1000",
    )


@needs_the_library
@pytest.mark.parametrize(
    "signature", ["c0" + "00" * 47, "00" * 48, "ff" * 48, "80" + "00" * 47, "e0" + ROUNDS[1000][2:], "", "b4" * 47]
)
def test_fairness_5_what_is_no_point_of_the_curve_is_no_signature(signature: str) -> None:
    assert not quicknet.is_signature(1000, bytes.fromhex(signature))


def test_fairness_8_without_a_library_the_round_is_to_be_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quicknet, "can_check", lambda: False)
    answer = verify_record(json.loads(json.dumps(a_record(1000, round_of_quicknet(1000)))))
    assert answer["verified"]
    assert answer["checks"]["beacon"] == "not checked: compare round 1000 of quicknet yourself"


@needs_the_library
def test_what_is_nested_too_deep_is_refused_beside_the_library() -> None:
    """py_ecc lets the whole process nest a hundred times deeper, at which such JSON would end it."""
    assert not quicknet.is_signature(1000, bytes(48))
    assert sys.getrecursionlimit() < 100_000
    with pytest.raises(canonical.Unreadable):
        canonical.parse("[" * 200_000)
