"""A reaction to a big win on the message of its table, kept until the next bet.

It notifies no one and takes no room; a table gets at most one in five minutes.
"""

from collections.abc import Callable, Coroutine
from math import inf
from typing import Any

from bot.core.rounds.big_wins import has_big_win
from bot.core.state.table import Table
from bot.platforms.common.context import PlatformContext
from bot.platforms.common.recent import Recent

EMOJI = "🎉"
# A table that is only looked at again, as after a start, is no news.
NEWS_S, LEAST_BETWEEN_S = 60.0, 300.0
MOST_KEPT = 10_000
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

    def look(self, id: int) -> None:
        """Handle a changed table."""
        table = self._context.state.table(id)
        if table is None:
            return
        if id in self._standing and (table.round.bets or table.round.hand is not None):
            self._standing.discard(id)
            self._put(table, on=False)
        elif id not in self._standing and table.settings.cheers and self._is_news(table) and has_big_win(table):
            self._at[id] = self._context.writer.monotonic()
            self._standing.add(id)
            self._put(table, on=True)

    def _is_news(self, table: Table) -> bool:
        """Return whether the last hand has just been paid; the next one opens with its payment."""
        is_fresh = self._context.writer.clock() - table.round.opened < NEWS_S
        return is_fresh and self._context.writer.monotonic() - self._at.get(table.id, -inf) >= LEAST_BETWEEN_S

    def _put(self, table: Table, *, on: bool) -> None:
        for address in self._context.addresses_of(table.id):
            self._context.spawn(self._react(address, table, on))
