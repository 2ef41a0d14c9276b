"""A store: the place where books are kept, the open books, and their readers.

A store is an engine and an address: SQLite in the data folder is storage.sqlite. Code above storage does not know
which engine it is. Each engine's own ways are in its own file; queries are written once, for all.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, TypeVar, cast

from storage.faults import BooksGone, LeaseLost
from storage.ledger import Draft
from storage.rows import TABLES, Row

R = TypeVar("R", bound=Row)
# Called repeatedly while another process has the books, with a sentence about it; returns whether to go on waiting,
# after the pause until the next check.
Waits = Callable[[str], bool]


class Size(NamedTuple):
    """Size of open books in bytes; `log` of a log beside them, None if the store has none."""

    books: int
    log: int | None


class Node(NamedTuple):
    """A process that is on the books of a server: from which address, and since when (Unix seconds).

    `left_s`: until the writer must have renewed its lease, below 0 where it stands still; None for one that waits.
    """

    address: str
    since: float
    left_s: float | None


class Reader(ABC):
    """Read access to the books, for storage.questions. Every read raises BooksGone if the store fails."""

    def balance(self, account: str) -> int:
        found = self._select("SELECT balance FROM accounts WHERE name = ?", account)
        return int(found[0][0]) if found else 0

    @abstractmethod
    def faults_of_store(self) -> Iterator[str]:
        """Yield the faults that the engine itself finds, a sentence each."""

    def lose(self, gone: BooksGone) -> BooksGone:
        """Return the error to raise when the books fail."""
        return gone

    # For storage only: the SQL is ours, and values are bound.

    def _rows(self, kind: type[R], where: str = "", *values: object) -> list[R]:
        """Return rows of one table; `where` is SQL after the table's name."""
        names = ", ".join(kind._fields)
        table, _keys = TABLES[cast(type[Row], kind)]
        found = self._select(f"SELECT {names} FROM {table} {where}", *values)
        return [kind(*row) for row in found]

    def _first(self, kind: type[R], where: str, *values: object) -> R | None:
        return next(iter(self._rows(kind, f"{where} LIMIT 1", *values)), None)

    @abstractmethod
    def _select(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """Run a query whose rows are not those of one table: sums, rankings. Values are "?" in `sql`."""

    @abstractmethod
    def _stream(self, sql: str) -> Iterator[tuple[Any, ...]]:
        """Stream a query like `_select`, for more rows than fit into memory."""

    # Dialect of the engine: pieces of SQL for queries that are otherwise the same text

    # The casino of a posting's accounts, None between a stack and a stake.
    _named_casino: ClassVar[str]
    # A join whose left side is read first.
    _join_after: ClassVar[str]
    # Function names: the least and the greatest of two values, and whether a column is JSON.
    _least: ClassVar[str]
    _greatest: ClassVar[str]
    _is_json: ClassVar[str]

    @staticmethod
    @abstractmethod
    def _whole(number: str) -> str:
        """Return SQL that cuts the fraction off a number that is not negative."""

    @staticmethod
    @abstractmethod
    def _text_in(column: str, *path: str) -> str:
        """Return SQL for the text under a path in a JSON column; NULL if there is none."""

    @staticmethod
    @abstractmethod
    def _number_in(column: str, *path: str) -> str:
        """Return SQL for the whole number under a path in a JSON column, as `_text_in` does."""

    @staticmethod
    @abstractmethod
    def _by(index: str) -> str:
        """Return SQL, to follow a table's name, that makes an engine use this index."""


class ReadableBooks(Reader):
    """The books as a casino reads them, whether its process writes them or not. Thread-safe.

    `folder` is the data folder, with files beside the store: notes of backups, emojis, the operator's link. `held_up`:
    what delays a batch now. `may_lapse`: another process can take what this one holds while it hangs, and `lapsed` must
    be asked. `on_gone` is called in the failing thread before BooksGone is raised there, because a task or a library
    may swallow that.
    """

    folder: Path
    held_up: str | None = None
    may_lapse: ClassVar[bool] = False
    on_gone: Callable[[BooksGone], None]

    @abstractmethod
    def answers(self, keys: Iterable[str]) -> dict[str, str]:
        """Return the stored answers of those `keys` that were answered before."""

    @abstractmethod
    def snapshot(self) -> AbstractContextManager[Reader]:
        """Return the books as they are at this moment, for a slow report in any thread."""

    def lose(self, gone: BooksGone) -> BooksGone:
        """Tell the casino first, then return the error to raise."""
        self.on_gone(gone)
        return gone

    def lapsed(self) -> LeaseLost | None:
        """Return the error of a process whose hold on its books, or on a bot's token, may have lapsed by its own clock;
        else None.

        Asking costs nothing. None also where nothing can be lost that way.
        """
        return None


class Books(ReadableBooks):
    """An open store. It belongs to one process, which writes it from one thread; its other threads may read.

    `is_new`: never opened before. `is_lost`: the process must end without tidying up (storage.sqlite).
    """

    is_new: bool
    is_lost: bool = False

    @abstractmethod
    def write(self, draft: Draft) -> None:
        """Write all of the draft in one durable transaction, or nothing.

        Raises RowsRefused, BooksGone, or LeaseLost where another process has taken the books since.
        """

    def end_loading(self) -> None:
        """Note that the casino has read what it needs for its start."""

    @abstractmethod
    def forget_answers(self, before: float, most: int = 5000) -> bool:
        """Delete the oldest answers' keys, `most` in one transaction: updates are not repeated after days.

        Returns whether there are more.
        """

    @abstractmethod
    def tend(self, now: float) -> None:
        """Check that the books are still ours and do regular upkeep; the writer calls it at least once a second.

        `now` is monotonic. Raises BooksGone.
        """

    @abstractmethod
    def check(self) -> None:
        """Check that the store is unchanged and still ours. Raises BooksGone, or LeaseLost."""

    def check_integrity(self) -> None:
        """Check the store's files after an unclean end, beside the open casino, in a thread of its own: it takes as
        long as reading all of them. Loses the books if they are damaged."""

    @abstractmethod
    def size(self) -> Size:
        """Return the size as last measured; never waits."""

    def release(self) -> None:
        """Stop writing and free the books for another process; reads continue until `close`."""

    def open_forwarding(self) -> "Forwarding | None":
        """Return the writer's end of what fronts send; None for a store that one process has alone."""
        return None

    @abstractmethod
    def close(self) -> None:
        """Close the books for reads and writes, so that another process may open them."""


class Forwarding(ABC):
    """The writer's end of what fronts send and hear (bot.core.forwarding). What it holds may be lost at any time, and
    is sent again. Each method is for one thread, and raises BooksGone.
    """

    @abstractmethod
    def receive(self, timeout_s: float) -> list[tuple[str, str]]:
        """Wait for what fronts send, and take it: (front, body)."""

    @abstractmethod
    def wake(self) -> None:
        """End the present wait of `receive`, from any thread."""

    @abstractmethod
    def send_bodies(self, bodies: Sequence[tuple[str, str]]) -> None:
        """Send (front, body); "" is every front. They get it in this order."""

    @abstractmethod
    def close(self) -> None: ...


class FrontBooks(ReadableBooks):
    """The books in a process that writes nothing and sends its commands to the writer: the front's end of `Forwarding`.

    `send` and `hold_token` are for one thread, `receive_bodies` and `newest` for another. They raise BooksGone.
    """

    @abstractmethod
    def hold_token(self, platform: str) -> bool:
        """Take or renew the lease on a platform's token; False: another front has it. Raises LeaseLost if that one took
        it from this front."""

    @abstractmethod
    def send(self, bodies: Sequence[str]) -> None:
        """Send something to the writer, whichever process that is."""

    @abstractmethod
    def receive_bodies(self, timeout_s: float) -> list[str]:
        """Wait for what the writer says to this front or to all, and return it in order."""

    @abstractmethod
    def newest(self) -> AbstractContextManager[Reader]:
        """Open the books as of one moment after everything that was heard."""

    @abstractmethod
    def check(self) -> None:
        """Check that the books have the schema of this program. Raises BooksError."""

    @abstractmethod
    def close(self) -> None: ...


class Store(ABC):
    """Place of books that may or may not exist. As text it names the place, without secrets."""

    folder: Path

    @abstractmethod
    def __str__(self) -> str: ...

    @abstractmethod
    def open(self, waits: Waits | None = None) -> Books:
        """Open the books, created where there are none, brought up to date where they are older.

        Raises BooksError: in use, damaged, foreign, incomplete, or not writable. With `waits`, a store that can hand
        books from one process to the next waits for books in use.
        """

    @abstractmethod
    def open_front(self, waits: Waits) -> FrontBooks:
        """Open the books for a front, which leaves writing to another process. Books that are not there yet, or older,
        are waited for. Raises BooksError, also for a store that one process has alone."""

    @abstractmethod
    def is_there(self) -> bool:
        """Check whether there are books. Raises BooksError if that cannot be found out."""

    @abstractmethod
    def reading(self) -> AbstractContextManager[Reader]:
        """Read the store at this moment, while another process may hold and write it. Raises BooksError."""

    @abstractmethod
    def find_nodes(self) -> list[Node]:
        """Return the present nodes in order of arrival. Raises BooksError, also for a store without a waiting queue."""

    @abstractmethod
    def find_loss(self) -> str | None:
        """Return a sentence on what the books lack, or None. Raises BooksError where they cannot be read."""

    @abstractmethod
    def check_empty(self) -> None:
        """Check that nothing is there that a new store would replace. Raises BooksError."""

    @abstractmethod
    def fill(self, source: Reader, look: Callable[[Reader], None]) -> None:
        """Make books of all that `source` holds, with its numbers, where there are none.

        `look` sees them before they are there for good: what it raises undoes them. Raises BooksError.
        """

    @abstractmethod
    def back_up(self, target: Path, *, with_key: bool = False) -> None:
        """Make a consistent copy in a file, while a casino writes, with the signing key or without. Never overwrites.
        Raises BooksError."""

    @abstractmethod
    def restore(self, source: Path) -> None:
        """Make a backup the books of this store, which has none. Raises BooksError."""

    @abstractmethod
    def take_over(self, source: Path, at: float) -> str | None:
        """Restore what is left of incomplete books, and note in each casino's audit log how far that goes.

        Returns what is missing, None where nothing is. Raises BooksError where nothing is left.
        """


@contextmanager
def opened(store: Store) -> Iterator[Books]:
    """Open the books of a store and close them at the end."""
    books = store.open()
    try:
        yield books
    finally:
        books.close()
