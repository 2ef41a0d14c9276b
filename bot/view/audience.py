"""The public view of a table: one screen for everyone without a part in it who can spend as much.

It has no viewer, so that no player's own cards can appear in it.
"""

from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

from msgspec import to_builtins

from bot.core.rounds.betting import options_of
from bot.core.rounds.past_results import PastResults
from bot.core.rounds.script_budget import WATCHDOG, Escaped, OverBudget
from bot.core.state.plays import Seating
from bot.core.state.table import Table, owners_of
from bot.core.state.tournament import player_named
from bot.core.state.transaction import State
from bot.view import Button, Screen
from bot.view.build import caught, public_screen
from bot.view.presenter import PRESENTERS, PresenterFault
from engine.games import GAMES
from storage import ledger

# No player's number: players count from 1, and 0 is the player of a position that waits for a decision.
NOBODY = -1


def audience_screen(state: State, table: Table, means: int, now: float) -> Screen:
    """Return the screen of someone without a part in the table who can spend `means` there, in minor units."""
    return caught(public_screen, state, table, NOBODY, now, means)


def people_in(table: Table) -> frozenset[int]:
    """Return all players whose screen may differ from the public one for a reason other than their chips.

    A game's own state is opaque, so each integer in it counts as a possible player, unless it is past results.
    """
    memory = () if type(table.memory) is PastResults else to_builtins(table.memory)
    hands = [hand for hand in (table.round.hand, table.last) if hand is not None]
    # Players of a tournament are told where they sit.
    left = table.tournament.now.stacks if table.tournament is not None and table.game in GAMES else ()
    return frozenset(
        {
            *table.seats.values(),
            *map(player_named, left),
            *(bet.player for bet in table.round.bets),
            *(player for player, _text in table.round.cuts),
            *table.round.ready,
            *table.last_bets,
            *table.round.turning.values(),
            *table.wants_to_turn,
            *(player for waiting in table.notify.values() for player in waiting),
            *(player for hand in hands for player in owners_of(hand).values()),
            *_numbers_in(memory),
        }
    )


def _numbers_in(value: Any) -> Iterator[int]:
    if isinstance(value, int):
        yield value
    elif isinstance(value, str):
        if value.isascii() and value.isdecimal():
            yield int(value)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _numbers_in(key)
            yield from _numbers_in(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _numbers_in(one)


class Prices:
    """The prices offered at a table: the amounts of chips at which a viewer's screen changes."""

    def __init__(self, state: State, table: Table, now: float) -> None:
        shown = audience_screen(state, table, ledger.LARGEST, now)
        self._steps = sorted({0, _least(state, table), *(button.cost for button in _buttons_of(shown))})
        # The proposed stack depends on the wallet.
        self._is_smooth = table.plays.seating is Seating.STACKS

    def means(self, chips: int | None) -> int:
        """Return the key of equal views; `chips` None is a newcomer's, who gets welcome chips."""
        most = self._steps[-1]
        if chips is None or chips >= most:
            return ledger.LARGEST
        return chips if self._is_smooth else self._steps[max(0, bisect_right(self._steps, chips) - 1)]


def _least(state: State, table: Table) -> int:
    """Return the amount below which the daily chips are offered; 0 if the game does not say or fails."""
    try:
        return WATCHDOG.run(table.game, PRESENTERS[table.game].least, options_of(state, table))
    except (KeyError, PresenterFault, OverBudget, Escaped):
        return 0


def _buttons_of(shown: Screen) -> Iterator[Button]:
    yield from shown.bets
    yield from shown.moves
    yield from shown.more
    for seat in shown.seats:
        yield from seat.buttons
