"""The connection between a page and the server, in a real browser: alive, lost silently, restored."""

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bot.platforms import web
from tests.bot.open_house import TABLE, OpenHouse
from tests.patience import PATIENCE_S, until

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

pytestmark = pytest.mark.browser
STATIC = Path(web.__file__).parent / "static"


class Wires:
    """A proxy between browsers and the server; as a black hole it swallows data without closing."""

    def __init__(self, house: OpenHouse) -> None:
        self.house, self.port = house, 0
        self.is_black_hole = False
        self._tasks: set[asyncio.Task[None]] = set()

    async def come(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if (task := asyncio.current_task()) is not None:
            self._tasks.add(task)
        writers = [writer]
        try:
            if self.is_black_hole:
                await asyncio.Event().wait()
            there, back = await asyncio.open_connection(self.house.server.host, self.house.server.port)
            writers.append(back)
            await asyncio.gather(self._carry(reader, back), self._carry(there, writer))
        finally:
            for one in writers:
                one.transport.abort()

    async def _carry(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        while data := await source.read(65_536):
            if self.is_black_hole:
                await asyncio.Event().wait()
            sink.write(data)
        sink.close()

    async def cut(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@asynccontextmanager
async def wires(house: OpenHouse) -> AsyncIterator[Wires]:
    made = Wires(house)
    server = await asyncio.start_server(made.come, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()
        await made.cut()


async def enter(page: "Page", port: int) -> None:
    page.set_default_timeout(PATIENCE_S * 1000)
    await page.goto(f"http://127.0.0.1:{port}/")
    await page.get_by_label("Pick a name").fill("Anna")
    await page.get_by_role("button", name="Come in").click()
    await page.locator(f'a[href$="{TABLE}"]').click()


@pytest.mark.slow
async def test_a_swallowed_line_is_noticed_in_five_seconds_and_goes_on_where_it_was(
    browser: "Browser", house: OpenHouse
) -> None:
    """The page's clock alone is moved forward, so that the machine's speed does not matter."""
    async with wires(house) as between:
        context = await browser.new_context(locale="en-GB")
        page = await context.new_page()
        heard: list[Any] = []
        page.on("websocket", lambda line: line.on("framereceived", lambda told: heard.append(json.loads(told))))
        await page.clock.install()
        await enter(page, between.port)
        await page.locator("#lag", has_text=" ms").wait_for()
        await until(lambda: any("course" in message for message in heard))

        between.is_black_hole = True
        await page.clock.run_for(5500)
        await page.locator("#lag", has_text="no connection").wait_for()
        await page.get_by_text("Connection lost: trying again…").wait_for()
        assert await page.evaluate("faultOf({ timeStamp: 1e9 }, document.querySelector('[data-press]'))") == (
            "Connection lost: trying again…"
        ), "nothing can be pressed meanwhile"

        bea = await house.enter("Bea")
        await bea.press("bet", "10")
        del heard[:]
        between.is_black_hole = False
        await page.clock.run_for(9000)
        await page.get_by_text("Connected again, after").wait_for()
        await page.locator(".seat", has_text="Bea").wait_for()
        told = next(message for message in heard if "course" in message)
        assert "lies" not in told, "it is told what it missed, and not all over again"
        assert [(step["kind"], step["amount"]) for step in told["steps"]] == [("laid", 1000)]
        await context.close()


@pytest.mark.slow
async def test_who_listens_hears_their_cards_their_turn_and_what_it_paid(browser: "Browser", house: OpenHouse) -> None:
    context = await browser.new_context(locale="en-GB")
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    await page.goto(f"{house.url}/")
    await page.get_by_label("Pick a name").fill("Anna")
    await page.get_by_role("button", name="Come in").click()
    await page.locator(f'a[href$="{TABLE}"]').click()
    await page.locator(".felt").wait_for()
    await page.wait_for_load_state("domcontentloaded")  # its scripts are loaded, so no press is lost
    await page.get_by_role("tab", name="Table").click()
    await page.locator("#line").fill("bet 20")
    await page.locator("#line").press("Enter")
    await page.locator(".wallet", has_text="980").wait_for()
    await house.wait(21)
    dealt = re.compile(r"No more bets please.*You have \w+ of \w+, .*Dealer: \w+ of")
    await page.locator("#announced", has_text=dealt).wait_for(state="attached")
    turn = await page.locator("#alerted").inner_text()
    assert turn.startswith("Your turn: Fold, Raise (40)")
    await page.locator('.choices [data-verb="fold"]:not([aria-disabled])').click()
    await page.locator("#announced", has_text="You lose 20").wait_for(state="attached")
    await context.close()


def test_no_script_takes_a_name_that_another_of_every_page_has() -> None:
    """Scripts of a page share one scope; a name declared twice, except as a function both times, stops the later
    script.
    """
    declared = re.compile(r"^(?:async )?(?:function|const|let|class) (\w+)", re.M)
    names = {path.name: set(declared.findall(path.read_text("utf-8"))) for path in STATIC.glob("*.js")}
    assert not names["line.js"] & set().union(*(found for name, found in names.items() if name != "line.js"))
