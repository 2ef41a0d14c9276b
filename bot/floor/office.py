"""The inspectors' office: bans, adjustments of settled hands, and what is handed to an auditor."""

from bot.floor import betting, houses, stacks
from bot.floor.amounts import parse_amount, parse_count
from bot.floor.command import Answer, Confirm, Refused, to_csv
from bot.floor.house import Casino
from bot.floor.inspectors import ask_before_taking
from bot.floor.registry import Request, say, verb
from bot.floor.table import Table
from bot.floor.words import take_player
from bot.texts import Text
from engine.felt import Amount
from storage import ledger
from storage.rows import AuditRow, HandRow, PostingRow

DAY_S = 86400.0
MOST_DAYS = 366
# What a ban keeps from somebody, beside everything that stakes chips; he finishes his hand and sees his books.
BARRED = ("daily", "give")


def check_may_play(player: int, casino: Casino, home: Casino) -> None:
    """Raises Refused for whom the casino's inspectors keep from playing, or those of the community that he is in."""
    if str(player) in casino.get("banned", {}):
        raise Refused("An inspector keeps you from playing in this casino.")
    if str(player) in home.get("banned", {}):
        raise Refused("The inspectors of this community keep you from playing here.")


@verb("ban", Text("Keep somebody from playing in this casino"), group="inspectors", usage="PLAYER REASON")
def ban(request: Request) -> Answer:
    """A community that has joined bans from its own places: its own casino keeps that, and it holds when it leaves."""
    request.argument(0, "Name the player and the reason.")
    player, rest = take_player(request, 0)
    reason = request.reason(rest)
    if player == request.player.id:
        raise Refused("You cannot ban yourself; /pause keeps you from playing.")
    paper, keeper = request.paper, houses.speaks_for(request)
    if not request.command.confirmed:
        raise Confirm(
            "{name} leaves every table of {casino} and bets there no more; bets that were not dealt and stacks come "
            "back. Do it?",
            name=paper.player(player).name,
            casino=keeper.name,
        )
    paper.set_casino(keeper.change(banned={**keeper.get("banned", {}), str(player): reason}))
    for table in paper.all_tables().values():
        if table.casino == keeper.id or houses.stands_only_in(paper, table, keeper.id):
            _send_away(request, table, player)
    paper.audit(request.now, request.casino.id, request.player.id, "ban", _subject(request, player, keeper), reason)
    return say("{name} plays here no more; hands under way end.", name=paper.player(player).name)


def _subject(request: Request, player: int, keeper: Casino) -> str:
    return f"player {player}" if keeper.id == request.casino.id else f"player {player} in {keeper.name}"


def _send_away(request: Request, table: Table, player: int) -> None:
    """Bets that were not dealt come back, and so does a stack: in the middle of a hand when it is over."""
    if table.game == "stud" and table.seat_of(player) is not None:
        request.paper.set_table(stacks.send_away(request.paper, table, player, request.now))
    elif table.play is None and player in table.players():
        table = betting.return_bets(request.paper, table, player, request.now, "banned")
        seats = {seat: sitting for seat, sitting in table.seats.items() if sitting != player}
        request.paper.set_table(table.change(seats=seats))


@verb("unban", Text("Let somebody play again"), group="inspectors", usage="PLAYER REASON")
def unban(request: Request) -> Answer:
    request.argument(0, "Name the player and the reason.")
    player, rest = take_player(request, 0)
    paper, keeper, reason = request.paper, houses.speaks_for(request), request.reason(rest)
    before, name = keeper.get("banned", {}), paper.player(player).name
    if str(player) not in before:
        if str(player) in request.casino.get("banned", {}):
            raise Refused("{name} is banned by the inspectors of the community that founded this casino.", name=name)
        raise Refused("{name} is not banned.", name=name)
    paper.set_casino(keeper.change(banned={one: why for one, why in before.items() if one != str(player)}))
    paper.audit(request.now, request.casino.id, request.player.id, "unban", _subject(request, player, keeper), reason)
    return say("{name} may play again.", name=name)


@verb(
    "adjust",
    Text("Correct a settled hand: the bank pays, or takes with a minus"),
    group="inspectors",
    usage="HAND PLAYER AMOUNT REASON",
)
def adjust(request: Request) -> Answer:
    """CS27: a dispute is the management's; a settled hand stays as it was, and this posting stands beside it."""
    if len(request.args) < 4:
        raise Refused("Say the hand, the player, the amount and the reason: /adjust 12 anna 50 wrong limit.")
    hand_id = parse_count(request.args[0].removeprefix("#"), 1, 10**9)
    hand = request.paper.books.first(HandRow, "WHERE id = ?", hand_id) if hand_id else None
    if hand is None or hand.casino != request.casino.id or hand.closed is None:
        raise Refused("No settled hand of this casino has that number; an open one takes /void.")
    player, rest = take_player(request, 1)
    said = request.argument(rest, "Name an amount, such as 50.")
    takes = said.startswith("-")
    wallet, bank = ledger.wallet(request.casino.id, player), ledger.bank(request.casino.id)
    before = request.paper.balance(wallet)
    amount = parse_amount(said.lstrip("+-"), request.player.language, wallet=before)
    reason = request.reason(rest + 1)
    if takes and amount > before:
        raise Refused("There are only {chips} to take.", None, chips=Amount(before))
    if takes:
        ask_before_taking(request, player, before, amount)
    debit, credit = (wallet, bank) if takes else (bank, wallet)
    request.paper.post(debit, credit, amount, f"adjust hand {hand.id}: {reason}", request.now)
    if (table := request.paper.table(hand.table_id)) is not None and table.casino == request.casino.id:
        told = Text("An inspector corrected hand {hand} (CS27).", "", hand=str(hand.id))
        request.paper.set_table(table.tell(told, request.now))
    after, subject = request.paper.balance(wallet), f"hand {hand.id} player {player}"
    request.paper.audit(request.now, request.casino.id, request.player.id, "adjust", subject, reason, before, after)
    return say("{name} has {chips} now.", name=request.paper.player(player).name, chips=Amount(after))


@verb("export", Text("Postings and audit of the last days, as CSV"), group="inspectors", usage="[DAYS REASON]")
def export(request: Request) -> Answer:
    days = parse_count(request.args[0], 1, MOST_DAYS) if request.args else 30
    if days is None:
        raise Refused("Name the days, 1 to {most}.", None, most=MOST_DAYS)
    since, casino = request.now - days * DAY_S, request.casino.id
    books = request.paper.books
    hands = {id for (id,) in books.select("SELECT id FROM hands WHERE casino = ?", casino)}
    everything = books.rows(PostingRow, "WHERE at >= ? ORDER BY id", since)
    postings = [row for row in everything if row.hand in hands or _is_of(row, request)]
    audit = books.rows(AuditRow, "WHERE casino = ? AND at >= ? ORDER BY id", casino, since)
    text = to_csv(PostingRow._fields, postings) + "\n" + to_csv(AuditRow._fields, audit)
    request.paper.audit(request.now, casino, request.player.id, "export", f"{days} days", request.remark(1))
    line = Text("{n} posting and the audit log.", "{n} postings and the audit log.", n=len(postings))
    return Answer((line,), file=(f"ridotto-{days}-days.csv", text))


def _is_of(row: PostingRow, request: Request) -> bool:
    """Whether a posting outside of any hand touches this casino."""
    own = (f":{request.casino.id}:", f":{request.casino.id}")
    for account in (row.debit, row.credit):
        kind, _colon, rest = account.partition(":")
        if kind in ("player", "bank", "jackpot", "mint") and f":{rest}".startswith(own[0]) | (f":{rest}" == own[1]):
            return True
    return False
