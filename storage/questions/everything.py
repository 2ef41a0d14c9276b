"""Questions about the whole of the books, for who examines, compares or sums up all that is there."""

from typing import NamedTuple

from storage.rows import COLUMNS, TABLES, Row
from storage.store import Reader


class Counts(NamedTuple):
    """Numbers of accounts, postings and hands."""

    accounts: int
    postings: int
    hands: int


def counts(books: Reader) -> Counts:
    """Count accounts, postings and hands."""
    return Counts(*(int(books._select(f"SELECT count(*) FROM {name}")[0][0]) for name in Counts._fields))


def everything(books: Reader) -> list[list[tuple[object, ...]]]:
    """Return all rows and all balances, in the same order for the same books."""
    return [
        books._select(f"SELECT {', '.join(names)} FROM {table} ORDER BY {', '.join(names[:3])}")
        for table, names in COLUMNS.items()
    ]


def is_there(books: Reader, row: Row) -> bool:
    """Check whether exactly this row is in the books."""
    table, _keys = TABLES[type(row)]
    given = " AND ".join(f"{name} IS NULL" if value is None else f"{name} = ?" for name, value in row._asdict().items())
    values = [value for value in row if value is not None]
    return bool(books._select(f"SELECT 1 FROM {table} WHERE {given} LIMIT 1", *values))
