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


def casino_of_table(books: Reader, table: int) -> int | None:
    """Where a table is; None for one that there is not."""
    return next((int(casino) for (casino,) in books._select("SELECT casino FROM tables WHERE id = ?", table)), None)


def banning(books: Reader, player: int) -> list[int]:
    """The casinos that keep somebody from playing, wherever they lie."""
    sql = f"SELECT id FROM casinos WHERE {books._text_in('state', 'banned', str(player))} IS NOT NULL"
    return [int(id) for (id,) in books._select(sql)]
