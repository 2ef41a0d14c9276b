"""Fronts, writer and standby as real processes on one server: they answer, they are killed, and they keep secrets."""

import asyncio
import signal
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest
from aiohttp import ClientError, ClientSession, ContentTypeError, CookieJar

from bot.core.front import UNANSWERED
from storage.postgres import PostgresStore
from tests.bot.open_house import TABLE
from tests.bot.test_restart import deal, own_cards, press, text
from tests.bot.test_take_over import House, in_order
from tests.disk import ask
from tests.patience import PATIENCE_S, STEP_S
from tests.postgres_server import Server
from tests.servers.telegram import BotApiServer, SystemClock

pytestmark = [pytest.mark.outside, pytest.mark.slow]

SEED = 1638
BETS, PEOPLE = 9, ("Anna", "Ben", "Carla", "Dora")


@pytest.fixture
def schema(postgres: Server) -> str:
    return postgres.new_schema()


@pytest.fixture
async def house(postgres: Server, schema: str, tmp_path: Path) -> AsyncIterator[Callable[..., House]]:
    """A maker of processes on one store; none outlives the test."""
    made: list[House] = []

    def make(**settings: str) -> House:
        made.append(House(tmp_path, postgres.address(schema).text, **settings))
        return made[-1]

    yield make
    for one in made:
        with suppress(AttributeError, ProcessLookupError):
            one.process.kill()
            await one.process.wait()


@pytest.fixture
async def people() -> AsyncIterator[dict[str, ClientSession]]:
    async with AsyncExitStack() as stack:
        yield {
            name: await stack.enter_async_context(ClientSession(cookie_jar=CookieJar(unsafe=True))) for name in PEOPLE
        }


async def enter(session: ClientSession, url: str, name: str) -> str:
    """Sign in, by the operator's link or by name; return the player's path."""
    async with session.post(url, data={"name": name}) as answer:
        assert answer.status == 200, await answer.text()
        return answer.url.path.removesuffix("/operator").rstrip("/")


class Run:
    """People who bet through two fronts, while processes are killed after so many answers."""

    def __init__(self, fronts: list[House]) -> None:
        self.fronts, self.answered = fronts, 0
        self.moved = asyncio.Condition()

    async def bet(self, session: ClientSession, base: str, key: str, at: int) -> bool:
        """Send one bet until it is answered, through the other front if one does not; return whether it was taken."""
        while True:
            try:
                said: dict[str, Any] = await press(session, f"{self.fronts[at].url}{base}{TABLE}", key, "/bet 10")
            except (ClientError, ContentTypeError):
                at = 1 - at
                await asyncio.sleep(STEP_S)
                continue
            if said["texts"] != [str(UNANSWERED.texts[0])]:
                async with self.moved:
                    self.answered += 1
                    self.moved.notify_all()
                return not said["refused"]

    async def reached(self, answers: int) -> None:
        async with self.moved:
            await self.moved.wait_for(lambda: self.answered >= answers)


async def test_every_acknowledged_bet_is_in_the_books_once_whoever_is_killed(
    house, people, postgres, schema, tmp_path, monkeypatch
):
    rng, taken = Random(SEED), dict[str, int]()
    writer = await house().start()
    fronts = [await house(RIDOTTO_ROLE="front").start() for _ in range(2)]
    await writer.plays()
    standby = await house().start()
    await standby.waits()
    for front in fronts:
        await front.plays()
    run, bases = Run(fronts), dict[str, str]()
    for number, (name, session) in enumerate(people.items()):
        url = fronts[number % 2].operator if name == "Anna" else f"{fronts[number % 2].url}/sign-in"
        bases[name] = await enter(session, url, name)
    (inspector, *_), there = people.values(), f"{fronts[0].url}{bases['Anna']}{TABLE}"
    assert not (await press(inspector, there, "set-00001", "/table set betting_s 300"))["refused"]

    async def play(name: str, at: int) -> None:
        for number in range(BETS):
            taken[name] = taken.get(name, 0) + await run.bet(people[name], bases[name], f"bet-{number:05}", at)

    whole = BETS * len(PEOPLE)
    first, second = rng.randrange(4, whole // 3), rng.randrange(whole // 3 + 2, whole - 8)
    async with asyncio.timeout(PATIENCE_S), asyncio.TaskGroup() as playing:
        for number, name in enumerate(PEOPLE):
            playing.create_task(play(name, number % 2))
        await run.reached(first)
        await fronts[0].end(signal.SIGKILL)
        await run.reached(second)
        await writer.end(signal.SIGKILL)
    await standby.plays()
    await fronts[1].plays()
    assert sum(taken.values()) > whole // 2, taken
    with PostgresStore(postgres.address(schema), tmp_path).reading() as books:
        for name, base in bases.items():
            player = int(base.rpartition("-")[2])
            posted = "SELECT count(*) FROM postings WHERE debit = ? AND why = 'bet'"
            assert ask(books, posted, f"player:1:{player}") == [(taken[name],)]
            kept = "SELECT count(*), count(DISTINCT key) FROM answers WHERE key LIKE ?"
            assert ask(books, kept, f"web:{player}:bet-%") == [(taken[name], taken[name])]
            page = await press(people[name], f"{fronts[1].url}{base}{TABLE}", "bal-00001", "/balance")
            assert page["texts"] == [f"You have {1000 - 10 * taken[name]} chips."]
    assert await fronts[1].end(signal.SIGTERM) == 0
    assert await standby.end(signal.SIGTERM) == 0
    assert in_order(monkeypatch, postgres, schema, tmp_path)


async def test_a_front_shows_the_table_as_the_writer_does_and_nobody_elses_cards(
    house, people, postgres, schema, tmp_path
):
    writer = await house().start()
    await writer.plays()
    front = await house(RIDOTTO_ROLE="front").start()
    await front.plays()
    anna, ben = people["Anna"], people["Ben"]
    base, bens = await enter(anna, front.operator, "Anna"), await enter(ben, f"{front.url}/sign-in", "Ben")
    async with ben.ws_connect(f"{front.url}{bens}{TABLE}/live") as live:
        assert not (await press(anna, f"{front.url}{base}{TABLE}", "set-00001", "/table set betting_s 5"))["refused"]
        assert not (await press(ben, f"{front.url}{bens}{TABLE}", "bet-00001", "/bet 20"))["refused"]
        mine = own_cards(await deal(anna, f"{front.url}{base}{TABLE}"))
        page = await text(ben, f"{front.url}{bens}{TABLE}")
        with PostgresStore(postgres.address(schema), tmp_path).reading() as books:
            seeds = [bytes(seed).hex() for (seed,) in ask(books, "SELECT seed FROM hands WHERE closed IS NULL")]
        assert len(mine) == len(own_cards(page)) == 5
        assert not (await press(anna, f"{front.url}{base}{TABLE}", "fold-0001", "/fold"))["refused"]
        told = [page]
        with suppress(TimeoutError):
            async with asyncio.timeout(1.0):
                while True:
                    told.append(await live.receive_str())
        assert len(told) > 2
    for said in told:
        assert not [card for card in mine if card in said]
        assert not [seed for seed in seeds if seed in said]
    assert own_cards(await text(ben, f"{writer.url}{bens}{TABLE}")) == own_cards(page)
    assert not (await press(ben, f"{front.url}{bens}{TABLE}", "fold-0001", "/fold"))["refused"]
    shared = await press(ben, f"{front.url}{bens}{TABLE}", "share-001", "/share")
    assert "shows hand" in await text(ben, f"{front.url}{shared['page']['address']}")
    learnt = await press(ben, f"{front.url}{bens}{TABLE}", "learn-001", "/learn")
    assert "/learn/" in learnt["go"]
    assert await front.end(signal.SIGTERM) == 0
    assert await writer.end(signal.SIGTERM) == 0


async def test_a_front_says_that_no_writer_answers_and_serves_again_when_one_does(house, people):
    front = await house(RIDOTTO_ROLE="front").start()
    assert await front.is_told(503)
    writer = await house().start()
    await front.plays()
    base = await enter(people["Anna"], f"{front.url}/sign-in", "Anna")
    assert await writer.end(signal.SIGTERM) == 0
    async with asyncio.timeout(PATIENCE_S):
        while await front.is_told(503) != "no writer answers this front\n":
            await asyncio.sleep(STEP_S)
    asked = asyncio.ensure_future(press(people["Anna"], f"{front.url}{base}{TABLE}", "bet-00001", "/bet 20"))
    await (await house().start()).plays()
    assert not (await asked)["refused"]
    await front.plays()


async def test_a_bot_is_served_by_one_front_and_by_another_once_that_one_is_killed(house):
    writer = await house().start()
    await writer.plays()
    async with BotApiServer(clock=SystemClock()) as server:
        bot = {"RIDOTTO_TELEGRAM_TOKEN": server.token, "RIDOTTO_TELEGRAM_API": server.base_url}
        fronts = [await house(RIDOTTO_ROLE="front", **bot).start() for _ in range(2)]
        anna = server.user("Anna")
        group = server.group("Salotto", admins=[anna])
        post = await anna.asks(group, "/setup")
        for front in fronts:
            await front.plays()
        (serving,) = [front for front in fronts if "telegram: @" in front.log.read_text()]
        fronts.remove(serving)
        assert await anna.presses(post, "ante 10") is not None
        await server.until(lambda: "10" in post.text and any(b.text == "Ready" for b in post.buttons))
        await serving.end(signal.SIGKILL)
        await anna.presses(post, "Ready")
        await server.until(lambda: any(b.text == "Fold" for b in post.buttons))
        await anna.presses(post, "Fold")
        await server.until(lambda: not any(b.text == "Fold" for b in post.buttons))
        assert await fronts[0].end(signal.SIGTERM) == 0
    assert await writer.end(signal.SIGTERM) == 0
