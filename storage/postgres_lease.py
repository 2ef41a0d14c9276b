"""The lease on a server's store: which process writes it, and until when, by the server's clock alone.

Acquiring the lease raises its epoch. Every batch contains the epoch in its own transaction: that keeps the store right,
whatever clocks say. The term protects answers: the owner renews it, and one that could not stops answering, because
another may have begun. A lease that has ended is never renewed. It is free when it was released, when its term is over,
or when its session is gone: a killed process delays no other.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import psycopg
from psycopg.errors import InsufficientPrivilege

from storage import system
from storage.store import Node

TERM_S = 2.0
# A process counts its term shorter than the server does, by the time between its last call and the next one.
MARGIN_S = 0.1
# Time for the old owner's session and its last write to end.
_ENDS_WITHIN_MS = 1000

Connection = psycopg.Connection[tuple[Any, ...]]


class LeaseOwner(NamedTuple):
    """The process that has the lease. `session`: None where it is gone or has released the lease; `is_over`: the term
    is."""

    address: str
    session: int | None
    is_over: bool

    @property
    def is_gone(self) -> bool:
        return self.session is None or self.is_over


def find_owner(conn: Connection) -> LeaseOwner:
    """Return the owner of existing books; the server may hide when another user's session began."""
    (found,) = conn.execute(
        "SELECT coalesce(address, 'the same machine'), pid, coalesce(until < clock_timestamp(), false)"
        " FROM lease LEFT JOIN pg_stat_activity ON pid = backend AND (backend_start = began OR backend_start IS NULL)"
    ).fetchall()
    return LeaseOwner(*found)


def name_session(conn: Connection) -> None:
    """Mark this session as that of a node on the books of its schema, whether it writes them or waits."""
    conn.execute("SELECT set_config('application_name', $1, false)", [_name_of_nodes(conn)])


def find_nodes(conn: Connection) -> list[Node]:
    """Return the present nodes in order of arrival; the server may hide details of another user's."""
    found = conn.execute(
        "SELECT coalesce(address, host(client_addr), 'the same machine'),"
        " coalesce(extract(epoch FROM backend_start)::float8, 0),"
        " extract(epoch FROM until - clock_timestamp())::float8"
        " FROM pg_stat_activity LEFT JOIN lease ON backend = pid"
        " WHERE datname = current_database() AND application_name = $1 ORDER BY 2, pid",
        [_name_of_nodes(conn)],
    ).fetchall()
    return [Node(*row) for row in found]


def _name_of_nodes(conn: Connection) -> str:
    ((name,),) = conn.execute("SELECT 'ridotto node ' || current_schema()::regnamespace::oid").fetchall()
    return str(name)


def lock_out(conn: Connection, owner: LeaseOwner) -> None:
    """Keep everybody from writing, within a transaction, until it ends.

    A session that is still open is ended first, because it may hold locks. Where we may not end it, the epoch alone
    keeps it out, once its present write is done. Raises LockNotAvailable where that takes longer.
    """
    if owner.session is not None:
        with suppress(InsufficientPrivilege), conn.transaction():
            conn.execute("SELECT pg_terminate_backend($1, $2)", [owner.session, _ENDS_WITHIN_MS])
    conn.execute(f"SET LOCAL lock_timeout = {_ENDS_WITHIN_MS}".encode())
    conn.execute("SELECT 1 FROM lease FOR UPDATE")
    conn.execute("SET LOCAL lock_timeout = 0")


class Lease:
    """Our lease, from `acquire` until it is released or lost.

    One thread renews it by a connection of its own, so that neither a large batch nor a slow disk delays it. Another
    watches the time, because a process may wait forever for a server that does not answer.
    """

    def __init__(self, conn: Connection, epoch: int, ends: float, term_s: float) -> None:
        self.epoch, self.term_s = epoch, term_s
        self._conn, self._ends = conn, ends
        self._is_released = threading.Event()
        # Acquired by the first thread that notices, and never released.
        self._is_lost = threading.Lock()
        self._thread: threading.Thread | None = None

    @classmethod
    def acquire(cls, conn: Connection, by: Connection, term_s: float) -> "Lease":
        """Take the lease for the session of `conn`, at the end of its transaction; the other connection renews it."""
        began = system.elapsed_s()
        ((epoch,),) = conn.execute(
            "UPDATE lease SET epoch = epoch + 1, backend = pg_backend_pid(), address = host(inet_client_addr()),"
            " began = (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()),"
            " until = clock_timestamp() + make_interval(secs => $1) RETURNING epoch",
            [term_s],
        ).fetchall()
        return cls(by, int(epoch), began + term_s - MARGIN_S, term_s)

    @property
    def is_over(self) -> bool:
        """Check by our own clock whether the lease has ended, without asking the server. Costs nothing."""
        return system.elapsed_s() >= self._ends and not self._is_released.is_set()

    @property
    def is_released(self) -> bool:
        return self._is_released.is_set()

    def keep_renewing(self, lose: Callable[[psycopg.Error | None], object]) -> None:
        """Renew the lease from now on.

        `lose` is called once, in a thread: with the fault, or None where the server says that the lease is no longer
        ours, or does not answer until it is over.
        """
        # A renewal may be lost with the server, which then has no sessions either.
        self._conn.execute("SET synchronous_commit = off")
        self._thread = threading.Thread(target=self._renew_until_released, args=[lose], name="lease", daemon=True)
        self._thread.start()
        threading.Thread(target=self._watch, args=[lose], name="lease watch", daemon=True).start()

    def _watch(self, lose: Callable[[psycopg.Error | None], object]) -> None:
        """Watch the term in a separate thread, because any other one may hang in a connection and a hanging process is
        not restarted.
        """
        while not self._is_released.wait(self.term_s / 4):
            if self.is_over:
                self._end(lose, None)
                return

    def _end(self, lose: Callable[[psycopg.Error | None], object], fault: psycopg.Error | None) -> None:
        if self._is_lost.acquire(blocking=False):
            lose(fault)

    def _renew_until_released(self, lose: Callable[[psycopg.Error | None], object]) -> None:
        """Renew the lease at once, because storing that it was taken may have been slow, then twice a term."""
        fault = None
        try:
            while self._renew():
                if self._is_released.wait(self.term_s / 2):
                    return
        except psycopg.Error as raised:
            fault = raised
        if not self._is_released.is_set():
            self._end(lose, fault)

    def _renew(self) -> bool:
        began = system.elapsed_s()
        renewed = self._conn.execute(
            "UPDATE lease SET until = clock_timestamp() + make_interval(secs => $2)"
            " WHERE epoch = $1 AND backend IS NOT NULL AND until >= clock_timestamp() RETURNING 1",
            [self.epoch, self.term_s],
        ).fetchall()
        if renewed:
            # The requested term counts from the request.
            self._ends = began + self.term_s - MARGIN_S
        return bool(renewed)

    def is_ours(self, conn: Connection) -> bool:
        """Check in the database whether the lease is ours."""
        return bool(conn.execute("SELECT 1 FROM lease WHERE epoch = $1", [self.epoch]).fetchall())

    def close(self) -> None:
        """Close its connection. One that hangs in a network that is gone is left to the end of the process."""
        if self._thread is not None:
            self._thread.join(1.0)
        if self._thread is None or not self._thread.is_alive():
            self._conn.close()

    def release(self, conn: Connection) -> None:
        """Release the lease, so that the next node need not wait; this process writes nothing more."""
        self._is_released.set()
        # Without a server the session ends by itself, and the lease with it.
        with suppress(psycopg.Error):
            conn.execute("UPDATE lease SET backend = NULL, until = clock_timestamp() WHERE epoch = $1", [self.epoch])
