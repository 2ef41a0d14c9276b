"""One person across platforms: accounts are linked by a one-time code, and wallets, statistics and limits become one.

The younger player's account goes over into the older one. What the house gave the younger (start and daily chips) goes
back to the mint, so that a second account is worth nothing; everything else moves by postings.
"""

import base64
from typing import Any

from bot.floor.command import Answer, Confirm, Refused
from bot.floor.house import Paper, Player
from bot.floor.registry import Request, say, verb
from bot.texts import Text
from storage import ledger
from storage.rows import IdentityRow, MemberRow, PlayerRow

CODE_LASTS_S = 600.0


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
    names = paper.books.rows(IdentityRow, "WHERE player = ?", request.player.id)
    if len(names) < 2:
        raise Refused("This account is linked to no other.")
    if not request.command.confirmed:
        raise Confirm("This account starts anew without chips; they stay with {name}. Do it?", name=request.player.name)
    id = paper.next_id(PlayerRow)
    # Limits that somebody set himself stay on both sides.
    kept = {name: request.player.state[name] for name in ("paused", "limits", "looser") if name in request.player.state}
    state = {**kept, "no start": True}
    paper.set_player(Player(id, request.player.name, request.player.language, state, request.now))
    paper.set_identity(who.platform, who.account, id)
    return say("This account is on its own again.")


def merge(paper: Paper, older: Player, younger: Player, now: float) -> None:
    for row in paper.books.rows(MemberRow, "WHERE player = ?", younger.id):
        _merge_wallets(paper, row.casino, older, younger, now)
        _merge_standing(paper, row.casino, older.id, younger.id)
    for identity in paper.books.rows(IdentityRow, "WHERE player = ?", younger.id):
        paper.set_identity(identity.platform, identity.name, older.id)
    was = [*older.state.get("was", []), younger.id, *younger.state.get("was", [])]
    paper.set_player(older.change(**_stricter(older.state, younger.state), was=was, link=None))
    paper.set_player(younger.change(merged=older.id, link=None))


def ids_of(player: Player) -> list[int]:
    """The player, and those who went over into him: their hands and movements are his."""
    return [player.id, *player.state.get("was", [])]


def _merge_wallets(paper: Paper, casino: int, older: Player, younger: Player, now: float) -> None:
    source, target = ledger.wallet(casino, younger.id), ledger.wallet(casino, older.id)
    member = paper.member(casino, younger.id)
    assert member is not None
    if paper.member(casino, older.id) is None:
        # Where only the younger has played, his start is the person's start.
        paper.set_member(type(member)(casino, older.id, member.joined, member.state))
        paper.post(source, target, paper.balance(source), "linked", now)
        return
    given = "SELECT coalesce(sum(amount), 0) FROM postings WHERE credit = ? AND debit = ? AND why IN ('start', 'daily')"
    ((from_house,),) = paper.books.select(given, source, ledger.mint(casino))
    has = paper.balance(source)
    back = min(has, int(from_house))
    paper.post(source, ledger.mint(casino), back, "linked: house chips", now)
    paper.post(source, target, has - back, "linked", now)


def _merge_standing(paper: Paper, casino_id: int, older: int, younger: int) -> None:
    """An inspector stays one; a ban on either side holds."""
    casino = paper.casino(casino_id)
    inspectors, banned = casino.get("inspectors", []), dict(casino.get("banned", {}))
    if younger in inspectors:
        casino = paper.set_casino(casino.change(inspectors=sorted({older, *inspectors} - {younger})))
    if str(younger) in banned:
        banned.setdefault(str(older), banned[str(younger)])
        paper.set_casino(casino.change(banned=banned))


def _stricter(one: Any, other: Any) -> dict[str, Any]:
    """Pauses and limits of both, the stricter each."""
    kept: dict[str, Any] = {}
    if pauses := [state["paused"] for state in (one, other) if state.get("paused")]:
        kept["paused"] = max(pauses)
    limits: dict[str, int] = {}
    for state in (one, other):
        for name, limit in state.get("limits", {}).items():
            limits[name] = min(limit, limits.get(name, limit))
    if limits:
        kept["limits"] = limits
    if one.get("hidden") or other.get("hidden"):
        kept["hidden"] = True
    return kept


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
    for table in paper.all_tables().values():
        stands = player.id in table.players() or (table.play is not None and player.id in table.owners().values())
        if stands or paper.balance(ledger.stack(table.id, player.id)):
            raise Refused("Leave the tables first with “{name}”, then link.", None, name=player.name)
    for row in paper.books.rows(MemberRow, "WHERE player = ?", player.id):
        if any(prize["player"] == player.id for prize in paper.casino(row.casino).get("prizes", [])):
            raise Refused("A prize of “{name}” waits for its keys; link when it is paid.", None, name=player.name)
