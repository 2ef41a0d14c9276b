"""One person across platforms: accounts are linked by a one-time code, and wallets, statistics and limits become one.

A person links one account of each platform. The younger player's account goes over into the older one. The younger
account's start and daily chips go back to the mint, and lost ones are owed, so that a second account is worth nothing.
The rest is a gift from one to the other: it comes over as fast as chips may pass between people (gift_budget.py), and
waits in its old wallet until then.
"""

import base64
from dataclasses import replace
from typing import NamedTuple

from msgspec import structs

from bot.core.commands.amounts import parse_count
from bot.core.commands.command import Answer, Refused
from bot.core.commands.hooks import waiting_in
from bot.core.commands.registry import Request, answer_with, command
from bot.core.commands.shown_names import trim_name
from bot.core.players import gift_budget, self_limits
from bot.core.state.people import LinkCode, PlayerState
from bot.core.state.transaction import Transaction
from bot.core.state.values import Member, Player
from bot.texts import Name, Text
from engine.felt import Amount
from storage import ledger
from storage.questions import people
from storage.questions.postings import postings_into
from storage.rows import IdentityRow, MemberRow, PlayerRow, PostingRow

CODE_LASTS_S = 600.0
LASTS_S = 24 * 3600.0
GIFTS_OF_THE_HOUSE = ("start", "daily", "season starts")


@command("link", Text("Use one wallet for your accounts on several platforms"), group="me", usage="[CODE]")
def link(request: Request) -> Answer:
    """Link two accounts of one person: without a code return one, with the code of the other account join the two."""
    if not request.args:
        # Contains the player's number, so that it need not be searched.
        code = f"{request.player.id}-{base64.b32encode(request.entropy(5)).decode()}"
        until = request.now + CODE_LASTS_S
        request.transaction.set_player(request.player.change(link=LinkCode(code, until)))
        return answer_with(
            "Your code is {code}. Within ten minutes, use `/link {code}` on your other account.", code=code
        )
    other = _find_by_code(request, request.args[0].upper())
    if other.id == request.player.id:
        raise Refused("That code is for your other account. Enter it there.")
    older, younger = sorted((request.player, other), key=lambda player: (player.joined, player.id))
    _check_platforms(request.transaction, older, younger)
    _check_idle(request.transaction, younger)
    request.confirm(
        "Link “{one}” and “{other}” for at least a day? {what}",
        one=request.player.own_name,
        other=other.own_name,
        what=_say_chips(request.transaction, older, younger),
    )
    merge(request.transaction, older, younger, request.now)
    return answer_with("Your accounts are linked: one wallet for both.")


@command("unlink", Text("Unlink this account"), group="me")
def unlink(request: Request) -> Answer:
    """Unlink an account. It moves no chips and gives no new start."""
    who, transaction = request.command.who, request.transaction
    accounts = _identities_of(transaction, request.player.id)
    if len(accounts) < 2:
        raise Refused("This account is not linked to another.")
    linked = request.player.state.linked
    left = 0.0 if linked is None else min(linked, request.now) + LASTS_S - request.now
    if left > 0:
        raise Refused("You can undo a link in {hours} h, once it is a day old.", hours=-int(-left // 3600))
    request.confirm("Unlink this account? It starts again without chips; they stay with your other account.")
    id = transaction.next_id(PlayerRow)
    state = _part(request.player)
    name = trim_name(request.player.state.called.get(who.platform, request.player.own_name))
    transaction.set_player(Player(id, Name(name), request.player.language, state, request.now))
    transaction.set_player(request.player.change(parts=(*request.player.state.parts, id)))
    (own,) = (one for one in accounts if (one.platform, one.name) == (who.platform, who.account))
    transaction.set_identity(own._replace(player=id))
    _ban_too(transaction, request.player.id, id)
    return answer_with("This account is no longer linked.")


def _part(player: Player) -> PlayerState:
    """Return the state of a parted account: own settings and bans stay on both sides, and so does who they were."""
    was = player.state
    return PlayerState(
        paused=was.paused,
        limits=was.limits,
        looser=was.looser,
        quiet=was.quiet,
        hidden=was.hidden,
        time_bank=was.time_bank,
        coach=was.coach,
        unmentioned=was.unmentioned,
        no_start=True,
        parted=player.id,
    )


def merge(transaction: Transaction, older: Player, younger: Player, now: float) -> None:
    """Merge the younger player into the older one in every casino: wallets, accounts, bans.

    Of two limits the stricter one stays.
    """
    for casino in _casinos_of(transaction, younger.id):
        _merge_wallets(transaction, casino, older, younger, now)
        _merge_standing(transaction, casino, older.id, younger.id)
    _ban_too(transaction, younger.id, older.id)
    for identity in _identities_of(transaction, younger.id):
        transaction.set_identity(identity._replace(player=older.id))
    state = structs.replace(
        self_limits.stricter(older, younger, now),
        hidden=older.state.hidden or younger.state.hidden,
        unmentioned=older.state.unmentioned or younger.state.unmentioned,
        # Casinos that either player has used: the lounge shows the tables of all.
        casinos=tuple(sorted({*older.state.casinos, *younger.state.casinos})),
        was=(*older.ids, *younger.ids)[1:],
        called={**younger.state.called, **older.state.called},
        usernames={**younger.state.usernames, **older.state.usernames},
        link=None,
        linked=now,
    )
    transaction.set_player(replace(older, state=state))
    seen = transaction.seen_last[older.id]
    if seen.casino is None:
        # Last, so that a private chat stands for that casino.
        transaction.note_seen(seen._replace(casino=transaction.seen_last[younger.id].casino))
    for id in younger.ids:
        transaction.set_player(transaction.players[id].change(merged=older.id, link=None))
    for casino in _casinos_of(transaction, older.id):
        carry_over(transaction, casino, older.id, now)


def are_one(transaction: Transaction, one: int, other: int) -> bool:
    """Check whether two players are or were the same person: unlinking an account does not make two people."""
    return other in self_limits.ids_of_person(transaction, one)


def _casinos_of(transaction: Transaction, player: int) -> list[int]:
    """Return the casinos of a player, memberships not yet stored included: a first command may be the code."""
    rows = [*people.memberships_of_player(transaction.books, player), *transaction.unwritten(MemberRow)]
    return sorted({row.casino for row in rows if row.player == player})


def _identities_of(transaction: Transaction, player: int) -> list[IdentityRow]:
    rows = [*people.identities_of_player(transaction.books, player), *transaction.unwritten(IdentityRow)]
    known = {(row.platform, row.name): row for row in rows}
    return [row for key, row in known.items() if transaction.identity(*key) == player]


class _Share(NamedTuple):
    """Division of an account's chips in one casino: the casino's, what it won, what it owes."""

    back: int
    won: int
    owed: int


def _share_of(transaction: Transaction, casino: int, member: Member) -> _Share:
    has, given = transaction.balance(ledger.wallet(casino, member.player)), _given_by_house(transaction, casino, member)
    back = min(has, given)
    return _Share(back, has - back, given - back + member.state.debt)


def _say_chips(transaction: Transaction, older: Player, younger: Player) -> Text:
    """Describe what happens to the chips in all casinos together, before it is done."""
    members = [(one, transaction.member(one, younger.id)) for one in _casinos_of(transaction, younger.id)]
    both = [
        (one, member) for one, member in members if member is not None and transaction.member(one, older.id) is not None
    ]
    shares = [_share_of(transaction, one, member) for one, member in both]
    won, owed = sum(share.won for share in shares), sum(share.owed for share in shares)
    said = Text("The start and daily chips of “{younger}” return to the bank.", younger=younger.own_name)
    if owed:
        lost = Text(
            "{owed} of them are already lost and charged to “{older}”.", owed=Amount(owed), older=older.own_name
        )
        said = Text("{first} {then}", first=said, then=lost)
    if won:
        comes = Text("The {won} won on top follow within the daily gift limit.", won=Amount(won))
        said = Text("{first} {then}", first=said, then=comes)
    return said


def _merge_wallets(transaction: Transaction, casino: int, older: Player, younger: Player, now: float) -> None:
    source, target, mint = ledger.wallet(casino, younger.id), ledger.wallet(casino, older.id), ledger.mint(casino)
    member, kept = transaction.member(casino, younger.id), transaction.member(casino, older.id)
    assert member is not None
    if kept is None:
        # If only the younger account has played, its start chips are the person's and stay marked as the casino's.
        inherited = member.change(from_house=_given_by_house(transaction, casino, member))
        transaction.set_member(replace(inherited, player=older.id))
        transaction.post(source, target, transaction.balance(source), "linked", now)
        return
    share = _share_of(transaction, casino, member)
    transaction.post(source, mint, share.back, "linked: bank chips", now)
    paid = min(share.owed, transaction.balance(target))
    transaction.post(target, mint, paid, "linked: lost house chips", now)
    if share.owed:
        transaction.set_member(kept.change(debt=kept.state.debt + share.owed - paid))


def carry_over(transaction: Transaction, casino: int, player: int, now: float) -> None:
    """Bring over the winnings of accounts that were linked into this one, as much as may pass today."""
    for id in transaction.players[player].ids[1:]:
        left = transaction.balance(ledger.wallet(casino, id))
        member, source = transaction.member(casino, player), transaction.member(casino, id)
        if not left or member is None or source is None or gift_budget.is_new(transaction.casinos[casino], source, now):
            continue
        amount = min(left, gift_budget.may_take(transaction, member, now))
        transaction.post(ledger.wallet(casino, id), ledger.wallet(casino, player), amount, "linked", now)
        gift_budget.note(transaction, casino, player, -amount, now)


def _given_by_house(transaction: Transaction, casino: int, member: Member) -> int:
    """Return the start and daily chips that the casino has given a member this season."""
    wallet, mint = ledger.wallet(casino, member.player), ledger.mint(casino)
    rows = [*postings_into(transaction.books, wallet), *transaction.unwritten(PostingRow)]
    total = member.state.from_house
    for row in rows:
        if (row.debit, row.credit) == (mint, wallet) and row.why in GIFTS_OF_THE_HOUSE:
            total = row.amount if row.why == "season starts" else total + row.amount
    return total


def _merge_standing(transaction: Transaction, casino_id: int, older: int, younger: int) -> None:
    """Keep an inspector's role under the older of two linked players."""
    casino = transaction.casinos[casino_id]
    inspectors = casino.state.inspectors
    if younger in inspectors:
        transaction.set_casino(casino.change(inspectors=tuple(sorted({older, *inspectors} - {younger}))))


def _ban_too(transaction: Transaction, banned: int, other: int) -> None:
    """Keep a ban under all accounts of the person."""
    for casino in transaction.casinos_banning(banned):
        reasons = casino.state.banned
        transaction.set_casino(casino.change(banned={other: reasons[banned], **reasons}))


def _find_by_code(request: Request, code: str) -> Player:
    number = parse_count(code.partition("-")[0], 1, 10**9)
    player = request.transaction.players.find(number) if number is not None else None
    known = player.state.link if player is not None else None
    if player is None or known is None or known.code != code or known.until < request.now:
        raise Refused("That code is wrong or older than ten minutes. Use /link on your other account again.")
    return player


def _check_platforms(transaction: Transaction, older: Player, younger: Player) -> None:
    """Refuse to link two accounts of the same platform, so that one owner of many accounts cannot join them."""
    first, second = ({row.platform for row in _identities_of(transaction, player.id)} for player in (older, younger))
    if first & second:
        raise Refused("Both accounts are on the same platform. You can link one of each.")


def _check_idle(transaction: Transaction, player: Player) -> None:
    """Refuse to link an account that has a hand, a stack or an unconfirmed prize."""
    if transaction.tables_of(player.id):
        raise Refused("Leave the tables first with “{name}”, then link.", name=player.own_name)
    for casino in _casinos_of(transaction, player.id):
        if any(one.player == player.id for one in waiting_in(transaction.casinos[casino])):
            raise Refused("“{name}” has a prize waiting for confirmation. Link after it is paid.", name=player.own_name)
