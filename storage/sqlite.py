"""The books in a folder, by SQLite: open, migrate, load, write, back up. The embedded default.

One connection writes, in one transaction a batch. What is particular to SQLite is here.
"""

import itertools
import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO, Any, TypeVar

from storage import restored, system
from storage.faults import BooksError, BooksGone, LeaseLost, RowsRefused, why_unknown
from storage.integrity import (
    WITNESS,
    BatchCounter,
    Testimony,
    find_gone,
    find_shortage,
    is_hidden_by_log,
    read_state,
    read_witness,
)
from storage.ledger import Draft
from storage.log import KEPT_BYTES, Stamp, WriteAheadLog, log_of, size_of, stamp
from storage.rows import AMOUNTS, COLUMNS, TABLES, AuditRow, NoteRow, Row
from storage.sqlite_faults import LOSSES, REFUSALS, explain, hint_of_unopened
from storage.sqlite_library import Database
from storage.sqlite_schema import NAMED_CASINO, migrations
from storage.store import Books, FrontBooks, Node, Reader, Size, Store, Waits, opened

FILE = "ridotto.sqlite3"
LOCK = "lock"
# Suffix of a copy until it is complete.
PARTIAL = ".partial"
APPLICATION_ID = 0x1D0770
# Cache for loading, in which every page is read once.
LOADING_KIB, CACHE_KIB = 2 * 1024, 32 * 1024
# How long to wait for another program's lock on the books, and when to log it. Each try takes a moment.
HELD = "another program has locked the books"
HELD_S, TOLD_AFTER_S, TRY_MS = 30.0, 3.0, 250
MOST_PAGES_IN_MEMORY = 128 * 1024
R = TypeVar("R", bound=Row)
_log = logging.getLogger("ridotto.books")


def _insert(kind: type[Row]) -> str:
    table, keys = TABLES[kind]
    names = kind._fields
    sql = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    if keys:
        changes = ", ".join(f"{name} = excluded.{name}" for name in names[keys:])
        sql += f" ON CONFLICT ({', '.join(names[:keys])}) DO UPDATE SET {changes}"
    return sql


_INSERTS = {kind: _insert(kind) for kind in TABLES}
_COUNTED = "UPDATE books SET batch = batch + 1, at_home = ? WHERE epoch = ?"
_BALANCE = "INSERT INTO accounts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET balance = excluded.balance"


_TAKEN = "Another process has opened {path}. This process has stopped."
_CUT = "was cut short"
TRIGGERS = {
    "postings_stay": "keeps postings as they were written",
    "postings_remain": "keeps postings as they were written",
    "results_add_up": "adds results up",
    "log_entries_stay": "keeps entries of logs as they were written",
    "log_entries_remain": "keeps entries of logs as they were written",
}
# Connections to files that are no longer at their path; never closed.
_GIVEN_UP: list[Database] = []


class SqliteReader(Reader):
    """A connection of SQLite's, independent of the writer."""

    _named_casino = NAMED_CASINO
    _join_after = "CROSS JOIN"
    _least, _greatest, _is_json = "min", "max", "json_valid"

    def __init__(self, db: Database) -> None:
        self.db = db

    def faults_of_store(self) -> Iterator[str]:
        """Yield faults of pages, references, triggers and types."""
        for (fault,) in self._select("PRAGMA integrity_check(20)"):
            if fault != "ok":
                yield f"The file is damaged: {fault}."
        for table, row, parent, _key in self._select("PRAGMA foreign_key_check"):
            yield f"Row {row} of {table} refers to a missing row of {parent}."
        there = {name for (name,) in self._select("SELECT name FROM sqlite_master WHERE type = 'trigger'")}
        for trigger, use in TRIGGERS.items():
            if trigger not in there:
                yield f"The trigger {trigger}, which {use}, is missing."
        yield from self._wrong_types()

    def _wrong_types(self) -> Iterator[str]:
        """List tables that accept any type, and values in them that are no whole number of minor units."""
        strict = {name: is_strict for _schema, name, *_kind, is_strict in self._select("PRAGMA table_list")}
        for table in (*COLUMNS, "sums"):
            if table not in strict or strict[table]:
                continue
            yield f"Table {table} accepts values of any type."
            for column in AMOUNTS.get(table, ()):
                wrong = f"SELECT count(*), min({column}) FROM {table} WHERE typeof({column}) <> 'integer'"
                ((count, one),) = self._select(wrong)
                if count:
                    yield f"{count} rows of {table} have no whole number as {column}, for example {one}."

    def _select(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self._losses_told():
            return self._fetch(sql, values)

    def _fetch(self, sql: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        return self.db.conn.execute(sql, values).fetchall()

    def _stream(self, sql: str) -> Iterator[tuple[Any, ...]]:
        with self._losses_told():
            yield from self.db.execute(sql)

    @contextmanager
    def _losses_told(self) -> Iterator[None]:
        try:
            yield
        except LOSSES as fault:
            raise self.lose(BooksGone(self._explain(fault))) from fault

    def _explain(self, fault: BaseException) -> str:
        return explain(fault)

    @staticmethod
    def _whole(number: str) -> str:
        return f"CAST({number} AS INTEGER)"

    @staticmethod
    def _text_in(column: str, *path: str) -> str:
        return f"json_extract({column}, '$.{'.'.join(path)}')"

    @staticmethod
    def _number_in(column: str, *path: str) -> str:
        return SqliteReader._text_in(column, *path)

    @staticmethod
    def _by(index: str) -> str:
        return f"INDEXED BY {index}"


class SqliteBooks(SqliteReader, Books):
    """An open data folder. A lock on it keeps other processes out.

    Others may read: what is committed, and without waiting for a commit. On one connection they would wait for SQLite's
    own lock with Python's held, and the whole process would stand still as long as the disk takes.
    """

    def __init__(self, folder: Path) -> None:
        """Open the books, or create them.

        Raises BooksError: in use, damaged, foreign, incomplete, or the folder cannot be written.
        """
        self.folder, self.path = folder, folder / FILE
        self._lock = _take_lock(folder)
        try:
            if not self.path.exists() and self.path.with_name(FILE + PARTIAL).exists():
                raise BooksError(f"A restore into {folder} was interrupted. Run it again.")
            super().__init__(_connect(self.path))
            self._begin()
        except BaseException:
            self._lock.close()
            raise
        self._writer, self._is_closing = threading.get_ident(), False
        self._aside: sqlite3.Connection | None = None
        self._checking: sqlite3.Connection | None = None
        self._check_lock = threading.Lock()
        self._one_reader = threading.Lock()
        # The largest number of each kind ever given.
        self.on_gone: Callable[[BooksGone], None] = lambda gone: None

    def _begin(self) -> None:
        """Mark the main file as open, so that it is not taken for whole without its log."""
        try:
            state = read_state(self.db.conn)
            assert state is not None
            self.batch, self._epoch, self.is_lost = state.batch, state.epoch + 1, False
            self.is_checked = state.is_checked and not state.is_open
            self.is_new = not state.epoch and not self.db.execute("SELECT 1 FROM casinos LIMIT 1").fetchone()
            self._witness = BatchCounter(self.path.parent, Testimony(state.identity, state.batch))
            with self.db.atomic():
                self.db.execute("UPDATE books SET epoch = ?, is_open = 1", [self._epoch])
            self._log = WriteAheadLog(self.path, lambda: self.batch)
            self._log.carry_home(all_of_it=True)
            files = (self.path, log_of(self.path), *(self.path.with_name(name) for name in (LOCK, WITNESS)))
            self.db.execute(f"PRAGMA busy_timeout = {TRY_MS}")
            self._files = {file: _file_behind(file) for file in files}
        except (OSError, sqlite3.Error) as fault:
            self.db.close()
            raise _unreadable(self.path, fault) from None

    def close(self) -> None:
        """Move the log into the main file, and mark that as complete by itself.

        A batch that is waiting for another program gives up.
        """
        self._is_closing = True
        self._end_check()
        self._log.wait()
        if not self.is_lost:
            self._end()
        self._log.close()
        if self._aside is not None:
            self._aside.close()
        if self.is_lost:
            # SQLite would delete files by name, and other files may be there now.
            _GIVEN_UP.append(self.db)
        else:
            self.db.close()
            self._log.files.close()
        self._witness.close()
        self._lock.close()

    def _end(self) -> None:
        """Mark the books as closed, last of all, once nothing is in the log alone.

        Where the disk takes no more, the log stays with all that it has.
        """
        with suppress(*LOSSES):
            if self._is_ours() and self._log.carry_home(all_of_it=True):
                closed = "UPDATE books SET is_open = 0, at_home = batch, is_checked = ? WHERE epoch = ?"
                self.db.execute(closed, [self.is_checked, self._epoch])

    def answers(self, keys: Iterable[str]) -> dict[str, str]:
        wanted = list(keys)
        marks = ", ".join("?" * len(wanted))
        return dict(self._select(f"SELECT key, answer FROM answers WHERE key IN ({marks})", *wanted)) if wanted else {}

    def write(self, draft: Draft) -> None:
        """Write a draft with one statement a table, in one transaction."""
        self._writer = threading.get_ident()
        try:
            self._run_batch(lambda: self._insert(draft))
        except REFUSALS as fault:
            raise RowsRefused(str(fault)) from fault
        except LOSSES as fault:
            raise self.lose(BooksGone(self._explain(fault))) from fault

    def _insert(self, draft: Draft) -> None:
        conn = self.db.conn
        for kind, rows in draft.rows.items():
            if rows:
                conn.executemany(_INSERTS[kind], rows.values())
        if draft.balances:
            conn.executemany(_BALANCE, draft.balances.items())

    def forget_answers(self, before: float, most: int = 5000) -> bool:
        """Delete old answers by their numbers: the oldest are next to each other."""
        oldest = self._select("SELECT id, at FROM answers ORDER BY id LIMIT ?", most)
        old = [id for id, at in oldest if at < before]
        if old:
            with self._losses_told():
                self._run_batch(lambda: self.db.execute("DELETE FROM answers WHERE id <= ?", [old[-1]]))
        return len(old) == most

    def _run_batch(self, write: Callable[[], object]) -> None:
        """Run a counted transaction; refused where another process has opened these books since.

        Statement by statement, because the library's own transactions cost a bet as much as two of its rows.
        """
        began, is_told = system.elapsed_s(), False
        while not self._try_batch(write, is_patient=system.elapsed_s() < began + HELD_S):
            self.held_up = HELD
            if not is_told and system.elapsed_s() >= began + TOLD_AFTER_S:
                is_told = True
                _log.warning(
                    "another program has locked %s; no command is answered until it ends, for at most %.0f s",
                    self.path,
                    HELD_S,
                )
        self.held_up = None
        if is_told:
            _log.warning("%s is unlocked again", self.path)

    def _try_batch(self, write: Callable[[], object], *, is_patient: bool) -> bool:
        """Try a transaction; False while another program has the books locked. An impatient try raises instead."""
        conn = self.db.conn
        with self._log.turn:
            if self._is_closing:
                raise BooksGone(f"{self.path} was closed while another program had locked it.")
            if self.is_lost:
                raise BooksGone(f"{self.path} is incomplete.")
            conn.execute("BEGIN")
            try:
                if conn.execute(_COUNTED, (self._log.at_home, self._epoch)).rowcount != 1:
                    raise self.lose(LeaseLost(_TAKEN.format(path=self.path)))
                self._log.tail.note_emptied()
                write()
                conn.execute("COMMIT")
            except BaseException as fault:
                conn.rollback()
                if is_patient and getattr(fault, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
                    return False
                raise
            if is_whole := self._log.tail.follow():
                self.batch += 1
                self._witness.write(self.batch)
        if not is_whole:
            raise self.lose(BooksGone(self._tell_loss(log_of(self.path), _CUT)))
        return True

    def end_loading(self) -> None:
        """Keep as many pages in memory as commands need."""
        self.db.conn.execute(f"PRAGMA cache_size = -{CACHE_KIB}")

    def tend(self, now: float) -> None:
        """Check the books and move the log into the main file."""
        self.check()
        with self._losses_told():
            self._log.tend(now)

    def check(self) -> None:
        """Raise BooksGone if a file was deleted, replaced or cut short."""
        with self._losses_told():
            self._log.check()
            if not self._is_ours():
                raise self.lose(LeaseLost(_TAKEN.format(path=self.path)))
            if harm := self._find_harm():
                raise self.lose(BooksGone(harm))
            if not self._log.is_moving and stamp(self.path) != self._log.home and not self._log.find_carried():
                raise self.lose(BooksGone(self._tell_loss(self.path, "was written by another program")))

    def check_integrity(self) -> None:
        """Read the whole file once, in the calling thread; damage ends the process by `lose`."""
        if self.is_checked:
            return
        with self._check_lock:
            try:
                with _looking(self.path) as self._checking:
                    _check_file(self._checking, self.path)
                self.is_checked = True
            except BooksError as fault:
                if not self._is_closing:
                    self.lose(BooksGone(str(fault)))
            finally:
                self._checking = None

    def _end_check(self) -> None:
        """Interrupt an integrity check that is under way: it keeps the log from being emptied."""
        while not self._check_lock.acquire(timeout=0.01):
            with suppress(sqlite3.ProgrammingError):
                if (conn := self._checking) is not None:
                    conn.interrupt()
        self._check_lock.release()

    def _find_harm(self) -> str | None:
        """Return what was done to the files, as a sentence, or None. Thread-safe."""
        for file, was in self._files.items():
            if _file_behind(file) != was:
                return self._tell_loss(file, "was deleted or replaced")
        return self._tell_loss(log_of(self.path), _CUT) if self._log.is_cut() else None

    def _explain(self, fault: BaseException) -> str:
        """Explain a fault: a reader may be the first to notice what was done to the files."""
        return self._find_harm() or explain(fault)

    def _is_ours(self) -> bool:
        return bool(self.db.execute("SELECT epoch FROM books").fetchone() == (self._epoch,))

    def _tell_loss(self, file: Path, fate: str) -> str:
        """Return the sentence on a lost file.

        Books that are gone for others are still open here: they are saved, if they are still whole.
        """
        sentence = f"{file} {fate} while the casino was running. The casino has stopped."
        if file.name in (LOCK, WITNESS):
            return f"{sentence} A second process could have started; start it again."
        try:
            with self._log.turn:
                # Nothing is written from now on.
                self.is_lost = True
                saved = self._save()
        except (sqlite3.Error, OSError, BooksError):
            return f"{sentence} Put back what was there, or restore a backup into a new folder."
        return f"{sentence} All that was acknowledged is in {saved}: `ridotto --data NEW-FOLDER restore {saved}`."

    def _save(self) -> Path:
        names = (f"saved-{number}.sqlite3" for number in itertools.count(1))
        target = next(file for file in map(self.path.with_name, names) if not file.exists())
        ((pages,),) = self.db.conn.execute("PRAGMA page_count").fetchall()
        # Memory may still hold what a cut log has lost: copy it first.
        self.db.conn.execute(f"PRAGMA cache_size = {min(pages, MOST_PAGES_IN_MEMORY) + CACHE_KIB}")
        with _making(target) as partial:
            _check_file(self.db.conn, self.path)
            _fill(partial, self.db.conn)
        return target

    def _fetch(self, sql: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        if threading.get_ident() == self._writer:
            return super()._fetch(sql, values)
        with self._one_reader:
            if self._aside is None:
                # A missing file is not created again.
                there = f"{self.path.absolute().as_uri()}?mode=rw"
                self._aside = sqlite3.connect(there, uri=True, isolation_level=None, check_same_thread=False)
                self._aside.execute("PRAGMA query_only = ON")
            return self._aside.execute(sql, values).fetchall()

    def size(self) -> Size:
        return Size(stamp(self.path)[2], size_of(self.path))

    @contextmanager
    def snapshot(self) -> Iterator[Reader]:
        """Open a reader on a connection of its own; a failed read stops the casino, as any read does."""
        try:
            with reading(self.path) as reader:
                yield reader
        except BooksError as fault:
            cause = fault.__cause__
            said = self._explain(cause) if cause is not None else self._find_harm() or str(fault)
            raise self.lose(BooksGone(said)) from fault


def copy(source: Path, target: Path, *, is_restored: bool = False, with_key: bool = True) -> None:
    """Make a consistent copy while others write (SQLite's online backup), with the signing key or without. Never
    overwrites. Raises BooksError, also for incomplete books."""
    with _making(target) as partial, _looking(source) as conn:
        _check_file(conn, source)
        if loss := _find_loss(conn, source):
            raise BooksError(loss)
        _fill(partial, conn, is_restored=is_restored, with_key=with_key)


@contextmanager
def _making(target: Path) -> Iterator[Path]:
    """Yield the path of a partial file, which gets its name only once it is complete."""
    if target.exists():
        raise BooksError(f"{target} already exists. Use a new file name.")
    partial = target.with_name(target.name + PARTIAL)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        yield partial
        os.replace(partial, target)
    except OSError as fault:
        raise BooksError(f"The copy to {target} failed: {fault}.") from None
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def _fill(
    partial: Path,
    conn: sqlite3.Connection,
    audit: Iterable[AuditRow] = (),
    *,
    is_restored: bool = False,
    with_key: bool = True,
) -> None:
    """Copy the books that `conn` reads into a single file, complete without a log."""
    try:
        with closing(sqlite3.connect(partial)) as writing:
            conn.backup(writing)
            writing.execute("PRAGMA journal_mode = DELETE")
            if read_state(writing):
                writing.execute("UPDATE books SET is_open = 0, at_home = batch, is_checked = 1")
            writing.executemany(_INSERTS[AuditRow], audit)
            if is_restored:
                _note_restored(writing)
            if not with_key:
                _drop_key(writing)
            writing.commit()
    except sqlite3.Error as fault:
        raise BooksError(f"The copy to {partial} failed: {fault}.") from None


def _drop_key(conn: sqlite3.Connection) -> None:
    """Overwrite the signing key in a copy of the books."""
    conn.execute("PRAGMA secure_delete = ON")
    conn.execute("DELETE FROM signing_key")


def _note_restored(conn: sqlite3.Connection) -> None:
    largest = {
        kind: conn.execute(f"SELECT coalesce(max(id), 0) FROM {TABLES[kind][0]}").fetchone()[0]
        for kind in restored.GAPPED
    }
    named = (restored.PLATFORM, restored.NAME)
    found = conn.execute("SELECT * FROM notes WHERE platform = ? AND name = ?", named).fetchone()
    note = restored.note_of(largest, NoteRow(*found) if found else None)
    conn.execute(_INSERTS[NoteRow], note)


def restore(source: Path, folder: Path) -> None:
    """Make `source`, a backup, the books of a folder that has none. Raises BooksError.

    An interrupted restore leaves no books, and none can be opened there until it is run again, which is allowed.
    """
    _check_empty(folder)
    copy(source, folder / FILE, is_restored=True)


def take_over(source: Path, folder: Path, at: float) -> str | None:
    """Restore what is left of incomplete books, and note in each casino's audit log how far that goes.

    Returns what is missing, None where nothing is. Raises BooksError where nothing is left.
    """
    _check_empty(folder)
    with _looking(source) as conn:
        loss = _find_loss(conn, source)
        is_hidden = is_hidden_by_log(conn, source)
    with _making(folder / FILE) as partial, _looking(source, alone=is_hidden) as conn:
        _check_file(conn, source)
        if not conn.execute("SELECT 1 FROM sqlite_master WHERE name = 'casinos'").fetchone():
            raise BooksError(f"{source} contains nothing that could be taken over. Restore a backup.")
        said, left = read_witness(source.parent), read_state(conn)
        was, now = (f"batch {one.batch}" if one else "not known" for one in (said, left))
        casinos = conn.execute("SELECT id FROM casinos").fetchall() if loss else []
        audit = [AuditRow(at, id, 0, "accept loss", "books", loss or "", was, now) for (id,) in casinos]
        _fill(partial, conn, audit, is_restored=True)
    return loss


def find_loss(path: Path) -> str | None:
    """Return a sentence on what the books at `path` or their log lack, or None.

    Raises BooksError where they cannot be read.
    """
    if not path.is_file() or not path.stat().st_size:
        return find_gone(path)
    with _looking(path) as conn:
        return _find_loss(conn, path)


def _find_loss(conn: sqlite3.Connection, path: Path) -> str | None:
    """Find what the books lack. A backup has no batch counter, whatever is in the same folder."""
    return find_shortage(conn, path, read_witness(path.parent) if path.name == FILE else None)


def _check_empty(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(not _is_left_over(one) for one in folder.iterdir())):
        raise BooksError(f"{folder} is not empty. Use a new folder, so that no books are lost.")


def _file_behind(path: Path) -> Stamp:
    """Identify a file, whatever its content."""
    device, number, _size, _time = stamp(path)
    return device, number, 0, 0


def _is_left_over(file: Path) -> bool:
    """Check whether a file is left from an interrupted restore, or from a casino that refused to open there."""
    return file.name.startswith(FILE + PARTIAL) or file.name == LOCK


@contextmanager
def reading(path: Path) -> Iterator[SqliteReader]:
    """Read the store at this moment, while another process may hold and write it. Raises BooksError."""
    if not path.is_file():
        raise BooksError(f"There are no books at {path}.")
    with _looking(path) as conn:
        db = Database(conn, execute_plugins=False)
        _check_schema(db, path)
        if migrations.pending(db):
            raise BooksError(f"{path} was written by an older Ridotto. Start the casino once to upgrade it.")
        conn.execute("BEGIN")
        try:
            yield SqliteReader(db)
        except BooksGone as gone:
            raise _unreadable(path, gone.__cause__ or gone) from gone.__cause__


@contextmanager
def _looking(path: Path, *, alone: bool = False) -> Iterator[sqlite3.Connection]:
    """Yield a connection that changes nothing.

    One that may write would checkpoint and delete the log when it closes as the last, whatever is wrong with it.
    `alone`: without the log. Raises BooksError.
    """
    if not path.exists():
        raise BooksError(f"There are no books at {path}.")
    how = "mode=ro&immutable=1" if alone else "mode=ro" if size_of(path) else "mode=rw"
    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?{how}", uri=True, isolation_level=None)) as conn:
            _check_application(conn, path)
            conn.execute("PRAGMA query_only = ON")
            yield conn
    except sqlite3.Error as fault:
        raise _unreadable(path, fault) from fault


def _unreadable(path: Path, fault: BaseException) -> BooksError:
    return BooksError(f"{path} cannot be read ({fault}): {hint_of_unopened(fault)}; the file was not changed.")


def _take_lock(folder: Path) -> IO[str]:
    """Lock the folder while the returned file is open. Removing the lock file lets a second process in, which the store
    detects.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = open(folder / LOCK, "a")  # noqa: SIM115
    except OSError as fault:
        raise BooksError(f"The data folder {folder} cannot be used: {fault.strerror}.") from None
    try:
        system.lock(lock)
    except OSError:
        lock.close()
        raise BooksError(f"The data folder {folder} is in use by another process. Stop it first.") from None
    return lock


def _connect(path: Path) -> Database:
    """Connect to the books: create them where there are none, examine them before any change, bring them up to date."""
    is_new = _is_blank(path)
    if is_new and (gone := find_gone(path)):
        raise BooksError(gone)
    if not is_new:
        _look_through(path)
    try:
        # The writer's thread uses a connection that another thread opened; only one thread writes.
        conn = sqlite3.connect(
            path, timeout=HELD_S, isolation_level=None, check_same_thread=False, cached_statements=256
        )
    except sqlite3.Error as fault:
        raise _unreadable(path, fault) from None
    db = Database(conn, execute_plugins=False)
    try:
        conn.execute("PRAGMA synchronous = FULL")
        conn.execute("PRAGMA foreign_keys = ON")
        conn.execute(f"PRAGMA cache_size = -{LOADING_KIB}")
        with db.atomic():  # including the table that counts the steps: all of an upgrade, or nothing
            conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            migrations.apply(db)
        # Only now, so that new books are complete in the main file from the start.
        conn.execute("PRAGMA journal_mode = WAL")
        conn.execute("PRAGMA wal_autocheckpoint = 0")
        conn.execute(f"PRAGMA journal_size_limit = {KEPT_BYTES}")
    except sqlite3.Error as fault:
        conn.close()
        raise _unreadable(path, fault) from None
    except BaseException:
        conn.close()
        raise
    return db


def _look_through(path: Path) -> None:
    with _looking(path) as conn:
        if loss := _find_loss(conn, path):
            raise BooksError(loss)
        _check_schema(Database(conn, execute_plugins=False), path)


def _is_blank(path: Path) -> bool:
    """Check whether nothing was ever committed to a file.

    A process that was killed while it wrote the first pages leaves a journal: SQLite rolls it back when it counts the
    pages, so the file's size would not tell.
    """
    if not path.exists():
        return True
    if path.with_name(f"{path.name}-journal").exists():
        with suppress(sqlite3.Error), closing(sqlite3.connect(path)) as conn:
            conn.execute("PRAGMA page_count").fetchone()
    return path.is_file() and not path.stat().st_size


def _check_file(conn: sqlite3.Connection, path: Path) -> None:
    """Refuse a file that is no SQLite database, another program's, or damaged. Raises BooksError."""
    _check_application(conn, path)
    try:
        (fault,) = conn.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as damage:
        hint = hint_of_unopened(damage)
        raise BooksError(f"{path} is damaged or cannot be read ({damage}): {hint}; the file was not changed.") from None
    if fault != "ok":
        raise BooksError(f"{path} is damaged ({fault}). Restore a backup; the file was not changed.")


def _check_application(conn: sqlite3.Connection, path: Path) -> None:
    try:
        (application,) = conn.execute("PRAGMA application_id").fetchone()
    except sqlite3.DatabaseError as damage:
        raise BooksError(f"{path} is not a database of Ridotto ({damage}) and was not changed.") from None
    if application != APPLICATION_ID:
        raise BooksError(f"{path} belongs to another program and was not changed.")


def _check_schema(db: Database, path: Path) -> None:
    """Refuse books whose schema is not known here, such as those of a commit before 1.0: they would be misread."""
    if not db.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
        return  # A process ended while it created them.
    if refused := why_unknown(str(path), [one.name for one in migrations.applied(db)], _known_steps()):
        raise BooksError(refused)


@cache
def _known_steps() -> tuple[str, ...]:
    """Return the names of all steps: those that wait in books that are empty."""
    with closing(Database(memory=True, execute_plugins=False)) as empty:
        return tuple(migration.name for migration in migrations.pending(empty))


class SqliteStore(Store):
    """A data folder, with all its files."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.path = folder, folder / FILE

    def __str__(self) -> str:
        return str(self.path)

    def open(self, waits: Waits | None = None) -> SqliteBooks:
        """Open the books of the folder. Refused while in use, because processes cannot hand a folder over."""
        return SqliteBooks(self.folder)

    def find_nodes(self) -> list[Node]:
        raise BooksError(
            f"{self.path} belongs to one process. For a standby, move the books to a server: `ridotto move-books`."
        )

    def open_front(self, waits: Waits) -> FrontBooks:
        raise BooksError(f"{self.path} belongs to one process. For fronts, move the books to a server.")

    def is_there(self) -> bool:
        return self.path.is_file()

    def reading(self) -> AbstractContextManager[Reader]:
        return reading(self.path)

    def find_loss(self) -> str | None:
        return find_loss(self.path)

    def check_empty(self) -> None:
        _check_empty(self.folder)

    def fill(self, source: Reader, look: Callable[[Reader], None]) -> None:
        self.check_empty()
        fill_file(self.path, source, look)

    def back_up(self, target: Path, *, with_key: bool = False) -> None:
        copy(self.path, target, with_key=with_key)

    def restore(self, source: Path) -> None:
        restore(source, self.folder)

    def take_over(self, source: Path, at: float) -> str | None:
        return take_over(source, self.folder, at)


def fill_file(
    target: Path, source: Reader, look: Callable[[Reader], None] = lambda reader: None, *, with_key: bool = True
) -> None:
    """Make books in a file that stands alone, of all that `source` holds, with its signing key or without. What `look`
    raises undoes it.

    Raises BooksError.
    """
    with _making(target) as partial:
        try:
            with closing(sqlite3.connect(partial, isolation_level=None)) as conn:
                conn.execute("PRAGMA foreign_keys = ON")
                db = Database(conn, execute_plugins=False)
                with db.atomic():
                    conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                    migrations.apply(db)
                    for table, names in COLUMNS.items():
                        into = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
                        conn.executemany(into, source._stream(f"SELECT {', '.join(names)} FROM {table}"))
                    look(SqliteReader(db))
                    if not with_key:
                        _drop_key(conn)
        except sqlite3.Error as fault:
            raise BooksError(f"The copy to {target} failed: {fault}.") from None


@contextmanager
def up_to_date(source: Path) -> Iterator[Reader]:
    """Open a backup for a restore, brought up to date in a copy if its schema is older. Raises BooksError."""
    with TemporaryDirectory(prefix="ridotto-") as folder:
        copy(source, Path(folder) / FILE, is_restored=True)
        with opened(SqliteStore(Path(folder))) as books:
            yield books
