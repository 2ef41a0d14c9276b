"""Quicknet and named chains: when rounds come, and whose signatures count."""

import math
from typing import Any

import pytest

from bot.verifier.records import verify_record
from engine.fairness import beacon
from tests.beacon import signed
from tests.engine.fairness.writing import CHAIN, ROUNDS, Table, Writing, round_of_quicknet


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
    written.commitment(table)
    written.play(table, round=told)
    written.sign()
    return written.proven("1")


def test_fairness_5_what_quicknet_signed_is_ok() -> None:
    for number in ROUNDS:
        answer = verify_record(a_record(number, round_of_quicknet(number)))
        assert (answer["verified"], answer["checks"]["beacon"]) == (True, "ok")
        assert "chain" not in answer


def test_fairness_5_what_quicknet_signed_for_another_round_is_wrong() -> None:
    answer = verify_record(a_record(1000, round_of_quicknet(1001) | {"round": 1000}))
    assert (answer["verified"], answer["checks"]["beacon"]) == (
        False,
        "wrong: this is not quicknet's signature of round 1000",
    )


def test_fairness_8_another_chain_is_wrong_unless_it_is_named() -> None:
    record = a_record(1000, signed(1000)._asdict())
    assert verify_record(record)["checks"]["beacon"] == "wrong: this is not quicknet's signature of round 1000"
    answer = verify_record(record, chain=CHAIN)
    assert (answer["verified"], answer["chain"]) == (True, CHAIN.key.hex())
    answer = verify_record(a_record(1000, round_of_quicknet(1000)), chain=CHAIN)
    assert answer["checks"]["beacon"] == "wrong: this is not this chain's signature of round 1000"


def test_fairness_8_the_times_of_a_named_chain_count() -> None:
    slow = CHAIN._replace(period_s=30)
    assert slow.time_of(11) == slow.genesis + 300
    assert slow.round_after(slow.genesis + 298) == 12
    record = a_record(1000, signed(1000)._asdict())
    assert verify_record(record, chain=slow)["checks"]["log"].startswith("wrong: the close entry names round 1000")
