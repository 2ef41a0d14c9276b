"""What every part of the Telegram side shares: the pit, the bot, the send queue, and what it notes down.

Chats go by a number of our own, since a group's id changes when it becomes a supergroup. What is noted (chats, the
messages that show tables, who wants direct messages) lives in the books and is written by the pit.
"""

import asyncio
import json
import logging
import secrets
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from telegram.error import TelegramError
from telegram.ext import ExtBot

from bot.floor.command import Answer, Command, Place
from bot.floor.house import House
from bot.floor.places import errand_of
from bot.floor.table import Table
from bot.on_telegram.sending import Clock, Outbox
from bot.pit import Pit
from storage.rows import IdentityRow, NoteRow

PLATFORM = "telegram"
Bot = ExtBot[None]
_log = logging.getLogger("ridotto.telegram")


@dataclass(frozen=True)
class Chat:
    """`number` is ours, `id` Telegram's. `takes_ephemeral`: None until it was tried here."""

    number: int
    id: int
    kind: str
    takes_ephemeral: bool | None = None

    @property
    def is_private(self) -> bool:
        return self.kind == "private"

    @property
    def address(self) -> str:
        return f"@{self.number}" if self.is_private else str(self.number)


@dataclass(frozen=True)
class Post:
    """The message that shows the table of a place."""

    message: int
    table: int
    has_photo: bool = False


@dataclass
class Notes:
    """A copy in memory of what is noted in the books."""

    chats: dict[int, Chat] = field(default_factory=dict)
    numbers: dict[int, Chat] = field(default_factory=dict)
    posts: dict[str, Post] = field(default_factory=dict)
    wants_direct: set[int] = field(default_factory=set)


@dataclass
class Desk:
    """Belongs to the event loop."""

    pit: Pit
    bot: Bot
    outbox: Outbox
    clock: Clock
    notes: Notes = field(default_factory=Notes)
    # Ephemeral messages are used only after the server has shown that it knows them.
    knows_ephemeral: bool | None = None
    # Groups where the bot is no administrator: nobody can be whispered to but in answer to a press.
    cannot_whisper: set[int] = field(default_factory=set)
    _last_number: int = 0
    _accounts: dict[int, int | None] = field(default_factory=dict)
    _tasks: set["asyncio.Task[Any]"] = field(default_factory=set)

    @property
    def house(self) -> House:
        return self.pit.floor.house

    async def submit(self, command: Command) -> Answer:
        return await asyncio.wrap_future(self.pit.submit(command))

    async def report(self, verb: str, address: str, *args: str) -> Answer:
        """What this side itself has to tell the floor of its places."""
        return await self.submit(self._errand(verb, address, *args))

    def _errand(self, verb: str, address: str, *args: str) -> Command:
        return errand_of(f"tg:house:{secrets.token_hex(12)}", Place(PLATFORM, address), verb, *args)

    def spawn(self, work: Any) -> None:
        """Run beside, and keep hold of it until it is done."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._forget)

    def _forget(self, task: "asyncio.Task[Any]") -> None:
        self._tasks.discard(task)
        if task.cancelled() or (fault := task.exception()) is None:
            return
        if isinstance(fault, TelegramError):  # nothing that a look at our code would help
            _log.warning("a message was not sent: %s", fault)
        else:
            asyncio.get_running_loop().call_exception_handler({"message": "telegram", "exception": fault})

    async def delete(self, chat: Chat, message: int) -> None:
        """Deletions are free, and one that fails is not missed."""
        with suppress(TelegramError):
            await self.bot.delete_message(chat.id, message)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    @property
    def is_idle(self) -> bool:
        return not self._tasks and self.outbox.is_idle

    # Notes

    def load(self) -> None:
        """Before the first update: what was noted when the house was open last."""
        for row in self.house.books.rows(NoteRow, "WHERE platform = ?", PLATFORM):
            kind, _colon, name = row.name.partition(":")
            value = json.loads(row.value)
            if kind == "chat":
                self._know(Chat(int(name), **value))
            elif kind == "post" and value:
                self.notes.posts[name] = Post(**value)
            elif kind == "direct" and value:
                self.notes.wants_direct.add(int(name))

    def _know(self, chat: Chat) -> None:
        self.notes.chats[chat.id] = self.notes.numbers[chat.number] = chat
        self._last_number = max(self._last_number, chat.number)

    def chat_of(self, id: int, kind: str) -> Chat:
        """The chat of that id, noted if it is new."""
        known = self.notes.chats.get(id)
        if known is None:
            known = Chat(self._last_number + 1, id, kind)
            self.note_chat(known)
        return known

    def note_chat(self, chat: Chat) -> None:
        old = self.notes.numbers.get(chat.number)
        if old is not None and old.id != chat.id:
            self.notes.chats.pop(old.id, None)
        self._know(chat)
        self._note(f"chat:{chat.number}", {"id": chat.id, "kind": chat.kind, "takes_ephemeral": chat.takes_ephemeral})

    def note_ephemeral(self, chat: Chat, takes: bool) -> None:
        if chat.takes_ephemeral != takes:
            self.note_chat(replace(self.notes.numbers[chat.number], takes_ephemeral=takes))

    def note_post(self, address: str, post: Post | None) -> None:
        if post is None:
            self.notes.posts.pop(address, None)
        else:
            self.notes.posts[address] = post
        self._note(f"post:{address}", vars(post) if post else None)

    def note_direct(self, user: int, wants: bool) -> None:
        (self.notes.wants_direct.add if wants else self.notes.wants_direct.discard)(user)
        self._note(f"direct:{user}", wants)

    def _note(self, name: str, value: Any) -> None:
        self.pit.submit(self._errand("note", "", name, json.dumps(value)))

    # Where things are

    def chat_at(self, address: str) -> Chat | None:
        return self.notes.numbers.get(int(address.removeprefix("@").partition(":")[0]))

    def thread_at(self, address: str) -> int | None:
        return int(address.partition(":")[2] or 0) or None

    def table_at(self, address: str) -> Table | None:
        place = self.house.places.get((PLATFORM, address))
        return self.house.tables.get(place.table_id) if place and place.table_id else None

    def player_of(self, user: int) -> int | None:
        """The player behind a Telegram account, if he has been met. Only the pit writes what the house remembers."""
        known = self.house.identities.get((PLATFORM, str(user)))
        return self.house.books.identity(PLATFORM, str(user)) if known is None else known

    def account_of(self, player: int) -> int | None:
        """The Telegram account of a player, if he has one."""
        if self._accounts.get(player) is None:
            where = "WHERE player = ? AND platform = ?"
            found = self.house.books.first(IdentityRow, where, player, PLATFORM)
            self._accounts[player] = int(found.name) if found and found.name.isdigit() else None
        return self._accounts[player]

    def language_of(self, user: int, code: str | None) -> str:
        """The player's own, else his Telegram's."""
        player = self.player_of(user)
        if player is not None:
            return self.house.player(player).language
        return "it" if (code or "").startswith("it") else "en"
