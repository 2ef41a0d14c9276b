"""What an inspector does: tables, voids, chips by decision, and the audit log that keeps all of it."""

import re
from datetime import UTC, datetime
from functools import partial
from typing import Any

from bot.floor import betting, boxes, houses, knowing, persons, places, playing, stacks
from bot.floor.amounts import parse_amount, parse_count
from bot.floor.command import Answer, Confirm, Refused
from bot.floor.registry import VERBS, Request, say, verb
from bot.floor.table import PACES, Settings, Table
from bot.floor.words import find_player, take_player, take_text
from bot.texts import LANGUAGES, Text
from engine.blackjack import BOXES
from engine.errors import Illegal
from engine.felt import Amount, Word
from engine.hand import GAMES
from storage import ledger
from storage.rows import AuditRow

# Options that are plain numbers, not amounts.
COUNTS = ("decks",)
# Settings that only one game's table has.
ONLY_AT = {"boxes_per_player": "blackjack", "reveal_after": "stud"}
# Settings that take nothing from anybody, so that no reason is asked for.
MANNERS = ("pace", "betting_s", "language")
# Hours that a hand of stud may stay secret: a week.
MOST_HOURS = 168
# A hand's seat, or a co-player behind it.
SEAT = re.compile(r"([1-9][0-9]{0,2})(?:/(.+))?")


@verb("table open", Text("Open a table here"), group="inspectors", usage="GAME [REASON]")
def open_here(request: Request) -> Answer:
    game = request.args[0].lower() if request.args else ""
    if game not in GAMES:
        raise Refused("Name the game: {games}.", None, games=", ".join(GAMES))
    place = request.command.place
    if place.platform != "web" and request.at is not None and request.at.status != "closed":
        raise Refused("There is a table here already; close it first.")
    table = places.take_over(request.paper, request.casino.id, game, place, request.now)
    if table is None:
        language = request.casino.get("language", request.player.language)
        row, seed = request.paper.place(*place), request.entropy(32)
        home = row.home if row is not None else 0
        table = places.open_table(
            request.paper, request.casino.id, game, place, request.now, seed, home=home, language=language
        )
    _audit(request, "table open", table, request.remark(1))
    return say("Table {number} is open: {game}.", number=table.number, game=Word(game))


@verb("table close", Text("Close this table after the hand"), group="inspectors", usage="REASON")
def close(request: Request) -> Answer:
    table, reason = request.table, request.reason(0)
    if table.status in ("closing", "closed"):
        raise Refused("This table is closed already.")
    if not request.command.confirmed:
        raise Confirm("Table {number} closes after the hand. Do it?", number=table.number)
    if table.play is not None:
        told = Text("An inspector closes the table after this hand.")
        request.paper.set_table(table.change(status="closing").tell(told, request.now))
    else:
        table = betting.return_all_bets(request.paper, table, request.now, "table closed")
        table = stacks.close_table(request.paper, table, request.now)
        told = Text("An inspector has closed the table; bets that were not dealt came back.")
        request.paper.set_table(table.change(status="closed", seats={}, deadline=None).tell(told, request.now))
    _audit(request, "table close", table, reason)
    return say("Table {number} closes; bets that were not dealt came back.", number=table.number)


@verb("table pause", Text("No new hands at this table"), group="inspectors", usage="REASON")
def pause(request: Request) -> Answer:
    table, reason = request.table, request.reason(0)
    if table.status != "open":
        raise Refused("This table is not open.")
    if table.play is None:
        table = betting.return_all_bets(request.paper, table, request.now, "table paused")
    told = Text("An inspector has paused the table; bets that were not dealt came back.")
    request.paper.set_table(table.change(status="paused").tell(told, request.now))
    _audit(request, "table pause", table, reason)
    return say("Table {number} is paused; bets that were not dealt came back.", number=table.number)


@verb("table resume", Text("Take bets again"), group="inspectors", usage="[REASON]")
def resume(request: Request) -> Answer:
    table = request.table
    if table.status != "paused":
        raise Refused("This table is not paused.")
    table = table.change(status="open").tell(Text("The table takes bets again."), request.now)
    if places.is_lost(table):
        places.go_on(request.paper, table, request.now, "open")
    else:
        request.paper.set_table(stacks.wake(request.paper, table, request.now))
    _audit(request, "table resume", table, request.remark(0))
    return say("Table {number} takes bets again.", number=table.number)


@verb("table set", Text("Change an option of this table"), group="inspectors", usage="OPTION VALUE [REASON]")
def set_option(request: Request) -> Answer:
    """A setting of the table or an option of its game; the rules check the whole before it stands.

    What changes more than manners names its reason.
    """
    table = request.table
    name = request.argument(0, "Name the option and its value, such as: minimum 20.")
    text = request.args[1] if len(request.args) > 1 else ""
    if not text:
        raise Refused("Name the option and its value, such as: minimum 20.")
    if table.bets or table.play is not None:
        raise Refused("Bets lie on the table: set options between hands.")
    before: object
    if name in _settings_of(table):
        before = vars(table.settings)[name]
        table = table.change(settings=_set_setting(table, name, text))
    else:
        options = {**vars(GAMES[table.game].parse_options(table.options))}
        if name not in options or (table.game == "caribbean" and name in betting.METER_OPTIONS):
            raise Refused("This table has no option {name}.", None, name=name[:40])
        before = options[name]
        value = _parse_value(request, name, before, text)
        try:
            GAMES[table.game].parse_options({**table.options, name: value})
        except Illegal as fault:
            raise Refused(fault.template, fault.clause, **fault.values) from None
        table = table.change(options={**table.options, name: value})
        if boxes.shoe_goes_on(table):
            # Other decks, another part of them: the old shoe ends, and its seed is shown (BJ7).
            table = betting.open_anew(request.paper, table.remember(shoe=None), request.now, request.entropy(32))
    reason = request.remark(2) if name in MANNERS else request.reason(2)
    told = Text("An inspector set an option of the table: {name} is now {value}.", "", name=Word(name), value=text)
    request.paper.set_table(table.tell(told, request.now))
    _audit(request, "table set", table, reason, before, text, subject=f"table {table.number} {name}")
    return say("{name} is now {value}.", name=Word(name), value=text)


def _settings_of(table: Table) -> dict[str, Any]:
    """Those that a table of its game has."""
    known = vars(table.settings).items()
    return {name: value for name, value in known if ONLY_AT.get(name, table.game) == table.game}


def _set_setting(table: Table, name: str, text: str) -> Settings:
    allowed = {"pace": tuple(PACES), "language": tuple(LANGUAGES)}
    if name in allowed:
        if text not in allowed[name]:
            raise Refused("{name} is one of {allowed}.", None, name=Word(name), allowed=", ".join(allowed[name]))
        return Settings(**{**vars(table.settings), name: text})
    seats = betting.SEATS.get(table.game, 8)
    most = {"seats": seats, "boxes_per_player": BOXES, "betting_s": 300, "reveal_after": MOST_HOURS}[name]
    least = {"betting_s": 5, "reveal_after": 0}.get(name, 1)
    number = parse_count(text, least, most)
    if number is None:
        raise Refused("{name} is a number from {least} to {most}.", None, name=Word(name), least=least, most=most)
    return Settings(**{**vars(table.settings), name: number})


def _parse_value(request: Request, name: str, before: object, text: str) -> object:
    if isinstance(before, bool):
        if text not in ("on", "off", "true", "false"):
            raise Refused("Say on or off.")
        return text in ("on", "true")
    if name in COUNTS:
        return parse_count(text, 0, 999) or 0
    if isinstance(before, int) and text == "0":
        return 0
    if isinstance(before, int):
        return parse_amount(text, request.player.language)
    return text


@verb("table list", Text("The tables of this casino, and every option of the one here"), group="inspectors")
def list_all(request: Request) -> Answer:
    lines = list(knowing.tables(request).texts)
    if (table := request.at) is not None:
        known = _settings_of(table).items()
        lines += [Text("{name}: {value}", "", name=Word(name), value=str(value)) for name, value in known]
        options = vars(betting.options_of(request.paper, table))
        lines += [Text("{name}: {value}", "", name=Word(name), value=_say(name, options[name])) for name in options]
    return Answer(tuple(lines))


def _say(name: str, value: object) -> object:
    """As `/table set` takes it."""
    if isinstance(value, bool):
        return Word("on" if value else "off")
    if isinstance(value, dict):
        return ", ".join(f"{each} {amount // 100}" for each, amount in value.items())
    return Amount(value) if isinstance(value, int) and name not in COUNTS else str(value)


@verb("table refuse", Text("Somebody may hold no box here any more"), group="inspectors", usage="PLAYER REASON")
def refuse(request: Request) -> Answer:
    """BJ5: refuse somebody as box holder who spoils the game for others."""
    request.argument(0, "Name the player and the reason.")
    player, rest = take_player(request, 0)
    reason, table = request.reason(rest), request.table
    if table.game != "blackjack":
        raise Refused("Only black jack has boxes.", "BJ5")
    told = Text("An inspector refuses a player as a box holder here (BJ5).")
    request.paper.set_table(boxes.refuse(table, player).tell(told, request.now))
    _audit(request, "table refuse", table, reason, subject=f"player {player}")
    return say("{name} holds no box here any more.", name=request.paper.player(player).name)


@verb(
    "void",
    Text("Void the hand that is being played, or one seat of it: the stakes come back"),
    group="inspectors",
    usage="HAND [SEAT] REASON",
)
def void(request: Request) -> Answer:
    """G6: an open hand only, and by nobody who has a stake in it."""
    text = request.argument(0, "Name the hand and the reason.").removeprefix("#")
    playing_here = [
        table
        for table in request.paper.all_tables().values()
        if table.casino == request.casino.id and table.play is not None and str(table.hand_id) == text
    ]
    if not playing_here:
        raise Refused("No open hand has that number; a settled one takes /adjust.", "G6")
    table = playing_here[0]
    if not houses.is_run_by(request.paper, table, houses.speaks_for(request)):
        raise Refused("That hand is played in another community of this casino: its inspectors decide.", "G6")
    if table.play is not None and not table.play.asks:
        raise Refused("That hand is decided; only its cards are still to be turned.", "G6")
    if any(persons.are_one(request.paper, owner, request.player.id) for owner in table.owners().values()):
        raise Refused("You have a stake in that hand: another inspector decides.", "G6")
    if len(request.args) > 1 and SEAT.fullmatch(take_text(request.args, 1)[0]):
        return _void_seat(request, table)
    reason = request.reason(1)
    if not request.command.confirmed:
        raise Confirm("Hand {hand} is void and every stake comes back. Do it?", hand=str(table.hand_id))
    told = Text("An inspector decided that hand {hand} is void; every stake came back (G6).", "", hand=text)
    playing.void(request.paper, table.tell(told, request.now), request.now, request.entropy(32))
    _audit(request, "void", table, reason, subject=f"hand {table.hand_id}")
    return say("Hand {hand} is void; every stake came back.", hand=text)


def _void_seat(request: Request, table: Table) -> Answer:
    """G6: "one seat alone where only that player's hand is spoilt"."""
    named, rest = take_text(request.args, 1)
    if table.game == "stud":
        raise Refused("At stud the players' stakes make one pot: only the whole hand can be void.", "G6")
    seat, reason = _seat_in(request, table, named), request.reason(rest)
    assert table.play is not None
    player = table.owners()[seat]
    who = request.paper.player(player).name
    amount = Amount(sum(table.play.wagered()[seat].values()))
    values: dict[str, object] = {"seat": named, "hand": str(table.hand_id), "amount": amount, "name": who}
    if not request.command.confirmed:
        raise Confirm(
            "Seat {seat} of hand {hand} is void: {amount} comes back to {name} from the bank, and what the hand pays "
            "there goes to the bank. The others play on. Do it?",
            "",
            **values,
        )
    told = Text(
        "An inspector decided that seat {seat} of hand {hand} is void; its stakes came back (G6).", "", **values
    )
    playing.void_seat(request.paper, table.tell(told, request.now), seat, request.now, request.entropy(32))
    subject = f"hand {table.hand_id} seat {seat} player {player}"
    _audit(request, "void", table, reason, "", f"{int(amount)} back, its payments to the bank", subject=subject)
    return say("Seat {seat} of hand {hand} is void: {amount} came back to {name}.", **values)


def _seat_in(request: Request, table: Table, named: str) -> str:
    """`2`, or `1/bea` for who bets behind box 1: a seat of the hand with something on it."""
    assert table.play is not None
    found = SEAT.fullmatch(named)
    box, behind = found.groups() if found else ("", None)
    for key, player in table.owners().items():
        name = request.paper.player(player).name if "/" in key else None
        is_meant = key.partition("/")[0] == box and (name or "").lower() == (behind or "").lower()
        if is_meant and key in table.void_seats(table.hand_id):
            raise Refused("That seat is void already.", "G6")
        if is_meant and table.play.wagered().get(key):
            return key
    raise Refused("Nobody has a stake on seat {seat} in that hand.", "G6", seat=named[:40])


@verb("grant", Text("Give chips from the mint"), group="inspectors", usage="PLAYER AMOUNT REASON")
def grant(request: Request) -> Answer:
    return _move_chips(request, "grant")


@verb("take", Text("Take chips back to the mint"), group="inspectors", usage="PLAYER AMOUNT REASON")
def take(request: Request) -> Answer:
    return _move_chips(request, "take")


def ask_before_taking(request: Request, player: int, has: int, amount: int) -> None:
    if not request.command.confirmed:
        raise Confirm(
            "{name} has {has}: {amount} goes back to the house, {left} stays. Do it?",
            name=request.paper.player(player).name,
            amount=Amount(amount),
            has=Amount(has),
            left=Amount(has - amount),
        )


def _move_chips(request: Request, act: str) -> Answer:
    if len(request.args) < 3:
        raise Refused("Say whom, how much and why: /{act} anna 50 prize.", None, act=act)
    player, rest = take_player(request, 0)
    wallet, mint = ledger.wallet(request.casino.id, player), ledger.mint(request.casino.id)
    before = request.paper.balance(wallet)
    said = request.argument(rest, "Name an amount, such as 50.")
    amount = parse_amount(said, request.player.language, wallet=before)
    reason = request.reason(rest + 1)
    if act == "take" and amount > before:
        raise Refused("There are only {chips} to take.", None, chips=Amount(before))
    if act == "take":
        ask_before_taking(request, player, before, amount)
    debit, credit = (mint, wallet) if act == "grant" else (wallet, mint)
    request.paper.post(debit, credit, amount, f"{act}: {reason}", request.now)
    after = request.paper.balance(wallet)
    request.paper.audit(
        request.now, request.casino.id, request.player.id, act, f"player {player}", reason, before, after
    )
    return say("{name} has {chips} now.", name=request.paper.player(player).name, chips=Amount(after))


@verb("inspector add", Text("Make a player an inspector"), group="inspectors", usage="PLAYER [REASON]")
def add_inspector(request: Request) -> Answer:
    return _change_inspectors(request, add=True)


@verb("inspector remove", Text("An inspector no more"), group="inspectors", usage="PLAYER REASON")
def remove_inspector(request: Request) -> Answer:
    return _change_inspectors(request, add=False)


def _change_inspectors(request: Request, *, add: bool) -> Answer:
    request.argument(0, "Name the player.")
    player, rest = take_player(request, 0)
    reason = request.remark(rest) if add else request.reason(rest)
    before = request.casino.get("inspectors", [])
    after = [*(one for one in before if one != player), *([player] if add else [])]
    request.paper.set_casino(request.casino.change(inspectors=after))
    act = "inspector add" if add else "inspector remove"
    request.paper.audit(
        request.now, request.casino.id, request.player.id, act, f"player {player}", reason, before, after
    )
    name = request.paper.player(player).name
    return say("{name} is an inspector now.", name=name) if add else say("{name} is no inspector now.", name=name)


@verb("audit", Text("Who did what, and why"), group="inspectors", usage="[PERSON] [KIND]")
def audit(request: Request) -> Answer:
    player, kind = _parse_filter(request)
    where, values = "WHERE casino = ?", [request.casino.id, *([kind, f"{kind} %"] if kind else [])]
    where += " AND (act = ? OR act LIKE ?)" if kind else ""
    if player is not None:
        ids = request.paper.player(player).ids
        about = " OR ".join(["who = ? OR subject || ' ' LIKE ?"] * len(ids))
        where += f" AND ({about})"
        values += [value for id in ids for value in (id, f"%player {id} %")]
    rows = request.paper.books.rows(AuditRow, f"{where} ORDER BY id DESC LIMIT 20", *values)
    return Answer(tuple(_audit_line(request, row) for row in rows) or (Text("Nothing has been done yet."),))


def _parse_filter(request: Request) -> tuple[int | None, str]:
    """`anna ban`, `anna`, `table close`: whose acts, or acts about whom, and of which kind."""
    done = request.paper.books.select("SELECT DISTINCT act FROM audit WHERE casino = ?", request.casino.id)
    acts = {act for (act,) in done} | {name for name, verb in VERBS.items() if verb.group == "inspectors"}
    for start in range(len(request.args)):
        kind = " ".join(request.args[start:]).lower()
        if any(f"{act} ".startswith(f"{kind} ") for act in acts):
            return (find_player(request, " ".join(request.args[:start])) if start else None), kind
    return (find_player(request, " ".join(request.args)) if request.args else None), ""


def _audit_line(request: Request, row: AuditRow) -> Text:
    who = request.paper.player(row.who).name if row.who else "Ridotto"
    name_all = partial(re.sub, r"\bplayer (\d+)\b", lambda found: request.paper.player(int(found[1])).name)
    return Text(
        "{when} · {who}: {act}, {subject} ({reason}) {before} → {after}",
        "",
        when=datetime.fromtimestamp(row.at, UTC).strftime("%Y-%m-%d %H:%M"),
        who=who,
        act=row.act,
        subject=name_all(row.subject),
        reason=row.reason or "–",
        before=row.before or "–",
        after=row.after or "–",
    )


def _audit(
    request: Request, act: str, table: Table, reason: str, before: object = "", after: object = "", *, subject: str = ""
) -> None:
    about = subject or f"table {table.number}"
    request.paper.audit(request.now, request.casino.id, request.player.id, act, about, reason, before, after)
