"""Questions about casinos, the places where they speak, and their tables."""

from collections.abc import Collection, Iterator

from storage.rows import CasinoRow, PlaceRow, TableRow
from storage.store import Reader

_AT_ONCE = 500


def casinos(books: Reader) -> list[CasinoRow]:
    """Return all casinos."""
    return books._rows(CasinoRow)


def places(books: Reader) -> list[PlaceRow]:
    """Return all places of all platforms."""
    return books._rows(PlaceRow)


def tables(books: Reader) -> Iterator[TableRow]:
    """Yield all tables, closed ones too, read in portions."""
    last = 0
    while rows := books._rows(TableRow, "WHERE id > ? ORDER BY id LIMIT ?", last, _AT_ONCE):
        yield from rows
        last = rows[-1].id


def some_tables(books: Reader, ids: Collection[int]) -> list[TableRow]:
    """Return the tables with these numbers, at most as many as a batch changes."""
    return books._rows(TableRow, f"WHERE id IN ({', '.join('?' * len(ids))})", *ids) if ids else []
