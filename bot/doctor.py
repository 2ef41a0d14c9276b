"""`ridotto doctor`: the books against the rules. Every hand is played again and its postings are held against it.

One sentence a fault; nothing is mended, and a casino that is running meanwhile is not disturbed.
"""

import json
from collections.abc import Container, Iterator
from pathlib import Path

from bot.floor.control import examine_hand
from bot.floor.table import Table, load_table
from storage import doctor, ledger
from storage.database import BooksError, Reader, reading
from storage.rows import CasinoRow, HandRow, TableRow

_SHOWN = 160


def examine(books: Reader, settled: Container[int] = ()) -> Iterator[str]:
    """Every fault that storage finds by itself, then those that only the rules can tell.

    A settled hand never changes: who examines often need not play those again that were `settled` when he did.
    """
    yield from doctor.examine(books)
    tables: dict[int, Table] = {}
    for row in books.rows(TableRow):
        try:
            tables[row.id] = load_table(row.id, row.casino, row.game, row.status, row.state)
        except Exception as fault:
            yield f"Table {row.id} cannot be read: {_say(fault)}."
    for (hand_id,) in books.select("SELECT id FROM hands ORDER BY id"):
        if hand_id in settled:
            continue
        hand = books.first(HandRow, "WHERE id = ?", hand_id)
        assert hand is not None
        try:
            yield from (f"Hand {hand.id}: {fault}." for fault in examine_hand(books, hand, tables.get(hand.table_id)))
        except Exception as fault:
            yield f"Hand {hand.id} does not replay: {_say(fault)}."
    yield from _examine_escrow(books)
    yield from _examine_stacks(books, tables)


def check(path: Path) -> int:
    """Say what is wrong, or that nothing is. The answer is the exit status. Raises BooksError without books."""
    found = False
    try:
        with reading(path) as books:
            for fault in examine(books):
                found = True
                print(fault)
            if not found:
                print(summary(books))
    except BooksError as unreadable:
        if not path.is_file():
            raise
        found = True
        print(unreadable)
    return int(found)


def summary(books: Reader) -> str:
    count = {name: books.select(f"SELECT count(*) FROM {name}")[0][0] for name in ("accounts", "postings", "hands")}
    return (
        f"The books are in order: {count['accounts']} accounts, {count['postings']} postings, {count['hands']} hands."
    )


def _say(fault: Exception) -> str:
    return f"{type(fault).__name__}: {fault}"[:_SHOWN].rstrip(".")


def _examine_escrow(books: Reader) -> Iterator[str]:
    waiting = {
        ledger.escrow(prize["hand"], prize["seat"])
        for casino in books.rows(CasinoRow)
        for prize in json.loads(casino.state).get("prizes", [])
    }
    for name, balance in books.select("SELECT name, balance FROM accounts WHERE name LIKE 'escrow:%' AND balance <> 0"):
        if name not in waiting:
            yield f"Account {name} holds {balance}, and no prize waits for a key there."


def _examine_stacks(books: Reader, tables: dict[int, Table]) -> Iterator[str]:
    for name, balance in books.select("SELECT name, balance FROM accounts WHERE name LIKE 'stack:%' AND balance <> 0"):
        _kind, at, player = name.split(":")
        table = tables.get(int(at))
        if table is None or table.seat_of(int(player)) is None:
            yield f"Account {name} holds {balance}, and its player has no seat at that table."
