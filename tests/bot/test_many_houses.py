"""Real houses that share the wings of the books: people may come to any of them, and play at tables kept by either."""

import asyncio
import re
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from aiohttp import ClientSession, WSMsgType

from bot.__main__ import main
from bot.house.casinos.places import errand_of
from bot.house.speech.command import Command, Who
from bot.house.state.place import Place
from bot.lanes.answers import answer_of, read_told, write_asked
from bot.lanes.host import COMMANDS
from bot.lanes.wire import Wire, call
from storage import house_key
from storage.rows import ALL_WINGS, WINGS, wing_of
from storage.store import Present
from tests.bot.test_restart import press, text
from tests.bot.test_take_over import (
    SECRET,
    House,
    anna,  # noqa: F401  (a fixture)
    answered,
    books,
    house,  # noqa: F401  (a fixture)
    in_order,
    schema,  # noqa: F401  (a fixture)
)
from tests.bot.test_way_on import press_until_answered, sign_in
from tests.disk import ask
from tests.patience import PATIENCE_S, STEP_S
from tests.some import some

pytestmark = [pytest.mark.outside, pytest.mark.slow]

COMMUNITIES = 6
SOON_S = "8"


class Caller:
    """Who says to a house what another one would carry there."""

    def __init__(self, wire: Wire, reader: Any) -> None:
        self._wire, self._reader, self._number = wire, reader, 0
        wire.write(COMMANDS)

    async def say(self, command: Command) -> list[str]:
        self._number += 1
        self._wire.write(write_asked(self._number, command, 1))
        told = read_told(await self._wire.read())
        assert told.lacks is None
        answer = answer_of(told, self._reader)
        assert not answer.refused, (command, answer)
        return [str(one) for one in answer.texts]


@asynccontextmanager
async def calling(store: Any, lane: str) -> AsyncIterator[Caller]:
    wire = await call(lane, SECRET.encode())
    with store.reading() as reader:
        yield Caller(wire, reader)
    wire.close()


class Town:
    """Communities in which Anna has spoken, each with a table, on the books that some houses share."""

    def __init__(self, store: Any) -> None:
        self.store = store
        self.anna = ""
        self.tables: dict[int, int] = {}

    def houses(self) -> list[Present]:
        return list(self.store.find_houses())

    async def are_kept(self, *numbers: int) -> None:
        """By houses that are well, so many wings by each, and none by two."""
        async with asyncio.timeout(PATIENCE_S):
            while True:
                there = [one for one in self.houses() if one.left_s is not None and one.left_s > 0]
                if sorted(len(one.wings) for one in there) == sorted(numbers):
                    break
                await asyncio.sleep(STEP_S)
        assert sum(numbers) == WINGS
        assert frozenset[int]().union(*(one.wings for one in there)) == ALL_WINGS

    async def settle(self, browser: ClientSession, first: House) -> None:
        """As long as one house keeps all: over its lane comes what people in chats say."""
        lobby = (await sign_in(browser, first.operator, first.url)).partition("/table/")[0]
        self.anna = lobby
        async with calling(self.store, some(self.houses()[0].lane)) as caller:
            for number in range(COMMUNITIES):
                at = Place("discord", str(number + 1))
                await caller.say(errand_of(f"arrive {number}", at, "arrive", f"Town {number}", "en"))
                insp, one = Who("discord", "insp", "Insp", "en", True), Who("discord", "anna", "Annie")
                await caller.say(Command(f"open {number}", insp, at, "table open", ("caribbean",)))
                await caller.say(Command(f"here {number}", one, at, "balance"))
            said = await caller.say(Command("link", one, at, "link"))
        code = some(re.search(r"/link (\S+) ", said[0]))[1]
        wanted = {"key": "linked-001", "verb": "link", "args": [code], "confirmed": True}
        async with browser.post(f"{first.url}{lobby}/press", json=wanted) as answer:
            assert not (await answer.json())["refused"]
        with self.store.reading() as reader:
            rows = ask(reader, "SELECT id, casino FROM tables WHERE casino > 1 ORDER BY id")
        self.tables = dict(rows)
        assert len(self.tables) == COMMUNITIES

    async def home(self, browser: ClientSession, url: str) -> str:
        """Her lobby: her name may be another one since she is linked."""
        async with browser.get(f"{url}/") as answer:
            page = await answer.text()
        self.anna = some(re.search(r'href="(/p/[^"]+?)/"', page))[1]
        return await text(browser, f"{url}{self.anna}/")


@pytest.fixture
def town(postgres, schema, tmp_path):  # noqa: F811
    return Town(books(postgres, schema, tmp_path))


async def two_houses(town: Town, make: Any, browser: ClientSession, **settings: str) -> tuple[House, House]:
    first = await make(RIDOTTO_SECRET=SECRET, **settings).start()
    await first.plays()
    await town.are_kept(WINGS)
    await town.settle(browser, first)
    second = await make(RIDOTTO_SECRET=SECRET, **settings).start()
    await second.plays()
    await town.are_kept(WINGS // 2, WINGS // 2)
    kept = {number: [wing_of(casino) in one.wings for one in town.houses()] for number, casino in town.tables.items()}
    assert len({tuple(one) for one in kept.values()}) == 2, "each keeps some of the towns"
    return first, second


async def test_people_play_at_tables_that_either_house_keeps_by_the_address_of_either(house, anna, town):  # noqa: F811
    both = await two_houses(town, house, anna)
    for one in both:
        page = await town.home(anna, one.url)
        listed = {int(number) for number in re.findall(r'href="[^"]*table/(\d+)"', page)}
        assert town.tables.keys() <= listed, "all that she may play at, whoever keeps them"
    for number in town.tables:
        for one, other in (both, both[::-1]):
            at = f"{town.anna}/table/{number}"
            async with anna.ws_connect(f"{other.url}{at}/live") as page:
                assert (await asyncio.wait_for(page.receive(), PATIENCE_S)).type is WSMsgType.TEXT
                for turn, line in enumerate(("/bet 10", "/takeback")):
                    said = await press(anna, f"{one.url}{at}", f"said-{turn}-{number}-{both.index(one)}", line)
                    assert not said["refused"], said
                    changed = await asyncio.wait_for(page.receive(), PATIENCE_S)
                    assert changed.type is WSMsgType.TEXT
        assert "Caribbean" in await text(anna, f"{both[0].url}{at}")


@pytest.mark.browser
async def test_a_browser_plays_by_one_address_at_tables_of_both_and_goes_on_when_the_other_ends(
    house,  # noqa: F811
    anna,  # noqa: F811
    town,
    browser,
):
    first, second = await two_houses(town, house, anna)
    await town.home(anna, first.url)
    context = await browser.new_context()
    context.set_default_timeout(PATIENCE_S * 1000)
    await context.add_cookies([{"name": one.key, "value": one.value, "url": first.url} for one in anna.cookie_jar])
    page = await context.new_page()
    wrong = list[str]()
    page.on("pageerror", lambda fault: wrong.append(str(fault)))
    kept = sorted(town.tables, key=lambda number: wing_of(town.tables[number]) in town.houses()[1].wings)
    back = page.get_by_role("button", name="Take back")
    for number in kept:
        await page.goto(f"{first.url}{town.anna}/")
        await page.locator(f'a[href$="/table/{number}"]').first.click()
        await page.locator(".felt").wait_for()
        await page.wait_for_load_state("domcontentloaded")  # its scripts are there: no press goes into nowhere
        await page.locator('[data-key="bet ante 10"]').first.click()
        await back.wait_for()
    assert await second.end(signal.SIGTERM) == 0, "which keeps the table that is on the page"
    await back.click()
    await back.wait_for(state="detached")
    assert wrong == []
    await context.close()


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP, signal.SIGTERM])
async def test_what_a_house_kept_that_ends_the_other_plays_on_and_a_newcomer_has_its_share(
    house,  # noqa: F811
    anna,  # noqa: F811
    town,
    postgres,
    schema,  # noqa: F811
    tmp_path,
    monkeypatch,
    number,
):
    first, second = await two_houses(town, house, anna, LEASE_S=SOON_S)
    await town.home(anna, first.url)
    said = []
    for turn in range(4):
        if turn == 2:
            second.process.send_signal(number)
        for table in town.tables:
            at, line = f"{first.url}{town.anna}/table/{table}", ("/bet 10", "/takeback")[turn % 2]
            said.append(await press_until_answered(anna, at, f"said-{turn}-{table}", line))
    assert [one for one in said if one["refused"]] == []
    await town.are_kept(WINGS)
    with town.store.reading() as reader:
        assert {answered(reader, f"said-{turn}-{table}") for turn in range(4) for table in town.tables} == {1}
    third = await house(RIDOTTO_SECRET=SECRET).start()
    await third.plays()
    await town.are_kept(WINGS // 2, WINGS // 2)
    for table in town.tables:
        assert not (await press(anna, f"{third.url}{town.anna}/table/{table}", f"third-000{table}", "/bet 10"))[
            "refused"
        ]
    if number is signal.SIGSTOP:
        second.process.send_signal(signal.SIGCONT)
    await second.ended()
    for one in (third, first):
        assert await one.end(signal.SIGTERM) == 0
    assert in_order(monkeypatch, postgres, schema, tmp_path)


async def test_a_house_that_signs_with_another_key_does_not_open_beside_others(house):  # noqa: F811
    first = await house(RIDOTTO_SECRET=SECRET).start()
    await first.plays()
    second = house(RIDOTTO_SECRET=SECRET)
    folder = second.folder
    folder.mkdir()
    (folder / house_key.FILE).write_text("73" * house_key.BYTES)
    await second.start()
    assert await second.ended() == 1
    assert f"copy house-key from the data folder of the machine that signed it into {folder}" in second.log.read_text()
    await first.plays()


async def test_one_of_three_is_emptied_for_an_upgrade_and_the_others_have_what_it_kept(
    house,  # noqa: F811
    anna,  # noqa: F811
    town,
    postgres,
    schema,  # noqa: F811
    tmp_path,
    monkeypatch,
    capsys,
):
    first, second = await two_houses(town, house, anna)
    await (await house(RIDOTTO_SECRET=SECRET).start()).plays()
    await town.are_kept(20, 22, 22)
    monkeypatch.setenv("RIDOTTO_BOOKS", postgres.address(schema).text)
    monkeypatch.setenv("RIDOTTO_SECRET", SECRET)
    data = ["--data", str(tmp_path / "operator")]
    assert await asyncio.to_thread(main, ["release", *data]) == 2
    assert "Several houses keep" in capsys.readouterr().err
    assert await asyncio.to_thread(main, ["release", *data, "10.0.0.1:1"]) == 2
    assert "No house that keeps anything has the lane 10.0.0.1:1" in capsys.readouterr().err
    lane = some(re.search(r"other houses reach this one at ([\d.:]+)", second.log.read_text()))[1]
    assert await asyncio.to_thread(main, ["release", *data, lane]) == 0
    assert capsys.readouterr().out.count("of 64 wings") == 2
    assert await second.ended() == 0
    await town.are_kept(32, 32)
    await town.home(anna, first.url)
    for table in town.tables:
        assert not (await press(anna, f"{first.url}{town.anna}/table/{table}", f"after-000{table}", "/bet 10"))[
            "refused"
        ]
