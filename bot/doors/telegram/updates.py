"""What came in: who said it, where, and the command that he typed."""

import re

from telegram import Message, User

from bot.doors.kit.desk import language_of
from bot.doors.kit.typed import Line, parse_line
from bot.doors.telegram.saying import as_typed
from bot.house.speech.command import Who

ANONYMOUS = 1087968824
_COMMAND = re.compile(r"/([A-Za-z0-9_]{1,32})(?:@([A-Za-z0-9_]+))?(?:\s+(.*))?", re.DOTALL)


def parse_command(text: str, me: str) -> Line | None:
    """`/bet@ridotto_bot ante 50`; None for what is no command to this bot."""
    found = _COMMAND.fullmatch(as_typed(text).strip())
    if found is None or (found[2] or me).lower() != me.lower():
        return None
    return parse_line(f"{found[1]} {found[3] or ''}")


def who_of(user: User, *, inspector: bool = False) -> Who:
    """Whether he administers is for the caller to know."""
    return Who("telegram", str(user.id), user.full_name, language_of_user(user), inspector)


def language_of_user(user: User) -> str:
    """What his Telegram speaks; English where that is none of ours."""
    return language_of(user.language_code)


def is_anonymous(message: Message) -> bool:
    """An administrator who hides behind the group."""
    return message.sender_chat is not None and message.sender_chat.id == message.chat.id


def thread_of(message: Message) -> int | None:
    """The topic of a forum; a reply in a plain supergroup has a thread id as well, and is in no topic."""
    return message.message_thread_id if message.is_topic_message else None
