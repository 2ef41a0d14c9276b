"""What people type as one: a text in quotes, a player's name of several words."""

from collections.abc import Sequence

from bot.floor.command import Refused
from bot.floor.registry import Request

QUOTES = {'"': '"', "“": "”", "«": "»"}


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
    sql = """SELECT DISTINCT coalesce(json_extract(players.state, '$.merged'), players.id)
             FROM players JOIN members ON members.player = players.id
             WHERE members.casino = ? AND players.name = ? COLLATE NOCASE LIMIT 2"""
    return [int(id) for (id,) in request.paper.books.select(sql, request.casino.id, name.removeprefix("@"))]
