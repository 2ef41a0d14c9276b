"""CPU time of a hand at a table where no page seals a cut, and where each player's page does, by turns.

Commands come in batches, and each batch is committed, as in a casino. No platform takes part.
"""

import hashlib
import tempfile
import time
from collections.abc import Iterable
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bot.core.commands.command import Answer, Command, Who
from bot.core.state.place import Place
from bot.core.state.table import Round
from bot.core.writer import Writer
from storage.sqlite import SqliteBooks

HANDS = 300
ROUNDS = 5
PLAYERS = 3
# As many as the first chips of a player are enough for.
HANDS_EACH = 50
GAME = "caribbean"


class Hands(NamedTuple):
    """One row. `more` is what a hand costs beyond the first row's, in percent."""

    what: str
    hands: int
    cpu_ms: float
    more: float


def measure_seals(hands: int = HANDS, rounds: int = ROUNDS) -> list[Hands]:
    """Play hands of three players without and with sealed cuts; medians over rounds."""
    with tempfile.TemporaryDirectory(prefix="ridotto-bench-") as folder:
        house = _House(Path(folder) / "data")
        with closing(house.writer.books):
            ways = {"no sealed cuts": False, f"{PLAYERS} sealed cuts, opened": True}
            found: dict[str, list[float]] = {what: [] for what in ways}
            for _round in range(rounds + 1):
                for what, is_sealed in ways.items():
                    found[what].append(house.measure(hands, is_sealed=is_sealed))
    # The first round fills caches.
    costs = {what: median(times[1:]) for what, times in found.items()}
    least = costs["no sealed cuts"]
    return [Hands(what, hands, round(cost, 3), round(100 * (cost / least - 1), 1)) for what, cost in costs.items()]


class _House:
    """A casino whose clock moves only with the hands that are played at one of its tables."""

    def __init__(self, folder: Path) -> None:
        self.now, self._number, self._hands = time.time(), 0, 0
        self.writer = Writer(SqliteBooks(folder), clock=lambda: self.now)
        self._table = next(id for id, table in self.writer.state.tables.items() if table.game == GAME)

    def measure(self, hands: int, *, is_sealed: bool) -> float:
        """Return the milliseconds of CPU time of a hand."""
        started = time.process_time()
        for _hand in range(hands):
            self._play(is_sealed=is_sealed)
        return (time.process_time() - started) * 1000 / hands

    def _play(self, *, is_sealed: bool) -> None:
        self._hands += 1
        self._do(["bet", "10"] for _player in range(PLAYERS))
        cuts, commit = [self._draw() for _player in range(PLAYERS)], self._round.commit
        if is_sealed:
            self._do(["seal", hashlib.sha256(b"ridotto cut" + cut).hexdigest(), commit] for cut in cuts)
        self._pass_deadline()
        if is_sealed:
            self._do(["open-cut", cut.hex(), commit] for cut in cuts)
        self._do(["fold"] for _player in range(PLAYERS))
        assert self._round.commit != commit, "the hand is over"

    @property
    def _round(self) -> Round:
        return self.writer.state.tables[self._table].round

    def _draw(self) -> bytes:
        self._number += 1
        return hashlib.sha256(b"%d" % self._number).digest()

    def _pass_deadline(self) -> None:
        assert self._round.deadline is not None
        self.now = max(self.now, self._round.deadline)
        self.writer.round([], [])

    def _do(self, lines: Iterable[list[str]]) -> None:
        """Send a command of each player in one batch; others play when their chips are gone."""
        commands, place = [], Place("web", str(self._table))
        for player, (verb, *args) in enumerate(lines, start=self._hands // HANDS_EACH * PLAYERS):
            self._number += 1
            who = Who("web", f"p{player}", f"Player {player}")
            commands.append(Command(f"key {self._number}", who, place, verb, tuple(args), "", True))
        futures: list[Future[Answer]] = [Future() for _command in commands]
        self.writer.round(commands, futures)
        for future in futures:
            assert not future.result(0).refused, future.result(0)
