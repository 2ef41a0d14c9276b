"""A front's access to the writer, which is another process on the same books (bot.core.forwarding).

A front keeps nothing: it holds the published state as the books have it, reads anew what the writer says has changed,
and sends commands until they are answered. Each has its key, so that one that was sent twice is done once.
"""

import asyncio
import logging
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any, TypeVar

from msgspec import structs

from bot.core.access import BUSY, Publisher, Sender
from bot.core.commands.command import FAULT, Answer, Command
from bot.core.commands.counting import Count, Counting
from bot.core.crossing import Alive, Answered, Changed, Greeting, Welcome, dump_sent, load_answer, load_told
from bot.core.guide.coaching import Coaching
from bot.core.rounds.recovery import read_hands
from bot.core.rounds.script_budget import play_move
from bot.core.startup import AT_ONCE, load_places, read_tables
from bot.core.state.layers import LayeredMap
from bot.core.state.table import Table, share_tournaments
from bot.core.state.transaction import State, Transaction
from bot.core.writer import MOST_WAITING, SWITCH_S, answer_all
from bot.texts import Text
from engine.fairness import ed25519
from engine.hand import Hand
from engine.record import parse_move
from storage.faults import BooksGone
from storage.questions import casinos, hands
from storage.signing_key import find_signing_key
from storage.store import FrontBooks, Reader

S = TypeVar("S", "Future[Answer]", "asyncio.Future[Answer]")
# Unanswered commands are sent again after `AGAIN_S` and given up after `PATIENCE_S`, or after `LONGEST_S` if there is a
# writer, which may be making a long report.
AGAIN_S, PATIENCE_S, LONGEST_S = 1.0, 10.0, 120.0
LOOK_S = 0.25
# Silence after which there is no writer: a writer sends something every second.
SILENT_S = 3.0
# Maps of the state that cache what was requested and read the rest from the books.
_READ = ("players", "seen_last", "members", "identities", "browsers", "logs", "older_logs", "balances")
UNANSWERED = Answer(
    (Text("The casino is not answering right now. Check the table before you try again."),), refused=True
)
UNWRITABLE = Answer((Text("That contains characters that are not supported."),), refused=True)
_log = logging.getLogger("ridotto.front")


@dataclass
class _SentCommand:
    """A command on its way: when it came, when it was sent last, and who waits for its answer."""

    body: str
    came: float
    sent: float
    senders: list[Sender] = field(default_factory=list)


class Front(Publisher):
    """Access for platforms in a process that writes nothing. `submit` and `subscribe` work as the writer's do.

    If the books fail, `on_fatal` is called once, in the failing thread, and nothing is answered any more.
    """

    figures = None

    def __init__(
        self,
        books: FrontBooks,
        *,
        clock: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
        on_fatal: Callable[[BaseException], None] = lambda fault: None,
        count: Count | None = None,
    ) -> None:
        super().__init__()
        self.books, self.clock, self.monotonic, self._on_fatal = books, clock, monotonic, on_fatal
        secret = find_signing_key(books)
        self.state = State(books, partial(read_hands, books), ed25519.public_key(secret).hex() if secret else "")
        # Held while requested values are read or dropped, so that nothing old replaces something newer.
        self._reading = threading.RLock()
        for name in _READ:
            layer: LayeredMap[Any, Any] = getattr(self.state, name)
            assert layer.read is not None
            layer.read = partial(self._read_and_keep, layer, layer.read)
        self._load(books)
        self._counting = Counting()
        self.count: Count = count or self._counting
        self.coaching = Coaching(self.state, lambda *asked: self.count(*asked), self.notify)
        self.commands = self.turned_away = self.put_off = 0
        self._arrived: queue.SimpleQueue[tuple[Command, Sender] | None] = queue.SimpleQueue()
        self._unanswered: dict[str, _SentCommand] = {}
        # {platform: whether its token is ours, once it is}
        self._tokens: dict[str, Future[None]] = {}
        self._lock = threading.Lock()
        self._end = threading.Lock()
        self._heard = self._greeted = float("-inf")
        self._threads = [
            threading.Thread(target=self._run, args=(work,), name=name, daemon=True)
            for name, work in (("sending", self._send_all), ("hearing", self._hear_all))
        ]

    def start(self) -> None:
        """Start sending and hearing."""
        sys.setswitchinterval(SWITCH_S)
        self.books.on_gone = self._give_up
        self.coaching.start()
        for thread in self._threads:
            thread.start()

    def stop(self, timeout_s: float = 4.0) -> None:
        """Wait for the answers that are still to come, then end."""
        ends = time.monotonic() + timeout_s
        while self.waiting and time.monotonic() < ends and not self._end.locked():
            time.sleep(LOOK_S / 10)
        self._end.acquire(blocking=False)
        self._arrived.put(None)
        self.coaching.stop()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(2 * LOOK_S)
        self._counting.close()
        self.coaching.join(LOOK_S)

    @property
    def waiting(self) -> int:
        return self._arrived.qsize() + len(self._unanswered)

    @property
    def is_alive(self) -> bool:
        return not self._end.locked()

    def say_delay(self) -> str:
        """Return why a command has no answer yet, in one line."""
        return "the writer does not answer in time" if self._has_writer else "no writer answers this front"

    @property
    def _has_writer(self) -> bool:
        return time.monotonic() - self._heard < SILENT_S

    def submit(self, command: Command) -> "Future[Answer]":
        """Submit a command from any thread."""
        return self._queue_command(command, Future())

    def submit_from_loop(self, command: Command) -> "asyncio.Future[Answer]":
        """Submit a command from the running event loop."""
        return self._queue_command(command, asyncio.get_running_loop().create_future())

    def await_token(self, platform: str) -> "Future[None]":
        """Ask for a platform's token before `start`: the future is done once this front alone may use it."""
        return self._tokens.setdefault(platform, Future())

    def _queue_command(self, command: Command, answer: S) -> S:
        if self.waiting >= MOST_WAITING:
            self.turned_away += 1
            answer.set_result(BUSY)
        else:
            self._arrived.put((command, answer))
        return answer

    def _run(self, work: Callable[[], None]) -> None:
        try:
            while not self._end.locked():
                work()
        except BaseException as fault:
            self._give_up(fault)

    def _give_up(self, fault: BaseException) -> None:
        """Stop with a fault, from any thread: the first one is reported."""
        if not self._end.acquire(blocking=False):
            return
        if isinstance(fault, BooksGone):
            _log.critical("%s", fault)
        else:
            _log.critical("the front failed: %s", type(fault).__name__, exc_info=fault)
        self._on_fatal(fault)

    def _send_all(self) -> None:
        """Send new commands, unanswered ones, and a sign of life."""
        arrived = [*self._take_arrived()]
        now, bodies = time.monotonic(), []
        with self._lock:
            for command, sender in arrived:
                try:
                    sent = self._unanswered.setdefault(
                        command.key, _SentCommand(dump_sent(command), now, float("-inf"))
                    )
                except UnicodeEncodeError:
                    answer_all([(sender, UNWRITABLE)])
                else:
                    sent.senders.append(sender)
            patience_s = LONGEST_S if self._has_writer else PATIENCE_S
            late = {key: one for key, one in self._unanswered.items() if now - one.came >= patience_s}
            for key, one in self._unanswered.items():
                if key not in late and now - one.sent >= AGAIN_S:
                    one.sent = now
                    bodies.append(one.body)
            for key in late:
                del self._unanswered[key]
        answer_all((sender, UNANSWERED) for one in late.values() for sender in one.senders)
        if now - self._greeted >= AGAIN_S:
            self._greeted = now
            bodies.append(dump_sent(Greeting(self._hold_tokens())))
        if bodies:
            self.books.send(bodies)

    def _hold_tokens(self) -> list[str]:
        """Renew the leases on tokens, take those that are free, and return the platforms whose tokens are ours."""
        for platform, ours in self._tokens.items():
            if self.books.hold_token(platform) and not ours.done():
                ours.set_result(None)
        return [platform for platform, ours in self._tokens.items() if ours.done()]

    def _take_arrived(self) -> Iterator[tuple[Command, Sender]]:
        try:
            one = self._arrived.get(timeout=LOOK_S)
            while one is not None:
                yield one
                one = self._arrived.get_nowait()
        except queue.Empty:
            return

    def _hear_all(self) -> None:
        told = [load_told(body) for body in self.books.receive_bodies(LOOK_S)]
        self._heard = time.monotonic() if told else self._heard
        if all(isinstance(one, Alive) for one in told):
            return
        is_welcomed = any(isinstance(one, Welcome) for one in told)
        tables, changes = set[int](), [one for one in told if isinstance(one, Changed)]
        with self.books.newest() as books:
            if is_welcomed:
                self.books.check()
                tables |= self._load(books)
            elif changes:
                self._read_changes(books, changes)
                tables = {id for one in changes for id in one.tables}
            answers = [(one.key, _load(one.answer, books)) for one in told if isinstance(one, Answered)]
        if tables:
            self.notify(tables)  # before the answers, so that every view is up to date when they arrive
        for tell in self.on_new_writer if is_welcomed else ():
            tell()
        with self._lock:
            settled = [(self._unanswered.pop(key, None), answer) for key, answer in answers]
        self.commands += len(answers)
        answer_all((sender, answer) for sent, answer in settled if sent is not None for sender in sent.senders)

    def _load(self, books: Reader) -> set[int]:
        """Read everything anew that is not read on demand. Return all tables."""
        with self._reading:
            for name in _READ:
                getattr(self.state, name).clear()
            self.state.heads.clear()
        load_places(self.state, books)
        rows = casinos.tables(books)
        while some := [*islice(rows, AT_ONCE)]:
            self._publish(read_tables(books, some))
        return {*self.state.tables}

    def _read_changes(self, books: Reader, changes: Iterable[Changed]) -> None:
        """Drop changed values that are read on demand, and read all others."""
        keys: dict[str, set[Any]] = {}
        for one in changes:
            for name, changed in one.keys.items():
                keys.setdefault(name, set()).update(tuple(key) if isinstance(key, list) else key for key in changed)
        with self._reading:
            for name in (*_READ, "heads"):
                for key in keys.get(name, ()):
                    getattr(self.state, name).pop(key, None)
        if not keys.keys().isdisjoint(("casinos", "places")):
            load_places(self.state, books)
        rows = iter(casinos.some_tables(books, sorted(keys.get("tables", ()))))
        while some := [*islice(rows, AT_ONCE)]:
            self._publish(self._with_hands(books, table) for table in read_tables(books, some))

    def _publish(self, tables: Iterable[Table]) -> None:
        found = Transaction(self.state)
        found.tables.update((table.id, table) for table in tables)
        share_tournaments(found.tables, self.state.tables)
        self.state.publish(found)

    def _with_hands(self, books: Reader, table: Table) -> Table:
        """Return the table with its hands: those that are known play only the moves since."""
        if table.unread is None:
            return table
        before = self.state.tables.get(table.id)
        known: dict[int | None, Hand] = {}
        if before is not None:
            ids = (before.last_hand, before.last), (before.round.hand_id, before.round.hand)
            known = {id: hand for id, hand in ids if hand is not None}
        play, last = table.unread
        try:
            if not ({play, last} - {None} <= known.keys()):
                return read_hands(books, table)
            played, shown = _continue(books, known, play), _continue(books, known, last)
        except Exception as fault:
            _log.error("a hand no longer replays: %s", type(fault).__name__)
            return table  # readers see the table without that hand
        return structs.replace(table, last=shown, unread=None, round=structs.replace(table.round, hand=played))

    def _read_and_keep(self, layer: LayeredMap[Any, Any], read: Callable[[Any], Any], key: Any) -> Any:
        with self._reading:
            found = read(key)
            return layer.setdefault(key, found) if found is not None else None


def _continue(books: Reader, known: Mapping[int | None, Hand], id: int | None) -> Hand | None:
    if id is None:
        return None
    hand = known[id]
    for row in hands.moves_of_hand(books, id)[len(hand.moves) :]:
        hand = play_move(hand, parse_move(row.move))
    return hand


def _load(answer: str, books: Reader) -> Answer:
    try:
        return load_answer(answer, books)
    except Exception as fault:
        _log.error("an answer could not be read: %s", type(fault).__name__)
        return FAULT
