"""The books on disk: open, migrate, load, write, back up. One connection writes, in one transaction a batch.

Its boundary is narrow on purpose: `balance`, `answers`, `write` and a few reads.
"""

import fcntl
import os
import sqlite3
import threading
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from storage.ledger import Draft
from storage.rows import TABLES, IdentityRow, Row

FILE = "ridotto.sqlite3"
LOCK = "lock"
# What the name of a copy ends with until it is whole.
PARTIAL = ".partial"
APPLICATION_ID = 0x1D0770
CACHE_KIB = 32 * 1024
# A page that many batches change is carried home once: 32 MiB of log between checkpoints.
CHECKPOINT_PAGES = 8192
R = TypeVar("R", bound=Row)

migrations = Migrations("ridotto")


class BooksError(Exception):
    """The books cannot be opened or copied; the sentence says why and what to do."""


@migrations()
def first_schema(db: Database) -> None:
    """Balances are kept beside the postings, in the same transaction, and can be recomputed from them."""
    schema = """
        CREATE TABLE casinos (id INTEGER PRIMARY KEY, name TEXT NOT NULL, state TEXT NOT NULL, founded REAL NOT NULL);
        CREATE TABLE players (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, language TEXT NOT NULL, state TEXT NOT NULL,
            joined REAL NOT NULL);
        CREATE TABLE identities (
            platform TEXT NOT NULL, name TEXT NOT NULL, player INTEGER NOT NULL REFERENCES players,
            PRIMARY KEY (platform, name)) WITHOUT ROWID;
        CREATE TABLE members (
            casino INTEGER NOT NULL REFERENCES casinos, player INTEGER NOT NULL REFERENCES players,
            joined REAL NOT NULL, state TEXT NOT NULL, PRIMARY KEY (casino, player)) WITHOUT ROWID;
        CREATE TABLE tables (
            id INTEGER PRIMARY KEY, casino INTEGER NOT NULL REFERENCES casinos, game TEXT NOT NULL,
            status TEXT NOT NULL, state TEXT NOT NULL);
        CREATE TABLE places (
            platform TEXT NOT NULL, address TEXT NOT NULL, casino INTEGER NOT NULL REFERENCES casinos,
            table_id INTEGER REFERENCES tables, home INTEGER NOT NULL DEFAULT 0,
            PRIMARY KEY (platform, address)) WITHOUT ROWID;
        CREATE TABLE hands (
            id INTEGER PRIMARY KEY, casino INTEGER NOT NULL REFERENCES casinos,
            table_id INTEGER NOT NULL REFERENCES tables, game TEXT NOT NULL,
            status TEXT NOT NULL CHECK (status IN ('betting', 'playing', 'over', 'void')),
            seed BLOB NOT NULL, deal TEXT NOT NULL, opened REAL NOT NULL, closed REAL);
        CREATE INDEX open_hands ON hands (status) WHERE status IN ('betting', 'playing');
        CREATE TABLE moves (
            hand INTEGER NOT NULL REFERENCES hands, number INTEGER NOT NULL, move TEXT NOT NULL, at REAL NOT NULL,
            PRIMARY KEY (hand, number)) WITHOUT ROWID;
        CREATE TABLE accounts (
            name TEXT PRIMARY KEY, balance INTEGER NOT NULL,
            CHECK (balance >= 0 OR name LIKE 'bank:%' OR name LIKE 'mint:%')) WITHOUT ROWID;
        CREATE TABLE postings (
            id INTEGER PRIMARY KEY, at REAL NOT NULL, debit TEXT NOT NULL, credit TEXT NOT NULL,
            amount INTEGER NOT NULL CHECK (amount > 0), why TEXT NOT NULL, hand INTEGER REFERENCES hands, event TEXT,
            CHECK (debit <> credit), UNIQUE (hand, event));
        CREATE INDEX postings_by_debit ON postings (debit, id);
        CREATE INDEX postings_by_credit ON postings (credit, id);
        CREATE TRIGGER postings_stay BEFORE UPDATE ON postings BEGIN SELECT RAISE(ABORT, 'postings never change'); END;
        CREATE TRIGGER postings_remain BEFORE DELETE ON postings BEGIN SELECT RAISE(ABORT, 'postings never go'); END;
        CREATE TABLE answers (key TEXT PRIMARY KEY, answer TEXT NOT NULL, at REAL NOT NULL) WITHOUT ROWID;
        CREATE INDEX answers_by_age ON answers (at);
        CREATE TABLE results (
            hand INTEGER NOT NULL REFERENCES hands, player INTEGER NOT NULL REFERENCES players,
            casino INTEGER NOT NULL, game TEXT NOT NULL, wagered INTEGER NOT NULL, returned INTEGER NOT NULL,
            at REAL NOT NULL, PRIMARY KEY (player, hand)) WITHOUT ROWID;
        CREATE TABLE audit (
            id INTEGER PRIMARY KEY, at REAL NOT NULL, casino INTEGER NOT NULL, who INTEGER NOT NULL, act TEXT NOT NULL,
            subject TEXT NOT NULL, reason TEXT NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL);
        CREATE INDEX audit_by_casino ON audit (casino, id);
    """
    # One statement a time: sqlite3's executescript would commit the transaction that the migration stands in.
    for statement in schema.strip().split(";\n"):
        db.execute(statement)


@migrations()
def notes_of_platforms(db: Database) -> None:
    db.execute(
        "CREATE TABLE notes (platform TEXT NOT NULL, name TEXT NOT NULL, value TEXT NOT NULL,"
        " PRIMARY KEY (platform, name)) WITHOUT ROWID"
    )


@migrations()
def answers_in_order(db: Database) -> None:
    """Answers are appended, oldest first, and found by a small index: random keys spread over few pages."""
    for statement in (
        "CREATE TABLE appended (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, answer TEXT NOT NULL,"
        " at REAL NOT NULL)",
        "INSERT INTO appended (key, answer, at) SELECT key, answer, at FROM answers ORDER BY at",
        "DROP TABLE answers",
        "ALTER TABLE appended RENAME TO answers",
    ):
        db.execute(statement)


@migrations()
def wins_in_order(db: Database) -> None:
    """The biggest wins of a casino, and its latest, without a look at all the hands it ever had."""
    db.execute("CREATE INDEX wins_by_size ON results (casino, returned - wagered) WHERE returned > wagered")
    db.execute("CREATE INDEX wins_by_time ON results (casino, at) WHERE returned > wagered")


@migrations()
def results_by_hand(db: Database) -> None:
    """Results lie in the order of their hands; a player's latest, and a day's biggest wins, are found by indexes."""
    for statement in (
        "CREATE TABLE ordered (hand INTEGER NOT NULL REFERENCES hands, player INTEGER NOT NULL REFERENCES players,"
        " casino INTEGER NOT NULL, game TEXT NOT NULL, wagered INTEGER NOT NULL, returned INTEGER NOT NULL,"
        " at REAL NOT NULL, PRIMARY KEY (hand, player)) WITHOUT ROWID",
        "INSERT INTO ordered SELECT hand, player, casino, game, wagered, returned, at FROM results ORDER BY hand",
        "DROP TABLE results",
        "ALTER TABLE ordered RENAME TO results",
        "CREATE INDEX results_by_player ON results (player, casino, at)",
        "CREATE INDEX wins_by_size ON results (casino, returned - wagered) WHERE returned > wagered",
        "CREATE INDEX wins_by_day ON results (casino, CAST(at / 86400 AS INTEGER), returned - wagered, at)"
        " WHERE returned > wagered",
    ):
        db.execute(statement)


@migrations()
def sums_of_results(db: Database) -> None:
    """What a player's results come to, by casino and game: kept with each result, so that no question adds them up."""
    for statement in (
        "CREATE TABLE sums (player INTEGER NOT NULL, casino INTEGER NOT NULL, game TEXT NOT NULL,"
        " hands INTEGER NOT NULL, wagered INTEGER NOT NULL, returned INTEGER NOT NULL, best INTEGER NOT NULL,"
        " PRIMARY KEY (player, casino, game)) WITHOUT ROWID",
        "INSERT INTO sums SELECT player, casino, game, count(*), sum(wagered), sum(returned), max(returned - wagered)"
        " FROM results GROUP BY player, casino, game",
        "CREATE TRIGGER results_add_up AFTER INSERT ON results BEGIN"
        " INSERT INTO sums VALUES (new.player, new.casino, new.game, 1, new.wagered, new.returned,"
        " new.returned - new.wagered) ON CONFLICT (player, casino, game) DO UPDATE SET hands = hands + 1,"
        " wagered = wagered + excluded.wagered, returned = returned + excluded.returned,"
        " best = max(best, excluded.best);"
        " END",
    ):
        db.execute(statement)


def _insert(kind: type[Row]) -> str:
    table, keys = TABLES[kind]
    names = kind._fields
    sql = f"INSERT INTO {table} ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"
    if keys:
        changes = ", ".join(f"{name} = excluded.{name}" for name in names[keys:])
        sql += f" ON CONFLICT ({', '.join(names[:keys])}) DO UPDATE SET {changes}"
    return sql


_INSERTS = {kind: _insert(kind) for kind in TABLES}
_BALANCE = "INSERT INTO accounts VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET balance = excluded.balance"


class OpenHand(NamedTuple):
    """A hand that takes bets or is being played."""

    id: int
    status: str
    seed: bytes
    opened: float


class Reader:
    """What the books say. It never writes."""

    def __init__(self, db: Database) -> None:
        self.db = db

    def rows(self, kind: type[R], where: str = "", *values: object) -> list[R]:
        """Rows of one table; `where` is SQL after the table's name, written by us and never by a user."""
        names = ", ".join(kind._fields)
        table, _keys = TABLES[cast(type[Row], kind)]
        found = self.select(f"SELECT {names} FROM {table} {where}", *values)
        return [kind(*row) for row in found]

    def first(self, kind: type[R], where: str, *values: object) -> R | None:
        return next(iter(self.rows(kind, f"{where} LIMIT 1", *values)), None)

    def balance(self, account: str) -> int:
        found = self.select("SELECT balance FROM accounts WHERE name = ?", account)
        return int(found[0][0]) if found else 0

    def open_hands(self) -> dict[int, OpenHand]:
        """By number, and without their deals: there may be thousands."""
        sql = "SELECT id, status, seed, opened FROM hands WHERE status IN ('betting', 'playing')"
        return {row[0]: OpenHand(*row) for row in self.select(sql)}

    def select(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """A report that is no single table's rows: sums, leaderboards. SQL is ours, values are bound."""
        return self.db.execute(sql, list(values)).fetchall()


class Books(Reader):
    """An open data folder. Belongs to one process (a lock on the folder) and, for writing, to one thread.

    Others may read: what is committed, and without waiting for a commit. On one connection they would wait for SQLite's
    own lock with Python's held, and the whole process would stand still as long as the disk takes.
    """

    def __init__(self, folder: Path) -> None:
        """Opens or makes the books. Raises BooksError: in use, damaged, foreign, or the folder cannot be written."""
        try:
            folder.mkdir(parents=True, exist_ok=True)
            self._lock = open(folder / LOCK, "w")  # noqa: SIM115  held as long as the books are open
        except OSError as fault:
            raise BooksError(f"The data folder {folder} cannot be used: {fault.strerror}.") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            self._lock.close()
            raise BooksError(f"The data folder {folder} is in use by another process: stop it first.") from None
        self.path = folder / FILE
        try:
            if not self.path.exists() and self.path.with_name(FILE + PARTIAL).exists():
                raise BooksError(f"A restore into {folder} was interrupted: run it again.")
            super().__init__(_connect(self.path))
        except BaseException:
            self._lock.close()
            raise
        self._writer = threading.get_ident()
        self._aside: sqlite3.Connection | None = None
        self._one_reader = threading.Lock()

    def close(self) -> None:
        if self._aside is not None:
            self._aside.close()
        self.db.close()
        self._lock.close()

    # The hot path

    def answers(self, keys: Iterable[str]) -> dict[str, str]:
        """{key: answer} of the updates among `keys` that were answered before."""
        wanted = list(keys)
        marks = ", ".join("?" * len(wanted))
        return dict(self.select(f"SELECT key, answer FROM answers WHERE key IN ({marks})", *wanted)) if wanted else {}

    def write(self, draft: Draft) -> None:
        """All of the draft in one durable transaction, or nothing and the database's own error."""
        self._writer = threading.get_ident()
        with self.db.atomic():
            for kind, rows in draft.rows.items():
                if rows:
                    self.db.conn.executemany(_INSERTS[kind], rows.values())
            self.db.conn.executemany(_BALANCE, draft.balances.items())

    def forget_answers(self, before: float, most: int = 5000) -> bool:
        """Updates are not repeated after days: the oldest keys go, `most` in one transaction. True: there are more."""
        oldest = self.select("SELECT id, at FROM answers ORDER BY id LIMIT ?", most)
        old = [id for id, at in oldest if at < before]
        if old:
            with self.db.atomic():
                self.db.execute("DELETE FROM answers WHERE id <= ?", [old[-1]])
        return len(old) == most

    # Reads

    def select(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        if threading.get_ident() == self._writer:
            return super().select(sql, *values)
        with self._one_reader:
            if self._aside is None:
                self._aside = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False)
                self._aside.execute("PRAGMA query_only = ON")
            return self._aside.execute(sql, values).fetchall()

    def identity(self, platform: str, name: str) -> int | None:
        """The player behind an account of a platform."""
        found = self.first(IdentityRow, "WHERE platform = ? AND name = ?", platform, name)
        return found.player if found else None

    def next_id(self, kind: type[Row]) -> int:
        return int(self.select(f"SELECT coalesce(max(id), 0) + 1 FROM {TABLES[kind][0]}")[0][0])

    def back_up(self, target: Path) -> None:
        copy(self.path, target)


def read(path: Path, sql: str, *values: object) -> list[tuple[Any, ...]]:
    """A report for who is not the writer: a connection of its own, which can only read what is committed."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as reading:
        return reading.execute(sql, values).fetchall()


def copy(source: Path, target: Path) -> None:
    """A consistent copy while others write (SQLite's online backup). Never overwrites. Raises BooksError."""
    if not source.exists():
        raise BooksError(f"There are no books at {source}.")
    if target.exists():
        raise BooksError(f"{target} exists already: name a new file.")
    partial = target.with_name(target.name + PARTIAL)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(source)) as reading, closing(sqlite3.connect(partial)) as writing:
            _check_file(reading, source)
            reading.backup(writing)
            # One file that stands alone, whatever folder it is carried to: no log beside it.
            writing.execute("PRAGMA journal_mode = DELETE")
        os.replace(partial, target)
    except (OSError, sqlite3.Error) as fault:
        raise BooksError(f"The copy to {target} failed: {fault}.") from None
    finally:
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def restore(source: Path, folder: Path) -> None:
    """Make `source`, a backup, the books of a folder that has none. Raises BooksError.

    An interrupted one leaves no books there, none can be opened there until it is run again, and it may be.
    """
    if folder.exists() and (not folder.is_dir() or any(not _is_left_over(one) for one in folder.iterdir())):
        raise BooksError(f"{folder} is not empty: name a new folder, so that no books are lost.")
    copy(source, folder / FILE)


def _is_left_over(file: Path) -> bool:
    """Of a restore that was interrupted, and of a house that would not open there then."""
    return file.name.startswith(FILE + PARTIAL) or file.name == LOCK


@contextmanager
def reading(path: Path) -> Iterator[Reader]:
    """The books as they are at this moment, whoever holds and writes them meanwhile. Raises BooksError."""
    if not path.is_file():
        raise BooksError(f"There are no books at {path}.")
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as conn:
            _check_application(conn, path)
            conn.execute("PRAGMA query_only = ON")
            db = Database(conn, execute_plugins=False)
            if migrations.pending(db):
                raise BooksError(f"{path} is of an older Ridotto: start the house once, which brings it up to date.")
            conn.execute("BEGIN")
            yield Reader(db)
    except sqlite3.Error as fault:
        raise BooksError(f"{path} cannot be read ({fault}): restore a backup; the file was left as it is.") from None


def _connect(path: Path) -> Database:
    try:
        # The pit's thread uses what another thread opened; only one ever writes.
        conn = sqlite3.connect(path, isolation_level=None, check_same_thread=False, cached_statements=256)
    except sqlite3.Error as fault:
        raise BooksError(f"{path} cannot be opened: {fault}.") from None
    try:
        if _is_blank(conn):
            # First of all: whenever the process ends, what lies there is known to be ours.
            conn.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        else:
            _check_file(conn, path)
        db = Database(conn, execute_plugins=False)
        _check_age(db, path)
        conn.execute("PRAGMA journal_mode = WAL")
        conn.execute("PRAGMA synchronous = FULL")
        conn.execute("PRAGMA foreign_keys = ON")
        conn.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        conn.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        with db.atomic():  # the table that counts the steps as well: all of an upgrade, or nothing
            migrations.apply(db)
    except sqlite3.DatabaseError as fault:
        conn.close()
        raise BooksError(f"{path} cannot be read ({fault}): restore a backup; the file was left as it is.") from None
    except BaseException:
        conn.close()
        raise
    return db


def _is_blank(conn: sqlite3.Connection) -> bool:
    """Nothing was ever committed to it. A process that was killed over its first page left a journal, which SQLite has
    rolled back when it tells the number of pages; the size of the file would not tell."""
    try:
        return bool(conn.execute("PRAGMA page_count").fetchone() == (0,))
    except sqlite3.DatabaseError:
        return False


def _check_file(conn: sqlite3.Connection, path: Path) -> None:
    """Refuses a file that is no SQLite database, another program's, or damaged."""
    _check_application(conn, path)
    try:
        (fault,) = conn.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as damage:
        fault = damage
    if fault != "ok":
        raise BooksError(f"{path} is damaged ({fault}): restore a backup; the file was left as it is.")


def _check_application(conn: sqlite3.Connection, path: Path) -> None:
    try:
        (application,) = conn.execute("PRAGMA application_id").fetchone()
    except sqlite3.DatabaseError as damage:
        raise BooksError(f"{path} is not a database of Ridotto ({damage}); it was left as it is.") from None
    if application != APPLICATION_ID:
        raise BooksError(f"{path} belongs to another program; it was left as it is.")


def _check_age(db: Database, path: Path) -> None:
    """Books that a newer version has changed would be misread."""
    with closing(Database(memory=True, execute_plugins=False)) as empty:
        known = {migration.name for migration in migrations.pending(empty)}
    newer = [applied.name for applied in migrations.applied(db) if applied.name not in known]
    if newer:
        raise BooksError(f"{path} was written by a newer Ridotto ({newer[-1]}): use that one, or restore a backup.")
