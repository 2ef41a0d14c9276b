"""What is said on Telegram: our own sentences as they are, and nothing live in what people wrote.

Telegram itself makes links of plain text: @names, /commands, #tags, addresses. Names, reasons and cuts are plain values
of a sentence; a word joiner, which nobody sees, goes where a link would begin. Not for values that are markup.
"""

import re
from functools import lru_cache

from bot import texts
from bot.texts import Name, Text

JOINER = "\u2060"
# After what a link would begin: @name #tag $TAG +39 /command, tg://, the dot of a domain, the dots of 127.0.0.1.
_LIVE = re.compile(r"[@#$+](?=\w)|(?<!\w)/(?=\w)|:(?=//)|(?<=\w)\.(?=[^\W\d])|(?<=\d)\.(?=\d+\.\d)")

_HYPHENED = re.compile(r"(?<!\w)/[a-z]+(?:-[a-z]+)+")
_MAY_BE_LIVE = {str, Name, Text, list, tuple}


class Link(str):
    """One of our own, which stays live."""


@lru_cache(maxsize=4096)
def inert(written: str) -> str:
    """It reads the same, and mentions, links and commands nothing."""
    return _LIVE.sub(rf"\g<0>{JOINER}", written)


def as_typed(text: str) -> str:
    """What somebody copied from here, as it was written."""
    return text.replace(JOINER, "")


def say(text: Text, language: str) -> str:
    """With values that Telegram makes no link, mention or command of."""
    return texts.say(_inert_text(text) if _may_be_live(text) else text, language, _name_commands)


@lru_cache(maxsize=4096)
def _name_commands(words: str, _language: str) -> str:
    """As the menus have them: a command with a hyphen would end there."""
    return _HYPHENED.sub(lambda found: found[0].replace("-", ""), words)


def _may_be_live(text: Text) -> bool:
    """Whether a value holds what somebody wrote; most sentences of a table hold amounts and words alone."""
    for value in text.values.values():  # noqa: SIM110  a generator would take as long as the whole sentence
        if type(value) in _MAY_BE_LIVE:
            return True
    return False


def _inert_text(text: Text) -> Text:
    return Text(text.template, text.plural, **{name: _inert_value(value) for name, value in text.values.items()})


def _inert_value(value: object) -> object:
    """Amounts, cards and words of the game are the house's own."""
    if isinstance(value, Name):
        return Name(inert(value))
    if type(value) is str:
        return inert(value)
    if isinstance(value, Text):
        return _inert_text(value)
    return [_inert_value(one) for one in value] if isinstance(value, list | tuple) else value
