"""What came in: a typed line as a verb and its arguments, a press as what stood behind the button."""

import re
from typing import NamedTuple

from telegram import Message, User

from bot.floor.command import Who
from bot.floor.registry import VERBS

ANONYMOUS = 1087968824
LARGEST_DATA = 64
_COMMAND = re.compile(r"/([A-Za-z0-9_]{1,32})(?:@([A-Za-z0-9_]+))?(?:\s+(.*))?", re.DOTALL)
# Telegram's command names have letters, digits and underscores only.
NAMES = {verb.replace("-", ""): verb for verb in VERBS if " " not in verb}
GROUPS = {verb.partition(" ")[0] for verb in VERBS if " " in verb}


class Line(NamedTuple):
    verb: str
    args: tuple[str, ...]


class Press(NamedTuple):
    """What stands behind a button, in 64 bytes.

    kind    verb (a command as it is), chip, move, bet, yes, no, read, direct, own, ask
    table   the table that it is about, where the message does not say it (direct and ephemeral messages)
    """

    kind: str
    verb: str = ""
    args: tuple[str, ...] = ()
    fresh: str = ""
    table: int = 0


_KINDS = {
    "v": "verb",
    "c": "chip",
    "m": "move",
    "b": "bet",
    "y": "yes",
    "n": "no",
    "r": "read",
    "d": "direct",
    "o": "own",
    "a": "ask",
}
_LETTERS = {kind: letter for letter, kind in _KINDS.items()}


def dump_press(press: Press) -> str:
    table = str(press.table or "")
    data = "|".join((_LETTERS[press.kind] + table, press.verb, " ".join(press.args), press.fresh))
    assert len(data.encode()) <= LARGEST_DATA, data
    return data


def load_press(data: str) -> Press | None:
    """None for what no button of ours holds."""
    parts = data.split("|")
    if len(parts) != 4 or parts[0][:1] not in _KINDS or not (parts[0][1:] or "0").isascii():
        return None
    table = parts[0][1:] or "0"
    if not table.isdigit() or len(table) > 12:
        return None
    return Press(_KINDS[parts[0][0]], parts[1], tuple(parts[2].split()), parts[3], int(table))


def parse_line(text: str, me: str) -> Line | None:
    """`/bet@ridotto_bot ante 50`: the longest verb that it begins with. None for what is no command to this bot."""
    found = _COMMAND.fullmatch(text.strip())
    if found is None or (found[2] or me).lower() != me.lower():
        return None
    word, words = found[1].lower(), (found[3] or "").split()
    if word in GROUPS and words and f"{word} {words[0].lower()}" in VERBS:
        return Line(f"{word} {words[0].lower()}", tuple(words[1:]))
    return Line(NAMES.get(word, word), tuple(words))


def who_of(user: User, *, inspector: bool = False) -> Who:
    return Who("telegram", str(user.id), user.full_name, (user.language_code or "en")[:2], inspector)


def is_anonymous(message: Message) -> bool:
    """An administrator who hides behind the group."""
    return message.sender_chat is not None and message.sender_chat.id == message.chat.id


def thread_of(message: Message) -> int | None:
    """The topic of a forum; a reply in a plain supergroup has a thread id as well, and is in no topic."""
    return message.message_thread_id if message.is_topic_message else None
