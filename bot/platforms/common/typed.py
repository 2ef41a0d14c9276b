"""Parse what people type into a command and its arguments."""

from typing import NamedTuple

from bot.core.command_list import CHAT_COMMANDS


class TypedLine(NamedTuple):
    """A verb, existing or not, and its arguments."""

    verb: str
    args: tuple[str, ...]


def parse_line(text: str) -> TypedLine:
    """Parse a line like `/table set minimum 20`: the longest command it begins with, else the words as typed.

    The slash is optional, hyphens in names may be left out as some platforms' menus do, an empty line is `help`, and
    `here` may be left out. The first word of several commands alone is answered with all of them.
    """
    words = text.strip().removeprefix("/").split()
    for length in (2, 1):
        verb = " ".join(words[:length]).lower()
        if len(words) >= length and verb in CHAT_COMMANDS:
            return TypedLine(verb, tuple(words[length:]))
    word = words[0].lower() if words else "help"
    if len(words) == 1 and f"{word} here" in CHAT_COMMANDS:
        return TypedLine(f"{word} here", ())
    if len(words) == 1 and word not in CHAT_COMMANDS and any(verb.startswith(f"{word} ") for verb in CHAT_COMMANDS):
        return TypedLine("help", (f"/{word}",))
    return TypedLine(next((verb for verb in CHAT_COMMANDS if verb.replace("-", "") == word), word), tuple(words[1:]))
