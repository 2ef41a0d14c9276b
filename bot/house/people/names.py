"""Newcomers and what they are called. In the lounge nobody is taken for another by his name, nor for the house."""

import re
import unicodedata
from collections.abc import Iterable

from bot.house import lounge
from bot.house.speech.command import Refused, Who
from bot.house.state.house import Paper, Player
from bot.house.state.people import PlayerState
from bot.texts import LANGUAGES
from bot.texts.languages import KNOWN, SOURCE
from storage.looks import is_visible, looks_of
from storage.rows import PlayerRow

LONGEST_NAME = 32
MOST_MARKS = 3
# House players: first names of old Venice. Who needs more of them than there are gets numbers.
GUEST_NAMES = ("Zanetta", "Momolo", "Lucieta", "Todaro", "Bepi", "Orseta", "Anzolo", "Cate", "Nane", "Felice")
_TAGS = set('<>&"/@')


def meet(paper: Paper, who: Who, now: float) -> Player:
    """The player behind an account; a new account is a new player. Raises Refused for a name that cannot be."""
    known = paper.identity(who.platform, who.account)
    if known is not None:
        return paper.player(known)
    language = who.language if who.language in LANGUAGES else SOURCE
    state = PlayerState(hidden=True) if who.platform == lounge.GUESTS else PlayerState()
    player = Player(paper.next_id(PlayerRow), _name_newcomer(paper, who), language, state, now)
    paper.name_player(player)
    paper.set_identity(who.platform, who.account, player.id)
    return player


def _name_newcomer(paper: Paper, who: Who) -> str:
    """As the platform calls him; in the lounge by a name that nobody there has."""
    if who.platform == lounge.PLATFORM:
        return free_name(paper, check_name(who.name))
    name = trim_name(who.name)
    return free_name(paper, name, is_guest=True) if who.platform == lounge.GUESTS else name


def trim_name(name: str) -> str:
    """Any platform's name as one short line of visible characters."""
    visible = (c if is_visible(c) else " " * (unicodedata.category(c)[0] in "CZ") for c in _compose(name))
    return " ".join("".join(visible).split())[:LONGEST_NAME].strip() or "?"


def check_name(name: str) -> str:
    """A name that somebody picks here, as it is shown. Raises Refused."""
    plain = " ".join(unicodedata.normalize("NFKC", name).split())
    is_plain = all(c == " " or (is_visible(c) and c not in _TAGS) for c in plain)
    if not (is_plain and 0 < len(plain) <= LONGEST_NAME) or has_loose_marks(plain):
        raise Refused("Pick a name of 1 to {most} letters, digits and spaces.", None, most=LONGEST_NAME)
    if is_of_the_house(plain):
        raise Refused("“{name}” would be taken for the house itself: pick another name.", None, name=plain)
    return plain


def _compose(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def has_loose_marks(name: str) -> bool:
    """Accents with no letter under them, or more on one than any language writes."""
    kinds = "".join(unicodedata.category(c)[0] for c in name)
    return kinds.startswith("M") or " M" in kinds.replace("Z", " ") or "M" * (MOST_MARKS + 1) in kinds


def is_of_the_house(name: str) -> bool:
    """Whether it would be taken for whoever deals, pays or decides here."""
    words = re.findall(r"[^\W\d_]+", name)
    without_articles = (word for word in words if not looks_of(word) & _ARTICLE_LOOKS)
    whole = "".join(words), "".join(without_articles), re.sub(r"[\W_]+", "", name)
    return any(looks_of(one) & _RESERVED_LOOKS for one in whole)


def free_name(paper: Paper, name: str, joint: str = " ", *, is_guest: bool = False) -> str:
    """The name, or with the first number behind it that was looked at and is nobody's yet.

    However many share a name, few numbers are looked at: twice as far each time, then back by halves.
    """

    def numbered(number: int) -> str:
        end = f"{joint}{number}" if number > 1 else ""
        return name[: LONGEST_NAME - len(end)].rstrip() + end

    taken, free = 0, 1
    while _is_taken(paper, numbered(free), is_guest):
        taken, free = free, 2 * free
    while free - taken > 1:
        middle = (taken + free) // 2
        taken, free = (middle, free) if _is_taken(paper, numbered(middle), is_guest) else (taken, middle)
    return numbered(free)


def _is_taken(paper: Paper, name: str, is_guest: bool) -> bool:
    """House players have their names before they come."""
    looks = looks_of(name)
    return (not is_guest and bool(looks & _GUEST_LOOKS)) or any(map(paper.is_look_taken, looks))


def _looks_of_all(names: Iterable[str]) -> frozenset[str]:
    return frozenset(look for name in names for look in looks_of(name))


# What would be taken for the house itself, in the languages it speaks; with an article or a number before or behind.
_RESERVED_LOOKS = _looks_of_all(word for one in KNOWN.values() for word in one.names.reserved)
_ARTICLE_LOOKS = _looks_of_all(word for one in KNOWN.values() for word in one.names.articles)
_GUEST_LOOKS = _looks_of_all(GUEST_NAMES)
