"""A casino for trials: the real writer on temporary books, run inline, with a clock that only the caller moves."""

import random
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path

from bot.core.command_list import CHAT_COMMANDS
from bot.core.commands.command import Answer, Command, Who
from bot.core.commands.counting import here
from bot.core.state.lounge import PLATFORM
from bot.core.state.place import Place
from bot.core.state.table import Table
from bot.core.writer import Beacon, Writer
from storage.questions.people import player_behind
from storage.sqlite import SqliteBooks
from storage.store import Books


class StoppedClock:
    """A clock that stands still."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


class TrialCasino:
    """A casino in a folder; `do` runs a typed command, whose first word names the person."""

    entropy: Callable[[int], bytes]
    books: Books
    writer: Writer

    def __init__(self, folder: Path, beacon: Beacon | None = None) -> None:
        self.folder, self.clock, self.beacon = folder, StoppedClock(), beacon
        self.entropy = random.Random(5).randbytes
        self.keys = 0
        self.answers: list[Answer] = []
        self.open()

    def open(self) -> None:
        """Open the books, and a writer on them."""
        self.books = self.open_books()
        self.writer = Writer(
            self.books,
            clock=self.clock,
            entropy=lambda n: self.entropy(n),
            count=here,
            secret=bytes(32),
            beacon=self.beacon,
        )

    def open_books(self) -> Books:
        """Open the books in the folder."""
        return SqliteBooks(self.folder)

    def close(self) -> None:
        """Close the books."""
        self.books.close()

    def command(self, line: str, *, table: int, key: str | None = None, fresh: str = "", sure: bool = False) -> Command:
        """Return a typed line as a command; a person whose name begins with "insp" is an inspector."""
        name, *words = line.split()
        verb = " ".join(words[:2]) if " ".join(words[:2]) in CHAT_COMMANDS else words[0]
        args = tuple(words[len(verb.split()) :])
        self.keys += 1
        who = Who(PLATFORM, name, name, "en", inspector=name.startswith("insp"))
        return Command(key or f"key {self.keys}", who, Place(PLATFORM, str(table)), verb, args, fresh, sure)

    def do(self, line: str, *, table: int, key: str | None = None, fresh: str = "", sure: bool = False) -> Answer:
        """Return the answer to a typed line."""
        return self.batch([self.command(line, table=table, key=key, fresh=fresh, sure=sure)])[0]

    def batch(self, commands: Sequence[Command]) -> list[Answer]:
        """Return the answers to commands that arrive together."""
        futures: list[Future[Answer]] = [Future() for _ in commands]
        self.writer.round(list(commands), list(futures))
        self.answers += [future.result(0) for future in futures]
        return self.answers[-len(commands) :]

    def wait(self, seconds: float) -> None:
        """Let time pass as the writer does: run every clock on the way, and at the end."""
        until = self.clock.now + seconds
        while (deadline := self.writer.schedule.next_deadline()) is not None and deadline <= until:
            self.clock.now = max(self.clock.now, deadline)
            self.writer.round([], [])
        self.clock.now = until
        self.writer.round([], [])

    def table(self, id: int) -> Table:
        """Return a table as it stands."""
        table = self.writer.state.table(id)
        assert table is not None, f"there is no table {id}"
        return table

    def player(self, name: str) -> int:
        """Return the number of a person's player."""
        player = player_behind(self.books, PLATFORM, name)
        assert player is not None, f"{name} has typed nothing yet"
        return player
