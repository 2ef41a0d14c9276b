"""Tables for invited players, and invitations that bring a person to a table on any platform.

Law: players without an invitation cannot bet at a private table; earlier bets are played to the end.
"""

import base64

from bot.core.commands.command import Answer, Refused, Where
from bot.core.commands.naming import take_player
from bot.core.commands.registry import CommandFlag, Request, answer_with, command
from bot.core.commands.words import parse_switch
from bot.core.players.self_limits import ids_of_person
from bot.core.state.table import Table
from bot.texts import Text, register_kind
from engine.felt import Word

LASTS_S = 24 * 3600.0
MOST_OPEN, MOST_INVITED = 20, 200
_BYTES = 10


class Invitation(str):
    """Command that accepts an invitation, which a platform may show as a link; `code` names the invitation."""

    code: str

    def __new__(cls, code: str) -> "Invitation":
        made = super().__new__(cls, f"/accept {code}")
        made.code = code
        return made


register_kind(Invitation, "invitation", lambda invitation: invitation.code)


@command(
    "table private",
    Text("Admit only invited players to this table"),
    group="inspectors",
    usage="on|off [REASON]",
    button=Text("Private table"),
)
def make_private(request: Request) -> Answer:
    """Make a table private: those who sit there and the inspector are invited; `off` opens it to everyone."""
    table, is_private = request.table, parse_switch(request.args)
    if not is_private:
        told = Text("The table is open to everyone.")
        table = table.change(invited=None, invitations={})
    else:
        told = Text("The table is now for invited players only.")
        there = table.players() | set(table.owners().values()) | {request.player.id}
        table = table.change(invited=frozenset(there) | (table.invited or frozenset()))
    request.transaction.set_table(table.set_notice(told, request.now))
    _audit(request, "table private", request.remark(1), "on" if is_private else "off")
    return Answer((told, Text("/table invite invites someone to this table.")) if is_private else (told,))


@command("invite", Text("Bring a friend to this table"), group="knowing", flags=CommandFlag.HANDS)
def invite(request: Request) -> Answer:
    """Make a code that invites one person for a day to a table that everybody may join."""
    if request.table.invited is not None:
        raise Refused("This table is private. Its inspectors invite with /table invite.")
    return _make_code(request, request.table)


@command(
    "table invite",
    Text("Invite someone to this private table"),
    group="inspectors",
    flags=CommandFlag.HANDS,
    usage="[PLAYER] [REASON]",
    button=Text("Invite a player"),
)
def invite_here(request: Request) -> Answer:
    """Invite the named player at once, or make a code for one person, valid for a day."""
    table = request.table
    if request.args and table.invited is not None:
        return _invite_player(request, table)
    _audit(request, "table invite", "", "a code")
    return _make_code(request, table)


def _audit(request: Request, act: str, reason: str, after: str) -> None:
    subject = request.table.audited()
    request.transaction.audit(request.now, request.casino.id, request.player.id, act, subject, reason, "", after)


def _make_code(request: Request, table: Table) -> Answer:
    open_ones = _still_open(table, request.now)
    if len(open_ones) >= MOST_OPEN:
        raise Refused("This table already has {n} open invitations. Wait until they are used.", n=MOST_OPEN)
    token = base64.b32encode(request.entropy(_BYTES)).decode().rstrip("=")
    request.transaction.set_table(table.change(invitations={**open_ones, token: request.now + LASTS_S}))
    return answer_with(
        "Give this to one person, within a day: {invitation}{where}",
        invitation=Invitation(f"{table.id}-{token}"),
        where=Where(table.id),
    )


def _invite_player(request: Request, table: Table) -> Answer:
    player, rest = take_player(request, 0)
    request.transaction.set_table(_with(table, player))
    _audit(request, "table invite", request.remark(rest), f"player {player}")
    return answer_with("{name} can now play at this table.", name=request.name_of(player))


def _with(table: Table, player: int) -> Table:
    invited = table.invited or frozenset()
    if len(invited) >= MOST_INVITED and player not in invited:
        raise Refused("The guest list of this table is full: at most {n} people.", n=MOST_INVITED)
    return table.change(invited=invited | {player})


def _still_open(table: Table, now: float) -> dict[str, float]:
    return {token: until for token, until in table.invitations.items() if until > now}


@command("accept", Text("Go to the table you are invited to"), group="me", usage="CODE", flags=CommandFlag.LINKABLE)
def accept(request: Request) -> Answer:
    """Accept an invitation, which is for the first person who does so. Works in any place.

    For an open table it only shows the way there.
    """
    id, token = _parse(request.argument(0, "Enter the code of the invitation."))
    table = request.transaction.table(id)
    if table is None or not _is_open(table, token, request.now):
        raise Refused("That invitation has been used or has expired. Ask for a new one.")
    left = {other: until for other, until in table.invitations.items() if other != token}
    table = table.change(invitations=left)
    request.transaction.set_table(_with(table, request.player.id) if table.invited is not None else table)
    return answer_with(
        "You are invited to table {number} of {casino}, {game}.{where}",
        number=table.number,
        casino=request.transaction.casinos[table.casino].name,
        game=Word(table.game),
        where=Where(table.id),
    )


def table_of(code: str) -> int:
    """Return the id of the table that an invitation names, used or not; 0 where it names none."""
    return _parse(code)[0]


def _parse(code: str) -> tuple[int, str]:
    """Split a code into the id of its table (0 if malformed) and the token."""
    id, _dash, token = code.strip().upper().partition("-")
    return (int(id) if id.isascii() and id.isdigit() and len(id) < 12 else 0), token


def _is_open(table: Table, token: str, now: float) -> bool:
    return table.status != "closed" and token in _still_open(table, now)


def check_invited(request: Request) -> None:
    """Raise Refused for a bet at a private table by a player none of whose accounts is invited."""
    table = request.at
    if table is None or table.invited is None:
        return
    if table.invited.isdisjoint({request.player.id, *ids_of_person(request.transaction, request.player.id)}):
        raise Refused("This table is for invited players. Its inspectors invite with /table invite.")
