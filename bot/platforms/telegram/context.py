"""The platform context of Telegram: the writer, the bot, the send queue, and notes.

Chats have a number of our own, because a group's id changes when it becomes a supergroup. Notes (chats, table messages,
who wants direct messages) live in the store and are written by the writer.
"""

import json
import logging
from collections.abc import Awaitable, Callable, Hashable, Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from telegram import InlineKeyboardButton, Message, Update, User, WebAppInfo
from telegram.error import BadRequest, TelegramError
from telegram.ext import ExtBot

from bot.core.access import BUSY, Access
from bot.core.casinos.places import APP_NOTE
from bot.core.commands.command import Answer, Command
from bot.core.commands.shown_names import trim_name
from bot.platforms.common.allowance import Allowance
from bot.platforms.common.below import Below
from bot.platforms.common.context import PlatformContext
from bot.platforms.common.frames import OPEN_TABLE, name_of, page_of
from bot.platforms.common.press import Press, dump_press, load_press
from bot.platforms.telegram.saying import Link, say
from bot.platforms.telegram.sending import Clock, Outbox
from bot.texts import Name

PLATFORM = "telegram"
AT_ONCE, A_SECOND = 20, 5.0
# With this many messages below, a table has scrolled far up.
FAR_UP = 25
Bot = ExtBot[None]
_log = logging.getLogger("ridotto.telegram")


class Busy(Exception):
    """The writer is full: the update is not done, and Telegram sends it again."""


@dataclass(frozen=True)
class Chat:
    """A chat; `number` is ours, `id` Telegram's."""

    number: int
    id: int
    kind: str

    @property
    def is_private(self) -> bool:
        return self.kind == "private"

    @property
    def address(self) -> str:
        return f"@{self.number}" if self.is_private else str(self.number)


@dataclass(frozen=True)
class TablePost:
    """The message that shows a place's table, posted `at` a time, unknown in old notes."""

    message: int
    table: int
    has_photo: bool = False
    at: float = 0.0


def message_link(chat: Chat, thread: int | None, message: int) -> str:
    """Return a link to a message for the chat's members; "" where the chat has no links."""
    if chat.kind != "supergroup":
        return ""
    path = (str(chat.id).removeprefix("-100"), *([str(thread)] if thread is not None else []), str(message))
    return f"https://t.me/c/{'/'.join(path)}"


def page_address(chat: Chat, table: int) -> str:
    """Return the address of a table that only the app shows; messages about it go to the chat."""
    return f"{chat.address}:-{table}"


def is_page(address: str) -> bool:
    """Check whether only the app shows the table at an address."""
    return ":-" in address


# A noted press is written out, however long its words are.
LONGEST_PRESS = 4096
# Interval for asking the bot's own name; at once, but with the other interval, if another name is addressed.
NAME_KEPT_S, NAME_ASKED_S = 50.0, 5.0


@dataclass
class Notes:
    """The notes of the store, in memory."""

    chats: dict[int, Chat] = field(default_factory=dict)
    numbers: dict[int, Chat] = field(default_factory=dict)
    posts: dict[str, TablePost] = field(default_factory=dict)
    wants_direct: set[int] = field(default_factory=set)
    # {number of a chat: the games that its command menus are for}.
    menus: dict[int, tuple[str, ...]] = field(default_factory=dict)
    # {user: number of the group whose settings link they followed last}.
    admin_groups: dict[int, int] = field(default_factory=dict)
    # {number of a private chat: the settings button that waits for text, and its message}.
    fillings: dict[int, tuple[Press, int]] = field(default_factory=dict)
    has_app: bool = False


class TelegramContext(PlatformContext):
    """The platform context of Telegram. Belongs to the event loop."""

    def __init__(self, writer: Access, bot: Bot, outbox: Outbox, clock: Clock, public_url: str | None = None) -> None:
        super().__init__(writer, PLATFORM)
        self.public_url = public_url
        self.bot, self.outbox, self.clock, self.notes = bot, outbox, clock, Notes()
        # Rate limits of one account for presses and text.
        self.allowance = Allowance(AT_ONCE, A_SECOND, clock.now)
        self.below = Below(FAR_UP)
        # Ephemeral messages are used only after the server has shown that it knows them.
        self.knows_ephemeral: bool | None = None
        # Called with the addresses that can be reached again, before their tables get new clocks.
        self.on_back: Callable[[Iterable[str]], None] = lambda addresses: None
        self._last_number = 0
        self._named_at = -NAME_ASKED_S
        # Shown links lead to another bot, or nowhere.
        self.on_renamed: Callable[[], None] = lambda: None

    async def submit_update(self, command: Command) -> Answer:
        """Submit the command of an update. Raises Busy."""
        answer = await self.submit(command)
        if answer == BUSY:
            raise Busy
        return answer

    def note_fault(self, fault: BaseException) -> None:
        """Report a failed task; a refusal by Telegram is only a warning."""
        if isinstance(fault, TelegramError):
            _log.warning("a message was not sent: %s", fault)
        else:
            super().note_fault(fault)

    async def send(self, chat: Chat, call: Callable[[], Awaitable[Any]]) -> Any:
        """Make a call when the queue allows and return its result. Raises Telegram's refusal."""
        return await self.outbox.send(chat.number, call, is_group=not chat.is_private)

    def queue_call(self, chat: Chat, key: Hashable, call: Callable[[], Awaitable[Any]], **when: Any) -> None:
        """Set what to send in a chat under `key`, as `Outbox.put` does."""
        self.outbox.put(chat.number, key, call, is_group=not chat.is_private, **when)

    async def delete(self, chat: Chat, message: int) -> bool:
        """Delete a message, without the queue; return whether Telegram accepted it. A failure does no harm."""
        try:
            await self.bot.delete_message(chat.id, message)
        except BadRequest as refusal:
            return "not found" in str(refusal)
        except TelegramError:
            return True
        self.below.gone(chat.address, message)
        return True

    def heard(self, message: Message) -> None:
        """Count a message in a chat. A supergroup numbers its messages without gaps, so that missing ones are
        noticed.
        """
        chat = self.notes.chats.get(message.chat.id)
        if chat is not None:
            is_dense = message.chat.type == "supergroup" and not message.chat.is_forum
            thread = message.message_thread_id if message.is_topic_message else None
            self.below.heard(self.address_of(chat, thread), message.message_id, is_dense=is_dense)

    def link_to(self, table: int) -> str:
        """Return links to the table's message, in its first supergroup (other chats have no links), and to its app."""
        links = (self._message_url(table), self.app_link(table))
        return Link("".join(f" · {link}" for link in links if link))

    def url_to(self, table: int) -> str:
        """Return a link for a button: to the message, or to the app; "" if there is neither."""
        return self._message_url(table) or self.app_link(table)

    def _message_url(self, table: int) -> str:
        for address in self.addresses_of(table):
            chat, post = self.chat_at(address), self.notes.posts.get(address)
            url = message_link(chat, self.thread_at(address), post.message) if chat and post else ""
            if url:
                return url
        return ""

    @property
    def has_app(self) -> bool:
        """Return whether links can open the page, which BotFather must know. Buttons in private chats only need an
        address.
        """
        return self.public_url is not None and bool(self.bot.bot.has_main_web_app)

    def app_link(self, table: int) -> str:
        """Return a link that opens the table in the app; "" if the bot has no app."""
        return f"https://t.me/{self.bot.username}?startapp={name_of(table)}" if self.has_app else ""

    def open_button(self, chat: Chat, table: int, language: str) -> InlineKeyboardButton | None:
        """Return a button that opens the table in the app; in groups only a link is possible."""
        label = say(OPEN_TABLE, language)
        if chat.is_private and self.public_url is not None:
            return InlineKeyboardButton(label, web_app=WebAppInfo(page_of(self.public_url, PLATFORM, table)))
        return InlineKeyboardButton(label, url=self.app_link(table)) if self.has_app else None

    def link_for(self, code: str) -> str:
        """Return a link that opens the private chat, where Start accepts the invitation."""
        return Link(f"https://t.me/{self.bot.username}?start=accept_{code}")

    async def follow_own_name(self) -> None:
        """Ask for the bot's @name now and then, because it can change and links contain it."""
        while True:
            await self.clock.sleep(NAME_KEPT_S)
            await self._ask_own_name()

    async def hear_name(self, addressed: str) -> None:
        """Ask for the bot's own name again when a command is addressed to an unknown one."""
        is_known = not addressed or addressed.lower() == self.bot.username.lower()
        if not is_known and self.clock.now() - self._named_at >= NAME_ASKED_S:
            self._named_at = self.clock.now()
            await self._ask_own_name()

    async def _ask_own_name(self) -> None:
        before = self.bot.username
        with suppress(TelegramError):
            await self.bot.get_me()
        if self.bot.username != before:
            self.on_renamed()
        self.note_app()

    def note_app(self) -> None:
        """Note whether links can open tables in the app, when that has changed."""
        if self.has_app != self.notes.has_app:
            self.notes.has_app = self.has_app
            self.note(APP_NOTE, self.has_app)

    @property
    def is_idle(self) -> bool:
        return not self._tasks and self.outbox.is_idle

    def load(self) -> None:
        """Read all notes, before the first update."""
        for user, value in self.noted("direct:"):
            if value:
                self.notes.wants_direct.add(int(user))
        for user, number in self.noted("office:"):
            self.notes.admin_groups[int(user)] = int(number)
        for chat, asked in self.noted("fill:"):
            if asked and (press := load_press(asked["press"])) is not None:
                self.notes.fillings[int(chat)] = press, asked["message"]
        self.notes.has_app = any(value for rest, value in self.noted(APP_NOTE) if not rest)
        self._load_chats()
        self._load_places()

    def _load_chats(self) -> None:
        for number, value in self.noted("chat:"):
            self._note_chat(Chat(int(number), value["id"], value["kind"]))

    def _load_places(self) -> None:
        addresses = [row.address for row in self.places()]
        for address, value in self.noted_of(addresses, "post:"):
            if value:
                self.notes.posts[address] = post = TablePost(**value)
                self.below.stands(address, post.message)
        for address, games in self.noted_of(addresses, "menu:"):
            if games is not None:
                self.notes.menus[int(address)] = tuple(games)

    def _note_chat(self, chat: Chat) -> None:
        self.notes.chats[chat.id] = self.notes.numbers[chat.number] = chat
        self._last_number = max(self._last_number, chat.number)

    def chat_of(self, id: int, kind: str) -> Chat:
        """Return the chat of that id, noting a new one."""
        known = self.notes.chats.get(id)
        if known is None:
            known = Chat(self._last_number + 1, id, kind)
            self.note_chat(known)
        return known

    def note_chat(self, chat: Chat) -> None:
        old = self.notes.numbers.get(chat.number)
        if old is not None and old.id != chat.id:
            self.notes.chats.pop(old.id, None)
        self._note_chat(chat)
        self.note(f"chat:{chat.number}", {"id": chat.id, "kind": chat.kind})

    def note_post(self, address: str, post: TablePost | None) -> None:
        """Note the message that shows the table at an address; None if there is none."""
        if post is None:
            self.notes.posts.pop(address, None)
            self.below.leave(address)  # the next number may be lower: a new supergroup counts from the start
        else:
            if not self.below.is_known(address, post.message):
                self.below.stands(address, post.message)
            self.notes.posts[address] = post
        self.note(f"post:{address}", vars(post) if post else None)

    def note_menu(self, chat: Chat, games: tuple[str, ...]) -> None:
        """Note a group's menu, if fewer games are open there."""
        self.notes.menus[chat.number] = games
        self.note(f"menu:{chat.number}", games)

    def note_direct(self, user: int, wants: bool) -> None:
        (self.notes.wants_direct.add if wants else self.notes.wants_direct.discard)(user)
        self.note(f"direct:{user}", wants)

    def note_admin_group(self, user: int, number: int) -> None:
        """Note the group for which a person is an inspector in their private chat; their rights are checked each
        time.
        """
        if self.notes.admin_groups.get(user) != number:
            self.notes.admin_groups[user] = number
            self.note(f"office:{user}", number)

    def note_filling(self, chat: Chat, press: Press, message: int) -> None:
        """Note that the next text in this private chat completes that press, also after a restart."""
        self.notes.fillings[chat.number] = press, message
        self.note(f"fill:{chat.number}", {"press": dump_press(press, LONGEST_PRESS), "message": message})

    def take_filling(self, chat: Chat) -> tuple[Press, int] | None:
        """Return and clear the text that a chat was asked for."""
        waiting = self.notes.fillings.pop(chat.number, None)
        if waiting is not None:
            self.note(f"fill:{chat.number}", None)
        return waiting

    def late(self) -> dict[int, Update]:
        """Return the deferred updates that are not done, from the store."""
        updates = (Update.de_json(one, self.bot) for _name, value in self.noted("late") for one in value)
        return {update.update_id: update for update in updates}

    async def note_late(self, updates: list[Update]) -> bool:
        """Store exactly these deferred updates; return whether they are on disk."""
        told = json.dumps([update.to_dict() for update in updates])
        return not (await self.tend("note", "", "late", told)).refused

    def chat_at(self, address: str) -> Chat | None:
        return self.notes.numbers.get(int(address.removeprefix("@").partition(":")[0]))

    def thread_at(self, address: str) -> int | None:
        return None if is_page(address) else int(address.partition(":")[2] or 0) or None

    def address_of(self, chat: Chat, thread: int | None) -> str:
        """Return the address of a chat or of a topic in it."""
        return chat.address if chat.is_private or thread is None else f"{chat.address}:{thread}"

    def addresses_in(self, chat: Chat) -> list[str]:
        """Return the addresses of a chat and its topics."""
        known = (row.address for row in self.places_beside(chat.address))
        return [address for address in known if (there := self.chat_at(address)) and there.number == chat.number]

    def shown_name(self, chat: Chat, user: User) -> Name:
        """Return what a person is called in a chat's casino; before their first command there, as their account is."""
        row, player = self.row_at(chat.address), self.player_of(user.id)
        if row is None or player is None:
            return Name(trim_name(user.full_name or ""))  # None for a deleted account
        return self.state.name_of(row.casino, player)

    def user_of(self, player: int) -> int | None:
        """Return a player's Telegram account, or None; anonymous administrators have none."""
        account = self.account_of(player)
        return int(account) if account and account.isdigit() else None
