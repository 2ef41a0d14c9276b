"""A casino on a temporary store, and clients that bet and take back."""

import asyncio
import os
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

from bot.core.commands.command import Answer, Command, Who
from bot.core.rounds import opening
from bot.core.state.lounge import LOUNGE, is_room, room
from bot.core.state.place import Place
from bot.core.state.plays import PLAYS, Seating
from bot.core.state.table import Settings, Table
from bot.core.state.transaction import Transaction
from bot.core.writer import Writer
from storage.address import ServerAddress, parse_address
from storage.rows import PlaceRow, TableRow
from storage.sqlite import SqliteStore
from storage.store import Store
from storage.stores import store_of

PLAYERS_A_TABLE = 7
PLATFORM = "bench"
_SETTINGS = Settings(betting_s=300)


@contextmanager
def temporary_house(server: ServerAddress | None = None) -> Iterator[Writer]:
    """A writer, not started yet, and stopped at the end. Without a server its store is a temporary file."""
    with (
        tempfile.TemporaryDirectory(prefix="ridotto-bench-") as own,
        _temporary_store(Path(own), server) as store,
    ):
        books = store.open()
        writer = Writer(books)
        try:
            yield writer
        finally:
            writer.stop()
            books.close()


@contextmanager
def _temporary_store(folder: Path, server: ServerAddress | None) -> Iterator[Store]:
    if server is None:
        yield SqliteStore(folder)
        return
    with temporary_schema(server) as address:
        yield store_of(folder, address)


@contextmanager
def temporary_schema(server: ServerAddress) -> Iterator[ServerAddress]:
    """A schema that is dropped at the end. Raises FileNotFoundError if the server refuses."""
    psycopg, schema = import_module("psycopg"), f"ridotto_bench_{os.getpid()}"
    joint = "&" if "?" in server.text else "?"
    try:
        with psycopg.connect(server.text, autocommit=True) as conn:
            conn.execute(f"CREATE SCHEMA {schema}")
    except psycopg.Error as fault:
        raise FileNotFoundError(server.scrub(f"{server.told}: {fault}")) from None
    try:
        yield parse_address(f"{server.text}{joint}options=-csearch_path%3D{schema}")
    finally:
        with psycopg.connect(server.text, autocommit=True) as conn:
            conn.execute(f"DROP SCHEMA {schema} CASCADE")


def game_with_seats() -> str:
    """Return the first game in which every player has a seat and bets an amount."""
    return next(game for game, play in PLAYS.items() if play.seating is Seating.SEATS)


def boldest_move(table: Table, player: int) -> list[str]:
    """Return the player's possible move with the highest stake, as typed words."""
    assert table.round.hand is not None
    (seat,) = table.seats_played_by(player)
    return str(max(table.round.hand.asks[seat], key=lambda offer: offer.stake)).split()


def open_tables(writer: Writer, count: int, platform: str = PLATFORM) -> list[Place]:
    """Open tables of the lounge whose betting stays open. Places are numbered from 1."""
    transaction, now, game = Transaction(writer.state), time.time(), game_with_seats()
    found = []
    for number in range(1, count + 1):
        id = transaction.next_id(TableRow)
        place = Place(platform, str(number))
        place = room(id) if is_room(place) else place
        opening.open_hand(
            transaction, Table(id, LOUNGE, id, game, {}, _SETTINGS, PLAYS[game].memory()), now, os.urandom(32)
        )
        transaction.set_place(PlaceRow(*place, LOUNGE, id))
        found.append(place)
    transaction.finish()
    writer.books.write(transaction)
    writer.state.publish(transaction)
    return found


class Client:
    """A client that bets and takes back in turn."""

    def __init__(self, number: int, place: Place) -> None:
        self.who = Who(PLATFORM, str(number), f"client {number}")
        self.place = place
        self.sent = 0

    def next(self) -> Command:
        verb, args = ("takeback", ()) if self.sent % 2 else ("bet", ("10",))
        self.sent += 1
        return Command(f"{self.who.account}.{self.sent}", self.who, self.place, verb, args)


def crowd_at(places: Sequence[Place], count: int) -> list[Client]:
    """Return this many clients, filling each table before the next; IndexError for too few tables."""
    return [Client(number, places[number // PLAYERS_A_TABLE]) for number in range(count)]


def seats_for(clients: int) -> int:
    """Return how many tables the clients need."""
    return -(-clients // PLAYERS_A_TABLE)


class Lag:
    """The lag of an event loop, measured every two milliseconds."""

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


def send_again(writer: Writer, client: Client, until: float, waits: list[float], done: "Future[None]") -> None:
    """Send the next command as soon as the last is answered, in the writer's own thread."""
    at = time.perf_counter()

    def hear(future: "Future[Answer]") -> None:
        assert not future.result().refused, future.result()
        now = time.perf_counter()
        waits.append(now - at)
        if now < until:
            send_again(writer, client, until, waits, done)
        else:
            done.set_result(None)

    writer.submit(client.next()).add_done_callback(hear)
