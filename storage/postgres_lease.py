"""Who keeps which wings of books that lie on a server, and until when: a row a wing, by the server's clock alone.

Who takes a wing raises its epoch. Every batch holds the epochs of the wings that it writes of in its own transaction:
that keeps the books right, whatever clocks say. The term is for what is said: a keeper renews all of his at once, and
one that could not says nothing any more, for another may have begun. A lease that has ended is never renewed. It is
free when it was released, when its term is over, or when the session is gone that took it: a process that is killed
keeps nobody waiting.
"""

import threading
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

import psycopg
from psycopg.errors import InsufficientPrivilege

from storage import system
from storage.store import Present

TERM_S = 2.0
# A house counts its term shorter than the server does: between its last word and the first one of the next is a moment.
MARGIN_S = 0.1
# Of the old keeper's session, and of what it was writing.
_ENDS_WITHIN_MS = 1000

Connection = psycopg.Connection[tuple[Any, ...]]


class Keeper(NamedTuple):
    """Who has a wing. `session` is his, None where it is gone or he has released it; `is_over`: his term is. `lane`:
    where other houses reach him."""

    wing: int
    address: str
    session: int | None
    is_over: bool
    lane: str | None

    @property
    def is_gone(self) -> bool:
        return self.session is None or self.is_over


def find_keepers(conn: Connection, wings: Collection[int]) -> list[Keeper]:
    """Of books that are there, by wing. When another user's session began, not everybody is told; an older version's
    lease has no term, and lasts as long as its session."""
    found = conn.execute(
        "SELECT wing, coalesce(address, 'the same machine'), pid,"
        " coalesce((to_jsonb(leases) ->> 'until')::timestamptz < clock_timestamp(), false), to_jsonb(leases) ->> 'lane'"
        " FROM leases LEFT JOIN pg_stat_activity ON pid = backend AND (backend_start = began OR backend_start IS NULL)"
        " WHERE wing = ANY($1) ORDER BY wing",
        [[*wings]],
    ).fetchall()
    return [Keeper(*row) for row in found]


def call_house(conn: Connection) -> None:
    """This session is one of the houses on the books of its schema, whatever it keeps."""
    conn.execute("SELECT set_config('application_name', $1, false)", [_name_of_houses(conn)])


def count_houses(conn: Connection) -> int:
    """Those that are there and do not stand still."""
    ((number,),) = conn.execute(
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = $1"
        " AND NOT EXISTS (SELECT 1 FROM leases WHERE backend = pid AND until < clock_timestamp())",
        [_name_of_houses(conn)],
    ).fetchall()
    return int(number)


def find_houses(conn: Connection) -> list[Present]:
    """Of another user's houses not everything is told to everybody; what they may call, where a house of this version
    has opened the books."""
    ((has_calls,),) = conn.execute("SELECT to_regclass('calls') IS NOT NULL").fetchall()
    calls = "(SELECT json_object_agg(platform, part) FROM calls WHERE backend = pid)" if has_calls else "NULL"
    found = conn.execute(
        "SELECT coalesce(max(address), host(max(client_addr)), 'the same machine'),"
        " coalesce(extract(epoch FROM max(backend_start))::float8, 0),"
        " coalesce(array_agg(wing) FILTER (WHERE wing IS NOT NULL), '{}'),"
        " extract(epoch FROM min(until) - clock_timestamp())::float8, max(to_jsonb(leases) ->> 'lane')"
        f", {calls} FROM pg_stat_activity LEFT JOIN leases ON backend = pid"
        " WHERE datname = current_database() AND application_name = $1 GROUP BY pid ORDER BY 2, pid",
        [_name_of_houses(conn)],
    ).fetchall()
    return [
        Present(address, since, frozenset(wings), left_s, lane, calls or {})
        for address, since, wings, left_s, lane, calls in found
    ]


def _name_of_houses(conn: Connection) -> str:
    ((name,),) = conn.execute("SELECT 'ridotto house ' || current_schema()::regnamespace::oid").fetchall()
    return str(name)


def lock_out(conn: Connection, keepers: Sequence[Keeper]) -> None:
    """Within a transaction: from here to its end nobody writes of these wings.

    A session that is still there ends first, for it may hold what we wait for. Where we may not end it, the epoch alone
    does it, once what it is writing is written. Raises LockNotAvailable where that takes longer.
    """
    for session in {keeper.session for keeper in keepers if keeper.session is not None}:
        with suppress(InsufficientPrivilege), conn.transaction():
            conn.execute("SELECT pg_terminate_backend($1, $2)", [session, _ENDS_WITHIN_MS])
    conn.execute(f"SET LOCAL lock_timeout = {_ENDS_WITHIN_MS}".encode())
    wings = [keeper.wing for keeper in keepers]
    conn.execute("SELECT 1 FROM leases WHERE wing = ANY($1) ORDER BY wing FOR UPDATE", [wings])
    conn.execute("SET LOCAL lock_timeout = 0")


class Leases:
    """Ours, from `take` until they are released or lost. A thread renews them, by a connection of its own: neither a
    large batch nor a slow disk holds it up. Another looks at the time: whoever waits for a server that does not answer
    waits for ever. `epochs`: {wing: its epoch}."""

    def __init__(self, conn: Connection, epochs: Mapping[int, int], ends: float, term_s: float) -> None:
        self.epochs, self.term_s = epochs, term_s
        # Between two renewals alone.
        self._changing = threading.Lock()
        self._conn, self._lane = conn, None  # type: Connection, str | None
        # By wing; and the first of them, or the end of the last renewal where none is kept.
        self._ends_of, self._ends = dict.fromkeys(epochs, ends), ends
        self._is_released = threading.Event()
        # Taken by whoever notices first, and never given back.
        self._is_lost = threading.Lock()
        self._thread: threading.Thread | None = None

    @classmethod
    def take(cls, conn: Connection, by: Connection, wings: Collection[int], term_s: float) -> "Leases":
        """For the session of `conn`, at the end of a transaction of it; renewed by the other."""
        began = system.elapsed_s()
        return cls(by, _take(conn, wings, term_s), began + term_s - MARGIN_S, term_s)

    def take_more(self, conn: Connection, wings: Collection[int]) -> dict[int, int]:
        """Within a transaction, the epoch of each; they are to be added once it is committed, and not renewed before:
        until then nobody else sees that they are ours."""
        return _take(conn, wings, self.term_s, self._lane)

    def add(self, conn: Connection, taken: Mapping[int, int]) -> frozenset[int]:
        """Those of them that are ours: where the commit took the better part of a term, they are so by a new one, or
        another house has them already."""
        with conn.transaction():
            conn.execute("SET LOCAL synchronous_commit = off")
            began = system.elapsed_s()
            renewed = _renew(conn, taken, self.term_s)
            # Or we would take them from our own session the next time.
            _free(conn, _fence({wing: epoch for wing, epoch in taken.items() if wing not in renewed}))
        with self._changing:
            self.epochs = {**self.epochs, **{wing: taken[wing] for wing in renewed}}
            self._count_from(began, renewed)
        return renewed

    def announce(self, conn: Connection, lane: str) -> None:
        """It stands beside those that are kept now, and those to come."""
        self._lane = lane
        conn.execute(
            "UPDATE leases SET lane = $3 FROM unnest($1::int[], $2::bigint[]) AS mine (wing, epoch)"
            " WHERE leases.wing = mine.wing AND leases.epoch = mine.epoch",
            [*self.fence(self.epochs), lane],
        )

    def drop(self, conn: Connection, wings: Collection[int]) -> None:
        """The next house may have these."""
        fence = self.fence(wings)
        with self._changing:
            self.epochs = {wing: epoch for wing, epoch in self.epochs.items() if wing not in wings}
        _free(conn, fence)

    @property
    def is_over(self) -> bool:
        """By our own clock, whatever the server says or does not say. Costs nothing."""
        return system.elapsed_s() >= self._ends and not self._is_released.is_set()

    @property
    def is_released(self) -> bool:
        return self._is_released.is_set()

    def fence(self, wings: Iterable[int]) -> tuple[str, str]:
        """These, and the epoch of each."""
        return _fence({wing: self.epochs[wing] for wing in wings})

    def keep(self, lose: Callable[[psycopg.Error | None], object]) -> None:
        """Renew them from now on. `lose` is called in a thread, once: with what went wrong, or None where the server
        says that one is not ours any more, or says nothing until they are over."""
        # A renewal may be lost with the server: it has no sessions then either.
        self._conn.execute("SET synchronous_commit = off")
        self._thread = threading.Thread(target=self._keep, args=[lose], name="lease", daemon=True)
        self._thread.start()
        threading.Thread(target=self._watch, args=[lose], name="lease watch", daemon=True).start()

    def _watch(self, lose: Callable[[psycopg.Error | None], object]) -> None:
        """A step of its own: every other thread may hang in a connection, and a process that hangs is started again by
        nobody."""
        while not self._is_released.wait(self.term_s / 4):
            if self.is_over:
                self._end(lose, None)
                return

    def _end(self, lose: Callable[[psycopg.Error | None], object], fault: psycopg.Error | None) -> None:
        if self._is_lost.acquire(blocking=False):
            lose(fault)

    def _keep(self, lose: Callable[[psycopg.Error | None], object]) -> None:
        """From its first moment on: they were taken before it was known on disk, which may have taken long."""
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
        with self._changing:
            began, epochs = system.elapsed_s(), self.epochs
        renewed = _renew(self._conn, epochs, self.term_s)
        with self._changing:
            # What was given away meanwhile is not lost.
            is_lost = any(self.epochs.get(wing) == epoch for wing, epoch in epochs.items() if wing not in renewed)
            if not is_lost:
                self._count_from(began, renewed)
        return not is_lost

    def _count_from(self, began: float, renewed: Collection[int]) -> None:
        """What was asked for then ends a term later."""
        ends = began + self.term_s - MARGIN_S
        self._ends_of = {wing: ends if wing in renewed else self._ends_of[wing] for wing in self.epochs}
        self._ends = min(self._ends_of.values(), default=max(self._ends, ends))

    def are_ours(self, conn: Connection) -> bool:
        """As the server has it."""
        sql = "SELECT 1 FROM leases JOIN unnest($1::int[], $2::bigint[]) AS mine (wing, epoch) USING (wing, epoch)"
        return len(conn.execute(sql, self.fence(self.epochs)).fetchall()) == len(self.epochs)

    def close(self) -> None:
        """Its connection. One that hangs in a network that is gone is left to the end of the process."""
        if self._thread is not None:
            self._thread.join(1.0)
        if self._thread is None or not self._thread.is_alive():
            self._conn.close()

    def release(self, conn: Connection) -> None:
        """The next house need not wait; ours writes nothing more."""
        self._is_released.set()
        # Where nobody listens any more the session ends without us, and the leases with it.
        with suppress(psycopg.Error):
            _free(conn, self.fence(self.epochs))


def _take(conn: Connection, wings: Collection[int], term_s: float, lane: str | None = None) -> dict[int, int]:
    taken = conn.execute(
        "UPDATE leases SET epoch = epoch + 1, backend = pg_backend_pid(), address = host(inet_client_addr()),"
        " began = (SELECT backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()),"
        " until = clock_timestamp() + make_interval(secs => $2), lane = $3 WHERE wing = ANY($1) RETURNING wing, epoch",
        [[*wings], term_s, lane],
    ).fetchall()
    return dict(sorted(taken))


def _renew(conn: Connection, epochs: Mapping[int, int], term_s: float) -> frozenset[int]:
    """Those that had not ended."""
    rows = conn.execute(
        "UPDATE leases SET until = clock_timestamp() + make_interval(secs => $3)"
        " FROM unnest($1::int[], $2::bigint[]) AS mine (wing, epoch) WHERE leases.wing = mine.wing"
        " AND leases.epoch = mine.epoch AND backend IS NOT NULL AND until >= clock_timestamp()"
        " RETURNING leases.wing",
        [*_fence(epochs), term_s],
    ).fetchall()
    return frozenset(wing for (wing,) in rows)


def _free(conn: Connection, fence: tuple[str, str]) -> None:
    conn.execute(
        "UPDATE leases SET backend = NULL, until = clock_timestamp()"
        " FROM unnest($1::int[], $2::bigint[]) AS mine (wing, epoch)"
        " WHERE leases.wing = mine.wing AND leases.epoch = mine.epoch",
        fence,
    )


def _fence(epochs: Mapping[int, int]) -> tuple[str, str]:
    """As arrays of the server's."""
    return _array(epochs), _array(epochs.values())


def _array(numbers: Iterable[int]) -> str:
    return f"{{{','.join(map(str, numbers))}}}"
