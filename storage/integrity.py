"""Integrity check of the books. They count their batches, and a second file, the batch counter, has the number too.

The books may be one batch ahead of the counter, after a crash; they may never be behind it. The counter is not
flushed: it protects not from power cuts alone, but from whatever happens to the other files. Nothing here ever
changes the books.
"""

import os
import re
import sqlite3
import zlib
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from storage.log import log_of, pages_in_log, size_of

WITNESS = "witness"
_SAYS = re.compile(rb"ridotto ([0-9a-f]{32}) ([0-9]{20}) ([0-9a-f]{8})\n")
_COLUMNS = "identity, epoch, batch, at_home, is_open, is_checked"


class StoreState(NamedTuple):
    """State that the books have of themselves.

    `identity` tells them from all other books; `epoch` counts the processes that opened them, `batch` the transactions;
    `at_home` is a batch up to which the main file needs no log. `is_open` is in the main file from before the first
    batch in the log until after the last one was moved. `is_checked` is false from an unclean end until SQLite's
    integrity check has passed and the books were closed.
    """

    identity: str
    epoch: int
    batch: int
    at_home: int
    is_open: bool
    is_checked: bool


class Testimony(NamedTuple):
    """Content of the batch counter: the books had at least this many batches."""

    identity: str
    batch: int


class BatchCounter:
    """The file, held open and written in place: it needs no room on the disk, and a page of it is written whole."""

    def __init__(self, folder: Path, testimony: Testimony) -> None:
        """Create or update the batch counter and sync it to disk. Raises OSError."""
        self._identity = testimony.identity
        descriptor = os.open(folder / WITNESS, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o600)
        self._file = open(descriptor, "r+b", buffering=0)  # noqa: SIM115  held as long as the books are open
        self.write(testimony.batch)
        os.fsync(descriptor)

    def write(self, batch: int) -> None:
        says = f"ridotto {self._identity} {batch:020}".encode()
        self._file.seek(0)
        self._file.write(b"%s %08x\n" % (says, zlib.crc32(says)))

    def close(self) -> None:
        self._file.close()


def read_witness(folder: Path) -> Testimony | None:
    """Read the batch counter; None if it is missing or damaged."""
    try:
        found = _SAYS.match((folder / WITNESS).read_bytes())
    except OSError:
        return None
    if found is None or int(found[3], 16) != zlib.crc32(found[0].rpartition(b" ")[0]):
        return None
    return Testimony(found[1].decode(), int(found[2]))


def read_state(conn: sqlite3.Connection) -> StoreState | None:
    """Read the state of the books; None if they have none."""
    if not conn.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'books'").fetchone():
        return None
    identity, epoch, batch, at_home, is_open, is_checked = conn.execute(f"SELECT {_COLUMNS} FROM books").fetchone()
    return StoreState(identity, epoch, batch, at_home, bool(is_open), bool(is_checked))


def read_alone(path: Path) -> StoreState | None:
    """Read the state of the main file without its log; None if that makes no sense.

    A process that died during a checkpoint may have left half a page, which the log repairs. Raises errors of the disk.
    """
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as alone:
            found = read_state(alone)
    except (sqlite3.Error, TypeError) as fault:
        if getattr(fault, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_IOERR:
            raise
        return None
    return found if found and re.fullmatch("[0-9a-f]{32}", str(found.identity)) else None


def find_gone(path: Path) -> str | None:
    """Return why books must not be created at `path`, where there are none; None if they may."""
    said = read_witness(path.parent)
    if said is None and not size_of(path):
        return None
    held = f"{said.batch} batches" if said else "books, whose log is still there"
    return (
        f"{path} is missing or empty, but this folder contained {held}, so no new books are created here. Put the "
        f"file and its log back, or restore a backup into a new folder."
    )


def find_shortage(conn: sqlite3.Connection, path: Path, said: Testimony | None) -> str | None:
    """Return what is missing from the books at `path`, as a sentence with the remedy; None if nothing is, as far as
    known.

    `conn` reads them with their log, `said` is the content of the batch counter. Another process may be writing them:
    the counter is read before the books, and the main file last, so that each can only be behind what it is compared
    with.
    """
    found = read_state(conn)
    alone = read_alone(path)
    if found is None:
        return _find_old_shortage(conn, path, said)
    if said is not None and said.identity != found.identity:
        fault = f"{path.with_name(WITNESS)} belongs to other books than {path}"
    elif said is not None and found.batch < said.batch:
        fault = (
            f"{path} ends with batch {found.batch}, but batch {said.batch} was acknowledged: its log "
            f"({log_of(path).name}) is missing or damaged, or the file is an older copy"
        )
    elif found.is_open and not size_of(path) and not (said and _is_balanced(conn)):
        fault = (
            f"{path} was copied or left without its log ({log_of(path).name}), in which everything after batch "
            f"{found.batch} is"
        )
    elif alone is not None and (alone.identity != found.identity or alone.batch < found.at_home):
        fault = f"{path} is not the file that its log ({log_of(path).name}) was written to"
    elif _is_cut(conn, path):
        fault = f"{path} ends in the middle of a page, and its log ({log_of(path).name}) does not continue from there"
    elif said is None and found.is_open:
        fault = (
            f"{path.with_name(WITNESS)} is missing or damaged and the casino was not stopped cleanly, so it is "
            f"unknown whether {path} is complete"
        )
    else:
        return None
    return f"{fault}. {_what_to_do(path)}"


def is_hidden_by_log(conn: sqlite3.Connection, path: Path) -> bool:
    """Check whether the main file has more batches without its log, because a damaged log hides them."""
    found, alone = read_state(conn), read_alone(path)
    if found is None or alone is None:
        return False
    return alone.identity != found.identity or alone.batch > found.batch or alone.batch < found.at_home


def _is_cut(conn: sqlite3.Connection, path: Path) -> bool:
    """Check whether the main file ends within a page that its log does not have: SQLite would read the rest as zeros.

    A process that died during a checkpoint may have left half a page, which is in the log, with all after it.
    """
    ((page,),), ((pages,),) = conn.execute("PRAGMA page_size").fetchall(), conn.execute("PRAGMA page_count").fetchall()
    whole, rest = divmod(path.stat().st_size, page)
    # SQLite never writes its lock page.
    lost = {*range(whole + 1, pages + 1)} - {0x40000000 // page + 1}
    return bool(rest) and not lost <= pages_in_log(path)


def _find_old_shortage(conn: sqlite3.Connection, path: Path, said: Testimony | None) -> str | None:
    """Return a sentence on what books without a batch count lack; None if nothing can be found."""
    if said is not None:
        return f"{path.with_name(WITNESS)} belongs to other books than {path}. {_what_to_do(path)}"
    ((tables,),) = conn.execute("SELECT count(*) FROM sqlite_master").fetchall()
    if not tables and conn.execute("PRAGMA journal_mode").fetchone() == ("wal",) and not size_of(path):
        return f"{path} was copied without its log ({log_of(path).name}) and is empty without it. {_what_to_do(path)}"
    return None


def _what_to_do(path: Path) -> str:
    return (
        "The files were not changed. Put back those that belong together, or restore a backup into a new folder; "
        f"without a backup, `ridotto --data NEW-FOLDER restore --accept-loss {path}` takes over what is left."
    )


def _is_balanced(conn: sqlite3.Connection) -> bool:
    """Check that the accounts sum to zero, for books whose log is gone though no batch is missing.

    Then another program has checkpointed it, and checkpointed all of it.
    """
    ((total,),) = conn.execute("SELECT coalesce(sum(balance), 0) FROM accounts").fetchall()
    return bool(total == 0)
