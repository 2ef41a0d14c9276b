"""A daily message to each community with the latest signed tree head of its casino's log, in full.

A casino cannot take back what is in everyone's chat: a head copied from there exposes a log that was changed.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, NamedTuple

from bot.core.casinos.places import PRIVATE, is_own
from bot.core.casinos.recap import DAY_S
from bot.core.rounds.log_proofs import newest_head
from bot.core.state.place import Place
from bot.core.state.table import Table
from bot.platforms.common.context import PlatformContext
from bot.platforms.common.minutes import EachMinute
from bot.platforms.common.told import SentLog
from bot.texts import Text
from storage.questions import logs

NAME = "head "
DAILY_HEAD = Text(
    "Posted once a day: the newest signed tree head of this casino's log. Keep it to find out whether the log "
    "is ever changed: /log sends the log, and “ridotto log check FILE --seen FILE” compares it with the head."
)
# Posts a sentence and a line of JSON at an address, within the platform's limits and without a notification.
Publish = Callable[[str, Table, Text, str], Awaitable[None]]


class Head(NamedTuple):
    """The last head sent to a place; log and size 0 for the time when it was first seen."""

    at: float
    log: int = 0
    size: int = 0


class DailyHeads(EachMinute):
    """Sender of heads by `publish`; the first one comes a day after a place gets its first table."""

    def __init__(
        self, context: PlatformContext, publish: Publish, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep
    ) -> None:
        super().__init__(sleep)
        self._context, self._publish = context, publish
        self._told: SentLog[Head] = SentLog(context, NAME, lambda noted: Head(*noted))

    def open(self) -> None:
        self._told.open()
        super().open()

    async def tick(self) -> None:
        """Send the head to each place whose last one is a day old; missed days are not made up for."""
        now = self._context.writer.clock()
        for address, table in list(self._places()):
            told = self._told.last.get(address)
            if told is None:
                await self._told.note(address, Head(now))
            elif now >= told.at + DAY_S:
                await self._send_head(address, table, told, now)

    def _places(self) -> Iterator[tuple[str, Table]]:
        """Yield one place for each community: that of its first table."""
        found: dict[tuple[int, int], tuple[str, Table]] = {}
        for row in self._context.places():
            table = self._context.state.table(row.table_id) if row.table_id else None
            is_private = row.address == PRIVATE or is_own(Place(row.platform, row.address))
            if table is None or table.status == "closed" or is_private:
                continue
            before = found.get((row.casino, row.home))
            if before is None or table.id < before[1].id:
                found[row.casino, row.home] = row.address, table
        yield from found.values()

    async def _send_head(self, address: str, table: Table, told: Head, now: float) -> None:
        """Send the head if the log has grown since the last one."""
        published = await asyncio.to_thread(self._read_newest_head, table.casino)
        head = published["head"] if published is not None else {"log": told.log, "size": told.size}
        is_noted = await self._told.note(address, Head(now, head["log"], head["size"]))
        if is_noted and (head["log"], head["size"]) > (told.log, told.size):
            await self._publish(address, table, DAILY_HEAD, json.dumps(published, separators=(",", ":")))

    def _read_newest_head(self, casino: int) -> dict[str, Any] | None:
        with self._context.writer.books.snapshot() as books:
            log = logs.log(books, casino)
            return newest_head(books, log) if log is not None else None
