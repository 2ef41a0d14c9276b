"""Two real nodes on the store of one server, while people play on three platforms: the owner ends in each possible way
and the waiting one continues. Everything acknowledged is there, whichever node did so.
"""

import asyncio
import os
import signal
from collections import Counter
from collections.abc import Iterator
from random import Random

import pytest

from storage.postgres import PostgresStore
from tests.kills.evidence import EvidenceOnServer
from tests.kills.house import House, Nursery, Town
from tests.kills.test_kills import check_the_end
from tests.patience import PATIENCE_S, until
from tests.postgres_server import Server, lacking
from tests.some import some

SEED = 1638
KILLED, STOPPED, TOLD = signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM
# A stopped owner stays stopped until its lease ends; all others hold theirs for their lifetime.
LEASE_S = {KILLED: "3600", STOPPED: "8", TOLD: "3600"}
STATUS = {KILLED: -signal.SIGKILL, STOPPED: 1, TOLD: 0}


@pytest.fixture
def server() -> Iterator[Server]:
    lacking()
    server = Server().start()
    yield server
    server.end()


async def stand_by(town: Town, way: signal.Signals) -> House:
    """Start a waiting node, which will end this way."""
    waited = town.log.read_text().count("this process waits")
    house = await town.bear(LEASE_S=LEASE_S[way])
    await until(lambda: town.log.read_text().count("this process waits") > waited, "another house waits")
    return house


async def hand_over(town: Town, successor: House, way: signal.Signals) -> None:
    """Let the owner end this way, until people find the other node."""
    owner = some(town.house)
    polls, visits = town.telegram.updates.polls, len(town.discord.gateway.visits)
    if way is STOPPED:
        os.kill(owner.number, way)
    else:
        assert await owner.end(way) == STATUS[way], town.log.read_text()[-2000:]
    await asyncio.wait_for(successor.opened.wait(), PATIENCE_S)
    town.house, town._polls, town._visits = successor, polls, visits
    if way is STOPPED:
        assert await owner.end(signal.SIGCONT) == STATUS[way], town.log.read_text()[-2000:]
    assert await town.is_open()


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_nothing_is_lost_and_every_hand_goes_on_whichever_way_an_owner_ends(room, server):
    counts, rng = Counter[str](), Random(SEED)
    ways = [KILLED, STOPPED, TOLD, KILLED]
    settings = {"RIDOTTO_BOOKS": server.address().text, "RIDOTTO_LOG": "info", "LEASE_S": LEASE_S[ways[0]]}
    async with Town(room, SEED, **settings) as town:
        spare = await Nursery.open()
        evidence = EvidenceOnServer(PostgresStore(server.address(), room), town.folder, town.deeds)
        await town.settle()
        await town.plays_everywhere()
        for way, next_way in zip(ways, [*ways[1:], TOLD], strict=True):
            # Each has one child at a time.
            town.nursery, spare = spare, town.nursery
            successor = await stand_by(town, next_way)
            await asyncio.sleep(rng.uniform(0.3, 1.0))
            await hand_over(town, successor, way)
            town.check()
            pressed, wrong = await town.press_old_buttons()
            counts["old buttons"] += pressed
            town.repeat()
            wrong += evidence.look()
            assert not wrong, f"after {way.name}: {wrong[:5]}"
        await asyncio.sleep(1)
        await town.fall_silent()
        assert await some(town.house).end(TOLD) == 0
        wrong = evidence.look(anew=True)
        assert not wrong, f"at the end: {wrong[:5]}"
        check_the_end(town, evidence, counts)
        await spare.close()
    assert all(counts[name] for name in ("over", "resumed", "acknowledged", "old buttons")), counts
