"""Books that several houses of one process share, as those of a server: a lease a wing, by the storm's clock.

Rows and questions are SQLite's. Whoever takes a wing raises its epoch, and every batch holds the epochs of its wings
when it is written. A house may be met at each point of its way from a batch on paper to what is told.
"""

import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from bot.house.state.house import Paper
from storage.faults import LeaseLost
from storage.ledger import Draft
from storage.rows import ALL_WINGS, WINGS, CasinoRow, Row, wing_of
from storage.sqlite import FILE, SqliteBooks, _connect

TERM_S = 2.0


@dataclass
class Lease:
    """Of one wing. `keeper` is None where it is free; it is over when `ends` has come, whoever stands still."""

    epoch: int = 0
    keeper: "SharedBooks | None" = None
    ends: float = 0.0


class SharedStore:
    """`clock` is the server's. `meet(books, point)` is called where something may befall a house, `note(books, draft)`
    when it has written."""

    def __init__(self, folder: Path, clock: Callable[[], float]) -> None:
        SqliteBooks(folder).close()
        self.folder, self.path, self.clock = folder, folder / FILE, clock
        self.db = _connect(self.path)
        self.db.conn.execute("PRAGMA synchronous = OFF")
        self.leases = {wing: Lease() for wing in ALL_WINGS}
        self.houses: list[SharedBooks] = []
        self.given: dict[type[Row], int] = {}
        self.meet: Callable[[SharedBooks, str], None] = lambda books, point: None
        self.note: Callable[[SharedBooks, Paper], None] = lambda books, draft: None

    def free(self) -> list[int]:
        """In order."""
        return [
            wing for wing, lease in self.leases.items() if lease.keeper not in self.houses or lease.ends < self.clock()
        ]

    def close(self) -> None:
        self.db.close()


class SharedBooks(SqliteBooks):
    """Those of one house. `epochs` of the wings that it has, as far as it knows."""

    may_lapse = True

    def __init__(self, store: SharedStore) -> None:
        self.store, self.db, self.folder, self.path = store, store.db, store.folder, store.path
        self._writer, self._aside, self._one_reader = threading.get_ident(), None, threading.Lock()
        self._given, self.is_new, self.is_lost = store.given, False, False
        self.on_gone = lambda gone: None
        self.wings, self.epochs = frozenset(), {}  # type: frozenset[int], dict[int, int]
        store.houses.append(self)

    def close(self) -> None:
        """Its session ends, and what it kept is free."""
        if self in self.store.houses:
            self.store.houses.remove(self)

    # Leases

    def renew(self) -> None:
        """As a thread does each second. What has ended is not renewed."""
        for wing in self.wings:
            lease = self.store.leases[wing]
            if lease.keeper is self and lease.epoch == self.epochs[wing]:
                lease.ends = self.store.clock() + TERM_S

    def hold(self, wings: Iterable[int]) -> None:
        """Raises LeaseLost: another house has one of them, or had."""
        if any(self.store.leases[wing].epoch != self.epochs.get(wing) for wing in wings):
            raise self.lose(LeaseLost("Another house has opened these books: this one has stopped."))

    def check(self) -> None:
        self.hold(self.wings)

    def tend(self, now: float) -> None:
        self.check()

    def lapsed(self) -> LeaseLost | None:
        is_over = any(self.store.leases[wing].ends < self.store.clock() for wing in self.wings)
        return LeaseLost("The lease could not be renewed in time.") if is_over else None

    def fair_share(self) -> int:
        """Who stands still has none."""
        return -(-WINGS // max(1, sum(books.lapsed() is None for books in self.store.houses)))

    def take_wings(self, most: int, of: frozenset[int] = ALL_WINGS) -> frozenset[int]:
        """Each with the next epoch."""
        taken = frozenset([wing for wing in self.store.free() if wing in of - self.wings][:most])
        for wing in taken:
            lease = self.store.leases[wing]
            lease.epoch, lease.keeper, lease.ends = lease.epoch + 1, self, self.store.clock() + TERM_S
            self.epochs[wing] = lease.epoch
        self.wings |= taken
        return taken

    def give_wings(self, wings: frozenset[int]) -> None:
        self.wings -= wings
        for wing in wings:
            if self.store.leases[wing].epoch == self.epochs.pop(wing):
                self.store.leases[wing].keeper = None

    # Writing

    def write(self, draft: Draft) -> None:
        assert isinstance(draft, Paper)
        self.store.meet(self, "write")
        super().write(draft)
        self.store.note(self, draft)
        self.store.meet(self, "written")

    def _insert(self, draft: Draft) -> None:
        self.hold(draft.wings or sorted(self.wings)[:1])
        super()._insert(draft)

    def _run_batch(self, write: Callable[[], object]) -> None:
        with self.db.atomic():
            write()

    def take_ids(self, kind: type[Row]) -> list[int]:
        while True:
            ids = super().take_ids(kind)
            if kind is not CasinoRow or wing_of(ids[0]) in self.wings:
                return ids
