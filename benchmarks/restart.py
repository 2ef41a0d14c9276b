"""The restart of a casino: how long until it answers, and the longest pause after that.

Once with hands in play at all of its tables, on both platforms, and once on stores with a long past. A client asks the
lounge every ten milliseconds from the first moment on: people notice the longest wait.
"""

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import aiohttp

from benchmarks.growth import age_books, fit_postings
from benchmarks.process import PATIENCE_S, open_house
from benchmarks.tables import fill, loopback

TABLES = 10_000
POSTINGS = (1_000_000, 10_000_000)
ASKED_EVERY_S = 0.01
# So long it is asked after it is ready.
LOOKED_AT_S = 2.0


class Restart(NamedTuple):
    """`open_s` until its sockets listen, `ready_s` until every platform is connected, `silent_s` the longest wait for
    an answer of the lounge until two seconds after that.
    """

    what: str
    size: int
    open_s: float
    ready_s: float
    cpu_s: float
    silent_s: float
    rss_mib: float


def measure_restarts(tables: int = TABLES, postings: Sequence[int] = POSTINGS) -> list[Restart]:
    """Measure starts with hands in play at this many tables, then with a store of these many postings."""
    found = []
    with TemporaryDirectory(prefix="ridotto-bench-") as folder:
        hands = fill(Path(folder), tables, playing=True)
        found.append(asyncio.run(_restart("hands under way", hands, Path(folder))))
    with TemporaryDirectory(prefix="ridotto-bench-") as folder:
        for size, books in age_books(Path(folder), fit_postings(Path(folder), postings)).items():
            found.append(asyncio.run(_restart("postings", size, books)))
    return found


async def _restart(what: str, size: int, folder: Path) -> Restart:
    started = time.perf_counter()
    async with loopback() as settings, open_house(folder, settings) as house:
        opened = time.perf_counter() - started
        ready, silent = await asyncio.wait_for(_ask_until_ready(house.url, started), PATIENCE_S)
        return Restart(
            what, size, round(opened, 2), round(ready, 2), round(house.cpu_s(), 2), round(silent, 2), house.rss_mib()
        )


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
