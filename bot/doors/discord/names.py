"""What commands are called here: in Discord's own lists, in every language, and in sentences.

A mention can be pressed, but the client shows it by the English name, whatever its language, and one that is written in
another is dead (discord-api-docs #5518): who reads another language is told both.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from bot.house.speech.registry import VERBS, Verb
from bot.texts import Text, say
from bot.texts.languages import SOURCE, forget_with

_NAME = re.compile(r"[-_'\w]{1,32}")
# Around a command that is to be named, until what stands around it is escaped.
_OPEN, _CLOSE = "\ue000", "\ue001"
_COMMAND = re.compile(r"(?<![\w/<.-])/([a-z]+(?:-[a-z]+)*)(?: ([a-z]+))?")
_MARKED = re.compile(f"{_OPEN}([a-z -]+){_CLOSE}")
# {the first word of a command, as it is registered: its id}.
_ids: dict[str, int] = {}


def named_verbs() -> Iterator[tuple[str, str, Verb]]:
    """(group, name in it, verb); a command by itself has the group ""."""
    for verb in VERBS.values():
        group, _space, name = verb.name.partition(" ")
        if not name or (verb.group != "inspectors" and group in inspected()):
            # Permissions cover a whole group: a player's verb stands apart from inspectors' of the same first word.
            yield "", verb.name.replace(" ", "-"), verb
        else:
            yield group, name, verb


def inspected() -> set[str]:
    """The first words of inspectors' commands."""
    return {verb.name.partition(" ")[0] for verb in VERBS.values() if verb.group == "inspectors"}


def translated_name(name: str, language: str) -> str:
    """What the catalogue has for a command or an argument, whether it can be one or not; else its English name."""
    return say(Text(f"/{name}"), language).removeprefix("/").lower()


def is_name(said: str) -> bool:
    """Whether Discord takes it as the name of a command or an argument."""
    return _NAME.fullmatch(said) is not None


def name_in(name: str, language: str) -> str | None:
    """Only what Discord takes as a name, and what is no name already."""
    said = translated_name(name, language)
    return said if said != name and is_name(said) else None


# In sentences


def know_commands(registered: Iterable[Mapping[str, Any]]) -> None:
    """As Discord has answered: from now on they can be mentioned."""
    _ids.clear()
    _ids.update({one["name"]: int(one["id"]) for one in registered})
    _written.cache_clear()


@lru_cache(maxsize=4096)
def mark_commands(words: str, _language: str) -> str:
    """The commands in words of ours, each as one mark that no escaping touches."""
    return _COMMAND.sub(_mark, words)


def _mark(found: re.Match[str]) -> str:
    first, second = found[1], found[2]
    if second and f"{first} {second}" in VERBS:
        return f"{_OPEN}{first} {second}{_CLOSE}"
    rest = f" {second}" if second else ""
    return f"{_OPEN}{first}{_CLOSE}{rest}" if first in VERBS else found[0]


def write_commands(words: str, language: str) -> str:
    """In the place of each mark what the reader can press, or type."""
    return _MARKED.sub(lambda found: _written(found[1], language), words) if _OPEN in words else words


@lru_cache(maxsize=1024)
def _written(verb: str, language: str) -> str:
    """As it is registered, and as the reader's client lists it."""
    name = next((f"{group} {name}".strip() for group, name, one in named_verbs() if one.name == verb), verb)
    words = name.split()
    own = f"/{' '.join((name_in(word, language) if language != SOURCE else None) or word for word in words)}"
    id = _ids.get(words[0])
    if id is None:
        return own
    mention = f"</{name}:{id}>"
    return mention if own == f"/{name}" else f"{mention} ({own})"


forget_with(_written)
