"""Access to the writer: the one interface through which platforms submit commands and read what is published.

The writer itself satisfies it for platforms in its own process (bot.core.writer).
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future
from typing import Protocol

from bot.core.commands.command import Answer, Command
from bot.core.commands.counting import Count
from bot.core.counters import Histogram
from bot.core.guide.coaching import Coaching
from bot.core.state.transaction import State
from bot.texts import Text
from storage.store import ReadableBooks, Size

Sender = Future[Answer] | asyncio.Future[Answer]
"""The sender of a command: a thread, or a task of an event loop."""

BUSY = Answer((Text("The table is busy, try again."),), refused=True)
_log = logging.getLogger("ridotto")


class Commits(Protocol):
    """Figures of the process that writes the books, since its start."""

    @property
    def commits(self) -> int: ...

    @property
    def batches(self) -> Histogram: ...

    @property
    def commit_times_us(self) -> Histogram: ...

    @property
    def hands(self) -> Counter[str]: ...

    @property
    def last_commit(self) -> float: ...

    @property
    def size(self) -> Size: ...


class Access(Protocol):
    """Interface to the writer for platforms; reading needs no answer of it.

    state       what is published; nothing in it is ahead of the books
    commands    answered so far; `turned_away` and `put_off` had no answer but BUSY
    commit_figures  None in a process that writes nothing
    on_new_writer  called in any thread when another writer may have begun, which does not know what is away
    """

    commands: int
    turned_away: int
    put_off: int

    @property
    def state(self) -> State: ...

    @property
    def books(self) -> ReadableBooks: ...

    @property
    def coaching(self) -> Coaching: ...

    @property
    def count(self) -> Count: ...

    @property
    def clock(self) -> Callable[[], float]: ...

    @property
    def monotonic(self) -> Callable[[], float]: ...

    @property
    def waiting(self) -> int: ...

    @property
    def is_alive(self) -> bool: ...

    @property
    def figures(self) -> Commits | None: ...

    @property
    def on_new_writer(self) -> list[Callable[[], None]]: ...

    def say_delay(self) -> str:
        """Return why a command has no answer yet, in one line."""

    def subscribe(self, tell: Callable[[set[int]], None]) -> Callable[[], None]:
        """Call `tell(table ids)` after each change, in any thread. Returns a function that unsubscribes."""

    def submit(self, command: Command) -> Future[Answer]:
        """Submit a command from any thread: its answer comes once what it did is on disk."""

    def submit_from_loop(self, command: Command) -> asyncio.Future[Answer]:
        """Submit a command from the running event loop."""


class Publisher:
    """Tells subscribers of changed tables, in any thread."""

    def __init__(self) -> None:
        # Replaced, never changed in place, because another thread reads it.
        self._subscribers: tuple[Callable[[set[int]], None], ...] = ()
        self.on_new_writer: list[Callable[[], None]] = []

    def subscribe(self, tell: Callable[[set[int]], None]) -> Callable[[], None]:
        """Call `tell(table ids)` after each change, in any thread. Returns a function that unsubscribes."""

        def told(tables: set[int]) -> None:
            tell(tables)

        def end() -> None:
            self._subscribers = tuple(one for one in self._subscribers if one is not told)

        self._subscribers = (*self._subscribers, told)
        return end

    def notify(self, tables: set[int]) -> None:
        """Tell every subscriber of changed tables."""
        for tell in self._subscribers:
            try:
                tell(tables)
            except Exception as fault:
                # A failing platform does not stop the books: the next change shows this one too.
                _log.error("a change could not be published", exc_info=fault)
