"""`ridotto bench growth`: what a command costs, from ten tables to ten thousand and from few postings to ten million.

CPU microseconds of a command in a batch of seventy at ten tables, from paper to the answer, the commit and the
lounge's marks included; medians. Flat is what costs at most a quarter more at the largest size than at the smallest.
"""

import asyncio
import random
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from bot.bench.crowd import PLATFORM, PLAYERS_A_TABLE, open_tables
from bot.bench.old_books import add_hands, add_keys, add_players, begin_books
from bot.floor.command import Command, Place, Who
from bot.on_web.live import Live
from bot.on_web.lounge import Lounge
from bot.pit import KEYS_KEPT_S, Pit
from storage.database import Books

TABLES = (10, 100, 1_000, 10_000)
POSTINGS = (10_000, 100_000, 1_000_000, 10_000_000)
KEYS_OF = 10
POSTINGS_A_PLAYER = 400
# Ten full tables a batch, however many there are.
BATCH = 10 * PLAYERS_A_TABLE
CROWD = 20 * BATCH
ROUNDS = 20
FLAT = 1.25
# Asked for at a table by somebody with a past.
QUESTIONS = ("balance", "statement", "stats", "history", "leaderboard")


class Measure(NamedTuple):
    """`growth`: the cost at this size by that at the smallest."""

    over: str
    size: int
    command: str
    cpu_us: float
    growth: float
    is_flat: bool


def measure_growth(
    tables: Sequence[int] = TABLES, postings: Sequence[int] = POSTINGS, crowd: int = CROWD, rounds: int = ROUNDS
) -> list[Measure]:
    """`crowd`: how many play at the same time; whole batches of them."""
    return asyncio.run(_measure(tables, postings, crowd, rounds))


async def _measure(tables: Sequence[int], postings: Sequence[int], crowd: int, rounds: int) -> list[Measure]:
    """In an event loop, which the lounge's marks need."""
    costs: list[tuple[str, int, str, float]] = []
    for size in tables:
        with tempfile.TemporaryDirectory(prefix="ridotto-bench-") as folder:
            costs += [("tables", size, what, us) for what, us in _costs(Path(folder), size, crowd, rounds)]
    with tempfile.TemporaryDirectory(prefix="ridotto-bench-") as folder:
        past = begin_books(Path(folder))
        for size in postings:
            now = time.time()
            add_players(Path(folder), crowd if size == postings[0] else size // POSTINGS_A_PLAYER, now)
            there = add_hands(Path(folder), past, size)
            add_keys(Path(folder), there // KEYS_OF, now - KEYS_KEPT_S)
            costs += [
                ("postings", there, what, us) for what, us in _costs(Path(folder), crowd, crowd, rounds, old=True)
            ]
    return _compared(costs)


def _compared(costs: Sequence[tuple[str, int, str, float]]) -> list[Measure]:
    least: dict[tuple[str, str], float] = {}
    rows = []
    for over, size, what, us in costs:
        growth = us / least.setdefault((over, what), us)
        rows.append(Measure(over, size, what, round(us, 1), round(growth, 2), growth <= FLAT))
    return rows


def _costs(folder: Path, tables: int, most: int, rounds: int, *, old: bool = False) -> Iterator[tuple[str, float]]:
    """Of each command at so many tables. `old`: the crowd are players with a past."""
    books = Books(folder)
    pit = Pit(books)
    try:
        pit.on_change = Lounge(pit, Live()).mark
        places = _seats(open_tables(pit, tables), most)
        newcomers = [Who(PLATFORM, str(number), f"Client {number}") for number in range(len(places))]
        crowd = _players_of_old(books, len(places)) if old else newcomers
        players, keys = list(zip(crowd, places, strict=True)), count()

        def ask(verb: str, *args: str) -> Callable[[int], float]:
            return lambda number: _round(pit, _batch(players, number, verb, args, keys))

        bet, back = ask("bet", "10"), ask("takeback")
        for number in range(len(players) // BATCH):
            bet(number)
            back(number)
        spent = [(bet(number), back(number)) for number in range(rounds)]
        yield "bet", median(cost for cost, _back in spent)
        yield "takeback", median(cost for _bet, cost in spent)
        for verb in QUESTIONS:
            question = ask(verb)
            yield verb, median(question(number) for number in range(max(1, rounds // 4)))
        if old:
            yield "forget a key", median(_forget(books) for _round_ in range(max(1, rounds // 4)))
    finally:
        books.close()


def _seats(places: Sequence[Place], most: int) -> list[Place]:
    """All seats of some tables, taken at random."""
    chosen = random.Random(1).sample(places, min(most // PLAYERS_A_TABLE, len(places)))
    return [place for place in chosen for _seat in range(PLAYERS_A_TABLE)]


def _players_of_old(books: Books, count: int) -> list[Who]:
    names = [name for (name,) in books.select("SELECT name FROM identities WHERE name LIKE 'old %'")]
    return [Who(PLATFORM, name, "Old") for name in random.Random(1).sample(names, count)]


def _batch(
    players: Sequence[tuple[Who, Place]], number: int, verb: str, args: tuple[str, ...], keys: Iterator[int]
) -> list[Command]:
    first = number * BATCH % len(players)
    return [
        Command(f"now {next(keys)} {time.time()}", who, at, verb, args) for who, at in players[first : first + BATCH]
    ]


def _round(pit: Pit, commands: Sequence[Command]) -> float:
    """CPU microseconds of one of them; none may be refused."""
    futures: list[Future[Any]] = [Future() for _command in commands]
    begun = time.process_time()
    pit.round(commands, futures)
    spent: float = time.process_time() - begun
    for command, future in zip(commands, futures, strict=True):
        assert not future.result(0).refused, (command, future.result(0))
    return float(spent) / len(commands) * 1e6


def _forget(books: Books) -> float:
    """CPU microseconds of one key whose two days are over, in the slices in which they go."""
    ((before,),) = books.select("SELECT count(*) FROM answers")
    begun = time.process_time()
    books.forget_answers(time.time())
    spent: float = time.process_time() - begun
    ((after,),) = books.select("SELECT count(*) FROM answers")
    return spent / max(1, int(before - after)) * 1e6
