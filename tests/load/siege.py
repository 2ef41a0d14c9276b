"""A lounge under crowds and attacks, in a separate process.

Meanwhile two ordinary players press, one of them at the watched table, and a client checks health. The requirements,
with 10,000 spectators of one table and 3,000 in the lobby: a press within 250 ms and `/healthz` within 100 ms, 99 times
in a hundred; a push to one more page at most 50 us of CPU.
"""

import asyncio
import multiprocessing
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple

import aiohttp

from benchmarks.machine import milliseconds, percentile
from benchmarks.process import House, open_house
from tests.load.clients import Player, Target, besiege, sign_in

CROWD = 13_000
SECONDS = 20.0
PRESS_EVERY_S, LOOK_EVERY_S = 0.25, 0.2
# After this time a client gives up waiting.
ANSWERED_WITHIN_S = 10.0
PATIENCE_S = 600.0
# Players without load clients, and their interval: as often as one may press for long.
BUSY_PLAYERS, BUSY_EVERY_S = 20, 0.11
QUIET, BUSY = "nobody", "presses"
# Number of clients; for a crowd the size is an argument.
SIZES: Mapping[str, int] = {"slow bodies": 4400, "page flood": 200, "socket flood": 50, "health flood": 200}
WAYS = (QUIET, BUSY, "crowd", "deaf crowd", *SIZES)


class Besieged(NamedTuple):
    """The results of one casino under one scenario.

    way            the kind of clients; with "presses" only those of twenty players are counted
    held           connections that were accepted and still exist at the end; `turned_away` pages that were refused
    presses        of ordinary players, and how many of them were answered within ten seconds
    press_p50_ms   from the press to its answer
    health_p50_ms  the same of the health check; `unwell` were not answered as healthy
    pushes         messages to spectators
    push_us        CPU of the casino for each of them, without its work for the same crowd when no one presses
    press_ms       CPU of the casino for each press and all its effects
    cores, rss_mib CPU and memory of the casino
    """

    way: str
    held: int
    turned_away: int
    presses: int
    answered: int
    press_p50_ms: float
    press_p99_ms: float
    press_max_ms: float
    health_p50_ms: float
    health_p99_ms: float
    unwell: int
    pushes: int
    push_us: float | None
    press_ms: float
    cores: float
    rss_mib: float


def measure_siege(*, seconds: float = SECONDS, crowd: int = CROWD, ways: Sequence[str] = WAYS) -> list[Besieged]:
    """Measure each scenario for this many seconds, each with a new casino."""
    return asyncio.run(_measure(ways, crowd, seconds))


async def _measure(ways: Sequence[str], crowd: int, seconds: float) -> list[Besieged]:
    return [await _hold(way, SIZES.get(way, crowd), seconds) for way in ways]


async def _hold(way: str, size: int, seconds: float) -> Besieged:
    with tempfile.TemporaryDirectory(prefix="ridotto-bench-") as folder:
        async with _open(Path(folder)) as house:
            # They connect first, because later ones may be refused.
            honest = await _enter(house, way, (1, 2))
            async with _besiegers(way, house, size) as count:
                # Every open page gets a heartbeat every two seconds, whatever happens.
                idle_cores = await _cores(house, seconds / 2) if "crowd" in way else 0.0
                before, cpu, began = await count(), house.cpu_s(), time.perf_counter()
                presses, looks = await _meanwhile(house, honest, began + seconds)
                took, spent, after = time.perf_counter() - began, house.cpu_s() - cpu, await count()
                return _sum_up(way, presses, looks, before, after, took, spent, idle_cores, house.rss_mib())


async def _cores(house: House, seconds: float) -> float:
    """Return the CPU used meanwhile, in cores."""
    cpu, began = house.cpu_s(), time.perf_counter()
    await asyncio.sleep(seconds)
    return (house.cpu_s() - cpu) / (time.perf_counter() - began)


@asynccontextmanager
async def _open(folder: Path) -> AsyncIterator[House]:
    async with open_house(folder, {}) as house:
        yield house._replace(url=house.url.rstrip("/"))


class Count(NamedTuple):
    """Counts of load clients."""

    held: int = 0
    turned_away: int = 0
    heard: int = 0


@asynccontextmanager
async def _besiegers(way: str, house: House, size: int) -> AsyncIterator[Callable[[], Any]]:
    """Start load clients; yield, once all have connected, a function that returns their counts."""
    if way in (QUIET, BUSY):
        yield lambda: asyncio.sleep(0, Count())
        return
    context, loop = multiprocessing.get_context("spawn"), asyncio.get_running_loop()
    here, there = context.Pipe()
    process = context.Process(target=besiege, args=(way, Target(house.url, 1), size, there), daemon=True)
    process.start()
    there.close()

    async def hear() -> Count:
        return Count(*await asyncio.wait_for(loop.run_in_executor(None, here.recv), PATIENCE_S))

    async def count() -> Count:
        here.send(True)
        return await hear()

    try:
        await hear()
        yield count
    finally:
        process.kill()
        here.close()
        await loop.run_in_executor(None, process.join)


class Honest(NamedTuple):
    """A player who presses at a table at this interval."""

    player: Player
    table: int
    every_s: float


async def _enter(house: House, way: str, tables: Sequence[int]) -> list[Honest]:
    many = BUSY_PLAYERS if way == BUSY else len(tables)
    every_s = BUSY_EVERY_S if way == BUSY else PRESS_EVERY_S
    target, found = Target(house.url, tables[0]), []
    for number in range(many):
        player = await sign_in(target, f"honest {number}", f"192.0.2.{number + 1}")
        found.append(Honest(player, tables[number % len(tables)], every_s))
    return found


async def _meanwhile(house: House, honest: Sequence[Honest], until: float) -> tuple[list[float], list[float]]:
    """Return the times of each press and each health check; more than ANSWERED_WITHIN_S for wrong answers."""
    presses: list[float] = []
    looks: list[float] = []
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
        await asyncio.gather(
            *(_press(session, house, one, until, presses) for one in honest), _look(house, until, looks)
        )
    return sorted(presses), sorted(looks)


async def _press(session: aiohttp.ClientSession, house: House, one: Honest, until: float, waits: list[float]) -> None:
    """Bet and take back in turn, so that every press changes the table."""
    url, number = f"{house.url}{one.player.base}/table/{one.table}/press", 0
    headers = {"Cookie": one.player.cookie, "X-Forwarded-For": one.player.address}
    due = time.perf_counter()
    while due < until:
        number += 1
        verb, args = ("bet", ["10"]) if number % 2 else ("takeback", [])
        press = {"key": f"press---{number}", "verb": verb, "args": args}
        began, is_answered = time.perf_counter(), False
        with suppress(aiohttp.ClientError, TimeoutError):
            async with (
                asyncio.timeout(ANSWERED_WITHIN_S),
                session.post(url, json=press, headers=headers) as answer,
            ):
                is_answered = answer.status == 200 and bool(await answer.json())
        waits.append(time.perf_counter() - began if is_answered else float("inf"))
        due += one.every_s
        await asyncio.sleep(max(0.0, due - time.perf_counter()))


async def _look(house: House, until: float, waits: list[float]) -> None:
    """Check health on a new connection each time, as monitoring does."""
    while time.perf_counter() < until:
        began, is_well = time.perf_counter(), False
        with suppress(aiohttp.ClientError, TimeoutError):
            async with (
                asyncio.timeout(ANSWERED_WITHIN_S),
                aiohttp.ClientSession() as session,
                session.get(f"{house.url}/healthz") as answer,
            ):
                is_well = answer.status == 200
        waits.append(time.perf_counter() - began if is_well else float("inf"))
        await asyncio.sleep(LOOK_EVERY_S)


def _sum_up(
    way: str,
    presses: Sequence[float],
    looks: Sequence[float],
    before: Count,
    after: Count,
    took: float,
    spent: float,
    idle_cores: float,
    rss_mib: float,
) -> Besieged:
    pushes = after.heard - before.heard if "crowd" in way else 0
    return Besieged(
        way,
        after.held,
        after.turned_away,
        len(presses),
        sum(wait <= ANSWERED_WITHIN_S for wait in presses),
        _ms(presses, 0.5),
        _ms(presses, 0.99),
        _ms(presses, 1.0),
        _ms(looks, 0.5),
        _ms(looks, 0.99),
        sum(wait > ANSWERED_WITHIN_S for wait in looks),
        pushes,
        round((spent - took * idle_cores) / pushes * 1e6, 1) if pushes else None,
        round(spent / max(1, len(presses)) * 1e3, 3),
        round(spent / took, 2),
        rss_mib,
    )


def _ms(waits: Sequence[float], share: float) -> float:
    return milliseconds(percentile(waits, share))
