"""`/setup` on Telegram: a table or the topics of a group, missing rights, and a panel in the private chat."""

import asyncio
import logging
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from weakref import WeakValueDictionary

from telegram import Chat as TelegramChat
from telegram import ChatFullInfo, ChatMember, InlineKeyboardButton, InlineKeyboardMarkup, Message, User
from telegram.constants import ChatAction
from telegram.error import BadRequest, Forbidden, TelegramError

from bot.core.admin.settings import SETTINGS
from bot.core.commands.command import Answer, Choice, Who
from bot.core.state.plays import PLAYS
from bot.platforms.common.admin import MORE_SETTINGS
from bot.platforms.common.press import Press
from bot.platforms.common.sentences import FOR_INSPECTORS, TRY_AGAIN
from bot.platforms.common.setting_up import GAMES, PACE, Lack, PanelField, SettingUp, SetupPanel
from bot.platforms.telegram.context import Chat, TelegramContext
from bot.platforms.telegram.drawing import TEXT, Rows, in_rows, press_button
from bot.platforms.telegram.places import TelegramPlaces
from bot.platforms.telegram.saying import say
from bot.platforms.telegram.tables import TelegramTables
from bot.platforms.telegram.updates import language_of_user, who_of
from bot.texts import GAME_NAMES, Text

_ADMINISTERS = (ChatMember.OWNER, ChatMember.ADMINISTRATOR)
_log = logging.getLogger("ridotto.telegram")


@dataclass
class TelegramSetup:
    """Set up a group. Repeating it repairs: existing tables are shown again, missing ones opened, unwanted ones stay
    closed.
    """

    context: TelegramContext
    tables: TelegramTables
    places: TelegramPlaces

    def __post_init__(self) -> None:
        self.setting_up = SettingUp(self.context)
        # {group: lock while its topics are opened}: of two concurrent setups the second finds the topics.
        self._opening: WeakValueDictionary[int, asyncio.Lock] = WeakValueDictionary()

    def panel_of(self, chat: Chat) -> Choice:
        """Return the button to a group's panel, a link to the private chat."""
        return Choice(Text("Settings"), "setup", (str(chat.number),))

    async def run(
        self, chat: Chat, told: TelegramChat, thread: int | None, user: User, who: Who, key: str
    ) -> list[Text]:
        """Open a topic for each game of a forum, or one table in a plain group; show existing ones again.

        Return the missing rights if there are any; then nothing is opened.
        """
        address = await self.places.found(chat, thread, user, told.title or "")
        if lacks := await self.needed(chat):
            return lacks
        is_there = self.context.table_at(address) is not None
        if not told.is_forum or (thread is not None and is_there):
            return await self._open_first(chat, address, who, key)
        return await self._open_topics(chat, who, key)

    async def _open_first(self, chat: Chat, address: str, who: Who, key: str) -> list[Text]:
        table = self.context.table_at(address)
        if table is not None and table.status == "closing":
            return [Text("This table closes when its hand is over. Try again then.")]
        if table is not None and table.status != "closed":
            self.tables.bring_down(address)
            return [Text("The table moves down. Open Settings for its language, game and pace.")]
        answer = await self._open(chat, address, self.setting_up.wishes(chat.address).games[0], who, key)
        return list(answer.texts) if answer.refused else []  # the table itself says that it is open

    async def _open_topics(self, chat: Chat, who: Who, key: str) -> list[Text]:
        async with self._opening.setdefault(chat.number, asyncio.Lock()):
            return await self._open_missing(chat, who, key)

    async def _open_missing(self, chat: Chat, who: Who, key: str) -> list[Text]:
        said: list[Text] = []
        for address in self.context.addresses_in(chat):
            if self.context.thread_at(address) and self.context.table_at(address) is not None:
                await self.tables.renew(address)
        missing = self._missing(chat)
        for game in missing:
            try:
                answer = await self._open_topic(chat, game, who, key)
            except (BadRequest, Forbidden) as refusal:
                _log.info("no topic: %s", refusal)
                return [*said, Text(_REFUSES.template, words=str(refusal))]
            said += answer.texts if answer.refused else ()
        return said if missing else [Text("Ridotto is set up here. Each game has its topic.")]

    async def _open_topic(self, chat: Chat, game: str, who: Who, key: str) -> Answer:
        """Open a game's table in the topic made for it, or in a new one.

        A deleted topic is only noticed when a table is shown there, because Telegram does not report it.
        """
        while True:
            found = await self._find_topic(chat, game)
            thread = found or await self._make_topic(chat, game)
            address = f"{chat.address}:{thread}"
            await self.context.submit_update(self.context.internal_command("enter", address, chat.address))
            answer = await self._open(chat, address, game, who, key)
            if answer.refused or found is None:
                return answer
            await self.tables.renew(address)
            if self.context.table_at(address) is not None:
                return answer
            self.context.note(f"topic:{address}", None)

    async def open_game(self, chat: Chat, who: Who, key: str, game: str) -> list[Text]:
        """Open another table, in a topic of its own if the group has topics; return the result."""
        if game not in PLAYS:
            return []
        if lacks := await self.needed(chat):
            return lacks
        address = chat.address
        if await self._is_forum(chat):
            try:
                address = f"{address}:{await self._find_topic(chat, game) or await self._make_topic(chat, game)}"
            except (BadRequest, Forbidden) as refusal:
                return [Text(_REFUSES.template, words=str(refusal))]
            await self.context.submit_update(self.context.internal_command("enter", address, chat.address))
        return list((await self._open(chat, address, game, who, key)).texts)

    def _missing(self, chat: Chat) -> list[str]:
        """Return the wanted games without a topic."""
        there = self.places.games_at(chat)
        return [game for game in self.setting_up.wishes(chat.address).games if game not in there]

    async def _make_topic(self, chat: Chat, game: str) -> int:
        """Create a topic. Telegram counts it as a message, so it waits in the queue."""
        topic = await self.context.send(chat, partial(self.context.bot.create_forum_topic, chat.id, GAME_NAMES[game]))
        self.context.note(f"topic:{chat.address}:{topic.message_thread_id}", game)
        return int(topic.message_thread_id)

    async def _find_topic(self, chat: Chat, game: str) -> int | None:
        """Return a topic made for this game that has no table now, or None; the bot may have been away."""
        for name, made_for in list(self.context.noted(f"topic:{chat.address}:")):
            table = self.context.table_at(f"{chat.address}:{name}")
            if made_for != game or (table is not None and table.status != "closed"):
                continue
            try:
                # It costs nothing, is hardly visible, and is refused if the topic is gone.
                await self.context.bot.send_chat_action(chat.id, ChatAction.TYPING, message_thread_id=int(name))
            except BadRequest:
                self.context.note(f"topic:{chat.address}:{name}", None)
            else:
                return int(name)
        return None

    async def _open(self, chat: Chat, address: str, game: str, who: Who, key: str) -> Answer:
        return await self.setting_up.open_table(chat.address, address, game, who, key)

    async def _lacks(self, chat: Chat) -> list[Lack] | None:
        """Return the rights missing right now; None if the bot is not in the group."""
        try:
            told = await self.context.bot.get_chat(chat.id)
            me = await self.context.bot.get_chat_member(chat.id, self.context.bot.id)
        except TelegramError as fault:
            _log.info("could not find out what a group allows: %s", fault)
            return None
        hears_all = bool(self.context.bot.bot.can_read_all_group_messages)
        return list(lacks_of(told, me, makes_topics=bool(self._missing(chat)), hears_all=hears_all))

    async def needed(self, chat: Chat) -> list[Text]:
        """Return the missing rights without which tables cannot be shown, a sentence each."""
        return [lack.says for lack in await self._lacks(chat) or () if lack.is_needed]

    async def is_mute(self, chat: Chat) -> bool:
        """Return whether the bot may not write there."""
        return any(lack.says.template == _MAY_NOT_WRITE.template for lack in await self._lacks(chat) or ())

    async def why_lost(self, chat: Chat, thread: int | None) -> Text:
        """Return why a table cannot be shown at its place."""
        for text in await self.needed(chat):
            return text
        return _CLOSED if thread is not None else _NOT_SHOWN

    async def press(self, chat: Chat, user: User, press: Press, key: str, message: Message | None) -> list[Text]:
        """Handle a press in the panel, in the private `chat`; return what prevents showing it."""
        number, *values = press.args
        group = self._group(number)
        if group is None or not await self.places.is_inspector(group, user.id):
            return [FOR_INSPECTORS]
        who = who_of(user, inspector=True)
        lacks, is_forum = await self._lacks(group), await self._is_forum(group)
        if lacks is None:
            return [_NOT_THERE]
        said: Sequence[Text] = ()
        if press.verb == GAMES and is_forum:
            games = set(self.setting_up.wishes(group.address).games) ^ set(values)
            said = await self.setting_up.choose(group.address, who, key, GAMES, sorted(games))
        elif press.verb:
            said = await self.setting_up.choose(group.address, who, key, press.verb, values, one_game=not is_forum)
        if not any(lack.is_needed for lack in lacks) and press.verb in ("", GAMES):
            said = [*said, *await self._mend(group, who, key, is_forum=is_forum)]
        await self.show_panel(chat, user, number, said, message)
        return []

    async def _mend(self, group: Chat, who: Who, key: str, *, is_forum: bool) -> list[Text]:
        if not is_forum:
            table = self.context.table_at(group.address)
            is_there = table is not None and table.status not in ("closed", "closing")
            return [] if is_there else await self._open_first(group, group.address, who, key)
        return await self._open_topics(group, who, key) if self._missing(group) else []

    async def show_panel(
        self, chat: Chat, user: User, number: str, said: Sequence[Text] = (), message: Message | None = None
    ) -> None:
        """Show the panel in the private `chat`, anew or in place of `message`; only to administrators of the group."""
        group, language = self._group(number), self.context.language_of(user.id, user.language_code)
        lacks = await self._lacks(group) if group is not None else None
        if group is None or lacks is None or not await self.places.is_inspector(group, user.id):
            text = FOR_INSPECTORS if group is not None and lacks is not None else _NOT_THERE
            await self.context.send(chat, partial(self.context.bot.send_message, chat.id, say(text, language)))
            return
        one_game = not await self._is_forum(group)
        panel = self.setting_up.panel(group.address, lacks, said, language_of_user(user), one_game=one_game)
        lines = [say(text, language) for text in (*panel.lines, _BELOW)]
        markup = InlineKeyboardMarkup(panel_rows(panel, number, language))
        words = "\n".join(lines)[:TEXT]
        if message is None:
            await self.context.send(chat, partial(self.context.bot.send_message, chat.id, words, reply_markup=markup))
            return
        edit = partial(self.context.bot.edit_message_text, words, chat.id, message.message_id, reply_markup=markup)
        with suppress(BadRequest):  # it says so already
            await self.context.send(chat, edit)

    def _group(self, number: str) -> Chat | None:
        known = self.context.notes.numbers.get(int(number)) if number.isdecimal() else None
        return known if known is not None and not known.is_private else None

    async def _is_forum(self, group: Chat) -> bool:
        with suppress(TelegramError):
            return bool((await self.context.bot.get_chat(group.id)).is_forum)
        return False


TABLE_IS_OPEN = Text("The table is open: press an amount to bet.")
TOPICS_ARE_THERE = Text("Each game has its own topic. Choose one.")
_NOT_THERE = Text("I'm not in that group. Add me to it, then press Set up there.")
_CLOSED = Text("I can't write in this topic. Ask someone who manages topics to reopen it, then press again.")
_NOT_SHOWN = Text("Telegram won't let me post the table here. Try again in a minute.")
_BELOW = Text("Choose below: table language, games and time per decision.")
_REFUSES = Text(
    "Telegram says: {words}. Check my permissions under Group settings > Administrators, then try /setup again."
)
_MAY_NOT_WRITE = Text(
    "I can't write in {group}. Allow it under Group settings > Permissions, or make me an administrator."
)
_NO_PHOTOS = Text(
    "I can't send photos in {group}, so tables are text only. Allow it under Group settings > Permissions."
)
_NO_TOPICS = Text("I need the permission Manage topics in {group}: Group settings > Administrators > Ridotto.")
_TOPICS_OFF = Text(
    "Topics are off in {group}. Turn them on under Group settings > Topics to give each game its own topic."
)
_NO_ADMINISTRATOR = Text(
    "I'm not an administrator of {group}. Make me one under Group settings > Administrators, so that only you "
    "see the answers to your commands."
)
_NO_DELETING = Text(
    "I can't delete messages in {group}. Allow it under Group settings > Administrators > Ridotto. Until then "
    "I shorten old tables to one line."
)
_PRIVACY = Text(
    "In {group} I can't see when a table has scrolled out of view (privacy mode). Make me an administrator; "
    "until then use /table to bring it back."
)
LONGEST_TITLE = 40


def lacks_of(told: ChatFullInfo, me: ChatMember, *, makes_topics: bool, hears_all: bool) -> Iterator[Lack]:
    """Yield the rights that a group denies the bot; an optional one says what it would allow."""
    group, administers = (told.title or "?")[:LONGEST_TITLE], me.status in _ADMINISTERS

    def lack(text: Text, *, is_needed: bool = False) -> Lack:
        return Lack(Text(text.template, group=group), is_needed)

    def may(right: str) -> bool:
        rights = me if me.status == ChatMember.RESTRICTED else told.permissions
        return administers or getattr(rights, right, None) is not False

    if not may("can_send_messages"):
        yield lack(_MAY_NOT_WRITE, is_needed=True)
    elif not may("can_send_photos"):
        yield lack(_NO_PHOTOS)
    if not told.is_forum:
        yield lack(_TOPICS_OFF)
    elif not getattr(me, "can_manage_topics", False) and me.status != ChatMember.OWNER:
        yield lack(_NO_TOPICS, is_needed=makes_topics)
    if not administers:
        yield lack(_NO_ADMINISTRATOR)
        if not hears_all and (told.is_forum or told.type == TelegramChat.GROUP):
            yield lack(_PRIVACY)
    elif not getattr(me, "can_delete_messages", True):
        yield lack(_NO_DELETING)


def panel_rows(panel: SetupPanel, number: str, language: str) -> Rows:
    """Return a button for each choice, with a mark on the chosen ones."""
    rows: Rows = []
    for field in panel.fields:
        rows += in_rows(list(_buttons(field, number, language)), 1 if field.name == PACE else 2)
    if not panel.is_whole:
        rows.append([press_button(say(TRY_AGAIN, language), Press("setup", "", (number,)))])
    rows.append([press_button(say(MORE_SETTINGS, language), Press("admin", SETTINGS, (), "", 0, number))])
    return rows


def _buttons(field: PanelField, number: str, language: str) -> Iterator[InlineKeyboardButton]:
    for one in field.options:
        label = say(one.label, language)
        yield press_button(f"✓ {label}" if one.is_chosen else label, Press("setup", field.name, (number, one.value)))
