"""Names of commands on Discord: in its own lists, in every language, and in sentences.

A mention can be pressed, but the client shows its English name in every language, and a translated one does nothing
(discord-api-docs #5518); so readers of other languages get both.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from bot.core.command_list import CHAT_COMMANDS
from bot.core.commands.registry import CommandSpec
from bot.texts import Text, say
from bot.texts.languages import SOURCE, forget_with

_NAME = re.compile(r"[-_'\w]{1,32}")
# Around a command in a sentence, until the text around it is escaped.
_OPEN, _CLOSE = "\ue000", "\ue001"
_COMMAND = re.compile(r"(?<![\w/<.-])/([a-z]+(?:-[a-z]+)*)(?: ([a-z]+))?")
_MARKED = re.compile(f"{_OPEN}([a-z -]+){_CLOSE}")
# {first word of a command as registered: its id}.
_ids: dict[str, int] = {}
_fields: dict[str, Iterable["CommandField"]] = {}
_TYPED = re.compile("`(/[^`]*)`")
# A placeholder: AMOUNT.
_STANDS_FOR = re.compile("[^a-z0-9{}]{2,}")


def named_commands() -> Iterator[tuple[str, str, CommandSpec]]:
    """Yield (group, name in it, verb); a command without a group has ""."""
    for verb in CHAT_COMMANDS.values():
        group, _space, name = verb.name.partition(" ")
        if not name or group in CHAT_COMMANDS or (verb.group != "inspectors" and group in inspected()):
            # Permissions cover a whole group, so a player's verb is separate from inspectors' verbs with the same first
            # word. No group has the name of a command.
            yield "", verb.name.replace(" ", "-"), verb
        else:
            yield group, name, verb


def inspected() -> set[str]:
    """Return the first words of inspectors' commands."""
    return {verb.name.partition(" ")[0] for verb in CHAT_COMMANDS.values() if verb.group == "inspectors"}


def translated_name(name: str, language: str) -> str:
    """Return the catalogue's name of a command or argument, valid or not; else the English name."""
    return say(Text(f"/{name}"), language).removeprefix("/").lower()


def is_name(said: str) -> bool:
    """Return whether Discord accepts it as the name of a command or an argument."""
    return _NAME.fullmatch(said) is not None


def name_in(name: str, language: str) -> str | None:
    """Return the translated name if it differs and Discord accepts it, else None."""
    said = translated_name(name, language)
    return said if said != name and is_name(said) else None


class CommandField(NamedTuple):
    """An option of a command; `before` is typed before its value."""

    name: str
    is_number: bool
    choices: tuple[str, ...]
    before: str


def know_fields(fields: Mapping[str, Iterable[CommandField]]) -> None:
    """Store the options of each verb, whose names sentences use for arguments."""
    _fields.clear()
    _fields.update(fields)
    mark_commands.cache_clear()


def know_commands(registered: Iterable[Mapping[str, Any]]) -> None:
    """Store the ids of the registered commands, which can be mentioned from now on."""
    _ids.clear()
    _ids.update({one["name"]: int(one["id"]) for one in registered})
    _written.cache_clear()


@lru_cache(maxsize=4096)
def mark_commands(words: str, language: str) -> str:
    """Replace the commands in a text of ours by marks that escaping leaves alone.

    A pressed command comes without arguments, so the text after it names the fields they belong in.
    """
    return _COMMAND.sub(_mark, _TYPED.sub(lambda found: _name_fields(found[1], language), words))


def _name_fields(typed: str, language: str) -> str:
    """Return `/pause 7` as "/pause (days: 7)"; unchanged if its fields are unknown."""
    words = typed.removeprefix("/").split()
    verb = next((" ".join(words[:n]) for n in (2, 1) if " ".join(words[:n]) in _fields), None)
    if verb is None:
        return typed
    named = _sort(_fields[verb], words[len(verb.split()) :], language)
    return f"/{verb} ({', '.join(named)})" if named else typed


def _sort(fields: Iterable[CommandField], args: list[str], language: str) -> list[str]:
    """Return each argument after the name of its field; empty if one has no field. The last field takes the rest."""
    named, left, known = list[str](), [*args], [*fields]
    for field in known:
        if not left:
            break
        before = field.before.strip()
        taken = left[0].removeprefix("#") if before == "#" else left[0]
        if before not in ("", "#"):
            if left[0] != before or len(left) < 2:
                continue
            taken = left[1]
        elif not _fits(field, taken):
            continue
        left = left[2:] if before not in ("", "#") else left[1:]
        if field is known[-1]:
            taken, left = " ".join([taken, *left]), []
        name = name_in(field.name, language) or field.name
        named.append(name if _STANDS_FOR.fullmatch(taken) else f"{name}: {taken}")
    return named if not left else []


def _fits(field: CommandField, word: str) -> bool:
    if _STANDS_FOR.fullmatch(word) or word.startswith("{"):
        return True
    if field.choices:
        return word in field.choices
    return not field.is_number or word.isdigit()


def _mark(found: re.Match[str]) -> str:
    first, second = found[1], found[2]
    if second and f"{first} {second}" in CHAT_COMMANDS:
        return f"{_OPEN}{first} {second}{_CLOSE}"
    rest = f" {second}" if second else ""
    return f"{_OPEN}{first}{_CLOSE}{rest}" if first in CHAT_COMMANDS else found[0]


def write_commands(words: str, language: str) -> str:
    """Replace each mark by a command that the reader can press or type."""
    return _MARKED.sub(lambda found: _written(found[1], language), words) if _OPEN in words else words


@lru_cache(maxsize=1024)
def _written(verb: str, language: str) -> str:
    """Return a command as it is registered and as the reader's client lists it."""
    name = next((f"{group} {name}".strip() for group, name, one in named_commands() if one.name == verb), verb)
    words = name.split()
    own = f"/{' '.join((name_in(word, language) if language != SOURCE else None) or word for word in words)}"
    id = _ids.get(words[0])
    if id is None:
        return own
    mention = f"</{name}:{id}>"
    return mention if own == f"/{name}" else f"{mention} ({own})"


forget_with(_written)
