"""Whether Telegram can be reached. While it cannot, clocks stand; afterwards they run on with what was left of them.

A call that fails raises doubt, and so does silence while a table is awake: then Telegram is asked, until it answers.
A group that is held up by itself (429, failing again and again) is away by itself; the others play on.
"""

import asyncio
from collections.abc import Hashable
from typing import Any

from telegram import Update, WebhookInfo
from telegram.error import BadRequest, NetworkError, TelegramError

from bot.floor.places import is_lost
from bot.on_telegram.desk import PLATFORM, Desk

# With a table awake and no update for so long, Telegram is asked for a sign of life.
BEAT_S = 8.0
PATIENCE_S = 4.0
ASK_AGAIN_S = 2.0
# The library's poller pauses ever longer after failures, but no longer than this.
LONGEST_PAUSE_S = 30.0
OPEN, DEAF, SHUT = "open", "deaf", "shut"
EVERYWHERE = ""


def is_unreachable(fault: BaseException | None) -> bool:
    """Whether a call did not come through; any refusal is an answer."""
    return isinstance(fault, NetworkError) and not isinstance(fault, BadRequest)


class Pulse:
    """Belongs to the event loop."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.is_away = False
        self._heard = self._updated = desk.clock.now()
        self._is_doubted = False
        self._places: dict[str, str] = {}
        self._news = asyncio.Event()
        self._asking: asyncio.Task[None] | None = None
        self._beating: asyncio.Task[None] | None = None

    def close(self) -> None:
        for task in (self._asking, self._beating):
            if task is not None:
                task.cancel()

    # What is noticed

    def note(self, fault: BaseException | None) -> None:
        """What a call came to: the fault, or None for an answer."""
        if is_unreachable(fault):
            self._is_doubted = True
            if self._asking is None or self._asking.done():
                self._asking = asyncio.ensure_future(self._ask())
        else:
            self._heard = self.desk.clock.now()

    async def on_update(self, _update: Update, _context: object) -> None:
        self._heard = self._updated = self.desk.clock.now()
        self._news.set()

    def look(self, _table: int) -> None:
        """A table changed: while one is awake, silence is no good sign."""
        if self._beating is None or self._beating.done():
            self._beating = asyncio.ensure_future(self._beat())

    def stuck(self, chat: Hashable, is_stuck: bool) -> None:
        """One chat is held up, or goes on."""
        for platform, address in list(self.desk.house.places):
            known = self.desk.chat_at(address) if platform == PLATFORM else None
            if known is not None and known.number == chat:
                self._places[address] = "away" if is_stuck else "back"
                self.desk.spawn(self._tell_place(address))

    # What is done about it

    async def _beat(self) -> None:
        while self._is_awake():
            await self.desk.clock.sleep(BEAT_S)
            if self.desk.clock.now() - self._updated >= BEAT_S and (self._asking is None or self._asking.done()):
                self._asking = asyncio.ensure_future(self._ask())
                await asyncio.wait({self._asking})

    def _is_awake(self) -> bool:
        house = self.desk.house
        rows = [row for (platform, _address), row in list(house.places.items()) if platform == PLATFORM]
        tables = (house.tables.get(row.table_id) for row in rows if row.table_id)
        return any(table and table.phase in ("betting", "playing") and not is_lost(table) for table in tables)

    async def _ask(self) -> None:
        """Until it answers as it should; most doubts end with the first answer."""
        since = max(self._heard, self.desk.clock.now() - 2 * BEAT_S)
        if await self._state() == OPEN:
            self._heard = self.desk.clock.now()
            return
        self.is_away = True
        await self.tell("away", EVERYWHERE, str(since))
        while True:
            await self._until_open()
            self._is_doubted = False
            # What people pressed meanwhile is under way, but may be fetched only after the poller's pause.
            away_s = self.desk.clock.now() - since
            await self._first_update(min(LONGEST_PAUSE_S, away_s / 2))
            if not self._is_doubted:
                break
        self.is_away = False
        await self.tell("back", EVERYWHERE)

    async def _tell_place(self, address: str) -> None:
        """What it is when the pit has time for it."""
        while (await self.desk.report(self._places[address], address)).refused:
            await self.desk.clock.sleep(ASK_AGAIN_S)

    async def tell(self, verb: str, address: str, *args: str) -> None:
        """A pit that is too busy is told again: clocks must not stand for ever."""
        while (await self.desk.report(verb, address, *args)).refused:
            await self.desk.clock.sleep(ASK_AGAIN_S)

    async def _until_open(self) -> None:
        while (state := await self._state()) != OPEN:
            self._news.clear()
            if state == SHUT:
                self.desk.outbox.pause()
            else:
                self.desk.outbox.resume()
            await self.desk.clock.sleep(ASK_AGAIN_S)
        self.desk.outbox.resume()

    async def _first_update(self, most_s: float) -> None:
        coming = asyncio.ensure_future(self._news.wait())
        late = asyncio.ensure_future(self.desk.clock.sleep(most_s))
        try:
            await asyncio.wait({coming, late}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            coming.cancel()
            late.cancel()

    async def _state(self) -> str:
        """Shut: nothing comes through. Deaf: calls do, but the webhook is not reached from outside."""
        kinds = ("pool_timeout", "connect_timeout", "read_timeout", "write_timeout")
        patience: dict[str, Any] = dict.fromkeys(kinds, PATIENCE_S)
        try:
            info = await self.desk.bot.get_webhook_info(**patience)
        except TelegramError as fault:
            return SHUT if is_unreachable(fault) else OPEN
        return DEAF if self._is_deaf(info) else OPEN

    def _is_deaf(self, info: WebhookInfo) -> bool:
        failed = info.last_error_date
        return bool(info.url and info.pending_update_count and failed and failed.timestamp() >= int(self._updated))
