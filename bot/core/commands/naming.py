"""Arguments of several words: a text in quotes, a player's name. And the players that a command means."""

import re
from collections.abc import Sequence
from dataclasses import replace

from bot.core.commands.command import Choice, Refused, Who
from bot.core.commands.picks import Picked, parse_pick, pick_account, pick_player
from bot.core.commands.registry import Request
from bot.core.commands.shown_names import trim_name, visible_line
from bot.texts import Name, Text
from bot.texts.languages import KNOWN
from engine.felt import Amount
from storage import ledger
from storage.questions import people
from storage.store import Reader

# Number of buttons that a question can have.
MOST_OF_A_NAME = 8
_NUMBERED = re.compile(r"(.+?)\s*\(([0-9]{1,9})\)")

QUOTES = {'"': '"'} | {one.quotes[0]: one.quotes[1] for one in KNOWN.values()}


def take_text(args: Sequence[str], start: int) -> tuple[str, int]:
    """Return a quoted text or one word, and the index of the next word."""
    closing = QUOTES.get(args[start][:1])
    for end in range(start, len(args)) if closing else ():
        text = " ".join(args[start : end + 1])
        if len(text) > 1 and text.endswith(closing or ""):
            return text[1:-1].strip(), end + 1
    return args[start], start + 1


def take_player(request: Request, start: int) -> tuple[int, int]:
    """Return the player named from an argument on, and where the next argument begins: picked, in quotes, by @username,
    or by the longest name that a player has here. Raises Refused, as `find_player`.
    """
    args = request.args
    if parse_pick(args[start]) is None and not is_quoted(args[start]):
        for end in range(len(args), start + 1, -1):
            if players_named(request, " ".join(args[start:end])):
                return find_player(request, start, end), end
    _name, end = take_text(args, start)
    return find_player(request, start, end), end


def is_quoted(text: str) -> bool:
    """Check whether a quoted text of several words begins here."""
    return text[:1] in QUOTES


def find_player(request: Request, start: int, end: int) -> int:
    """Return the player whom these arguments name. Raises Refused for an unknown name, and for an ambiguous one with a
    button for each player.
    """
    picked = parse_pick(request.args[start])
    if picked is not None:
        return _find_picked(request, picked)
    name = take_text((" ".join(request.args[start:end]),), 0)[0]
    if name.startswith("@") and (account := request.transaction.find_username(request.command.who.platform, name[1:])):
        known = request.transaction.identity(request.command.who.platform, account)
        state = request.transaction.players[known].state if known is not None else None
        if state is not None and state.usernames.get(request.command.who.platform) == name[1:].casefold():
            return _find_picked(request, Picked(account=account))
    found = players_named(request, name)
    if len(found) == 1:
        return found[0]
    if not found:
        raise Refused("No player here is called {name}.", name=Name(visible_line(name)[:60]))
    several = Refused("Several players here are called {name}. Who do you mean?", name=Name(visible_line(name)[:60]))
    raise several.offering(_choose(request, player, start, end) for player in found)


def _choose(request: Request, player: int, start: int, end: int) -> Choice:
    """Offer the same command for one of several players of that name, with chips and seat to tell them apart."""
    args = (*request.args[:start], pick_player(player), *request.args[end:])
    chips = Amount(request.transaction.balance(ledger.wallet(request.casino.id, player)))
    values = {"name": request.name_of(player), "chips": chips}
    seat = request.at.seat_of(player) if request.at is not None else None
    if seat is None:
        return Choice(Text("{name}, {chips} chips", **values), request.command.verb, args)
    return Choice(Text("{name}, {chips} chips, seat {seat}", **values, seat=seat), request.command.verb, args)


def _find_picked(request: Request, picked: Picked) -> int:
    """Return a picked player. A person proven by the platform need not have played here yet."""
    transaction, platform = request.transaction, request.command.who.platform
    player = picked.player or transaction.identity(platform, picked.account)
    if player and (known := transaction.players.find(player)) is not None and known.state.merged is not None:
        player = known.state.merged
    if player and transaction.member(request.casino.id, player) is not None:
        return player
    vouched = next((who for who in request.command.people if who.account == picked.account), None)
    if vouched is None and player and picked.account:
        vouched = Who(platform, picked.account, "", here=None)
    if vouched is None:
        raise Refused("That person has not played here yet.")
    return request.admit(vouched)


def with_reply(request: Request, usage: str) -> Request:
    """Return the request with the author of the message replied to as its PLAYER, if no one else is named."""
    answered, words = request.command.answers, usage.split()
    if not answered or "PLAYER" not in words:
        return request
    args, at = request.args, words.index("PLAYER")
    if len(args) < at or (len(args) > at and _names_somebody(request, at)):
        return request
    args = (*args[:at], pick_account(answered), *args[at:])
    return replace(request, command=request.command._replace(args=args))


def _names_somebody(request: Request, start: int) -> bool:
    args = request.args
    if parse_pick(args[start]) is not None or is_quoted(args[start]) or args[start].startswith("@"):
        return True
    return any(players_named(request, " ".join(args[start:end])) for end in range(len(args), start, -1))


def players_named(request: Request, name: str) -> list[int]:
    """Return the first few players of that name in the casino of a command."""
    return members_named(request.transaction.books, request.casino.id, name, MOST_OF_A_NAME)


def members_named(books: Reader, casino: int, name: str, most: int) -> list[int]:
    """Return up to `most` members of that name: as it is shown, "Ben (2)", or without its number."""
    if numbered := _NUMBERED.fullmatch(name):
        called, number = trim_name(numbered[1]), int(numbered[2])
        if found := people.players_named(books, casino, called, most, number):
            return found
    return people.players_named(books, casino, trim_name(name), most)
