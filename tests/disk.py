"""The content of a store by SQL, for tests of the tables themselves, whatever queries there are.

And new stores made in advance.
"""

from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from storage.sqlite import FILE, SqliteBooks, _connect
from storage.store import ReadableBooks, Reader


def on_disk(books: ReadableBooks) -> SqliteBooks:
    """Return the store as SQLite's, for tests of SQLite alone."""
    assert isinstance(books, SqliteBooks)
    return books


def ask(books: Reader, sql: str, *values: object) -> list[tuple[Any, ...]]:
    return books._select(sql, *values)


def rows_of(books: Reader, kind: type[Any], where: str = "", *values: object) -> list[Any]:
    return books._rows(kind, where, *values)


def lay_new_books(folder: Path) -> None:
    """Create a new store if there is none; running all migrations would take ten times as long."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / FILE).exists():
        (folder / FILE).write_bytes(_new_books())


@cache
def _new_books() -> bytes:
    with TemporaryDirectory() as folder:
        path = Path(folder) / FILE
        _connect(path).conn.close()
        return path.read_bytes()
