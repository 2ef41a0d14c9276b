"""Notices that players asked for: a separate message with one mention, at most one for each player and hand."""

from collections.abc import Awaitable, Callable

from bot.core.casinos.notify import due
from bot.core.state.table import Table
from bot.platforms.common.context import PlatformContext
from bot.platforms.common.recent import Recent

MOST_KEPT = 10_000
Tell = Callable[[str, Table, int, str], Awaitable[None]]


class Notices:
    """Sender of notices. Belongs to the event loop. `tell(address, table, player, kind)` mentions a player when there
    is room; players whom the platform `reaches` are told.
    """

    def __init__(
        self, context: PlatformContext, tell: Tell, reaches: Callable[[int], bool] = lambda player: True
    ) -> None:
        self._context, self._tell, self._reaches = context, tell, reaches
        # {player, or a table and a kind: the hand in which the notice was sent}: one person is told of one free seat.
        self._told: Recent[int | tuple[int, str], int] = Recent(MOST_KEPT)

    def look(self, id: int) -> None:
        """Handle a changed table."""
        table = self._context.state.table(id)
        if table is None or not table.notify or (found := due(table, self._reaches)) is None:
            return
        kind, player = found
        addresses, hand = self._context.addresses_of(id), table.round.hand_id
        is_told = hand in (self._told.get(player), self._told.get((id, kind)))
        if addresses and not is_told and self._context.account_of(player) is not None:
            self._told[player] = self._told[id, kind] = hand
            self._context.spawn(self._notice(addresses[0], table, player, kind))

    async def _notice(self, address: str, table: Table, player: int, kind: str) -> None:
        """Record the notice on disk, then send it."""
        if not (await self._context.tend("noticed", address, kind, str(player))).refused:
            await self._tell(address, table, player, kind)
