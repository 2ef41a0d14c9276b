"""A tournament at its own tables: registration, hands, levels, moves, eliminations, prizes (TN2 to TN25).

The engine decides (`LiveTournament.now`); this module gives it events and follows what it answers, in the transaction
of the command or the hand. Buy-ins wait in the tournament's `pool` account; tournament chips come from its `issue`
account, and go back there when it is over. The accounts have the number of the first table, so that a player who is
moved to another takes their chips along without a posting. The first table is the last one that is left.
"""

import json
from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from msgspec import structs

from bot.core.commands.command import Answer, Refused
from bot.core.commands.hooks import Entropy, Hooks
from bot.core.commands.registry import Request, answer_with
from bot.core.players import gift_budget, self_limits
from bot.core.rounds import cash_table, commitments, opening, playing, sealed_bets
from bot.core.rounds.betting import usual_options
from bot.core.rounds.sealed_bets import tournament_of
from bot.core.state.lounge import is_room
from bot.core.state.place import Place
from bot.core.state.plays import Seating
from bot.core.state.table import Bet, Table
from bot.core.state.tournament import CHIP, LiveTournament, name_player, player_named
from bot.core.state.transaction import Transaction
from bot.texts import Text
from engine.events import Moved
from engine.felt import TIMEOUT, Amount
from engine.hand import Hand
from storage import ledger
from storage.rows import ResultRow

# A sit & go that is not full by then is cancelled (TN6).
FILLS_WITHIN_S = 24 * 3600.0
# A running tournament in which nobody plays a hand is abandoned (TN25).
ABANDONED_AFTER_S = 24 * 3600.0
# Notice for players who got a seat at a further table or were moved; sent once at their new table.
SEATED = "seated"
# Notice before an announced start, and how long before it (TN27).
STARTS, REMINDS_S = "starts", 600.0
# No clock of a hand is longer; more was a pause or downtime.
LONGEST_HAND_S = 600.0
# The largest buy-in on a member's first day if the game has no usual stack, in minor units.
FIRST_DAY_BUY_IN = 100_00


def is_entered(table: Table, player: int) -> bool:
    """Check whether a player has registered, eliminated players included."""
    return table.tournament is not None and name_player(player) in table.tournament.now.order


def is_left(table: Table, player: int) -> bool:
    """Check whether a player is registered or plays at any table of the tournament."""
    live = tournament_of(table)
    return is_entered(table, player) if live.is_registering else name_player(player) in live.now.stacks


def tables_of(transaction: Transaction, table: Table) -> list[Table]:
    """Return the tables of the tournament by number, or the table without one; `table` itself as it is given."""
    ids = table.tournament.tables if table.tournament is not None else ()
    found = (table if id == table.id else transaction.table(id) for id in ids or (table.id,))
    return [one for one in found if one is not None]


def number_of(transaction: Transaction, table: Table) -> int:
    """Return the number of the tournament at a table, which is that of its first table."""
    return tables_of(transaction, table)[0].number


# Registration


def register(request: Request, table: Table) -> Answer:
    """Move the buy-in into the pool; the last entry starts a sit & go (TN2 to TN4)."""
    live = tournament_of(table)
    if live.is_running:
        return _enter_late(request, table)
    if is_entered(table, request.player.id):
        raise Refused("You are registered already.")
    _check_open(table)
    _check_person(request, table)
    table, player = _post_buy_in(request, table), request.player.id
    seat = next(seat for seat in range(1, live.rules.most + 1) if seat not in table.seats)
    table = table.change(seats=dict(sorted({**table.seats, seat: player}.items())))
    table = request.transaction.set_table(table.change(tournament=live.add("register", name_player(player))))
    self_limits.check_loss(replace(request, at=table))
    rules, seats = live.rules, len(table.seats)
    if seats < rules.most or live.starts_at:
        return answer_with(
            "You are registered: {entries} of {most}. Buy-in {cost}, {chips} left.",
            entries=seats,
            most=rules.most,
            cost=Amount(rules.buy_in),
            chips=request.chips(),
        )
    _start(request.transaction, table, request.now, request.entropy)
    stack = Amount(rules.stack * CHIP)
    return answer_with("You are registered, and the tournament starts. You have {stack} tournament chips.", stack=stack)


def _enter_late(request: Request, table: Table) -> Answer:
    """Seat a late player, or one who enters again, at a table that is drawn; the next hand deals them in (TN11)."""
    live, player, transaction, now = tournament_of(table), request.player.id, request.transaction, request.now
    if is_left(table, player):
        raise Refused("You are playing in this tournament.")
    if not may_enter_late(live, player):
        raise Refused("This tournament has started. Registration is closed.")
    _check_open(table)
    _check_person(request, table)
    name, table = name_player(player), _post_buy_in(request, table)
    table = table.change(tournament=live.with_shown_up((player,)))
    table = _add_event(transaction, table, now, "reenter" if is_entered(table, player) else "late", name)
    _issue_stack(transaction, table, player, now)
    table = transaction.set_table(_set_clock(_follow(transaction, table, now, back=player), now))
    self_limits.check_loss(replace(request, at=table))
    at = next(one for one in tables_of(transaction, table) if one.seat_of(player) is not None)
    return answer_with(
        "You play from the next hand on at table {number}, seat {seat}, with {stack} tournament chips.",
        number=at.number,
        seat=at.seat_of(player),
        stack=Amount(live.rules.stack * CHIP),
    )


def may_enter_late(live: LiveTournament, player: int | None) -> bool:
    """Check whether a player who is not seated may enter now; None is anyone who has not registered."""
    now, rules = live.now, live.rules
    name = name_player(player) if player is not None else ""
    is_open = live.is_running and now.level <= rules.late_levels and not now.is_hand_for_hand
    has_room = now.entries < rules.most and now.tables.has_free_seat
    return is_open and has_room and now.buy_ins[name] <= rules.reentries


def _post_buy_in(request: Request, table: Table) -> Table:
    """Move the buy-in from the wallet into the pool."""
    transaction, player, cost = request.transaction, request.player.id, tournament_of(table).rules.buy_in
    transaction.post(request.wallet, ledger.pool(table.tournament_id), cost, "tournament buy-in", request.now)
    gift_budget.note(transaction, table.casino, player, cost, request.now)
    return table


def _issue_stack(transaction: Transaction, table: Table, player: int, now: float) -> None:
    stack = tournament_of(table).rules.stack * CHIP
    account, issue = table.purse(player), ledger.issue(table.tournament_id)
    transaction.post(issue, account, stack, "tournament stack", now)


def _check_open(table: Table) -> None:
    live = tournament_of(table)
    if live.has_ended:
        raise Refused("This tournament is over.")
    if live.now.entries == live.rules.most:
        raise Refused("All {most} seats of this tournament are taken.", most=live.rules.most)
    if table.status != "open":
        raise Refused("This tournament is paused until an inspector resumes it.")


def _check_person(request: Request, table: Table) -> None:
    """Refuse a second account, and players whose own or daily limits do not allow the buy-in and the prize."""
    transaction, player, now, casino = request.transaction, request.player.id, request.now, request.casino
    rules = tournament_of(table).rules
    others = self_limits.ids_of_person(transaction, player)[1:]
    if any(is_entered(table, other) for other in others):
        raise Refused("You are registered with another account.", "G9")
    self_limits.check_may_stake(replace(request, at=None))
    self_limits.check_share(request, 0, rules.buy_in)
    spent = tournament_of(table).spent_by(player) + rules.buy_in
    if gift_budget.is_new(casino, request.member, now) and spent > (most := _most_on_first_day(request, table)):
        raise Refused(
            "On your first day a buy-in can be at most {most}, so that start chips are not passed on.",
            most=Amount(most),
        )
    if (left := gift_budget.may_give(transaction, request.member, now)) < rules.buy_in:
        raise Refused(
            "You can lose only {left} more to other players today. The next day starts in {hours} h.",
            left=Amount(left),
            hours=gift_budget.hours_left(now),
        )
    # A prize less the buy-in counts as received (TN4); what a large tournament pays above that of a full table is
    # counted once it is won, so that no size is out of anybody's reach.
    if gift_budget.may_take(transaction, request.member, now) < rules.first_prize - rules.buy_in:
        raise Refused(
            "With this tournament you could win more from other players than the daily limit allows. "
            "The next day starts in {hours} h.",
            hours=gift_budget.hours_left(now),
        )


def _most_on_first_day(request: Request, table: Table) -> int:
    if table.plays.cash is None:
        return FIRST_DAY_BUY_IN
    cash = cash_table.cash_of(table)
    return cash.usual * cash.bet(usual_options(request.casino, table.game))


def leave(request: Request) -> Answer:
    """Unregister before the start; later a player is away, and plays on by time-outs (TN5, TN16)."""
    table, player = request.table, request.player.id
    live = tournament_of(table)
    if not is_entered(table, player):
        raise Refused("You are not registered.")
    if live.is_registering:
        request.transaction.set_table(unregister(request.transaction, table, player, request.now))
        return answer_with("You are unregistered. {chips} are back in your wallet.", chips=Amount(live.rules.buy_in))
    at = next((one for one in tables_of(request.transaction, table) if one.seat_of(player) is not None), None)
    if at is None:
        raise Refused("You are out of this tournament.")
    return cash_table.go_away(replace(request, at=at))


def unregister(transaction: Transaction, table: Table, player: int, now: float) -> Table:
    """Give back the buy-in before the start."""
    seats = {seat: sitting for seat, sitting in table.seats.items() if sitting != player}
    return _add_event(transaction, table, now, "unregister", name_player(player)).change(seats=seats)


def remove(transaction: Transaction, table: Table, player: int, reason: str, now: float) -> None:
    """Remove a player for cheating or a second account: refunded before the start, later without a place (TN23).

    Their chips leave play, and the buy-in stays in the pool. Raises Refused during a hand at their table.
    """
    told = Text("An inspector has removed a player from the tournament: {reason}.", reason=reason.rstrip("."))
    if tournament_of(table).is_registering:
        transaction.set_table(unregister(transaction, table, player, now).set_notice(told, now))
        return
    tables = tables_of(transaction, table)
    at = next((one for one in tables if one.seat_of(player) is not None), None)
    if at is None:
        raise Refused("That player is out of this tournament.")
    # After a round of hand-for-hand all tables are broken and balanced at once.
    waits_for = tables if tournament_of(table).now.is_hand_for_hand else [at]
    if any(one.phase in ("playing", "waiting") for one in waits_for):
        raise Refused("Hands are being played. Use /table pause, and remove the player after the hand.", "TN23")
    transaction.post(at.purse(player), at.bank, transaction.balance(at.purse(player)), "tournament removed", now)
    sealed = {one: spots for one, spots in tournament_of(at).sealed.items() if one != player}
    at = at.change(tournament=structs.replace(tournament_of(at), sealed=sealed))
    at = _add_event(transaction, at, now, "remove", name_player(player))
    if tournament_of(at).is_running:
        at = _set_clock(_follow(transaction, at, now), now)
    else:
        is_ranked = bool(tournament_of(at).now.stacks)
        at = _end(transaction, at, now, _find_last_hand(transaction, at) if is_ranked else None)
        at = opening.close_for_good(transaction, at, now)
    set_notices(transaction, at, told, now)


def set_notices(transaction: Transaction, table: Table, told: Text, now: float) -> None:
    """Say something at a table, and at all others of its tournament that are not closed."""
    transaction.set_table(table.set_notice(told, now))
    for one in tables_of(transaction, table):
        if one.id != table.id and one.status != "closed":
            transaction.set_table(one.set_notice(told, now))


def check_may_decide(request: Request, table: Table) -> None:
    """Refuse an inspector who is registered in the tournament of a table, with any account (TN23)."""
    transaction, names = request.transaction, table.tournament.now.order if table.tournament is not None else ()
    if any(request.player.id in self_limits.ids_of_person(transaction, player_named(name)) for name in names):
        raise Refused("You are registered in that tournament. Another inspector must decide.", "TN23")


def _send_away(transaction: Transaction, table: Table, player: int, now: float) -> Table:
    """Unregister a banned player before the start; later the player is away."""
    if not is_entered(table, player) or tournament_of(table).has_ended:
        return table
    if tournament_of(table).is_registering:
        return unregister(transaction, table, player, now)
    return table if table.seat_of(player) is None else cash_table.mark_away(table, player, now)


# Events


def _add_event(transaction: Transaction, table: Table, now: float, *event: Any) -> Table:
    """Add an event, and pay from the pool what the tournament pays by it."""
    before = tournament_of(table)
    after = before.add(*event)
    why = "tournament refund" if before.is_registering else "tournament prize"
    for name, amount in (Counter(after.now.paid) - Counter(before.now.paid)).items():
        player = player_named(name)
        pool = ledger.pool(table.tournament_id)
        transaction.post(pool, ledger.wallet(table.casino, player), amount, why, now)
        gift_budget.note(transaction, table.casino, player, -amount, now)
    return table.change(tournament=after)


def _start(transaction: Transaction, table: Table, now: float, entropy: Entropy) -> Table:
    """Open as many tables as the players need, and give everyone a stack and a drawn seat (TN10)."""
    table = _add_event(transaction, table, now, "start")
    live, ids = tournament_of(table), [table.id]
    for name in live.now.order:
        _issue_stack(transaction, table, player_named(name), now)
    for _number in range(1, len(live.now.tables)):
        ids.append(_open_further(transaction, table, now, entropy(32)).id)
    table = table.change(tournament=structs.replace(live, tables=tuple(ids)))
    return transaction.set_table(_set_clock(_follow(transaction, table, now), now))


def _open_further(transaction: Transaction, table: Table, now: float, entropy: bytes) -> Table:
    """Open a further table; in the lounge it has a page of its own."""
    rooms = [Place(row.platform, row.address) for row in transaction.places_of(table.id)]
    return opening.open_table(
        transaction,
        table.casino,
        table.game,
        next(filter(is_room, rooms), None),
        now,
        entropy,
        options=table.options,
        tournament=table.tournament,
        part_of=table.id,
        language=table.settings.language,
        seats=table.settings.seats,
        coach=False,
    )


def _follow(transaction: Transaction, table: Table, now: float, *, back: int | None = None) -> Table:
    """Bring all tables in line with the events: seats, levels, clocks, broken tables (TN13 to TN18).

    Others are stored; `table` is returned. Whoever was away stays away at another table, but for `back`.
    """
    live, tables = tournament_of(table), tables_of(transaction, table)
    away = cash_table.away_in(tables) - {back}
    transaction.set_table(table)  # gives its tournament to all others, most of which change in nothing else
    for one in tables:
        if one.id != table.id and one.status != "closed":
            one = structs.replace(one, tournament=live)
            there = _note_seated(transaction, one, _follow_there(transaction, one, away, now))
            if there is not one:
                transaction.set_table(there)
    if _is_broken(table):
        return _break_up(transaction, table, now)
    return _note_seated(transaction, table, _seat_players(table, away))


def _note_seated(transaction: Transaction, before: Table, table: Table) -> Table:
    """Note who got a seat at one of several tables, and wants to be mentioned."""
    if table.seats == before.seats or len(tournament_of(table).tables) < 2:
        return table
    new = [player for player in table.seats.values() if player not in before.seats.values()]
    new = [player for player in new if not transaction.players[player].state.unmentioned]
    waiting = [player for player in before.notify.get(SEATED, ()) if player in table.seats.values()]
    return table.change(notify={**table.notify, SEATED: (*waiting, *new)}) if new else table


def _follow_there(transaction: Transaction, table: Table, away: Collection[int], now: float) -> Table:
    if _is_broken(table):
        return _break_up(transaction, table, now)
    # The first table's message is the tournament's, so it shows every change.
    table = table.change() if table.part_of is None else table
    return _set_clock(_seat_players(table, away), now)


def _seat_players(table: Table, away: Collection[int]) -> Table:
    """Seat the players where the tournament has them, and set the options of the next hand."""
    live = tournament_of(table)
    seats = live.seats_at(table.tournament_number)
    if seats != table.seats:
        table = table.change(seats=seats)
    if not live.rules.is_elimination:
        return table
    out = dict.fromkeys((player for player in seats.values() if player in away), 0.0)
    if out.keys() != cash_table.memory_of(table).out.keys():
        table = table.change_memory(out=out)
    options = options_to_come(live, table.plays.seating)
    return table if options == table.options else table.change(options=options)


def _is_broken(table: Table) -> bool:
    live = tournament_of(table)
    return live.is_running and table.tournament_number not in live.now.tables.by_number


def _break_up(transaction: Transaction, table: Table, now: float) -> Table:
    """Close a table that is broken, once its hand is stored."""
    table = table.change(seats={})
    if table.round.hand is not None:
        return table.change(status="closing")
    return opening.close_for_good(transaction, table, now)


def _find_last_hand(transaction: Transaction, table: Table) -> int | None:
    """Return the newest hand at any table of the tournament, or None before the first."""
    hands = [one.last_hand for one in tables_of(transaction, table) if one.last_hand is not None]
    return max(hands, default=None)


def _end(transaction: Transaction, table: Table, now: float, hand: int | None) -> Table:
    """Take the tournament chips back, keep each player's result with the last hand, and close the other tables."""
    for name, (wagered, returned) in tournament_of(table).results().items():
        player = player_named(name)
        account, issue = table.purse(player), ledger.issue(table.tournament_id)
        transaction.post(account, issue, transaction.balance(account), "tournament over", now)
        if hand is not None:
            transaction.put(ResultRow(hand, player, table.casino, table.game, wagered, returned, now))
    for other in tables_of(transaction, table):
        if other.id != table.id:
            other = other.change(tournament=table.tournament)
            is_open = other.status != "closed"
            transaction.set_table(opening.close_for_good(transaction, other, now) if is_open else other)
    return table.change(seats={})


# Hands


def _stake_stacks(transaction: Transaction, table: Table, now: float) -> Table:
    """Make all stacks the stakes, in the positions of the next hand; away players time out at once (TN15, TN16)."""
    positions = tournament_of(table).now.tables.positions(table.tournament_number)
    assert positions is not None
    is_dead = bool(positions.big_blind) and positions.small_blind is None
    bets, away = [], set()
    for place, seat in enumerate(positions.dealt):
        player = table.seats[seat]
        stack = transaction.balance(table.purse(player))
        post = "big" if is_dead and place == 0 else ""
        bets.append(Bet(player, seat, {"stack": stack}, name_player(player), post=post))
        if player in cash_table.memory_of(table).out:
            away.add(str(seat))
    return table.change_round(bets=tuple(bets), away=frozenset(away)).change_memory(button=positions.button)


def options_to_come(live: LiveTournament, seating: Seating, number: int = 1) -> dict[str, Any]:
    """Return the options of the next hand at the table of that number (TN8, TN17)."""
    if live.rules.is_elimination:
        return live.rules.options(live.now.level, CHIP)
    return sealed_bets.options_of_hand(live, number, seating)


def _after_hand(transaction: Transaction, table: Table, hand: Hand, now: float) -> Table:
    """Record a hand: eliminations, the level, moves, and the prizes after the last one. A void hand counts nothing."""
    if hand.is_void:
        return table
    if not tournament_of(table).rules.is_elimination:
        stacks = sealed_bets.take_missed_bets(transaction, table, now)
        table = sealed_bets.count_missed(table).change(last_hand=table.round.hand_id)
        return _end_round(transaction, table, stacks, now)
    number, players = table.round.hand_id, {*table.owners().values()}
    stacks = {name_player(one): transaction.balance(table.purse(one)) // CHIP for one in sorted(players)}
    table = cash_table.count_time_outs(_note_shown_up(table, hand), hand, now)
    table = _add_event(transaction, table, now, "hand", table.tournament_number, stacks)
    if not tournament_of(table).is_running:
        return _end(transaction, table, now, number).change(status="closing")
    return _follow(transaction, _count_time(table, now), now)


def _note_shown_up(table: Table, hand: Hand) -> Table:
    """Note the players who have moved by themselves."""
    owners, moves = table.owners(), (event for event in hand.events if isinstance(event, Moved))
    there = {owners[move.seat] for move in moves if move.word != TIMEOUT and move.seat in owners}
    return table.change(tournament=tournament_of(table).with_shown_up(there))


def _end_round(transaction: Transaction, table: Table, stacks: dict[str, int], now: float) -> Table:
    """Record a hand of a bank game, dealt or not; the next one has its own least bet."""
    table = _add_event(transaction, table, now, "hand", table.tournament_number, stacks)
    if not tournament_of(table).is_running:
        return _end(transaction, table, now, _find_last_hand(transaction, table)).change(status="closing")
    table = _follow(transaction, table, now)
    options = options_to_come(tournament_of(table), table.plays.seating, table.tournament_number)
    return table.change(options=options)


def _count_time(table: Table, now: float) -> Table:
    """Raise the level by the clock once its time is over (TN8). Hands at several tables count once."""
    live, started = tournament_of(table), table.round.started
    since = now if started is None else max(started, live.counted)
    played = live.played + max(0.0, min(LONGEST_HAND_S, now - since))
    live = structs.replace(live, played=played, counted=now)
    if live.level_s and played >= live.level_s:
        live = structs.replace(live.add("level"), played=0.0)
    return table.change(tournament=live)


def _run_out(transaction: Transaction, table: Table, now: float, entropy: Entropy) -> Table:
    """Deal the next hand; before it start at the announced time, or cancel with too few players (TN6).

    While the table is paused nothing of this happens: the clock starts again when it is resumed. A tournament that
    nobody resumes is abandoned.
    """
    live = tournament_of(table)
    if table.status != "open":
        paused = _wait_for_resume(transaction, table)
        is_over = paused.round.deadline is not None and paused.round.deadline <= now
        return _abandon(transaction, table, now) if is_over else transaction.set_table(paused)
    if live.is_registering:
        if now < live.starts_at:
            return transaction.set_table(wake(transaction, _remind(transaction, table, now), now))
        is_enough = live.starts_at and live.now.entries >= live.rules.least
        return _start(transaction, table, now, entropy) if is_enough else cancel(transaction, table, now)
    if not live.is_in_play(table.tournament_number):
        return transaction.set_table(_set_clock(table, now))
    if live.takes_sealed_bets and not table.has_sealed_bets:
        return sealed_bets.skip_hand(transaction, table, now, entropy, _end_round)
    if live.rules.is_elimination and commitments.is_changed(transaction, table):
        # Another table has raised the level since this hand was announced.
        table = opening.open_anew(transaction, table, now, entropy(32), commitments.CHANGED)
        return transaction.set_table(_set_clock(table, now))
    return playing.deal(transaction, table, now, entropy(32))


def _remind(transaction: Transaction, table: Table, now: float) -> Table:
    """Note who is mentioned once shortly before the start: registered players who have not switched that off."""
    if now < tournament_of(table).starts_at - REMINDS_S or not table.settings.mentions:
        return table
    players = (one for one in table.seats.values() if not transaction.players[one].state.unmentioned)
    return table.change(notify={**table.notify, STARTS: tuple(players)})


def _wait_for_resume(transaction: Transaction, table: Table) -> Table:
    """Stop the clock of a paused table; that of the first one of a running tournament by elimination ends a day without
    a hand (TN25).
    """
    live = tournament_of(table)
    if table.part_of is not None or not (live.is_running and live.rules.is_elimination):
        return table.change_round(started=None, deadline=None)
    newest = max(one.round.opened for one in tables_of(transaction, table))
    return table.change_round(started=None, deadline=newest + ABANDONED_AFTER_S)


def _abandon(transaction: Transaction, table: Table, now: float) -> Table:
    """Pay places and chips of a tournament without a hand for a day, and close it (TN25)."""
    told = Text("No hand was played for 24 hours, so the tournament is over. Prizes are paid by places and chips.")
    table = opening.close_for_good(transaction, _close(transaction, table, now), now)
    transaction.audit(now, table.casino, 0, "table close", table.audited(), "no hand for 24 hours (TN25)")
    return transaction.set_table(table.set_notice(told, now))


def cancel(transaction: Transaction, table: Table, now: float, reason: str = "") -> Table:
    """Refund every buy-in before the start, and close the table (TN6). Without a reason there are too few players."""
    told = Text("Too few players have registered. Every buy-in is returned.")
    if reason:
        told = Text(
            "An inspector has cancelled the tournament: {reason}. Every buy-in is returned.", reason=reason.rstrip(".")
        )
    table = opening.close_for_good(transaction, _close(transaction, table, now), now)
    return transaction.set_table(table.set_notice(told, now))


def wake(transaction: Transaction, table: Table, now: float) -> Table:
    """Start the clock of the next hand; before the start that of the registration."""
    live = tournament_of(table)
    if table.status == "paused" and not table.has_closed:
        return _wait_for_resume(transaction, table)
    if not live.is_registering or table.has_closed or table.status != "open":
        return _set_clock(table, now)
    deadline = live.starts_at or live.opened + FILLS_WITHIN_S
    if live.starts_at and now < live.starts_at - REMINDS_S:
        deadline = live.starts_at - REMINDS_S
    return table.change_round(started=None, deadline=max(now, deadline))


def _set_clock(table: Table, now: float) -> Table:
    """Start the clock of the next hand unless it runs; stop it where the table waits for others or has ended."""
    if table.phase in ("playing", "waiting") or table.status != "open":
        return table
    if not tournament_of(table).is_in_play(table.tournament_number):
        is_stopped = (table.round.started, table.round.deadline) == (None, None)
        return table if is_stopped else table.change_round(started=None, deadline=None)
    if table.round.started is not None:
        return table
    if tournament_of(table).takes_sealed_bets:
        return sealed_bets.wind_clock(table, now)
    return table.change_round(started=now, deadline=now + cash_table.BETWEEN_HANDS_S)


def _close(transaction: Transaction, table: Table, now: float) -> Table:
    """End a tournament whose first table closes: refund it before the start, later pay places and chips (TN25).

    It ends with the last hand that is played at any of its tables. A further table closes alone when it is broken.
    """
    live = tournament_of(table)
    if live.has_ended:
        return table
    if live.is_registering:
        return _end(transaction, _add_event(transaction, table, now, "cancel"), now, None)
    first, *others = tables_of(transaction, table)
    if table.id != first.id and first.status not in ("closing", "closed"):
        return table
    others = [one for one in (first, *others) if one.id != table.id]
    for other in others:
        if other.status not in ("closing", "closed"):
            closing = other.change(status="closing")
            is_playing = other.phase in ("playing", "waiting")
            transaction.set_table(closing if is_playing else closing.change_round(started=None, deadline=None))
    if any(other.phase in ("playing", "waiting") for other in others):
        return table
    table = _add_event(transaction, table, now, "abandon")
    return _end(transaction, table, now, _find_last_hand(transaction, table))


def refund_gone(transaction: Transaction, table: Table, now: float) -> None:
    """Give back all buy-ins of a tournament whose game is not installed any more; no rule is asked."""
    if table.part_of is not None:
        return
    live = tournament_of(table)
    cost = int(json.loads(live.definition).get("buy_in", 0))
    for name in live.registered:
        player = player_named(name)
        account, wallet = ledger.chips(table.id, player), ledger.wallet(table.casino, player)
        transaction.post(account, ledger.issue(table.id), transaction.balance(account), "tournament over", now)
        owed = min(cost, transaction.balance(ledger.pool(table.id)))
        transaction.post(ledger.pool(table.id), wallet, owed, "tournament refund", now)


def _shift_clocks(table: Table, step: float) -> Table:
    live = tournament_of(table)
    if live.has_ended:
        return table
    return table.change(tournament=structs.replace(live, opened=live.opened + step, counted=live.counted + step))


def _sit(request: Request) -> Answer:
    return register(request, request.table)


def _refuse_bet(request: Request) -> Answer:
    raise Refused("You play with tournament chips here. Bets are made in a hand.")


def play_in_tournaments(hooks: Hooks, *, has_stacks: bool) -> Hooks:
    """Return the hooks of a game's tournament tables, from those of its other tables."""
    hooks = _play_from_stacks(hooks) if has_stacks else _play_by_sealed_bets(hooks)
    return replace(
        hooks,
        sit=_sit,
        leave=leave,
        send_away=_send_away,
        keep_out=lambda transaction, table, player, now: table,
        run_out=_run_out,
        wake=wake,
        close=_close,
        shift_clocks=_shift_clocks,
    )


def _play_from_stacks(hooks: Hooks) -> Hooks:
    return replace(
        hooks,
        bet=_refuse_bet,
        rebet=_refuse_bet,
        ready=_refuse_bet,
        bets_s=lambda table: cash_table.BETWEEN_HANDS_S,
        before_deal=_stake_stacks,
        after_hand=_after_hand,
    )


def _play_by_sealed_bets(hooks: Hooks) -> Hooks:
    """Return the hooks of a bank game: its own work is done once the bets are turned, and before a hand is counted."""

    def before_deal(transaction: Transaction, table: Table, now: float) -> Table:
        return hooks.before_deal(transaction, sealed_bets.turn_bets(transaction, table, now), now)

    def after_hand(transaction: Transaction, table: Table, hand: Hand, now: float) -> Table:
        return _after_hand(transaction, hooks.after_hand(transaction, table, hand, now), hand, now)

    return replace(
        hooks,
        bet=sealed_bets.bet,
        rebet=sealed_bets.rebet,
        take_back_bets=sealed_bets.take_back,
        ready=sealed_bets.mark_ready,
        bets_s=lambda table: sealed_bets.BETTING_S,
        before_deal=before_deal,
        after_hand=after_hand,
    )
