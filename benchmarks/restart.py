"""Starts of the real process: memory, the time until it answers, and the longest pause after that.

Idle, with many tables, with hands in play at them, and on stores with a long past, whose files are also dropped from
the page cache as after a reboot. Both platforms are on the loopback: the strict servers of the tests. A client asks the
lounge every ten milliseconds from the first moment on: people notice the longest wait.
"""

import asyncio
import os
import resource
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

import aiohttp

from benchmarks.large_books import POSTINGS, old_books
from benchmarks.machine import drop_from_cache
from benchmarks.process import PATIENCE_S, open_house
from benchmarks.tables import fill, loopback

TABLES = 10_000
STARTS = 5
ASKED_EVERY_S = 0.01
# So long it is asked after it is ready.
LOOKED_AT_S = 2.0


class Start(NamedTuple):
    """Medians. `size` counts tables or postings; `over_idle_mib` is the memory of the tables.

    `open_s` until its sockets listen, `ready_s` until every platform is connected, `silent_s` the longest wait for
    an answer of the lounge until two seconds after that; `cpu_s` and memory then.
    """

    what: str
    size: int
    hands: int
    open_s: float
    ready_s: float
    silent_s: float
    cpu_s: float
    rss_mib: float
    over_idle_mib: float | None = None


class Upkeep(NamedTuple):
    """A command of hosts, with the CPU time of all its processes."""

    what: str
    postings: int
    seconds: float
    cpu_s: float


def measure_starts(tables: int = TABLES, postings: Sequence[int] = POSTINGS, starts: int = STARTS) -> Iterator[Start]:
    """Measure an idle casino, this many tables without and with hands in play, then stores of these many postings."""
    idle = None
    for what, many, is_playing in (
        ("idle", 0, False),
        ("tables", tables, False),
        ("tables, hands under way", tables, True),
    ):
        with TemporaryDirectory(prefix="ridotto-bench-") as folder:
            hands = fill(Path(folder), many, is_playing)
            found = asyncio.run(_start_often(Start(what, many, hands, 0, 0, 0, 0, 0), Path(folder), starts))
        idle = idle or found
        yield found._replace(over_idle_mib=round(found.rss_mib - idle.rss_mib, 1))
    for size, books in old_books(tuple(postings)).items():
        for what, is_cold in (("postings", False), ("postings, cold page cache", True)):
            yield asyncio.run(_start_often(Start(what, size, 0, 0, 0, 0, 0, 0), books, starts, is_cold=is_cold))


async def _start_often(row: Start, folder: Path, starts: int, *, is_cold: bool = False) -> Start:
    """Start again and again on the same store, and fill the row with the medians."""
    found = []
    async with loopback() as settings:
        for _start in range(starts):
            if is_cold:
                drop_from_cache(folder)
            found.append(await _start_once(folder, settings))
    return Start(*row[:3], *(round(median(column), 2) for column in zip(*found, strict=True)))


async def _start_once(folder: Path, settings: dict[str, str]) -> tuple[float, float, float, float, float]:
    started = time.perf_counter()
    async with open_house(folder, settings) as house:
        opened = time.perf_counter() - started
        ready, silent = await asyncio.wait_for(_ask_until_ready(house.url, started), PATIENCE_S)
        return opened, ready, silent, house.cpu_s(), house.rss_mib()


async def _ask_until_ready(url: str, started: float) -> tuple[float, float]:
    """Return (seconds until it was ready, the longest wait for an answer)."""
    ready, silent, until = 0.0, 0.0, float("inf")
    async with aiohttp.ClientSession() as session:
        while time.perf_counter() < until:
            asked = time.perf_counter()
            async with session.get(f"{url}healthz") as answer:
                answered = time.perf_counter()
            silent = max(silent, answered - asked)
            if answer.status == 200 and not ready:
                ready, until = answered - started, answered + LOOKED_AT_S
            await asyncio.sleep(ASKED_EVERY_S)
    return ready, silent


def measure_upkeep(postings: Sequence[int] = POSTINGS) -> Iterator[Upkeep]:
    """Measure backup and doctor on stores of these many postings. Raises ChildProcessError at the end if one failed."""
    faults: list[str] = []
    for size, books in old_books(tuple(postings)).items():
        with TemporaryDirectory(prefix="ridotto-bench-") as folder:
            yield _run("backup", size, books, faults, str(Path(folder) / "backup"))
        yield _run("doctor", size, books, faults)
    if faults:
        raise ChildProcessError("; ".join(faults))


def _run(command: str, size: int, books: Path, faults: list[str], *arguments: str) -> Upkeep:
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-m", "bot", command, *arguments],
        env=os.environ | {"RIDOTTO_DATA": str(books)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    took, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        faults.append(f"{command} of {size} postings: {done.stdout[:200].strip()}")
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Upkeep(command, size, round(took, 1), round(spent, 1))
