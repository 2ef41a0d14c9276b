"""A game's own translations of sentences that the casino translates otherwise, such as the "Play" of a button.

The template of such a sentence is marked with the game's catalogue, wherever the game writes it; all others stay as
they are.
"""

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import partial
from typing import Any, TypeVar, cast

from bot.texts import LANGUAGES, Text
from bot.texts.catalogues import Catalogues, casino_catalogues, mark

Part = TypeVar("Part")


def find_contested(catalogues: Catalogues) -> dict[str, str]:
    """Return {template: the same, marked} of all that a game's catalogue translates otherwise than the casino's."""
    found: dict[str, str] = {}
    for language in LANGUAGES:
        ours = casino_catalogues(language).read(language)
        for message in catalogues.read(language):
            known = ours.get(message.id) if message.id and not message.context else None
            if known is not None and isinstance(message.id, str) and message.string not in ("", known.string):
                found[message.id] = mark(message.id, catalogues)
    return found


def mark_sentences(part: Part, contested: Mapping[str, str]) -> Part:
    """Return a part of a plugin with each contested template marked, also in what its functions return."""
    return cast(Part, _mark(part, contested)) if contested else part


def _mark(part: Any, contested: Mapping[str, str]) -> Any:
    again: Callable[[Any], Any] = partial(_mark, contested=contested)
    if isinstance(part, Text):
        values = {name: again(value) for name, value in part.values.items()}
        return Text(contested.get(part.template, part.template), part.plural, **values)
    if isinstance(part, tuple) and hasattr(part, "_fields"):
        return type(part)(*map(again, part))
    if isinstance(part, list | tuple):
        return type(part)(map(again, part))
    if isinstance(part, Mapping):
        return {name: again(value) for name, value in part.items()}
    if isinstance(part, type):
        return part
    if is_dataclass(part):
        changed = {field.name: again(getattr(part, field.name)) for field in fields(part)}
        return cast(Any, replace)(part, **changed)
    if callable(part):
        return lambda *about: again(part(*about))
    return part
