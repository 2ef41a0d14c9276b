"""Comparison of books that were moved from one store into another: rows, largest numbers, sums.

Nothing is moved here: `move-books` compares before the move becomes final.
"""

from collections.abc import Callable
from typing import NamedTuple

from storage.faults import BooksError
from storage.rows import COLUMNS
from storage.store import Reader

Look = Callable[[Reader], None]
# Expressions whose sums must not change in a move, by table.
_ADDED = {
    "accounts": "balance",
    "hands": "length(deal)",
    "answers": "length(answer)",
    "moves": "number",
    "postings": "amount",
    "results": "wagered + returned",
    "players": "length(state)",
    "tables": "length(state)",
    "log_entries": "length(entry)",
    "log_heads": "size",
    "openings": "at",
}
_NUMBERED = {table for table, names in COLUMNS.items() if names[0] == "id" and table != "browsers"}


class Figures(NamedTuple):
    """Figures of one table: rows, the largest id, and the sum; 0 where a table has none."""

    rows: int
    largest: int
    added: int


def figures(books: Reader) -> dict[str, Figures]:
    """Return the figures of each table."""
    return {table: _figures_of(books, table) for table in (*COLUMNS, "sums")}


def _figures_of(books: Reader, table: str) -> Figures:
    largest = "coalesce(max(id), 0)" if table in _NUMBERED else "0"
    # Approximate, because the sum of all movements may exceed a database integer.
    added = f"coalesce(sum(({_ADDED[table]}) * 1.0), 0)" if table in _ADDED else "0"
    ((rows, number, total),) = books._select(f"SELECT count(*), {largest}, {added} FROM {table}")
    return Figures(int(rows), int(number), int(total))


def check_moved(source: Reader, target: Reader) -> None:
    """Check that both stores have the same content. Raises BooksError."""
    mine, theirs = figures(source), figures(target)
    differ = [table for table in mine if mine[table] != theirs[table]]
    if differ:
        raise BooksError(f"{', '.join(differ)} did not arrive as sent, so nothing was moved.")
