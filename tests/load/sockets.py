"""The lounge's sockets at their limit: browsers in a separate process.

Each signs in, and presses again as soon as it is answered; some also follow their table, and get each new state. Limits
of a single browser are switched off.
"""

import asyncio
import time
from collections.abc import AsyncIterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import asynccontextmanager, suppress
from multiprocessing import get_context
from typing import NamedTuple

import aiohttp
from aiohttp import web

from benchmarks.crowd import PLAYERS_A_TABLE, open_tables, seats_for, temporary_house
from benchmarks.machine import rss_mib
from bot.core.access import BUSY
from bot.core.state.lounge import PLATFORM
from bot.core.writer import Writer
from bot.platforms.common.allowance import Allowance
from bot.platforms.web.app import make_app
from bot.platforms.web.live import Live
from bot.platforms.web.lounge import Lounge
from bot.texts import say
from storage.sqlite import FILE
from tests.load.outcomes import DONE, REFUSED, TURNED_AWAY, Fates, Overload, Seen, sum_up

CLIENTS, WATCHING = 1000, 100
SECONDS = 60.0
LOOK_S = 0.05


class Pressed(NamedTuple):
    """The results of all browsers; `pushes` are new states that they received."""

    fates: list[Fates]
    seconds: float
    pushes: int


def measure_sockets(seconds: float = SECONDS, clients: int = CLIENTS) -> Overload:
    """Measure a closed loop: each browser waits for its answer, so offered and sustained load are the same."""
    with temporary_house() as writer:
        numbers = [int(place.address) for place in open_tables(writer, seats_for(clients), PLATFORM)]
        return asyncio.run(_measure(writer, numbers, clients, seconds))


async def _measure(writer: Writer, tables: list[int], clients: int, seconds: float) -> Overload:
    async with _lounge(writer) as url:
        before, meanwhile = Seen(rss_mib(), 0), [Seen(rss_mib(), 0)]
        looking = asyncio.ensure_future(_look(writer, meanwhile))
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as elsewhere:
            running = asyncio.get_running_loop().run_in_executor(elsewhere, press_for, url, tables, clients, seconds)
            pressed = await running
        looking.cancel()
        meanwhile.append(Seen(rss_mib(), writer.waiting))
    found = sum_up("sockets", pressed.fates, pressed.seconds, 0, before, meanwhile, writer.books.folder / FILE)
    return found._replace(sustained_per_s=found.per_s)


@asynccontextmanager
async def _lounge(writer: Writer) -> AsyncIterator[str]:
    """Open a lounge on a free port of the loopback, without limits of a single browser."""
    live, limit = Live(), Allowance(10**9, 10**9)
    lounge = Lounge(writer, live, presses=limit, pages=limit, sign_ins=limit, asked=limit, sent=limit, sent_bytes=limit)
    writer.subscribe(lounge.mark)
    runner = web.AppRunner(make_app(lounge), access_log=None)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    writer.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}"
    finally:
        await live.close()
        await runner.cleanup()
        await asyncio.to_thread(writer.stop, 60.0)


async def _look(writer: Writer, seen: list[Seen]) -> None:
    while True:
        seen.append(Seen(rss_mib(), writer.waiting))
        await asyncio.sleep(LOOK_S)


def press_for(url: str, tables: list[int], clients: int, seconds: float) -> Pressed:
    """Run this many browsers without pauses for this many seconds, in a process of their own."""
    return asyncio.run(_press_for(url, tables, clients, seconds))


async def _press_for(url: str, tables: list[int], clients: int, seconds: float) -> Pressed:
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar()) as session:
        browsers = [_Browser(session, url, tables[number // PLAYERS_A_TABLE]) for number in range(clients)]
        for number, browser in enumerate(browsers):
            await browser.sign_in(f"client {number}")
        watchers = [asyncio.ensure_future(browser.watch()) for browser in browsers[:WATCHING]]
        started = time.perf_counter()
        await asyncio.gather(*(browser.press_until(started + seconds) for browser in browsers))
        took = time.perf_counter() - started
        for watcher in watchers:
            watcher.cancel()
        await asyncio.gather(*watchers, return_exceptions=True)
        return Pressed([browser.fates for browser in browsers], took, sum(browser.pushes for browser in browsers))


# A browser without cookies is first checked for whether it keeps them.
_TRIED = {"Cookie": "tried=1"}


class _Browser:
    def __init__(self, session: aiohttp.ClientSession, url: str, table: int) -> None:
        self.session, self.url, self.table = session, url, table
        self.pushes = 0

    async def sign_in(self, name: str) -> None:
        form = {"name": name}
        async with self.session.post(f"{self.url}/sign-in", data=form, headers=_TRIED, allow_redirects=False) as answer:
            slug = answer.headers["Location"].strip("/")
            self.headers = {"Cookie": answer.headers["Set-Cookie"].partition(";")[0]}
        self.at = f"{self.url}/{slug}/table/{self.table}"
        self.fates = Fates(f"{PLATFORM}:{slug.rpartition('-')[2]}:press---")

    async def watch(self) -> None:
        async with self.session.ws_connect(f"{self.at}/live", headers=self.headers) as socket:
            async for _message in socket:
                self.pushes += 1

    async def press_until(self, until: float) -> None:
        while time.perf_counter() < until:
            number, at = self.fates.send(), time.perf_counter()
            verb, args = ("bet", ["10"]) if number % 2 else ("takeback", [])
            press = {"key": f"press---{number}", "verb": verb, "args": args}
            # A broken connection stays closed.
            with suppress(aiohttp.ClientError):
                async with self.session.post(f"{self.at}/press", json=press, headers=self.headers) as answer:
                    said = await answer.json()
                self.fates.settle(number, _fate(said), time.perf_counter() - at)


def _fate(said: dict[str, object]) -> int:
    if said["texts"] == [say(BUSY.texts[0], "en")]:
        return TURNED_AWAY
    return REFUSED if said["refused"] else DONE
