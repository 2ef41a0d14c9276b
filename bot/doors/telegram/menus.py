"""The command menus: members, administrators and private chats each see theirs."""

import logging
from collections.abc import Iterable

from telegram import (
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
)
from telegram.error import TelegramError

from bot.doors.telegram.desk import PLATFORM, Bot
from bot.house.speech.registry import VERBS
from bot.texts import Text, say
from bot.texts.languages import KNOWN, SOURCE

LONGEST_HELP = 256
MEMBERS = ("play", "chips", "knowing", "me")
SETUP = Text("Set the house up here")
_log = logging.getLogger("ridotto.telegram")


def commands_of(groups: Iterable[str], language: str) -> list[BotCommand]:
    """Each verb of these groups by its first word, with what it does or, for several, their second words."""
    return [BotCommand(name, help[:LONGEST_HELP]) for name, help in helps_of(groups, language).items()]


def helps_of(groups: Iterable[str], language: str) -> dict[str, str]:
    """{command: what its menu says}, however long."""
    wanted = set(groups)
    found: dict[str, list[str]] = {}
    for verb in VERBS.values():
        if verb.group in wanted:
            name, _space, rest = verb.name.partition(" ")
            found.setdefault(name.replace("-", ""), []).append(rest or say(verb.help, language))
    return {name: ", ".join(helps) for name, helps in found.items()}


async def set_menus(bot: Bot) -> None:
    """A bot without menus plays all the same."""
    for language, known in KNOWN.items():
        setup = BotCommand("setup", say(SETUP, language))
        members = commands_of(MEMBERS, language)
        menus: list[tuple[BotCommandScope, list[BotCommand]]] = [
            (BotCommandScopeAllGroupChats(), members),
            (BotCommandScopeAllChatAdministrators(), [setup, *commands_of((*MEMBERS, "inspectors"), language)]),
            (BotCommandScopeAllPrivateChats(), [setup, *members]),
        ]
        for scope, commands in menus:
            # English is what everybody else sees.
            for code in (None,) if language == SOURCE else known.codes.get(PLATFORM, ()):
                try:
                    await bot.set_my_commands(commands[:100], scope=scope, language_code=code)
                except TelegramError as fault:
                    _log.warning("a menu was not set: %s", fault)
