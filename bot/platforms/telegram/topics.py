"""Topics of a tournament's further tables, or pages of the app in a group without topics (TN29)."""

from contextlib import suppress
from functools import partial

from telegram.error import TelegramError

from bot.core.casinos.places import ONLY_IN_TOPICS
from bot.platforms.telegram.context import PLATFORM, TelegramContext, page_address
from bot.texts import Text

ONLY_IN_TOPICS.add(PLATFORM)

_NO_APP = Text("I can open further tables only in topics here: Group settings > Topics.")
_NO_TOPIC = Text("I need the permission Manage topics: Group settings > Administrators > Ridotto.")


class Topics:
    """Opener of topics beside a table's topic, and closer of them."""

    def __init__(self, context: TelegramContext) -> None:
        self._context = context

    async def open_place(self, first: str, name: str, table: int) -> tuple[str, str] | Text:
        """Return the addresses of a topic made for this name, or of the table's page, and of its group, or why there is
        none.
        """
        chat = self._context.chat_at(first)
        if chat is None:
            return _NO_APP
        if self._context.thread_at(first) is None:
            return (page_address(chat, table), chat.address) if self._context.has_app else _NO_APP
        begins = f"topic:{chat.address}:"
        for thread, made_for in list(self._context.noted(begins)):
            if made_for == name and self._context.table_at(f"{chat.address}:{thread}") is None:
                return f"{chat.address}:{thread}", chat.address
        try:
            # It counts as a message, so it waits in the queue.
            topic = await self._context.send(chat, partial(self._context.bot.create_forum_topic, chat.id, name))
        except TelegramError:
            return _NO_TOPIC
        await self._context.store_note(f"{begins}{topic.message_thread_id}", name)
        return f"{chat.address}:{topic.message_thread_id}", chat.address

    async def close_place(self, address: str) -> None:
        """Close a topic as far as the bot may."""
        chat, thread = self._context.chat_at(address), self._context.thread_at(address)
        if chat is not None and thread is not None:
            with suppress(TelegramError):
                await self._context.send(chat, partial(self._context.bot.close_forum_topic, chat.id, thread))
