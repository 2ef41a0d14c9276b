"""A tournament at its own table: registration, hands, levels, eliminations, prizes (TN2 to TN25).

The engine decides (`LiveTournament.now`); this module gives it events and follows what it answers, in the transaction
of the command or the hand. Buy-ins wait in the tournament's `pool` account; tournament chips come from its `issue`
account, and go back there when it is over.
"""

import json
from collections import Counter
from dataclasses import replace
from typing import Any

from msgspec import structs

from bot.core.commands.command import Answer, Refused
from bot.core.commands.hooks import Entropy, Hooks
from bot.core.commands.registry import Request, say
from bot.core.players import gift_budget, self_limits
from bot.core.rounds import cash_table, opening, playing, sealed_bets
from bot.core.rounds.betting import usual_options
from bot.core.state.plays import Seating
from bot.core.state.table import Bet, Table
from bot.core.state.tournament import CHIP, LiveTournament, name_player, player_named
from bot.core.state.transaction import Transaction
from bot.texts import Text
from engine.felt import Amount
from engine.hand import Hand
from storage import ledger
from storage.rows import ResultRow

# A sit & go that is not full by then is cancelled (TN6).
FILLS_WITHIN_S = 24 * 3600.0
# No clock of a hand is longer: what is more was a pause, or downtime.
LONGEST_HAND_S = 600.0
# The number of the only table.
ONE = 1
# The largest buy-in on a member's first day where the game has no usual stack, in minor units.
FIRST_DAY_BUY_IN = 100_00


def tournament_of(table: Table) -> LiveTournament:
    """Return the tournament at a table. Raises Refused without one."""
    if table.tournament is None:
        raise Refused("There is no tournament at this table.")
    return table.tournament


def is_entered(table: Table, player: int) -> bool:
    """Check whether a player has registered, eliminated players included."""
    return table.tournament is not None and name_player(player) in table.tournament.now.order


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
        return say(
            "You are registered: {entries} of {most}. Buy-in {cost}, {chips} left.",
            entries=seats,
            most=rules.most,
            cost=Amount(rules.buy_in),
            chips=request.chips(),
        )
    _start(request.transaction, table, request.now)
    stack = Amount(rules.stack * CHIP)
    return say("You are registered, and the tournament starts. You have {stack} tournament chips.", stack=stack)


def _enter_late(request: Request, table: Table) -> Answer:
    """Seat a late player, or one who enters again, for the next hand (TN11, TN12)."""
    live, player, transaction, now = tournament_of(table), request.player.id, request.transaction, request.now
    if table.seat_of(player) is not None or player in live.entering:
        raise Refused("You are playing in this tournament.")
    if not may_enter_late(live, player):
        raise Refused("This tournament has started. Registration is closed.")
    _check_open(table)
    _check_person(request, table)
    table = _post_buy_in(request, table).change(tournament=structs.replace(live, entering=(*live.entering, player)))
    # The record knows entries between hands: whoever comes during one is seated when it is over.
    table = wake(transaction, table, now)
    self_limits.check_loss(replace(request, at=transaction.set_table(table)))
    return say("You play from the next hand on, with {stack} tournament chips.", stack=Amount(live.rules.stack * CHIP))


def _seat_late_players(transaction: Transaction, table: Table, now: float) -> Table:
    """Seat the players who have paid during the hand; return their buy-ins if it was the last one."""
    for player in tournament_of(table).entering:
        live, name = tournament_of(table), name_player(player)
        if not live.is_running:
            cost, wallet = live.rules.buy_in, ledger.wallet(table.casino, player)
            transaction.post(ledger.pool(table.id), wallet, cost, "tournament refund", now)
            gift_budget.note(transaction, table.casino, player, -cost, now)
            continue
        table = table.change(tournament=live.add("reenter" if is_entered(table, player) else "late", name))
        account, stack = ledger.chips(table.id, player), live.rules.stack * CHIP
        transaction.post(ledger.issue(table.id), account, stack, "tournament stack", now)
        table = cash_table.deal_in(table, player)
    table = table.change(tournament=structs.replace(tournament_of(table), entering=()))
    return _seat_players(table) if tournament_of(table).is_running else table


def may_enter_late(live: LiveTournament, player: int | None) -> bool:
    """Check whether a player who is not seated may enter now; None is anyone who has not registered."""
    now, rules = live.now, live.rules
    name = name_player(player) if player is not None else ""
    coming = len(live.entering)
    has_room = now.entries + coming < rules.most and len(now.stacks) + coming < rules.seats
    return live.is_running and now.level <= rules.late_levels and has_room and now.buy_ins[name] <= rules.reentries


def _post_buy_in(request: Request, table: Table) -> Table:
    """Move the buy-in from the wallet into the pool."""
    transaction, player, cost = request.transaction, request.player.id, tournament_of(table).rules.buy_in
    transaction.post(request.wallet, ledger.pool(table.id), cost, "tournament buy-in", request.now)
    gift_budget.note(transaction, table.casino, player, cost, request.now)
    return table


def _check_open(table: Table) -> None:
    live = tournament_of(table)
    if live.has_ended:
        raise Refused("This tournament is over.")
    if live.now.entries == live.rules.most:
        raise Refused("All {most} seats of this tournament are taken.", most=live.rules.most)
    if table.status != "open":
        raise Refused("This table is paused until an inspector resumes it.")


def _check_person(request: Request, table: Table) -> None:
    """Refuse a second account, and players whose own or daily limits do not allow the buy-in and the prize."""
    transaction, player, now, casino = request.transaction, request.player.id, request.now, request.casino
    rules = tournament_of(table).rules
    others = self_limits.ids_of_person(transaction, player)[1:]
    if any(is_entered(table, other) or other in tournament_of(table).entering for other in others):
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
    if gift_budget.may_take(transaction, request.member, now) < rules.first_prize:
        raise Refused(
            "You have reached the daily limit of chips from other players. The next day starts in {hours} h.",
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
        return say("You are unregistered. {chips} are back in your wallet.", chips=Amount(live.rules.buy_in))
    if table.seat_of(player) is None:
        raise Refused("You are out of this tournament.")
    return cash_table.go_away(request)


def unregister(transaction: Transaction, table: Table, player: int, now: float) -> Table:
    """Give back the buy-in before the start."""
    seats = {seat: sitting for seat, sitting in table.seats.items() if sitting != player}
    return _add_event(transaction, table, now, "unregister", name_player(player)).change(seats=seats)


def _send_away(transaction: Transaction, table: Table, player: int, now: float) -> Table:
    """Unregister a banned player before the start; later the player is away."""
    if not is_entered(table, player) or tournament_of(table).has_ended:
        return table
    if tournament_of(table).is_registering:
        return unregister(transaction, table, player, now)
    return table if table.seat_of(player) is None else cash_table.mark_away(table, player)


# Events


def _add_event(transaction: Transaction, table: Table, now: float, *event: Any) -> Table:
    """Add an event, and pay from the pool what the tournament pays by it."""
    before = tournament_of(table)
    after = before.add(*event)
    why = "tournament refund" if before.is_registering else "tournament prize"
    for name, amount in (Counter(after.now.paid) - Counter(before.now.paid)).items():
        player = player_named(name)
        transaction.post(ledger.pool(table.id), ledger.wallet(table.casino, player), amount, why, now)
        gift_budget.note(transaction, table.casino, player, -amount, now)
    return table.change(tournament=after)


def _start(transaction: Transaction, table: Table, now: float) -> Table:
    """Give everyone a stack and a drawn seat; the first hand follows (TN10)."""
    table = _add_event(transaction, table, now, "start")
    live = tournament_of(table)
    for name in live.now.order:
        account = ledger.chips(table.id, player_named(name))
        transaction.post(ledger.issue(table.id), account, live.rules.stack * CHIP, "tournament stack", now)
    return transaction.set_table(wake(transaction, _seat_players(table), now))


def _seat_players(table: Table) -> Table:
    """Seat the players where the tournament has them."""
    tables = tournament_of(table).now.tables.by_number
    seats = tables[ONE].seats if ONE in tables else {}
    return table.change(seats={seat: player_named(name) for seat, name in sorted(seats.items())})


def _take_chips_back(transaction: Transaction, table: Table, now: float, hand: int | None) -> Table:
    """Take the tournament chips back, and keep each player's result with the last hand."""
    for name, (wagered, returned) in tournament_of(table).results().items():
        player = player_named(name)
        account = ledger.chips(table.id, player)
        transaction.post(account, ledger.issue(table.id), transaction.balance(account), "tournament over", now)
        if hand is not None:
            transaction.put(ResultRow(hand, player, table.casino, table.game, wagered, returned, now))
    return table.change(seats={})


# Hands


def _stake_stacks(transaction: Transaction, table: Table, now: float) -> Table:
    """Make all stacks the stakes, in the positions of the next hand; away players time out at once (TN15, TN16)."""
    positions = tournament_of(table).now.tables.positions(ONE)
    assert positions is not None
    is_dead = bool(positions.big_blind) and positions.small_blind is None
    bets, away = [], set()
    for place, seat in enumerate(positions.dealt):
        player = table.seats[seat]
        stack = transaction.balance(ledger.chips(table.id, player))
        post = "big" if is_dead and place == 0 else ""
        bets.append(Bet(player, seat, {"stack": stack}, name_player(player), post=post))
        if player in cash_table.memory_of(table).out:
            away.add(str(seat))
    return table.change_round(bets=tuple(bets), away=frozenset(away)).keep(button=positions.button)


def options_to_come(live: LiveTournament, seating: Seating) -> dict[str, Any]:
    """Return the options of the next hand (TN8, TN17)."""
    if live.rules.is_elimination:
        return live.rules.options(live.now.level, CHIP)
    return sealed_bets.options_of_hand(live, seating)


def _after_hand(transaction: Transaction, table: Table, hand: Hand, now: float) -> Table:
    """Record a hand: eliminations, the level, and the prizes after the last one. A void hand counts nothing."""
    if hand.is_void:
        return _seat_late_players(transaction, table, now)
    if not tournament_of(table).rules.is_elimination:
        stacks = sealed_bets.take_missed_bets(transaction, table, now)
        table = sealed_bets.count_missed(table).change(last_hand=table.round.hand_id)
        return _end_round(transaction, table, stacks, now)
    number, players = table.round.hand_id, {*table.owners().values()}
    stacks = {name_player(one): transaction.balance(ledger.chips(table.id, one)) // CHIP for one in sorted(players)}
    started = table.round.started
    table = cash_table.count_time_outs(table, hand)
    table = _seat_players(_add_event(transaction, table, now, "hand", ONE, stacks))
    table = _seat_late_players(transaction, table, now)
    if not tournament_of(table).is_running:
        return _take_chips_back(transaction, table, now, number).change(status="closing")
    return _count_time(table, 0.0 if started is None else min(LONGEST_HAND_S, now - started))


def _end_round(transaction: Transaction, table: Table, stacks: dict[str, int], now: float) -> Table:
    """Record a hand of a bank game, dealt or not; the next one has its own least bet."""
    table = _seat_players(_add_event(transaction, table, now, "hand", ONE, stacks))
    live = tournament_of(table)
    if not live.is_running:
        return _take_chips_back(transaction, table, now, table.last_hand).change(status="closing")
    return table.change(options=options_to_come(live, table.plays.seating))


def _count_time(table: Table, played_s: float) -> Table:
    """Raise the level by the clock once its time is over; the next hand has the options of the level (TN8)."""
    live = tournament_of(table)
    live = structs.replace(live, played=live.played + played_s)
    if live.level_s and live.played >= live.level_s:
        live = structs.replace(live.add("level"), played=0.0)
    return table.change(tournament=live, options=options_to_come(live, table.plays.seating))


def _run_out(transaction: Transaction, table: Table, now: float, entropy: Entropy) -> Table:
    """Deal the next hand; before it start at the announced time, or cancel with too few players (TN6)."""
    live = tournament_of(table)
    if live.takes_sealed_bets and not live.sealed:
        return sealed_bets.skip_hand(transaction, table, now, entropy, _end_round)
    if not live.is_registering:
        return playing.deal(transaction, table, now, entropy(32))
    if now < live.starts_at:
        return transaction.set_table(table.change_round(deadline=live.starts_at))
    is_enough = live.starts_at and live.now.entries >= live.rules.least
    return _start(transaction, table, now) if is_enough else cancel(transaction, table, now)


def cancel(transaction: Transaction, table: Table, now: float) -> Table:
    """Refund every buy-in before the start, and close the table (TN6)."""
    told = Text("The tournament is cancelled. Every buy-in is returned.")
    table = opening.close_for_good(transaction, _close(transaction, table, now), now)
    return transaction.set_table(table.tell(told, now))


def wake(transaction: Transaction, table: Table, now: float) -> Table:
    """Start the clock of the next hand; before the start that of the registration."""
    live = tournament_of(table)
    if table.has_closed or table.status != "open":
        return table
    if live.is_registering:
        deadline = live.starts_at or live.opened + FILLS_WITHIN_S
        return table.change_round(started=None, deadline=max(now, deadline))
    if live.entering:
        table = _seat_late_players(transaction, table, now)
    if not live.is_running or table.round.started is not None:
        return table
    if live.takes_sealed_bets:
        return sealed_bets.wind_clock(table, now)
    return table.change_round(started=now, deadline=now + cash_table.BETWEEN_HANDS_S)


def _close(transaction: Transaction, table: Table, now: float) -> Table:
    """End a tournament whose table closes: refund it before the start, later pay places and chips (TN25)."""
    live = tournament_of(table)
    if live.has_ended:
        return table
    table = _add_event(transaction, table, now, "cancel" if live.is_registering else "abandon")
    table = _seat_late_players(transaction, table, now)
    return _take_chips_back(transaction, table, now, table.last_hand if live.is_running else None)


def refund_gone(transaction: Transaction, table: Table, now: float) -> None:
    """Give back all buy-ins of a tournament whose game is not installed any more; no rule is asked."""
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
    return table if live.has_ended else table.change(tournament=structs.replace(live, opened=live.opened + step))


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
        keep_out=lambda transaction, table, player: table,
        run_out=_run_out,
        wake=wake,
        close=_close,
        shift_clocks=_shift_clocks,
    )


def _play_from_stacks(hooks: Hooks) -> Hooks:
    return replace(
        hooks,
        bet=_refuse_bet,
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
