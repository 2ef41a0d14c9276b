"""The follower of the beacon, over real HTTP: the rounds it accepts, and the outcome of each failure."""

import asyncio
import json
import logging
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.beacon.chain import QUICKNET, hash_of, read_info
from bot.beacon.follow import LOOK_EVERY_S, BeaconFollower
from bot.beacon.rounds import KINDS, LONGEST_ANSWER, Failed, check_signature, read_round
from bot.config import parse_config
from engine.fairness.beacon import CHAIN, BeaconRound, round_at, round_to_name, time_of
from tests.beacon import FORGED, WRONG, LoopbackBeacon, chain, signed
from tests.bot.test_restart import start
from tests.engine.fairness.writing import round_of_quicknet
from tests.patience import PATIENCE_S, until
from tests.some import some

ROOT = Path(__file__).parent.parent.parent
# A second of pause after a failure takes this long.
HURRY_S = 0.01


class Clock:
    """A wall clock that can be set."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.time() + self.ahead


@pytest.fixture
async def relay() -> AsyncIterator[LoopbackBeacon]:
    async with LoopbackBeacon() as opened:
        yield opened


@pytest.fixture
async def other() -> AsyncIterator[LoopbackBeacon]:
    async with LoopbackBeacon() as opened:
        yield opened


@asynccontextmanager
async def following(*relays: LoopbackBeacon, **more: Any) -> AsyncIterator[tuple[BeaconFollower, list[BeaconRound]]]:
    """Follow these relays as named in the settings; yield the follower and the rounds it reports."""
    told: list[BeaconRound] = []
    settings = some(parse_config({"RIDOTTO_BEACON": ", ".join(relay.setting for relay in relays)}).beacon)
    beacon = BeaconFollower(*settings, **{"second_s": HURRY_S, "timeout_s": 5.0, **more})
    beacon.subscribe(told.append)
    await beacon.open()
    try:
        yield beacon, told
    finally:
        await beacon.close()


def an_old_round() -> int:
    """Return a round that is over."""
    return round_at(time.time()) - 100


@pytest.mark.parametrize("what", WRONG)
def test_an_answer_that_is_not_the_round_is_refused(what: str) -> None:
    right = signed(1000)._asdict()
    if what == "long":  # by its reader
        assert len(WRONG[what](right)) > LONGEST_ANSWER
        return
    with pytest.raises(Failed) as refused:
        read_round(WRONG[what](right), 1000)
    assert refused.value.kind == "wrong"
    assert "\n" not in str(refused.value)


@pytest.mark.long
def test_quicknets_own_rounds_are_rounds() -> None:
    for number in (1000, 1001):
        answer = json.dumps(round_of_quicknet(number)).encode()
        round = read_round(answer, number)
        check_signature(round, QUICKNET.key)
        assert round._asdict() == round_of_quicknet(number)
        assert read_round(answer, None) == round
        assert len(answer) < LONGEST_ANSWER / 2


@pytest.mark.long
@pytest.mark.parametrize("what", FORGED)
def test_a_round_that_the_chain_has_not_signed_is_forged(what: str) -> None:
    round = read_round(FORGED[what](signed(1000)._asdict()), 1000)
    with pytest.raises(Failed) as refused:
        check_signature(round, chain().key)
    assert refused.value.kind == "forged"


def test_a_chains_hash_is_counted_as_drand_counts_it() -> None:
    seed = bytes.fromhex("f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e")
    assert hash_of(QUICKNET.key, seed, "quicknet") == CHAIN == QUICKNET.hash
    assert QUICKNET.name == "quicknet"
    assert chain().name == chain().hash


async def test_what_a_relay_says_of_its_chain_is_held_against_the_hash(relay: LoopbackBeacon) -> None:
    async with aiohttp.ClientSession() as session, session.get(f"{relay.setting}/info") as answer:
        info = await answer.json()
    assert read_info(json.dumps(info).encode(), chain().hash) == chain()
    changes: list[dict[str, Any]] = [
        {"public_key": QUICKNET.key.hex()},
        {"groupHash": "00" * 32},
        {"metadata": {"beaconID": "default"}},
        {"period": 30},
        {"genesis_time": 1},
        {"schemeID": "pedersen-bls-chained"},
        {"public_key": None},
        {"metadata": {"beaconID": 7}},
    ]
    for change in changes:
        with pytest.raises(Failed) as refused:
            read_info(json.dumps(info | change).encode(), chain().hash)
        assert refused.value.kind == "wrong", change


async def test_a_wanted_round_is_fetched_checked_and_told_once(relay: LoopbackBeacon) -> None:
    round = an_old_round()
    async with following(relay) as (beacon, told):
        beacon.request_round(round)
        beacon.request_round(round)
        await until(lambda: told)
        assert told == [signed(round)]
        assert relay.asked.count(str(round)) == 1
        beacon.request_round(round)
        await until(lambda: len(told) == 2, "who wants it later has it at once")
        assert relay.asked.count(str(round)) == 1
        assert sum(beacon.failures.values()) == 0


async def test_a_round_is_wanted_from_any_thread_and_before_the_house_is_open(relay: LoopbackBeacon) -> None:
    early, later = an_old_round(), an_old_round() - 1
    settings = some(parse_config({"RIDOTTO_BEACON": relay.setting}).beacon)
    beacon, told = BeaconFollower(*settings), list[BeaconRound]()
    end = beacon.subscribe(told.append)
    beacon.request_round(early)
    await beacon.open()
    try:
        await until(lambda: told == [signed(early)])
        thread = threading.Thread(target=beacon.request_round, args=(later,))
        thread.start()
        await until(lambda: signed(later) in told)
        end()
        beacon.request_round(early - 5)
        await until(lambda: str(early - 5) in relay.asked and beacon.rounds >= 3)
        assert len(told) == 2, "who ended it is told nothing more"
    finally:
        await beacon.close()
    thread.join()


@pytest.mark.slow
async def test_a_round_that_is_to_come_is_awaited_and_nobody_has_failed(
    relay: LoopbackBeacon, caplog: pytest.LogCaptureFixture
) -> None:
    relay.behind_s = 1.0  # as rounds take a moment to reach a relay
    round = round_at(time.time()) + 1
    async with following(relay) as (beacon, told):
        beacon.request_round(round)
        await until(lambda: told)
        assert time.time() >= time_of(round) + relay.behind_s
        assert told == [signed(round)]
        assert sum(beacon.failures.values()) == 0
    assert not [
        record for record in caplog.records if record.levelno >= logging.WARNING and "is not asked for" in record.msg
    ]


async def test_a_round_that_nobody_waits_for_any_more_is_not_asked_for(relay: LoopbackBeacon) -> None:
    relay.status = 500
    round = an_old_round()
    async with following(relay) as (beacon, told):
        beacon.request_round(round)
        await until(lambda: str(round) in relay.asked)
        beacon.forget(round)
        relay.status = 200
        beacon.request_round(round - 1)
        await until(lambda: told)
        assert told == [signed(round - 1)]


def fail(relay: LoopbackBeacon, kind: str) -> None:
    if kind == "silent":
        relay.is_silent = True
    elif kind == "refused":
        relay.status = 503
    elif kind == "late":
        relay.behind_s = 3600.0
    else:
        relay.says = {"wrong": WRONG["another randomness"], "forged": FORGED["another key"]}[kind]


def mend(relay: LoopbackBeacon) -> None:
    relay.is_silent, relay.status, relay.behind_s, relay.says = False, 200, 0.0, None


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
async def test_where_a_relay_fails_the_next_one_is_asked(
    relay: LoopbackBeacon, other: LoopbackBeacon, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    fail(relay, kind)
    round = an_old_round()
    async with following(relay, other, timeout_s=0.5) as (beacon, told):
        beacon.request_round(round)
        await until(lambda: told)
        assert told == [signed(round)]
        assert beacon.failures == {each: int(each == kind) for each in KINDS}
        beacon.request_round(round - 1)
        await until(lambda: len(told) == 2)
        assert other.asked.count(str(round - 1)) == 1, "who answered last goes first"
    (said,) = [record.getMessage() for record in caplog.records if "is not asked for" in record.msg]
    assert relay.url in said
    assert kind in said


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
async def test_where_all_relays_fail_the_round_is_waited_for_and_an_outage_is_told_once(
    relay: LoopbackBeacon, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "ridotto.beacon")
    fail(relay, kind)
    round = an_old_round()
    if kind == "late":
        round = round_at(time.time())
    async with following(relay, timeout_s=0.3, second_s=HURRY_S / 10) as (beacon, told):
        beacon.request_round(round)
        await until(lambda: beacon.failures[kind] >= 4)
        assert told == []
        mend(relay)
        await until(lambda: told)
        assert told == [signed(round)], "another round is never taken"
        await until(lambda: any("answers again" in record.msg for record in caplog.records))
    said = [record.msg for record in caplog.records if record.name == "ridotto.beacon"]
    assert sum("is not asked for" in one for one in said) == 1, "it failed many times, and was told once"
    assert sum("no relay" in one for one in said) == 1
    assert sum("answers again" in one for one in said) == 1


async def test_a_relay_that_is_switched_off_and_on_again(relay: LoopbackBeacon) -> None:
    async with following(relay) as (beacon, told):
        await until(lambda: beacon.newest)
        await relay.stop()
        round = an_old_round()
        beacon.request_round(round)
        await until(lambda: beacon.failures["silent"] >= 3)
        await relay.start()
        await until(lambda: told)
        assert told == [signed(round)]


async def test_a_round_that_no_relay_has_holds_up_no_other(relay: LoopbackBeacon) -> None:
    gone, there = 1, an_old_round()
    relay.says = lambda told: b"" if told["round"] == gone else json.dumps(told).encode()
    async with following(relay) as (beacon, told):
        beacon.request_round(gone)
        beacon.request_round(there)
        await until(lambda: told)
        assert told == [signed(there)]
        assert beacon.failures["wrong"] >= 1


async def test_an_answer_without_end_is_cut_off(relay: LoopbackBeacon) -> None:
    relay.says = WRONG["long"]
    async with following(relay) as (beacon, told):
        beacon.request_round(an_old_round())
        await until(lambda: beacon.failures["wrong"])
        assert told == []


async def test_no_relay_sends_the_house_elsewhere(relay: LoopbackBeacon) -> None:
    relay.status = 302
    async with following(relay) as (beacon, _told):
        await until(lambda: beacon.failures["refused"])
        assert "info" in relay.asked
        assert relay.asked.count("info") == 1, "the redirection leads there"


@pytest.mark.slow
async def test_the_newest_round_is_looked_for_and_counted_on_meanwhile(relay: LoopbackBeacon) -> None:
    ticks = [1000.0]
    async with following(relay, monotonic=lambda: ticks[0]) as (beacon, _told):
        await until(lambda: beacon.newest)
        seen = beacon.newest
        assert round_at(time.time()) - 1 <= seen <= round_at(time.time())
        assert beacon.newest_at == time_of(seen)
        ticks[0] += 10.0
        assert beacon.newest == seen + 3
        assert relay.asked.count("latest") == 1
        ticks[0] += LOOK_EVERY_S
        await until(lambda: relay.asked.count("latest") == 2)


@pytest.mark.slow
async def test_a_relay_that_goes_back_is_late_and_the_newest_round_stays(
    relay: LoopbackBeacon, other: LoopbackBeacon
) -> None:
    ticks = [1000.0]
    async with following(relay, other, monotonic=lambda: ticks[0]) as (beacon, _told):
        await until(lambda: beacon.newest)
        seen = beacon.newest
        relay.says = lambda told: json.dumps(signed(told["round"] - 10)._asdict()).encode()
        ticks[0] += LOOK_EVERY_S
        await until(lambda: beacon.rounds == 2)
        assert beacon.failures["late"] == 1
        assert other.asked == ["latest"]
        assert beacon.newest >= seen


async def test_a_clock_that_is_behind_is_told_and_closes_nothing(
    relay: LoopbackBeacon, caplog: pytest.LogCaptureFixture
) -> None:
    clock = Clock()
    clock.ahead = -20.0
    async with following(relay, clock=clock) as (beacon, _told):
        await until(lambda: beacon.newest)
        assert round_to_name(int(clock()), beacon.newest) is None
        clock.ahead = 0.0
        assert round_to_name(int(clock()) + 1, beacon.newest) is not None
    assert sum("clock is at least" in record.msg for record in caplog.records) == 1


async def test_a_forged_round_of_tomorrow_closes_no_table(relay: LoopbackBeacon) -> None:
    tomorrow = round_at(time.time()) + 28_800
    relay.says = lambda told: FORGED["another key"]({"round": tomorrow})
    async with following(relay) as (beacon, _told):
        await until(lambda: beacon.failures["forged"])
        assert beacon.newest == 0


def test_a_house_without_the_setting_imports_none_of_it() -> None:
    code = (
        "import sys; import bot.run, bot.platforms.web.platform, bot.__main__;"
        "print([name for name in sys.modules if name.startswith(('bot.beacon', 'py_ecc'))])"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert ran.stdout == "[]\n", ran.stderr


async def metrics_of(url: str) -> dict[str, float]:
    async with aiohttp.ClientSession() as session, session.get(f"{url}/metrics") as answer:
        lines = (await answer.text()).splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


@pytest.mark.slow
async def test_the_real_house_follows_the_beacon_and_its_metrics_say_so(
    relay: LoopbackBeacon, other: LoopbackBeacon, tmp_path: Path
) -> None:
    relay.status = 503
    setting = f"{relay.setting},{other.setting}"
    async with start(tmp_path / "books", RIDOTTO_BEACON=setting, RIDOTTO_LOG="error") as house:
        newest: Callable[[dict[str, float]], float] = lambda found: found["ridotto_beacon_newest_round_seconds"]  # noqa: E731
        async with asyncio.timeout(PATIENCE_S):
            while not newest(found := await metrics_of(house.url)):
                await asyncio.sleep(0.1)
        assert abs(newest(found) - time.time()) < 30
        assert found["ridotto_beacon_rounds_total"] == 1
        assert found['ridotto_beacon_failures_total{kind="refused"}'] >= 1
        assert found['ridotto_beacon_failures_total{kind="forged"}'] == 0
