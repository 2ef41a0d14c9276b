"""`ridotto playthrough`: a short evening of a game as text, for people to read and for diffs.

It has every step, what is new to the public and to each player after it, and everyone's chips. The cards follow from a
fixed seed.
"""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

from bot.cli.game_checks.trial_casino import TrialCasino
from bot.cli.game_checks.trial_table import TrialTable
from bot.core.commands.command import Answer
from bot.core.state.table import Table
from bot.games import PLUGINS
from bot.texts import say, say_value
from bot.texts.languages import SOURCE
from bot.view.build import private_screen, screen
from bot.view.describe import describe, describe_hand
from engine.felt import Amount, check
from storage.ledger import wallet

HANDS = 2


class RecordedTable(TrialTable):
    """A trial table that writes down each command, its refusal, and what it changes for everyone."""

    def __init__(self, casino: TrialCasino, game: str) -> None:
        super().__init__(casino, game, has_screens=False)
        self.lines = list[str]()
        self._seen = dict[str, list[str]]()

    def do(self, line: str, fresh: str = "") -> Answer:
        """Record a command and any refusal."""
        answer = super().do(line, fresh)
        self.lines.append(f"> {line}")
        if answer.refused:
            self.lines += [f"  refused: {say(text, SOURCE)}" for text in answer.texts]
        return answer

    def record(self, phase: str, table: Table | None = None) -> None:
        """Record news: first the public's, then each player's own."""
        state, now = self.casino.writer.state, self.casino.clock.now
        public = describe(screen(state, self.table, None, now), SOURCE).splitlines()
        self.lines += ["", f"-- {phase}", *self._pick_new("public", public)]
        for name, player in self.players.items():
            seen = describe(screen(state, self.table, player, now), SOURCE).splitlines()
            seen += describe_hand(private_screen(state, self.table, player, now), SOURCE).splitlines()
            if new := self._pick_new(name, dict.fromkeys(line for line in seen if line not in public)):
                self.lines += [f"  {name} sees:", *new]
        chips = ", ".join(f"{name} {self._write_chips(player)}" for name, player in self.players.items())
        self.lines += [f"  chips: {chips}", ""]

    def _write_chips(self, player: int) -> str:
        balance = self.casino.books.balance(wallet(self.table.casino, player))
        return say_value(Amount(balance), SOURCE)

    def _pick_new(self, viewer: str, lines: Iterable[str]) -> list[str]:
        """Return the lines that this viewer has not seen at the moment before."""
        before, self._seen[viewer] = self._seen.get(viewer, []), list(lines)
        return [f"    {line}".rstrip() for line in self._seen[viewer] if line not in before]


def write_playthrough(game: str) -> str:
    """Return the text of an evening. Raises IllegalDeal for an unknown game."""
    check(game in PLUGINS, "There is no game {game}. Choose one of: {games}.", game=game, games=", ".join(PLUGINS))
    with TemporaryDirectory(prefix="ridotto-") as folder, closing(TrialCasino(Path(folder))) as casino:
        table = RecordedTable(casino, game)
        for _ in range(HANDS):
            table.play_hand()
        return "\n".join([f"# {PLUGINS[game].texts.title}", *table.lines]).rstrip() + "\n"
