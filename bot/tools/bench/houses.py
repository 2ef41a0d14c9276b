"""`ridotto bench houses --books ADDRESS`: what two houses do on one server's books, beside one that keeps them all.

Each is a process of its own, with a casino in its own wings and a hundred clients at its tables, each with one command
under way. One and two take turns, and what two do is set beside what one did in the same round.
"""

import asyncio
import time
from collections.abc import Sequence
from concurrent.futures import Future
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

from bot import games
from bot.house.casinos.places import errand_of
from bot.house.pit import Pit
from bot.house.speech.command import Place
from bot.tools.bench.crowd import PLATFORM, Client, crowd_at, open_tables, seats_for, temporary_schema
from bot.tools.bench.machine import milliseconds, percentile
from bot.tools.bench.pit import WARM_UP_S, run_in_thread
from storage.address import Address
from storage.rows import WINGS
from storage.store import opened
from storage.stores import store_of

CLIENTS = 100
ROUNDS = 3
SECONDS = 5.0
# Of the numbers of one house's clients and places, so that no two have the same.
APART = 1_000_000


class Measure(NamedTuple):
    """Of all houses together; `cpu_us` of a house for each of its commands. `of_one`: how many times what one did."""

    houses: int
    clients: int
    per_s: int
    p50_ms: float
    p99_ms: float
    cpu_us: int
    of_one: float


class Played(NamedTuple):
    """What one house has done: how long each command waited, and the process's CPU."""

    waits: list[float]
    took_s: float
    cpu_s: float


def measure_houses(books: Address | None = None, seconds: float = SECONDS) -> list[Measure]:
    """One house and two, in turns. Raises FileNotFoundError: there is no server."""
    if books is None:
        raise FileNotFoundError("name a PostgreSQL server with --books ADDRESS")
    rounds = [_compared([measure_together(books, count, seconds) for count in (1, 2)]) for _round in range(ROUNDS)]
    return [_median_of(rows) for rows in zip(*rounds, strict=True)]


def _compared(rows: Sequence[Measure]) -> list[Measure]:
    return [row._replace(of_one=round(row.per_s / rows[0].per_s, 2)) for row in rows]


def _median_of(rounds: Sequence[Measure]) -> Measure:
    """The round in the middle by commands a second; all else is a median of its own."""
    middle = sorted(rounds, key=lambda row: row.per_s)[len(rounds) // 2]
    names = ("p50_ms", "p99_ms", "cpu_us", "of_one")
    return middle._replace(**{name: median(getattr(row, name) for row in rounds) for name in names})


def measure_together(server: Address, houses: int, seconds: float = SECONDS) -> Measure:
    """So many at once on the same books. Raises ChildProcessError where one of them fails."""
    with temporary_schema(server) as books, TemporaryDirectory(prefix="ridotto-bench-") as folder:
        with opened(store_of(Path(folder), books)) as first:
            Pit(first)  # the lounge is there before they come
        context = get_context("spawn")
        wires, processes = [], []
        for number in range(houses):
            ours, theirs = context.Pipe()
            process = context.Process(target=_keep, args=(theirs, books, Path(folder), number, houses, seconds))
            process.start()
            theirs.close()
            wires.append(ours)
            processes.append(process)
        try:
            for wire in wires:
                _hear(wire)
            for wire in wires:
                wire.send("go")
            played: list[Played] = [_hear(wire) for wire in wires]
        finally:
            for wire in wires:
                wire.close()
            for process in processes:
                process.join()
    return _sum_up(played)


def _hear(wire: Connection) -> Played:
    try:
        heard: Played = wire.recv()
        return heard
    except EOFError:
        raise ChildProcessError("a house has ended before it was measured") from None


def _sum_up(played: Sequence[Played]) -> Measure:
    waits = sorted(wait for one in played for wait in one.waits)
    return Measure(
        len(played),
        CLIENTS * len(played),
        round(sum(len(one.waits) / one.took_s for one in played)),
        milliseconds(percentile(waits, 0.5)),
        milliseconds(percentile(waits, 0.99)),
        round(sum(one.cpu_s for one in played) / len(waits) * 1e6),
        1.0,
    )


def _keep(wire: Connection, books: Address, folder: Path, number: int, houses: int, seconds: float) -> None:
    """A process: a house with its share of the wings, and its crowd."""
    games.load()
    with opened(store_of(folder / str(number), books), frozenset()) as kept:
        pit = Pit(kept)
        pit.take_wings(WINGS // houses)
        crowd = _crowd_in(pit, number)
        pit.start()
        try:
            asyncio.run(run_in_thread(pit, crowd, time.perf_counter() + WARM_UP_S))
            wire.send(Played([], 0.0, 0.0))
            wire.recv()
            cpu, started = time.process_time(), time.perf_counter()
            waits = asyncio.run(run_in_thread(pit, crowd, started + seconds))
            wire.send(Played(waits, time.perf_counter() - started, time.process_time() - cpu))
        finally:
            pit.stop()


def _crowd_in(pit: Pit, number: int) -> list[Client]:
    community = Place(PLATFORM, f"community {number}")
    pit.round([errand_of(f"arrive {number}", community, "arrive", community.address, "en")], [Future()])
    casino = pit.floor.house.places[community].casino
    places = open_tables(pit, seats_for(CLIENTS), casino=casino, first=APART * number)
    return crowd_at(places, CLIENTS, first=APART * number)
