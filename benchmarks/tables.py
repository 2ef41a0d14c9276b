"""Memory and start of the real process, with the lounge's tables only and with ten thousand.

Both platforms are on the loopback: the strict servers of the tests. `over_idle_mib` is the memory of the tables.
"""

import asyncio
import contextlib
import os
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

import aiohttp

from benchmarks.machine import cpu_s
from benchmarks.process import PATIENCE_S, open_house
from bot.core.casinos.places import internal_command_of
from bot.core.commands.command import Command, Who
from bot.core.rounds import opening
from bot.core.state.place import Place
from bot.core.state.plays import PLAYS
from bot.core.state.table import Settings, Table
from bot.core.state.transaction import Transaction
from bot.core.writer import Writer
from storage.rows import PlaceRow, TableRow
from storage.sqlite import SqliteBooks
from tests.servers.discord import DiscordServer
from tests.servers.telegram import BotApiServer, SystemClock
from tests.simulation.behavior import first_bet
from tests.simulation.crowd import split_line

TABLES = 10_000
TABLES_A_CASINO = 10
STARTS = 3
SETTLE_S = 1.0
# Hands in play must not run out during the measurement.
_SLOW = Settings(pace="correspondence")


class Start(NamedTuple):
    """One start. `open_s`: from the start of the process until its sockets listen; `ready_s`: until `/healthz` reports
    that every platform is connected and the writer commits. The CPU seconds are those used by then, which other work on
    the machine does not lengthen.
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


def measure_tables(tables: int = TABLES, starts: int = STARTS, settle_s: float = SETTLE_S) -> list[Start]:
    """Measure starts with this many open tables, also with hands in play."""
    return asyncio.run(_measure_starts(tables, starts, settle_s))


async def _measure_starts(tables: int, starts: int, settle_s: float) -> list[Start]:
    async with loopback() as settings:
        idle = await _start_often("idle", 0, settings, starts, settle_s)
        rows = [idle]
        for what, playing in (("tables", False), ("tables, hands to resume", True)):
            found = await _start_often(what, tables, settings, starts, settle_s, playing)
            rows.append(found._replace(over_idle_mib=round(found.rss_mib - idle.rss_mib, 1)))
        return rows


async def _start_often(
    what: str, tables: int, settings: dict[str, str], starts: int, settle_s: float, playing: bool = False
) -> Start:
    """Start again and again on the same store; return the medians."""
    with tempfile.TemporaryDirectory(prefix="ridotto-bench-") as folder:
        hands = fill(Path(folder) / "data", tables, playing)
        found = [await _start(Path(folder) / "data", settings, settle_s) for _start_ in range(starts)]
    rss, *seconds = (round(median(column), 2) for column in zip(*found, strict=True))
    return Start(what, tables, hands, sum("TOKEN" in name for name in settings), rss, 0.0, *seconds)


async def _start(folder: Path, settings: dict[str, str], settle_s: float) -> tuple[float, float, float, float, float]:
    """Start once and return (memory, seconds until open, CPU seconds, both until ready)."""
    started = time.perf_counter()
    async with open_house(folder, settings) as house:
        opened, loaded = time.perf_counter() - started, cpu_s(house.number)
        await asyncio.wait_for(_until_well(f"{house.url}healthz"), PATIENCE_S)
        ready, worked = time.perf_counter() - started, cpu_s(house.number)
        await asyncio.sleep(settle_s)
        return house.rss_mib(), opened, loaded, ready, worked


async def _until_well(url: str) -> None:
    async with aiohttp.ClientSession() as session:
        while True:
            async with session.get(url) as answer:
                if answer.status == 200:
                    return
            await asyncio.sleep(0.01)


@contextlib.asynccontextmanager
async def loopback() -> AsyncIterator[dict[str, str]]:
    """Settings for a house on the loopback's Discord and Telegram."""
    servers: Any = (DiscordServer(), BotApiServer(clock=SystemClock()))
    async with servers[0], servers[1]:
        servers[0].guild("Venezia")
        token, api = servers[1].token, servers[1].base_url
        yield servers[0].env | {"RIDOTTO_TELEGRAM_TOKEN": token, "RIDOTTO_TELEGRAM_API": api}


def fill(folder: Path, tables: int, playing: bool) -> int:
    """Create tables of all games in many casinos; with `playing`, two players have a hand at each. Return the number of
    hands.
    """
    books, now = SqliteBooks(folder), [time.time()]
    writer = Writer(books, clock=lambda: now[0])
    places = _open_tables(writer, tables, now[0])
    if playing:
        for player in range(2):
            _round(writer, [_first_bet(writer, place, player) for place in places])
        now[0] += 25.0
        while writer.schedule.is_due(now[0]):
            writer.round([], [])
    hands = sum(table.round.hand is not None for table in writer.state.tables.values())
    books.close()
    return hands


def _open_tables(writer: Writer, count: int, now: float) -> list[Place]:
    casinos = _found_casinos(writer, -(-count // TABLES_A_CASINO))
    transaction, games, places = Transaction(writer.state), list(PLAYS), []
    for number in range(count):
        id, game = transaction.next_id(TableRow), games[number % len(games)]
        table = Table(
            id, casinos[number // TABLES_A_CASINO], number % TABLES_A_CASINO + 1, game, {}, _SLOW, PLAYS[game].memory()
        )
        opening.open_hand(transaction, table, now, os.urandom(32))
        places.append(Place("bench", str(id)))
        transaction.set_place(PlaceRow(*places[-1], table.casino, id))
    transaction.finish()
    writer.books.write(transaction)
    writer.state.publish(transaction)
    return places


def _found_casinos(writer: Writer, count: int) -> list[int]:
    """Found casinos as communities do, but without the one-day wait before gifts."""
    homes = [Place("bench", f"casino {number}") for number in range(count)]
    director, no_wait = Who("bench", "director", "Director", inspector=True), ("give_after_hours", "0", "bench")
    _round(writer, [internal_command_of(f"found {home.address}", home, "arrive", home.address, "en") for home in homes])
    _round(writer, [Command(f"set {home.address}", director, home, "house set", no_wait, "", True) for home in homes])
    return [place.casino for home in homes if (place := writer.state.place(*home)) is not None]


def _first_bet(writer: Writer, place: Place, player: int) -> Command:
    row = writer.state.place(*place)
    assert row is not None
    assert row.table_id is not None
    verb, args = split_line(first_bet(writer.state.tables[row.table_id].game))
    account = f"{place.address}.{player}"
    return Command(account, Who("bench", account, f"Player {account}"), place, verb, tuple(args))


def _round(writer: Writer, commands: Sequence[Command]) -> None:
    """Submit commands in batches; none may be refused."""
    for first in range(0, len(commands), 1000):
        batch = commands[first : first + 1000]
        futures: list[Future[Any]] = [Future() for _command in batch]
        writer.round(batch, futures)
        for future in futures:
            assert not future.result(0).refused, future.result(0)
