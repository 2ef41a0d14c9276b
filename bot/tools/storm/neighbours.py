"""One seeded history of several houses on the same books: they share the wings, and one takes what another lost.

At each point of a house's way from paper to disk to what is told it may die, or stand still until its leases are over
and the others have taken what it kept; then it goes on where it stood, and knows nothing of that.
"""

import hashlib
import logging
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from bot.config import CHATS
from bot.house.casinos.places import errand_of
from bot.house.counting import here
from bot.house.pit import OnlyHere, Pit
from bot.house.play import PLAYS
from bot.house.speech.command import Answer, Command, Place
from bot.house.state.house import Elsewhere, House, Paper
from bot.house.state.table import Table
from bot.lanes.sharing import choose
from bot.texts import dump_texts
from bot.tools.doctor import examine
from bot.tools.storm.crowd import Crowd
from bot.tools.storm.games import learn
from bot.tools.storm.shared import TERM_S, SharedBooks, SharedStore
from bot.tools.storm.talk import Talk
from bot.tools.storm.town import Town
from bot.tools.storm.watch import FaultsHeard
from bot.tools.storm.weather import Weather
from storage.faults import BooksGone
from storage.questions.accounts import balances_of, totals_by_kind
from storage.questions.everything import rows_of_everything
from storage.rows import AnswerRow, HandRow, MoveRow, PlaceRow, TableRow, wing_of
from storage.sqlite import reading

# How often a house dies, or stands still, at one of the points where it is met.
DIES, STANDS_STILL = 0.004, 0.012
# How often one that died is there again, and shares are made even, in a step.
RETURNS, LEVELS = 0.3, 0.3
LOOK_EVERY = 500
# Keys are kept for two days.
REPEATED_WITHIN_S = 47 * 3600.0
REMEMBERED = 300
MOST_WAYS = 4
# What nobody says was done unless it moved something.
MOVES_CHIPS = frozenset(("bet", "takeback", "give", "grant", "daily", "buyin"))


class Died(Exception):
    """The process ends here."""


class MetPit(Pit):
    """Something may befall it before it tells anybody anything, too."""

    def _tell_sender(self, future: "Future[Answer]", answer: Answer) -> None:
        _store_of(self).meet(cast(SharedBooks, self.books), "answer")
        super()._tell_sender(future, answer)

    def _tell(self, tables: set[int]) -> None:
        _store_of(self).meet(cast(SharedBooks, self.books), "tell")
        super()._tell(tables)


def _level(pit: Pit) -> None:
    """What it has above its fair share it gives, what it has not yet it takes: as over lanes (bot.lanes.sharing)."""
    lack = pit.books.fair_share() - len(pit.books.wings)
    if lack < 0:
        pit.give_wings(choose(pit.books.wings, -lack))
    elif lack > 0:
        pit.take_wings(lack)


def _store_of(pit: Pit) -> SharedStore:
    return cast(SharedBooks, pit.books).store


@dataclass(eq=False)
class Kept:
    """What the keepers know of tables and places, for the people of a storm, who ask whoever keeps them."""

    storm: "Neighbours"

    def place(self, platform: str, address: str) -> PlaceRow | None:
        for house in self._houses():
            with suppress(Elsewhere):
                if (row := house.place(platform, address)) is not None:
                    return row
        return None

    def table(self, id: int) -> Table | None:
        return next((table for house in self._houses() if (table := house.table(id)) is not None), None)

    @property
    def casinos(self) -> dict[int, Any]:
        return {id: casino for house in self._houses() for id, casino in house.casinos.items()}

    def _houses(self) -> list[House]:
        return [pit.floor.house for pit in self.storm.awake()]


@dataclass
class Neighbours:
    """`run` raises AssertionError, with what is wrong, at the first step that breaks a promise. `number` of houses.

    `written` is when an answer was, `told` what was answered, by key; `still` are those that stand still; `settled` of
    the hands that are `closed` those that were played again since.
    """

    seed: int
    folder: Path
    number: int
    uptime: float = 1_800_000_000.0
    step: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    said: list[tuple[float, Command]] = field(default_factory=list)
    written: dict[str, float] = field(default_factory=dict)
    told: dict[str, str] = field(default_factory=dict)
    closed: set[int] = field(default_factory=set)
    settled: set[int] = field(default_factory=set)
    still: list[SharedBooks] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = random.Random(f"neighbours {self.seed}")
        self.digest = hashlib.sha256()
        self.faults = FaultsHeard()
        logging.getLogger("ridotto").addHandler(self.faults)
        self.store = SharedStore(self.folder / "shared", lambda: self.uptime)
        self.store.meet, self.store.note = self._meet, self._note
        self.weather = Weather(self.rng)
        self.games = tuple(PLAYS)
        kept = cast(House, Kept(self))
        self.crowd = Crowd(self.seed, self.rng, kept, self.games)
        self.talk = Talk(self.crowd)
        self.town = Town(self.crowd, kept, [], errand_of)
        self.pits: list[MetPit | None] = [None] * self.number
        self.is_calm = True
        for slot in range(self.number):
            self._open(slot)

    def close(self) -> None:
        self.store.close()
        logging.getLogger("ridotto").removeHandler(self.faults)

    def awake(self) -> list[MetPit]:
        """Those that neither are dead nor stand still."""
        return [pit for pit in self.pits if pit is not None and pit.books not in self.still]

    # Steps

    def run(self, steps: int) -> Iterator[int]:
        """Yields the number of each step that has been checked."""
        for command in self._found() if not self.step else ():
            self._deliver([command])
        self.is_calm = False
        for _step in range(steps):
            self.step += 1
            self._one_step()
            if self.step % LOOK_EVERY == 0:
                self._look_through()
            yield self.step

    def _found(self) -> list[Command]:
        """Two communities on each chat platform, met by one house or another, each with tables."""
        found = []
        for platform in CHATS:
            for name in ("first", "second"):
                home, inspector = Place(platform, f"{name} home"), self.town.inspector(platform)
                found.append(self.town.errand(home, "arrive", name, "en"))
                found.append(self.town.say(inspector, home, "house set give_after_hours 0 storm"))
                for game in self.games:
                    at = Place(platform, f"{name} {game}")
                    found.append(self.town.errand(at, "enter", home.address))
                    found.append(self.town.say(inspector, at, f"table open {game}"))
        return found

    def _one_step(self) -> None:
        """Time, in which whoever is awake has renewed; those who come back; shares; and what people say."""
        self.uptime += self.weather.pass_time()
        for pit in self.awake():
            cast(SharedBooks, pit.books).renew()
        for slot, there in enumerate(self.pits):
            if there is None and (self.rng.random() < RETURNS or not self.awake()):
                self._open(slot)
        for pit in self.awake():
            if self.rng.random() < LEVELS:
                self._do(pit, [], level=True)
        self._deliver([self._spoken() for _number in range(self.rng.choice((1, 1, 2, 4)))])

    def _spoken(self) -> Command:
        """The same update may come once more, wherever it comes; not after so long that its key is forgotten."""
        if self.said and self.rng.random() < 0.1:
            at, command = self.rng.choice(self.said)
            if self.uptime - at < REPEATED_WITHIN_S:
                return command
        command = self.talk.speak("")
        self.said = [*self.said[-REMEMBERED:], (self.uptime, command)]
        return command

    def _deliver(self, commands: Sequence[Command]) -> None:
        """To any of the houses, and from there to who keeps what they are about; clocks run out everywhere."""
        waiting = {pit: [] for pit in self.awake()}  # type: dict[MetPit, list[Command]]
        for command in commands:
            if waiting:
                waiting[self.rng.choice([*waiting])].append(command)
        for _way in range(MOST_WAYS):
            carried: dict[MetPit, list[Command]] = {}
            for pit, mine in waiting.items():
                for command, wing in self._do(pit, mine):
                    if (keeper := self._keeper_of(wing)) is not None:
                        carried.setdefault(keeper, []).append(command)
            waiting = carried
            if not waiting:
                return

    def _keeper_of(self, wing: int) -> MetPit | None:
        lease = self.store.leases[wing]
        return next((pit for pit in self.awake() if pit.books is lease.keeper), None)

    def _do(self, pit: MetPit, commands: Sequence[Command], *, level: bool = False) -> list[tuple[Command, int]]:
        """One round of a house that is there; the answer is what it has to send on. It may not live through it."""
        if pit not in self.awake():
            return []
        futures: list[Future[Answer]] = [OnlyHere() for _command in commands]
        try:
            pit.books.tend(0.0)
            if level:
                _level(pit)
            else:
                pit.round(commands, futures)
        except (Died, BooksGone) as fault:
            self.counts[f"ended by {type(fault).__name__}"] += 1
            self._bury(pit)
        carried = []
        for command, future in zip(commands, futures, strict=True):
            if not future.done():
                continue
            if isinstance(lack := future.exception(0), Elsewhere):
                carried.append((command, lack.wing))
            else:
                self._hear(pit, command, future.result(0))
        assert not self.faults.heard, "; ".join(self.faults.heard)
        if self.rng.random() < 0.05:
            self._check_memory()
        return carried

    # What befalls them

    def _meet(self, books: SharedBooks, point: str) -> None:
        """Nobody stands still while another does: what happens meanwhile is not to have an end of its own."""
        if self.is_calm:
            return
        roll = self.rng.random()
        if roll < DIES:
            self.counts[f"died at {point}"] += 1
            raise Died
        if roll < DIES + STANDS_STILL and not self.still and len(self.awake()) > 1:
            self.still.append(books)
            self.counts[f"stood still at {point}"] += 1
            self.uptime += TERM_S * self.rng.choice((0.5, 2.0, 2.0))
            for _step in range(self.rng.randint(1, 6)):
                self._one_step()
            self.still.remove(books)

    def _bury(self, pit: MetPit) -> None:
        cast(SharedBooks, pit.books).close()
        self.pits[self.pits.index(pit)] = None

    def _open(self, slot: int) -> None:
        """A new process, which keeps nothing yet."""
        pit = MetPit(
            SharedBooks(self.store),
            clock=lambda: self.uptime,
            entropy=self.rng.randbytes,
            count=here,
            secret=bytes(32),
        )
        self.pits[slot] = pit
        if not self.is_calm:
            return
        for _time in range(2):  # some give, and then others take
            for other in self.awake():
                _level(other)

    # What must hold

    def _note(self, books: SharedBooks, draft: Paper) -> None:
        """It is on disk. Whoever wrote it kept all that he wrote of, at that very moment."""
        for wing in draft.wings:
            lease = self.store.leases[wing]
            assert lease.keeper is books, f"wing {wing} was written by a house that had lost it"
        self.counts["batches"] += 1
        self.counts["moves"] += len(draft.rows[MoveRow])
        for hand in draft.rows[HandRow].values():
            assert isinstance(hand, HandRow)
            if hand.closed is not None:
                assert hand.id not in self.closed, f"hand {hand.id} was closed, and is written again"
                self.closed.add(hand.id)
        learn(self.crowd, draft)
        for row in draft.rows[AnswerRow].values():
            assert isinstance(row, AnswerRow)
            self.written[row.key] = self.uptime
            self.digest.update(f"{row}\n".encode())

    def _hear(self, pit: MetPit, command: Command, answer: Answer) -> None:
        """What is said to be done is on disk, as it is said, and is said so to whoever says it again."""
        texts = dump_texts(answer.texts)
        kept = pit.books.answers([command.key])  # of the store: it may be the last of the houses that has ended
        self.counts["refused" if answer.refused else "done"] += 1
        self.digest.update(f"{command.key} {texts}\n".encode())
        if command.key in kept:
            assert f"{texts}" == self.told.setdefault(command.key, texts), f"{command.key} was answered otherwise"
            self.counts["kept"] += 1
        elif not self._is_forgotten(command.key):
            assert command.key not in self.told, f"{command.verb} {command.key} was acknowledged and is not kept"
            is_done = command.verb in MOVES_CHIPS and not answer.refused and not answer.confirm
            assert not is_done, f"{command.verb} {command.key} was said to be done and is not on disk"

    def _is_forgotten(self, key: str) -> bool:
        """It was on disk, and is so long ago: a house may stand still for days."""
        return key in self.written and self.uptime - self.written[key] > REPEATED_WITHIN_S

    def _check_memory(self) -> None:
        """What a house that has all its leases remembers of what it keeps is what is on disk."""
        for pit in self.awake():
            books, house = cast(SharedBooks, pit.books), pit.floor.house
            if any(self.store.leases[wing].epoch != books.epochs[wing] for wing in books.wings):
                continue
            on_disk = balances_of(books, house.balances)
            wrong = {name: has for name, has in house.balances.items() if on_disk.get(name, 0) != has}
            assert not wrong, f"a house remembers {wrong}, and on disk is {on_disk}"
            rows = {row.id: row for row in books._rows(TableRow)}
            for id in house.tables:
                assert wing_of(rows[id].casino) in books.wings, f"table {id} lies in no wing of the house that has it"

    def _look_through(self) -> None:
        """In full; hands that were settled when it was done before are not played again."""
        self.counts["looks"] += 1
        with reading(self.store.path) as books:
            faults = list(examine(books, self.settled, with_logs=self.counts["looks"] % 10 == 0))
            assert not faults, "; ".join(faults[:5])
            total = sum(kind.holds for kind in totals_by_kind(books))
            assert total == 0, f"all accounts sum to {total}"
            self.settled |= self.closed
        self.counts["hands"] = len(self.settled)

    def finish(self) -> str:
        """The whole of the books from the first hand; the answer is the digest of the storm."""
        self.settled.clear()
        self._look_through()
        with reading(self.store.path) as books:
            for row in rows_of_everything(books):
                self.digest.update(f"{row}\n".encode())
        return self.digest.hexdigest()
