"""Questions about casinos, the places where they speak, and their tables."""

from storage.rows import CasinoRow, PlaceRow, TableRow
from storage.store import Reader


def casinos(books: Reader) -> list[CasinoRow]:
    """All casinos."""
    return books._rows(CasinoRow)


def places(books: Reader) -> list[PlaceRow]:
    """All places of all platforms."""
    return books._rows(PlaceRow)


def tables(books: Reader) -> list[TableRow]:
    """All tables, closed ones too."""
    return books._rows(TableRow)


def casino(books: Reader, id: int) -> CasinoRow | None:
    """The casino of that number."""
    return books._first(CasinoRow, "WHERE id = ?", id)


def place(books: Reader, platform: str, address: str) -> PlaceRow | None:
    """The place of that address."""
    return books._first(PlaceRow, "WHERE platform = ? AND address = ?", platform, address)


def tables_in(books: Reader, casino: int) -> list[TableRow]:
    """A casino's tables that are not closed."""
    return books._rows(TableRow, "WHERE casino = ? AND status <> 'closed'", casino)
