"""One seeded history: a casino on a new store, people, faults, and the invariants after every step."""

import hashlib
import logging
import random
import shutil
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from msgspec.structs import asdict

from bot.cli.doctor import examine
from bot.config import CHATS
from bot.core.casinos.places import internal_command_of, is_lost
from bot.core.command_list import CHAT_COMMANDS
from bot.core.commands.command import Answer, Command, Who
from bot.core.commands.counting import CountFault, here
from bot.core.state.lounge import LOBBY, PLATFORM
from bot.core.state.place import Place
from bot.core.state.plays import PLAYS
from bot.core.state.table import PACES, Table, owners_of
from bot.core.state.transaction import State, Transaction
from bot.core.writer import Writer
from bot.texts import LANGUAGES, dump_texts
from bot.view.build import screen
from storage.faults import BooksGone
from storage.questions.accounts import totals_by_kind
from storage.rows import PostingRow
from storage.sqlite import FILE, LOCK, reading
from storage.store import Reader
from tests.questions import last_posting_and_sum, rows_of_everything
from tests.simulation import faults
from tests.simulation.behavior import learn
from tests.simulation.books import FATES, Crash, FaultyBooks
from tests.simulation.crowd import PEOPLE, PLATFORMS, Crowd
from tests.simulation.faults import Faults
from tests.simulation.invariants import FaultsHeard, Watch
from tests.simulation.losses import EARLIER, LOSSES, check_noticed, spoil
from tests.simulation.plans import plans_of
from tests.simulation.remains import check_remains
from tests.simulation.rounds import SimulatedBeacon
from tests.simulation.visible_cards import check_answer, check_screen
from tests.simulation.workload import Talk
from tests.simulation.world import Plan, World

HEADS_EVERY = 7
DOCTOR_EVERY = 1000
LOGS_EVERY = 10
REMEMBERED = 400
# Keys are kept for two days; a platform does not repeat an update for that long.
REPEATED_WITHIN_S = 47 * 3600.0
PLANS_AT_ONCE = 4
MOST_LATE = 50
_log = logging.getLogger("ridotto")
T = TypeVar("T")


@dataclass
class RunningPlan:
    """A plan in progress: its last command, and the answer when it has come."""

    plan: Plan
    said: Command | None = None
    answer: Answer | None = None


@dataclass
class History:
    """A history; `run` raises AssertionError, with an explanation, at the first step that breaks an invariant.

    `games` are those played: all, unless some are named. With `has_beacon` the casino follows one, whose rounds come in
    time, late, or for hours not. `uptime` is the real time of clocks; the wall clock is somewhat `ahead` of it, or
    behind.
    """

    seed: int
    folder: Path
    games: Sequence[str] = ()
    has_beacon: bool = False
    uptime: float = 1_800_000_000.0
    ahead: float = 0.0
    step: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    succeeded: Counter[str] = field(default_factory=Counter)
    said: deque[tuple[float, Command]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    late: list[Command] = field(default_factory=list)
    running_plans: list["RunningPlan"] = field(default_factory=list)
    first_heard: dict[str, float] = field(default_factory=dict)
    refused_by: set[tuple[str, str]] = field(default_factory=set)
    named: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.rng = random.Random(f"storm {self.seed}")
        rounds = random.Random(f"rounds {self.seed}")
        self.counting = random.Random(f"counting {self.seed}")
        self.beacon = SimulatedBeacon(lambda: self.uptime, rounds) if self.has_beacon else None
        self.games = self.games or tuple(PLAYS)
        self.plans = plans_of(self.games)
        self.injected = Faults(self.rng)
        self.watch = Watch()
        self.digest = hashlib.sha256()
        self.seeds: list[bytes] = []
        self.told: set[int] = set()
        self.readers = ExitStack()
        self.reader: Reader | None = None
        self.sums: tuple[object, ...] = ()
        self.faults = FaultsHeard()
        _log.addHandler(self.faults)
        self._open(self.folder / "0")
        house = self.writer.state
        self.crowd = Crowd(self.seed, self.rng, house, self.games)
        self.talk = Talk(self.crowd)
        self.world = World(self.crowd, house, self.seeds, internal_command_of)

    def close(self) -> None:
        self.readers.close()
        self.books.close()
        _log.removeHandler(self.faults)

    def _found(self) -> Iterator[list[Command]]:
        """Found two communities on each chat platform; the first has a table of each game, the second some of each
        kind.
        """
        for platform in CHATS:
            for name, games in ((platform, self.games), ("second", _of_each_kind(self.games))):
                home, inspector = Place(platform, f"{name} home"), self.world.inspector(platform)
                yield [self.world.internal_command(home, "arrive", name, "en")]
                # A seat with a stack must not require a day's wait.
                yield [self.world.say(inspector, home, "house set give_after_hours 0 test")]
                for game in games:
                    at = Place(platform, f"{name} {game}")
                    yield [self.world.internal_command(at, "enter", home.address)]
                    yield [self.world.say(inspector, at, f"table open {game}")]

    @property
    def now(self) -> float:
        """Return the wall clock."""
        return self.uptime + self.ahead

    def run(self, steps: int) -> Iterator[int]:
        """Play, yielding the number of each checked step."""
        for commands in self._found() if not self.step else ():
            self._round(commands)
        for _step in range(steps):
            self.step += 1
            self.uptime += self.injected.pass_time()
            if self.beacon is not None:
                self.beacon.pass_time()
                self.counts["rounds"] = self.beacon.told
            self._round(self._commands())
            if (ahead := self.injected.set_clock()) is not None:
                self._set_clock(ahead)
            if self.injected.has(faults.HOMEWARD):
                self.books.carry_home()
            if self.injected.has(faults.SECOND_HOUSES):
                self._open_second_house()
            if self.step % HEADS_EVERY == 0:
                self.counts["heads"] += self.writer.heads.sign()
            if self.step % DOCTOR_EVERY == 0:
                self._check_books()
            yield self.step

    def _commands(self) -> list[Command]:
        """Return the commands of a step: a plan's next one first, then faults, then those of people."""
        commands = [*self._planned(), *self.injected.befall(self.world)]
        commands += [self._spoken() for _number in range(self.rng.choice((1, 1, 1, 2, 2, 5)))]
        if self.rng.random() < 0.02:
            commands.append(self.rng.choice(commands))  # twice at once
        return commands

    def _spoken(self) -> Command:
        roll = self.rng.random()
        if roll < 0.05 and self.said:
            at, command = self.rng.choice(self.said)
            if self.now - at < REPEATED_WITHIN_S:
                return command  # the same update once more
        if roll < 0.08 and self.late:
            return self.late.pop(self.rng.randrange(len(self.late)))  # late and out of order
        command = self.talk.speak(self.injected.silent)
        if roll > 0.97 and len(self.late) < MOST_LATE:
            self.late.append(command)
            return self.talk.speak(self.injected.silent)
        return command

    def _planned(self) -> list[Command]:
        """Continue one plan, with the answer to its last command."""
        if len(self.running_plans) < PLANS_AT_ONCE and self.rng.random() < 0.1:
            (plan,) = self.rng.choices(list(self.plans), list(self.plans.values()))
            self.running_plans.append(RunningPlan(plan(self.world)))
        if not self.running_plans or self.rng.random() < 0.3:
            return []
        running = self.rng.choice(self.running_plans)
        try:
            running.said = running.plan.send(running.answer)
        except StopIteration:
            self.running_plans.remove(running)
            return []
        running.answer = None
        return [running.said] if running.said is not None else []

    def _round(self, commands: Sequence[Command]) -> None:
        """Process a round; the platform mostly repeats what a dead process did not answer."""
        answers = self._try(commands)
        if answers is None:
            again = [command for command in commands if self.rng.random() < 0.9]
            answers = self._try(again)
            commands = again if answers is not None else ()
        for command, answer in zip(commands, answers or (), strict=True):
            self._hear(command, answer)

    def _hear(self, command: Command, answer: Answer) -> None:
        self.said.append((self.first_heard.setdefault(command.key, self.now), command))
        self.counts["refused" if answer.refused else "done"] += 1
        if not answer.refused:
            self.succeeded[command.verb] += 1
        elif answer.clause:
            self.refused_by.add((command.verb, answer.clause))
        for running in self.running_plans:
            if running.said is not None and running.said.key == command.key:
                running.answer = answer
        self.digest.update(f"{command.key} {dump_texts(answer.texts)}\n".encode())

    def _try(self, commands: Sequence[Command]) -> list[Answer] | None:
        """Run one batch and check it; None if the process died of it and has started again."""
        futures: list[Future[Answer]] = [Future() for _command in commands]
        # Before the round: a failing read must be the casino's own, not this check's.
        regained = [table for one in commands if one.verb == "regain" and (table := self.world.at(one.place))]
        lost = [table.id for table in regained if is_lost(table)]
        self.books.begin(*self._fate())
        self.told.clear()
        try:
            self.writer.round(commands, futures)
        except (Crash, BooksGone) as fault:
            self._die(fault, commands, futures)
            return None
        finally:
            self.books.end()
        answers = [future.result(0) for future in futures]
        self._look(commands, answers)
        for id in lost:
            self._check_clock(self.writer.state.tables[id])
        return answers

    def _set_clock(self, ahead: float) -> None:
        """Set the wall clock, which must change no one's remaining time."""
        left = self._left()
        self.ahead = ahead
        if self._try([]) is None or self.books.refusals:
            return  # after a restart all clocks begin anew; or the time was not changed
        self.counts["clock settings"] += 1
        differ = {id: (was, now) for id, now in self._left().items() if (was := left.get(id, 0.0)) > 0.0 and was != now}
        assert not differ, f"the system clock was changed, and what is left of the clocks at tables is not: {differ}"

    def _left(self) -> dict[int, float]:
        """Return the seconds until each table's clock runs out."""
        clocks = ((table.id, table.round.deadline) for table in self.writer.state.tables.values())
        return {id: round(deadline - self.now, 3) for id, deadline in clocks if deadline is not None}

    def _check_clock(self, table: Table) -> None:
        """Check that lost time was given back: a hand in play has a whole clock again."""
        if table.round.hand is not None and not is_lost(table):
            late = table.round.deadline is None or table.round.deadline < self.now + min(PACES.values())
            assert not late, f"the clock of table {table.id} was not given back"

    def _fate(self) -> tuple[str, float]:
        return (self.injected.fate(), self.rng.random()) if self.step else ("", 0.0)

    def _look(self, commands: Sequence[Command], answers: Sequence[Answer]) -> None:
        if self.books.refusals:
            self.counts["refused batches"] += 1
            self.faults.heard = [fault for fault in self.faults.heard if "a test" not in fault]
        assert not self.faults.heard, "; ".join(self.faults.heard)
        house, written = self.writer.state, self.books.written
        tables = self.watch.take_in(house, written, commands, self.now)
        self.watch.hear(house, commands, answers, written)
        self.counts["hands"] = len(self.watch.settled)
        untold = {table.id for table in tables} - self.told
        assert not untold, f"nobody was told that tables {untold} changed"
        for draft in written:
            self._learn(draft)
        for command, answer in zip(commands, answers, strict=True):
            if command.who.platform in PLATFORMS and command.key not in self.first_heard:
                self._check_answer(command, answer)
        self._show(tables)
        self._read_along()

    def _learn(self, draft: Transaction) -> None:
        """Note the identities and tables of a committed transaction."""
        learn(self.crowd, draft)
        for casino in draft.casinos.values():
            self.named.update(casino.state.inspectors)
        for posting in draft.rows[PostingRow].values():
            self.digest.update(f"{posting}\n".encode())

    def _check_answer(self, command: Command, answer: Answer) -> None:
        house = self.writer.state
        row = house.place(*command.place)
        table = house.table(row.table_id) if row is not None and row.table_id else None
        player = self.crowd.player(command.who)
        if not answer.refused and CHAT_COMMANDS[command.verb].group == "inspectors":
            assert command.who.inspector or player in self.named, (
                f"{command.verb} by player {player}, who inspects nothing"
            )
        if command.verb == "cards" and not answer.refused:
            check_answer(table, player, answer)
        if table is not None and table.round.seed and table.status != "closed" and not answer.refused:
            seed = table.round.seed.hex()
            assert seed not in dump_texts(answer.texts), f"{command.verb} tells the seed of an open hand"
            assert answer.file is None or seed not in answer.file[1], (
                f"{command.verb} hands out the seed of an open hand"
            )

    def _show(self, tables: Sequence[Table]) -> None:
        """Check a changed table as shown to the public, a stranger, or one of its players."""
        house = self.writer.state
        dealt = [table for table in tables if (table.round.hand or table.last) is not None]
        if not dealt or self.rng.random() < 0.4:
            return
        table = self.rng.choice(dealt)
        players = list(dict.fromkeys(owners_of(hand).values())) if (hand := table.round.hand or table.last) else []
        viewer = self.rng.choice([None, *players, self.rng.randint(1, PEOPLE)])
        language = self.rng.choice(tuple(LANGUAGES)) if self.rng.random() < 0.2 else None
        check_screen(table, viewer, screen(house, table, viewer, self.now), language)
        self.counts["screens"] += 1

    def _read_along(self) -> None:
        """Check that a slow report sees the store as it was when it began."""
        if self.reader is not None and self.rng.random() < 0.1:
            self.readers.close()
            self.reader = None
        elif self.reader is None and self.rng.random() < 0.01:
            self.reader = self.readers.enter_context(reading(self.books.path))
            self.sums = self._sums()
        elif self.reader is not None:
            assert self._sums() == self.sums, "a reader sees the books change"

    def _sums(self) -> tuple[object, ...]:
        assert self.reader is not None
        kinds = totals_by_kind(self.reader)
        total = sum(kind.holds for kind in kinds)
        assert total == 0, f"a reader sees accounts that sum to {total}"
        return sum(kind.accounts for kind in kinds), last_posting_and_sum(self.reader)

    def _open_second_house(self) -> None:
        """Open a second node on the same folder, without the lock; after its first command this one may not write."""
        (self.books.folder / LOCK).unlink()
        with closing(FaultyBooks(self.books.folder)) as books:
            welcomed = self._welcome(
                Writer(books, clock=lambda: self.now, entropy=self._entropy, count=self._count, secret=bytes(32))
            )
        self.counts["second houses"] += 1
        self.books.begin("", 0.0)
        try:
            self._welcome(self.writer)
        except BooksGone as fault:
            self.books.died = "beside another"
            self._die(fault, [], [], books.written)
        else:
            raise AssertionError(f"two houses have written to the same books, {welcomed} came to the second")

    def _welcome(self, writer: Writer) -> str:
        """Submit the first command of a newcomer, which must be written."""
        name = f"stranger {self.crowd.said} {self.step} {self.counts['second houses']}"
        writer.round([Command(name, Who(PLATFORM, name, name), LOBBY, "balance")], [Future()])
        return name

    def _die(
        self,
        fault: BaseException,
        commands: Sequence[Command],
        futures: Sequence["Future[Answer]"],
        there: Sequence[Transaction] = (),
    ) -> None:
        """End the process and start it again; it may die again while starting. `there` is what others wrote."""
        before = self.writer.state
        answered = [command.key for command, future in zip(commands, futures, strict=True) if future.done()]
        self._stop_reading()
        dies: BaseException | None = fault
        while dies is not None:
            folder, there = self._bury(dies, there, answered)
            self.uptime += self.rng.choice((0.0, 0.5, 30.0, 4000.0))
            dies = self._start(folder)
        self._compare(before, there)
        for draft in there:
            self._learn(draft)
        self.watch.take_in(self.writer.state, [*there, *self.books.written], commands, self.now)
        self._check_books()

    def _bury(
        self, fault: BaseException, known: Sequence[Transaction], answered: Sequence[str]
    ) -> tuple[Path, list[Transaction]]:
        """Check the store after a death: acknowledged data is there, and the last batch wholly or not at all.

        Return the folder to continue with, and the transactions there that the watch has not seen.
        """
        books = self.books
        self.counts[f"died {books.died or 'full'}"] += 1
        folder = books.folder
        if isinstance(fault, Crash) or books.died == "within":
            folder = self.folder / str(self.counts["restarts"] + 1)
            books.remains(folder)
            shutil.rmtree(books.folder)
        else:
            books.close()
        loss = self._lose_something(folder)
        sure = len(known) + len(books.written) - (books.died == "torn")
        with reading(folder / FILE) as disk:
            there = check_remains(disk, self.watch.read, [*known, *books.attempted], sure, answered)
        if loss is not None and check_noticed(*loss):
            self.counts[f"noticed {loss[2]}"] += 1
        shutil.copy(folder / FILE, folder.with_name(EARLIER))
        return folder, there

    def _lose_something(self, folder: Path) -> tuple[Path, Path, str] | None:
        """Check a copy of the files with some of them lost. A torn part was never acknowledged, and may be missing."""
        if self.books.died == "torn" or not self.injected.has(faults.LOSSES_AT_DEATH):
            return None
        loss = self.rng.choice(list(LOSSES))
        return spoil(folder, loss, self.rng), folder, loss

    def _start(self, folder: Path) -> BaseException | None:
        """Start a new process on the same files."""
        self.faults.heard.clear()
        self.watch.refused.clear()
        self.counts["restarts"] += 1
        try:
            self._open(folder, self.rng.choice(FATES) if self.rng.random() < 0.1 else "")
        except (Crash, BooksGone) as fault:
            self.counts["died at start"] += 1
            return fault
        self.world.house = self.crowd.house = self.writer.state
        return None

    def _open(self, folder: Path, fate: str = "") -> None:
        self.books = FaultyBooks(folder)
        if fate != "refused":  # not by a starting process
            self.books.begin(fate, self.rng.random())
        self.writer = Writer(
            self.books,
            clock=lambda: self.now,
            monotonic=lambda: self.uptime,
            entropy=self._entropy,
            count=self._count,
            secret=bytes(32),
            beacon=self.beacon,
        )
        self.writer.subscribe(self.told.update)
        self.books.end()

    def _count(self, function: Callable[..., T], *args: object) -> T:
        """Compute, mostly too late, as on a busy machine."""
        if self.counting.random() < faults.LATE_COUNTS:
            self.counts["late counts"] += 1
            raise CountFault("it took too long")
        return here(function, *args)

    def _entropy(self, count: int) -> bytes:
        return self.seeds.pop() if self.seeds and count == 32 else self.rng.randbytes(count)

    def _compare(self, before: State, there: Sequence[Transaction]) -> None:
        """Check that all published and written state is there again; only the clocks begin anew."""
        known = dict(before.tables)
        for draft in there:
            known |= draft.tables
        house = self.writer.state
        assert known.keys() == house.tables.keys(), f"tables {known.keys() ^ house.tables.keys()} came or went"
        for id, table in known.items():
            again = house.table(id)
            assert again is not None
            was, now = _without_clocks(table), _without_clocks(again)
            forgotten = ("seed", "opened", "committed", "lines", "terms") if table.status == "closed" else ()
            differ = {name: (was[name], now[name]) for name in was if was[name] != now[name] and name not in forgotten}
            assert not differ, f"table {id} came back otherwise: {differ}"
            if table.status == "closed" or table.unread is not None:
                continue  # the table is shown nowhere any more, or the earlier process had not processed it
            for mine, other in ((table.round.hand, again.round.hand), (table.last, again.last)):
                events = list(mine.events) if mine is not None else None
                assert events == (list(other.events) if other is not None else None), f"a hand at table {id} differs"
            self._check_clock(again)

    def _check_books(self, *, with_logs: bool = False) -> None:
        """Check the whole store. Settled hands were replayed when they were settled and are at the end; logs are
        verified now and then, and at the end.
        """
        self.counts["examined"] += 1
        with_logs = with_logs or self.counts["examined"] % LOGS_EVERY == 1
        with reading(self.books.path) as books:
            faults = list(examine(books, self.watch.settled, with_logs=with_logs))
            self.watch.check_books(books)
        assert not faults, "; ".join(faults[:5])

    def _stop_reading(self) -> None:
        self.readers.close()
        self.reader = None

    def finish(self) -> str:
        """Check the whole store from the first hand; return the digest of the history."""
        self.watch.settled.clear()
        self._check_books(with_logs=True)
        for row in rows_of_everything(self.books):
            self.digest.update(f"{row}\n".encode())
        return self.digest.hexdigest()


def _of_each_kind(games: Sequence[str]) -> list[str]:
    """Return the first game of each way to sit and to bet, three at most."""
    first = {PLAYS[game].seating: game for game in reversed(games)}
    return [game for game in games if game in first.values()][:3]


def _without_clocks(table: Table) -> dict[str, object]:
    """Return a table without clocks, which begin anew, and without hands, whose events are compared."""
    anew = ("round", "started", "deadline", "extended", "version", "hand", "last", "unread")
    both = asdict(table) | asdict(table.round)
    return {name: value for name, value in both.items() if name not in anew}
