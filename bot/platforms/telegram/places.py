"""Chats and topics: administrators, changed ids of groups, removal and muting of the bot."""

import logging
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial

from telegram import Chat as TelegramChat
from telegram import ChatMember, ChatMemberUpdated, InlineKeyboardMarkup, Update, User
from telegram.error import Forbidden, TelegramError

from bot import texts
from bot.core.commands.command import Command, Who
from bot.core.state.place import Place
from bot.core.state.plays import PLAYS
from bot.core.state.table import Table
from bot.platforms.common.context import language_of
from bot.platforms.common.press import Press
from bot.platforms.telegram.context import PLATFORM, Chat, TablePost, TelegramContext
from bot.platforms.telegram.drawing import escape, link_button, press_button
from bot.platforms.telegram.saying import inert, say
from bot.platforms.telegram.tables import TelegramTables
from bot.platforms.telegram.updates import ANONYMOUS
from bot.texts import Text

ADMIN_KEPT_S = 60.0
SET_UP = Text("Set up")
GREETING = Text(
    "Thanks for adding Ridotto! {n} casino games with play chips: no real money, ever. Admins: tap Set up to open the "
    "first table."
)
# Telegram's errors for a place that cannot be written to for now, and for one that is gone.
_SILENT = ("not enough rights", "chat_write_forbidden", "topic_closed", "have no rights", "need administrator rights")
_GONE = ("message thread not found", "topic_deleted", "topic_id_invalid", "chat not found")
_log = logging.getLogger("ridotto.telegram")


@dataclass
class TelegramPlaces:
    """Groups, topics and private chats: which of them have tables, who administers them, which are lost."""

    context: TelegramContext
    tables: TelegramTables
    _admins: dict[tuple[int, int], tuple[float, bool]] = field(default_factory=dict)

    async def is_inspector(self, chat: Chat, user: int, *, afresh: bool = False) -> bool:
        """Return whether an account owns or administers the chat; asked at most once a minute, or with `afresh` now."""
        if chat.is_private:
            return False
        if user == ANONYMOUS:
            return True
        now, (since, known) = self.context.clock.now(), self._admins.get((chat.number, user), (-1e9, False))
        if now - since < ADMIN_KEPT_S and not afresh:
            return known
        try:
            member = await self.context.bot.get_chat_member(chat.id, user)
        except TelegramError as fault:
            _log.warning("could not find out who administers a group: %s", fault)
            return False
        known = member.status in (ChatMember.OWNER, ChatMember.ADMINISTRATOR)
        self._admins[chat.number, user] = (now, known)
        return known

    async def arrive(self, chat: Chat, thread: int | None, user: User, title: str) -> str:
        """Return the address of a place; report a new one to the writer as far as that needs no decision."""
        address = self.context.address_of(chat, thread)
        known = self.context.state.places
        if (PLATFORM, address) in known:
            return address
        language = language_of(user.language_code)
        if chat.is_private:
            await self.context.submit_update(
                self.context.internal_command("call on", address, str(user.id), title, language)
            )
        elif (PLATFORM, chat.address) in known:
            await self.context.submit_update(self.context.internal_command("enter", address, chat.address))
        return address

    async def found(self, chat: Chat, thread: int | None, user: User, title: str) -> str:
        """Found a casino for the group on an inspector's request."""
        language = language_of(user.language_code)
        await self.context.submit_update(self.context.internal_command("arrive", chat.address, title, language))
        return await self.arrive(chat, thread, user, title)

    async def greet(self, chat: Chat, change: ChatMemberUpdated) -> None:
        """Send the greeting to a new group; its button does the rest."""
        language = language_of(change.from_user.language_code)
        await self.context.submit_update(
            self.context.internal_command("arrive", chat.address, change.chat.title or "?", language)
        )
        button = press_button(say(SET_UP, language), Press("setup"))
        greeting = say(Text(GREETING.template, n=len(PLAYS)), language)
        send = partial(self.context.bot.send_message, chat.id, greeting, reply_markup=InlineKeyboardMarkup([[button]]))
        try:
            await self.context.send(chat, send)
        except TelegramError as fault:
            _log.info("a group could not be greeted: %s", fault)

    def games_at(self, chat: Chat) -> set[str]:
        """Return the games open in the topics of this forum."""
        topics = (address for address in self.context.addresses_in(chat) if address != chat.address)
        tables = map(self.context.table_at, topics)
        return {table.game for table in tables if table is not None and table.status not in ("closed", "closing")}

    async def change_game(self, address: str, who: Who, key: str, game: str) -> None:
        """Close a sleeping table before `/table open` with another game."""
        table = self.context.table_at(address)
        if (
            table is None
            or table.status == "closed"
            or game not in PLAYS
            or table.round.bets
            or table.round.hand is not None
        ):
            return
        place = Place(PLATFORM, address)
        await self.context.submit_update(
            Command(f"{key}:close", who, place, "table close", ("/table", "open", game), "", True)
        )

    def migrate(self, old: int, new: int) -> None:
        """Follow a group that became a supergroup: it has a new id, and its old messages cannot be edited."""
        chat = self.context.notes.chats.get(old)
        if chat is None:
            return
        self.context.note_chat(replace(chat, id=new, kind="supergroup"))
        for address in self.context.addresses_in(chat):
            self.context.note_post(address, None)
            self.tables.schedule_update(address, again=True)

    async def on_membership(self, update: Update, _context: object) -> None:
        """Handle a change of the bot's own membership: added, removed, muted, blocked, or given rights."""
        change = update.my_chat_member
        if change is None or change.chat.type == TelegramChat.CHANNEL:
            return
        chat = self.context.chat_of(change.chat.id, change.chat.type)
        if change.new_chat_member.status in (ChatMember.LEFT, ChatMember.BANNED):
            await self._leave(chat)
        elif _is_muted(change):
            for address in self.context.addresses_in(chat):
                await self._lose(address)
        else:
            self._admins.pop((chat.number, self.context.bot.id), None)
            for address in self.context.addresses_in(chat):
                self.tables.schedule_update(address, again=True)
            was_away = change.old_chat_member.status in (ChatMember.LEFT, ChatMember.BANNED)
            if (
                was_away
                and not chat.is_private
                and not self.games_at(chat)
                and self.context.table_at(chat.address) is None
            ):
                self.context.spawn(self.greet(chat, change))

    async def _leave(self, chat: Chat) -> None:
        if chat.is_private:
            self.context.note_direct(chat.id, False)
            await self._lose(chat.address)
            return
        for address in self.context.addresses_in(chat):
            self.context.note_post(address, None)
        if (PLATFORM, chat.address) in self.context.state.places:
            for address in self.context.addresses_in(chat):
                await self._lose(address, "gone")

    def notice(self, told: TelegramChat) -> None:
        """Notice from a message whether its chat still has topics. Telegram does not report it otherwise, and messages
        of removed topics stay.
        """
        chat = self.context.notes.chats.get(told.id)
        if chat is None or chat.is_private or told.is_forum:
            return
        for address in self.context.addresses_in(chat):
            if self.context.thread_at(address) and self.context.table_at(address) is not None:
                self.context.spawn(self._lose_topic(chat, address, _TOPICS_OFF))

    async def _lose_topic(self, chat: Chat, address: str, says: Text) -> None:
        """Mark the table of a deleted topic as lost: bets come back, a dealt hand waits, and the group is told where to
        finish.
        """
        table, post = self.context.table_at(address), self.context.notes.posts.get(address)
        if table is None:
            return
        self.context.note_post(address, None)
        await self._lose(address, "gone")
        table = self.context.state.table(table.id)
        if table is not None and table.round.hand is not None:
            self.context.spawn(self._tell_players(chat, table, says))
        elif post is not None:
            self.context.spawn(self._clear(chat, post))

    async def _clear(self, chat: Chat, post: TablePost) -> None:
        """Remove the buttons of a closed table's message, if it was not deleted with its topic."""
        with suppress(TelegramError):
            await self.context.send(chat, partial(self.context.bot.edit_message_reply_markup, chat.id, post.message))

    async def _lose(self, address: str, *gone: str) -> None:
        await self.context.submit_update(self.context.internal_command("lose", address, *gone))

    async def _tell_players(self, chat: Chat, table: Table, says: Text) -> None:
        """Name the players with cards, with a button to them, because not all have a private chat."""
        language = table.settings.language
        names = [
            f'<a href="tg://user?id={user}">{escape(inert(self.context.state.name_of(table.casino, player)))}</a>'
            for player in sorted({*table.owners().values()})
            if (user := self.context.user_of(player)) is not None
        ]
        button = link_button(say(Text("My cards"), language), self.context.bot.username, "cards")
        words = texts.say(Text(says.template, names=", ".join(names)), language)
        send = partial(
            self.context.bot.send_message,
            chat.id,
            words,
            parse_mode="HTML",
            reply_markup=InlineKeyboardMarkup([[button]]),
        )
        with suppress(TelegramError):
            await self.context.send(chat, send)

    async def on_lost(self, address: str, fault: TelegramError) -> None:
        """Handle a table message that could not be sent (G10)."""
        said, chat = str(fault).lower(), self.context.chat_at(address)
        if any(words in said for words in _GONE):
            if chat is not None and self.context.thread_at(address):
                await self._lose_topic(chat, address, _TOPIC_GONE)
            else:
                self.context.note_post(address, None)
                await self._lose(address, "gone")
        elif isinstance(fault, Forbidden) or any(words in said for words in _SILENT):
            if chat is not None and chat.is_private:
                self.context.note_direct(chat.id, False)
            await self._lose(address)
        else:
            _log.error("table at %s could not be shown: %s", address, fault)


_TOPICS_OFF = Text("{names}: topics were switched off here. Finish your hand in our private chat.")
_TOPIC_GONE = Text("{names}: the topic of your table was deleted. Finish your hand in our private chat.")


def _is_muted(change: ChatMemberUpdated) -> bool:
    member = change.new_chat_member
    return member.status == ChatMember.RESTRICTED and not getattr(member, "can_send_messages", True)
