"""Measure the cost of a command, from ten tables to ten thousand and from few postings to ten million.

Seventy people send the same command at ten tables, and then another one: a batch from its commands to the answers, with
the commit and the lounge's updates. Stores of all sizes are open side by side and take turns, so that anything else on
the machine slows all of them: medians of the rounds, and of a round's cost divided by its cost in the smallest store.
"""

import asyncio
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from benchmarks.crowd import PLATFORM, PLAYERS_A_TABLE, boldest_move, open_tables
from benchmarks.large_books import POSTINGS, REGULARS, old_books
from bot.core.commands.command import Command, Who
from bot.core.state.place import Place
from bot.core.writer import Writer
from bot.platforms.web.live import Live
from bot.platforms.web.lounge import Lounge
from storage.sqlite import SqliteBooks

TABLES = (10, 1_000, 10_000)
KEYS_A_TIME = 200
ROUNDS = 24
# Number of rounds of one casino before the next one's turn, so that each finds its own data in the processor's caches.
AT_A_STRETCH = 3
QUESTIONS = ("balance", "statement", "history", "stats", "leaderboard")
_BETTING_S = 301.0


class Measure(NamedTuple):
    """Microseconds of a command, or of a hand of seven people; `growth`: the CPU cost relative to the smallest size."""

    over: str
    size: int
    command: str
    cpu_us: float
    wall_us: float
    growth: float


class Cost(NamedTuple):
    """Microseconds of one command: CPU time of the process, and wall-clock time."""

    cpu_us: float
    wall_us: float


def measure_growth(
    tables: Sequence[int] = TABLES,
    postings: Sequence[int] = POSTINGS,
    rounds: int = ROUNDS,
) -> Iterator[Measure]:
    """Measure a casino with each number of tables, and with each number of postings. Takes minutes."""
    with tempfile.TemporaryDirectory(prefix="ridotto-bench-") as folder:
        yield from asyncio.run(_costs("tables", {size: Path(folder) / str(size) for size in tables}, rounds))
    yield from asyncio.run(_costs("postings", old_books(tuple(postings)), rounds))


async def _costs(over: str, folders: dict[int, Path], rounds: int) -> list[Measure]:
    """Measure each command in each of the casinos, `rounds` times, inside an event loop, which the lounge needs."""
    with ExitStack() as open_houses:
        houses = {size: House(folder, size if over == "tables" else REGULARS) for size, folder in folders.items()}
        for house in houses.values():
            open_houses.callback(house.books.close)
            house.warm_up()
        costs: dict[tuple[int, str], list[Cost]] = {}
        for _turn in range(-(-rounds // AT_A_STRETCH)):
            for size, house in houses.items():
                for _round in range(AT_A_STRETCH):
                    for command, cost in house.round(old=over == "postings"):
                        costs.setdefault((size, command), []).append(cost)
    return _against_smallest(over, costs, min(folders, default=0))


def _against_smallest(over: str, costs: dict[tuple[int, str], list[Cost]], least: int) -> list[Measure]:
    return [
        Measure(over, size, command, *_medians(found), growth=_growth(found, costs[least, command]))
        for (size, command), found in costs.items()
    ]


def _medians(costs: Sequence[Cost]) -> tuple[float, float]:
    return round(median(one.cpu_us for one in costs), 1), round(median(one.wall_us for one in costs), 1)


def _growth(here: Sequence[Cost], smallest: Sequence[Cost]) -> float:
    return round(median(one.cpu_us / other.cpu_us for one, other in zip(here, smallest, strict=True)), 2)


class House:
    """A casino with this many open tables, seventy people at ten of them, and the regulars of an old store if there are
    any.
    """

    def __init__(self, folder: Path, tables: int) -> None:
        self._now = time.time()
        self.books = SqliteBooks(folder)
        self._writer = Writer(self.books, clock=lambda: self._now, entropy=random.Random(1).randbytes, secret=bytes(32))
        self._writer.subscribe(Lounge(self._writer, Live()).mark)
        places = random.Random(1).sample(open_tables(self._writer, tables), REGULARS)
        people = [
            Who(PLATFORM, f"old {number}", f"Player {number}") for number in range(1, REGULARS * PLAYERS_A_TABLE + 1)
        ]
        self._crowd: list[tuple[Who, Place]] = list(
            zip(people, (place for place in places for _seat in range(PLAYERS_A_TABLE)), strict=True)
        )
        self._keys = count()

    def warm_up(self) -> None:
        """Let everyone play and open every page once."""
        for _time in range(2):
            for _measured in self.round(old=False):
                pass

    def round(self, *, old: bool) -> Iterator[tuple[str, Cost]]:
        """Yield (name, cost) of each command once; `old` also includes forgetting an expired key."""
        yield "bet", self._ask("bet", "10")
        yield "takeback", self._ask("takeback")
        yield "a hand of seven", self._hand()
        for verb in QUESTIONS:
            yield verb, self._ask(verb)
        if old:
            yield "forget a key", self._forget()

    def _ask(self, verb: str, *args: str) -> Cost:
        return self._measure(lambda: self._batch(verb, *args), len(self._crowd))

    def _hand(self) -> Cost:
        """Play a hand at each table: bets, the deal, everyone's choice and the payment."""

        def play() -> None:
            self._batch("bet", "10")
            self._now += _BETTING_S
            self._writer.round([], [])
            self._say([self._move(who, at) for who, at in self._crowd])

        return self._measure(play, REGULARS)

    def _batch(self, verb: str, *args: str) -> None:
        """Submit a command of everyone; none may be refused."""
        self._say([self._command(who, at, verb, *args) for who, at in self._crowd])

    def _command(self, who: Who, at: Place, verb: str, *args: str) -> Command:
        return Command(f"now {next(self._keys)} {self._now}", who, at, verb, args)

    def _move(self, who: Who, at: Place) -> Command:
        state = self._writer.state
        place, player = state.place(*at), state.identities[who.platform, who.account]
        assert place is not None
        assert place.table_id is not None
        return self._command(who, at, *boldest_move(state.tables[place.table_id], player))

    def _say(self, commands: Sequence[Command]) -> None:
        futures: list[Future[Any]] = [Future() for _command in commands]
        self._writer.round(commands, futures)
        for future in futures:
            assert not future.result(0).refused, future.result(0)

    def _forget(self) -> Cost:
        """Forget a key as after its two days."""
        return self._measure(lambda: self.books.forget_answers(self._now, KEYS_A_TIME), KEYS_A_TIME)

    @staticmethod
    def _measure(work: Callable[[], Any], times: int) -> Cost:
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        spent, waited = time.process_time() - cpu, time.perf_counter() - wall
        return Cost(spent / times * 1e6, waited / times * 1e6)
