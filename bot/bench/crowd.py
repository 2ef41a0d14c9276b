"""A house on books that are thrown away afterwards, and a crowd that bets and takes back at it."""

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path

from bot.floor import betting
from bot.floor.command import Answer, Command, Place, Who
from bot.floor.floor import LOUNGE
from bot.floor.house import Paper
from bot.floor.table import Settings, Table
from bot.pit import Pit
from storage.database import Books
from storage.rows import PlaceRow, TableRow

PLAYERS_A_TABLE = 7
PLATFORM = "bench"
_SETTINGS = Settings(betting_s=300)


@contextmanager
def temporary_house() -> Iterator[Pit]:
    """A pit that is not started yet; it is stopped at the end if it was."""
    with tempfile.TemporaryDirectory(prefix="ridotto-bench-") as folder:
        books = Books(Path(folder))
        pit = Pit(books)
        try:
            yield pit
        finally:
            pit.stop()
            books.close()


def open_tables(pit: Pit, count: int, platform: str = PLATFORM) -> list[Place]:
    """Tables that nobody deals at while it is measured: betting stays open."""
    paper, now = Paper(pit.floor.house), time.time()
    found = []
    for number in range(1, count + 1):
        id = paper.next_id(TableRow)
        address = str(id) if platform == "web" else str(number)
        betting.open_hand(paper, Table(id, LOUNGE, id, "caribbean", {}, _SETTINGS), now, os.urandom(32))
        paper.set_place(PlaceRow(platform, address, LOUNGE, id))
        found.append(Place(platform, address))
    paper.finish()
    pit.books.write(paper)
    pit.floor.house.publish(paper)
    return found


class Client:
    """Bets and takes back, by turns."""

    def __init__(self, number: int, place: Place) -> None:
        self.who = Who(PLATFORM, str(number), f"client {number}")
        self.place = place
        self.sent = 0

    def next(self) -> Command:
        verb, args = ("takeback", ()) if self.sent % 2 else ("bet", ("10",))
        self.sent += 1
        return Command(f"{self.who.account}.{self.sent}", self.who, self.place, verb, args)


def crowd_at(places: Sequence[Place], count: int) -> list[Client]:
    return [Client(number, places[number // PLAYERS_A_TABLE]) for number in range(count)]


def seats_for(clients: int) -> int:
    """How many tables a crowd needs."""
    return -(-clients // PLAYERS_A_TABLE)


class Lag:
    """How late an event loop comes to what is due, looked at every two milliseconds."""

    EVERY_S = 0.002

    def __init__(self) -> None:
        self.waits: list[float] = []
        self._looking = asyncio.ensure_future(self._look())

    async def _look(self) -> None:
        while True:
            due = time.perf_counter() + self.EVERY_S
            await asyncio.sleep(self.EVERY_S)
            self.waits.append(max(0.0, time.perf_counter() - due))

    def stop(self) -> list[float]:
        self._looking.cancel()
        return sorted(self.waits)


def send_again(pit: Pit, client: Client, until: float, waits: list[float], done: "Future[None]") -> None:
    """Closed loop in the pit's own thread: the next command goes as soon as the last is answered."""
    at = time.perf_counter()

    def hear(future: "Future[Answer]") -> None:
        assert not future.result().refused, future.result()
        now = time.perf_counter()
        waits.append(now - at)
        if now < until:
            send_again(pit, client, until, waits, done)
        else:
            done.set_result(None)

    pit.submit(client.next()).add_done_callback(hear)
