"""Forty faults of one seed under two fronts; before a release those of further seeds (FRONT_SEEDS, how many)."""

import asyncio
import os

import pytest

from storage import postgres, postgres_schema
from storage.postgres import PostgresStore
from tests.bot.test_take_over import in_order
from tests.dealt import add_steps
from tests.disk import ask
from tests.nemesis.fronts import FAULTS, VERSION, Fleet, endure
from tests.postgres_server import lacking

TIMES = 40
SEED = 1638
SEEDS = int(os.environ.get("FRONT_SEEDS", "4"))


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_forty_faults_lose_no_bet_and_double_none(room, monkeypatch):
    await survive(room, monkeypatch, SEED)


@pytest.mark.exhaustive
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", range(SEEDS))
async def test_faults_in_any_order_lose_no_bet_and_double_none(room, monkeypatch, seed):
    await survive(room, monkeypatch, seed)


async def survive(room, monkeypatch, seed):
    lacking()
    monkeypatch.setenv("SCHEMA", VERSION)
    monkeypatch.setattr(postgres, "STEPS", postgres_schema.STEPS)
    add_steps()
    async with Fleet(room, seed) as fleet:
        befell = await endure(fleet, TIMES)
        await fleet.fall_silent()
        with PostgresStore(fleet.server.address(), room).reading() as books:
            for person in fleet.people:
                account = f"player:1:{person.player}"
                bets = ask(books, "SELECT count(*) FROM postings WHERE debit = ? AND why = 'bet'", account)
                backs = ask(books, "SELECT count(*) FROM postings WHERE credit = ? AND why = 'taken back'", account)
                assert (bets, backs) == ([(person.taken["/bet"],)], [(person.taken["/takeback"],)])
            assert not ask(books, "SELECT key FROM answers GROUP BY key HAVING count(*) > 1")
        assert await asyncio.to_thread(in_order, monkeypatch, fleet.server, "public", room)
        assert "Traceback" not in (said := fleet.log.read_text()), said
    waits_s = sorted(wait for person in fleet.people for wait in person.waits_s)
    print(f"seed {seed}: {len(waits_s)} presses, the longest waits {waits_s[-5:]}, {dict(befell)}")
    assert befell == dict.fromkeys([fault.__name__ for fault in FAULTS], TIMES // len(FAULTS))
    assert all(person.taken["/bet"] and person.taken["/takeback"] for person in fleet.people)
