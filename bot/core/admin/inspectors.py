"""Acts of inspectors: tables, voids, chips by decision, and the audit log that keeps all of them."""

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from msgspec import structs

from bot.core.admin.settings import ROWS
from bot.core.casinos import places, sharing
from bot.core.commands.acts import NO_ACTS, tell_act
from bot.core.commands.amounts import parse_amount, parse_count
from bot.core.commands.command import Answer, Beside, Refused
from bot.core.commands.hooks import hooks_of
from bot.core.commands.naming import find_player, take_player, take_text
from bot.core.commands.options import take_value
from bot.core.commands.pages import turn_pages
from bot.core.commands.picks import split_pick
from bot.core.commands.registry import CommandFlag, Request, answer_with, command
from bot.core.commands.table_options import MANNERS, Change, options_at, set_option, set_options, value_at
from bot.core.commands.words import take_game
from bot.core.guide import questions
from bot.core.guide.coach import tell_effect
from bot.core.guide.coaching import read_meter
from bot.core.players import linking
from bot.core.players.spreadsheets import name_reader
from bot.core.rounds import betting, commitments, opening, playing, sealed_bets, tournament_table, waiting
from bot.core.rounds.sealed_bets import tournament_of
from bot.core.state.lounge import is_room
from bot.core.state.plays import LEFT_OUT, PLAYS, Seating
from bot.core.state.table import Table
from bot.texts import Name, Text, say_value
from bot.texts.games import GAME_TEXTS
from engine.felt import Amount, Word
from engine.games import GAMES
from storage import ledger
from storage.questions.audit import kinds_of_acts, latest_acts
from storage.questions.results import DAY_S, results_of_opponents

# A seat of a hand, or a co-player behind it.
PASSED_DAYS = 30
SEAT = re.compile(r"([1-9][0-9]{0,2})(?:/(.+))?")


@command(
    "table open",
    Text("Open a table here"),
    group="inspectors",
    flags=CommandFlag.OPENS | CommandFlag.SHOWS,
    usage="GAME [SETTING VALUE ...] [REASON]",
    button=Text("Open a table"),
)
def open_here(request: Request) -> Answer:
    """Open a table here: `GAME [SETTING VALUE]... [REASON]`. Refused where a table is open already."""
    game = request.args[0].lower() if request.args else ""
    if game in LEFT_OUT and game not in PLAYS:
        raise Refused("{game} is installed but cannot be played: {why}", game=game, why=LEFT_OUT[game])
    game, end = take_game(request.args, 0)
    place = request.command.place
    if not is_room(place) and request.at is not None and request.at.status != "closed":
        raise Refused("There is a table here already; close it first.")
    table = usual = _place_table(request, game)
    words = " ".join(request.args[end:]).split()
    as_set, changes, reason = set_options(table, words, request.player.language)
    if changes:
        table = _apply_change(request, table, as_set)
    _audit(request, "table open", table, reason[:200], after=", ".join(map(_write, changes)))
    said = answer_with("Table {number} is open: {game}.", number=table.number, game=Word(game))
    is_told = any(change.name in options_at(game) for change in changes)
    return said._replace(report=_effect(request, usual, table)) if is_told else said


def _place_table(request: Request, game: str) -> Table:
    place = request.command.place
    table = places.take_over(request.transaction, request.casino.id, game, place, request.now)
    if table is not None:
        return table
    language = request.casino.state.language or request.player.language
    row, seed = request.transaction.place(*place), request.entropy(32)
    home = row.home if row is not None else 0
    return opening.open_table(
        request.transaction, request.casino.id, game, place, request.now, seed, home=home, language=language
    )


@command(
    "table close",
    Text("Close this table after the hand"),
    group="inspectors",
    flags=CommandFlag.HARMS,
    usage="REASON",
    button=Text("Close the table"),
)
def close(request: Request) -> Answer:
    """Close a table after the hand, or at once if none is played; undealt bets are returned."""
    table, reason = request.table, request.reason(0)
    if table.status == "closed" or (table.status == "closing" and table.has_closed):
        raise Refused("This table is closed already.")
    if table.part_of is not None:
        number = request.transaction.tables[table.part_of].number
        raise Refused("Close the first table of the tournament instead: table {number}.", number=number)
    if table.tournament is not None:
        return _close_tournament(request, table, reason)
    request.confirm("Close table {number} after this hand?", number=table.number)
    if table.has_closed:
        told = Text("An inspector closes the table after this hand.")
        lost = table.lost and structs.replace(table.lost, status="closing")
        request.transaction.set_table(table.change(status="closing", lost=lost).set_notice(told, request.now))
    else:
        table = betting.return_all_bets(request.transaction, table, request.now, "table closed")
        table = hooks_of(table).close(request.transaction, table, request.now)
        told = Text("An inspector has closed the table. Bets on hands not yet dealt are returned.")
        table = opening.close_for_good(request.transaction, table, request.now)
        request.transaction.set_table(table.set_notice(told, request.now))
    _audit(request, "table close", table, reason)
    return answer_with("Table {number} is closing. Bets on hands not yet dealt were returned.", number=table.number)


def _close_tournament(request: Request, table: Table, reason: str) -> Answer:
    """End the tournament of its first table: refunded before the start, later paid by places and chips (TN25)."""
    tournament_table.check_may_decide(request, table)
    transaction, now = request.transaction, request.now
    if tournament_of(table).is_registering:
        request.confirm("Cancel tournament {number} and return every buy-in?", number=table.number)
        tournament_table.cancel(transaction, table, now, reason)
        _audit(request, "table close", table, reason)
        return answer_with("Tournament {number} is cancelled. Every buy-in was returned.", number=table.number)
    request.confirm(
        "End tournament {number} after the hands in play, and pay prizes by places and chips?", number=table.number
    )
    if table.has_closed:
        lost = table.lost and structs.replace(table.lost, status="closing")
        table = table.change(status="closing", lost=lost)
    else:
        table = opening.close_for_good(transaction, hooks_of(table).close(transaction, table, now), now)
    told = Text(
        "An inspector ends the tournament: {reason}. After the hands in play, prizes are paid by places and chips.",
        reason=reason.rstrip("."),
    )
    tournament_table.set_notices(transaction, table, told, now)
    _audit(request, "table close", table, reason)
    return answer_with("Tournament {number} ends after the hands in play.", number=table.number)


@command(
    "table pause",
    Text("Stop dealing new hands at this table"),
    group="inspectors",
    usage="REASON",
    button=Text("Pause the table"),
)
def pause(request: Request) -> Answer:
    """Pause the table: bets not yet dealt are returned, a running hand is played to its end."""
    table, reason = request.table, request.reason(0)
    if table.status != "open":
        raise Refused("This table is not open.")
    tournament_table.check_may_decide(request, table)
    told = Text("An inspector has paused the table. Bets on hands not yet dealt are returned.")
    if table.tournament is not None:
        told = Text("An inspector has paused the tournament: {reason}.", reason=reason.rstrip("."))
    table = sealed_bets.take_all_back(request.transaction, table)
    for one in tournament_table.tables_of(request.transaction, table):
        if one.status == "open":
            if not one.has_closed:
                one = betting.return_all_bets(request.transaction, one, request.now, "table paused")
            one = one.change(status="paused").set_notice(told, request.now)
            request.transaction.set_table(hooks_of(one).wake(request.transaction, one, request.now))
    _audit(request, "table pause", table, reason)
    if table.tournament is not None:
        number = tournament_table.number_of(request.transaction, table)
        return answer_with("Tournament {number} is paused. Hands in play are finished first.", number=number)
    return answer_with("Table {number} is paused. Bets on hands not yet dealt were returned.", number=table.number)


@command(
    "table resume",
    Text("Take bets at this table again"),
    group="inspectors",
    flags=CommandFlag.SHOWS,
    usage="[REASON]",
    button=Text("Resume"),
)
def resume(request: Request) -> Answer:
    """Open a paused table for bets again; one that has lost its place waits until that is back."""
    table = request.table
    if table.status != "paused":
        raise Refused("This table is not paused.")
    live, told = table.tournament, Text("The table is open for bets again.")
    if live is not None:
        if not live.is_held:
            tournament_table.check_may_decide(request, table)
        live = structs.replace(live, is_held=False)
        told = Text("Registration is open again.") if live.is_registering else Text("The tournament continues.")
    for one in tournament_table.tables_of(request.transaction, table):
        if one.status == "paused":
            one = one.change(status="open", tournament=live).set_notice(told, request.now)
            if places.is_lost(one):
                places.go_on(request.transaction, one, request.now, "open")
            else:
                request.transaction.set_table(hooks_of(one).wake(request.transaction, one, request.now))
    _audit(request, "table resume", table, request.remark(0))
    if live is not None:
        number = tournament_table.number_of(request.transaction, table)
        return answer_with("Tournament {number} continues.", number=number)
    return answer_with("Table {number} is open for bets again.", number=table.number)


@command(
    "table set",
    Text("Change an option of this table"),
    group="inspectors",
    usage="SETTING VALUE [REASON]",
    button=Text("Change a setting"),
)
def set_here(request: Request) -> Answer:
    """Change a setting of the table or an option of its game; the rules check the whole first.

    Anything beyond presentation needs a reason.
    """
    table, words = request.table, " ".join(request.args).split()
    before_it = table
    if len(words) < 2:
        raise Refused("Enter the option and its value, for example: minimum 20.")
    if table.tournament is not None and words[0].lower() not in MANNERS:
        raise Refused("The settings of a tournament do not change after its announcement.")
    text, end = take_value(words, 1)
    as_set, change = set_option(table, words[0], text, request.player.language)
    before = Change(change.name, change.option, value_at(table, change.name))
    reason = " ".join(words[end:])[:200]
    if not reason and change.name not in MANNERS:
        raise Refused("Add a reason. It goes into the audit log.")
    values: dict[str, object] = {"option": change.option.label, "before": before.write(), "after": change.write()}
    if change.value == before.value:
        return answer_with("{option} is already {after}.", **values)
    table = _apply_change(request, table, as_set)
    waits = commitments.is_changed(request.transaction, table)
    template = (
        "An inspector changed a setting, from the next hand or shoe on: {option}: {before} → {after}."
        if waits
        else "An inspector changed a setting. {option}: {before} → {after}."
    )
    told = Text(template, **values)
    request.transaction.set_table(table.set_notice(told, request.now))
    _audit(request, "table set", table, reason, _value(before), _value(change), about=(change.name,))
    if waits:
        said = answer_with(
            "{option}: {before} → {after}. This applies from the next hand or shoe, because of the bets.", **values
        )
    else:
        said = answer_with("{option}: {before} → {after}.", **values)
    if change.name in options_at(table.game):
        return said._replace(report=_effect(request, before_it, table))
    return said._replace(found=GAME_TEXTS[table.game].seats(change.value)) if change.name == "seats" else said


def _effect(request: Request, before: Table, after: Table) -> Callable[[Beside], Answer]:
    """Return a report on how the change affects the house edge of each bet; it runs outside the writer's thread."""
    were, are = (commitments.options_to_come(request.transaction, table) for table in (before, after))
    meter = read_meter(after.game, request.casino.id, request.transaction.balance)
    return partial(tell_effect, game=after.game, before=were, after=are, meter=meter)


def _apply_change(request: Request, before: Table, after: Table) -> Table:
    """Apply a change. Values that are part of the commitment change with the next one, which is made at once if no bet
    is down: a shoe ends then, and its seed is revealed (BJ7). Other values change between hands.
    """
    transaction, lies = request.transaction, bool(before.round.bets) or before.round.hand is not None
    if not commitments.is_changed(transaction, after):
        if lies and after.settings != before.settings:
            raise Refused("Bets are already placed. Change this between hands.")
        return transaction.set_table(after)
    if lies:
        return transaction.set_table(after)
    table = opening.open_anew(transaction, after, request.now, request.entropy(32), commitments.CHANGED)
    return transaction.set_table(hooks_of(table).wake(transaction, table, request.now))


def _write(change: Change) -> str:
    return f"{change.name} {_value(change)}"


def _value(change: Change) -> str:
    """Return the value as the audit log keeps it, in no language."""
    return say_value(change.write(), "en")


@command("table list", Text("List this casino's tables"), group="inspectors", button=Text("Tables"))
def list_all(request: Request) -> Answer:
    """List the open tables; `/rules table` shows the settings of one, and `/settings` changes them."""
    return questions.tables(request)


@command(
    "void",
    Text("Void the current hand or one seat; stakes are returned"),
    group="inspectors",
    flags=CommandFlag.HARMS,
    usage="HAND [SEAT] REASON",
    button=Text("Void a hand"),
)
def void(request: Request) -> Answer:
    """Void an open hand, by an inspector without a stake in it (G6)."""
    text = request.argument(0, "Enter the hand and the reason.").removeprefix("#")
    ours = request.transaction.tables_in(request.casino.id)
    open_ones = (one for one in ours if one.phase in ("playing", "waiting"))
    id = next((one.id for one in open_ones if str(one.round.hand_id) == text), None)
    table = request.transaction.table(id) if id is not None else None
    if table is None:
        raise Refused("There is no open hand with that number. For a settled hand use /adjust.", "G6")
    if not sharing.is_run_by(request.transaction, table, sharing.speaks_for(request)):
        raise Refused("That hand was dealt in another community of this casino. Its inspectors decide.", "G6")
    if table.round.hand is not None and not table.round.hand.asks:
        raise Refused("That hand is decided. Only its cards are still being revealed.", "G6")
    tournament_table.check_may_decide(request, table)
    if any(linking.are_one(request.transaction, bet.player, request.player.id) for bet in table.round.bets):
        raise Refused("You have a stake in that hand. Another inspector must decide.", "G6")
    if len(request.args) > 1 and SEAT.fullmatch(take_text(request.args, 1)[0]):
        if table.round.waits is not None:
            raise Refused("No card of that hand is dealt yet, so only the whole hand can be voided.", "G6")
        return _void_seat(request, table)
    reason = request.reason(1)
    if table.awaits_cuts:
        raise Refused("The sealed cuts of that hand are being opened. Try again in 5 s.", "G6")
    if table.round.waits is not None and request.now < (at := waiting.voidable_from(table.round.waits)):
        raise Refused(
            "That hand waits for round {round} of the beacon. It can be voided from {time} on.",
            "G6",
            round=str(table.round.waits.round),
            time=waiting.time_as_said(at),
        )
    request.confirm("Void hand {hand} and return all stakes?", hand=str(table.round.hand_id))
    told = Text(
        "An inspector voided hand {hand}: {reason}. All stakes are returned (G6).",
        hand=text,
        reason=reason.rstrip("."),
    )
    table = table.set_notice(told, request.now)
    void_all = playing.void_waiting if table.round.waits is not None else playing.void
    void_all(request.transaction, table, request.now, request.entropy(32), reason)
    _audit(request, "void", table, reason, about=("hand", table.round.hand_id))
    return answer_with("Hand {hand} is void. All stakes were returned.", hand=text)


def _void_seat(request: Request, table: Table) -> Answer:
    """Void one seat of the running hand (G6: "one seat alone where only that player's hand is spoilt")."""
    named, rest = take_text(request.args, 1)
    if table.plays.seating is Seating.STACKS:
        raise Refused("The stakes form one pot here, so only the whole hand can be voided.", "G6")
    seat, reason = _seat_in(request, table, named), request.reason(rest)
    assert table.round.hand is not None
    player = table.owners()[seat]
    who = request.name_of(player)
    amount = Amount(sum(table.round.hand.wagered()[seat].values()))
    shown = seat.partition("/")[0] if split_pick(named)[1] is not None else named
    values: dict[str, object] = {"seat": shown, "hand": str(table.round.hand_id), "amount": amount, "name": who}
    request.confirm(
        (
            "Void seat {seat} of hand {hand}? The bank returns {amount} to {name} and keeps any payout of that "
            "seat. The other seats are not affected."
        ),
        "",
        about=player,
        **values,
    )
    told = Text("An inspector voided seat {seat} of hand {hand}; its stakes are returned (G6).", **values)
    playing.void_seat(request.transaction, table.set_notice(told, request.now), seat, request.now, request.entropy(32))
    about = ("hand", table.round.hand_id, "seat", seat, "player", player)
    _audit(request, "void", table, reason, "", f"{int(amount)} back, its payments to the bank", about=about)
    return answer_with("Seat {seat} of hand {hand} is void: {amount} was returned to {name}.", **values)


def _seat_in(request: Request, table: Table, named: str) -> str:
    """Return the key of a seat of the hand that has a stake: `2`, or `1/bea` for the co-player behind box 1.

    Raises Refused where there is none.
    """
    assert table.round.hand is not None
    found = SEAT.fullmatch(named)
    box, behind = found.groups() if found else ("", None)
    picked = split_pick(behind or "")[1]
    for key, player in table.owners().items():
        name = request.name_of(player) if "/" in key else None
        is_named = player == picked.player if picked is not None else (name or "").lower() == (behind or "").lower()
        is_meant = key.partition("/")[0] == box and is_named
        if is_meant and key in table.void_seats(table.round.hand_id):
            raise Refused("That seat is already void.", "G6")
        if is_meant and table.round.hand.wagered().get(key):
            return key
    raise Refused("Seat {seat} has no stake in that hand.", "G6", seat=named[:40])


@command(
    "grant",
    Text("Create chips for a player"),
    group="inspectors",
    flags=CommandFlag.FOUNDERS,
    usage="PLAYER AMOUNT REASON",
    button=Text("Give chips"),
)
def grant(request: Request) -> Answer:
    """Grant chips from the mint after a confirmation: `PLAYER AMOUNT REASON`."""
    return _move_chips(request, "grant")


@command(
    "take",
    Text("Remove chips from a player"),
    group="inspectors",
    flags=CommandFlag.FOUNDERS | CommandFlag.HARMS,
    usage="PLAYER AMOUNT REASON",
    button=Text("Take chips"),
)
def take_chips(request: Request) -> Answer:
    """Take a player's chips back to the mint: `PLAYER AMOUNT REASON`. The confirmation says what they keep."""
    return _move_chips(request, "take")


def _move_chips(request: Request, act: str) -> Answer:
    if len(request.args) < 3:
        raise Refused("Enter the player, the amount and the reason, for example /{act} anna 50 prize.", act=act)
    player, rest = take_player(request, 0)
    wallet, mint = ledger.wallet(request.casino.id, player), ledger.mint(request.casino.id)
    before = request.transaction.balance(wallet)
    said = request.argument(rest, "Enter an amount, for example 50.")
    amount = parse_amount(said, request.player.language, wallet=before)
    reason = request.reason(rest + 1)
    if act == "take" and amount > before:
        raise Refused("Only {chips} can be taken.", chips=Amount(before))
    name, after = request.name_of(player), before + amount if act == "grant" else before - amount
    template = (
        "Give {name} {amount} chips? {before} → {after}."
        if act == "grant"
        else "Take {amount} chips from {name}? {before} → {after}."
    )
    request.confirm(
        template, about=player, name=name, amount=Amount(amount), before=Amount(before), after=Amount(after)
    )
    debit, credit = (mint, wallet) if act == "grant" else (wallet, mint)
    request.transaction.post(debit, credit, amount, f"{act}: {reason}", request.now)
    request.transaction.audit(
        request.now, request.casino.id, request.player.id, act, f"player {player}", reason, before, after
    )
    return answer_with("{name} has {chips} now.", name=name, chips=Amount(after))


@command(
    "inspector add",
    Text("Make a player an inspector"),
    group="inspectors",
    flags=CommandFlag.FOUNDERS,
    usage="PLAYER [REASON]",
    button=Text("Make inspector"),
)
def add_inspector(request: Request) -> Answer:
    """Make a player an inspector of this casino: `PLAYER [REASON]`."""
    return _change_inspectors(request, add=True)


@command(
    "inspector remove",
    Text("Make an inspector an ordinary player again"),
    group="inspectors",
    flags=CommandFlag.FOUNDERS | CommandFlag.HARMS,
    usage="PLAYER REASON",
    button=Text("Remove as inspector"),
)
def remove_inspector(request: Request) -> Answer:
    """Remove an inspector: `PLAYER REASON`. Administrators of the community on its platform stay inspectors."""
    return _change_inspectors(request, add=False)


def _change_inspectors(request: Request, *, add: bool) -> Answer:
    request.argument(0, "Enter the player.")
    player, rest = take_player(request, 0)
    reason = request.remark(rest) if add else request.reason(rest)
    before, name = list(request.casino.state.inspectors), request.name_of(player)
    if (player in before) is add:
        return (
            answer_with("{name} is already an inspector.", name=name)
            if add
            else answer_with("{name} is not an inspector.", name=name)
        )
    template = (
        "Make {name} an inspector of {casino}? Inspectors run tables, move chips, ban players and appoint others."
        if add
        else "Remove {name} as an inspector of {casino}?"
    )
    request.confirm(template, about=player, name=name, casino=request.casino.name)
    after = [*(one for one in before if one != player), *([player] if add else [])]
    request.transaction.set_casino(request.casino.change(inspectors=tuple(after)))
    act = "inspector add" if add else "inspector remove"
    request.transaction.audit(
        request.now, request.casino.id, request.player.id, act, f"player {player}", reason, before, after
    )
    return (
        answer_with("{name} is now an inspector.", name=name)
        if add
        else answer_with("{name} is no longer an inspector.", name=name)
    )


@command(
    "audit",
    Text("See which inspector did what, and why"),
    group="inspectors",
    usage="[PERSON] [KIND] [PAGE]",
    button=Text("Audit log"),
)
def audit(request: Request) -> Answer:
    """List eight acts a page, the latest first; of one player, or of one kind, where that is named."""
    number = parse_count(request.args[-1], 1, 10_000) if request.args else None
    page, named = number or 1, request.args[: -1 if number else None]
    player, kind = _parse_filter(request, named)
    ids = request.transaction.players[player].ids if player is not None else []
    found = (request.transaction.books, request.casino.id, ROWS + 1)
    done = latest_acts(*found, kind=kind, players=ids, skip=(page - 1) * ROWS)
    lines = tuple(tell_act(one.row, request.name_of) for one in done[:ROWS])
    choices = turn_pages("audit", page, has_more=len(done) > ROWS, before=named)
    answer = Answer(lines or (NO_ACTS,), choices=choices)
    if player is None or kind or page > 1:
        return answer
    since = request.now - PASSED_DAYS * DAY_S
    name = request.name_of(player)
    return answer._replace(report=partial(_tell_passed, casino=request.casino.id, ids=ids, name=name, since=since))


def _tell_passed(beside: Beside, casino: int, ids: Sequence[int], name: Name, since: float) -> Answer:
    """Tell with whom a person exchanged chips at tables where players win from each other."""
    games = [game.name for game in GAMES.values() if game.stacks]
    passed = count_passed(results_of_opponents(beside.books, casino, ids, games, since), ids)
    most = sorted(passed.items(), key=lambda one: abs(one[1].lost - one[1].won), reverse=True)[:ROWS]
    name_of = name_reader(beside.books, casino)
    lines = [
        Text(
            "{name} lost {lost} to {other} and won {won} from them in {n} hand.",
            "{name} lost {lost} to {other} and won {won} from them in {n} hands.",
            name=name,
            other=Name(name_of(other)),
            lost=Amount(between.lost),
            won=Amount(between.won),
            n=between.hands,
        )
        for other, between in most
    ]
    head = Text("Between players, last {days} days:", days=PASSED_DAYS)
    return Answer((head, *lines) if lines else ())


class PassedChips(NamedTuple):
    """Chips that passed between a person and another player: hands, and minor units lost to and won from them."""

    hands: int = 0
    lost: int = 0
    won: int = 0


def count_passed(results: Iterable[tuple[int, int, int]], ids: Collection[int]) -> dict[int, PassedChips]:
    """Return {other player: chips passed} from (hand, player, won), hand by hand; `ids` are one person's numbers.

    What is lost in a hand goes to its winners by what they won, in whole minor units; the rest to the last of them.
    """
    passed: dict[int, PassedChips] = {}
    for _hand, rows in groupby(results, key=itemgetter(0)):
        nets = {player: won for _number, player, won in rows}
        own = sum(won for player, won in nets.items() if player in ids)
        others = {player: won for player, won in nets.items() if player not in ids and won * own < 0}
        total, left = sum(others.values()), abs(own)
        for number, (player, won) in enumerate(others.items(), start=1):
            part = left if number == len(others) else min(left, abs(own) * won // total)
            left -= part
            known = passed.get(player, PassedChips())
            passed[player] = PassedChips(
                known.hands + 1, known.lost + (part if own < 0 else 0), known.won + (part if own > 0 else 0)
            )
    return passed


def _parse_filter(request: Request, named: tuple[str, ...]) -> tuple[int | None, str]:
    """Parse a filter of the audit log into (player, kind of act): `anna ban`, `anna` or `table close`.

    The player may have acted or have been acted on.
    """
    done = kinds_of_acts(request.transaction.books, request.casino.id)
    acts = done | {name for name, verb in request.verbs.items() if verb.group == "inspectors"}
    for start in range(len(named)):
        kind = " ".join(named[start:]).lower()
        if any(f"{act} ".startswith(f"{kind} ") for act in acts):
            return (find_player(request, 0, start) if start else None), kind
    return (find_player(request, 0, len(named)) if named else None), ""


def _audit(
    request: Request,
    act: str,
    table: Table,
    reason: str,
    before: object = "",
    after: object = "",
    *,
    about: tuple[object, ...] = (),
) -> None:
    subject = table.audited(*about)
    request.transaction.audit(request.now, request.casino.id, request.player.id, act, subject, reason, before, after)
