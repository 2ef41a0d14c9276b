"""A reaction to a big win on the message of its table, kept until the next bet.

It notifies no one and takes no room; a table gets at most one in five minutes.
"""

from collections.abc import Callable, Coroutine
from math import inf
from typing import Any

from bot.core.state.table import Table, owners_of
from bot.platforms.common.context import PlatformContext
from bot.platforms.common.recent import Recent
from engine.record import spots_of

EMOJI = "🎉"
# A table that is only checked again, as after a start, is no news.
NEWS_S, LEAST_BETWEEN_S = 60.0, 300.0
MOST_KEPT = 10_000
# A win of this many times the bet, or more, is a big one.
BIG = 5
React = Callable[[str, Table, bool], Coroutine[Any, Any, None]]


class Reactions:
    """Reactions to big wins. Belongs to the event loop. `react(address, table, on)` adds or removes one when there is
    room.
    """

    def __init__(self, context: PlatformContext, react: React) -> None:
        self._context, self._react = context, react
        # {table: time of its last reaction}, and the tables that still have one.
        self._at: Recent[int, float] = Recent(MOST_KEPT)
        self._standing: set[int] = set()

    def handle_change(self, id: int) -> None:
        """Handle a changed table."""
        table = self._context.state.table(id)
        if table is None:
            return
        if id in self._standing and (table.round.bets or table.round.hand is not None):
            self._standing.discard(id)
            self._set_reaction(table, on=False)
        elif id not in self._standing and table.settings.cheers and self._is_news(table) and has_big_win(table):
            self._at[id] = self._context.writer.monotonic()
            self._standing.add(id)
            self._set_reaction(table, on=True)

    def _is_news(self, table: Table) -> bool:
        """Return whether the last hand has just been paid; the next one opens with its payment."""
        is_fresh = self._context.writer.clock() - table.round.opened < NEWS_S
        return is_fresh and self._context.writer.monotonic() - self._at.get(table.id, -inf) >= LEAST_BETWEEN_S

    def _set_reaction(self, table: Table, *, on: bool) -> None:
        for address in self._context.addresses_of(table.id):
            self._context.spawn(self._react(address, table, on))


def has_big_win(table: Table) -> bool:
    """Return whether the paid hand on the table had a big enough win; a void hand had none."""
    hand = table.last
    if not table.settings.cheers or table.round.hand is not None or table.round.bets or hand is None or hand.is_void:
        return False
    wagered, returned = spots_of(hand, table.void_seats(table.last_hand))
    put, won = dict[int, int](), dict[int, int]()
    for key, player in owners_of(hand).items():
        put[player] = put.get(player, 0) + sum(wagered.get(key, {}).values())
        won[player] = won.get(player, 0) + sum(returned.get(key, {}).values())
    return any(won[player] - put[player] >= BIG * put[player] > 0 for player in put)
