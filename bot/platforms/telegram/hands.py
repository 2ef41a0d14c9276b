"""A player's own hand: drawn, and kept up to date in a direct message for those who want them."""

import logging
from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial

from telegram import InlineKeyboardMarkup
from telegram.error import (
    BadRequest,
    Forbidden,
    NetworkError,
)

from bot.core.state.table import Table
from bot.platforms.telegram.context import Chat, TelegramContext
from bot.platforms.telegram.drawing import (
    Rows,
    escape,
    fit_alert,
    hand_text,
    own_moves,
)
from bot.platforms.telegram.http import may_have_arrived
from bot.platforms.telegram.messages import LATE_PICTURE_S, MessageContent, Painter
from bot.platforms.telegram.saying import say
from bot.platforms.telegram.sending import MINOR, NEW, JobResult
from bot.texts import Text

NOT_KNOWN = 0
# Words wait at most this long for their picture, which follows when it is drawn.
SOON_S = 0.25
# The end of a hand waits at most this long for the coach; later /review shows it.
DEAREST_S = 1.0
_FINISH_HERE = Text("Your table can no longer be shown in its group. Finish your hand here.")
_log = logging.getLogger("ridotto.telegram")


@dataclass
class ShownHand:
    """A private message with a hand: in a direct chat, or ephemeral in a group."""

    hand: int
    message: int
    told: MessageContent
    has_photo: bool
    # The state that it was made for, if it is not compared with every change.
    stage: Hashable = None


class HandDrawing:
    """The words, buttons and picture of a hand for its player."""

    def __init__(self, context: TelegramContext, painter: Painter) -> None:
        self.context, self.painter = context, painter

    async def draw(
        self, table: Table, player: int, *, is_over: bool = False, chat: Chat | None = None
    ) -> MessageContent:
        """Draw the hand as its player may see it, in their `chat` with a button to its table; its result at the end."""
        language = self.context.state.players[player].language
        view = self.context.screen(table, player)
        has_cards = any(seat.is_viewer and seat.piles for seat in view.seats)
        picture = await self.painter.draw(view, language) if has_cards else None
        if is_over:
            return MessageContent(self._result(table, player), None, picture)
        rows: Rows = own_moves(view, language, table.id)
        opens = self.context.open_button(chat, table.id, language) if chat is not None else None
        rows = [*rows, [opens]] if opens is not None else rows
        words = hand_text(view, language)
        if table.lost is not None:
            words = f"{say(_FINISH_HERE, language)}\n{words}"
        return MessageContent(words, InlineKeyboardMarkup(rows) if rows else None, picture)

    def _result(self, table: Table, player: int) -> str:
        language = self.context.state.players[player].language
        view = self.context.screen(table, player)
        dearest = self.context.dearest(table, player)
        told = fit_alert([say(view.own_result or view.headline, language)])
        return escape(f"{told}\n{say(dearest, language)}" if dearest is not None else told)


class DirectHands:
    """Hands in direct messages. Belongs to the event loop."""

    def __init__(self, context: TelegramContext, drawing: HandDrawing) -> None:
        self.context, self._drawing = context, drawing
        # {(table, player): the message that shows the hand}.
        self._shown: dict[tuple[int, int], ShownHand] = {}

    def handle_change(self, id: int) -> None:
        """Handle a changed table."""
        table = self.context.state.table(id)
        if table is None:
            return
        for player in self._receivers(table):
            self._queue_hand(table, player)

    def _receivers(self, table: Table) -> set[int]:
        """Return the players of this hand, and those who still have the message of an earlier one."""
        playing = set(table.owners().values())
        shown = {player for id, player in self._shown if id == table.id}
        if table.lost is not None:
            wanted = {player for player in playing if self._may_be_reached(player)}
        elif table.plays.private_cards:
            wanted = {player for player in playing if self.context.user_of(player) in self.context.notes.wants_direct}
        else:
            wanted = set()
        return wanted | shown

    def _may_be_reached(self, player: int) -> bool:
        """Return whether the player has started a private chat with the bot."""
        user = self.context.user_of(player)
        chat = self.context.notes.chats.get(user) if user is not None else None
        return chat is not None and self.context.row_at(chat.address) is not None

    def _queue_hand(self, table: Table, player: int, due: float = 0.0) -> None:
        user = self.context.user_of(player)
        if user is None:
            return
        chat = self.context.chat_of(user, "private")
        if self.context.table_at(chat.address) is table:
            return
        # One edit shows the hand's end and the player's dearest choice.
        due = max(
            due,
            self.context.clock.now() + DEAREST_S if self.context.writer.coaching.is_counting(table, player) else 0.0,
        )
        priority = NEW if (table.id, player) not in self._shown else MINOR
        self.context.queue_call(
            chat, ("hand", table.id), partial(self._send_hand, chat, table.id, player), priority=priority, due=due
        )

    async def _send_hand(self, chat: Chat, id: int, player: int) -> JobResult | None:
        table, known = self.context.state.table(id), self._shown.get((id, player))
        if table is None:
            return JobResult.NOTHING
        is_mine = table.round.hand is not None and player in table.owners().values()
        told = await self._drawing.draw(table, player, is_over=not is_mine, chat=chat)
        try:
            if known is not None and (known.hand == table.round.hand_id or not is_mine):
                is_news = told != known.told and known.message != NOT_KNOWN
                if is_news:
                    known.has_photo = await self._drawing.painter.edit(
                        chat.id, known.message, told, known.told, has_photo=known.has_photo
                    )
                    known.told = told
                if not is_mine:
                    self._shown.pop((id, player), None)
                if not is_news:
                    return JobResult.NOTHING
            elif is_mine:
                await self._post_direct(chat, table, player, told)
                if self.context.state.table(id) is not table:
                    # Changes during the call were not checked.
                    self._queue_hand(table, player)
            else:
                return JobResult.NOTHING
        except Forbidden:
            self._shown.pop((id, player), None)
            self.context.note_direct(chat.id, False)
            return JobResult.REFUSED
        except BadRequest as refusal:
            self._shown.pop((id, player), None)
            _log.info("a direct message could not be edited: %s", refusal)
            return JobResult.REFUSED
        if is_mine and told.picture is None and self._drawing.painter.is_on:
            self._queue_hand(table, player, due=self.context.clock.now() + LATE_PICTURE_S)
        return None

    async def _post_direct(self, chat: Chat, table: Table, player: int, told: MessageContent) -> None:
        """Send a hand in a direct message, once: a message that may have arrived is not sent again."""
        known = ShownHand(table.round.hand_id, NOT_KNOWN, told, False)
        try:
            sent = await self._drawing.painter.post(chat.id, told)
        except NetworkError as fault:
            if isinstance(fault, BadRequest) or not may_have_arrived(fault):
                raise
            _log.info("a direct message may not have arrived: %s", fault)
        else:
            known.message, known.has_photo = sent.message_id, bool(sent.photo)
        self._shown[table.id, player] = known
