"""A casino that accepts any command, with invariants after each."""

import itertools
import json
import logging
import random
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bot.cli.doctor import examine
from bot.core.command_list import CHAT_COMMANDS
from bot.core.commands.command import Answer, Command, Who
from bot.core.state.place import Place
from bot.core.state.plays import PLAYS
from bot.core.writer import Writer
from bot.texts import LANGUAGES, say
from bot.view.build import screen
from engine.cards import FRENCH
from storage.sqlite import FILE, SqliteBooks, reading
from tests.core.conftest import CARIBBEAN, LINKED, TABLES
from tests.disk import ask

PEOPLE = {
    "anna": Who("web", "a" * 64, "Anna"),
    "bea": Who("telegram", "22", "Bea", "it"),
    "marco": Who("discord", "33", "Marco", inspector=True),
}
PLACES = (*(Place("web", str(number)) for number in (*TABLES.values(), LINKED)), Place("web", "lobby"))
# Words that mean something after one command or another.
WORDS = (
    *(
        "ante trips blind jackpot main admiral west south-west north 1 2 3 7 8 20 50 100 500 1000 2.5 1k all half"
    ).split(),
    *("max min x2 on off yes no show choose set code join leave reset open close pause resume next once today").split(),
    *("minimum maximum step seats pace fast slow normal correspondence language it en betting_s coin reset").split(),
    *("Anna Bea Marco @Anna everybody cool-off exclude loss time 24 30 ").split(),
    *FRENCH[:4],
    *PLAYS,
    *(word for verb in CHAT_COMMANDS for word in verb.split()),
)


class _Loud(logging.Handler):
    """A log handler whose errors fail the test."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.faults: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        trace = logging.Formatter().formatException(record.exc_info) if record.exc_info else ""
        self.faults.append(f"{record.getMessage()}\n{trace}")


class Counter:
    """A casino that runs inline; the test moves the clock."""

    def __init__(self, folder: Path) -> None:
        self.now = 1_800_000_000.0
        self.books = SqliteBooks(folder)
        # Power cuts do not matter here, and a fuzzer has no time to wait for disks.
        self.books.db.execute("PRAGMA synchronous = OFF")
        self.writer = Writer(self.books, clock=lambda: self.now, entropy=random.Random(9).randbytes, secret=bytes(32))
        self._keys = itertools.count()
        self._loud = _Loud()
        for who in PEOPLE.values():
            assert not self.send(who, Place("web", str(CARIBBEAN)), "balance").refused

    def send(self, who: Who, place: Place, verb: str, *args: str, **more: Any) -> Answer:
        command = Command(f"key {next(self._keys)}", who, place, verb, args, **more)
        future: Future[Answer] = Future()
        self.writer.round([command], [future])
        return future.result()

    def check(self, who: Who, place: Place, verb: str, *args: str, **more: Any) -> Answer:
        """Submit a command, and check that nothing fails and a refusal changes nothing, in memory or on disk."""
        self.run_clocks()
        before, written = self.published(), self.books.db.conn.total_changes
        answer = self.send(who, place, verb, *args, **more)
        assert not self._loud.faults, (verb, args, self._loud.faults)
        for language in LANGUAGES:
            for text in answer.texts:
                assert say(text, language)
        if answer.refused:
            assert len(answer.texts) == 1, (verb, args)
            assert self.books.db.conn.total_changes == written, (verb, args, answer)
            assert self.published() == before, (verb, args, answer)
        else:
            self.check_sums()
        return answer

    def published(self) -> tuple[Any, ...]:
        house = self.writer.state
        return tuple(dict(part) for part in (house.tables, house.casinos, house.players, house.members, house.places))

    def check_sums(self) -> None:
        ((total,),) = ask(self.books, "SELECT sum(balance) FROM accounts")
        assert total == 0
        owing = "SELECT name FROM accounts WHERE balance < 0 AND name NOT LIKE 'bank:%' AND name NOT LIKE 'mint:%'"
        assert not ask(self.books, owing)

    def wait(self, seconds: float) -> None:
        self.now += seconds
        self.run_clocks()
        assert not self._loud.faults, self._loud.faults

    def run_clocks(self) -> None:
        """Run all due clocks, so that no batch does so beside a command; check that it ends."""
        for _ in range(50):
            if not self.writer.schedule.is_due(self.now):
                return
            self.writer.round([], [])
        raise AssertionError("a clock runs out again and again")

    def look(self) -> None:
        """Check that every table can still be shown to everyone."""
        house = self.writer.state
        for table in house.tables.values():
            for viewer in (None, *house.players):
                assert screen(house, table, viewer, self.now)
        json.dumps([table.settings for table in house.tables.values()], default=str)

    def close(self) -> None:
        self.books.close()


@contextmanager
def open_counter(folder: Path) -> Iterator[Counter]:
    """Open a counter; on leaving it is closed, and its store examined."""
    counter = Counter(folder)
    log = logging.getLogger("ridotto")
    log.addHandler(counter._loud)
    try:
        yield counter
        counter.check_sums()
        counter.look()
    finally:
        log.removeHandler(counter._loud)
        counter.close()
    with reading(folder / FILE) as books:
        assert not list(examine(books))
