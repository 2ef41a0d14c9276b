"""Once a day each community gets the newest head of its casino's log, in full, as a message that stays.

The house cannot take back what lies in everybody's chat: a head copied from there finds a log that was changed.
What is noted is told at most once: a house that ends in between has told nothing that day.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, NamedTuple

from bot.doors.kit.desk import Desk, Keeper
from bot.doors.kit.minutes import EachMinute
from bot.house.casinos.places import PRIVATE, is_own
from bot.house.log_proofs import newest_head
from bot.house.recap import DAY_S
from bot.house.speech.command import Place
from bot.house.state.house import Holding
from bot.house.state.table import Table
from bot.texts import Text
from storage.questions import logs

NAME = "head "
DAILY_HEAD = Text(
    "Once a day: the newest head of this casino's log, signed by the house. Whoever keeps it finds out if the log is"
    " ever changed: /log sends the log, and “ridotto log check FILE --seen FILE” holds the head against it."
)
# Shows a sentence and a line of JSON at an address, within what the platform takes, and wakes nobody.
Publish = Callable[[str, Table, Text, str], Awaitable[None]]


class Told(NamedTuple):
    """What a place was told last, or when it was first seen, with log and size 0."""

    at: float
    log: int = 0
    size: int = 0


class DailyHeads(EachMinute):
    """`publish` shows them; the first comes a day after a place has its first table."""

    def __init__(self, desk: Desk, publish: Publish, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        super().__init__(sleep)
        self._desk, self._publish = desk, publish
        self._told: dict[str, Told] = {}

    def open(self) -> None:
        """What was told before the last start, or by another house, is not told again."""
        self._desk.keepers.append(Keeper(self.let_go, self.take_up))
        self.take_up(self._desk.whole())
        super().open()

    def take_up(self, came: Holding) -> None:
        noted = self._desk.noted_of(came.addresses, NAME)
        self._told |= {address: Told(*value) for address, value in noted if value is not None}

    def let_go(self, went: Holding) -> None:
        for address in went.addresses:
            self._told.pop(address, None)

    async def tick(self) -> None:
        """A place that was told a day ago is told again; nothing is made up for a day on which the house was closed."""
        now = self._desk.pit.clock()
        for address, table in list(self._places()):
            told = self._told.get(address)
            if told is None:
                await self._note(address, Told(now))
            elif now >= told.at + DAY_S:
                await self._tell(address, table, told, now)

    def _places(self) -> Iterator[tuple[str, Table]]:
        """One for each community: where its first table stands."""
        found: dict[tuple[int, int], tuple[str, Table]] = {}
        for row in self._desk.places():
            table = self._desk.house.table(row.table_id) if row.table_id else None
            is_private = row.address == PRIVATE or is_own(Place(row.platform, row.address))
            if table is None or table.status == "closed" or is_private:
                continue
            before = found.get((row.casino, row.home))
            if before is None or table.id < before[1].id:
                found[row.casino, row.home] = row.address, table
        yield from found.values()

    async def _tell(self, address: str, table: Table, told: Told, now: float) -> None:
        """A log that has not grown since has nothing new to tell."""
        published = await asyncio.to_thread(self._read, table.casino)
        head = published["head"] if published is not None else {"log": told.log, "size": told.size}
        is_noted = await self._note(address, Told(now, head["log"], head["size"]))
        if is_noted and (head["log"], head["size"]) > (told.log, told.size):
            await self._publish(address, table, DAILY_HEAD, json.dumps(published, separators=(",", ":")))

    def _read(self, casino: int) -> dict[str, Any] | None:
        with self._desk.pit.books.snapshot() as books:
            log = logs.log(books, casino)
            return newest_head(books, log) if log is not None else None

    async def _note(self, address: str, told: Told) -> bool:
        """On disk before it is told."""
        self._told[address] = told
        return await self._desk.keep_at(address, f"{NAME}{address}", told)
