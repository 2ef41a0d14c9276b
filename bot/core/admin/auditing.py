"""Inspectors' acts: bans, adjustments of settled hands, and what is handed to an auditor."""

from collections.abc import Callable
from functools import partial

from bot.core.casinos import sharing
from bot.core.commands.acts import tell_act
from bot.core.commands.amounts import parse_amount, parse_count
from bot.core.commands.command import MOST_ROWS, Answer, Beside, Refused, to_csv
from bot.core.commands.hooks import hooks_of
from bot.core.commands.naming import take_player
from bot.core.commands.registry import CommandFlag, Request, answer_with, command
from bot.core.players import linking
from bot.core.players.spreadsheets import CHIPS, FROM, HAND, REASON, TIME, TO, name_reader, write_chips, write_posting
from bot.core.rounds.hand_records import load_deal
from bot.core.state.values import Casino
from bot.texts import Text, say_value
from bot.texts import say as say_text
from bot.texts.times import write_moment
from engine.felt import Amount
from storage import ledger
from storage.questions import hands, postings
from storage.questions.audit import acts_of_casino
from storage.rows import AuditRow, HandRow

DAY_S = 86400.0
MOST_DAYS = 366


def check_may_play(player: int, casino: Casino, home: Casino) -> None:
    """Raise Refused for a player banned by inspectors of the casino, or of the player's community.

    A banned player may finish a hand and read the books.
    """
    if player in casino.state.banned:
        raise Refused("An inspector has banned you from this casino: {reason}", reason=casino.state.banned[player])
    if player in home.state.banned:
        raise Refused(
            "The inspectors of this community have banned you here: {reason}", reason=home.state.banned[player]
        )


@command(
    "ban",
    Text("Ban a player from this casino"),
    group="inspectors",
    flags=CommandFlag.HARMS,
    usage="PLAYER REASON",
    button=Text("Ban"),
)
def ban(request: Request) -> Answer:
    """Ban a player from the casino, for the reason named. A joined community bans from its own places only.

    Its own casino keeps the ban, so it holds when the community leaves.
    """
    request.argument(0, "Enter the player and the reason.")
    player, rest = take_player(request, 0)
    reason = request.reason(rest)
    if player == request.player.id:
        raise Refused("You cannot ban yourself. Use /pause to take a break.")
    transaction, casino = request.transaction, sharing.speaks_for(request)
    request.confirm(
        "Ban {name} from {casino}? {name} leaves every table; undealt bets and stacks are returned.",
        about=player,
        name=request.name_of(player),
        casino=casino.name,
    )
    transaction.set_casino(casino.change(banned={**casino.state.banned, player: reason}))
    for table in transaction.tables_of(player):
        if table.casino == casino.id or sharing.stands_only_in(transaction, table, casino.id):
            transaction.set_table(hooks_of(table).send_away(transaction, table, player, request.now))
    transaction.audit(
        request.now, request.casino.id, request.player.id, "ban", _subject(request, player, casino), reason
    )
    return answer_with("{name} is banned. Hands in progress will finish.", name=request.name_of(player))


def _subject(request: Request, player: int, casino: Casino) -> str:
    return f"player {player}" if casino.id == request.casino.id else f"player {player} in {casino.name}"


@command("unban", Text("Lift a player's ban"), group="inspectors", usage="PLAYER REASON", button=Text("Unban"))
def unban(request: Request) -> Answer:
    """Lift a ban. Needs an inspector of the community that set it."""
    request.argument(0, "Enter the player and the reason.")
    player, rest = take_player(request, 0)
    transaction, casino, reason = request.transaction, sharing.speaks_for(request), request.reason(rest)
    before, name = casino.state.banned, request.name_of(player)
    if player not in before:
        if player in request.casino.state.banned:
            raise Refused("{name} is banned by the inspectors of the community that founded this casino.", name=name)
        raise Refused("{name} is not banned.", name=name)
    transaction.set_casino(casino.change(banned={one: why for one, why in before.items() if one != player}))
    transaction.audit(
        request.now, request.casino.id, request.player.id, "unban", _subject(request, player, casino), reason
    )
    return answer_with("{name} can play again.", name=name)


@command(
    "adjust",
    Text("Adjust a settled hand (negative: the player pays the bank)"),
    group="inspectors",
    flags=CommandFlag.FOUNDERS,
    usage="HAND PLAYER AMOUNT REASON",
    button=Text("Correct a hand"),
)
def adjust(request: Request) -> Answer:
    """Post a correction of a settled hand, which itself stays as it was: disputes are for the management (CS27).

    Inspectors cannot adjust hands that they played in, or their own chips.
    """
    if len(request.args) < 4:
        raise Refused(
            "Enter the hand, the player, the amount and the reason, for example `/adjust 12 anna 50 wrong limit`."
        )
    hand_id = parse_count(request.args[0].removeprefix("#"), 1, 10**9)
    hand = hands.hand(request.transaction.books, hand_id) if hand_id else None
    if hand is None or hand.casino != request.casino.id or hand.closed is None:
        raise Refused("There is no settled hand with that number in this casino. For an open hand use /void.")
    if any(linking.are_one(request.transaction, one, request.player.id) for one in _players_of(hand)):
        raise Refused("You played in that hand. Another inspector must adjust it.", "CS27")
    player, rest = take_player(request, 1)
    if linking.are_one(request.transaction, player, request.player.id):
        raise Refused("Those would be your own chips. Another inspector must correct them.", "CS27")
    said = request.argument(rest, "Enter an amount, for example 50.")
    takes = said.startswith("-")
    wallet, bank = ledger.wallet(request.casino.id, player), ledger.bank(request.casino.id)
    before = request.transaction.balance(wallet)
    amount = parse_amount(said.lstrip("+-"), request.player.language, wallet=before)
    reason = request.reason(rest + 1)
    if takes and amount > before:
        raise Refused("Only {chips} can be taken.", chips=Amount(before))
    name, after = request.name_of(player), before - amount if takes else before + amount
    template = (
        "Correct hand {hand}: take {amount} chips from {name}? {before} → {after}."
        if takes
        else "Correct hand {hand}: pay {name} {amount} chips? {before} → {after}."
    )
    values = {"hand": str(hand.id), "amount": Amount(amount), "before": Amount(before), "after": Amount(after)}
    request.confirm(template, "", about=player, name=name, **values)
    debit, credit = (wallet, bank) if takes else (bank, wallet)
    request.transaction.post(debit, credit, amount, f"adjust hand {hand.id}: {reason}", request.now)
    subject = f"hand {hand.id} player {player}"
    if (table := request.transaction.table(hand.table_id)) is not None and table.casino == request.casino.id:
        subject = table.audited(subject)
        told = Text("An inspector corrected hand {hand} (CS27).", hand=str(hand.id))
        request.transaction.set_table(table.set_notice(told, request.now))
    request.transaction.audit(
        request.now, request.casino.id, request.player.id, "adjust", subject, reason, before, after
    )
    return answer_with("{name} has {chips} now.", name=name, chips=Amount(after))


def _players_of(hand: HandRow) -> list[int]:
    """Return the players who had a stake in a hand when it was dealt."""
    deal = load_deal(hand)
    return [int(stake["player"].removeprefix("p")) for stake in deal.stakes] if deal is not None else []


@command(
    "export",
    Text("Get postings and audit log of the last days, as CSV"),
    group="inspectors",
    flags=CommandFlag.FOUNDERS | CommandFlag.HANDS,
    usage="[DAYS REASON]",
    button=Text("Export"),
)
def export(request: Request) -> Answer:
    """Send the postings and the audit log as a file, which is read outside the writer once the answer is on disk."""
    days = parse_count(request.args[0], 1, MOST_DAYS) if request.args else 30
    if days is None:
        raise Refused("Enter a number of days, 1 to {most}.", most=MOST_DAYS)
    casino = request.casino.id
    request.transaction.audit(request.now, casino, request.player.id, "export", str(days), request.remark(1))
    line = Text(
        "The postings and the audit log of {days} day, the latest {most} of each at most.",
        "The postings and the audit log of {days} days, the latest {most} of each at most.",
        n=days,
        days=days,
        most=MOST_ROWS,
    )
    return Answer(
        (line,), report=partial(_export, casino=casino, days=days, until=request.now, language=request.player.language)
    )


_ACT_COLUMNS = (Text("Who"), Text("What"), Text("About"), REASON, Text("Before"), Text("After"))


def _write_act(row: AuditRow, language: str, name_of: Callable[[int], str]) -> list[str]:
    said = tell_act(row, name_of).values
    cells = (said[name] for name in ("who", "act", "subject", "reason", "before", "after"))
    return [
        write_moment(row.at),
        *(write_chips(one) if isinstance(one, Amount) else say_value(one, language) for one in cells),
    ]


def _export(beside: Beside, casino: int, days: int, until: float, language: str) -> Answer:
    name_of = name_reader(beside.books, casino)
    period = (casino, until - days * DAY_S, until, MOST_ROWS)
    moved, done = postings.postings_of_casino(beside.books, *period), acts_of_casino(beside.books, *period)
    content = to_csv(
        [say_text(one, language) for one in (TIME, CHIPS, REASON, HAND, FROM, TO)],
        (write_posting(row, language, name_of) for row in moved),
    )
    content += "\n" + to_csv(
        [say_text(one, language) for one in (TIME, *_ACT_COLUMNS)], (_write_act(row, language, name_of) for row in done)
    )
    return Answer(file=(f"ridotto-{days}-days.csv", content))
