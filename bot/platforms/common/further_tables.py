"""Places of the further tables of a tournament: a thread or a topic each, closed with its table (TN28, TN29)."""

import asyncio
from collections.abc import Awaitable, Callable

from bot.core.state.table import Table
from bot.platforms.common.context import PlatformContext
from bot.texts import Text, say

# How long the closed table stays to be read before its place is closed.
CLOSES_AFTER_S = 30.0
OpenPlace = Callable[[str, str, int], Awaitable[tuple[str, str] | Text]]
ClosePlace = Callable[[str], Awaitable[None]]


class FurtherTables:
    """Opener of places. Belongs to the event loop.

    `open_place(address of the first table, name, id of the table)` returns the address of a new place and of its
    community, or why there is none; one that was made with that name and has no table is taken again.
    `close_place(address)` closes it.
    """

    def __init__(self, context: PlatformContext, open_place: OpenPlace, close_place: ClosePlace) -> None:
        self._context, self._open_place, self._close_place = context, open_place, close_place
        self._opening: set[int] = set()
        self._closing: set[int] = set()

    def open(self) -> None:
        """Handle all tables, after a start."""
        for id, table in list(self._context.state.tables.items()):
            if table.part_of is not None and table.status != "closed":
                self.handle_change(id)

    def handle_change(self, id: int) -> None:
        """Handle a changed table."""
        table = self._context.state.tables.get(id)
        if table is None or table.part_of is None or table.tournament is None:
            return
        mine, first = self._context.addresses_of(id), self._context.addresses_of(table.part_of)
        if table.status == "closed":
            if mine and id not in self._closing:
                self._closing.add(id)
                self._context.spawn(self._close(mine[0]))
        elif first and not mine and table.status == "open" and id not in self._opening:
            self._opening.add(id)
            self._context.spawn(self._open(table, first[0]))

    async def _close(self, address: str) -> None:
        await asyncio.sleep(CLOSES_AFTER_S)
        await self._close_place(address)

    async def _open(self, table: Table, first: str) -> None:
        """Open a place and show the table there; without one the tournament is paused until an inspector resumes it."""
        assert table.part_of is not None
        number = self._context.state.tables[table.part_of].number
        title = Text("Tournament {number}, table {table}", number=number, table=table.number)
        try:
            found = await self._open_place(first, say(title, table.settings.language), table.id)
            if isinstance(found, Text):
                await self._context.tend("hold tournament", first, say(found, table.settings.language))
                return
            address, community = found
            await self._context.tend("enter", address, community)
            await self._context.tend("show further", address, str(table.id))
        finally:
            self._opening.discard(table.id)
