"""`ridotto bench tables`: memory and start of the real process, with no table but the lounge's and with ten thousand.

Both platforms are on the loopback: their servers are those of this repository's tests, and stay away where only the
package is installed; the lounge alone is measured then. `over_idle_mib` is what the tables add.
"""

import asyncio
import contextlib
import os
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import Future
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import aiohttp

from bot.bench.machine import cpu_s, rss_mib
from bot.floor import betting, meter
from bot.floor.clocks import Clocks
from bot.floor.command import Command, Place, Who
from bot.floor.house import Casino, Paper
from bot.floor.table import Settings, Table
from bot.pit import Pit
from engine.hand import GAMES
from storage.database import Books
from storage.rows import CasinoRow, PlaceRow, TableRow

TABLES = 10_000
TABLES_A_CASINO = 10
BATCH = 100
STARTS = 3
SETTLE_S = 1.0
PATIENCE_S = 180.0
# The first bet of each game, long before the clock of the table runs out.
_BETS = {"stud": ("buyin", "min")}
# Hands that nobody plays on must not run out while they are measured.
_SLOW = Settings(pace="correspondence")
_SOURCE = Path(__file__).parents[2]
_LOOPBACK = ("tests.discord_server", "tests.telegram_server")


class Start(NamedTuple):
    """`open_s`: from the start of the process until its sockets listen; `ready_s`: until `/healthz` says that every
    platform is connected and the pit commits. The CPU seconds are what it had worked by then, which other work on the
    machine does not lengthen. Hands to resume are replayed when somebody looks at them, and here nobody does.
    """

    what: str
    tables: int
    hands: int
    platforms: int
    rss_mib: float
    over_idle_mib: float
    open_s: float
    open_cpu_s: float
    ready_s: float
    ready_cpu_s: float


class Arming(NamedTuple):
    """Setting the clock of one of so many tables, as each bet does."""

    what: str
    tables: int
    us: float


def measure_tables(tables: int = TABLES) -> list[Start | Arming]:
    return [*asyncio.run(_measure_starts(tables)), measure_arming(tables)]


def measure_arming(tables: int = TABLES, times: int = 200_000) -> Arming:
    """Later than before, mostly, and sometimes earlier; what runs out meanwhile is taken, a batch at a time."""
    chance, now = random.Random(1), 0.0
    runs_out = {id: chance.uniform(0, 30) for id in range(tables)}
    clocks = Clocks(runs_out.get)
    for id, at in runs_out.items():
        clocks.arm(id, at)
    changes = [(chance.randrange(tables), chance.uniform(5, 30)) for _time in range(times)]
    started = time.process_time()
    for number, (id, wait) in enumerate(changes):
        now += 0.0001
        runs_out[id] = now + wait
        clocks.arm(id, now + wait)
        if number % BATCH == 0:
            clocks.take(now)
    return Arming("re-arming a clock", tables, round((time.process_time() - started) / times * 1e6, 3))


async def _measure_starts(tables: int) -> list[Start]:
    async with _loopback() as settings:
        idle = await _start_often("idle", 0, settings)
        rows = [idle]
        for what, playing in (("tables", False), ("tables, hands to resume", True)):
            found = await _start_often(what, tables, settings, playing)
            rows.append(found._replace(over_idle_mib=round(found.rss_mib - idle.rss_mib, 1)))
        return rows


async def _start_often(what: str, tables: int, settings: dict[str, str], playing: bool = False) -> Start:
    """On the same books, again and again: medians."""
    with tempfile.TemporaryDirectory(prefix="ridotto-bench-") as folder:
        hands = fill(Path(folder) / "data", tables, playing)
        starts = [await _start(Path(folder) / "data", settings) for _start_ in range(STARTS)]
    rss, *seconds = (round(median(column), 2) for column in zip(*starts, strict=True))
    return Start(what, tables, hands, sum("TOKEN" in name for name in settings), rss, 0.0, *seconds)


async def _start(folder: Path, settings: dict[str, str]) -> tuple[float, float, float, float, float]:
    """(memory, seconds until it is open, CPU seconds, both until it is ready) of one start."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("RIDOTTO_")}
    env |= {"RIDOTTO_DATA": str(folder), "RIDOTTO_WEB": "127.0.0.1:0", "RIDOTTO_GUESTS": "0"} | settings
    started = time.perf_counter()
    house = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "bot", env=env, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
    )
    assert house.stdout is not None
    try:
        line = (await asyncio.wait_for(house.stdout.readline(), PATIENCE_S)).decode()
        opened, loaded = time.perf_counter() - started, cpu_s(house.pid)
        await asyncio.wait_for(_until_well(f"{line.partition(': ')[2].strip()}healthz"), PATIENCE_S)
        ready, worked = time.perf_counter() - started, cpu_s(house.pid)
        await asyncio.sleep(SETTLE_S)
        return rss_mib(house.pid), opened, loaded, ready, worked
    finally:
        house.terminate()
        await house.communicate()


async def _until_well(url: str) -> None:
    async with aiohttp.ClientSession() as session:
        while True:
            async with session.get(url) as answer:
                if answer.status == 200:
                    return
            await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def _loopback() -> AsyncIterator[dict[str, str]]:
    """Settings for a house on the loopback's Discord and Telegram, where they are there."""
    if not has_loopback():
        yield {}
        return
    discord, telegram = (import_module(name) for name in _LOOPBACK)
    servers: Any = (discord.DiscordServer(), telegram.BotApiServer(clock=telegram.SystemClock()))
    async with servers[0], servers[1]:
        servers[0].guild("Venezia")
        token, api = servers[1].token, servers[1].base_url
        yield servers[0].env | {"RIDOTTO_TELEGRAM_TOKEN": token, "RIDOTTO_TELEGRAM_API": api}


def has_loopback() -> bool:
    """Whether this is a source tree, whichever folder the command was given in, and what its tests need is there."""
    if (_SOURCE / "tests").is_dir() and str(_SOURCE) not in sys.path:
        sys.path.append(str(_SOURCE))
    try:
        return all(find_spec(name) for name in (*_LOOPBACK, "aiogram"))
    except ModuleNotFoundError:
        return False


# Books of a large house


def fill(folder: Path, tables: int, playing: bool) -> int:
    """Tables of all games in many casinos, where two players each have a hand under way if it is so wanted.

    Answers with the number of those hands.
    """
    books, now = Books(folder), [time.time()]
    pit = Pit(books, clock=lambda: now[0])
    places = _open_tables(pit, tables, now[0])
    if playing:
        for player in range(2):
            _round(pit, [_first_bet(pit, place, player) for place in places])
        now[0] += 25.0
        while pit.floor.is_due(now[0]):
            pit.round([], [])
    hands = sum(table.play is not None for table in pit.floor.house.tables.values())
    books.close()
    return hands


def _open_tables(pit: Pit, count: int, now: float) -> list[Place]:
    paper, places = Paper(pit.floor.house), []
    for number in range(count):
        if number % TABLES_A_CASINO == 0:
            casino = Casino(paper.next_id(CasinoRow), f"Casino {number}", {"give_after_s": 0}, now)
            meter.found_meter(paper, paper.set_casino(casino), now)
        id, game = paper.next_id(TableRow), list(GAMES)[number % len(GAMES)]
        table = Table(id, casino.id, number % TABLES_A_CASINO + 1, game, {}, _SLOW)
        betting.open_hand(paper, table, now, os.urandom(32))
        places.append(Place("bench", str(id)))
        paper.set_place(PlaceRow(*places[-1], casino.id, id))
    paper.finish()
    pit.books.write(paper)
    pit.floor.house.publish(paper)
    return places


def _first_bet(pit: Pit, place: Place, player: int) -> Command:
    row = pit.floor.house.place(*place)
    assert row is not None
    assert row.table_id is not None
    verb, amount = _BETS.get(pit.floor.house.tables[row.table_id].game, ("bet", "min"))
    account = f"{place.address}.{player}"
    return Command(account, Who("bench", account, f"Player {account}"), place, verb, (amount,))


def _round(pit: Pit, commands: Sequence[Command]) -> None:
    """In batches; none may be refused."""
    for first in range(0, len(commands), 1000):
        batch = commands[first : first + 1000]
        futures: list[Future[Any]] = [Future() for _command in batch]
        pit.round(batch, futures)
        for future in futures:
            assert not future.result(0).refused, future.result(0)
