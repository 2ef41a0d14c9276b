"""The command menus: members, administrators and private chats each see theirs, in English and Italian."""

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

from bot.floor.registry import VERBS
from bot.on_telegram.desk import Bot
from bot.texts import LANGUAGES, Text, say

LONGEST_HELP = 256
MEMBERS = ("play", "chips", "knowing", "me")
SETUP = Text("Set the house up here")
_log = logging.getLogger("ridotto.telegram")


def commands_of(groups: Iterable[str], language: str) -> list[BotCommand]:
    """Each verb of these groups by its first word, with what it does or, for several, their second words."""
    wanted = set(groups)
    found: dict[str, list[str]] = {}
    for verb in VERBS.values():
        if verb.group in wanted:
            name, _space, rest = verb.name.partition(" ")
            found.setdefault(name.replace("-", ""), []).append(rest or say(verb.help, language))
    return [BotCommand(name, ", ".join(helps)[:LONGEST_HELP]) for name, helps in found.items()]


async def set_menus(bot: Bot) -> None:
    """A bot without menus plays all the same."""
    for language in LANGUAGES:
        setup = BotCommand("setup", say(SETUP, language))
        members = commands_of(MEMBERS, language)
        menus: list[tuple[BotCommandScope, list[BotCommand]]] = [
            (BotCommandScopeAllGroupChats(), members),
            (BotCommandScopeAllChatAdministrators(), [setup, *commands_of((*MEMBERS, "inspectors"), language)]),
            (BotCommandScopeAllPrivateChats(), [setup, *members]),
        ]
        for scope, commands in menus:
            try:
                # English is what everybody else sees.
                code = None if language == "en" else language
                await bot.set_my_commands(commands[:100], scope=scope, language_code=code)
            except TelegramError as fault:
                _log.warning("a menu was not set: %s", fault)
