"""A failing disk: one of all queries to SQLite ends in SQLite's error.

The connections are sqlite3's own and all of our code runs; `PRAGMA`s and transaction statements do not count.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


class FailingDisk:
    """A failing disk; `asked` are the queries so far. Query `fails_at`, from 0, raises `fault`; none without it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[str] = []
        self.fails_at: int | None = None
        self.fault: Exception = io_error()
        self.is_spared = False
        disk, connect = self, sqlite3.connect

        class Connection(sqlite3.Connection):
            def execute(self, sql: str, *values: Any) -> sqlite3.Cursor:
                disk.look(sql)
                return super().execute(sql, *values)

        monkeypatch.setattr(sqlite3, "connect", lambda *args, **more: connect(*args, **more, factory=Connection))

    def look(self, sql: str) -> None:
        if self.is_spared or not sql.lstrip().startswith("SELECT"):
            return
        self.asked.append(sql)
        if self.fails_at == len(self.asked) - 1:
            raise self.fault

    def fail(self, number: int | None = 0) -> None:
        """Let the next query fail, or the one that many later. None: only count."""
        self.asked, self.fails_at = [], number

    @contextmanager
    def spared(self) -> Iterator[None]:
        """Let reads succeed meanwhile, without counting them."""
        self.is_spared = True
        yield
        self.is_spared = False

    def heal(self) -> None:
        self.fails_at = None

    @property
    def has_failed(self) -> bool:
        return self.fails_at is not None and len(self.asked) > self.fails_at


def io_error() -> sqlite3.OperationalError:
    """Return SQLite's error for a failed read."""
    fault = sqlite3.OperationalError("disk I/O error")
    fault.sqlite_errorcode, fault.sqlite_errorname = sqlite3.SQLITE_IOERR_READ, "SQLITE_IOERR_READ"
    return fault
