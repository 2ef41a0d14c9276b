"""The writer: one thread that takes commands in batches, commits each batch, then answers.

Everything that has arrived and every clock that has run out is one batch: worked out, written in one
transaction, and only then published and answered. The only place where time and randomness come from.
"""

import asyncio
import logging
import os
import queue
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from functools import partial
from typing import Protocol

from bot.core.access import BUSY, Publisher, Sender
from bot.core.casinos.log_heads import Heads
from bot.core.commands.command import FAULT, Answer, Beside, Command
from bot.core.commands.counting import Count, Counting
from bot.core.counters import Histogram
from bot.core.guide.coaching import Coaching
from bot.core.handle import Batch, CommandHandling
from bot.core.rounds.recovery import read_hands
from bot.core.rounds.script_budget import WATCHDOG
from bot.core.schedule import Schedule
from bot.core.startup import start_up
from bot.core.state.transaction import State, Transaction
from engine.fairness import ed25519
from engine.fairness.beacon import BeaconRound
from storage.faults import BooksGone, RowsRefused
from storage.rows import HandRow, LogHeadRow
from storage.signing_key import take_signing_key
from storage.store import Books, Size

MOST_IN_A_BATCH = 1000
# A thousand hands that run out together, as after a start, must not hold up the next bets.
MOST_CLOCKS = 100
# About a second of work; later commands are told at once to try again.
MOST_WAITING = 2_000
# Each may take seconds and megabytes.
MOST_REPORTS = 20
KEYS_KEPT_S = 48 * 3600.0
RETRY_S = 60.0
# Longest sleep, so that a change of the wall clock is noticed.
LONGEST_SLEEP_S = 1.0
# Smaller steps are corrections by time servers; from here on the clock was set.
STEP_S = 0.5
SWITCH_S = 0.001
BATCH_SIZES = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
COMMIT_TIMES_US = (500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000)
_log = logging.getLogger("ridotto.writer")

# One answer for all, because refusals must be cheap under load.
_TURNED_AWAY: "Future[Answer]" = Future()
_TURNED_AWAY.set_result(BUSY)


class Beacon(Protocol):
    """The interface through which the writer follows a beacon (bot.beacon.follow)."""

    @property
    def name(self) -> str:
        """Return the name of the chain."""

    @property
    def newest(self) -> int:
        """A round that is surely over; 0: none is known."""

    def subscribe(self, tell: Callable[[BeaconRound], None]) -> Callable[[], None]:
        """Call `tell` for each wanted round that has come, in any thread. Returns a function that unsubscribes."""

    def request_round(self, round: int) -> None:
        """Ask for a round: subscribers are told when it is here and checked."""

    def forget(self, round: int) -> None:
        """Stop waiting for a round."""


class _Wake:
    """Marker in the queue of commands that wakes the writer for other work."""


_WAKE = _Wake()


class Writer(Publisher):
    """The writer, which runs the casinos in its own thread.

    `submit` is thread-safe; subscribers are called in the writer's thread after each change, and in the coach's when a
    result is ready.

    `clock` is wall time, for stamps and days; `monotonic` runs the clocks at tables: when the wall clock is set, all
    deadlines move with it. With `clock` alone it serves as both.

    If the store fails, for any reader or writer in any thread, or this thread does, no answer can be guaranteed:
    `on_fatal` is called once, in the failing thread, and the writer ends. Uncommitted commands were not answered.
    """

    def __init__(
        self,
        books: Books,
        *,
        clock: Callable[[], float] | None = None,
        monotonic: Callable[[], float] | None = None,
        entropy: Callable[[int], bytes] = os.urandom,
        language: str = "en",
        on_fatal: Callable[[BaseException], None] = lambda fault: None,
        count: Count | None = None,
        secret: bytes | None = None,
        beacon: Beacon | None = None,
    ) -> None:
        """Load the books, recover what was running, and store that; the thread runs from `start` on.

        `secret` are the 32 bytes that sign heads of logs, instead of those in the books. `beacon` is None without one.
        """
        super().__init__()
        self.books = books
        self.clock = clock or time.time
        self.monotonic = monotonic or clock or time.monotonic
        self.on_fatal = on_fatal
        secret = take_signing_key(books, os.urandom) if secret is None else secret
        key, chain = ed25519.public_key(secret).hex(), beacon.name if beacon is not None else ""
        self.state = State(books, partial(read_hands, books), key, chain)
        self.schedule = Schedule(self.state, entropy)
        self.handling = CommandHandling(self.state, self.schedule, entropy)
        started = start_up(self.schedule, self.clock(), language)
        books.write(started)
        books.end_loading()
        self.handling.publish(Batch(started))
        self._beacon = beacon
        # The requested rounds.
        self._wanted: set[int] = set()
        if beacon is not None:
            beacon.subscribe(self.take_round)
        self.heads = Heads(self.state, secret, self.clock, self._take_heads)
        self.last_commit = self.clock()
        # Called in the writer's thread with what was published, before subscribers and answers.
        self.on_published: Callable[[Transaction, set[int]], None] = lambda transaction, tables: None
        self.commits = 0
        self.commands = 0
        # Commands that were turned away, and reports that were put off.
        self.turned_away = self.put_off = 0
        self.batches = Histogram(BATCH_SIZES)
        self.commit_times_us = Histogram(COMMIT_TIMES_US)
        self.hands: Counter[str] = Counter()
        self._waiting: queue.SimpleQueue[tuple[Command, Sender] | _Wake | None] = queue.SimpleQueue()
        self._counting = Counting()
        self.count: Count = count or self._counting
        self.coaching = Coaching(self.state, lambda *asked: self.count(*asked), self.notify)
        # Reports to read beside the writer, one after the other, and their callers.
        self._reports: queue.SimpleQueue[tuple[Answer, Sender] | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._reporter = threading.Thread(target=self._run_reports, name="reports", daemon=True)
        # Acquired by the first thread that ends the writer, and never released.
        self._end = threading.Lock()
        self._forgot = self.monotonic()
        self._ahead = self.clock() - self.monotonic()
        self.heads.sign_again(self.schedule.uncovered_logs)

    def start(self) -> None:
        """Start the writer's thread and the threads beside it."""
        # While a large batch is computed, the event loop gets its turn after this time instead of five times that.
        sys.setswitchinterval(SWITCH_S)
        self.books.on_gone = self.give_up
        threading.Thread(target=self.books.check_integrity, name="integrity check", daemon=True).start()
        self._reporter.start()
        self.coaching.start()
        self._thread.start()
        self.heads.start()

    def stop(self, timeout_s: float = 4.0) -> None:
        """Finish what has arrived, then end. Hands under way stay in the books."""
        began = time.monotonic()
        self.coaching.stop()
        self.heads.stop(timeout_s / 4)
        self._waiting.put(None)
        if self._thread.is_alive():
            self._thread.join(timeout_s)
        self._reports.put(None)
        if self._reporter.is_alive():
            self._reporter.join(max(0.0, timeout_s - (time.monotonic() - began)))
        self._counting.close()
        self.coaching.join(max(0.0, timeout_s - (time.monotonic() - began)))

    @property
    def waiting(self) -> int:
        """Commands that have arrived and are not being worked out yet."""
        return self._waiting.qsize()

    @property
    def is_alive(self) -> bool:
        return self._thread.is_alive()

    @property
    def figures(self) -> "Writer":
        return self

    @property
    def size(self) -> Size:
        return self.books.size()

    def say_delay(self) -> str:
        """Return why a command has no answer yet, in one line."""
        if self.books.held_up is not None:
            return self.books.held_up
        if game := WATCHDOG.find_late():
            return f"code of {game} is running for too long"
        return f"the writer has not committed for {self.clock() - self.last_commit:.0f} s"

    def submit(self, command: Command) -> "Future[Answer]":
        """Queue a command; the future has its answer after the commit. Answers at once when too many are waiting."""
        if self.waiting >= MOST_WAITING:
            self.turned_away += 1
            return _TURNED_AWAY
        answer: Future[Answer] = Future()
        self._waiting.put((command, answer))
        return answer

    def submit_from_loop(self, command: Command) -> asyncio.Future[Answer]:
        """Submit a command from the running event loop, which gets all answers of a batch in one call."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        if self.waiting >= MOST_WAITING:
            self.turned_away += 1
            answer.set_result(BUSY)
        else:
            self._waiting.put((command, answer))
        return answer

    def _run(self) -> None:
        try:
            more = True
            while more:
                batch, more = self._collect_batch()
                if self._end.locked():
                    return
                self.books.tend(time.monotonic())
                self.round([command for command, _future in batch], [future for _command, future in batch])
        except BaseException as fault:
            self.give_up(fault)

    def give_up(self, fault: BaseException) -> None:
        """Stop with a fault, from any thread: the first one is reported."""
        if not self._end.acquire(blocking=False):
            return
        if isinstance(fault, BooksGone):
            _log.critical("%s", fault)
        else:
            _log.critical("the writer failed: %s", type(fault).__name__, exc_info=fault)
        self._waiting.put(None)
        self.on_fatal(fault)

    def _collect_batch(self) -> tuple[list[tuple[Command, Sender]], bool]:
        """Return everything that has arrived; waits for the first command, at most until the next clock runs out, or a
        moment.
        """
        batch: list[tuple[Command, Sender]] = []
        deadline = self.schedule.next_deadline()
        wait = LONGEST_SLEEP_S
        if deadline is not None:
            wait = min(wait, max(0.0, deadline - self.clock()))
        try:
            one = self._waiting.get(timeout=wait)
            while one is not None:
                if not isinstance(one, _Wake):
                    batch.append(one)
                if len(batch) >= MOST_IN_A_BATCH:
                    break
                one = self._waiting.get_nowait()
            return batch, one is not None
        except queue.Empty:
            return batch, True

    def take_round(self, round: BeaconRound) -> None:
        """Accept a checked round, from any thread."""
        self.schedule.take_round(round)
        self._waiting.put(_WAKE)

    def _take_heads(self, heads: Sequence[LogHeadRow]) -> None:
        """Accept signed heads, from any thread: they are written at once."""
        for head in heads:
            self.handling.take_head(head)
        self._waiting.put(_WAKE)

    def _ask_for_rounds(self) -> None:
        """Ask for the rounds that hands wait for, each once."""
        if self._beacon is None:
            return
        wanted = self.schedule.rounds_to_come
        for round in sorted(wanted - self._wanted):
            self._beacon.request_round(round)
        for round in sorted(self._wanted - wanted):
            self._beacon.forget(round)
        self._wanted = wanted

    def round(self, commands: Sequence[Command], futures: Sequence[Sender]) -> None:
        """Run one batch, from its commands to their answers. Tests call it directly."""
        self._look_at_wall_clock()
        now = self.clock()
        if self._beacon is not None:
            self.state.newest_round = self._beacon.newest
        self._run_batches(commands, futures, now)
        if logs := self.schedule.uncovered_logs:
            self._cover(logs, now)
        self._ask_for_rounds()
        if self.monotonic() - self._forgot > 3600.0 and not self.books.forget_answers(now - KEYS_KEPT_S):
            self._forgot = self.monotonic()

    def _cover(self, logs: set[tuple[int, int]], now: float) -> None:
        """Sign heads of these logs: beside a running writer soon, with the next batch, else at once."""
        if self.heads.is_running:
            self.heads.sign_soon(logs)
        elif self.heads.sign(logs):
            self._run_batches((), (), now)

    def _run_batches(self, commands: Sequence[Command], futures: Sequence[Sender], now: float) -> None:
        for batch, waiting in self._write(commands, futures, now):
            changed = self.handling.publish(batch)
            self.on_published(batch.transaction, changed)
            self.commands += len(waiting)
            if waiting:
                self.batches.note(len(waiting))
            if changed:
                self.notify(changed)  # before the answers, so that every view is up to date when they arrive
            answer_all(
                (future, answer)
                for future, answer in zip(waiting, batch.answers, strict=True)
                if not self._take_report(future, answer)
            )

    def _look_at_wall_clock(self) -> None:
        """Move every deadline if the wall clock was set, so that no player has a second more or less."""
        before, wall, after = self.monotonic(), self.clock(), self.monotonic()
        step = wall - after - self._ahead
        if abs(step) < STEP_S or after - before >= STEP_S:  # the process stood still in between: the next check decides
            return
        _log.warning("the system clock was changed by %+.1f s; remaining times stay as they are", step)
        batch = self.handling.shift_clocks(step)
        self._ahead += step
        try:
            self._commit(batch)
        except RowsRefused as fault:
            _log.error("the books refused the remaining times: %s", fault)
            return
        changed = self.handling.publish(batch)
        self.on_published(batch.transaction, changed)
        if changed:
            self.notify(changed)

    def _take_report(self, future: Sender, answer: Answer) -> bool:
        """Read the report of an answer, if it has one, beside a running writer, and answer with it; return whether."""
        if answer.report is None:
            return False
        if not self._reporter.is_alive():
            self._report(answer, future)
        elif self._reports.qsize() < MOST_REPORTS:
            self._reports.put((answer, future))
        else:
            self.put_off += 1
            answer_all([(future, BUSY)])
        return True

    def _run_reports(self) -> None:
        while (waiting := self._reports.get()) is not None:
            try:
                self._report(*waiting)
            except BooksGone:
                return  # the fault was reported, and the writer ends

    def _report(self, answer: Answer, future: Sender) -> None:
        assert answer.report is not None
        try:
            with self.books.snapshot() as books:
                rest = answer.report(Beside(books, self.count))
            answer = answer._replace(found=rest.texts, file=rest.file, lesson=rest.lesson, report=None)
            answer = answer._replace(shared_post=rest.shared_post or answer.shared_post)
        except Exception as fault:
            _log.error("a report failed: %s", type(fault).__name__, exc_info=fault)
            answer = FAULT
        answer_all([(future, answer)])

    def _write(
        self, commands: Sequence[Command], futures: Sequence[Sender], now: float
    ) -> Iterator[tuple[Batch, Sequence[Sender]]]:
        """Write commands and yield the batches that are on disk, each to be published before the next is worked out."""
        batch, fault = self._write_batch(commands, now, MOST_CLOCKS)
        if fault is not None:
            # The schema refused what the rules allowed: a bug. Find the command and serve the others.
            _log.error("the books refused a batch of %s: %s", len(commands), fault)
            self.handling.drop(batch)
        else:
            yield batch, futures
            return
        for command, future in zip(commands, futures, strict=True):
            single, fault = self._write_batch([command], now, 0)
            if fault is None:
                yield single, [future]
            else:
                _log.error("the books refused the command %s: %s", command.verb, fault)
                answer_all([(future, FAULT)])
        while self.schedule.is_due(now):
            single, fault = self._write_batch([], now, 1)
            if fault is None:
                yield single, []
            else:
                _log.error("the books refused a clock: %s", fault)
                self.handling.drop(single, until=now + RETRY_S)

    def _write_batch(self, commands: Sequence[Command], now: float, clocks: int) -> tuple[Batch, RowsRefused | None]:
        """Work out a batch and write it; return why it was refused, or None."""
        batch = self.handling.work_out(commands, now, clocks=clocks)
        try:
            self._commit(batch)
        except RowsRefused as fault:
            return batch, fault
        return batch, None

    def _commit(self, batch: Batch) -> None:
        if batch.transaction.is_empty:
            return
        began = time.perf_counter_ns()
        self.books.write(batch.transaction)
        self.commit_times_us.note((time.perf_counter_ns() - began) // 1000)
        self.last_commit = self.clock()
        self.commits += 1
        for row in batch.transaction.rows[HandRow].values():
            assert isinstance(row, HandRow)
            # A finished hand is written once.
            self.hands[row.game] += row.status == "over"


def answer_all(answers: Iterable[tuple[Sender, Answer]]) -> None:
    """Answer the senders of commands, unless they do not wait any more; each event loop is called once."""
    by_loop: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Answer], Answer]]] = {}
    for future, answer in answers:
        if isinstance(future, asyncio.Future):
            by_loop.setdefault(future.get_loop(), []).append((future, answer))
        elif future.set_running_or_notify_cancel():
            future.set_result(answer)
    for loop, settled in by_loop.items():
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(_settle, settled)


def _settle(answers: Sequence[tuple[asyncio.Future[Answer], Answer]]) -> None:
    for future, answer in answers:
        if not future.done():
            future.set_result(answer)
