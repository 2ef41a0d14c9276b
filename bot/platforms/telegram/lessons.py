"""Practice hands and deals of the day in a private chat: one message, which each press edits in place.

In a group a button leads to the private chat; neither is ever shown to others.
"""

import logging
from dataclasses import dataclass

from telegram import InlineKeyboardMarkup, Message
from telegram.error import TelegramError

from bot.core.commands.first_hand import Lesson
from bot.platforms.telegram.context import Chat, TelegramContext
from bot.platforms.telegram.drawing import CAPTION, TEXT, lesson_text, link_button, own_moves
from bot.platforms.telegram.messages import MessageContent, Painter
from bot.platforms.telegram.private import PrivateAnswers
from bot.platforms.telegram.saying import say
from bot.platforms.telegram.updates import Spoken
from bot.texts import Text
from bot.view.lessons import DEAL, VERB, lesson_screen, title_of_lesson

_log = logging.getLogger("ridotto.telegram")


@dataclass
class Lessons:
    """Practice hands. Belongs to the event loop. `painter` draws whole tables, for one person's messages."""

    context: TelegramContext
    private: PrivateAnswers
    painter: Painter

    async def show_lesson(self, chat: Chat, lesson: Lesson, language: str, pressed: Message | None = None) -> None:
        """Show the practice hand in a private chat: in the `pressed` message, or in a new one."""

        async def send() -> Message | bool:
            # One at a time, so that the message shows the later of two presses.
            view = lesson_screen(lesson, self.context.state.books)
            picture = await self.painter.draw(view, language)
            has_photo = pressed is not None and bool(pressed.photo)
            words = lesson_text(
                title_of_lesson(lesson), view, language, CAPTION if picture is not None or has_photo else TEXT
            )
            told = MessageContent(words, InlineKeyboardMarkup(own_moves(view, language)), picture)
            if pressed is None:
                return await self.painter.post(chat.id, told)
            return await self.painter.edit(chat.id, pressed.message_id, told, None, has_photo=has_photo)

        try:
            await self.context.send(chat, send)
        except TelegramError as fault:
            _log.warning("a practice hand could not be shown: %s", fault)

    async def offer(self, spoken: Spoken, lesson: Lesson) -> None:
        """Offer a practice hand, or the deal of the day, to a person who asks for it in a group."""
        text, label, verb = Text("I'll deal you a first hand in our private chat."), Text("First hand"), VERB
        if lesson.course is not None:
            text, label, verb = Text("You play the deal of the day in our private chat."), Text("Play"), DEAL
        button = link_button(say(label, spoken.language), self.context.bot.username, f"{verb}_{lesson.game}")
        await self.private.reply(spoken, say(text, spoken.language), button)
