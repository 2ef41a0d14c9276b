""" "No more bets" as a separate message before the beacon's round, never edited (table option `witness`).

It notifies no one. It is sent at most once: a note comes first, and after the round it is not sent at all, because it
would prove nothing.
"""

from collections.abc import Callable, Coroutine
from typing import Any, NamedTuple

from bot.core.casinos.places import PRIVATE
from bot.core.rounds.witness import head_of_close, say_closed
from bot.core.state.table import Table
from bot.platforms.common.context import PlatformContext
from bot.platforms.common.told import SentLog
from bot.texts import Text
from engine.fairness.beacon import time_of

NAME = "closed "


class Closed(NamedTuple):
    """Closed bets as `text` and a line for copying; `counts` is asked before each try if the round is still to come."""

    text: Text
    line: str
    counts: Callable[[], bool]


Publish = Callable[[str, Table, Closed], Coroutine[Any, Any, None]]


class Witness:
    """Sender of closed bets. Belongs to the event loop. `publish` shows them at an address, before what can wait, while
    they count.
    """

    def __init__(self, context: PlatformContext, publish: Publish) -> None:
        self._context, self._publish = context, publish
        # The hands.
        self._told: SentLog[int] = SentLog(context, NAME, int)

    def open(self) -> None:
        """Read what was sent before the last start, so that it is not sent again."""
        self._told.open()

    def handle_change(self, id: int) -> None:
        """Handle a changed table."""
        table = self._context.state.table(id)
        if table is None or table.round.waits is None or table.awaits_cuts or not table.settings.witness:
            return
        due, covering = time_of(table.round.waits.round), head_of_close(self._context.state, table)
        if covering is None or self._context.writer.clock() >= due:
            return
        closed = Closed(*say_closed(table, covering), lambda: self._context.writer.clock() < due)
        for address in self._context.addresses_of(id):
            if address != PRIVATE and self._told.last.get(address) != table.round.hand_id:
                self._told.last[address] = table.round.hand_id
                self._context.spawn(self._publish_once(address, table, closed))

    async def _publish_once(self, address: str, table: Table, closed: Closed) -> None:
        if await self._told.note(address, table.round.hand_id):
            await self._publish(address, table, closed)
