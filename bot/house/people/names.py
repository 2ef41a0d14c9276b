"""Newcomers, and what people are called: as their platform says, in each casino of its own.

Nobody is taken there for another by their name, nor for the house.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from bot.house import lounge
from bot.house.speech.command import Refused, Who
from bot.house.state.house import Member, Paper, Player
from bot.house.state.people import PlayerState
from bot.texts import LANGUAGES, Name
from bot.texts.languages import KNOWN, SOURCE
from storage.joiners import is_joiner, is_seen
from storage.looks import looks_of
from storage.questions import people
from storage.rows import PlayerRow, UsernameRow

LONGEST_NAME = 32
MOST_MARKS = 3
# House players: first names of old Venice. Who needs more of them than there are gets numbers.
GUEST_NAMES = ("Zanetta", "Momolo", "Lucieta", "Todaro", "Bepi", "Orseta", "Anzolo", "Cate", "Nane", "Felice")
_TAGS = set('<>&"/@')
# Suits, playing cards, and the arrow with which a table points at whose turn it is.
_CARDS = re.compile("[\u2660-\u2667\U0001f0a0-\U0001f0ff\u25b8]")
_HEADING = re.compile(r"\s*[:：](?=\s|$)")
_NUMBER_AT_END = re.compile(r"\(\s*[0-9lo]+\s*\)$")
_BRACKETS = set("()")


def meet(paper: Paper, who: Who, now: float) -> Player:
    """Return the player behind an account, with what its platform calls them now; a new account is a new player. Raises
    Refused for a name that cannot be.
    """
    known = paper.identity(who.platform, who.account)
    if known is not None:
        return _follow_account(paper, paper.player(known), who)
    language = who.language if who.language in LANGUAGES else SOURCE
    state = PlayerState(hidden=True) if who.platform == lounge.GUESTS else PlayerState()
    name = check_name(who.name) if who.platform == lounge.PLATFORM else trim_name(who.name)
    player = Player(paper.next_id(PlayerRow), Name(name), language, state, now)
    paper.set_identity(who.platform, who.account, player.id)
    return _follow_account(paper, paper.set_player(player), who)


def _follow_account(paper: Paper, player: Player, who: Who) -> Player:
    """The person's own name and their username, where the platform gives others than it did last. In the lounge people
    choose their names themselves.
    """
    state = player.state
    name = trim_name(who.name) if who.name and who.platform != lounge.PLATFORM else ""
    if name and state.called.get(who.platform) != name:
        is_new = who.platform not in state.called and state.called
        called = player.own_name if is_new else Name(name)
        player = replace(player, own_name=called).change(called={**state.called, who.platform: name})
    username = who.username.casefold()
    if username and state.usernames.get(who.platform) != username:
        player = player.change(usernames={**state.usernames, who.platform: username})
        paper.put(UsernameRow(who.platform, username, who.account))
    return player if player.state is state else paper.set_player(player)


def follow_member(paper: Paper, member: Member, player: Player, who: Who) -> Member:
    """Name a member as their platform does here, where it gives another name than it did last.

    A casino that communities share knows no nickname: it was given for one of them.
    """
    if who.here is None or not who.name or who.platform == lounge.PLATFORM:
        return member if member.name else paper.set_member(name_member(paper, member, player.own_name, who))
    given = who.here if who.here and (who.here == who.name or not paper.is_shared(member.casino)) else who.name
    name = trim_name(given)
    heard = member.state.heard
    if heard.get(who.platform) == name:
        return member
    is_linked = who.platform not in heard and bool(heard)
    known = member.change(heard={**heard, who.platform: name})
    return paper.set_member(known if is_linked else name_member(paper, known, name, who))


def name_member(paper: Paper, member: Member, name: str, who: Who | None = None) -> Member:
    """Return a member by this name, with the first number that no name has there that looks like it."""
    is_guest = who is not None and who.platform == lounge.GUESTS
    is_taken = is_of_the_house(name) or (member.casino == lounge.LOUNGE and _is_guests(name))
    number = paper.free_number(member.casino, name, member.player, is_first=is_guest or not is_taken)
    return replace(member, name=str(name), number=number)


def _is_guests(name: str) -> bool:
    """House players have their names before they come."""
    return not _GUEST_LOOKS.isdisjoint(looks_of(name))


def take_nicknames_away(paper: Paper, casino: int) -> None:
    """Name all members as they call themselves: from now on a second community sees them."""
    for row in people.members_of_casino(paper.books, casino):
        member, player = paper.member(casino, row.player), paper.player(row.player)
        if member is not None and member.state.heard and member.name in member.state.heard.values():
            own = {platform: player.state.called.get(platform, name) for platform, name in member.state.heard.items()}
            if member.name not in own.values():
                paper.set_member(name_member(paper, member.change(heard=own), player.own_name))


@lru_cache(maxsize=4096)
def trim_name(name: str) -> str:
    """Return any platform's name as one short line of visible characters that is no part of a table's words."""
    composed = _harmless(_compose(name))
    visible = (c if is_seen(composed, at) else _space_for(c) for at, c in enumerate(composed))
    return _unnumbered(" ".join("".join(visible).split())[:LONGEST_NAME].strip()) or "?"


def check_name(name: str) -> str:
    """Return a name that somebody picks here, as it is shown. Raises Refused."""
    plain = " ".join(unicodedata.normalize("NFKC", name).split())
    is_plain = all(c == " " or (is_seen(plain, at) and c not in _TAGS) for at, c in enumerate(plain))
    if not (is_plain and 0 < len(plain) <= LONGEST_NAME) or has_loose_marks(plain) or _CARDS.search(plain):
        raise Refused("Pick a name of 1 to {most} letters, digits and spaces.", None, most=LONGEST_NAME)
    if is_of_the_house(plain):
        raise Refused("“{name}” would be taken for the house itself: pick another name.", None, name=Name(plain))
    return trim_name(plain)


def _compose(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _space_for(character: str) -> str:
    return " " * (unicodedata.category(character)[0] in "CZ" and not is_joiner(character))


def _harmless(name: str) -> str:
    """Without cards and suits, and without the colons that a table puts behind names and headings."""
    return _HEADING.sub(" ", _CARDS.sub("", name))


def _unnumbered(name: str) -> str:
    """Without the brackets of a number at its end: "Ben (2)" is what a second Ben is shown as."""
    if not _NUMBER_AT_END.search(looks_of(name).look):
        return name
    plain = unicodedata.normalize("NFKC", name)
    return " ".join("".join(" " if _BRACKETS & set(looks_of(one).look) else one for one in plain).split())


def has_loose_marks(name: str) -> bool:
    """Accents with no letter under them, or more on one than any language writes."""
    kinds = "".join(unicodedata.category(c)[0] for c in name)
    return kinds.startswith("M") or " M" in kinds.replace("Z", " ") or "M" * (MOST_MARKS + 1) in kinds


def is_of_the_house(name: str) -> bool:
    """Whether it would be taken for whoever deals, pays or decides here."""
    words = re.findall(r"[^\W\d_]+", name)
    without_articles = (word for word in words if _ARTICLE_LOOKS.isdisjoint(looks_of(word)))
    whole = "".join(words), "".join(without_articles), re.sub(r"[\W_]+", "", name)
    return any(not _RESERVED_LOOKS.isdisjoint(looks_of(one)) for one in whole)


def _looks_of_all(names: Iterable[str]) -> frozenset[str]:
    return frozenset(look for name in names for look in looks_of(name))


# What would be taken for the house itself, in the languages it speaks; with an article or a number before or behind.
_RESERVED_LOOKS = _looks_of_all(word for one in KNOWN.values() for word in one.names.reserved)
_ARTICLE_LOOKS = _looks_of_all(word for one in KNOWN.values() for word in one.names.articles)
_GUEST_LOOKS = _looks_of_all(GUEST_NAMES)
