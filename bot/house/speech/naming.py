"""What people type as one: a text in quotes, a player's name of several words."""

from collections.abc import Sequence

from bot.house.speech.command import Refused
from bot.house.speech.registry import Request
from bot.texts.languages import KNOWN
from storage.questions import people

QUOTES = {'"': '"'} | {one.quotes[0]: one.quotes[1] for one in KNOWN.values()}


def take_text(args: Sequence[str], start: int) -> tuple[str, int]:
    """A quoted text or one word, and where the next one begins."""
    closing = QUOTES.get(args[start][:1])
    for end in range(start, len(args)) if closing else ():
        text = " ".join(args[start : end + 1])
        if len(text) > 1 and text.endswith(closing or ""):
            return text[1:-1].strip(), end + 1
    return args[start], start + 1


def take_player(request: Request, start: int) -> tuple[int, int]:
    """The player whose name begins at an argument: in quotes, or the longest that matches."""
    args = request.args
    if not is_quoted(args[start]) and not args[start].startswith("="):
        for end in range(len(args), start + 1, -1):
            if players_named(request, " ".join(args[start:end])):
                return find_player(request, " ".join(args[start:end])), end
    name, end = take_text(args, start)
    return find_player(request, name), end


def is_quoted(text: str) -> bool:
    """Whether a text of several words begins here."""
    return text[:1] in QUOTES


def find_player(request: Request, name: str) -> int:
    """A member of this casino by name, whatever its case. Raises Refused when there is none or more than one.

    `=ACCOUNT` is an account of the platform that the command comes from, where people pick one another from a list.
    """
    name = take_text((name,), 0)[0]
    if name.startswith("="):
        picked = request.paper.identity(request.command.who.platform, name[1:])
        if picked is None or request.paper.member(request.casino.id, picked) is None:
            raise Refused("That person has not played here yet.")
        return picked
    found = players_named(request, name)
    if len(found) != 1:
        raise Refused("There is no single player {name} here.", None, name=name[:40])
    return found[0]


def players_named(request: Request, name: str) -> list[int]:
    """Up to two of that name: more than one is nobody in particular."""
    return people.players_named(request.paper.books, request.casino.id, name.removeprefix("@"), 2)
