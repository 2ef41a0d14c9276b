"""Shared posts in a group or topic: each is a separate message, sent after the table's own updates."""

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from telegram import InlineKeyboardMarkup, Message
from telegram.error import BadRequest, Forbidden, TelegramError

from bot.core.commands.command import Answer
from bot.core.state.table import Table
from bot.platforms.common import shared_posts as kit
from bot.platforms.common.press import Press
from bot.platforms.common.shared_posts import NOT_YET, REMOVE, SHOWN, DrawnPost, PaintSharedPost
from bot.platforms.common.witness import Closed
from bot.platforms.telegram.context import Chat, TelegramContext
from bot.platforms.telegram.drawing import CAPTION, TEXT, choice_rows, escape, press_button, shorten
from bot.platforms.telegram.saying import inert, say
from bot.platforms.telegram.sending import NEW, JobResult
from bot.texts import Text

NOT_POSTED = Text("Telegram won't let me post here.")
_log = logging.getLogger("ridotto.telegram")


class TelegramSharedPosts(kit.SharedPosts):
    """Shared posts in groups. Belongs to the event loop."""

    def __init__(self, context: TelegramContext, paint: PaintSharedPost | None = None) -> None:
        super().__init__(paint, context.clock.now)
        self._context = context

    def accepts(self, chat: Chat, user: int) -> Text:
        """Return the sentence for a person who wants to post; if it is SHOWN, the post follows."""
        return SHOWN if chat.is_private or self.may_post(chat.number, user) else NOT_YET

    async def post(
        self, chat: Chat, thread: int | None, answer: Answer, language: str, user: int | None = None
    ) -> Text | None:
        """Post when the chat has room; return the reason if Telegram refuses. `user` has shared it and may remove
        it.
        """
        assert answer.shared_post is not None
        sheet = await self.draw(answer.shared_post, self._context.state.books, language)
        caption = "\n".join(say(text, language) for text in answer.texts)
        rows = choice_rows(answer.choices, self._context.bot.username, language)
        if user is not None and not chat.is_private:
            rows = [*rows, [press_button(say(REMOVE, language), Press("remove", str(user)))]]
        where = {
            "message_thread_id": thread,
            "disable_notification": True,
            "parse_mode": "HTML",
            "reply_markup": InlineKeyboardMarkup(rows) if rows else None,
        }
        try:
            await self._send(chat, sheet, caption, where)
        except (BadRequest, Forbidden) as fault:
            _log.warning("a shared picture could not be shown: %s", fault)
            return NOT_POSTED
        except TelegramError as fault:
            _log.warning("a shared picture may not have been shown: %s", fault)
        return None

    async def announce(self, address: str, table: Table, answer: Answer) -> None:
        """Send a message of the casino itself."""
        if (chat := self._context.chat_at(address)) is not None:
            await self.post(chat, self._context.thread_at(address), answer, table.settings.language)

    async def publish(self, address: str, table: Table, about: Text, line: str) -> None:
        """Send a line for copying, as `announce` does."""
        chat = self._context.chat_at(address)
        if chat is None:
            return
        try:
            await self._send_and_note(
                chat, partial(self._line, address, chat, say(about, table.settings.language), line)
            )
        except TelegramError as fault:
            _log.warning("a shared post could not be shown: %s", fault)

    async def witness(self, address: str, table: Table, closed: Closed) -> None:
        """Send the closed bets before answers and everything that can wait, because seconds count."""
        chat = self._context.chat_at(address)
        if chat is None:
            return
        words = say(closed.text, table.settings.language)

        async def send_closed() -> JobResult | None:
            if not closed.counts():
                return JobResult.NOTHING
            self._context.heard(await self._line(address, chat, words, closed.line))
            return None

        self._context.queue_call(chat, ("closed", address), send_closed, priority=NEW, once=True)

    async def _line(self, address: str, chat: Chat, words: str, line: str) -> Message:
        return await self._context.bot.send_message(
            chat.id,
            f"{escape(words)}\n<pre>{escape(line)}</pre>",
            message_thread_id=self._context.thread_at(address),
            disable_notification=True,
            parse_mode="HTML",
        )

    async def _send(self, chat: Chat, sheet: DrawnPost, caption: str, where: dict[str, Any]) -> None:
        """Send a picture; in words if there is none or pictures are not allowed."""
        bot, words = self._context.bot, partial(self._words, chat, sheet, caption, where)
        short = escape(shorten(caption, CAPTION))
        if sheet.picture is None:
            await self._send_and_note(chat, words)
            return
        send: Callable[[], Awaitable[Message]] = partial(
            bot.send_photo, chat.id, sheet.picture, caption=short, filename=sheet.file, **where
        )
        if sheet.file.endswith(".gif"):
            send = partial(bot.send_animation, chat.id, sheet.picture, caption=short, filename=sheet.file, **where)
        try:
            await self._send_and_note(chat, send)
        except BadRequest as refusal:
            if "rights to send" not in str(refusal):
                raise
            await self._send_and_note(chat, words)

    async def _words(self, chat: Chat, sheet: DrawnPost, caption: str, where: dict[str, Any]) -> Message:
        text = escape(shorten(f"{caption}\n{inert(sheet.words)}", TEXT))
        return await self._context.bot.send_message(chat.id, text, **where)

    async def _send_and_note(self, chat: Chat, send: Callable[[], Awaitable[Message]]) -> None:
        self._context.heard(await self._context.send(chat, send))
