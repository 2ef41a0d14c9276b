"""Catalogues, one a language: the casino's own, then those that games bring, then English. A game's sentences are
said as its own catalogue has them, where both have one (bot/texts/ownership.py).

A catalogue is read on first use, so that no compiled one can be missing or outdated. The same word may have different
translations by kind (a msgctxt): KINDS lists the kinds.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from gettext import c2py
from pathlib import Path
from typing import NamedTuple

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po

from bot.texts.languages import SOURCE, folder_of, forget_with, locale_of

SPOT, MOVE, STATE, PHASE, RANK, RESULT = KINDS = ("spot", "move", "state", "phase", "rank", "result")
"""What a word is: a spot or area of a bet, what a player says, what a seat does, where a table stands, a hand's or a
card's rank, how a hand ended for somebody, why chips moved. What is none of these has no kind: ""."""


class Catalogues(NamedTuple):
    """Catalogues of a `domain`: `folder`/LANGUAGE/LC_MESSAGES/`domain`.po, for each language with a translation."""

    folder: Path
    domain: str

    def file(self, language: str) -> Path:
        return self.folder / language / "LC_MESSAGES" / f"{self.domain}.po"

    def read(self, language: str) -> Catalog:
        """Read a catalogue, empty where there is no file. Raises ValueError for a malformed one."""
        path = self.file(language)
        if not path.is_file():
            return Catalog(locale=locale_of(language))
        with open(path, "rb") as file:
            return read_po(file, locale=locale_of(language), abort_invalid=True)


NO_CATALOGUES = Catalogues(Path(), "")
HOUSE = Catalogues(Path(__file__).parent, "ridotto")
_brought: list[Catalogues] = []
# Around the domain of a game's catalogue, in a template that belongs to it.
_MARK = "\x1f"


def casino_catalogues(language: str) -> Catalogues:
    """Return the casino's own catalogues of a language; games may have others."""
    return HOUSE._replace(folder=folder_of(language).parent)


class _Catalogue(NamedTuple):
    """Content of a catalogue, without untranslated messages.

    said    {(kind, English): the sentence or word}; the kind of most is ""
    many    {English singular: the plural forms}; `form` picks one by number
    words   words of some kind, for callers that give none: the first of KINDS that has it
    """

    said: Mapping[tuple[str, str], str]
    many: Mapping[str, Sequence[str]]
    form: Callable[[int], int]
    words: Mapping[str, str]


def bring(catalogues: list[Catalogues]) -> None:
    """Add catalogues of games after the casino's own, in this order. Does nothing without any."""
    brought = [one for one in catalogues if one != NO_CATALOGUES]
    if brought != _brought:
        _brought[:] = brought
        forget()


def forget() -> None:
    """Clear all caches: catalogues are read again on next use."""
    for cached in (_language, translate, translate_word):
        cached.cache_clear()


def mark(template: str, catalogues: Catalogues) -> str:
    """Return the template of a sentence that a game translates otherwise than the casino."""
    return f"{_context_of(catalogues)}{_MARK}{template}"


def _context_of(catalogues: Catalogues) -> str:
    return f"{_MARK}{catalogues.domain}"


def unmarked(template: str) -> str:
    """Return a template as it is written in the source."""
    return template.rpartition(_MARK)[2]


@lru_cache(maxsize=4096)
def translate(template: str, language: str) -> str:
    """Translate a template, marked or not; English if there is no translation."""
    owner, _mark, plain = template.rpartition(_MARK)
    said = _language(language).said
    return said.get((owner, plain)) or said.get(("", plain)) or plain


def translate_many(template: str, plural: str, n: int, language: str) -> str:
    """Translate the form for this number; English where there is no translation."""
    known = _language(language)
    forms = known.many.get(template)
    return forms[known.form(n)] if forms else (template, plural)[n != 1]


@lru_cache(maxsize=4096)
def translate_word(word: str, kind: str, language: str) -> str:
    """Translate a word by its kind, else as it is translated everywhere."""
    if not word:
        return ""
    known = _language(language)
    return known.said.get((kind, word)) or known.said.get(("", word)) or known.words.get(word, word)


@lru_cache(maxsize=8)
def _language(language: str) -> _Catalogue:
    if language == SOURCE:
        return _Catalogue({}, {}, lambda n: n != 1, {})
    catalogue = _merged(language)
    said: dict[tuple[str, str], str] = {}
    many: dict[str, Sequence[str]] = {}
    form = c2py(catalogue.plural_expr)
    for message in catalogue:
        if not message.id or not message.string or message.fuzzy:
            continue  # the header of the catalogue is no sentence
        if isinstance(message.id, str):
            said[message.context or "", message.id] = str(message.string)
        else:
            one, other = message.id
            forms = [string or (one, other)[min(index, 1)] for index, string in enumerate(message.string)]
            many[one], said["", one] = forms, forms[form(1)]
    return _Catalogue(said, many, form, _words_of(catalogue))


def _merged(language: str) -> Catalog:
    catalogue = casino_catalogues(language).read(language)
    for brought in _brought:
        for message in brought.read(language):
            if not message.id or not message.string:
                continue
            known = catalogue.get(message.id, message.context)
            if known is None:
                catalogue.add(message.id, message.string, context=message.context)
            elif not message.context and message.string != known.string:
                catalogue.add(message.id, message.string, context=_context_of(brought))
    return catalogue


def _words_of(catalogue: Catalog) -> dict[str, str]:
    words: dict[str, str] = {}
    for kind in KINDS:
        for message in catalogue:
            if message.context == kind and isinstance(message.string, str) and message.string:
                words.setdefault(str(message.id), message.string)
    return words


forget_with(_language, translate, translate_word)
