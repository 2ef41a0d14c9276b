"""Hands in ephemeral messages: whole, with buttons, and visible only to their player."""

import asyncio
import logging
from collections.abc import Hashable
from typing import NamedTuple
from weakref import WeakValueDictionary

from telegram import InputMediaPhoto

from bot.core.state.table import Table
from bot.platforms.common.kept_answers import KeptAnswers
from bot.platforms.common.stages import stage_of, waited_for
from bot.platforms.telegram.context import Chat, TelegramContext
from bot.platforms.telegram.ephemeral import Ephemeral, Whisper
from bot.platforms.telegram.hands import HandDrawing, ShownHand
from bot.platforms.telegram.messages import MessageContent

# Changes of a street come together; if a direct message shows the new picture first, Telegram has it already.
TOGETHER_S = 1.0
# How long the ephemeral hand of an earlier street may wait for a spare call before it is deleted.
STALE_S = 5.0
ROOM_FOR_EPHEMERAL = 3
# How long a restarted process still finds its ephemeral hands, and their file beside the store.
EPHEMERAL_S, FILE = 86_400.0, "telegram-answers"
_log = logging.getLogger("ridotto.telegram")


class Whispered(NamedTuple):
    """An ephemeral hand as stored for the next start."""

    table: int
    player: int
    until: float
    chat: int
    user: int
    message: int
    thread: int | None
    hand: int
    has_photo: bool


class WhisperedHands:
    """Hands in ephemeral messages. Belongs to the event loop."""

    def __init__(self, context: TelegramContext, ephemeral: Ephemeral, drawing: HandDrawing) -> None:
        self.context, self._ephemeral, self._drawing = context, ephemeral, drawing
        # {(table, player): the message that shows the hand}.
        self._shown: dict[tuple[int, int], tuple[Whisper, ShownHand]] = {}
        # {(table, player): lock of that ephemeral hand}.
        self._writers: WeakValueDictionary[tuple[int, int], asyncio.Lock] = WeakValueDictionary()
        self._kept = KeptAnswers(context.writer.books.folder / FILE, Whispered, _log)

    async def show_hand(self, chat: Chat, thread: int | None, table: Table, user: int, query: str) -> None:
        """Show the whole hand with its buttons after a press on My cards, where there is room for it."""
        player = self.context.player_of(user)
        if player is None or not self.context.outbox.has_room(chat.number, ROOM_FOR_EPHEMERAL):
            return
        async with self._writing(table.id, player):
            await self._show_now(chat, thread, table.id, player, query)
        # Changes during the call.
        self.handle_change(table.id)

    def _writing(self, table: int, player: int) -> asyncio.Lock:
        """Return the lock for drawing and sending a player's ephemeral hand, because concurrent calls arrive in any
        order.
        """
        return self._writers.setdefault((table, player), asyncio.Lock())

    async def _show_now(self, chat: Chat, thread: int | None, id: int, player: int, query: str) -> None:
        table, user = self.context.state.table(id), self.context.user_of(player)
        if table is None or table.round.hand is None or user is None:
            return
        told, stage = await self._drawing.draw(table, player), _stage_for(table, player)
        known = self._shown.get((id, player))
        if known is not None and known[1].hand == table.round.hand_id and await self._edit_hand(*known, told):
            known[1].told, known[1].stage = told, stage
            return
        sent = await self._ephemeral.send(chat, thread, user, told, query)
        if sent is not None:
            whisper, has_photo = sent
            self._keep_hand(id, player, whisper, ShownHand(table.round.hand_id, whisper.id, told, has_photo, stage))
            if known is not None:
                self.context.spawn(self._ephemeral.clear(known[0]))

    async def _refresh(self, table: Table, player: int, whisper: Whisper, hand: ShownHand) -> None:
        """Show the hand's present street by an edit or a new message; delete it if neither works, because it would be
        wrong.
        """
        quiet_by = self.context.clock.now() + STALE_S
        await self.context.clock.sleep(TOGETHER_S)
        while not self.context.outbox.is_quiet(whisper.chat.number) and self.context.clock.now() < quiet_by:
            await self.context.clock.sleep(TOGETHER_S)
        async with self._writing(table.id, player):
            await self._refresh_now(table.id, player, whisper, hand)
        self.handle_change(table.id)

    async def _refresh_now(self, id: int, player: int, whisper: Whisper, hand: ShownHand) -> None:
        key, table = (id, player), self.context.state.table(id)
        if table is None or table.round.hand is None or self._shown.get(key) != (whisper, hand):
            return  # it was deleted meanwhile
        told, user, hand.stage = await self._drawing.draw(table, player), whisper.user, _stage_for(table, player)
        if self.context.outbox.is_quiet(whisper.chat.number):
            # Text stays text, because an edit takes no upload.
            fitting = told if hand.has_photo else told._replace(picture=None)
            if await self._edit_hand(whisper, hand, fitting):
                hand.told = fitting
                return
            if await self._ephemeral.administers(whisper.chat):
                sent = await self._ephemeral.send(whisper.chat, whisper.thread, user, told)
                if sent is not None and self._shown.get(key, (None,))[0] == whisper:
                    self._keep_hand(
                        *key, sent[0], ShownHand(table.round.hand_id, sent[0].id, told, sent[1], hand.stage)
                    )
        if self._shown.get(key, (None,))[0] == whisper:
            self._drop(key)
        await self._ephemeral.clear(whisper)

    def _keep_hand(
        self, table: int, player: int, whisper: Whisper, hand: ShownHand, *, for_s: float = EPHEMERAL_S
    ) -> None:
        self._shown[table, player] = whisper, hand
        now = self.context.writer.clock()
        place = (whisper.chat.id, whisper.user, whisper.id, whisper.thread)
        self._kept.store(Whispered(table, player, now + for_s, *place, hand.hand, hand.has_photo), now)

    def _drop(self, key: tuple[int, int]) -> Whisper:
        """Stop following a hand, also after the next start."""
        whisper, hand = self._shown[key]
        self._keep_hand(*key, whisper, hand, for_s=0.0)
        del self._shown[key]
        return whisper

    async def _edit_hand(self, whisper: Whisper, hand: ShownHand, told: MessageContent) -> bool:
        """Edit the hand's message, which takes no uploads, only files that Telegram has; return whether it
        succeeded.
        """
        if told == hand.told:
            return True
        file = self._drawing.painter.id_of(told.picture) if told.picture is not None else None
        if hand.has_photo and told.picture == hand.told.picture:
            return await self._ephemeral.edit(whisper, "Caption", told, caption=told.words, parse_mode="HTML")
        if hand.has_photo and file is not None:
            media = InputMediaPhoto(file, caption=told.words, parse_mode="HTML")
            return await self._ephemeral.edit(whisper, "Media", told, media=media)
        if not hand.has_photo and told.picture is None:
            return await self._ephemeral.edit(whisper, "Text", told, text=told.words, parse_mode="HTML")
        return False

    def handle_change(self, id: int) -> None:
        """Handle a changed table: hands are shown again on each street, and finished ones are deleted."""
        table = self.context.state.table(id)
        if table is None:
            return
        for key, (whisper, hand) in list(self._shown.items()):
            if key[0] == id and (table.round.hand is None or table.round.hand_id != hand.hand):
                self.context.spawn(self._ephemeral.clear(self._drop(key)))
            elif key[0] == id and hand.stage != (stage := _stage_for(table, key[1])):
                hand.stage = stage
                self.context.spawn(self._refresh(table, key[1], whisper, hand))

    def open(self) -> None:
        """Resume or delete the hands that an earlier process showed."""
        for one in self._kept.open(self.context.writer.clock()):
            chat = self.context.notes.chats.get(one.chat)
            if chat is None:
                continue
            whisper = Whisper(chat, one.user, one.message, one.thread)
            if self.context.state.table(one.table) is None:
                self.context.spawn(self._ephemeral.clear(whisper))
                continue
            self._shown[one.table, one.player] = (
                whisper,
                ShownHand(one.hand, one.message, MessageContent(""), one.has_photo),
            )
            self.handle_change(one.table)

    def close(self) -> None:
        """Stop; the messages stay and the next start finds them."""
        self._kept.close()


def _stage_for(table: Table, player: int) -> Hashable:
    """Return a key of the hand's stage and whether the player must choose."""
    return stage_of(table), player in waited_for(table)
