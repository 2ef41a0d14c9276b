"""Commands with their commit on disk before the answer, compared with aiosqlite and sqlite3 with a commit for each.

Clients bet and take back, each with one command under way: from the writer's own thread, which costs next to nothing,
and from an event loop, as the platforms do. The peers write the same rows, their clients in turn: aiosqlite from the
same loop behind a lock, as one connection needs, sqlite3 in one thread. All take turns in one run; a row is the median
of its rounds.
"""

import asyncio
import sqlite3
import tempfile
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.crowd import (
    Client,
    Lag,
    crowd_at,
    open_tables,
    seats_for,
    send_again,
    temporary_house,
    temporary_schema,
)
from benchmarks.machine import fsync_ms, milliseconds, percentile
from benchmarks.process import open_house
from bot.core.front import Front
from bot.core.writer import Writer
from bot.memory import settle
from storage.address import ServerAddress
from storage.rows import TABLES, Row
from storage.sqlite import FILE, SqliteBooks
from storage.stores import store_of

CLIENTS = (1, 100, 1000)
ROUNDS = 5
SECONDS = 1.5
WARM_UP_S = 0.3
BATCHES = (1, 100, 1000)
SERVER, FRONT = "books on a server", "books on a server, through a front"
Rows = Callable[[], list[tuple[str, tuple[Any, ...]]]]
Play = Callable[[Path, Rows, int, float], Awaitable[list[float]]]


class Measure(NamedTuple):
    """One row. `cpu_us` of the process for each command; `lag_p99_ms` of the event loop; `ratio`: how many times as
    fast the first row of the same number of clients is. A front makes no commits.
    """

    what: str
    clients: int
    commands: int
    seconds: float
    per_s: int
    p50_ms: float
    p99_ms: float
    commits: int | None
    cpu_us: int
    lag_p99_ms: float
    fsync_ms: float
    ratio: float = 1.0


class Cost(NamedTuple):
    """CPU microseconds of one bet in a batch of this size: handling, store, and both."""

    what: str
    batch: int
    handling_us: float
    books_us: float
    both_us: float


def measure_commands(
    books: ServerAddress | None = None,
    clients: Sequence[int] = CLIENTS,
    rounds: int = ROUNDS,
    seconds: float = SECONDS,
    batches: Sequence[int] = BATCHES,
) -> Iterator[Measure | Cost]:
    """Measure commands a second and latency of the writer and its peers, in turns; then the CPU of a bet by batch.

    `books`: a server on which the same is measured too, in a separate schema.
    """
    ways: dict[str, Callable[[int], Measure]] = {
        "ridotto": lambda many: measure_writer(many, seconds),
        "ridotto, event loop": lambda many: measure_writer(many, seconds, from_loop=True),
    }
    if books is not None:
        ways[SERVER] = lambda many: measure_writer(many, seconds, from_loop=True, server=books)
        ways[FRONT] = lambda many: measure_front(many, seconds, books)
    if find_spec("aiosqlite"):
        ways["aiosqlite"] = lambda many: measure_peer("aiosqlite", _play_aiosqlite, many, seconds)
    ways["sqlite3"] = lambda many: measure_peer("sqlite3", _play_sqlite, many, seconds)
    for many in clients:
        turns = [_compared([way(many) for way in ways.values()]) for _round in range(rounds)]
        yield from (_median_of(rows) for rows in zip(*turns, strict=True))
    servers = [None] if books is None else [None, books]
    yield from (measure_bet(batch, server=server) for batch in batches for server in servers)


def _compared(rows: Sequence[Measure]) -> list[Measure]:
    """Return the rows with their ratio to the first of the same round, because a slow machine affects all."""
    return [row._replace(ratio=round(rows[0].per_s / max(1, row.per_s), 2)) for row in rows]


def _median_of(rounds: Sequence[Measure]) -> Measure:
    """Return the middle round by commands a second; waiting times and ratio are medians of their own."""
    middle = sorted(rounds, key=lambda row: row.per_s)[len(rounds) // 2]
    names = ("p50_ms", "p99_ms", "lag_p99_ms", "fsync_ms", "ratio")
    return middle._replace(**{name: median(getattr(row, name) for row in rounds) for name in names})


def measure_writer(
    clients: int, seconds: float = SECONDS, *, from_loop: bool = False, server: ServerAddress | None = None
) -> Measure:
    """Measure the writer; every command is durable, and none is refused."""
    with temporary_house(server) as writer:
        crowd = crowd_at(open_tables(writer, seats_for(clients)), clients)
        settle()
        writer.start()

        async def run(until: float) -> list[float]:
            if from_loop:
                return await _gather([_play(writer, client, until) for client in crowd])
            return await run_in_thread(writer, crowd, until)

        what = SERVER if server is not None else "ridotto, event loop" if from_loop else "ridotto"
        return asyncio.run(_measure(what, clients, run, seconds, lambda: writer.commits, writer.books.folder))


def measure_front(clients: int, seconds: float, server: ServerAddress) -> Measure:
    """Measure commands from the event loop of a front, whose writer is another process."""
    with tempfile.TemporaryDirectory(prefix="ridotto-bench-") as folder, temporary_schema(server) as address:
        store = store_of(Path(folder), address)
        with closing(store.open()) as books:
            crowd = crowd_at(open_tables(Writer(books), seats_for(clients)), clients)

        async def measure() -> Measure:
            async with open_house(Path(folder) / "writer", {"RIDOTTO_BOOKS": address.text}):
                with closing(store.open_front(lambda held: False)) as books:
                    front = Front(books)
                    front.start()
                    try:
                        return await _measure(
                            FRONT, clients, lambda until: play(front, until), seconds, None, books.folder
                        )
                    finally:
                        await asyncio.to_thread(front.stop)

        async def play(front: Front, until: float) -> list[float]:
            return await _gather([_play(front, client, until) for client in crowd])

        return asyncio.run(measure())


def measure_peer(what: str, play: Play, clients: int, seconds: float) -> Measure:
    """Measure the rows of a bet with a commit for each command; with the same pragmas as our store."""
    with tempfile.TemporaryDirectory(prefix="ridotto-bench-") as folder:
        SqliteBooks(Path(folder)).close()
        rows, done = _rows_of_a_bet(), [0]

        def write_next() -> list[tuple[str, tuple[Any, ...]]]:
            done[0] += 1
            return rows(done[0])

        async def run(until: float) -> list[float]:
            return await play(Path(folder) / FILE, write_next, clients, until)

        return asyncio.run(_measure(what, clients, run, seconds, lambda: done[0], Path(folder)))


async def _play_aiosqlite(file: Path, rows: Rows, clients: int, until: float) -> list[float]:
    turn = asyncio.Lock()
    async with import_module("aiosqlite").connect(file) as db:
        await db.execute("PRAGMA synchronous = FULL")

        async def play() -> list[float]:
            waits = list[float]()
            while not waits or time.perf_counter() < until:
                at = time.perf_counter()
                async with turn:
                    for sql, values in rows():
                        await db.execute(sql, values)
                    await db.commit()
                waits.append(time.perf_counter() - at)
            return waits

        return await _gather([play() for _client in range(clients)])


async def _play_sqlite(file: Path, rows: Rows, clients: int, until: float) -> list[float]:
    def play() -> list[float]:
        waits, sent = list[float](), deque([time.perf_counter()] * clients)
        with closing(sqlite3.connect(file)) as db:
            db.execute("PRAGMA synchronous = FULL")
            while not waits or sent[0] < until:
                at = sent.popleft()
                for sql, values in rows():
                    db.execute(sql, values)
                db.commit()
                sent.append(time.perf_counter())
                waits.append(sent[-1] - at)
        return waits

    return await asyncio.to_thread(play)


def _rows_of_a_bet() -> Callable[[int], list[tuple[str, tuple[Any, ...]]]]:
    """Return a function that gives the SQL statements of one bet, with another key and event each time."""
    with temporary_house() as writer:
        (client,) = crowd_at(open_tables(writer, 1), 1)
        for _command in range(2):
            writer.round([client.next()], [Future()])
        transaction = writer.handling.work_out([client.next()], time.time()).transaction
    balances = [("INSERT OR REPLACE INTO accounts VALUES (?, ?)", balance) for balance in transaction.balances.items()]
    given = [(_insert(kind), row._asdict()) for kind, rows in transaction.rows.items() for row in rows.values()]

    def rows(number: int) -> list[tuple[str, tuple[Any, ...]]]:
        fresh = {"event": str(number), "key": str(number), "hand": None}
        return balances + [(sql, tuple(fresh.get(name, value) for name, value in row.items())) for sql, row in given]

    return rows


def _insert(kind: type[Row]) -> str:
    names = ", ".join(kind._fields)
    return f"INSERT OR REPLACE INTO {TABLES[kind][0]} ({names}) VALUES ({', '.join('?' * len(kind._fields))})"


async def _measure(
    what: str,
    clients: int,
    run: Callable[[float], Awaitable[list[float]]],
    seconds: float,
    commits: Callable[[], int] | None,
    folder: Path,
) -> Measure:
    """Measure `run(until)`, which plays and returns how long each command took."""
    await run(time.perf_counter() + min(WARM_UP_S, seconds))
    before, lag = commits() if commits else 0, Lag()
    cpu, started = time.process_time(), time.perf_counter()
    waits = sorted(await run(started + seconds))
    took, cpu = time.perf_counter() - started, time.process_time() - cpu
    late, done = lag.stop(), len(waits)
    return Measure(
        what,
        clients,
        done,
        round(took, 3),
        round(done / took),
        milliseconds(percentile(waits, 0.5)),
        milliseconds(percentile(waits, 0.99)),
        commits() - before if commits else None,
        round(cpu / done * 1e6),
        milliseconds(percentile(late, 0.99)),
        fsync_ms(folder),
    )


async def _gather(playing: Sequence[Awaitable[list[float]]]) -> list[float]:
    return [wait for waits in await asyncio.gather(*playing) for wait in waits]


async def _play(writer: Writer | Front, client: Client, until: float) -> list[float]:
    waits = []
    while (at := time.perf_counter()) < until:
        answer = await writer.submit_from_loop(client.next())
        assert not answer.refused, answer
        waits.append(time.perf_counter() - at)
    return waits


async def run_in_thread(writer: Writer, crowd: Sequence[Client], until: float) -> list[float]:
    """Play in the writer's thread until a time; return how long each command took."""
    waits: list[float] = []
    ends: list[Future[None]] = [Future() for _client in crowd]
    for client, end in zip(crowd, ends, strict=True):
        send_again(writer, client, until, waits, end)
    for end in ends:
        await asyncio.wrap_future(end)
    return waits


def measure_bet(batch: int, bets: int = 3000, *, server: ServerAddress | None = None) -> Cost:
    """Measure bets in one thread, one batch after the other; their withdrawals are not counted.

    With a server only the work of this process is counted.
    """
    with temporary_house(server) as writer:
        crowd = crowd_at(open_tables(writer, seats_for(batch)), batch)
        floor_s: list[float] = []
        books_s: list[float] = []
        for number in range(2 * max(3, bets // batch)):
            commands = [client.next() for client in crowd]
            begun = time.process_time()
            transaction = writer.handling.work_out(commands, time.time())
            worked = time.process_time()
            writer.books.write(transaction.transaction)
            written = time.process_time()
            writer.handling.publish(transaction)
            if number % 2 == 0:
                floor_s.append(worked - begun + time.process_time() - written)
                books_s.append(written - worked)
    handling_us, books_us = (round(median(spent) / batch * 1e6, 1) for spent in (floor_s, books_s))
    what = "CPU of a bet" if server is None else f"CPU of a bet, {SERVER}"
    return Cost(what, batch, handling_us, books_us, round(handling_us + books_us, 1))
