"""One thread: takes a batch of commands, one commit, then speaks.

Everything that has arrived and every clock that has run out is one batch: worked out on paper, written in one
transaction, and only then published and answered. The only place where time and randomness come from.
"""

import logging
import os
import queue
import sqlite3
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future

from bot.counters import Histogram
from bot.floor.command import FAULT, Answer, Command
from bot.floor.floor import Batch, Floor
from bot.texts import Text
from storage.database import Books
from storage.rows import HandRow

MOST_IN_A_BATCH = 1000
# A thousand hands that run out together, as after a start, must not hold up everybody's next bet.
MOST_CLOCKS = 100
# A second of work or less: whoever would wait longer is better told at once to try again.
MOST_WAITING = 2_000
KEYS_KEPT_S = 48 * 3600.0
RETRY_S = 60.0
SWITCH_S = 0.001
BATCH_SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
COMMIT_TIMES_US = (500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000)
_log = logging.getLogger("ridotto.pit")

BUSY = Answer((Text("The table is busy, try again."),), refused=True)

# One for all: turning away has to be cheap when there is much of it.
_TURNED_AWAY: "Future[Answer]" = Future()
_TURNED_AWAY.set_result(BUSY)


class Pit:
    """Runs the floor in its own thread. `submit` from any thread; `on_change(table ids)` is called in the pit's.

    When a commit fails for another reason than the schema, the process cannot promise anything any more: `on_fatal`
    is called and the thread ends. What was not committed was not said.
    """

    def __init__(
        self,
        books: Books,
        *,
        clock: Callable[[], float] = time.time,
        entropy: Callable[[int], bytes] = os.urandom,
        language: str = "en",
        on_change: Callable[[set[int]], None] = lambda tables: None,
        on_fatal: Callable[[BaseException], None] = lambda fault: None,
    ) -> None:
        self.books = books
        self.clock = clock
        self.on_change = on_change
        self.on_fatal = on_fatal
        self.floor = Floor(books, entropy, clock(), language)
        self.last_commit = clock()
        self.commits = 0
        self.commands = 0
        self.batches = Histogram(BATCH_SIZES)
        self.commit_times_us = Histogram(COMMIT_TIMES_US)
        self.hands: Counter[str] = Counter()
        self._waiting: queue.SimpleQueue[tuple[Command, Future[Answer]] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="pit", daemon=True)
        self._forgot = clock()

    def start(self) -> None:
        # While a large batch is worked out, the event loop is given its turn after this and not after five times that.
        sys.setswitchinterval(SWITCH_S)
        self._thread.start()

    def stop(self, timeout_s: float = 4.0) -> None:
        """Finish what has arrived, then end. Hands under way stay in the books."""
        self._waiting.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout_s)

    @property
    def waiting(self) -> int:
        """Commands that have arrived and are not being worked out yet."""
        return self._waiting.qsize()

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def submit(self, command: Command) -> "Future[Answer]":
        """The answer comes after the commit. A pit that is drowning says so at once."""
        if self.waiting >= MOST_WAITING:
            return _TURNED_AWAY
        answer: Future[Answer] = Future()
        self._waiting.put((command, answer))
        return answer

    def _run(self) -> None:
        try:
            while True:
                batch, more = self._take()
                self.round([command for command, _future in batch], [future for _command, future in batch])
                if not more:
                    return
        except BaseException as fault:
            _log.critical("the books cannot be written: %s", fault)
            self.on_fatal(fault)

    def _take(self) -> tuple[list[tuple[Command, "Future[Answer]"]], bool]:
        """Everything that has arrived; waits for the first, at most until the next clock runs out."""
        batch: list[tuple[Command, Future[Answer]]] = []
        deadline = self.floor.next_deadline()
        wait = 3600.0 if deadline is None else max(0.0, deadline - self.clock())
        try:
            one = self._waiting.get(timeout=wait)
            while one is not None and len(batch) < MOST_IN_A_BATCH - 1:
                batch.append(one)
                one = self._waiting.get_nowait()
            if one is not None:
                batch.append(one)
            return batch, one is not None
        except queue.Empty:
            return batch, True

    def round(self, commands: Sequence[Command], futures: Sequence["Future[Answer]"]) -> None:
        """One batch from paper to answer; the tests drive it inline."""
        now = self.clock()
        for batch, waiting in self._write(commands, futures, now):
            changed = self.floor.publish(batch)
            self.commands += len(waiting)
            if waiting:
                self.batches.note(len(waiting))
            for future, answer in zip(waiting, batch.answers, strict=True):
                _answer(future, answer)
            if changed:
                self._tell(changed)
        if now - self._forgot > 3600.0 and not self.books.forget_answers(now - KEYS_KEPT_S):
            self._forgot = now

    def _tell(self, tables: set[int]) -> None:
        try:
            self.on_change(tables)
        except Exception as fault:
            # An adapter's fault is no fault of the books: the next change shows what this one would have shown.
            _log.error("a change could not be told", exc_info=fault)

    def _write(
        self, commands: Sequence[Command], futures: Sequence["Future[Answer]"], now: float
    ) -> Iterator[tuple[Batch, Sequence["Future[Answer]"]]]:
        """What is on disk now, to be published before the next is worked out."""
        batch = self.floor.work(commands, now, clocks=MOST_CLOCKS)
        try:
            self._commit(batch)
        except sqlite3.IntegrityError as fault:
            # The schema refused what the floor thought right: a bug. Find whose, serve the others.
            _log.error("the books refused a batch of %s: %s", len(commands), fault)
            self.floor.drop(batch)
        else:
            yield batch, futures
            return
        for command, future in zip(commands, futures, strict=True):
            single = self.floor.work([command], now, clocks=0)
            try:
                self._commit(single)
                yield single, [future]
            except sqlite3.IntegrityError as fault:
                _log.error("the books refused the command %s: %s", command.verb, fault)
                _answer(future, FAULT)
        while self.floor.is_due(now):
            single = self.floor.work([], now, clocks=1)
            try:
                self._commit(single)
                yield single, []
            except sqlite3.IntegrityError as fault:
                _log.error("the books refused a clock: %s", fault)
                self.floor.drop(single, until=now + RETRY_S)

    def _commit(self, batch: Batch) -> None:
        if batch.paper.is_empty:
            return
        began = time.perf_counter_ns()
        self.books.write(batch.paper)
        self.commit_times_us.note((time.perf_counter_ns() - began) // 1000)
        self.last_commit = self.clock()
        self.commits += 1
        for row in batch.paper.rows[HandRow].values():
            assert isinstance(row, HandRow)
            # A finished hand is written once.
            self.hands[row.game] += row.status == "over"


def _answer(future: "Future[Answer]", answer: Answer) -> None:
    """Who does not wait any more is not told."""
    if future.set_running_or_notify_cancel():
        future.set_result(answer)
