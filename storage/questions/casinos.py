"""Questions about casinos, the places where they speak, and their tables: all of them, as a house loads them."""

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
