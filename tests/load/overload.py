"""Ten times the load that a casino sustains, through the writer and through the lounge's sockets.

Through the writer in an open loop: a thousand clients press on whether they are answered or not. Afterwards each of
their commands is checked: acknowledged ones are in the store, refused ones are not, and `doctor` finds nothing.
"""

import time
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from threading import Thread

from benchmarks.commands import measure_writer
from benchmarks.crowd import Client, crowd_at, open_tables, seats_for, temporary_house
from benchmarks.machine import rss_mib
from bot.core.access import BUSY
from bot.core.commands.command import Answer
from bot.core.writer import Writer
from storage.sqlite import FILE
from tests.load.outcomes import DONE, REFUSED, TURNED_AWAY, Fates, Overload, Seen, sum_up

CLIENTS = 1000
SECONDS = 60.0
TIMES, LEAST = 10, 10_000
EVERY_S = 0.005
LOOK_S = 0.05
MOST_BEHIND_S = 0.1
PATIENCE_S = 120.0


def measure_flood(seconds: float = SECONDS, clients: int = CLIENTS, sustained: int | None = None) -> Overload:
    """Flood the writer of this process; `sustained` is measured first if it is not given."""
    sustained = sustained or measure_writer(clients, min(3.0, seconds)).per_s
    with temporary_house() as writer:
        crowd = crowd_at(open_tables(writer, seats_for(clients)), clients)
        fates = [Fates(f"{client.who.account}.") for client in crowd]
        writer.start()
        before = _look(writer)
        with _watched(writer) as meanwhile:
            took = _offer(writer, [*zip(crowd, fates, strict=True)], max(LEAST, TIMES * sustained), seconds)
            writer.stop(PATIENCE_S)
        return sum_up("in process", fates, took, sustained, before, meanwhile, writer.books.folder / FILE)


def _offer(writer: Writer, crowd: list[tuple[Client, Fates]], rate: float, seconds: float) -> float:
    """Offer commands at this rate; return the seconds taken. Those that the machine could not offer in time are
    dropped.
    """
    started = last = time.perf_counter()
    sent = 0
    while (now := time.perf_counter()) < started + seconds:
        for _command in range(int(min(now - last, MOST_BEHIND_S) * rate)):
            client, fates = crowd[sent % len(crowd)]
            hear = partial(_hear, fates, fates.send(), time.perf_counter())
            writer.submit(client.next()).add_done_callback(hear)
            sent += 1
        last = now
        time.sleep(EVERY_S)
    return time.perf_counter() - started


def _hear(fates: Fates, number: int, at: float, future: "Future[Answer]") -> None:
    answer = future.result()
    fate = TURNED_AWAY if answer is BUSY else REFUSED if answer.refused else DONE
    fates.settle(number, fate, time.perf_counter() - at)


def _look(writer: Writer) -> Seen:
    return Seen(rss_mib(), writer.waiting)


@contextmanager
def _watched(writer: Writer) -> Iterator[list[Seen]]:
    """Observe the process meanwhile and at the end."""
    seen: list[Seen] = []
    is_over = False

    def look() -> None:
        while not is_over:
            seen.append(_look(writer))
            time.sleep(LOOK_S)
        seen.append(_look(writer))

    watcher = Thread(target=look)
    watcher.start()
    try:
        yield seen
    finally:
        is_over = True
        watcher.join()
