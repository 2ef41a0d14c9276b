"""The books on a PostgreSQL server: 15 or newer, one process at a time. A batch is one call of one function.

Nothing is kept in the process that the server does not have. The process that writes has the lease
(storage.postgres_lease), whose epoch every write holds in its own transaction: the next one raises it when it takes the
lease, and the other writes no more.
"""

import hashlib
import re
import secrets
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import lru_cache
from itertools import count
from pathlib import Path
from typing import Any, Final

import msgspec
import psycopg
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from storage import system
from storage.address import ServerAddress
from storage.faults import BooksError, BooksGone, LeaseLost, RowsRefused, why_unknown
from storage.ledger import Draft
from storage.moving import Look, check_moved
from storage.postgres_lease import (
    TERM_S,
    Connection,
    Lease,
    find_nodes,
    find_owner,
    lock_out,
    name_session,
)
from storage.postgres_schema import (
    COUNTED,
    FUNCTIONS,
    LEASE_LOST,
    STEPS,
    STEPS_TABLE,
    TRIGGERS,
)
from storage.rows import AMOUNTS, COLUMNS, TABLES
from storage.sqlite import fill_file, up_to_date
from storage.store import Books, Forwarding, FrontBooks, Node, ReadableBooks, Reader, Size, Store, Waits

OLDEST = 15
LOOK_EVERY_S = 1.0
SIZE_EVERY_S = 60.0
# The lease on a bot's token, which a front renews once a second, and the time by which it gives up earlier.
TOKEN_S, TOKEN_MARGIN_S = 5.0, 0.5
# Messages to fronts are kept for this long; a front that missed more reads everything again.
TOLD_KEPT_S, CLEAR_EVERY_S = 60.0, 10.0
_INBOX, _OUTBOX = "ridotto_inbox", "ridotto_outbox"
# A lost server or network is noticed within half a minute on either side, instead of after TCP's two hours.
_PATIENCE = {
    "application_name": "ridotto",
    "connect_timeout": "10",
    "keepalives_idle": "5",
    "keepalives_interval": "5",
    "keepalives_count": "3",
    "tcp_user_timeout": "20000",
}
# Settings that an operator may have changed for all databases, fixed here so that answers are on disk.
_SESSION = """
SET synchronous_commit = {commit};
SET default_transaction_isolation = 'read committed';
SET idle_session_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET statement_timeout = 0;
SET lock_timeout = 0;
SET tcp_keepalives_idle = 5;
SET tcp_keepalives_interval = 5;
SET tcp_keepalives_count = 3;
SET client_min_messages = warning;
SET standard_conforming_strings = on;
"""
_AGAIN = "and start the casino again"
_ELSE = f"check the server and the network, {_AGAIN}"
_DAMAGED = "restore a backup, because the server reports damage"
# By SQLSTATE, or its class.
_HINTS = {
    "53100": f"make room on the server's disk, {_AGAIN}",
    "53200": f"give the server more memory, {_AGAIN}",
    "53300": f"let the server take more connections, {_AGAIN}",
    "25006": f"connect to the primary server, {_AGAIN}",
    "42501": f"grant the user all rights in the schema of the books, {_AGAIN}",
    "42": "restore a backup, because parts of the books are missing",
    "XX001": _DAMAGED,
    "XX002": _DAMAGED,
}
_DIGEST = hashlib.sha256(FUNCTIONS.encode()).hexdigest()
_REFUSED_VALUE = "a value fits into no column"

_encode: Final = msgspec.json.Encoder().encode


class _Whole(Loader):
    """Loader for sums, which the server returns as numeric: whole numbers of any length."""

    def load(self, data: Buffer) -> int | float:
        text = bytes(data)
        return int(text) if text.lstrip(b"-").isdigit() else float(text)


class PostgresReader(Reader):
    """A connection to the server, for reading."""

    _named_casino = "postings.casino"
    _join_after = "JOIN"
    _least, _greatest, _is_json = "least", "greatest", "is_json"

    def __init__(self, conn: Connection, address: ServerAddress) -> None:
        self._conn, self._address = conn, address

    def faults_of_store(self) -> Iterator[str]:
        """List faults of the store apart from its own files: checksums, triggers, indexes, types, references."""
        ((failed,),) = self._select(
            "SELECT coalesce(max(checksum_failures), 0) FROM pg_stat_database WHERE datname = current_database()"
        )
        if failed:
            yield f"The server has found {failed} damaged pages in this database."
        there = {
            name
            for (name,) in self._select(
                "SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
                " WHERE relnamespace = current_schema()::regnamespace AND tgenabled IN ('O', 'A')"
            )
        }
        for trigger, use in TRIGGERS.items():
            if trigger not in there:
                yield f"The trigger {trigger}, which {use}, is missing."
        for (index,) in self._select(
            "SELECT relname FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid"
            " WHERE relnamespace = current_schema()::regnamespace AND NOT indisvalid"
        ):
            yield f"The index {index} is damaged. Run REINDEX on it."
        for table, column, kind in self._select(
            "SELECT table_name, column_name, data_type FROM information_schema.columns"
            " WHERE table_schema = current_schema() AND data_type <> 'bigint'"
        ):
            if column in AMOUNTS.get(table, ()):
                yield f"Column {column} of {table} has the type {kind}, which is not for whole numbers alone."
        yield from self._broken_references()

    def _broken_references(self) -> Iterator[str]:
        """List broken references: a restore with disabled triggers can leave them."""
        references = """
            SELECT child.relname, parent.relname, mine.attname, theirs.attname FROM pg_constraint
            JOIN pg_class AS child ON child.oid = conrelid JOIN pg_class AS parent ON parent.oid = confrelid
            JOIN pg_attribute AS mine ON mine.attrelid = conrelid AND mine.attnum = conkey[1]
            JOIN pg_attribute AS theirs ON theirs.attrelid = confrelid AND theirs.attnum = confkey[1]
            WHERE contype = 'f' AND child.relnamespace = current_schema()::regnamespace ORDER BY 1, 3"""
        for child, parent, mine, theirs in self._select(references):
            lost = f"""SELECT count(*) FROM {child} WHERE {mine} IS NOT NULL
                       AND NOT EXISTS (SELECT 1 FROM {parent} WHERE {parent}.{theirs} = {child}.{mine})"""
            if number := self._select(lost)[0][0]:
                yield f"{number} rows of {child} refer to missing rows of {parent}."

    def _select(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        with self._losses_told():
            return self._fetch(sql, values)

    def _fetch(self, sql: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        return _query(self._conn, sql, values)

    def _stream(self, sql: str) -> Iterator[tuple[Any, ...]]:
        with self._losses_told(), self._conn.transaction(), self._conn.cursor(name="stream") as cursor:
            cursor.itersize = 5000
            cursor.execute(sql)
            yield from cursor

    @contextmanager
    def _losses_told(self) -> Iterator[None]:
        try:
            yield
        except psycopg.Error as fault:
            raise self.lose(_gone(fault, self._address)) from fault

    @staticmethod
    def _whole(number: str) -> str:
        return f"CAST(floor({number}) AS BIGINT)"

    @staticmethod
    def _text_in(column: str, *path: str) -> str:
        return f"text_in({column}, {_names(path)})"

    @staticmethod
    def _number_in(column: str, *path: str) -> str:
        return f"number_in({column}, {_names(path)})"

    @staticmethod
    def _by(index: str) -> str:
        return ""


class _OpenBooks(PostgresReader, ReadableBooks):
    """The part that the writer and fronts have in common."""

    def answers(self, keys: Iterable[str]) -> dict[str, str]:
        # The server cannot store a NUL, so no such key has an answer.
        wanted = [key for key in keys if "\0" not in key]
        return dict(self._select("SELECT key, answer FROM answers WHERE key = ANY(?)", wanted)) if wanted else {}

    @contextmanager
    def snapshot(self) -> Iterator[Reader]:
        with self._openings_told(), _reading(self._address) as reader:
            yield reader

    @contextmanager
    def _openings_told(self) -> Iterator[None]:
        """Lose the books when another connection of ours cannot be opened."""
        try:
            yield
        except BooksError as fault:
            raise self.lose(BooksGone(str(fault))) from fault


class PostgresBooks(_OpenBooks, Books):
    """The books of one process, which has the lease. One connection writes, in whatever thread it did last; all other
    threads read by a second one, and a third renews the lease. Raises BooksError where they cannot be opened.
    """

    may_lapse = True

    def __init__(
        self,
        address: ServerAddress,
        folder: Path,
        *,
        waits: Waits | None = None,
        term_s: float = TERM_S,
    ) -> None:
        self.folder, self._aside = folder, None  # type: Path, Connection | None
        self._one_opens = threading.Lock()
        self.on_gone = lambda gone: None
        with _told(address):
            super().__init__(_connect(address), address)
            self._renewing = self._conn
            try:
                _check_server(self._conn, address)
                self._renewing = _connect(address)
                name_session(self._conn)
                self._lease, self.is_new = self._take_lease(waits, term_s)
                self._lease.keep_renewing(self._lose_lease)
                self._size = self._measure()
            except BaseException:
                self._conn.close()
                self._renewing.close()
                raise
        self._writer = threading.get_ident()
        self._looked = self._measured = float("-inf")

    def _take_lease(self, waits: Waits | None, term_s: float) -> tuple[Lease, bool]:
        """Return the lease, and whether the books are new. Raises BooksError where another process has them, and is not
        waited for (any longer)."""
        while True:
            with suppress(psycopg.errors.LockNotAvailable), self._conn.transaction():
                if _bring_up(self._conn, self._address):
                    lease = Lease.acquire(self._conn, self._renewing, term_s)
                    return lease, lease.epoch == 1 and not _query(self._conn, "SELECT 1 FROM casinos LIMIT 1")
            self._wait(waits)

    def _wait(self, waits: Waits | None) -> None:
        """Wait until the books are free. Raises BooksError."""
        while True:
            said = f"Another process has opened {self._address.told}, from {find_owner(self._conn).address}"
            if waits is None or not waits(said):
                raise BooksError(f"{said}: stop it first.")
            if find_owner(self._conn).is_gone:
                return

    def _lose_lease(self, fault: psycopg.Error | None) -> None:
        """Report a lost lease. Runs in the lease's own thread."""
        self.lose(_gone(fault, self._address) if fault is not None else _lease_lost(self._address))

    def lose(self, gone: BooksGone) -> BooksGone:
        """Lose the books, to another process if our lease has lapsed: that is no fault of the server."""
        return super().lose(self.lapsed() or gone)

    def lapsed(self) -> LeaseLost | None:
        return _lapsed(self._address) if self._lease.is_over else None

    def release(self) -> None:
        self._lease.release(self._conn)

    @property
    def address(self) -> ServerAddress:
        return self._address

    @property
    def epoch(self) -> int:
        return self._lease.epoch

    def open_forwarding(self) -> "PostgresForwarding":
        with self._openings_told():
            return PostgresForwarding(self)

    def close(self) -> None:
        self.release()
        self._lease.close()
        self._conn.close()
        if self._aside is not None:
            self._aside.close()

    def write(self, draft: Draft) -> None:
        """Write a draft with one statement and one round trip, whatever its size."""
        self._writer = threading.get_ident()
        try:
            batch = _pack(draft)
        except (OverflowError, UnicodeError) as fault:
            raise RowsRefused(_REFUSED_VALUE) from fault
        with self._losses_told():
            try:
                self._conn.execute("SELECT write_books($1, $2)", [batch, self._lease.epoch], prepare=True)
            except psycopg.IntegrityError as fault:
                # Without details, which quote the row and could reveal a seed.
                raise RowsRefused(fault.diag.message_primary) from None
            except psycopg.DataError as fault:
                raise RowsRefused(f"{_REFUSED_VALUE} ({fault.sqlstate})") from None

    def forget_answers(self, before: float, most: int = 5000) -> bool:
        """Delete old answers by their numbers: the oldest are next to each other."""
        oldest = self._select("SELECT id, at FROM answers ORDER BY id LIMIT ?", most)
        old = [id for id, at in oldest if at < before]
        if old:
            with self._losses_told():
                self._conn.execute("SELECT forget_answers($1, $2)", [old[-1], self._lease.epoch])
        return len(old) == most

    def tend(self, now: float) -> None:
        """Check the lease once a second and the size once a minute."""
        if now - self._looked >= LOOK_EVERY_S:
            self.check()
            self._looked = now
        if now - self._measured >= SIZE_EVERY_S:
            with self._losses_told():
                self._size = self._measure()
            self._measured = now

    def check(self) -> None:
        """Ask the server who has the lease."""
        if self._lease.is_released:
            return
        with self._losses_told():
            is_kept = self._lease.is_ours(self._conn)
        if not is_kept:
            raise self.lose(_lease_lost(self._address))

    def size(self) -> Size:
        return self._size

    def _measure(self) -> Size:
        of_tables = """SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class
                       WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"""
        return Size(int(_query(self._conn, of_tables)[0][0]), None)

    def _fetch(self, sql: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        return _query(self._reads_here(), sql, values)

    def _reads_here(self) -> Connection:
        """Return the connection for reads: the writer reads its own writes, other threads use the second connection."""
        if threading.get_ident() == self._writer:
            return self._conn
        with self._one_opens, self._openings_told():
            if self._aside is None:
                self._aside = _connect(self._address)
        return self._aside


class PostgresForwarding(Forwarding):
    """Two connections, one for each direction. Whoever has lost the lease takes nothing and says nothing."""

    def __init__(self, books: PostgresBooks) -> None:
        self._books, self._epoch = books, books.epoch
        self._hears, self._tells = _connect_to_forward(books.address), _connect_to_forward(books.address)
        _listen(self._hears, _INBOX)
        self._inbox, self._outbox = _channel(self._tells, _INBOX), _channel(self._tells, _OUTBOX)
        self._cleared = time.monotonic()

    def receive(self, timeout_s: float) -> list[tuple[str, str]]:
        with self._books._losses_told():
            _await_notice(self._hears, timeout_s)
            return _query(self._hears, "SELECT front, body FROM take_inbox(?)", [self._epoch])

    def wake(self) -> None:
        with self._books._losses_told():
            self._tells.execute("SELECT pg_notify($1, '')", [self._inbox])

    def send_bodies(self, bodies: Sequence[tuple[str, str]]) -> None:
        """Insert (front, body) rows and notify the fronts, in one transaction that is fenced by the lease."""
        fronts, texts = zip(*bodies, strict=True)
        with self._books._losses_told():
            values = [list(fronts), list(texts), self._outbox, self._epoch]
            self._tells.execute("SELECT fill_outbox($1, $2, $3, $4)", values, prepare=True)
            if time.monotonic() - self._cleared > CLEAR_EVERY_S:
                self._cleared = time.monotonic()
                self._tells.execute(
                    "DELETE FROM outbox WHERE at < clock_timestamp() - make_interval(secs => $1)", [TOLD_KEPT_S]
                )

    def close(self) -> None:
        self._hears.close()
        self._tells.close()


class PostgresFrontBooks(_OpenBooks, FrontBooks):
    """Three connections: for reads in any thread, for sending, and for hearing."""

    may_lapse = True

    def __init__(self, address: ServerAddress, folder: Path) -> None:
        self.folder = folder
        # {platform: until when its token is ours by our own clock}
        self._tokens: dict[str, float] = {}
        self.on_gone = lambda gone: None
        with _told(address):
            super().__init__(_connect(address), address)
            _check_present(self._conn, address)
            self._sends, self._hears = _connect_to_forward(address), _connect_to_forward(address)
            self._me, self._inbox = secrets.token_hex(8), _channel(self._sends, _INBOX)
            _listen(self._hears, _OUTBOX)
            ((self._heard,),) = _query(self._hears, "SELECT coalesce(max(id), 0) FROM outbox")

    def send(self, bodies: Sequence[str]) -> None:
        """Insert bodies into the inbox and notify the writer, in one transaction."""
        with self._losses_told():
            self._sends.execute(
                "WITH sent AS (INSERT INTO inbox (front, body) SELECT $1, unnest($2::text[]) RETURNING id)"
                " SELECT pg_notify($3, '') FROM sent LIMIT 1",
                [self._me, list(bodies), self._inbox],
                prepare=True,
            )

    def hold_token(self, platform: str) -> bool:
        """Take or renew the lease on a platform's token, by the server's clock."""
        began = system.elapsed_s()
        with self._losses_told():
            held = _query(
                self._sends,
                "INSERT INTO tokens VALUES (?, ?, clock_timestamp() + make_interval(secs => ?)) ON CONFLICT (platform)"
                " DO UPDATE SET front = excluded.front, until = excluded.until"
                " WHERE tokens.front = excluded.front OR tokens.until < clock_timestamp() RETURNING 1",
                [platform, self._me, TOKEN_S],
            )
        if held:
            self._tokens[platform] = began + TOKEN_S - TOKEN_MARGIN_S
        elif platform in self._tokens:
            raise self.lose(_token_lost(self._address))
        return bool(held)

    def lapsed(self) -> LeaseLost | None:
        now = system.elapsed_s()
        return _token_lost(self._address) if any(now >= until for until in [*self._tokens.values()]) else None

    def receive_bodies(self, timeout_s: float) -> list[str]:
        """Return what the outbox has for this front since the last call, waiting `timeout_s` for the first."""
        with self._losses_told():
            _await_notice(self._hears, timeout_s)
            sql = "SELECT id, body FROM outbox WHERE id > ? AND front IN ('', ?) ORDER BY id"
            told = _query(self._hears, sql, [self._heard, self._me])
        self._heard = told[-1][0] if told else self._heard
        return [body for _id, body in told]

    @contextmanager
    def newest(self) -> Iterator[Reader]:
        with self._losses_told():
            self._hears.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            yield PostgresReader(self._hears, self._address)
            self._hears.execute("COMMIT")

    def check(self) -> None:
        with _told(self._address):
            _check_present(self._conn, self._address)

    def close(self) -> None:
        with suppress(psycopg.Error):
            self._sends.execute("DELETE FROM tokens WHERE front = $1", [self._me])
        for conn in (self._conn, self._sends, self._hears):
            conn.close()


class PostgresStore(Store):
    """A schema of a database: the first of the search path, which is `public` where the address names no other.

    `term_s`: how long a lease on it lasts that is not renewed.
    """

    def __init__(self, address: ServerAddress, folder: Path, term_s: float = TERM_S) -> None:
        self.address, self.folder, self.term_s = address, folder, term_s

    def __str__(self) -> str:
        return self.address.told

    def open(self, waits: Waits | None = None) -> PostgresBooks:
        self._make_folder()
        return PostgresBooks(self.address, self.folder, waits=waits, term_s=self.term_s)

    def open_front(self, waits: Waits) -> PostgresFrontBooks:
        """Open for reading and forwarding, once there are books. Raises BooksError when `waits` returns False."""
        self._make_folder()
        with _told(self.address), _connect(self.address) as conn:
            while not _has_casino(conn, self.address):
                if not waits(f"{self} has no books of this version yet"):
                    raise BooksError(f"There are no books at {self}.")
        return PostgresFrontBooks(self.address, self.folder)

    def _make_folder(self) -> None:
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as fault:
            raise BooksError(f"The data folder {self.folder} cannot be used: {fault.strerror}.") from None

    def is_there(self) -> bool:
        with _told(self.address), _connect(self.address) as conn:
            return _steps(conn) is not None

    def reading(self) -> AbstractContextManager[Reader]:
        return _reading(self.address)

    def find_nodes(self) -> list[Node]:
        with _told(self.address), _connect(self.address) as conn:
            _check_present(conn, self.address)
            return find_nodes(conn)

    def find_loss(self) -> str | None:
        """Return None: a server keeps what it committed, and a failed read reports what it lost."""
        return None

    def check_empty(self) -> None:
        with _told(self.address), _connect(self.address) as conn:
            _check_server(conn, self.address)
            self._check_empty(conn)

    def _check_empty(self, conn: Connection) -> None:
        if _tables(conn):
            raise BooksError(f"{self} is not empty. Use a new database or schema, so that no books are lost.")

    def fill(self, source: Reader, look: Look) -> None:
        """Copy all rows of `source` in one transaction, by COPY."""
        with _told(self.address), _connect(self.address) as conn:
            _check_server(conn, self.address)
            # Committed at the end, or not at all.
            with conn.transaction():
                _wait_for_turn(conn)
                self._check_empty(conn)
                _bring_up_to_date(conn, [])
                for table, names in COLUMNS.items():
                    self._copy(conn, source, table, names)
                for table in COUNTED:
                    _query(conn, f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), max(id)) FROM {table}")
                look(PostgresReader(conn, self.address))
            conn.execute("ANALYZE")

    def _copy(self, conn: Connection, source: Reader, table: str, names: Sequence[str]) -> None:
        columns = ", ".join(names)
        try:
            with conn.cursor() as cursor, cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as rows:
                for row in source._stream(f"SELECT {columns} FROM {table}"):
                    rows.write_row(row)
        except (psycopg.DataError, psycopg.IntegrityError) as fault:
            why = fault.diag.message_primary or str(fault)
            raise BooksError(f"{self} does not accept the rows of {table} ({why}), so nothing was moved.") from None

    def back_up(self, target: Path, *, with_key: bool = False) -> None:
        """Back up into a file like those of SQLite, which can be restored into a folder or onto a server."""
        with self.reading() as reader:
            fill_file(target, reader, lambda copied: check_moved(reader, copied), with_key=with_key)

    def restore(self, source: Path) -> None:
        self.check_empty()
        with up_to_date(source) as books:
            self.fill(books, lambda copied: check_moved(books, copied))

    def take_over(self, source: Path, at: float) -> str | None:
        raise BooksError(
            f"What is left of {source} goes into a folder first: unset RIDOTTO_BOOKS, "
            f"`ridotto --data NEW-FOLDER restore --accept-loss {source}`, and then `ridotto move-books`."
        )


def _connect(address: ServerAddress) -> Connection:
    """Connect to the server. Raises BooksError."""
    try:
        given = conninfo_to_dict(address.text)
    except psycopg.Error:
        # The message may quote the text.
        raise BooksError(f"{address.told} is not a PostgreSQL address: unknown parameter.") from None
    wanted = make_conninfo("", **(_PATIENCE | given | {"client_encoding": "UTF8"}))
    try:
        conn: Connection = psycopg.connect(wanted, autocommit=True, cursor_factory=psycopg.RawCursor)
    except psycopg.Error as fault:
        why = address.scrub(" ".join(str(fault).split()))
        raise BooksError(
            f"PostgreSQL at {address.told} refuses the connection ({why}). Check that the server runs, and "
            "check address, user and password."
        ) from None
    try:
        conn.server_cursor_factory = psycopg.RawServerCursor
        conn.adapters.register_loader("numeric", _Whole)
        ((commit,),) = _query(conn, "SHOW synchronous_commit")
        conn.execute(_SESSION.format(commit="on" if commit == "off" else commit).encode())
    except psycopg.Error as fault:
        conn.close()
        raise _unreadable(fault, address) from None
    return conn


def _connect_to_forward(address: ServerAddress) -> Connection:
    """Connect for what may be lost and is sent again: nothing waits for the disk."""
    conn = _connect(address)
    conn.execute("SET synchronous_commit = off")
    return conn


def _channel(conn: Connection, name: str) -> str:
    """Return the name of a channel of notices, which are the whole database's, for this schema."""
    return f"{name}_{_query(conn, 'SELECT current_schema()::regnamespace::oid')[0][0]}"


def _listen(conn: Connection, name: str) -> None:
    conn.execute(f"LISTEN {_channel(conn, name)}".encode())


def _await_notice(conn: Connection, timeout_s: float) -> None:
    for _notice in conn.notifies(timeout=timeout_s, stop_after=1):
        pass


@contextmanager
def _reading(address: ServerAddress) -> Iterator[Reader]:
    """Read a snapshot of the store, while others may write."""
    with _told(address), _connect(address) as conn:
        conn.execute("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        _check_present(conn, address)
        try:
            yield PostgresReader(conn, address)
        except BooksGone as gone:
            raise BooksError(str(gone)) from None
        finally:
            with suppress(psycopg.Error):
                conn.execute("ROLLBACK")


@contextmanager
def _told(address: ServerAddress) -> Iterator[None]:
    """Report what the server says before the books are open."""
    try:
        yield
    except psycopg.Error as fault:
        raise _unreadable(fault, address) from None


def _unreadable(fault: psycopg.Error, address: ServerAddress) -> BooksError:
    if fault.sqlstate == "42501":
        return BooksError(
            f"This user may not keep books at {address.told} ({_describe_fault(fault, address)}): make the user owner "
            "of the database or the schema, or GRANT USAGE and CREATE on the schema."
        )
    return BooksError(f"{address.told} cannot be read or written ({_describe_fault(fault, address)}): {_hint(fault)}.")


def _gone(fault: psycopg.Error, address: ServerAddress) -> BooksGone:
    if fault.sqlstate == LEASE_LOST:
        return _lease_lost(address)
    return BooksGone(f"The books cannot be read or written ({_describe_fault(fault, address)}): {_hint(fault)}.")


def _lease_lost(address: ServerAddress) -> LeaseLost:
    return LeaseLost(f"Another process has opened {address.told}. This process has stopped.")


def _lapsed(address: ServerAddress) -> LeaseLost:
    return LeaseLost(f"The lease on {address.told} could not be renewed in time. This process has stopped.")


def _token_lost(address: ServerAddress) -> LeaseLost:
    return LeaseLost(f"The lease on a bot's token was not renewed in time at {address.told}. This front has stopped.")


def _names(path: Sequence[str]) -> str:
    return ", ".join(f"'{name}'" for name in path)


def _describe_fault(fault: psycopg.Error, address: ServerAddress) -> str:
    """Write a fault as one line, without statements that the server quotes and without a password."""
    said = fault.diag.message_primary or str(fault).partition("\n")[0] or type(fault).__name__
    return address.scrub(said.strip())


def _hint(fault: psycopg.Error) -> str:
    code = fault.sqlstate or ""
    return _HINTS.get(code) or _HINTS.get(code[:2], _ELSE)


@lru_cache(maxsize=512)
def _marked(sql: str) -> str:
    """Replace "?" by PostgreSQL's placeholders. Our SQL has "?" only for values."""
    numbers = count(1)
    return re.sub(r"\?", lambda _mark: f"${next(numbers)}", sql)


def _query(conn: Connection, sql: str, values: Sequence[object] = ()) -> list[tuple[Any, ...]]:
    # The books contain no text with a NUL, so search for NULL, which finds nothing.
    given = [None if isinstance(value, str) and "\0" in value else value for value in values]
    return conn.execute(_marked(sql).encode(), given or None).fetchall()


def _pack(draft: Draft) -> str:
    """Pack a draft as JSON, the rows of each table as lists; bytes in base64.

    Raises OverflowError, UnicodeError.
    """
    batch: dict[str, list[Any]] = {TABLES[kind][0]: [*rows.values()] for kind, rows in draft.rows.items() if rows}
    if draft.balances:
        batch["accounts"] = [*draft.balances.items()]
    return _encode(batch).decode()


def _check_server(conn: Connection, address: ServerAddress) -> None:
    """Check that the server can hold a store. Raises BooksError."""
    version = conn.info.server_version // 10_000
    if version < OLDEST:
        raise BooksError(f"{address.told} is PostgreSQL {version}. The books need {OLDEST} or newer.")
    ((encoding, follows, reads, schema),) = _query(
        conn,
        "SELECT current_setting('server_encoding'), pg_is_in_recovery(), current_setting('transaction_read_only'),"
        " current_schema()",
    )
    if encoding != "UTF8":
        raise BooksError(f"{address.told} uses the encoding {encoding}. Create a database with ENCODING 'UTF8'.")
    if follows:
        raise BooksError(
            f"{address.told} is in recovery and read-only. Connect to the primary server, or promote this one."
        )
    if reads == "on":
        raise BooksError(f"{address.told} is read-only. Unset default_transaction_read_only for this user.")
    if schema is None:
        raise BooksError(f"{address.told} names a schema that does not exist. Create it, or use another.")


def _steps(conn: Connection) -> list[str] | None:
    """Return the migrations that the schema has; None if it is not ours."""
    if STEPS_TABLE not in _tables(conn):
        return None
    return [name for (name,) in _query(conn, f"SELECT name FROM {STEPS_TABLE} ORDER BY number")]


def _tables(conn: Connection) -> list[str]:
    """Return tables and views of the schema, without those of extensions."""
    return [
        name
        for (name,) in _query(
            conn,
            "SELECT relname FROM pg_class WHERE relnamespace = current_schema()::regnamespace"
            " AND relkind IN ('r', 'v', 'm', 'p', 'f') AND NOT EXISTS (SELECT 1 FROM pg_depend"
            " WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')",
        )
    ]


def _check_schema(applied: Sequence[str], address: ServerAddress) -> None:
    """Refuse books whose schema is not known here: they would be misread."""
    if refused := why_unknown(address.told, applied, [*STEPS]):
        raise BooksError(refused)


def _has_casino(conn: Connection, address: ServerAddress) -> bool:
    """Check whether there are books of this version with a casino in them. Raises BooksError for a newer version."""
    applied = _steps(conn)
    if applied is not None:
        _check_schema(applied, address)
    return applied == [*STEPS] and bool(_query(conn, "SELECT 1 FROM casinos LIMIT 1"))


def _check_present(conn: Connection, address: ServerAddress) -> None:
    """Check that there is a store of this version. Raises BooksError."""
    applied = _steps(conn)
    if applied is None:
        raise BooksError(f"There are no books at {address.told}.")
    if applied != [*STEPS]:
        _check_schema(applied, address)
        raise BooksError(f"{address.told} was written by an older Ridotto. Start the casino once to upgrade it.")


def _bring_up(conn: Connection, address: ServerAddress) -> bool:
    """Make the schema or bring it up to date, and keep others from writing until the transaction ends; False: another
    process has the lease."""
    _wait_for_turn(conn)
    applied = _steps(conn)
    if applied is None and _tables(conn):
        raise BooksError(f"{address.told} belongs to another program and was not changed. Use an empty schema.")
    if applied is not None:
        _check_schema(applied, address)
        owner = find_owner(conn)
        if not owner.is_gone:
            return False
        lock_out(conn, owner)
    _bring_up_to_date(conn, applied or [])
    return True


def _wait_for_turn(conn: Connection) -> None:
    """Keep two processes that come at once from both making the tables."""
    _query(conn, "SELECT pg_advisory_xact_lock(hashtextextended('ridotto ' || current_schema(), 0))")


def _bring_up_to_date(conn: Connection, applied: Sequence[str]) -> None:
    if not applied:
        conn.execute(f"CREATE TABLE {STEPS_TABLE} (number INTEGER PRIMARY KEY, name TEXT NOT NULL)".encode())
    for number, (name, statements) in enumerate(STEPS.items(), start=1):
        if name not in applied:
            conn.execute(statements.encode())
            conn.execute(f"INSERT INTO {STEPS_TABLE} VALUES ($1, $2)".encode(), [number, name])
    # Functions belong to the program, not to a step.
    if not _has_functions(conn):
        conn.execute(FUNCTIONS.encode())
        conn.execute(f"COMMENT ON FUNCTION write_books IS '{_DIGEST}'".encode())


def _has_functions(conn: Connection) -> bool:
    sql = "SELECT obj_description(to_regprocedure('write_books(jsonb, bigint)'), 'pg_proc')"
    return _query(conn, sql) == [(_DIGEST,)]
