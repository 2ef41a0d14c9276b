"""The content of a message and its sending: text, buttons and a picture, posted once and then edited.

A picture that is late or fails is left out, and one that Telegram has is sent by its id. Painters do not share files,
so that a private picture stays in its player's messages.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, NamedTuple, TypeVar

from telegram import InlineKeyboardMarkup, InputMediaPhoto, Message
from telegram.error import BadRequest

from bot.platforms.common.recent import Recent
from bot.platforms.telegram.context import Bot
from bot.view import Screen

MOST_FILES = 200
# When a picture was late: the text is shown with an older picture, or none, until this time.
LATE_PICTURE_S = 5.0
_log = logging.getLogger("ridotto.telegram")

Paint = Callable[[Screen, str], Awaitable[bytes | None]]
Sent = TypeVar("Sent", bound=Message | bool)


class MessageContent(NamedTuple):
    """The content of a message: HTML text, buttons, and a picture if one was drawn in time."""

    words: str
    markup: InlineKeyboardMarkup | None = None
    picture: bytes | None = None


class Painter:
    """Sender of drawn messages. Belongs to the event loop. `paint` draws, None is words alone; `soon_s` is how long
    words wait.
    """

    def __init__(self, bot: Bot, paint: Paint | None, soon_s: float | None = None) -> None:
        self._bot, self._paint, self._soon_s = bot, paint, soon_s
        self._files: Recent[bytes, str] = Recent(MOST_FILES)
        # Called with each message that an edit returns.
        self.on_edited: Callable[[Message], None] = lambda message: None

    @property
    def is_on(self) -> bool:
        return self._paint is not None

    async def draw(self, view: Screen, language: str) -> bytes | None:
        """Return a PNG, or None if it is late or fails."""
        if self._paint is None:
            return None
        try:
            return await asyncio.wait_for(self._paint(view, language), self._soon_s)
        except TimeoutError:
            return None
        except Exception as fault:
            _log.error("a picture failed: %s", type(fault).__name__, exc_info=fault)
            self._paint = None
            return None

    def id_of(self, picture: bytes) -> str | None:
        """Return Telegram's id of a picture it has, or None."""
        return self._files.get(picture)

    async def post(self, to: int, told: MessageContent, **where: Any) -> Message:
        """Post a message in the chat `to`."""
        where |= {"reply_markup": told.markup, "parse_mode": "HTML"}
        if told.picture is None:
            return await self._bot.send_message(to, told.words, **where)
        send = partial(self._bot.send_photo, to, caption=told.words, **where)
        return await self._send(told.picture, lambda photo: send(photo=photo))

    async def edit(
        self, chat: int, message: int, told: MessageContent, was: MessageContent | None, *, has_photo: bool
    ) -> bool:
        """Edit a message; return whether it has a photo now. Text becomes a photo with the first picture, which then
        stays.

        `was` is the last content, if known. An unchanged message is fine.
        """
        where: dict[str, Any] = {"chat_id": chat, "message_id": message, "reply_markup": told.markup}
        try:
            if told.picture is not None and not (has_photo and was is not None and told.picture == was.picture):
                media = partial(InputMediaPhoto, caption=told.words, parse_mode="HTML")
                edit = partial(self._bot.edit_message_media, **where)
                has_photo, edited = True, await self._send(told.picture, lambda photo: edit(media=media(photo)))
            elif has_photo:
                edited = await self._bot.edit_message_caption(caption=told.words, parse_mode="HTML", **where)
            else:
                edited = await self._bot.edit_message_text(told.words, parse_mode="HTML", **where)
        except BadRequest as refusal:
            if "not modified" not in str(refusal).lower():
                raise
        else:
            if isinstance(edited, Message):
                self.on_edited(edited)
        return has_photo

    async def _send(self, picture: bytes, send: Callable[[bytes | str], Awaitable[Sent]]) -> Sent:
        """Send a picture by its id; upload one that Telegram does not know, or no longer knows."""
        try:
            sent = await send(self._files.get(picture, picture))
        except BadRequest as refusal:
            if "file" not in str(refusal).lower() or self._files.pop(picture, None) is None:
                raise
            sent = await send(picture)
        if isinstance(sent, Message) and sent.photo:
            self._files[picture] = sent.photo[-1].file_id
        return sent
