"""Several communities in one casino, and the house rules of its economy (start, daily chips, gifts, seasons).

A community that joins another's casino leaves its own wallets behind, frozen; they come back when it leaves. Meter,
chips and rules stay with the inspectors of the founding community: a joined one's run the tables in its own places,
void the hands that are played there, and keep people from playing there.
"""

import base64

from bot.core.commands import acts
from bot.core.commands.amounts import parse_amount, parse_count
from bot.core.commands.command import Answer, Refused
from bot.core.commands.hooks import waiting_in
from bot.core.commands.naming import is_quoted, take_text
from bot.core.commands.offers import typed
from bot.core.commands.registry import CommandFlag, Request, answer_with, command
from bot.core.players import gift_budget, self_limits, wallets
from bot.core.players.names import take_nicknames_away
from bot.core.rounds import commitments, opening
from bot.core.state.casinos import JoinCode, Season
from bot.core.state.lounge import is_room
from bot.core.state.table import Table
from bot.core.state.transaction import Transaction
from bot.core.state.values import Casino
from bot.texts import Text
from engine.fairness.log import ended
from engine.felt import Amount
from storage import ledger
from storage.questions import people
from storage.questions.accounts import sum_of_wallets
from storage.rows import AuditRow

CODE_LASTS_S = 3600.0
AMOUNTS = ("start", "daily", "daily_below", "give_a_day", "take_a_day")
RULES = {
    "start": Text("Chips for a new player"),
    "daily": Text("Daily chips"),
    "daily_below": Text("Daily chips up to a balance of"),
    "give_a_day": Text("Gifts a player may make in a day"),
    "take_a_day": Text("Gifts a player may receive in a day"),
    "give_after_hours": Text("Hours before a new player may give"),
    "most_percent": Text("Largest share of a wallet at one table, in percent"),
    "name": Text("Name of the casino"),
}
"""Names of the rules that `/house set` changes."""
_TOTALS = {
    "created": Text("Total chips"),
    "in wallets": Text("In wallets"),
    "in the bank": Text("In the bank"),
    "in the jackpot": Text("In the jackpot meter"),
    "on the tables": Text("On the tables"),
}


@command("casino show", Text("See this casino's rules and chips, and who shares it"), group="me")
def show_casino(request: Request) -> Answer:
    """Show the communities of the casino and its rules; to an inspector also where its chips are."""
    casino = request.casino
    lines = [*say_who_shares(request)]
    lines += [Text("{name}: {value}", name=RULES[name], value=value) for name, value in rules_of(casino).items()]
    if request.is_inspector:
        totals = totals_of(request.transaction, casino.id)
        lines += [Text("{name}: {value}", name=_TOTALS[name], value=Amount(one)) for name, one in totals.items()]
    return Answer(tuple(lines))


def say_who_shares(request: Request) -> tuple[Text, ...]:
    """Name the casino and the communities that have joined it."""
    lines = (Text("{name} is the casino here.", name=request.casino.name),)
    homes = {row.home for row in request.transaction.places_in(request.casino.id) if row.home}
    others = [request.transaction.casinos[home].name for home in sorted(homes)]
    return (*lines, Text("It is shared with {names}.", names=", ".join(others))) if others else lines


def rules_of(casino: Casino) -> dict[str, object]:
    """Return the present values of the rules that `/house set` changes."""
    return {
        "start": Amount(wallets.start_of(casino)),
        "daily": Amount(wallets.daily_of(casino)),
        "daily_below": Amount(wallets.daily_below(casino)),
        "give_a_day": Amount(gift_budget.give_a_day(casino)),
        "take_a_day": Amount(gift_budget.take_a_day(casino)),
        "give_after_hours": int(gift_budget.give_after_s(casino) // 3600),
        "most_percent": self_limits.most_percent(casino),
    }


def totals_of(transaction: Transaction, casino: int) -> dict[str, int]:
    """Return where the casino's chips are: everything minted is in wallets, bank, meter and on tables, prizes
    included.
    """
    tournaments = [table for table in transaction.tables_in(casino) if table.tournament is not None]
    tables = [table for table in transaction.tables_in(casino) if table.tournament is None]
    lying = [ledger.hand(table.round.hand_id) for table in tables if table.round.hand_id]
    lying += [ledger.stack(table.id, player) for table in tables for player in table.seats.values()]
    lying += [ledger.pool(table.id) for table in tournaments]
    lying += sorted({ledger.escrow(one.hand, one.seat) for one in waiting_in(transaction.casinos[casino])})
    return {
        "created": -transaction.balance(ledger.mint(casino)),
        "in wallets": sum_of_wallets(transaction.books, casino),
        "in the bank": transaction.balance(ledger.bank(casino)),
        "in the jackpot": transaction.balance(ledger.jackpot(casino)),
        "on the tables": sum(map(transaction.balance, lying)),
    }


@command(
    "house set",
    Text("Change a rule of the casino's economy"),
    group="inspectors",
    flags=CommandFlag.FOUNDERS,
    usage="start|daily|daily_below|give_a_day|take_a_day|give_after_hours|most_percent|name VALUE REASON",
    button=Text("Change a rule"),
)
def set_rule(request: Request) -> Answer:
    """Change a rule of the casino: `RULE VALUE REASON`. 0 or `off` switches it off; a name must be quoted."""
    casino = request.casino
    name = request.argument(0, "Enter the rule and its value, for example: start 500.")
    text, rest = take_text(request.args, 1) if len(request.args) > 1 else ("", 1)
    before: object = casino.name if name == "name" else rules_of(casino).get(name)
    if before is None:
        raise Refused("Choose one of: {names}.", names=", ".join([*rules_of(casino), "name"]))
    if name == "name":
        if not is_quoted(request.argument(1, "A casino's name must have 1 to 60 characters.")):
            raise Refused("Put the name in quotes, then give the reason: name “The Ridotto” we moved.")
        changed = Casino(casino.id, _parse_name(text), casino.state, casino.founded)
    elif name in AMOUNTS:
        changed = casino.change(**{name: 0 if text in ("0", "off") else parse_amount(text, request.player.language)})
    elif name == "give_after_hours":
        changed = casino.change(give_after_s=3600.0 * _parse_count(text, 0, 24 * 365))
    else:
        changed = casino.change(most_percent=_parse_count(text, 1, 100))
    reason = request.reason(rest)
    after: object = changed.name if name == "name" else rules_of(changed)[name]
    values = {"rule": RULES[name], "before": before, "after": after}
    if after == before:
        return answer_with("{rule} is already {after}.", **values)
    request.confirm("{rule}: {before} → {after}. Change it?", "", **values)
    request.transaction.set_casino(changed)
    request.transaction.audit(request.now, casino.id, request.player.id, "house set", name, reason, before, after)
    return answer_with("{rule}: {before} → {after}.", **values)


def _undo_rule(row: AuditRow, reader: acts.AuditReader) -> acts.Undo | None:
    if not acts.is_set(row):
        return None
    value = typed(int(row.before)) if row.subject in AMOUNTS else row.before
    return acts.Undo("house set", (row.subject, acts.quoted(value) if row.subject == "name" else value))


acts.ACTS["house set"] = acts.Kind(
    _undo_rule,
    lambda subject: acts.BOTH if subject in AMOUNTS else (),
    Text("Rule changed"),
    lambda subject: RULES.get(subject, subject),
)


def _parse_name(text: str) -> str:
    if not 1 <= len(text) <= 60:
        raise Refused("A casino's name must have 1 to 60 characters.")
    return text


def _parse_count(text: str, least: int, most: int) -> int:
    number = parse_count(text, least, most)
    if number is None:
        raise Refused("Enter a number from {least} to {most}.", least=least, most=most)
    return number


@command(
    "house code",
    Text("Get a code for another community to join this casino"),
    group="inspectors",
    flags=CommandFlag.FOUNDERS,
    usage="[REASON]",
    button=Text("Make a join code"),
)
def give_code(request: Request) -> Answer:
    """Make a code by which another community can join, valid for an hour. It replaces the one before."""
    # Contains the casino's number, so that it need not be searched.
    code = f"{request.casino.id}-{base64.b32encode(request.entropy(10)).decode()}"
    request.transaction.set_casino(request.casino.change(code=JoinCode(code, request.now + CODE_LASTS_S)))
    request.transaction.audit(
        request.now, request.casino.id, request.player.id, "house code", "casino", request.remark(0)
    )
    return answer_with(
        "The code is {code}. Within an hour, an inspector of the other community must use `/house join {code}`.",
        code=code,
    )


@command(
    "house join",
    Text("Join another community's casino"),
    group="inspectors",
    flags=CommandFlag.HARMS,
    usage="CODE [REASON]",
    button=Text("Join another casino"),
)
def join(request: Request) -> Answer:
    """Join another casino: tables and places move, wallets stay. Refused while a hand, bet or prize is open."""
    transaction, old = request.transaction, request.casino
    if transaction.places_from(request.home.id):
        raise Refused("This community has already joined a casino. Use /house leave first.")
    if any(row.home for row in transaction.places_in(old.id)):
        raise Refused("Other communities have joined this casino, so it cannot join another one.")
    new = _find_casino(request, request.argument(0, "Enter the code from an inspector of the other casino."))
    tables = _tables_of(transaction, old.id)
    _check_quiet(transaction, tables)
    if waiting_in(old):
        raise Refused("A prize is waiting for confirmation. Wait until it is paid.", "CS23")
    request.confirm(
        (
            "Join {name}? Wallets here are frozen and come back when you leave; your members start there by its "
            "rules. Jackpot, chips and season stay with the inspectors of {name}; your inspectors run the tables "
            "in your own channels and can ban players there."
        ),
        name=new.name,
    )
    for row in transaction.places_in(old.id):
        transaction.set_place(row._replace(casino=new.id, home=old.id))
    for table in tables:
        _move_table(request, table, new.id, commitments.JOINED)
    take_nicknames_away(transaction, new.id)
    transaction.log(old.id, ended(str(new.id), transaction.log_of(old.id).time(request.now)))
    # The code is used up, and private chats for the old casino move to the new one.
    transaction.set_casino(transaction.casinos[new.id].change(code=None))
    transaction.set_casino(transaction.casinos[old.id].change(joined=new.id, code=None))
    transaction.audit(request.now, old.id, request.player.id, "house join", f"casino {new.id}", request.remark(1))
    transaction.audit(request.now, new.id, request.player.id, "house join", f"casino {old.id}", request.remark(1))
    return answer_with("Your tables belong to {name} now.", name=new.name)


@command(
    "house leave",
    Text("Return to this community's own casino"),
    group="inspectors",
    flags=CommandFlag.HARMS,
    usage="[REASON]",
    button=Text("Leave this casino"),
)
def leave(request: Request) -> Answer:
    """Return to the community's own casino, with the tables that stand only in its own places."""
    transaction, home = request.transaction, request.home.id
    if home == request.casino.id:
        raise Refused("This community has its own casino.")
    mine = transaction.places_from(home)
    tables = [table for table in _tables_of(transaction, request.casino.id) if stands_only_in(transaction, table, home)]
    _check_quiet(transaction, tables)
    request.confirm(
        "Leave {name}? Wallets there stay behind, and your wallets here come back.", name=request.casino.name
    )
    moved = {table.id for table in tables}
    for row in mine:
        transaction.set_place(
            row._replace(casino=home, home=0, table_id=row.table_id if row.table_id in moved else None)
        )
    transaction.begin_log(home, commitments.LEFT, request.now)
    for table in tables:
        _move_table(request, table, home, commitments.LEFT)
    transaction.set_casino(transaction.casinos[home].change(joined=None))
    transaction.audit(
        request.now, home, request.player.id, "house leave", f"casino {request.casino.id}", request.remark(0)
    )
    transaction.audit(
        request.now, request.casino.id, request.player.id, "house leave", f"casino {home}", request.remark(0)
    )
    return answer_with("This community has its own casino again.")


@command(
    "table mirror",
    Text("Show a table of this casino here too"),
    group="inspectors",
    flags=CommandFlag.OPENS | CommandFlag.SHOWS,
    usage="NUMBER|off [REASON]",
    button=Text("Show a table here"),
)
def mirror(request: Request) -> Answer:
    """Show a table of the casino at this place too: players at both places play the same hand."""
    place = request.command.place
    if request.args[:1] == ("off",):
        return _end_mirror(request)
    number = _parse_count(request.argument(0, "Enter the number of the table from /tables."), 1, 10**6)
    found = [table for table in _tables_of(request.transaction, request.casino.id) if table.number == number]
    if not found:
        raise Refused("This casino has no table {number}.", number=number)
    if request.at is not None and request.at.status != "closed":
        raise Refused("There is a table here already; close it first.")
    if is_room(place):
        raise Refused("The lounge already shows every table of its casino.")
    row = request.transaction.place(*place)
    assert row is not None
    request.transaction.set_place(row._replace(table_id=found[0].id))
    # A change of the table, so that platforms notice its new place.
    request.transaction.set_table(found[0].change())
    subject, remark = found[0].audited(), request.remark(1)
    request.transaction.audit(request.now, request.casino.id, request.player.id, "table mirror", subject, remark)
    return answer_with("Table {number} is now shown here too.", number=number)


def _end_mirror(request: Request) -> Answer:
    """Stop showing a table here. Refused where no other place shows it."""
    row, table = request.transaction.place(*request.command.place), request.table
    elsewhere = [one for one in request.transaction.places_of(table.id) if one != row]
    if row is None or not elsewhere:
        raise Refused("This is the only place that shows this table. Close it with /table close.")
    request.transaction.set_place(row._replace(table_id=None))
    request.transaction.set_table(table)
    subject, remark = table.audited("off"), request.remark(1)
    request.transaction.audit(request.now, request.casino.id, request.player.id, "table mirror", subject, remark)
    return answer_with("Table {number} is no longer shown here.", number=table.number)


def speaks_for(request: Request) -> Casino:
    """Return the casino in whose name an inspector acts: this one, or that of their community which has joined it."""
    if request.player.id in request.casino.state.inspectors:
        return request.casino
    return request.home


def is_run_by(transaction: Transaction, table: Table, casino: Casino) -> bool:
    """Check whether a casino's inspectors run a table: founders run all, a joined community those in its own places."""
    return table.casino == casino.id or any(row.home == casino.id for row in transaction.places_of(table.id))


def _tables_of(transaction: Transaction, casino: int) -> list[Table]:
    return [table for table in transaction.tables_in(casino) if table.status != "closed"]


def stands_only_in(transaction: Transaction, table: Table, home: int) -> bool:
    """Check whether all places of a table belong to this community, so that it moves with it."""
    rows = transaction.places_of(table.id)
    return bool(rows) and all(row.home == home for row in rows)


def _check_quiet(transaction: Transaction, tables: list[Table]) -> None:
    for table in tables:
        stacks = any(transaction.balance(ledger.stack(table.id, player)) for player in table.seats.values())
        waits = table.tournament is not None and not table.tournament.has_ended
        if table.phase == "playing" or table.round.bets or stacks or waits:
            raise Refused("Table {number} is in play. Wait until it is empty, or close it.", number=table.number)


def _move_table(request: Request, table: Table, casino: int, why: str) -> None:
    """Move a table to another casino: its commitment, which is in the old casino's log, is dropped and made again."""
    transaction, now = request.transaction, request.now
    number = 1 + max((other.number for other in transaction.tables_in(casino)), default=0)
    table = commitments.leave_log(commitments.drop(transaction, table, now, why))
    name = transaction.casinos[casino].name
    told = Text("This table belongs to {name} now. You play from your wallet there.", name=name)
    table = table.change(casino=casino, number=number, seats={}, last=None, last_hand=None, unread=None, last_bets={})
    opening.open_hand(transaction, table.set_notice(told, now), now, request.entropy(32))


def _find_casino(request: Request, code: str) -> Casino:
    number = parse_count(code.partition("-")[0], 1, 10**9)
    casino = request.transaction.casinos.find(number) if number is not None else None
    known = casino.state.code if casino is not None else None
    is_known = known is not None and known.code == code.upper() and request.now <= known.until
    if casino is None or casino.id == request.casino.id or not is_known:
        raise Refused("That code is wrong or older than an hour. Ask for a new one.")
    return casino


@command(
    "house reset",
    Text("End the season: everyone starts again"),
    group="inspectors",
    flags=CommandFlag.FOUNDERS | CommandFlag.HARMS,
    usage="REASON",
    button=Text("End the season"),
)
def reset(request: Request) -> Answer:
    """End the season: keep its leaderboard, take every wallet back to the mint and pay everybody the starting chips."""
    transaction, casino, reason = request.transaction, request.casino, request.reason(0)
    _check_quiet(transaction, _tables_of(transaction, casino.id))
    if waiting_in(casino):
        raise Refused("A prize is waiting for confirmation. End the season after it is paid.")
    everybody = people.members_of_casino(transaction.books, casino.id)
    members = [member for member in everybody if transaction.players[member.player].state.merged is None]
    request.confirm(
        "End the season? {n} wallet returns to {start}. The leaderboard is kept.",
        "End the season? {n} wallets return to {start}. The leaderboard is kept.",
        n=len(members),
        start=Amount(wallets.start_of(casino)),
    )
    richest = wallets.rank_players(transaction, casino.id, wallets.PLACES)
    board = [(str(request.name_of(player)), chips) for player, chips in richest]
    mint = ledger.mint(casino.id)
    for row in everybody:
        wallet = ledger.wallet(casino.id, row.player)
        transaction.post(wallet, mint, transaction.balance(wallet), "season ends", request.now)
    for row in members:
        wallet = ledger.wallet(casino.id, row.player)
        transaction.post(mint, wallet, wallets.start_of(casino), "season starts", request.now)
        if (member := transaction.member(casino.id, row.player)) is not None and member.state.debt:
            transaction.set_member(member.change(debt=0))
    for table in _tables_of(transaction, casino.id):
        told = Text("A new season has begun, and everyone starts again. The last leaderboard is kept.")
        transaction.set_table(table.set_notice(told, request.now))
    seasons = (*casino.state.seasons, Season(request.now, tuple(board)))
    transaction.set_casino(transaction.casinos[casino.id].change(seasons=seasons))
    transaction.audit(request.now, casino.id, request.player.id, "house reset", "season", reason, "", len(seasons))
    return answer_with("A new season begins. See the last one with `/leaderboard {n}`.", n=len(seasons))
