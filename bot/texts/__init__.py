"""What the house says: templates in English, put into a language at the very end. Imports nothing else of the bot.

A `Text` is data: a template with named values. Amounts, words of the game and cards in it are typed, so that each
language and platform can write them its own way.
"""

from functools import lru_cache
from gettext import GNUTranslations, NullTranslations
from io import BytesIO
from pathlib import Path
from typing import Any

import orjson
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import format_decimal

from engine.felt import Amount, Word

LANGUAGES = {"en": "English", "it": "Italiano"}
# What the games call themselves, in every language.
GAME_NAMES = {
    "caribbean": "Caribbean Stud",
    "uth": "Ultimate Texas Hold’em",
    "paiju": "Paiju",
    "blackjack": "Black Jack",
    "stud": "7 Card Stud Hi/Lo",
}
_FOLDER = Path(__file__).parent
_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


class Card(str):
    """A card's two-letter word in a sentence."""


class Text:
    """A sentence to say. `plural` and a value `n` choose between one and many."""

    __slots__ = ("plural", "template", "values")

    def __init__(self, template: str, /, plural: str = "", **values: object) -> None:
        self.template, self.plural, self.values = template, plural, values

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and self._all() == other._all()

    def __hash__(self) -> int:
        return hash(self.template)

    def __repr__(self) -> str:
        return f"Text({self.template!r}, {self.values!r})"

    def __str__(self) -> str:
        return say(self, "en")

    def _all(self) -> tuple[object, ...]:
        return self.template, self.plural, self.values


def say(text: Text, language: str) -> str:
    """The sentence in a language; English where a translation is missing."""
    values = {name: say_value(value, language) for name, value in text.values.items()}
    if text.plural and isinstance(n := text.values.get("n"), int):
        return _translations(language).ngettext(text.template, text.plural, n).format(**values)
    return _translated(text.template, language).format(**values)


def say_value(value: object, language: str) -> str:
    if isinstance(value, Text):
        return say(value, language)
    if isinstance(value, Amount):
        return say_amount(value, language)
    if isinstance(value, Card):
        return say_card(value)
    if isinstance(value, Word):
        return GAME_NAMES.get(value) or _translated(value, language)
    if isinstance(value, list | tuple):
        return ", ".join(say_value(one, language) for one in value)
    if isinstance(value, int) and not isinstance(value, bool):
        return _say_number(value, language)
    return str(value)


@lru_cache(maxsize=16384)
def _say_number(number: int, language: str) -> str:
    """The library looks its patterns up anew for each; a table says the same few numbers all evening."""
    return format_decimal(number, locale=language)


@lru_cache(maxsize=4096)
def say_amount(minor: int, language: str) -> str:
    """Chips by the locale: 1,234 or 12.50; two decimals only where they say something."""
    sign, whole, rest = "-" if minor < 0 else "", *divmod(abs(minor), 100)
    written = _say_number(whole, language)
    if not rest:
        return sign + written
    return f"{sign}{written}{',' if language == 'it' else '.'}{rest:02}"


def say_card(card: str) -> str:
    """A♠, 10♦, ?? for a hidden one; the joker by name."""
    if card == "JK":
        return "Joker"
    if card == "??":
        return "🂠"
    return card[0].replace("T", "10") + _SUITS[card[1]]


@lru_cache(maxsize=4096)
def _translated(words: str, language: str) -> str:
    """Empty words are none: to the library they are the head of the catalogue."""
    return _translations(language).gettext(words) if words else ""


@lru_cache(maxsize=8)
def _translations(language: str) -> NullTranslations:
    """The catalogue as it is written: compiled here, so that no compiled one can be missing or old."""
    if language == "en":
        return NullTranslations()
    compiled = BytesIO()
    with open(_FOLDER / language / "LC_MESSAGES" / "ridotto.po", "rb") as catalogue:
        write_mo(compiled, read_po(catalogue, locale=language))
    compiled.seek(0)
    return GNUTranslations(compiled)


# Texts as JSON, for the answers that are kept with the update that caused them.

_KINDS: dict[str, type] = {"amount": Amount, "word": Word, "card": Card}
_NAMES = {kind: name for name, kind in _KINDS.items()}


def dump_texts(texts: tuple[Text, ...]) -> str:
    return orjson.dumps([_dump(text) for text in texts]).decode()


def load_texts(data: str) -> tuple[Text, ...]:
    return tuple(map(_load, orjson.loads(data)))


def _dump(value: object) -> Any:
    kind = type(value)
    if kind is int or kind is str or kind is float:
        return value
    if kind in _NAMES:
        return {_NAMES[kind]: value}
    if isinstance(value, Text):
        values = {name: _dump(one) for name, one in value.values.items()}
        return {"text": value.template, "plural": value.plural, "values": values}
    if isinstance(value, list | tuple):
        return [_dump(one) for one in value]
    return value if isinstance(value, int) else str(value)


def _load(data: Any) -> Any:
    if isinstance(data, list):
        return [_load(one) for one in data]
    if isinstance(data, dict):
        if "text" in data:
            values = {name: _load(one) for name, one in data["values"].items()}
            return Text(data["text"], data["plural"], **values)
        ((name, value),) = data.items()
        return _KINDS[name](value)
    return data
