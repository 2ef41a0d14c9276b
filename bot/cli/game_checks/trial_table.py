"""A trial table: three people play hands of a game through the writer, by the buttons on their own screens.

Each moment is recorded with everybody's screen, and with the answer that each of their buttons would get.
"""

from collections.abc import Iterator, Mapping
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from bot.cli.game_checks.trial_casino import TrialCasino
from bot.core.commands.command import Answer
from bot.core.commands.company import COMPANY
from bot.core.rounds.betting import options_of
from bot.core.state.table import Table
from bot.games import PLUGINS
from bot.view import Button, Screen
from bot.view.build import private_screen, screen
from engine.felt import VOID, Move
from engine.hand import Hand

NAMES = ("anna", "bea", "cleo")
HANDS = 4
# Hands at most until every phase has come: some games ask only after a rare deal.
_MOST_HANDS = 40
ASLEEP, BETTING, PLAYING, TURNING, OVER, VOIDED = "asleep", "betting", "playing", "turning", "over", "void"
_NEW_PLAYERS_WAIT_S = 2 * 86400


class Moment(NamedTuple):
    """A table at one moment, everyone's screens, and the answer to each of their buttons."""

    phase: str
    table: Table
    screens: Mapping[int | None, Screen]
    own: Mapping[int, Screen]
    pressed: list[tuple[Button, Answer]]


class TrialTable:
    """Three people at one table of a game. They choose at random among their own buttons.

    Without `has_screens` only the tables of its moments are kept, which is faster.
    """

    def __init__(self, casino: TrialCasino, game: str, *, has_screens: bool = True) -> None:
        self.casino, self.game, self.random, self.has_screens = casino, game, Random(game), has_screens
        self.id = next(table.id for table in casino.writer.state.tables.values() if table.game == game)
        for name in NAMES:
            casino.do(f"{name} balance", table=self.id)
        casino.clock.now += _NEW_PLAYERS_WAIT_S
        self.players = {name: casino.player(name) for name in NAMES}
        self.moments: list[Moment] = []

    @property
    def table(self) -> Table:
        return self.casino.table(self.id)

    def do(self, line: str, fresh: str = "") -> Answer:
        """Return the answer to a typed line at this table."""
        return self.casino.do(line, table=self.id, fresh=fresh, sure=True)

    def play_all(self) -> None:
        """Play hands, and record every phase: asleep, betting, each choice, the payment, a void hand."""
        self.record(ASLEEP)
        for number in range(_MOST_HANDS):
            self.play_hand()
            if number + 1 >= HANDS and not self.list_phases() - {VOIDED} - {moment.phase for moment in self.moments}:
                break
        last = self.table.last
        if last is not None:
            self.record(
                VOIDED, self.table.change(last=void_hand(last), round=replace(self.table.round, hand=None, bets=()))
            )

    def play_hand(self) -> None:
        """Play one hand from the first bet to the payment."""
        hand = self.table.round.hand_id
        self.place_bets()
        self.record(BETTING)
        self._wait_for_clock()
        while self.table.round.hand is not None and self.table.round.hand_id == hand:
            self.record(TURNING if self.table.round.turning else PLAYING)
            self.press_any()
        self.record(OVER)

    def record(self, phase: str, table: Table | None = None) -> None:
        """Record everyone's screen, and check all their buttons without pressing."""
        table, state, now = table or self.table, self.casino.writer.state, self.casino.clock.now
        if not self.has_screens:
            self.moments.append(Moment(phase, table, {}, {}, []))
            return
        screens = {viewer: screen(state, table, viewer, now) for viewer in (None, *self.players.values())}
        own = {viewer: private_screen(state, table, viewer, now) for viewer in self.players.values()}
        pressed = []
        for name, viewer in self.players.items() if table is self.table else ():
            for button in dict.fromkeys(list_buttons(screens[viewer])):
                if button.ask is None:
                    pressed.append((button, self._try(name, button)))
        self.moments.append(Moment(phase, table, screens, own, pressed))

    def _try(self, name: str, button: Button) -> Answer:
        """Return the answer that a press would get; nothing is changed."""
        line = " ".join((name, button.verb, *button.args))
        command = self.casino.command(line, table=self.id, fresh=button.fresh, sure=True)
        handling = self.casino.writer.handling
        batch = handling.work_out([command], self.casino.clock.now, clocks=0)
        handling.drop(batch)
        return batch.answers[0]

    def place_bets(self) -> None:
        """Bet as a house player does, with two more chips each."""
        for name in NAMES:
            options = options_of(self.casino.writer.state, self.table)
            self.do(f"{name} {' '.join(COMPANY[self.game].bet(self.random, self.table, options))}")
            chips = self._chips_of(name)
            for button in self.random.sample(chips, k=min(2, len(self._chips_of(name)))):
                self.do(" ".join((name, button.verb, *button.args)), fresh=button.fresh)
        if self.table.plays.reveals.steps:
            for name in NAMES:
                self.do(f"{name} squeeze")

    def _chips_of(self, name: str) -> list[Button]:
        seen = screen(self.casino.writer.state, self.table, self.players[name], self.casino.clock.now)
        return [button for button in list_buttons(seen) if button.verb == "bet" and not button.ask]

    def press_any(self) -> None:
        """Let a random player to move choose."""
        now = self.casino.clock.now
        for name, player in self.random.sample(list(self.players.items()), len(NAMES)):
            moves = screen(self.casino.writer.state, self.table, player, now).moves
            if plain := [button for button in moves if not button.ask]:
                button = self.random.choice(plain)
                self.do(" ".join((name, button.verb, *button.args)), fresh=button.fresh)
                return
        self._wait_for_clock()

    def _wait_for_clock(self) -> None:
        deadline = self.table.round.deadline
        assert deadline is not None, f"no clock runs at a table of {self.game} on which people have bet"
        self.casino.wait(deadline - self.casino.clock.now)

    def list_phases(self) -> set[str]:
        """Return the phases that this game's tables have."""
        plugin = PLUGINS[self.game]
        found = {ASLEEP, BETTING, OVER, VOIDED}
        return found | ({PLAYING} if plugin.game.words else set()) | ({TURNING} if plugin.play.reveals.steps else set())


def list_buttons(seen: Screen) -> Iterator[Button]:
    """Yield all buttons of a screen."""
    yield from (*seen.bets, *seen.moves, *seen.more)
    for seat in seen.seats:
        yield from seat.buttons


def void_hand(hand: Hand) -> Hand:
    """Return the deal voided before any choice; a hand without choices is returned paid."""
    again = Hand(hand.deal)
    return again.play(Move("", VOID)) if again.asks else again
