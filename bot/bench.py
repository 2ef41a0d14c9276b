"""`ridotto bench`: how much the house does in a second on this machine, on books that are thrown away afterwards."""

import json
import os
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any, NamedTuple

from bot.floor.command import Answer, Command, Place, Who
from bot.floor.house import Paper
from bot.floor.inspectors import open_table
from bot.pit import Pit
from storage.database import Books

PLAYERS_A_TABLE = 7
CLIENTS = (1, 100, 1000)
SECONDS = 3.0


class Measure(NamedTuple):
    """`per_s` commands that were on disk before they were answered; `cpu_us` of the process for each of them."""

    clients: int
    commands: int
    seconds: float
    per_s: int
    commits: int
    cpu_us: int
    median_ms: float
    worst_ms: float


def measure_pit(clients: int, seconds: float = SECONDS) -> Measure:
    """Closed loop: each client bets and takes back as soon as the last answer has come; every command is durable."""
    with tempfile.TemporaryDirectory(prefix="ridotto-bench-") as folder:
        books = Books(Path(folder))
        pit = Pit(books)
        places = _open_tables(pit, -(-clients // PLAYERS_A_TABLE))
        crowd = [_Client(pit, number, places[number // PLAYERS_A_TABLE]) for number in range(clients)]
        pit.start()
        _run(crowd, 0.5)
        before, commits = pit.commands, pit.commits
        cpu, started = time.process_time(), time.perf_counter()
        waits = _run(crowd, seconds)
        took, cpu = time.perf_counter() - started, time.process_time() - cpu
        done, commits = pit.commands - before, pit.commits - commits
        pit.stop()
        books.close()
    waits.sort()
    return Measure(
        clients,
        done,
        round(took, 3),
        round(done / took),
        commits,
        round(cpu / done * 1e6),
        round(waits[len(waits) // 2] * 1000, 2),
        round(waits[-1] * 1000, 2),
    )


def _open_tables(pit: Pit, count: int) -> list[Place]:
    """Tables that nobody deals at while it is measured: betting stays open."""
    paper = Paper(pit.floor.house)
    places = [Place("bench", str(number)) for number in range(count)]
    for place in places:
        open_table(paper, 1, "caribbean", place, time.time(), os.urandom(32), betting_s=300)
    paper.finish()
    pit.books.write(paper)
    pit.floor.house.publish(paper)
    return places


class _Client:
    """Bets and takes back, by turns, never more than one command under way."""

    def __init__(self, pit: Pit, number: int, place: Place) -> None:
        self.pit, self.place = pit, place
        self.who = Who("bench", str(number), f"client {number}")
        self.sent = 0
        self.waits: list[float] = []
        self.until = 0.0
        self.done = threading.Event()

    def start(self, until: float) -> None:
        self.until, self.waits = until, []
        self.done.clear()
        self._send()

    def _send(self) -> None:
        verb, args = ("takeback", ()) if self.sent % 2 else ("bet", ("10",))
        self.sent += 1
        self.at = time.perf_counter()
        key = f"{self.who.account}.{self.sent}"
        self.pit.submit(Command(key, self.who, self.place, verb, args)).add_done_callback(self._hear)

    def _hear(self, future: "Future[Answer]") -> None:
        assert not future.result().refused, future.result()
        now = time.perf_counter()
        self.waits.append(now - self.at)
        if now < self.until:
            self._send()
        else:
            self.done.set()


def _run(crowd: Sequence[_Client], seconds: float) -> list[float]:
    until = time.perf_counter() + seconds
    for client in crowd:
        client.start(until)
    for client in crowd:
        client.done.wait()
    return [wait for client in crowd for wait in client.waits]


def bench_pit() -> list[dict[str, Any]]:
    return [measure_pit(clients)._asdict() for clients in CLIENTS]


def bench_pictures() -> list[dict[str, Any]]:
    """Our pictures beside Pillow's plain way, game by game."""
    from bot.bench_pictures import measure_pictures

    return [row._asdict() for row in measure_pictures()]


def bench_ranks() -> list[dict[str, Any]]:
    from bot.bench_engine import measure_ranks

    return [row._asdict() for row in measure_ranks()]


def bench_hands() -> list[dict[str, Any]]:
    from bot.bench_engine import measure_hands

    return [row._asdict() for row in measure_hands()]


BENCHMARKS: dict[str, Callable[[], list[dict[str, Any]]]] = {
    "pit": bench_pit,
    "pictures": bench_pictures,
    "ranks": bench_ranks,
    "hands": bench_hands,
}


def measure(names: Sequence[str], *, as_json: bool) -> None:
    """Run the benchmarks and print a table, or one JSON object with their names as keys."""
    found = {name: BENCHMARKS[name]() for name in names}
    if as_json:
        print(json.dumps(found))
        return
    for name, rows in found.items():
        print(name)
        print("  ".join(f"{column:>10}" for column in rows[0]))
        for row in rows:
            print("  ".join(f"{value:>10}" for value in row.values()))
        sys.stdout.flush()
