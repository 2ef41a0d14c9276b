"""Names as they are shown: one short line of visible characters that is no part of a table's words."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from bot.core.commands.command import Refused
from bot.texts import Name
from bot.texts.languages import KNOWN
from storage.confusables import skeletons_of
from storage.joiners import is_joiner, is_seen

LONGEST_NAME = 32
# No platform has longer names; the rest is ignored.
MOST_CHARACTERS = 256
MOST_MARKS = 3
# House players: first names of old Venice; further players get numbers.
GUEST_NAMES = ("Zanetta", "Momolo", "Lucieta", "Todaro", "Bepi", "Orseta", "Anzolo", "Cate", "Nane", "Felice")
_TAGS = set('<>&"/@')
# Suits, playing cards, and the arrow that marks the player in turn.
_CARDS = re.compile("[\u2660-\u2667\U0001f0a0-\U0001f0ff\u25b8]")
_HEADING = re.compile(r"\s*[:：](?=\s|$)")
_NUMBER_AT_END = re.compile(r"\(\s*[0-9lo]+\s*\)$")
_BRACKETS = set("()")


@lru_cache(maxsize=4096)
def trim_name(name: str) -> str:
    """Return any platform's name as one short line of visible characters that is no part of a table's words."""
    plain = visible_line(_harmless(_compose(name[:MOST_CHARACTERS])))
    return _unnumbered(plain[:LONGEST_NAME].strip()) or "?"


def visible_line(typed: str) -> str:
    """Return a text as one line of visible characters."""
    visible = (c if is_seen(typed, at) else _space_for(c) for at, c in enumerate(typed))
    return _without_loose_marks(" ".join("".join(visible).split()))


def check_name(name: str) -> str:
    """Return a newly picked name as it is shown. Raises Refused."""
    plain = " ".join(unicodedata.normalize("NFKC", name[:MOST_CHARACTERS]).split())
    refused = Refused("Pick a name of 1 to {most} letters, digits and spaces.", most=LONGEST_NAME)
    if not 0 < len(plain) <= LONGEST_NAME:
        raise refused
    is_plain = all(c == " " or (is_seen(plain, at) and c not in _TAGS) for at, c in enumerate(plain))
    if not is_plain or has_loose_marks(plain) or _CARDS.search(plain):
        raise refused
    if could_be_the_casino(plain):
        raise Refused("“{name}” looks like the casino itself. Pick another name.", name=Name(plain))
    return trim_name(plain)


def _compose(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _space_for(character: str) -> str:
    return " " * (unicodedata.category(character)[0] in "CZ" and not is_joiner(character))


def _harmless(name: str) -> str:
    """Remove cards and suits, and the colons that a table puts after names and headings."""
    return _HEADING.sub(" ", _CARDS.sub("", name))


def _unnumbered(name: str) -> str:
    """Remove a number in brackets at the end: a second Ben is shown as "Ben (2)"."""
    if not _NUMBER_AT_END.search(skeletons_of(name).look):
        return name
    plain = unicodedata.normalize("NFKC", name)
    return " ".join("".join(" " if _BRACKETS & set(skeletons_of(one).look) else one for one in plain).split())


def has_loose_marks(name: str) -> bool:
    """Check for accents with no letter under them, or more of them on one letter than any language writes."""
    return _without_loose_marks(name) != name


def _without_loose_marks(name: str) -> str:
    """Remove accents that would be drawn over what stands before a name, or above and below its line."""
    kept, marks = list[str](), MOST_MARKS
    for one in name:
        kind = unicodedata.category(one)[0]
        marks = marks + 1 if kind == "M" else MOST_MARKS if kind == "Z" else 0
        if kind != "M" or marks <= MOST_MARKS:
            kept.append(one)
    return "".join(kept)


def could_be_the_casino(name: str) -> bool:
    """Check whether a name could be taken for the dealer, the bank or an inspector."""
    words = re.findall(r"[^\W\d_]+", name)
    without_articles = (word for word in words if _ARTICLE_SKELETONS.isdisjoint(skeletons_of(word)))
    whole = "".join(words), "".join(without_articles), re.sub(r"[\W_]+", "", name)
    return any(not _RESERVED_SKELETONS.isdisjoint(skeletons_of(one)) for one in whole)


def _skeletons_of_all(names: Iterable[str]) -> frozenset[str]:
    return frozenset(look for name in names for look in skeletons_of(name))


# Names that could be taken for the casino, in its languages, with an article or a number before or after.
_RESERVED_SKELETONS = _skeletons_of_all(word for one in KNOWN.values() for word in one.names.reserved)
_ARTICLE_SKELETONS = _skeletons_of_all(word for one in KNOWN.values() for word in one.names.articles)
GUEST_SKELETONS = _skeletons_of_all(GUEST_NAMES)
