"""Languages: a folder each beside this file, with the language's properties in a locale.toml.

Translations are in the folder's catalogue (catalogues.py). English is the language of the source: it has none.
Imports nothing else of the bot.
"""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any

import msgspec
from babel import Locale, UnknownLocaleError

from bot.texts.folding import fold

SOURCE = "en"
# Names of languages: letters, with spaces or hyphens between them.
_NAME = re.compile(r"\w+(?:[ -]\w+)*")
FOLDER = Path(__file__).parent
FILE = "locale.toml"
_Word = Annotated[str, msgspec.Meta(min_length=1)]


class AmountWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Words that people type for an amount, in lower case; they are understood in every language."""

    all: tuple[_Word, ...]
    half: tuple[_Word, ...]


class NameWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Names that could be taken for the casino (`reserved`), and articles before or after them (`articles`)."""

    reserved: tuple[_Word, ...]
    articles: tuple[_Word, ...]


class Language(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A locale.toml.

    tag      of CLDR: how numbers, amounts and dates are written and read
    name     the language's own name, as people choose it
    quotes   the two marks around what people quote
    phrases  the word list of BIP 39 from which recovery phrases are made
    codes    {platform: its codes that mean this language}
    dealer   whether the dealer calls in this language at every table (G7); of one language alone
    """

    tag: _Word
    name: _Word
    quotes: Annotated[str, msgspec.Meta(min_length=2, max_length=2)]
    phrases: _Word
    amounts: AmountWords
    names: NameWords
    codes: dict[str, tuple[_Word, ...]]
    dealer: bool = False

    @property
    def locale(self) -> Locale:
        """Return the language's locale. Raises ValueError or UnknownLocaleError."""
        return Locale.parse(self.tag, sep="-")


class BadLanguage(ValueError):
    """Fault of a language's folder, as a sentence."""


_known: dict[str, Language] = {}
_folders: dict[str, Path] = {}
_names: dict[str, str] = {}
KNOWN: Mapping[str, Language] = MappingProxyType(_known)
"""{name of the folder: its language}, English first, then by name."""
LANGUAGES: Mapping[str, str] = MappingProxyType(_names)
"""{name of the folder: the language's own name}."""
LEFT_OUT: dict[str, str] = {}
"""{name of a folder: why its language cannot be used}."""


def read_language(folder: Path) -> Language:
    """Read a language's folder. Raises BadLanguage, with the reason in one line."""
    try:
        found = msgspec.toml.decode((folder / FILE).read_bytes(), type=Language)
        found.locale  # noqa: B018
    except OSError as fault:
        raise BadLanguage(f"{FILE} cannot be read: {fault.strerror}") from None
    except (UnknownLocaleError, ValueError) as fault:
        raise BadLanguage(f"{FILE}: {' '.join(str(fault).split())}") from None
    return found


def add_language(folder: Path) -> str:
    """Add the language of this folder under the folder's name. Raises BadLanguage."""
    language = read_language(folder)
    _known[folder.name], _folders[folder.name], _names[folder.name] = language, folder, language.name
    _forget()
    return folder.name


def remove_language(name: str) -> None:
    """Remove a language; a missing one changes nothing."""
    for known in (_known, _folders, _names):
        known.pop(name, None)
    _forget()


def folder_of(name: str) -> Path:
    """Return the folder of a language's catalogue and properties. Raises KeyError for an unknown language."""
    return _folders[name]


@cache
def locale_of(name: str) -> Locale:
    """Return Babel's locale, by which numbers are read and written. Raises KeyError for an unknown language."""
    return _known[name].locale


def language_of_code(code: str | None) -> str | None:
    """Return the language of a platform's code, tried from the whole of it to its first part: de-CH, then de; or None.

    Case does not matter.
    """
    parts, known = (code or "").replace("_", "-").lower().split("-"), _by_code()
    return next((known[one] for n in range(len(parts), 0, -1) if (one := "-".join(parts[:n])) in known), None)


@cache
def _by_code() -> dict[str, str]:
    """Return the name of the language for each code; `ridotto texts check` finds codes that two of them share."""
    return {code: name for name, one in _known.items() for code in codes_of(one)}


def codes_of(language: Language) -> frozenset[str]:
    """Return every code that means the language on some platform, in lower case; its tag does on all."""
    said = {code for codes in language.codes.values() for code in codes}
    return frozenset(code.lower() for code in {language.tag, *said})


def language_called(text: str) -> str | None:
    """Return a language by its folder's name, its tag or its own name, as people type it."""
    wanted = fold(text) if _NAME.fullmatch(text.strip()) else ""
    for name, one in _known.items():
        if wanted in (fold(name), fold(one.tag), fold(one.name)):
            return name
    return None


@cache
def words_for_all() -> frozenset[str]:
    """Return the words for everything, in lower case, of all languages: players may type any of them."""
    return frozenset(word for one in _known.values() for word in one.amounts.all)


@cache
def words_for_half() -> frozenset[str]:
    """Return the words for half, in lower case, of all languages: players may type any of them."""
    return frozenset(word for one in _known.values() for word in one.amounts.half)


@cache
def dealers_language() -> str | None:
    """Return the language of the dealer's calls, the same everywhere (G7), or None."""
    return next((name for name, one in _known.items() if one.dealer), None)


_caches: list[Any] = [locale_of, _by_code, words_for_all, words_for_half, dealers_language]


def forget_with(*cached: Any) -> None:
    """Clear the caches of these functions whenever a language comes or goes."""
    _caches.extend(cached)


def _forget() -> None:
    for cached in _caches:
        cached.cache_clear()


def _read_all() -> None:
    """Read all languages. English is required; another one that cannot be read is left out, with the reason."""
    add_language(FOLDER / SOURCE)
    for file in sorted(FOLDER.glob(f"*/{FILE}")):
        try:
            add_language(file.parent)
        except BadLanguage as fault:
            LEFT_OUT[file.parent.name] = str(fault)


_read_all()
