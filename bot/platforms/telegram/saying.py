"""Sentences on Telegram: ours unchanged, and no live links in what people wrote.

Telegram makes links of plain text: @names, /commands, #tags, addresses. Names, reasons and cuts are plain values of a
sentence; an invisible word joiner goes where a link would begin. Not for values that are markup.
"""

import re
from functools import lru_cache

from bot import texts
from bot.texts import Name, Text

JOINER = "\u2060"
# Places where a link would begin: @name #tag $TAG +39 /command, tg://, the dot of a domain, the dots of 127.0.0.1.
_LIVE = re.compile(r"[@#$+](?=\w)|(?<!\w)/(?=\w)|:(?=//)|(?<=\w)\.(?=[^\W\d])|(?<=\d)\.(?=\d+\.\d)")

_HYPHENED = re.compile(r"(?<!\w)/[a-z]+(?:-[a-z]+)+")
_MAY_BE_LIVE = {str, Name, Text, list, tuple}


class Link(str):
    """A link of our own, which stays live."""


@lru_cache(maxsize=4096)
def inert(written: str) -> str:
    """Return text that reads the same, without mentions, links and commands."""
    return _LIVE.sub(rf"\g<0>{JOINER}", written)


def as_typed(text: str) -> str:
    """Return copied text as it was written, without word joiners."""
    return text.replace(JOINER, "")


def say(text: Text, language: str) -> str:
    """Return a sentence whose values Telegram does not turn into links, mentions or commands."""
    return texts.say(_inert_text(text) if _may_be_live(text) else text, language, _name_commands)


@lru_cache(maxsize=4096)
def _name_commands(words: str, _language: str) -> str:
    """Write commands as in the menus, without hyphens, at which a command would end."""
    return _HYPHENED.sub(lambda found: found[0].replace("-", ""), words)


def _may_be_live(text: Text) -> bool:
    """Return whether a value may contain text that people wrote; most sentences of a table hold only amounts and
    words.
    """
    for value in text.values.values():  # noqa: SIM110  a generator would take as long as the whole sentence
        if type(value) in _MAY_BE_LIVE:
            return True
    return False


def _inert_text(text: Text) -> Text:
    return Text(text.template, text.plural, **{name: _inert_value(value) for name, value in text.values.items()})


def _inert_value(value: object) -> object:
    """Make a value inert; amounts, cards and words of the game are ours and stay."""
    if isinstance(value, Name):
        return Name(inert(value))
    if type(value) is str:
        return inert(value)
    if isinstance(value, Text):
        return _inert_text(value)
    return [_inert_value(one) for one in value] if isinstance(value, list | tuple) else value
