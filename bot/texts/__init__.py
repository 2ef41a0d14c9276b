"""All texts: templates in English, translated at the very end. Imports nothing else of the bot.

A `Text` is data: a template with named values. Amounts, words of the game and cards in it are typed, so that each
language and platform can write them its own way. The kind of a word (a spot, a state, a game) follows from the name
of its value: {spot}, {state}, {game}.

    languages.py    the languages, and the properties of each
    numbers.py      numbers and amounts in a language's forms, written and read
    catalogues.py   the translations, and the kinds of words
    options.py      units of options, and how their values are written
    games.py        texts of a game
    extract.py      content of a catalogue
"""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import Any
from unicodedata import bidirectional

import msgspec

from bot.texts import catalogues, numbers
from bot.texts.catalogues import PHASE, RANK, RESULT, SPOT, STATE, translate, translate_many, translate_word, unmarked
from bot.texts.folding import fold
from bot.texts.languages import LANGUAGES as LANGUAGES
from bot.texts.languages import SOURCE, forget_with, locale_of
from bot.texts.times import write_time
from engine.cards import is_pocket
from engine.felt import Amount, Word

# Names of values under which a sentence takes words of a kind. Other names have none.
_NAMED = {"spot": SPOT, "area": SPOT, "position": SPOT, "state": STATE, "phase": PHASE, "move": catalogues.MOVE}
_NAMED |= {"rank": RANK, "ranks": RANK, "shows": RANK, "result": RESULT}
_GAME = "game"
_titles: dict[str, str] = {}
GAME_NAMES: Mapping[str, str] = MappingProxyType(_titles)
"""{game: its title}, the same in every language."""
_labels: dict[str, str] = {}
_SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


class Card(str):
    """A card's two-letter word in a sentence."""


class Name(str):
    """Name of a person. In a sentence a right-to-left name is isolated."""


class Timestamp(int):
    """Seconds since 1970, written to the minute in UTC; a platform that can writes them in the reader's local time."""


class Usage(str):
    """A command as it is typed, with what goes behind it: `/give PLAYER AMOUNT`. Capitals stand for what one names."""


Naming = Callable[[str, str], str]
"""(words of ours, their language) -> the same, with each `/command` in them as the reader's client shows it.

A command with arguments is between backticks: `/pause 7`. Without a `Naming` they are left out.
"""


class Text:
    """A sentence to say. `plural` and a value `n` choose between one and many."""

    __slots__ = ("plural", "template", "values")

    def __init__(self, template: str, plural: str = "", /, **values: object) -> None:
        self.template, self.plural, self.values = template, plural, values

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Text)
            and self.template == other.template
            and self.values == other.values
            and self.plural == other.plural
        )

    def __hash__(self) -> int:
        return hash(self.template)

    def __repr__(self) -> str:
        return f"Text({self.template!r}, {self.values!r})"

    def __str__(self) -> str:
        return say(self, SOURCE)


def say(text: Text, language: str, naming: Naming | None = None) -> str:
    """Write a sentence in a language, in English where a translation is missing.

    `naming` sees no value that is not ours.
    """
    said_by = _SAID.get
    values = {
        name: said_by(type(value), _say_other)(value, language, name, naming) for name, value in text.values.items()
    }
    many = text.values.get("n") if text.plural else None
    if isinstance(many, int):
        said, plain = (
            translate_many(text.template, text.plural, many, language),
            (text.template, text.plural)[many != 1],
        )
    else:
        said, plain = translate(text.template, language), unmarked(text.template)
    if naming is not None and "/" in said:
        said = naming(said, language)
    if "`" in said:
        said = _TYPED.sub(r"\1", said)
    try:
        return said.format(**values)
    except (KeyError, IndexError, ValueError):
        # A translation names a value that the sentence does not have: English is better than none.
        return plain.format(**values)


def say_value(value: object, language: str, name: str = "") -> str:
    """Write a value in a language; `name` is what the sentence calls the value, if it is in one."""
    return _SAID.get(type(value), _say_other)(value, language, name, None)


def _say_other(value: object, language: str, name: str, naming: Naming | None) -> str:
    """Write a value by its base type, such as one of several numbers that have names."""
    for kind, said in _SAID.items():
        if isinstance(value, kind):
            return said(value, language, name, naming)
    return str(value)


def _say_all(values: Iterable[object], language: str, name: str, naming: Naming | None) -> str:
    return ", ".join(_SAID.get(type(value), _say_other)(value, language, name, naming) for value in values)


def _say_usage(usage: Usage, language: str, _name: str, naming: Naming | None) -> str:
    said = _PLACEHOLDER.sub(lambda found: _say_placeholder(found[0], language), usage)
    return naming(said, language) if naming is not None else said


def _say_placeholder(word: str, language: str) -> str:
    """Write a placeholder as the platform names the argument, in capitals."""
    return translate(f"/{word.lower()}", language).removeprefix("/").upper()


def _say_word(word: str, language: str, name: str, _naming: Naming | None) -> str:
    if name == _GAME and word in _titles:
        return _titles[word]
    return translate_word(_labels.get(word, word), _NAMED.get(name, ""), language)


def title_of(game: str) -> str:
    """Return a game's title, or its name if the game is not installed any more."""
    return GAME_NAMES.get(game, game)


def know_games(titles: Mapping[str, str], labels: Mapping[str, str], brought: list[catalogues.Catalogues]) -> None:
    """Register titles and labels of games, and the translations that games bring for words the casino lacks."""
    for known, told in ((_titles, titles), (_labels, labels)):
        known.clear()
        known.update(told)
    catalogues.bring(brought)
    typed_words.cache_clear()


@lru_cache(maxsize=16384)
def _say_number(number: int, language: str) -> str:
    """Write a whole number in a language, cached because Babel looks its patterns up anew each time."""
    return numbers.write_number(number, locale_of(language))


@lru_cache(maxsize=4096)
def say_amount(minor: int, language: str) -> str:
    """Write chips by the locale: 1,234 or 12.50; two decimals only where needed."""
    return numbers.write_amount(minor, locale_of(language))


@lru_cache(maxsize=256)
def typed_words(words: tuple[str, ...], name: str) -> Mapping[str, str]:
    """Return {folded form: word} of words by their own names and as they are shown in any language.

    A word's own name takes precedence, and a word without letters is left out: those must be typed as they are. `name`
    is what a sentence calls such a word.
    """
    lettered = [word for word in words if any(map(str.isalpha, word))]
    found: dict[str, str] = {}
    for word in lettered:
        found.setdefault(fold(word), word)
    for language in LANGUAGES:
        for word in lettered:
            found.setdefault(fold(say_value(Word(word), language, name)), word)
    return MappingProxyType(found)


forget_with(_say_number, say_amount, typed_words)


@lru_cache(maxsize=4096)
def isolate(name: str) -> str:
    """Return a name as it stands in a sentence: between U+2068 and U+2069 where any of it is written from right to
    left, so that it moves none of the words and numbers around it.
    """
    is_turned = any(bidirectional(character) in ("R", "AL", "AN") for character in name)
    return f"\u2068{name}\u2069" if is_turned else str(name)


def say_card(card: str) -> str:
    """Write a card as A♠ or 10♦, a pocket of a wheel as its number; the joker by name, a hidden one as its back."""
    if card == "JK":
        return "Joker"
    if card == "??":
        return "🂠"
    if is_pocket(card):
        return card[1:]
    return card[0].replace("T", "10") + _SUITS[card[1]]


# In the order in which types are tried: an amount is a number too, and a card a string.
_SAID: dict[type, Callable[[Any, str, str, Naming | None], str]] = {
    Text: lambda value, language, _name, naming: say(value, language, naming),
    Amount: lambda value, language, _name, _naming: say_amount(value, language),
    Card: lambda value, _language, _name, _naming: say_card(value),
    Name: lambda value, _language, _name, _naming: isolate(value),
    Timestamp: lambda value, _language, _name, _naming: f"{write_time(value)} UTC",
    Usage: _say_usage,
    Word: _say_word,
    list: _say_all,
    tuple: _say_all,
    bool: lambda value, _language, _name, _naming: str(value),
    int: lambda value, language, _name, _naming: _say_number(value, language),
    str: lambda value, _language, _name, _naming: str(value),
}
# A command with its arguments, in a sentence.
_TYPED = re.compile("`(/[^`]*)`")
_PLACEHOLDER = re.compile(r"\b[A-Z]{2,}\b")


# Texts as JSON: for answers stored with their update, and for those sent to another process.

_KINDS: dict[str, Callable[[Any], object]] = {}
_PLAIN: dict[type, tuple[str, Callable[[Any], int | str]]] = {}


def register_kind(kind: type, name: str, plain: Callable[[Any], int | str]) -> None:
    """Let `dump_values` keep the type of such values: `kind(plain(value))` is the value again."""
    _KINDS[name], _PLAIN[kind] = kind, (name, plain)


register_kind(Amount, "amount", int)
register_kind(Timestamp, "timestamp", int)
for _kind in (Word, Card, Name, Usage):
    register_kind(_kind, _kind.__name__.lower(), str)


def dump_values(values: object) -> str:
    """Write texts, values of texts, and lists of them as JSON."""
    return _encode(values).decode()


def load_values(data: str) -> Any:
    """Return what `dump_values` wrote; each tuple is a list now."""
    return _load(msgspec.json.decode(data))


def dump_texts(texts: tuple[Text, ...]) -> str:
    """Write texts as JSON for the books: an answer is repeated from there when its update comes twice."""
    return dump_values(texts)


def load_texts(data: str) -> tuple[Text, ...]:
    """Load the texts that `dump_texts` wrote."""
    return tuple(load_values(data))


def _dump(value: object) -> Any:
    """Write a value of a type that JSON lacks."""
    if isinstance(value, Text):
        return {"text": value.template, "plural": value.plural, "values": value.values}
    if type(value) in _PLAIN:
        name, plain = _PLAIN[type(value)]
        return {name: plain(value)}
    return int(value) if isinstance(value, int) else str(value)


_encode = msgspec.json.Encoder(enc_hook=_dump).encode


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
