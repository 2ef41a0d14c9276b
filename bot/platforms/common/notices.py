"""Notices that players asked for: a separate message with one mention, at most one for each player and hand."""

from collections.abc import Awaitable, Callable, Sequence

from bot.core.casinos.notify import due
from bot.core.rounds.cash_table import RETURNED
from bot.core.rounds.tournament_table import SEATED, STARTS
from bot.core.state.table import Table
from bot.platforms.common.context import PlatformContext
from bot.platforms.common.recent import Recent

MOST_KEPT = 10_000
# Number of mentions that fit into a message on every platform.
MOST_MENTIONED = 50
Tell = Callable[[str, Table, Sequence[int], str], Awaitable[None]]


class Notices:
    """Sender of notices. Belongs to the event loop. `tell(address, table, players, kind)` mentions players when there
    is room; of those who wait for a seat, players whom the platform `reaches`.
    """

    def __init__(
        self, context: PlatformContext, tell: Tell, reaches: Callable[[int], bool] = lambda player: True
    ) -> None:
        self._context, self._tell, self._reaches = context, tell, reaches
        # {player, or a table and a kind: the hand in which the notice was sent}: one person is told of one free seat.
        self._told: Recent[int | tuple[int, str], int] = Recent(MOST_KEPT)

    def handle_change(self, id: int) -> None:
        """Handle a changed table."""
        table = self._context.state.table(id)
        if table is None or not table.notify:
            return
        self._tell_at_once(table)
        if (found := due(table, self._reaches)) is None:
            return
        kind, player = found
        addresses, hand = self._context.addresses_of(id), table.round.hand_id
        is_told = hand in (self._told.get(player), self._told.get((id, kind)))
        if addresses and not is_told and self._context.account_of(player) is not None:
            self._told[player] = self._told[id, kind] = hand
            self._context.spawn(self._notice(addresses[0], table, (player,), kind))

    def _tell_at_once(self, table: Table) -> None:
        """Tell players who got a seat at a table of their tournament, whose tournament starts soon, or whose stack has
        returned to their wallet.
        """
        if not (addresses := self._context.addresses_of(table.id)):
            return
        kind = RETURNED
        if (live := table.tournament) is not None:
            kind = STARTS if live.is_registering else SEATED
        here = [one for one in table.notify.get(kind, ()) if self._context.account_of(one) is not None]
        for first in range(0, len(here), MOST_MENTIONED):
            players = here[first : first + MOST_MENTIONED]
            self._context.spawn(self._notice(addresses[0], table, players, kind))

    async def _notice(self, address: str, table: Table, players: Sequence[int], kind: str) -> None:
        """Record the notice on disk, then send it."""
        if not (await self._context.tend("noticed", address, kind, *map(str, players))).refused:
            await self._tell(address, table, players, kind)
