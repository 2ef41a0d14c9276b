"""The command menus: at most twelve commands each, by reader and by the games open in their group."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from telegram import (
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeChat,
    BotCommandScopeChatAdministrators,
    MenuButton,
    MenuButtonDefault,
    MenuButtonWebApp,
    WebAppInfo,
)
from telegram.error import TelegramError

from bot.core.command_list import CHAT_COMMANDS
from bot.core.guide.helping import by_use, is_played
from bot.core.state.plays import PLAYS, Play
from bot.platforms.common.frames import OPEN_TABLE, page_of
from bot.platforms.telegram.context import PLATFORM, Bot, Chat, TelegramContext
from bot.texts import Text, say
from bot.texts.languages import KNOWN, SOURCE

LONGEST_HELP = 256
MOST = 12
MEMBERS = ("play", "chips", "knowing", "me")
# Number of moves in the menu of a group where one game is played.
MOST_MOVES = 4
# Gap between menus of two groups; nothing waits for them.
GAP_S = 1.0
_FIRST = ("bet", "buyin", "cards", "table", "tables", "rules", "balance", "daily")
_THEN = ("learn", "deal", "jackpot", "leaderboard", "language", "history", "pause")
_INSPECTORS = ("setup", "settings", "table", "grant", "ban", "audit")
_ALONE = ("setup", "learn", "bet", "cards", "rules", "balance", "daily", "history", "verify", "language", "pause")
_LAST = "help"
_log = logging.getLogger("ridotto.telegram")


def helps_of(groups: Iterable[str], language: str) -> dict[str, str]:
    """Return {command: its full description}: by first word, with what it does or its second words."""
    wanted = set(groups)
    found: dict[str, list[str]] = {}
    for verb in CHAT_COMMANDS.values():
        if verb.group in wanted:
            name, _space, rest = verb.name.partition(" ")
            said = say(verb.help, language) if rest in ("", "here") else rest
            found.setdefault(name.replace("-", ""), []).append(said)
    return {name: ", ".join(helps) for name, helps in found.items()}


def members_menu(plays: Sequence[Play]) -> list[str]:
    """Return the most used commands where these games are open, with the moves of a single game."""
    moves = by_use(plays[0].moves)[:MOST_MOVES] if len(plays) == 1 else []
    return _fit(name for name in (*_FIRST, *moves, *_THEN) if name == "table" or is_played(name, plays))


def inspectors_menu(plays: Sequence[Play]) -> list[str]:
    """Return the inspectors' commands, then those of members."""
    return _fit((*_INSPECTORS, *members_menu(plays)))


def _fit(names: Iterable[str]) -> list[str]:
    """Return each name once, with help, which lists everything, at the end."""
    once = [name for name in dict.fromkeys(names) if name != _LAST]
    return [*once[: MOST - 1], _LAST]


def commands_of(names: Iterable[str], groups: Iterable[str], language: str) -> list[BotCommand]:
    """Return the menu of these commands; `groups` are verbs whose first word stands for several."""
    helps = helps_of(groups, language)
    return [BotCommand(name.replace("-", ""), helps[name.replace("-", "")][:LONGEST_HELP]) for name in names]


ABOUT = Text(
    "Casino games in chats, dealt fairly and open to checks. Virtual chips only: they can never be bought or sold."
)
WHAT_IT_DOES = Text(
    "A casino for groups and private chats. Every deck is fixed before the bets, and anyone can check it. "
    "Virtual chips only: they can never be bought or sold. Press Start for a first hand, or add me to a group."
)


@dataclass
class Menus:
    """The menu for everyone is set at the start; a group in which fewer games are open gets its own."""

    context: TelegramContext
    # Groups whose menus must be checked, in the order of changes.
    _waiting: dict[int, None] = field(default_factory=dict)
    _is_at_work: bool = False

    @property
    def bot(self) -> Bot:
        return self.context.bot

    async def open(self) -> None:
        """Set the bot's description and menus. A failure is no hindrance to play."""
        for language, code in _codes():
            try:
                await self.bot.set_my_description(say(WHAT_IT_DOES, language), language_code=code)
                await self.bot.set_my_short_description(say(ABOUT, language), language_code=code)
            except TelegramError as fault:
                _log.warning("the bot's description was not set: %s", fault)
        await self._set_button()
        every = list(PLAYS.values())
        await self._set_menu(BotCommandScopeAllGroupChats(), members_menu(every), MEMBERS)
        await self._set_menu(BotCommandScopeAllChatAdministrators(), inspectors_menu(every), (*MEMBERS, "inspectors"))
        await self._set_menu(BotCommandScopeAllPrivateChats(), _fit(_ALONE), (*MEMBERS, "inspectors"))

    async def _set_button(self) -> None:
        """Set the menu button beside the text field; remove an old one if there is no page."""
        try:
            if (url := self.context.public_url) is not None:
                page = WebAppInfo(page_of(url, PLATFORM))
                await self.bot.set_chat_menu_button(menu_button=MenuButtonWebApp(say(OPEN_TABLE, SOURCE), page))
            elif _is_ours(await self.bot.get_chat_menu_button()):
                await self.bot.set_chat_menu_button(menu_button=MenuButtonDefault())
        except TelegramError as fault:
            _log.warning("the button that opens tables was not set: %s", fault)

    def handle_change(self, id: int) -> None:
        """Handle a changed table: opening or closing one changes the menu."""
        for address in self.context.addresses_of(id):
            chat = self.context.chat_at(address)
            if chat is not None and not chat.is_private and self._games_in(chat) != self._shown_in(chat):
                self._waiting[chat.number] = None
        if self._waiting and not self._is_at_work:
            self._is_at_work = True
            self.context.spawn(self._update_menus())

    async def _update_menus(self) -> None:
        try:
            while self._waiting:
                await self.context.clock.sleep(GAP_S)
                number = next(iter(self._waiting))
                del self._waiting[number]
                chat = self.context.notes.numbers.get(number)
                if chat is not None and (games := self._games_in(chat)) != self._shown_in(chat):
                    await self._set_of(chat, games)
        finally:
            self._is_at_work = False

    async def _set_of(self, chat: Chat, games: tuple[str, ...]) -> None:
        plays = [PLAYS[game] for game in games] or list(PLAYS.values())
        is_set = await self._set_menu(BotCommandScopeChat(chat.id), members_menu(plays), MEMBERS)
        groups = (*MEMBERS, "inspectors")
        if is_set and await self._set_menu(BotCommandScopeChatAdministrators(chat.id), inspectors_menu(plays), groups):
            self.context.note_menu(chat, games)

    def _games_in(self, chat: Chat) -> tuple[str, ...]:
        tables = (self.context.table_at(address) for address in self.context.addresses_in(chat))
        here = {table.game for table in tables if table is not None and table.status != "closed"}
        return tuple(game for game in PLAYS if game in here)

    def _shown_in(self, chat: Chat) -> tuple[str, ...]:
        """Return the games in a group's menu; by default all."""
        shown = self.context.notes.menus.get(chat.number)
        return shown if shown is not None else tuple(PLAYS)

    async def _set_menu(self, scope: BotCommandScope, names: Sequence[str], groups: Sequence[str]) -> bool:
        """Set a menu in every language; return whether all succeeded."""
        is_set = True
        for language, code in _codes():
            commands = commands_of(names, groups, language)
            try:
                await self.bot.set_my_commands(commands, scope=scope, language_code=code)
            except TelegramError as fault:
                _log.warning("a menu was not set: %s", fault)
                is_set = False
        return is_set


def _is_ours(button: MenuButton) -> bool:
    """Return whether a menu button opens our page; operators may have set another one."""
    return isinstance(button, MenuButtonWebApp) and urlsplit(button.web_app.url).path == page_of("", PLATFORM)


def _codes() -> Iterator[tuple[str, str | None]]:
    """Yield (language, Telegram's code for it); English is the default."""
    for language, known in KNOWN.items():
        for code in (None,) if language == SOURCE else known.codes.get(PLATFORM, ()):
            yield language, code
