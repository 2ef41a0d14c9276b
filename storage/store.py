"""What a store is: the place where books are kept, the books while a house has them open, and who reads them.

A store is an engine and where it keeps them: SQLite in the data folder is storage.sqlite. Nobody above storage knows
which it is. What an engine does in its own way stands in its own file; questions are written once, for all.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple, TypeVar, cast

from storage.faults import BooksGone, LeaseLost
from storage.ledger import Draft
from storage.rows import ALL_WINGS, TABLES, HandRow, Row

R = TypeVar("R", bound=Row)
# How many numbers are taken at once, of what begins often: one way to the books and back serves many.
AT_ONCE: dict[type[Row], int] = {HandRow: 100}


class Held(NamedTuple):
    """What keeps a house waiting: a sentence on the one that has the books, and where its lane is, if it has one."""

    told: str
    lane: str | None


# Asked again and again while another house has the books: whether to go on waiting, and it lets pass how long the next
# look may be off.
Waits = Callable[[Held], bool]


class Size(NamedTuple):
    """What open books take, in bytes; `log` of a log beside them, None where the store has none of its own."""

    books: int
    log: int | None


class Present(NamedTuple):
    """A house that is there: from which address, since when (Unix seconds), and which wings it keeps.

    `left_s`: until it must have renewed them; below nothing for one that stands still, None for one that keeps none.
    `lane`: where other houses reach it, None where they do not. `calls`: {platform: its part of a token's}.
    """

    address: str
    since: float
    wings: frozenset[int]
    left_s: float | None
    lane: str | None = None
    calls: Mapping[str, float] = MappingProxyType({})


class Claim(NamedTuple):
    """Of a house that speaks with a token which others speak with too: how many wings it keeps, and, in parts of all
    calls that the platform takes, what it would use (`wanted`) and what it may (`part`).

    `held_s`: for so long the platform takes no calls at all, as this house was told.
    """

    wings: int
    wanted: float
    part: float
    held_s: float = 0.0


class Reader(ABC):
    """What the books say; storage.questions asks it. It never writes. Every read raises BooksGone where the store does
    not tell."""

    def balance(self, account: str) -> int:
        found = self._select("SELECT balance FROM accounts WHERE name = ?", account)
        return int(found[0][0]) if found else 0

    @abstractmethod
    def faults_of_store(self) -> Iterator[str]:
        """What the engine itself finds wrong with what it keeps, a sentence each."""

    def lose(self, gone: BooksGone) -> BooksGone:
        """What to raise when the books fail."""
        return gone

    # For storage alone: SQL is ours, never a user's, and values are bound.

    def _rows(self, kind: type[R], where: str = "", *values: object) -> list[R]:
        """Rows of one table; `where` is SQL after the table's name."""
        names = ", ".join(kind._fields)
        table, _keys = TABLES[cast(type[Row], kind)]
        found = self._select(f"SELECT {names} FROM {table} {where}", *values)
        return [kind(*row) for row in found]

    def _first(self, kind: type[R], where: str, *values: object) -> R | None:
        return next(iter(self._rows(kind, f"{where} LIMIT 1", *values)), None)

    @abstractmethod
    def _select(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """What is no single table's rows: sums, lists of the best. Values stand as "?" in `sql`."""

    @abstractmethod
    def _stream(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """As `_select`, for more rows than memory holds."""

    # What engines say each in its own words: pieces of SQL for questions that are else the same text

    # The casino that the accounts of a posting name, None between a stack and a stake.
    _named_casino: ClassVar[str]
    # A join whose left side is to be read first.
    _join_after: ClassVar[str]

    @staticmethod
    @abstractmethod
    def _whole(number: str) -> str:
        """A number that is not below zero, without what stands behind its point."""

    @staticmethod
    @abstractmethod
    def _smaller(one: str, other: str) -> str: ...

    @staticmethod
    @abstractmethod
    def _larger(one: str, other: str) -> str: ...

    @staticmethod
    @abstractmethod
    def _is_json(column: str) -> str: ...

    @staticmethod
    @abstractmethod
    def _text_in(column: str, *path: str) -> str:
        """What stands under these names in a column of JSON; NULL where nothing does."""

    @staticmethod
    @abstractmethod
    def _number_in(column: str, *path: str) -> str:
        """As `_text_in`, for a whole number."""

    @staticmethod
    @abstractmethod
    def _by(index: str) -> str:
        """Behind a table: it is to be read by this index, for an engine that has to be told."""


class Books(Reader):
    """Open books. They belong to one process, which writes them from one thread; others of its threads may read.

    `wings` are those that this house keeps: of casinos in others it reads, and writes nothing.
    `folder` is the house's own, where what is not books lies: notes of backups, emojis, the operator's link.
    `is_new`: nobody has opened them before. `is_lost`: the process must end without tidying up (storage.sqlite).
    `held_up`: what keeps a batch from being written at this moment.
    `may_lapse`: they can become another house's while this one stands still, and `lapsed` has to be asked.
    `on_gone` is called when they fail, in the thread where they do, before BooksGone is raised there: whatever a task
    or a library makes of what is raised in it, the house hears of it.
    """

    wings: frozenset[int] = ALL_WINGS
    folder: Path
    is_new: bool
    is_lost: bool = False
    held_up: str | None = None
    may_lapse: ClassVar[bool] = False
    on_gone: Callable[[BooksGone], None]

    @abstractmethod
    def answers(self, keys: Iterable[str]) -> dict[str, str]:
        """{key: answer} of the updates among `keys` that were answered before."""

    @abstractmethod
    def write(self, draft: Draft) -> None:
        """All of the draft in one durable transaction, or nothing. Raises RowsRefused, StaleRows where a player that it
        relied on or a row of its own has another version, or BooksGone; LeaseLost where another house has taken one of
        its wings since."""

    @abstractmethod
    def forget_answers(self, before: float, most: int = 5000) -> bool:
        """Updates are not repeated after days: the oldest keys go, `most` in one transaction. True: there are more."""

    @abstractmethod
    def take_ids(self, kind: type[Row]) -> list[int]:
        """Numbers for the next rows of this kind, above all that there are, which nobody else is ever given; those of
        casinos lie in wings that are kept.

        Some at once (AT_ONCE); what is not used of them when the books are opened again may be given again.
        """

    @abstractmethod
    def tend(self, now: float) -> None:
        """To be called once a second at least by who writes: whether the books are still ours, and what else they need.

        `now` runs evenly. Raises BooksGone.
        """

    @abstractmethod
    def check(self) -> None:
        """Raises BooksGone: they are not there any more as they were, or not ours (LeaseLost)."""

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[Reader]:
        """The books as they are at this moment, for a report that takes its time, in any thread."""

    @abstractmethod
    def size(self) -> Size:
        """As it was lately; never waits."""

    def lapsed(self) -> LeaseLost | None:
        """The last word of a house that could not hold on to its books and says nothing more: they may be another's. By
        its own clock alone; asking costs nothing. None: they are ours, or cannot be lost that way."""
        return None

    def fair_share(self) -> int:
        """How many wings each of the houses keeps that share these books. In any thread."""
        return len(ALL_WINGS)

    def take_wings(self, most: int, of: frozenset[int] = ALL_WINGS) -> frozenset[int]:
        """So many of these that nobody keeps are kept here from now on, by who writes; none where one keeps all."""
        return frozenset()

    def give_wings(self, wings: frozenset[int]) -> None:
        """They are written no more, and the next house may have them now."""
        raise ValueError("whoever keeps all gives none")

    def announce(self, lane: str) -> None:
        """Other houses on these books reach this one there. Where one keeps all, nobody asks."""

    def find_lanes(self) -> dict[int, str | None]:
        """{wing: where its keeper is reached, "" where he is not; None: nobody keeps it}. In any thread."""
        return {}

    def find_lane(self, wing: int) -> str | None:
        """Of the house that keeps it now; None: nobody does, or it cannot be reached. In any thread."""
        return None

    def find_claims(self, platform: str) -> list[Claim] | None:
        """Of the other houses that are there. None: there are never any. In any thread."""
        return None

    def claim(self, platform: str, claim: Claim) -> float:
        """This house's own, in the place of the one before: the part that is left of it by those of others, so that all
        of them never come to more than the whole. In any thread."""
        return claim.part

    def release(self) -> None:
        """Nothing more will be written. Where books are handed from house to house, the next may have them now; reads
        go on until they are closed."""

    @abstractmethod
    def close(self) -> None:
        """Nothing more is read or written, and another house may come."""

    def lose(self, gone: BooksGone) -> BooksGone:
        """And the house hears of it first."""
        self.on_gone(gone)
        return gone


class Store(ABC):
    """Where books are, or may be. As text it says where, with no secret in it."""

    folder: Path

    @abstractmethod
    def __str__(self) -> str: ...

    @abstractmethod
    def open(self, waits: Waits | None = None, wings: frozenset[int] = ALL_WINGS) -> Books:
        """The books, made where there are none, brought up to date where they are older. Raises BooksError: in use,
        damaged, foreign, not all there, not to be written, or kept by one house alone where not all `wings` are asked.

        `waits`: where a store can hand them from one house to the next, books in use are waited for.
        """

    @abstractmethod
    def is_there(self) -> bool:
        """Whether there are books. Raises BooksError where nobody can tell."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Reader]:
        """The books as they are at this moment, whoever holds and writes them meanwhile. Raises BooksError."""

    @abstractmethod
    def find_houses(self) -> list[Present]:
        """Those that are there now, as they came. Raises BooksError, also where books are always one house's alone."""

    @abstractmethod
    def find_loss(self) -> str | None:
        """A sentence on what the books lack. Raises BooksError: what is there cannot be read."""

    @abstractmethod
    def check_empty(self) -> None:
        """Raises BooksError: something is there, and books that come there would take its place."""

    @abstractmethod
    def fill(self, source: Reader, look: Callable[[Reader], None]) -> None:
        """Make books of all that `source` holds, with its numbers, where there are none.

        `look` sees them before they are there for good: what it raises undoes them. Raises BooksError.
        """

    @abstractmethod
    def back_up(self, target: Path) -> None:
        """A consistent copy in a file, while a house writes. Never overwrites. Raises BooksError."""

    @abstractmethod
    def restore(self, source: Path) -> None:
        """Make a backup the books of this store, which has none. Raises BooksError."""

    @abstractmethod
    def take_over(self, source: Path, at: float) -> str | None:
        """`restore` of books that are not all there: what is left of them, and what is missing; None where nothing is.

        How far it goes stands in each casino's audit. Raises BooksError, where nothing is left as well.
        """


@contextmanager
def opened(store: Store, wings: frozenset[int] = ALL_WINGS) -> Iterator[Books]:
    """The books of a store, closed at the end."""
    books = store.open(wings=wings)
    try:
        yield books
    finally:
        books.close()
