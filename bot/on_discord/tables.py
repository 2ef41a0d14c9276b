"""The writer of each table message: one message, the newest state only, within the budget of a hand.

A hand of a bank game with one decision round costs at most eight messages or edits; games with many turns show the
newest state at most every three seconds. An hour old, or pushed up by talk, the message is posted anew; if somebody
deletes it, at once.
"""

import asyncio
import logging
import secrets
from collections.abc import Callable
from contextlib import suppress
from io import BytesIO
from typing import Any

import discord

from bot.counters import PLATFORMS
from bot.floor.command import Place
from bot.floor.house import House
from bot.floor.places import errand_of, is_lost, keeper_of, message_at
from bot.floor.table import Table
from bot.on_discord.components import View
from bot.on_discord.drawing import PICTURE, Paint, parts_of, table_view
from bot.on_discord.line import CHANNEL, PLATFORM, Line
from bot.on_discord.newest import TROUBLE, Newest, is_unreached
from bot.on_discord.nudges import Nudges
from bot.pit import Pit
from bot.screens import Button
from bot.screens.build import screen
from bot.screens.describe import describe
from engine.cards import HIDDEN
from engine.hand import lay_out

EDITS_LAST_S = 3600.0
# So many messages below it have pushed it far up; looked at this often at most.
FAR_UP, LOOK_EVERY_S = 15, 120.0
TURN_GAP_S = 3.0
SLOW_GAP_S = 30.0
AGAIN_S, MOST_AGAIN_S = 15.0, 600.0
# Deleted again so soon, the message has an enemy: a bot that tidies up, most often.
QUARREL_S = 60.0
# So many tables a second are shown again when Discord is back: it takes fifty calls from a bot.
BACK_A_SECOND = 25.0
WITH_TURNS = ("blackjack", "stud")
# Discord's codes. Of those in LOST time alone heals nothing.
UNKNOWN_CHANNEL, UNKNOWN_MESSAGE, EDITED_TOO_OFTEN = 10003, 10008, 30046
MISSING_ACCESS, MISSING_PERMISSIONS, ARCHIVED_THREAD = 50001, 50013, 50083
LOST = (UNKNOWN_CHANNEL, MISSING_ACCESS, MISSING_PERMISSIONS, ARCHIVED_THREAD)

_tally = PLATFORMS[PLATFORM]
_log = logging.getLogger("ridotto.discord")


class Tables:
    """All table messages. `mark` may be called from any thread; `paint` makes the picture, None is text alone.

    `pace` scales the gaps between edits; tests set it to 0.
    """

    def __init__(self, client: discord.Client, pit: Pit, *, paint: Paint | None = None, pace: float = 1.0) -> None:
        self.client, self.pit, self.paint, self.pace = client, pit, paint, pace
        self.line = Line(client, pit, self._look_again)
        self.nudges = Nudges(client, pit, self.line)
        self._messages: dict[int, TableMessage] = {}
        self._loop: asyncio.AbstractEventLoop | None = None
        self._watchers: list[Callable[[int], None]] = []
        self._back_watchers: list[Callable[[], None]] = []

    @property
    def house(self) -> House:
        return self.pit.floor.house

    def watch(self, watcher: Callable[[int], None], on_back: Callable[[], None]) -> None:
        """`watcher` is told of each table that changed, `on_back` when Discord is back; on the event loop."""
        self._watchers.append(watcher)
        self._back_watchers.append(on_back)

    def open(self) -> None:
        """From now on changes are shown; hands that were being played are shown at once."""
        self._loop = asyncio.get_running_loop()
        awake = {table.id for table in list(self.house.tables.values()) if table.phase in ("betting", "playing")}
        self._look(awake)

    def close(self) -> None:
        self._loop = None
        self.nudges.close()
        for message in self._messages.values():
            message.newest.close()

    def mark(self, tables: set[int]) -> None:
        """These tables changed. Called in the pit's thread."""
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop is closed: nobody looks any more
                loop.call_soon_threadsafe(self._look, tables)

    def _look(self, tables: set[int]) -> None:
        for row in list(self.house.places.values()):
            if row.table_id in tables and row.platform == PLATFORM:
                message = self.message(int(row.address))
                if message is not None:
                    message.newest.mark()
        for id in sorted(tables):
            self.nudges.look(id)
            for watcher in self._watchers:
                watcher(id)

    def _look_again(self) -> None:
        """Discord can be reached again: each table in its turn shows what is now, once."""
        due = [message for message in self._messages.values() if message.is_due]
        for number, message in enumerate(due):
            message.take_turn(self.pit.clock() + number / BACK_A_SECOND)
        self.nudges.look_again()
        for watcher in self._back_watchers:
            watcher()

    def deleted(self, channel: int, message: int) -> None:
        """Somebody deleted a message."""
        known = self.message(channel)
        if known is not None:
            known.deleted(message)

    def arrived(self, channel: int, nonce: str, message: int) -> None:
        """Discord tells of a message of our own; the answer to its posting may have been lost."""
        known = self._messages.get(channel)
        if known is not None and known.nonce == nonce:
            known.arrived = message

    def message(self, channel: int) -> "TableMessage | None":
        """The table message of a channel; a table may stand in several."""
        row = self.house.place(PLATFORM, str(channel))
        known = self._messages.get(channel)
        if row is None or row.table_id is None:
            self._messages.pop(channel, None)
            return None
        if known is None or known.table != row.table_id:
            message = message_at(self.house.casino(keeper_of(row)), Place(PLATFORM, row.address))
            known = TableMessage(self, row.table_id, channel, int(message) if message else None)
            self._messages[channel] = known
        return known

    def tend(self, place: Place, verb: str, *args: str) -> "asyncio.Future[Any]":
        """An errand for the floor; its table is marked when it is done."""
        key = f"{PLATFORM}:{secrets.token_hex(16)}"
        return asyncio.wrap_future(self.pit.submit(errand_of(key, place, verb, *args)))


class TableMessage:
    """One table's message in one channel."""

    def __init__(self, tables: Tables, table: int, channel: int, message: int | None) -> None:
        self.tables, self.table, self.channel, self.message = tables, table, channel, message
        self.newest = Newest(self._send, self._wait)
        self.is_behind = False
        # Of a posting whose answer did not come, and the message that it made after all.
        self.nonce, self.arrived = "", 0
        self._shown: Any = None
        self._sent_at = 0.0
        # Who deletes our messages, and until when he is left alone.
        self._deleted, self._peace_at, self._quarrel_s = 0, 0.0, 0.0
        self._chapter: tuple[Any, ...] = ()
        self._in_chapter = 0
        self._not_before, self._again_s = 0.0, AGAIN_S
        self._looked_at = 0.0

    @property
    def _now(self) -> float:
        return self.tables.pit.clock()

    @property
    def _place(self) -> Place:
        return Place(PLATFORM, str(self.channel))

    # When

    def _wait(self) -> float:
        table = self.tables.house.table(self.table)
        if table is None:
            return 0.0
        # What nobody sees does not wait for its turn among edits.
        gap = self._gap(table) * self.tables.pace if self.message else 0.0
        return max(self._sent_at + gap, self._not_before, self._peace_at) - self._now

    def _gap(self, table: Table) -> float:
        """The second follows the first after a second; later ones wait, so that a hand keeps within its budget."""
        if table.game in WITH_TURNS:
            return TURN_GAP_S
        is_same = _chapter(table) == self._chapter
        sent = self._in_chapter if is_same else 0
        left = max(0.0, (table.deadline or 0.0) - self._sent_at)
        if table.play is not None:
            return (1.0, max(TURN_GAP_S, left / 2))[sent] if sent < 2 else SLOW_GAP_S
        return (1.0, 1.0, 1.0, max(TURN_GAP_S, left / 2))[sent] if sent < 4 else SLOW_GAP_S

    def _count(self, table: Table) -> None:
        chapter = _chapter(table)
        self._in_chapter = self._in_chapter + 1 if chapter == self._chapter else 1
        self._chapter = chapter
        self._sent_at = self._now

    # What

    async def _send(self) -> None:
        table = self.tables.house.table(self.table)
        if table is None or self.tables.message(self.channel) is not self:
            return
        if self.tables.line.is_silent:
            self.is_behind = True
            return
        shown = screen(self.tables.house, table, None, self._now)
        language = table.settings.language
        picture = await self.tables.paint(shown, language) if self.tables.paint is not None else None
        words = describe(shown, language) if picture else ""
        view = table_view(shown, language, moves=moves_for_all(self.tables.house, table, self._now), picture=words)
        what = parts_of(view)
        if (what, self.message) == self._shown:
            _tally.skipped += 1
            return
        self._count(table)
        began = self._now
        slow = asyncio.get_running_loop().call_later(self.tables.line.slow_s, self._lose, began)
        try:
            message = await self._put(view, picture)
            _tally.sent += 1
            self._shown = (what, message)
            self._not_before, self._again_s, self.is_behind = 0.0, AGAIN_S, False
            self.tables.line.find(self._cause)
            if message == self._deleted and self.message == message:
                self._repost()
            if is_lost(table):
                await self.tables.tend(self._place, "regain")
        except TROUBLE as fault:
            _tally.failed += 1
            await self._fail(fault, began)
        finally:
            slow.cancel()

    async def _put(self, view: View, picture: bytes | None) -> int:
        """The message that shows it now."""
        message = self.message or self.arrived
        if not message or await self._is_old(message):
            return await self._post(view, picture, message)
        try:
            await self._edit(message, view, picture)
        except discord.HTTPException as fault:
            if fault.code not in (UNKNOWN_MESSAGE, EDITED_TOO_OFTEN):
                raise
            return await self._post(view, picture, message if fault.code == EDITED_TOO_OFTEN else 0)
        if message == self.arrived:
            await self._keep(message)
        return message

    async def _is_old(self, message: int) -> bool:
        """An hour old, or pushed far up: as a hand begins the messages below it are counted, and not read."""
        if self._now - discord.utils.snowflake_time(message).timestamp() > EDITS_LAST_S:
            return True
        table = self.tables.house.table(self.table)
        begins = table is not None and table.play is None and bool(table.bets)
        if not begins or self._now - self._looked_at < LOOK_EVERY_S:
            return False
        self._looked_at = self._now
        below = self._messageable().history(limit=FAR_UP, after=discord.Object(message))
        return len([message async for message in below]) == FAR_UP

    async def _edit(self, message: int, view: View, picture: bytes | None) -> None:
        partial = self._messageable().get_partial_message(message)
        if self.tables.paint is None:
            await partial.edit(view=view)
        else:
            await partial.edit(view=view, attachments=[_file(picture)] if picture is not None else [])

    async def _post(self, view: View, picture: bytes | None, old: int) -> int:
        """A nonce makes a second try harmless; what it made the first time is edited then to what is now."""
        is_second_try = bool(self.nonce)
        self.nonce = self.nonce or secrets.token_hex(12)
        if picture is not None:
            sent = await self._messageable().send(view=view, file=_file(picture), nonce=self.nonce)
        else:
            sent = await self._messageable().send(view=view, nonce=self.nonce)
        self.tables.line.hear(sent.id)
        await self._keep(sent.id)
        if is_second_try:
            await self._edit(sent.id, view, picture)
        if old:
            await self._disable(old)
        return sent.id

    async def _keep(self, message: int) -> None:
        self.message, self.nonce, self.arrived = message, "", 0
        await self.tables.tend(self._place, "posted", str(message))

    async def _disable(self, message: int) -> None:
        """The old message keeps its words and loses its buttons."""
        table = self.tables.house.table(self.table)
        assert table is not None
        shown = screen(self.tables.house, table, None, self._now)
        with suppress(*TROUBLE):
            view = table_view(shown, table.settings.language, is_old=True)
            await self._messageable().get_partial_message(message).edit(view=view)

    def _messageable(self) -> discord.PartialMessageable:
        return self.tables.client.get_partial_messageable(self.channel)

    # When it goes wrong

    @property
    def _cause(self) -> tuple[str, int]:
        return (CHANNEL, self.channel)

    def deleted(self, message: int) -> None:
        """Somebody deleted a message here. It may be ours before we have heard that it is posted."""
        self._deleted = message
        if self.message == message:
            self._repost()

    def _repost(self) -> None:
        """At once (G10), but not in a quarrel with who deletes it each time."""
        self.message, self._shown = None, None
        table = self.tables.house.table(self.table)
        if table is None or table.status == "closed":
            return
        is_quarrel = self._now - self._peace_at < QUARREL_S
        self._quarrel_s = min(MOST_AGAIN_S, 2 * self._quarrel_s) if is_quarrel else AGAIN_S / 2
        self._peace_at = self._now + (self._quarrel_s if is_quarrel else 0.0)
        self.newest.mark()

    @property
    def is_due(self) -> bool:
        """Whether there is something to show when Discord is back: its clock, or what did not get through."""
        table = self.tables.house.table(self.table)
        return self.is_behind or (table is not None and table.deadline is not None)

    def take_turn(self, at: float) -> None:
        self._not_before, self._again_s = at, AGAIN_S
        self.newest.mark()

    def _lose(self, since: float) -> None:
        """It does not get through, or not yet."""
        self.tables.line.lose(self._cause, (str(self.channel),), since)
        self.tables.line.doubt(since)

    async def _fail(self, fault: BaseException, began: float) -> None:
        """A lost channel or permission ends the waiting by G10; anything else is tried again."""
        code = getattr(fault, "code", 0)
        if code in LOST:
            _log.warning("channel %s cannot be written to: %s", self.channel, fault)
            gone = ("gone",) if code == UNKNOWN_CHANNEL else ()
            await self.tables.tend(self._place, "lose", *gone)
            self.tables.line.find(self._cause)
            return
        _log.warning("table %s was not shown: %s", self.table, fault)
        self.is_behind = True
        if is_unreached(fault):
            self._lose(began)
        self._not_before = self._now + self._again_s
        self._again_s = min(MOST_AGAIN_S, 2 * self._again_s)
        self.newest.mark()


def _chapter(table: Table) -> tuple[Any, ...]:
    """What is shown at once: a new hand, its deal, and whatever is turned on the felt after that."""
    if table.play is None:
        return (table.hand_id, "bets")
    owners = table.owners()
    piles = lay_out(table.play.view(None))
    turned = sum(card != HIDDEN for key, pile in piles.items() if key not in owners for card in pile)
    return (table.hand_id, "cards", turned, len(table.turning), len(table.turners))


def moves_for_all(house: House, table: Table, now: float) -> list[Button]:
    """The choices of the one player who is asked, where cards lie open or a choice tells nothing of hidden ones.

    Where several are asked at once each chooses in his own private answer.
    """
    if table.play is None or table.game not in WITH_TURNS:
        return []
    owners = table.owners()
    asked = {owners[seat] for seat in table.play.asks if seat not in table.away}
    return list(screen(house, table, asked.pop(), now).moves) if len(asked) == 1 else []


def _file(picture: bytes) -> discord.File:
    return discord.File(BytesIO(picture), PICTURE)
