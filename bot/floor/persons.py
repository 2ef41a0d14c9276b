"""One person across platforms: accounts are linked by a one-time code, and wallets, statistics and limits become one.

The younger player's account goes over into the older one. What the house gave the younger (start and daily chips) goes
back to the mint, so that a second account is worth nothing; everything else moves by postings.
"""

import base64
from itertools import count
from typing import Any

from bot.floor import care
from bot.floor.command import Answer, Confirm, Refused
from bot.floor.house import Member, Paper, Player
from bot.floor.registry import Request, say, verb
from bot.texts import Text
from storage import ledger
from storage.rows import IdentityRow, MemberRow, PlayerRow, PostingRow

CODE_LASTS_S = 600.0
# What stays with an account that goes its own way again.
STAY = ("paused", "limits", "looser", "quiet", "hidden", "time bank")
GIFTS_OF_THE_HOUSE = ("start", "daily", "season starts")


@verb("link", Text("One wallet for your accounts on several platforms"), group="me", usage="[CODE]")
def link(request: Request) -> Answer:
    """Without a code it gives one; with the code of one's other account it joins the two."""
    if not request.args:
        code = base64.b32encode(request.entropy(5)).decode()
        until = request.now + CODE_LASTS_S
        request.paper.set_player(request.player.change(link={"code": code, "until": until}))
        return say("Your code is {code}. Within ten minutes, say /link {code} from your other account.", code=code)
    other = _find_by_code(request, request.args[0].upper())
    if other.id == request.player.id:
        raise Refused("That is the code of this very account: use it from your other one.")
    older, younger = sorted((request.player, other), key=lambda player: (player.joined, player.id))
    _check_idle(request.paper, younger)
    if not request.command.confirmed:
        raise Confirm(
            "“{one}” and “{other}” become one. Start and daily chips of “{younger}” go back to the house. Do it?",
            one=request.player.name,
            other=other.name,
            younger=younger.name,
        )
    merge(request.paper, older, younger, request.now)
    return say("Your accounts are linked: you are {name} everywhere now.", name=older.name)


@verb("unlink", Text("Let this account go its own way again"), group="me")
def unlink(request: Request) -> Answer:
    """It moves nothing and earns no new start."""
    who, paper = request.command.who, request.paper
    if len(_identities_of(paper, request.player.id)) < 2:
        raise Refused("This account is linked to no other.")
    if not request.command.confirmed:
        raise Confirm("This account starts anew without chips; they stay with {name}. Do it?", name=request.player.name)
    id = paper.next_id(PlayerRow)
    # Limits that somebody set himself, and bans, stay on both sides; and it is known who they were.
    kept = {name: request.player.state[name] for name in STAY if name in request.player.state}
    state = {**kept, "no start": True, "parted": request.player.id}
    paper.set_player(Player(id, _free_name(paper, who.name), request.player.language, state, request.now))
    paper.set_player(request.player.change(parts=[*request.player.state.get("parts", []), id]))
    paper.set_identity(who.platform, who.account, id)
    for casino in paper.all_casinos().values():
        _ban_too(paper, casino.id, request.player.id, id)
    return say("This account is on its own again.")


def merge(paper: Paper, older: Player, younger: Player, now: float) -> None:
    for casino in _casinos_of(paper, younger.id):
        _merge_wallets(paper, casino, older, younger, now)
        _merge_standing(paper, casino, older.id, younger.id)
    for one in paper.all_casinos().values():
        _ban_too(paper, one.id, younger.id, older.id)
    for identity in _identities_of(paper, younger.id):
        paper.set_identity(identity.platform, identity.name, older.id)
    hidden = {"hidden": True} if older.state.get("hidden") or younger.state.get("hidden") else {}
    kept = {**care.stricter(older, younger, now), **hidden, **_communities(older, younger)}
    paper.set_player(older.change(**kept, was=[*older.ids, *younger.ids][1:], link=None))
    for id in younger.ids:
        paper.set_player(paper.player(id).change(merged=older.id, link=None))


def _communities(older: Player, younger: Player) -> dict[str, Any]:
    """Where either has spoken, and last: a private chat speaks for that casino, the lounge shows the tables of all."""
    both = sorted({*older.state.get("casinos", ()), *younger.state.get("casinos", ())})
    return {"casinos": both, "casino": older.state.get("casino", younger.state.get("casino"))} if both else {}


def _free_name(paper: Paper, name: str) -> str:
    """Who goes his own way again is not mistaken for the person that he was."""
    taken = {one.lower() for (one,) in paper.books.select("SELECT name FROM players WHERE name LIKE ? || '%'", name)}
    tries = (name if n == 1 else f"{name}-{n}" for n in count(1))
    return next(one for one in tries if one.lower() not in taken)


def are_one(paper: Paper, one: int, other: int) -> bool:
    """Whether two players are or were the same person: who unlinks an account does not become two people."""
    return other in care.ids_of_person(paper, one)


def _casinos_of(paper: Paper, player: int) -> list[int]:
    """A new account may have been written nowhere yet: its first word may be the code."""
    rows = [*paper.books.rows(MemberRow, "WHERE player = ?", player), *paper.unwritten(MemberRow)]
    return sorted({row.casino for row in rows if row.player == player})


def _identities_of(paper: Paper, player: int) -> list[IdentityRow]:
    rows = [*paper.books.rows(IdentityRow, "WHERE player = ?", player), *paper.unwritten(IdentityRow)]
    known = {(row.platform, row.name): row for row in rows}
    return [row for key, row in known.items() if paper.identity(*key) == player]


def _merge_wallets(paper: Paper, casino: int, older: Player, younger: Player, now: float) -> None:
    source, target = ledger.wallet(casino, younger.id), ledger.wallet(casino, older.id)
    member = paper.member(casino, younger.id)
    assert member is not None
    if paper.member(casino, older.id) is None:
        # Where only the younger has played, his start is the person's start; it stays known as the house's.
        inherited = member.change(**{"from house": _given_by_house(paper, casino, member)})
        paper.set_member(type(member)(casino, older.id, member.joined, inherited.state))
        paper.post(source, target, paper.balance(source), "linked", now)
        return
    has = paper.balance(source)
    back = min(has, _given_by_house(paper, casino, member))
    paper.post(source, ledger.mint(casino), back, "linked: house chips", now)
    paper.post(source, target, has - back, "linked", now)


def _given_by_house(paper: Paper, casino: int, member: Member) -> int:
    """Start and daily chips of this season."""
    wallet, mint = ledger.wallet(casino, member.player), ledger.mint(casino)
    rows = [*paper.books.rows(PostingRow, "WHERE credit = ? ORDER BY id", wallet), *paper.unwritten(PostingRow)]
    total = int(member.state.get("from house", 0))
    for row in rows:
        if (row.debit, row.credit) == (mint, wallet) and row.why in GIFTS_OF_THE_HOUSE:
            total = row.amount if row.why == "season starts" else total + row.amount
    return total


def _merge_standing(paper: Paper, casino_id: int, older: int, younger: int) -> None:
    """An inspector stays one."""
    casino = paper.casino(casino_id)
    inspectors = casino.get("inspectors", [])
    if younger in inspectors:
        paper.set_casino(casino.change(inspectors=sorted({older, *inspectors} - {younger})))


def _ban_too(paper: Paper, casino_id: int, banned: int, other: int) -> None:
    """Who is banned stays so under any of his accounts."""
    casino = paper.casino(casino_id)
    reasons = casino.get("banned", {})
    if str(banned) in reasons:
        paper.set_casino(casino.change(banned={str(other): reasons[str(banned)], **reasons}))


def _find_by_code(request: Request, code: str) -> Player:
    paper = request.paper
    sql = "SELECT id FROM players WHERE json_extract(state, '$.link.code') = ?"
    found = [paper.player(id) for (id,) in paper.books.select(sql, code)]
    found = [player for player in found if (player.state.get("link") or {}).get("code") == code]
    if not found or found[0].state["link"]["until"] < request.now:
        raise Refused("That code is not known, or older than ten minutes: say /link on your other account again.")
    return found[0]


def _check_idle(paper: Paper, player: Player) -> None:
    """Nobody is merged away from a hand, a stack or a prize that waits."""
    if paper.tables_of(player.id):
        raise Refused("Leave the tables first with “{name}”, then link.", None, name=player.name)
    for casino in _casinos_of(paper, player.id):
        if any(prize["player"] == player.id for prize in paper.casino(casino).get("prizes", [])):
            raise Refused("A prize of “{name}” waits for its keys; link when it is paid.", None, name=player.name)
