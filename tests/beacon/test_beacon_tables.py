"""Tables and the beacon over real HTTP: hands whose relays are down, late, wrong or forging.

The casino, the chain and its relays share a clock, which the test sets: whatever else the machine does, a round comes
when its time has come.
"""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from bot.beacon.follow import BeaconFollower
from bot.core.commands.command import Command, Who
from bot.core.state.place import Place
from bot.core.state.table import Table
from bot.core.writer import Writer
from bot.verifier.records import verify_record
from bot.view.build import screen
from engine.fairness.beacon import GENESIS, PERIOD_S, ChainInfo, time_of
from tests.beacon import FORGED, WRONG, LoopbackBeacon, chain, signed
from tests.core.conftest import UTH, House
from tests.core.rounds import BEGAN
from tests.patience import PATIENCE_S, until
from tests.some import some
from tests.stores import Sqlite

# The clock moves this much between two checks.
STEP_S = 0.25


@pytest.fixture(autouse=True)
def follows_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the follower check the clock as often as the test sets it."""
    monkeypatch.setattr("bot.beacon.follow.LONGEST_SLEEP_S", 0.01)


class Evening:
    """A casino, its relays, and their clock."""

    def __init__(self, folder: Path, relays: list[LoopbackBeacon], beacon: BeaconFollower) -> None:
        self.relays, self.beacon = relays, beacon
        self.house = House(folder, beacon=beacon, began=BEGAN)
        for relay in relays:
            relay.clock = self.clock

    def clock(self) -> float:
        now: float = self.house.clock.now
        return now

    async def goes_on(self, is_so: Callable[[], bool], step_s: float = STEP_S) -> None:
        """Let time pass in steps until the condition holds, with a moment for requests in each."""
        async with asyncio.timeout(PATIENCE_S):
            while not is_so():
                await asyncio.sleep(0.01)
                self.house.wait(step_s)

    def close(self) -> int:
        """Let Anna bet until her hand waits; return its round."""
        assert not self.house.do("anna bet 20", table=UTH).refused
        self.house.wait(20)
        assert self.phase == "waiting"
        number: int = some(self.house.table(UTH).round.waits).round
        return number

    @property
    def phase(self) -> str:
        return str(self.house.table(UTH).phase)

    def failures(self, kind: str) -> int:
        return self.beacon.failures[kind]


@asynccontextmanager
async def evening(folder: Path, relays: int = 1) -> AsyncIterator[Evening]:
    opened = [LoopbackBeacon() for _relay in range(relays)]
    found: list[Evening] = []

    def clock() -> float:
        return found[0].clock() if found else BEGAN

    for relay in opened:
        await relay.start()
    addresses = tuple(relay.url for relay in opened)
    beacon = BeaconFollower(chain().hash, addresses, clock=clock, monotonic=clock, timeout_s=5.0)
    found.append(Evening(folder, opened, beacon))
    await beacon.open()
    try:
        yield found[0]
        assert found[0].house.faults() == []
    finally:
        await beacon.close()
        for relay in opened:
            await relay.stop()
        found[0].house.close()


@pytest.mark.slow
async def test_fairness_5_a_hand_is_dealt_by_the_round_that_its_close_names(tmp_path: Path) -> None:
    async with evening(tmp_path) as night:
        number = night.close()
        assert f"round {number} of {chain().hash}" in str(
            screen(night.house.writer.state, night.house.table(UTH), None, night.clock()).headline
        )
        await night.goes_on(lambda: night.phase == "playing")
        assert night.clock() >= time_of(number)
        assert night.house.table(UTH).round.beacon == signed(number)
        hand = night.house.table(UTH).round.hand_id
        night.house.wait(300)
        night.house.writer.heads.sign()
        night.house.writer.round([], [])
        record = json.loads(night.house.do(f"anna verify {hand}").file[1])
        assert record["beacon"] == signed(number)._asdict()
        # A casino could invent a chain of its own, so strangers accept only quicknet.
        assert verify_record(record)["checks"]["beacon"] == f"wrong: this is not quicknet's signature of round {number}"
        named = ChainInfo(chain().key, PERIOD_S, GENESIS)
        assert verify_record(record, chain=named)["checks"]["beacon"] == "ok"


NO_ROUNDS = {
    "another round": ("wrong", WRONG),
    "another randomness": ("wrong", WRONG),
    "another key": ("forged", FORGED),
    "of another round": ("forged", FORGED),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", NO_ROUNDS)
async def test_fairness_5_a_round_that_is_none_deals_no_hand(tmp_path: Path, name: str) -> None:
    kind, answers = NO_ROUNDS[name]
    async with evening(tmp_path, relays=2) as night:
        for relay in night.relays:
            relay.says = answers[name]
        number = night.close()
        await night.goes_on(lambda: night.clock() > time_of(number) and night.failures(kind) >= 2)
        assert night.phase == "waiting"
        night.relays[1].says = None
        await night.goes_on(lambda: night.phase == "playing", 5.0)
        assert night.house.table(UTH).round.beacon == signed(number)


@pytest.mark.slow
async def test_a_house_that_runs_deals_by_the_beacon_in_its_own_threads(tmp_path: Path) -> None:
    """Real time passes: five seconds until bets close, and three to six until the round is there."""
    async with LoopbackBeacon() as relay:
        beacon = BeaconFollower(chain().hash, (relay.url,))
        await beacon.open()
        with closing(Sqlite().open(tmp_path)) as books:
            writer = Writer(books, secret=bytes(32), beacon=beacon)
            writer.start()

            def table() -> Table:
                return writer.state.tables[UTH]

            try:
                for number, (verb, *args) in enumerate([("bet", "20"), ("ready",)]):
                    who = Who("web", "anna", "anna", "en")
                    command = Command(f"key {number}", who, Place("web", str(UTH)), verb, tuple(args))
                    assert not (await asyncio.wrap_future(writer.submit(command))).refused
                waits = await until(lambda: table().round.waits)
                await until(lambda: table().round.hand is not None)
                assert table().round.beacon == signed(some(waits).round)
                assert time.time() >= time_of(some(waits).round)
            finally:
                await asyncio.to_thread(writer.stop)
                await beacon.close()
