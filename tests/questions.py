"""Queries of the store for tests only."""

from collections.abc import Iterator

from storage.rows import COLUMNS, TABLES, PostingRow, Row
from storage.store import Reader


def rows_of_everything(books: Reader) -> Iterator[tuple[object, ...]]:
    """Yield every row with its content, kind by kind, in stored order."""
    for table, columns in COLUMNS.items():
        yield from books._stream(f"SELECT {', '.join(columns)} FROM {table}")


def answered_keys(books: Reader) -> set[str]:
    """Return the stored keys of all answered updates."""
    return {key for (key,) in books._select("SELECT key FROM answers")}


def postings_after(books: Reader, number: int) -> tuple[list[PostingRow], int]:
    """Return all postings after that number, in order, and the number of the last one."""
    names = ", ".join(PostingRow._fields)
    found = books._select(f"SELECT id, {names} FROM postings WHERE id > ? ORDER BY id", number)
    return [PostingRow(*row) for _id, *row in found], int(found[-1][0]) if found else number


def last_posting_and_sum(books: Reader) -> tuple[int, float]:
    """Return the number of the last posting, and about the sum ever moved, which may exceed any account."""
    ((last, moved),) = books._select("SELECT coalesce(max(id), 0), coalesce(sum(amount * 1.0), 0) FROM postings")
    return int(last), float(moved)


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
