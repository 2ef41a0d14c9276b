"""Stores with very many tables, with and without hands in play, and both platforms' servers on the loopback."""

import contextlib
import os
import time
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

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

TABLES_A_CASINO = 10
# Hands in play must not run out during the measurement.
_SLOW = Settings(pace="correspondence")


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
