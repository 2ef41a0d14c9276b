"""Who keeps books that lie on a server, and until when: one row there, by the server's clock alone.

Who takes the lease raises its epoch, which every batch holds in its own transaction: that keeps the books right,
whatever clocks say. The term is for what is said: a keeper renews it, and one that could not says nothing any more, for
another may have begun. A lease that has ended is never renewed. It is free when it was released, when its term is over,
or when the session is gone that took it: a process that is killed keeps nobody waiting.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import psycopg
from psycopg.errors import InsufficientPrivilege

from storage import system
from storage.postgres_schema import WHOLE

TERM_S = 2.0
# A house counts its term shorter than the server does: between its last word and the first one of the next is a moment.
MARGIN_S = 0.1
# Of the old keeper's session, and of what it was writing.
_ENDS_WITHIN_MS = 1000

Connection = psycopg.Connection[tuple[Any, ...]]


class Keeper(NamedTuple):
    """Who has the lease. `session` is his, None where it is gone or he has released it; `is_over`: his term is."""

    address: str
    session: int | None
    is_over: bool

    @property
    def is_gone(self) -> bool:
        return self.session is None or self.is_over


def find_keeper(conn: Connection) -> Keeper:
    """Of books that are there. When another user's session began, not everybody is told; an older version's lease has
    no term, and lasts as long as its session."""
    (found,) = conn.execute(
        "SELECT coalesce(address, 'the same machine'), pid,"
        " coalesce((to_jsonb(leases) ->> 'until')::timestamptz < clock_timestamp(), false)"
        " FROM leases LEFT JOIN pg_stat_activity ON pid = backend AND (backend_start = began OR backend_start IS NULL)"
        " WHERE wing = $1",
        [WHOLE],
    ).fetchall()
    return Keeper(*found)


def lock_out(conn: Connection, keeper: Keeper) -> None:
    """Within a transaction: from here to its end nobody writes these books.

    A session that is still there ends first, for it may hold what we wait for. Where we may not end it, the epoch alone
    does it, once what it is writing is written. Raises LockNotAvailable where that takes longer.
    """
    if keeper.session is not None:
        with suppress(InsufficientPrivilege), conn.transaction():
            conn.execute("SELECT pg_terminate_backend($1, $2)", [keeper.session, _ENDS_WITHIN_MS])
    conn.execute(f"SET LOCAL lock_timeout = {_ENDS_WITHIN_MS}".encode())
    conn.execute("LOCK TABLE leases")
    conn.execute("SET LOCAL lock_timeout = 0")


class Lease:
    """Ours, from `take` until it is released or lost. A thread renews it, by a connection of its own: neither a large
    batch nor a slow disk holds it up."""

    def __init__(self, conn: Connection, epoch: int, ends: float, term_s: float) -> None:
        self.epoch, self.term_s = epoch, term_s
        self._conn, self._ends = conn, ends
        self._is_released = threading.Event()
        self._thread: threading.Thread | None = None

    @classmethod
    def take(cls, conn: Connection, by: Connection, term_s: float) -> "Lease":
        """For the session of `conn`, at the end of a transaction of it; renewed by the other."""
        began = system.elapsed_s()
        ((epoch,),) = conn.execute(
            "UPDATE leases SET epoch = epoch + 1, backend = pg_backend_pid(), address = host(inet_client_addr()),"
            " began = (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()),"
            " until = clock_timestamp() + make_interval(secs => $2) WHERE wing = $1 RETURNING epoch",
            [WHOLE, term_s],
        ).fetchall()
        return cls(by, epoch, began + term_s - MARGIN_S, term_s)

    @property
    def is_over(self) -> bool:
        """By our own clock, whatever the server says or does not say. Costs nothing."""
        return system.elapsed_s() >= self._ends and not self._is_released.is_set()

    @property
    def is_released(self) -> bool:
        return self._is_released.is_set()

    def keep(self, lose: Callable[[psycopg.Error | None], object]) -> None:
        """Renew it from now on. `lose` is called in a thread, once: with what went wrong, or None where the server says
        that it is not ours any more."""
        # A renewal may be lost with the server: it has no sessions then either.
        self._conn.execute("SET synchronous_commit = off")
        self._thread = threading.Thread(target=self._keep, args=[lose], name="lease", daemon=True)
        self._thread.start()

    def _keep(self, lose: Callable[[psycopg.Error | None], object]) -> None:
        while not self._is_released.wait(self.term_s / 2):
            fault = None
            try:
                if self._renew():
                    continue
            except psycopg.Error as raised:
                fault = raised
            if not self._is_released.is_set():
                lose(fault)
            return

    def _renew(self) -> bool:
        began = system.elapsed_s()
        renewed = self._conn.execute(
            "UPDATE leases SET until = clock_timestamp() + make_interval(secs => $3)"
            " WHERE wing = $1 AND epoch = $2 AND backend IS NOT NULL AND until >= clock_timestamp()",
            [WHOLE, self.epoch, self.term_s],
        )
        if renewed.rowcount:
            self._ends = began + self.term_s - MARGIN_S
        return bool(renewed.rowcount)

    def close(self) -> None:
        """Its connection. One that hangs in a network that is gone is left to the end of the process."""
        if self._thread is not None:
            self._thread.join(1.0)
        if self._thread is None or not self._thread.is_alive():
            self._conn.close()

    def release(self, conn: Connection) -> None:
        """The next house need not wait; ours writes nothing more."""
        self._is_released.set()
        # Where nobody listens any more the session ends without us, and the lease with it.
        with suppress(psycopg.Error):
            conn.execute(
                "UPDATE leases SET backend = NULL, until = clock_timestamp() WHERE wing = $1 AND epoch = $2",
                [WHOLE, self.epoch],
            )
