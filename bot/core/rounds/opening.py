"""Open a table, open it for bets on its next hand, or end its commitment for good."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from msgspec import structs

from bot.core.rounds import commitments, shoe
from bot.core.state.lounge import is_room, room
from bot.core.state.place import Place
from bot.core.state.plays import PLAYS
from bot.core.state.table import Settings, Table
from bot.core.state.tournament import LiveTournament
from bot.core.state.transaction import Transaction
from storage.rows import HandRow, PlaceRow, TableRow

# Seconds after which a table with players but no bets falls asleep.
SLEEP_AFTER_S = 180.0


def open_table(
    transaction: Transaction,
    casino: int,
    game: str,
    place: Place | None,
    now: float,
    entropy: bytes,
    *,
    home: int = 0,
    options: Mapping[str, Any] = MappingProxyType({}),
    tournament: LiveTournament | None = None,
    part_of: int | None = None,
    **settings: Any,
) -> Table:
    """Open a new table with the game's own options, unless others are given; it takes over a place that has one.

    Without a place it waits for one.
    """
    id = transaction.next_id(TableRow)
    table = Table(
        id,
        casino,
        1 + len(transaction.tables_in(casino)),
        game,
        dict(options),
        Settings(**settings),
        PLAYS[game].memory(),
        tournament=tournament,
        part_of=part_of,
    )
    transaction.set_table(table)
    if place is not None:
        place = room(id) if is_room(place) else place
        known = transaction.place(*place)
        transaction.set_place(known._replace(table_id=id) if known else PlaceRow(*place, casino, id, home))
    return open_hand(transaction, table, now, entropy)


def open_hand(transaction: Transaction, table: Table, now: float, entropy: bytes) -> Table:
    """Open the next hand for bets, after committing to what it will be dealt by.

    A continuing shoe keeps its commitment (BJ7).
    """
    hand_id = transaction.next_id(HandRow)
    if shoe.goes_on(table):
        table = table.change_round(lines=table.round.lines[:1])
    else:
        table = commitments.commit_hand(transaction, table, hand_id, entropy, now)
    transaction.put(commitments.betting_row(table, hand_id, now))
    return transaction.set_table(
        table.change_round(
            hand_id=hand_id,
            opened=now,
            bets=(),
            cuts=(),
            seals=(),
            openings=(),
            ready=frozenset(),
            started=None,
            deadline=now + SLEEP_AFTER_S if table.seats else None,
            extended=None,
            away=frozenset(),
            ahead=frozenset(),
            posted=0,
            hand=None,
            turning={},
            waits=None,
            beacon=None,
        )
    )


def open_anew(transaction: Transaction, table: Table, now: float, entropy: bytes, why: str) -> Table:
    """Replace the commitment of a table without bets: the seed of the old one is revealed, a shoe ends."""
    return open_hand(transaction, commitments.drop(transaction, table, now, why), now, entropy)


def close_for_good(transaction: Transaction, table: Table, now: float) -> Table:
    """End the commitment of a table without bets that deals no more: its seed is revealed."""
    table = commitments.drop(transaction, table, now, commitments.CLOSED)
    return table.change(
        status="closed", seats={}, notify={}, round=structs.replace(table.round, deadline=None, committed=b"")
    )
