"""Ephemeral messages: one member of a group sees them, and they have their own calls to edit and delete.

A server older than Bot API 10.2 would ignore the parameters and show the cards to everyone, so it is probed first, and
every answer is checked.
"""

import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from telegram import Message
from telegram.error import (
    BadRequest,
    EndPointNotFound,
    InvalidToken,
    TelegramError,
)

from bot.platforms.common.recent import Recent
from bot.platforms.telegram.context import Chat, TelegramContext
from bot.platforms.telegram.messages import MessageContent, Painter
from bot.platforms.telegram.saying import say
from bot.texts import Text

MOST_REFUSED = 2000
UNREAD_S = 120.0
# After a refused ephemeral message the user gets no other one for this time.
TRY_AGAIN_S = 600.0
FOR_YOU_ALONE = Text("Only you can see this.")
_log = logging.getLogger("ridotto.telegram")


class Whisper(NamedTuple):
    """An ephemeral message, visible to one member of a group."""

    chat: Chat
    user: int
    id: int
    thread: int | None = None

    @property
    def asked(self) -> dict[str, Any]:
        """Return the parameters that name this message in calls."""
        return {"chat_id": self.chat.id, "receiver_user_id": self.user, "ephemeral_message_id": self.id}


class Ephemeral:
    """Sends, edits and deletes ephemeral messages. Belongs to the event loop.

    `administers` returns whether the bot administers a chat: there it may send one at any time, not only after a press.
    """

    def __init__(
        self, context: TelegramContext, painter: Painter, administers: Callable[[Chat], Awaitable[bool]]
    ) -> None:
        self.context, self._painter, self.administers = context, painter, administers
        # {(chat, user): until when no ephemeral message is tried again}.
        self._refused: Recent[tuple[int, int], float] = Recent(MOST_REFUSED)
        self._has_seen_one = False

    async def _may_send(self, chat: Chat, user: int) -> bool:
        """Probe the server once. One that answers 404 does not know them, and is never sent any."""
        if self.context.knows_ephemeral is None:
            self.context.knows_ephemeral = await self._probe(chat, user)
        return (
            bool(self.context.knows_ephemeral)
            and self._refused.get((chat.number, user), 0.0) <= self.context.clock.now()
        )

    async def _probe(self, chat: Chat, user: int) -> bool | None:
        """Return whether the server knows ephemeral messages; None if unclear, then the next call asks again."""
        try:
            await self._delete(Whisper(chat, user, 1))
        except (EndPointNotFound, InvalidToken):
            return False
        except BadRequest:
            return True
        except TelegramError as fault:
            _log.info("could not find out whether ephemeral messages are supported: %s", fault)
            return None
        return True

    async def send(
        self, chat: Chat, thread: int | None, user: int, told: MessageContent, query: str | None = None
    ) -> tuple[Whisper, bool] | None:
        """Send an ephemeral message; return it and whether it has a photo. None if it could not be sent.

        Falls back silently, first from a picture to words.
        """
        if chat.is_private or not await self._may_send(chat, user):
            return None
        receiver: dict[str, Any] = {"receiver_user_id": user} | ({"callback_query_id": query} if query else {})
        where = {"message_thread_id": thread, "api_kwargs": {"ephemeral_message_parameters": receiver}}
        # The first one proves nothing: a server may know the methods and still ignore the parameter.
        is_trial = not self._has_seen_one
        harmless = MessageContent(say(FOR_YOU_ALONE, self.context.language_of(user, None)))
        try:
            send = partial(self._painter.post, chat.id, harmless if is_trial else told, **where)
            sent: Message = await self.context.send(chat, send)
        except TelegramError as fault:
            _log.info("no ephemeral message: %s", fault)
            is_refused = isinstance(fault, BadRequest) and "too old" not in str(fault)
            if is_refused and told.picture is not None and not is_trial:
                return await self.send(chat, thread, user, told._replace(picture=None), query)
            if is_refused:
                self._refused[chat.number, user] = self.context.clock.now() + TRY_AGAIN_S
            return None
        id = (sent.api_kwargs or {}).get("ephemeral_message_id")
        if id is None:
            await self._take_back(chat, sent)
            return None
        self._has_seen_one, whisper = True, Whisper(chat, user, int(id), thread)
        if is_trial:
            await self.edit(whisper, "Text", told, text=told.words, parse_mode="HTML")
        return whisper, bool(sent.photo)

    async def edit(self, whisper: Whisper, part: str, told: MessageContent, **what: Any) -> bool:
        """Edit the `part` of a message; return whether it shows the new content."""
        asked = whisper.asked | what | ({"reply_markup": told.markup} if told.markup is not None else {})
        call = partial(self.context.bot.do_api_request, f"editEphemeralMessage{part}", api_kwargs=asked)
        try:
            await self.context.send(whisper.chat, call)
        except TelegramError as fault:
            _log.info("an ephemeral message was not edited: %s", fault)
            return "not modified" in str(fault)
        return True

    async def _delete(self, whisper: Whisper) -> None:
        await self.context.bot.do_api_request("deleteEphemeralMessage", api_kwargs=whisper.asked)

    async def clear(self, whisper: Whisper) -> None:
        with suppress(TelegramError):
            await self._delete(whisper)

    async def clear_later(self, whisper: Whisper) -> None:
        await self.context.clock.sleep(UNREAD_S)
        await self.clear(whisper)

    async def _take_back(self, chat: Chat, sent: Message) -> None:
        """Delete a message that the server sent to everyone because it ignored the parameter, and send no more."""
        self.context.knows_ephemeral = False
        with suppress(TelegramError):
            await self.context.bot.delete_message(chat.id, sent.message_id)
