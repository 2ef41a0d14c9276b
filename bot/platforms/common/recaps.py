"""The daily recap of a table, sent once at its hour; the notes of the store record which days were sent."""

import asyncio
from collections.abc import Awaitable, Callable

from bot.core.casinos.recap import DAY_S, day_of, is_late, read_recap, title_of_recap
from bot.core.commands.command import Answer
from bot.core.state.table import Table
from bot.platforms.common.context import PlatformContext
from bot.platforms.common.minutes import EachMinute
from bot.platforms.common.told import SentLog

NAME = "recap "
MOST_LATE_S = 3 * 3600.0
Post = Callable[[str, Table, Answer], Awaitable[None]]


class Recaps(EachMinute):
    """Daily recaps. `post` shows a picture at an address, within the platform's limits."""

    def __init__(
        self, context: PlatformContext, post: Post, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        super().__init__(sleep)
        self._context, self._post = context, post
        # The days.
        self._told: SentLog[int] = SentLog(context, NAME, int)

    def open(self) -> None:
        self._told.open()
        super().open()

    async def tick(self) -> None:
        """Send the recaps that are due. A recap that was just switched on waits for its next hour."""
        now = self._context.writer.clock()
        for row in self._context.places():
            table = self._context.state.table(row.table_id) if row.table_id else None
            day = day_of(table, now) if table is not None and table.status != "closed" else None
            before = self._told.last.get(row.address)
            if day == before or table is None:
                continue
            is_noted = await self._told.note(row.address, day)
            if is_noted and day is not None and before is not None and not is_late(table, now, MOST_LATE_S):
                await self._send_recap(row.address, table, now)

    async def _send_recap(self, address: str, table: Table, now: float) -> None:
        def read_answer() -> Answer:
            with self._context.writer.books.snapshot() as books:
                return Answer((title_of_recap(table),), shared_post=read_recap(books, table, now - DAY_S))

        answer = await asyncio.to_thread(read_answer)
        if answer.shared_post is not None:
            await self._post(address, table, answer)
