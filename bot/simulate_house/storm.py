"""One storm: a house on new books, the crowd, the weather, and the watch that looks after every step."""

import hashlib
import logging
import random
import shutil
import sqlite3
from collections import Counter, deque
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from bot.doctor import examine
from bot.floor.command import Answer, Command, Place
from bot.floor.house import House, Paper
from bot.floor.places import is_lost
from bot.floor.registry import VERBS
from bot.floor.table import PACES, Table, owners_of
from bot.pit import Pit
from bot.screens.build import screen
from bot.simulate_house.books import FATES, Crash, StormyBooks
from bot.simulate_house.crowd import PEOPLE, PLATFORMS, Crowd
from bot.simulate_house.plans import PLANS, Plan, Town
from bot.simulate_house.remains import check_remains
from bot.simulate_house.sight import check_answer, check_screen
from bot.simulate_house.watch import FaultsHeard, Watch
from bot.simulate_house.weather import Weather
from bot.texts import dump_texts
from engine.hand import GAMES
from storage.database import FILE, Reader, reading
from storage.rows import TABLES, PostingRow

DOCTOR_EVERY = 1000
REMEMBERED = 400
# Keys are kept for two days; a platform does not repeat an update for that long.
REPEATED_WITHIN_S = 47 * 3600.0
PLANS_AT_ONCE = 4
MOST_LATE = 50
LANGUAGES = ("en", "it")
_log = logging.getLogger("ridotto")


@dataclass
class Course:
    """A plan under way: what it said last, and the answer once it is there."""

    plan: Plan
    said: Command | None = None
    answer: Answer | None = None


@dataclass
class Storm:
    """One seeded history. `run` raises AssertionError, with what is wrong, at the first step that breaks a promise."""

    seed: int
    folder: Path
    now: float = 1_800_000_000.0
    step: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    succeeded: Counter[str] = field(default_factory=Counter)
    said: deque[tuple[float, Command]] = field(default_factory=lambda: deque(maxlen=REMEMBERED))
    late: list[Command] = field(default_factory=list)
    courses: list["Course"] = field(default_factory=list)
    first_heard: dict[str, float] = field(default_factory=dict)
    refused_by: set[tuple[str, str]] = field(default_factory=set)
    named: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.rng = random.Random(f"storm {self.seed}")
        self.weather = Weather(self.rng)
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
        house = self.pit.floor.house
        self.crowd = Crowd(self.seed, self.rng, house)
        self.town = Town(self.crowd, house, self.seeds)

    def close(self) -> None:
        self.readers.close()
        self.books.close()
        _log.removeHandler(self.faults)

    def _found(self) -> Iterator[list[Command]]:
        """On each chat platform two communities; the first has a table of each game, the second of three."""
        for platform in ("discord", "telegram"):
            for name, games in ((platform, tuple(GAMES)), ("second", ("caribbean", "paiju", "blackjack"))):
                home = Place(platform, f"{name} home")
                yield [self.town.errand(home, "arrive", name, "en")]
                for game in games:
                    at, inspector = Place(platform, f"{name} {game}"), self.town.inspector(platform)
                    yield [self.town.errand(at, "enter", home.address)]
                    yield [self.town.say(inspector, at, f"table open {game}", "table open")]
                    if game == "stud":
                        yield [self.town.say(inspector, at, "house set give_after_hours 0 storm", "house set")]
                        yield [self.town.say(inspector, at, "table set bring_in_may_complete on storm", "table set")]

    # Steps

    def run(self, steps: int) -> Iterator[int]:
        """Yields the number of each step that has been checked."""
        for commands in self._found() if not self.step else ():
            self._round(commands)
        for _step in range(steps):
            self.step += 1
            self.now += self.weather.pass_time()
            self._round(self._commands())
            if self.step % DOCTOR_EVERY == 0:
                self._check_books()
            yield self.step

    def _commands(self) -> list[Command]:
        """What has arrived: a plan's next word first, what befell the house, then what people say."""
        commands = [*self._planned(), *self.weather.befall(self.town)]
        commands += [self._spoken() for _number in range(self.rng.choice((1, 1, 1, 2, 2, 5)))]
        if self.rng.random() < 0.02:
            commands.append(self.rng.choice(commands))  # twice in one breath
        return commands

    def _spoken(self) -> Command:
        roll = self.rng.random()
        if roll < 0.05 and self.said:
            at, command = self.rng.choice(self.said)
            if self.now - at < REPEATED_WITHIN_S:
                return command  # the same update once more
        if roll < 0.08 and self.late:
            return self.late.pop(self.rng.randrange(len(self.late)))  # late and out of order
        command = self.crowd.speak(self.weather.silent)
        if roll > 0.97 and len(self.late) < MOST_LATE:
            self.late.append(command)
            return self.crowd.speak(self.weather.silent)
        return command

    def _planned(self) -> list[Command]:
        """One plan goes on, with the answer to what it said last."""
        if len(self.courses) < PLANS_AT_ONCE and self.rng.random() < 0.1:
            (plan,) = self.rng.choices(list(PLANS), list(PLANS.values()))
            self.courses.append(Course(plan(self.town)))
        if not self.courses or self.rng.random() < 0.3:
            return []
        course = self.rng.choice(self.courses)
        try:
            course.said = course.plan.send(course.answer)
        except StopIteration:
            self.courses.remove(course)
            return []
        course.answer = None
        return [course.said] if course.said is not None else []

    # A round

    def _round(self, commands: Sequence[Command]) -> None:
        """What a process that died did not answer, the platform mostly sends again."""
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
        for course in self.courses:
            if course.said is not None and course.said.key == command.key:
                course.answer = answer
        self.digest.update(f"{command.key} {dump_texts(answer.texts)}\n".encode())

    def _try(self, commands: Sequence[Command]) -> list[Answer] | None:
        """One batch, looked after; None when the process died of it and has started again."""
        futures: list[Future[Answer]] = [Future() for _command in commands]
        self.books.begin(*self._fate())
        self.told.clear()
        regained = [table for one in commands if one.verb == "regain" and (table := self.town.at(one.place))]
        lost = [table.id for table in regained if is_lost(table)]
        try:
            self.pit.round(commands, futures)
        except (Crash, sqlite3.OperationalError) as fault:
            self._die(fault, commands, futures)
            return None
        answers = [future.result(0) for future in futures]
        self._look(commands, answers)
        for id in lost:
            self._check_clock(self.pit.floor.house.tables[id])
        return answers

    def _check_clock(self, table: Table) -> None:
        """Time that was lost is given back: what is played there has a whole clock again."""
        if table.play is not None and not is_lost(table):
            late = table.deadline is None or table.deadline < self.now + min(PACES.values())
            assert not late, f"the clock of table {table.id} was not given back"

    def _fate(self) -> tuple[str, float]:
        return (self.weather.fate(), self.rng.random()) if self.step else ("", 0.0)

    def _look(self, commands: Sequence[Command], answers: Sequence[Answer]) -> None:
        if self.books.refusals:
            self.counts["refused batches"] += 1
            self.faults.heard = [fault for fault in self.faults.heard if "a storm" not in fault]
        assert not self.faults.heard, "; ".join(self.faults.heard)
        house, written = self.pit.floor.house, self.books.written
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

    def _learn(self, draft: Paper) -> None:
        """Who is who and where tables stand, as the books have it."""
        for (platform, account), player in draft.identities.items():
            self.crowd.meet(platform, account, player)
        for place in draft.places.values():
            self.crowd.find(place)
        for table in draft.tables.values():
            self.crowd.notice(table)
        for casino in draft.casinos.values():
            self.named.update(casino.get("inspectors", []))
        for posting in draft.rows[PostingRow].values():
            self.digest.update(f"{posting}\n".encode())

    # What is shown

    def _check_answer(self, command: Command, answer: Answer) -> None:
        house = self.pit.floor.house
        row = house.place(*command.place)
        table = house.tables.get(row.table_id) if row is not None and row.table_id else None
        player = self.crowd.faces.get((command.who.platform, command.who.account))
        if not answer.refused and VERBS[command.verb].group == "inspectors":
            assert command.who.inspector or player in self.named, (
                f"{command.verb} by player {player}, who inspects nothing"
            )
        if command.verb == "cards" and not answer.refused:
            check_answer(table, player, answer)
        if table is not None and table.seed and table.status != "closed" and not answer.refused:
            seed = table.seed.hex()
            assert seed not in dump_texts(answer.texts), f"{command.verb} tells the seed of an open hand"
            assert answer.file is None or seed not in answer.file[1], (
                f"{command.verb} hands out the seed of an open hand"
            )

    def _show(self, tables: Sequence[Table]) -> None:
        """A table that changed, as the public sees it, or a stranger, or one of those who play there."""
        house = self.pit.floor.house
        dealt = [table for table in tables if (table.play or table.last) is not None]
        if not dealt or self.rng.random() < 0.4:
            return
        table = self.rng.choice(dealt)
        players = list(dict.fromkeys(owners_of(hand).values())) if (hand := table.play or table.last) else []
        viewer = self.rng.choice([None, *players, self.rng.randint(1, PEOPLE)])
        language = self.rng.choice(LANGUAGES) if self.rng.random() < 0.2 else None
        check_screen(table, viewer, screen(house, table, viewer, self.now), language)
        self.counts["screens"] += 1

    def _read_along(self) -> None:
        """A report that takes its time sees the books as they were when it began."""
        if self.reader is not None and self.rng.random() < 0.1:
            self.readers.close()
            self.reader = None
        elif self.reader is None and self.rng.random() < 0.01:
            self.reader = self.readers.enter_context(reading(self.books.path))
            self.sums = self._sums()
        elif self.reader is not None:
            assert self._sums() == self.sums, "a reader sees the books change under him"

    def _sums(self) -> tuple[object, ...]:
        assert self.reader is not None
        ((total, accounts),) = self.reader.select("SELECT sum(balance), count(*) FROM accounts")
        assert total == 0, f"a reader sees accounts that sum to {total}"
        return accounts, *self.reader.select("SELECT max(id), total(amount) FROM postings")

    # Ends and beginnings

    def _die(self, fault: BaseException, commands: Sequence[Command], futures: Sequence["Future[Answer]"]) -> None:
        """The process ends and starts again; it may die again while it starts."""
        before = self.pit.floor.house
        answered = [command.key for command, future in zip(commands, futures, strict=True) if future.done()]
        self._stop_reading()
        there: list[Paper] = []
        dies: BaseException | None = fault
        while dies is not None:
            folder, there = self._bury(dies, there, answered)
            self.now += self.rng.choice((0.0, 0.5, 30.0, 4000.0))
            dies = self._start(folder)
        self._compare(before, there)
        for draft in there:
            self._learn(draft)
        self.watch.take_in(self.pit.floor.house, [*there, *self.books.written], commands, self.now)
        self._check_books()

    def _bury(self, fault: BaseException, known: Sequence[Paper], answered: Sequence[str]) -> tuple[Path, list[Paper]]:
        """What the process has said stands; of what it was writing there is all or nothing.

        The answer: the folder to go on with, and the drafts that are there beside those that the watch has seen.
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
        sure = len(known) + len(books.written) - (books.died == "torn")
        with reading(folder / FILE) as disk:
            return folder, check_remains(disk, self.watch.read, [*known, *books.attempted], sure, answered)

    def _start(self, folder: Path) -> BaseException | None:
        """The same files, a new process."""
        self.faults.heard.clear()
        self.watch.refused.clear()
        self.counts["restarts"] += 1
        try:
            self._open(folder, self.rng.choice(FATES) if self.rng.random() < 0.1 else "")
        except (Crash, sqlite3.OperationalError) as fault:
            self.counts["died at start"] += 1
            return fault
        self.town.house = self.crowd.house = self.pit.floor.house
        return None

    def _open(self, folder: Path, fate: str = "") -> None:
        self.books = StormyBooks(folder)
        if fate != "refused":  # by a house that opens: it would not
            self.books.begin(fate, self.rng.random())
        self.pit = Pit(self.books, clock=lambda: self.now, entropy=self._entropy, on_change=self.told.update)

    def _entropy(self, count: int) -> bytes:
        return self.seeds.pop() if self.seeds and count == 32 else self.rng.randbytes(count)

    def _compare(self, before: House, there: Sequence[Paper]) -> None:
        """What was published, and what more was written: all of it is there again, the clocks alone begin anew."""
        known = dict(before.tables)
        for draft in there:
            known |= draft.tables
        house = self.pit.floor.house
        assert known.keys() == house.tables.keys(), f"tables {known.keys() ^ house.tables.keys()} came or went"
        for id, table in known.items():
            again = house.tables[id]
            was, now = _without_clocks(table), _without_clocks(again)
            forgotten = ("seed", "commit", "opened") if table.status == "closed" else ()
            differ = {name: (was[name], now[name]) for name in was if was[name] != now[name] and name not in forgotten}
            assert not differ, f"table {id} came back otherwise: {differ}"
            if table.status == "closed":
                continue  # nothing is shown there any more
            for mine, other in ((table.play, again.play), (table.last, again.last)):
                events = list(mine.events) if mine is not None else None
                assert events == (list(other.events) if other is not None else None), f"a hand at table {id} differs"
            self._check_clock(again)

    def _check_books(self) -> None:
        """In full. Hands that were settled were played again when they were settled, and at the end of the storm."""
        self.counts["examined"] += 1
        with reading(self.books.path) as books:
            faults = list(examine(books, self.watch.settled))
            self.watch.check_books(books)
        assert not faults, "; ".join(faults[:5])

    def _stop_reading(self) -> None:
        self.readers.close()
        self.reader = None

    def finish(self) -> str:
        """The whole of the books from the first hand; the answer is the digest of the storm."""
        self.watch.settled.clear()
        self._check_books()
        for table, _keys in TABLES.values():
            for row in self.books.select(f"SELECT * FROM {table}"):
                self.digest.update(f"{row}\n".encode())
        return self.digest.hexdigest()


def _without_clocks(table: Table) -> dict[str, object]:
    """All but the clocks, which begin anew, and the hands, whose events are compared."""
    anew = ("started", "deadline", "extended", "version", "play", "last")
    return {name: value for name, value in vars(table).items() if name not in anew}
