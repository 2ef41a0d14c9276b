"""Private answers. No legal move depends on more than the alert that answers its press.

An alert holds 200 characters. Besides there are ephemeral messages where the server supports them, and direct messages
for people who pressed Start and asked for them; all others read their answer behind a button.
"""

import logging
from collections.abc import Sequence
from contextlib import suppress
from functools import partial

from telegram import InlineKeyboardButton, InlineKeyboardMarkup, Message, ReplyParameters
from telegram.error import (
    BadRequest,
    Forbidden,
    TelegramError,
)

from bot.core.commands.command import Choice, Command
from bot.platforms.common.press import load_press
from bot.platforms.telegram.context import Chat, TelegramContext
from bot.platforms.telegram.drawing import (
    CAPTION,
    TEXT,
    choice_button,
    choice_rows,
    escape,
    in_rows,
)
from bot.platforms.telegram.ephemeral import Ephemeral
from bot.platforms.telegram.messages import MessageContent
from bot.platforms.telegram.saying import say
from bot.platforms.telegram.unread import UnreadAnswers, UnreadNotice, in_pages
from bot.platforms.telegram.updates import Spoken, is_anonymous
from bot.texts import Text

_log = logging.getLogger("ridotto.telegram")


class PrivateAnswers:
    """Private answers. Belongs to the event loop."""

    def __init__(self, context: TelegramContext, ephemeral: Ephemeral) -> None:
        self.context, self._ephemeral = context, ephemeral
        self.unread = UnreadAnswers(context, self.ask_here)

    async def answer_line(
        self,
        spoken: Spoken,
        texts: Sequence[Text],
        ask: Command | None = None,
        choices: Sequence[Choice] = (),
        *,
        passes: bool = False,
    ) -> None:
        """Answer in a private chat directly, in a group privately. `passes`: it soon becomes outdated, and is deleted
        in a group after a while.
        """
        lines = [say(text, spoken.language) for text in texts]
        if not lines:
            return
        if spoken.chat.is_private:
            await self.ask_here(spoken.chat, spoken.user.id, lines, spoken.language, ask, choices)
            return
        if not await self._whisper(spoken, lines, ask, choices, passes=passes):
            self.unread.add(spoken, lines, ask, choices)

    async def ask_here(
        self,
        chat: Chat,
        user: int,
        lines: list[str],
        language: str,
        ask: Command | None,
        choices: Sequence[Choice] = (),
    ) -> None:
        """Answer in a private chat; `ask` is the command that a yes submits."""
        markup = (
            self.unread.ask_to_confirm(user, language, ask) if ask is not None else choice_markup(choices, language)
        )
        pages = in_pages(lines, TEXT)
        for number, page in enumerate(pages, start=1):
            last = markup if number == len(pages) else None
            await self.send(chat, page, markup=last)

    def _markup(self, spoken: Spoken, ask: Command | None, choices: Sequence[Choice]) -> InlineKeyboardMarkup | None:
        if ask is not None:
            return self.unread.ask_to_confirm(spoken.user.id, spoken.language, ask)
        rows = choice_rows(choices, self.context.bot.username, spoken.language, spoken.chat.number)
        return InlineKeyboardMarkup(rows) if rows else None

    async def _whisper(
        self, spoken: Spoken, lines: list[str], ask: Command | None, choices: Sequence[Choice], *, passes: bool
    ) -> bool:
        """Answer with an ephemeral message where possible; otherwise directly to the person who asked. Return whether
        it was sent. Anonymous administrators cannot get one.
        """
        chat, user = spoken.chat, spoken.user.id
        pages = in_pages(lines, CAPTION)
        if is_anonymous(spoken.message):
            return False
        if len(pages) == 1 and self.context.outbox.has_room(chat.number, 2) and await self._ephemeral.administers(chat):
            markup = self._markup(spoken, ask, choices)
            sent_one = await self._ephemeral.send(chat, spoken.thread, user, MessageContent(escape(pages[0]), markup))
            if sent_one is not None:
                if passes:
                    self.context.spawn(self._ephemeral.clear_later(sent_one[0]))
                if ask is not None and markup is not None:
                    press = load_press(str(markup.inline_keyboard[0][0].callback_data))
                    if press is not None and (notice := self.unread.notice(press.verb)) is not None:
                        notice.whisper = sent_one[0]
                return True
        if user not in self.context.notes.wants_direct:
            return False
        markup = self._markup(spoken, ask, choices)
        sent = [await self.send_direct(user, escape(page), markup if page is pages[-1] else None) for page in pages]
        return sent[-1] is not None

    async def clear_question(self, notice: UnreadNotice) -> None:
        """Delete a private question."""
        if notice.whisper is not None:
            await self._ephemeral.clear(notice.whisper)

    async def send(self, chat: Chat, text: str, *, markup: InlineKeyboardMarkup | None = None) -> Message:
        """Send a line in a private chat; escapes it."""
        sent: Message = await self.context.send(
            chat, partial(self.context.bot.send_message, chat.id, text, reply_markup=markup)
        )
        return sent

    async def reply(self, spoken: Spoken, text: str, *row: InlineKeyboardButton) -> Message | None:
        """Reply in the topic, or in the person's private chat if the topic takes no messages."""
        markup = InlineKeyboardMarkup([row])
        send = partial(
            self.context.bot.send_message,
            spoken.chat.id,
            text,
            reply_markup=markup,
            message_thread_id=spoken.thread,
            reply_parameters=ReplyParameters(spoken.message.message_id, allow_sending_without_reply=True),
            disable_notification=True,
        )
        try:
            sent: Message = await self.context.send(spoken.chat, send)
            return sent
        except TelegramError as fault:
            _log.warning("a reply could not be sent: %s", fault)
            is_refused = isinstance(fault, BadRequest | Forbidden)
        if is_refused and not spoken.chat.is_private:
            with suppress(TelegramError):
                return await self.send(self.context.chat_of(spoken.user.id, "private"), text, markup=markup)
        return None

    async def send_direct(self, user: int, text: str, markup: InlineKeyboardMarkup | None) -> Message | None:
        """Send a direct message to a user who wants them; stop after a user blocks the bot."""
        send = partial(self.context.bot.send_message, user, text, reply_markup=markup, parse_mode="HTML")
        try:
            sent: Message = await self.context.send(self.context.chat_of(user, "private"), send)
            return sent
        except Forbidden:
            self.context.note_direct(user, False)
        except TelegramError as fault:
            _log.warning("a direct message could not be sent: %s", fault)
        return None


def choice_markup(choices: Sequence[Choice], language: str) -> InlineKeyboardMarkup | None:
    """Return the buttons of an answer's choices, for a private chat."""
    rows = in_rows([choice_button(one, language) for one in choices])
    return InlineKeyboardMarkup(rows) if rows else None
