"""Cash tables of games between players: buy-in, top-up, sitting out, the waiting list, empty stacks, daily limits.

Each player's chips are in a `stack` account. What one player loses to another passes from person to person: a day's
budget for that bounds how much of a stack is in play (gift_budget.py), so that anyone can sit down on any day. What
games differ in is their `Play.cash`; a refusal names the clause of the game about stacks (`Game.stacks`).
"""

import math
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, get_args

import msgspec

from bot.core.commands.amounts import parse_amount
from bot.core.commands.command import Answer, Refused
from bot.core.commands.registry import CommandFlag, Request, answer_with, command
from bot.core.players import gift_budget, self_limits
from bot.core.rounds import betting, playing
from bot.core.rounds.plain import PLAIN
from bot.core.state.lounge import is_room
from bot.core.state.plays import Cash, GameMemory, Seating
from bot.core.state.table import Bet, Table
from bot.core.state.transaction import Transaction
from bot.core.state.values import Casino
from bot.texts import Text
from engine.blinds import DEAD, NEW, BlindPositions, next_deal
from engine.events import Moved
from engine.felt import TIMEOUT, Amount
from engine.hand import Hand
from storage import ledger

BETWEEN_HANDS_S = 8.0
LATE_IN_A_ROW = 2
MISSED_HANDS = 10
COMES_BACK_S = 3600.0
OFFERED_S = 60.0
# While no hand is dealt, a player who sits out keeps the seat for this long, about ten hands (HE32).
STANDS_STILL_S = 600.0
# A player with an empty stack keeps the seat for this long (HE2).
EMPTY_S = 120.0
# How a table notes players whose stack went back to their wallet because they sat out.
RETURNED = "returned"


class CashMemory(GameMemory, frozen=True):
    """Memory of a cash table, by player where nothing else is said.

    button   the dealer's seat
    out      players who sit out, and since when no hand has been dealt while they do
    leaving  players who leave after the hand; `waiting` the list for a seat
    late     hands in a row that ended with a time-out; `missed` hands sat out
    left     the stack with which a player left, and when; `freed` when a seat became free
    keys     the update with which each bought in
    auto     the stack to which an automatic top-up refills it before each hand, for those who switched it on
    bought   the last buy-in
    emptied  when a stack became empty

    In a game with blinds:

    blinds   the positions of the last hand that was played
    owed     what each player owes; `posting` those who post it as soon as they may
    dealing  the positions of the hand that is dealt, and who owes what after it
    """

    button: int = 0
    out: dict[int, float] = msgspec.field(default_factory=dict)
    leaving: tuple[int, ...] = ()
    waiting: tuple[int, ...] = ()
    late: dict[int, int] = msgspec.field(default_factory=dict)
    missed: dict[int, int] = msgspec.field(default_factory=dict)
    left: dict[int, tuple[int, float]] = msgspec.field(default_factory=dict)
    freed: float | None = None
    keys: dict[int, str] = msgspec.field(default_factory=dict)
    auto: tuple[int, ...] = ()
    bought: dict[int, int] = msgspec.field(default_factory=dict)
    emptied: dict[int, float] = msgspec.field(default_factory=dict)
    blinds: BlindPositions = BlindPositions()
    owed: dict[int, str] = msgspec.field(default_factory=dict)
    posting: tuple[int, ...] = ()
    dealing: tuple[BlindPositions, dict[int, str]] | None = None


def memory_of(table: Table) -> CashMemory:
    """Return what the table remembers: button, who sits out, who waits for a seat."""
    return table.kept(CashMemory)


def cash_of(table: Table) -> Cash:
    """Return what the game declares of its cash tables. Raises Refused for a game without stacks."""
    if table.plays.cash is None:
        raise Refused("This game has no stacks. Bet with /bet.")
    return table.plays.cash


def bet_of(table: Table, options: Any) -> int:
    """Return the bet in which stacks are counted, in minor units: a big bet, a big blind."""
    return cash_of(table).bet(options)


def stack_of(transaction: Transaction, table: Table, player: int) -> int:
    """Return a player's stack in minor units; in a hand, what is left of it."""
    return transaction.balance(ledger.stack(table.id, player))


def sit(request: Request) -> Answer:
    """Take a seat with the usual stack, or with what the wallet holds."""
    table = request.table
    if table.seat_of(request.player.id) is not None:
        raise Refused("You already have seat {seat}.", "G9", seat=table.seat_of(request.player.id))
    options: Any = betting.options_of(request.transaction, table)
    most = min(request.chips(), _most_today(request, table, options))
    amount = usual_stack(options, table, request.player.id, most, request.now)
    seat = betting.parse_seat(request.args[0], table) if request.args else None
    return _buy_in(request, table, amount, seat)


def smallest_chip(options: Any) -> int:
    """Return what stacks are multiples of: the option `unit`, or a minor unit in a game without it."""
    return int(getattr(options, "unit", 1))


def usual_stack(options: Any, table: Table, player: int, chips: int, now: float) -> int:
    """Return the usual stack, or what the player left with within the hour; all of a smaller wallet."""
    wanted = max(cash_of(table).usual * bet_of(table, options), _left_with(table, player, now))
    return min(wanted, chips - chips % smallest_chip(options))


def buy_in_of(table: Table) -> tuple[int, int]:
    """Return the smallest and the largest buy-in in bets, as the game has them or as set at this table (HE2)."""
    cash, settings = cash_of(table), table.settings
    return cash.least or settings.buy_in_min, cash.most or settings.buy_in_max


def stack_limits(options: Any, table: Table, casino: Casino) -> tuple[int, int]:
    """Return the least and the largest stack: never more than may pass to others in a day."""
    bet, (least, most) = bet_of(table, options), buy_in_of(table)
    least, most = least * bet, most * bet
    return least, max(least, min(most, gift_budget.give_a_day(casino)))


@command(
    "buyin",
    Text("Take a seat with a stack"),
    group="play",
    flags=CommandFlag.STAKING | CommandFlag.SEEN,
    usage="AMOUNT [SEAT]",
)
def buy_in(request: Request) -> Answer:
    """Move chips from the wallet to a stack at a free seat. Raises Refused for an amount outside the limits."""
    table = _cash_table(request)
    options: Any = betting.options_of(request.transaction, table)
    if table.seat_of(request.player.id) is not None:
        raise Refused("You have a seat; /topup adds to your stack between hands.", table.rules.stacks)
    amount = _parse(request, table, options, request.argument(0, "Enter an amount, for example 320."))
    seat = betting.parse_seat(request.args[1], table) if len(request.args) > 1 else None
    return _buy_in(request, table, amount, seat)


@command(
    "topup",
    Text("Add to your stack between hands"),
    group="play",
    flags=CommandFlag.STAKING | CommandFlag.SEEN,
    usage="AMOUNT",
)
def top_up(request: Request) -> Answer:
    """Add chips between hands, up to the largest stack; a button made for an empty stack counts for that one only.

    A player who sat out plays again.
    """
    table = _cash_table(request)
    options: Any = betting.options_of(request.transaction, table)
    if table.seat_of(request.player.id) is None:
        raise Refused("Take a seat first: `/buyin AMOUNT`.", table.rules.stacks)
    if _is_playing(table, request.player.id):
        raise Refused("Table stakes: you can top up when this hand is over.", table.rules.stacks)
    had = stack_of(request.transaction, table, request.player.id)
    if request.command.fresh and had:
        raise Refused("The table has changed. Here it is now.")
    _check_day(request, table, bet_of(table, options))
    amount = _parse(request, table, options, request.argument(0, "Enter an amount, for example 100."))
    stack = had + amount
    if stack > (most := stack_limits(options, table, request.casino)[1]):
        raise Refused("A stack can hold at most {amount}.", table.rules.stacks, amount=Amount(most))
    _check_today(request, table, options, stack)
    request.transaction.post(request.wallet, ledger.stack(table.id, request.player.id), amount, "top up", request.now)
    table = request.transaction.set_table(
        wake(request.transaction, _end_sitting_out(table, request.player.id), request.now)
    )
    return answer_with(
        "{amount} added: stack {stack}. {chips} left.",
        amount=Amount(amount),
        stack=Amount(stack_of(request.transaction, table, request.player.id)),
        chips=request.chips(),
    )


@command("refill", Text("Refill your stack before each hand"), group="play", usage="on|off")
def refill(request: Request) -> Answer:
    """Refill a stack from the wallet to the last buy-in before each hand, from now on or no more (HE2)."""
    table, player = _cash_table(request), request.player.id
    if table.seat_of(player) is None:
        raise Refused("Take a seat first: `/buyin AMOUNT`.", table.rules.stacks)
    word = request.argument(0, "Choose on or off.")
    if word not in ("on", "off"):
        raise Refused("Choose on or off.")
    if word == "on":
        request.transaction.set_table(_with(table, "auto", player))
        bought = Amount(memory_of(table).bought.get(player, 0))
        return answer_with("Your stack is refilled to {amount} before each hand.", amount=bought)
    request.transaction.set_table(_without(table, "auto", player))
    return answer_with("Your stack is no longer refilled.")


@command("post", Text("Post the blinds you owe, to play at once"), group="play", flags=CommandFlag.STAKING)
def post(request: Request) -> Answer:
    """Deal a player in on the next hand instead of waiting for the big blind (HE7)."""
    table, player = _cash_table(request), request.player.id
    if player not in memory_of(table).owed:
        raise Refused("You owe no blinds here.", "HE7")
    request.transaction.set_table(_with(table, "posting", player))
    return answer_with(
        "You post what you owe and play from the next hand. On the button, and between it and the big blind, you wait."
    )


@command("sitout", Text("Sit out from the next hand"), group="play", flags=CommandFlag.SEEN)
def sit_out(request: Request) -> Answer:
    """Sit out from the next hand on; the seat stays the player's for a while. In a tournament the player is away."""
    if request.table.tournament is not None:
        return go_away(request)
    table = _cash_table(request)
    if table.seat_of(request.player.id) is None:
        raise Refused("You have no seat at this table.")
    request.transaction.set_table(keep_out(request.transaction, table, request.player.id, request.now))
    return answer_with(
        "You sit out from the next hand on. Use /back to play again. After {n} hands, or {minutes} minutes without a "
        "hand, your stack returns to your wallet.",
        n=MISSED_HANDS,
        minutes=round(STANDS_STILL_S / 60),
    )


@command("back", Text("Play again after sitting out"), group="play", flags=CommandFlag.STAKING | CommandFlag.SEEN)
def back(request: Request) -> Answer:
    """Deal a player in again, unless the stack is empty or the day's budget is spent."""
    if request.table.tournament is not None:
        return _come_back(request)
    table = _cash_table(request)
    player = request.player.id
    if table.seat_of(player) is None:
        raise Refused("Take a seat first: `/buyin AMOUNT`.", table.rules.stacks)
    if not stack_of(request.transaction, table, player):
        raise Refused("Your stack is empty. Top up first: `/topup AMOUNT`.", table.rules.stacks)
    options: Any = betting.options_of(request.transaction, table)
    _check_day(request, table, min(bet_of(table, options), stack_of(request.transaction, table, player)))
    table = _end_sitting_out(table, player)
    request.transaction.set_table(wake(request.transaction, table, request.now))
    return Answer((_say_wait_for_blind(table, player, request.now) or Text("You play from the next hand on."),))


def go_away(request: Request) -> Answer:
    """Let time-outs play for a player of a tournament, who is still dealt in (TN16)."""
    table = _tournament_table(request)
    request.transaction.set_table(mark_away(table, request.player.id, request.now))
    if table.plays.seating is not Seating.STACKS:
        return answer_with("You are away: each hand costs you the minimum bet. Use /back to return.")
    return answer_with(
        "You are away from the next hand on: your blinds are posted and your hands are folded. Use /back to return."
    )


def mark_away(table: Table, player: int, now: float) -> Table:
    """Let time-outs play for a player of a tournament from the next hand on (TN16)."""
    if table.plays.seating is Seating.STACKS:
        return _sit_out(table, player, now)
    return _count_missed(table, player, LATE_IN_A_ROW)


def is_away(table: Table, player: int) -> bool:
    """Check whether a player of a tournament is away (TN16)."""
    if table.plays.seating is Seating.STACKS:
        return player in memory_of(table).out
    return table.tournament is not None and table.tournament.missed.get(player, 0) >= LATE_IN_A_ROW


def away_in(tables: Iterable[Table]) -> set[int]:
    """Return the players who are away at any of a tournament's tables."""
    return {player for one in tables if one.plays.seating is Seating.STACKS for player in memory_of(one).out}


def _count_missed(table: Table, player: int, hands: int) -> Table:
    live = table.tournament
    assert live is not None
    missed = {one: times for one, times in live.missed.items() if one != player}
    missed |= {player: hands} if hands else {}
    return table.change(tournament=msgspec.structs.replace(live, missed=missed))


def deal_in(table: Table, player: int) -> Table:
    """Deal a player in again who sat out or was away."""
    if table.plays.seating is not Seating.STACKS:
        return _count_missed(table, player, 0)
    return _end_sitting_out(table, player)


def _sit_out(table: Table, player: int, now: float) -> Table:
    """Deal a seated player into no further hand."""
    memory = memory_of(table)
    if player in memory.out or table.seat_of(player) is None:
        return table
    return table.change_memory(out={**memory.out, player: now})


def _end_sitting_out(table: Table, player: int) -> Table:
    """Deal a player in again, and count hands that they miss anew."""
    memory = memory_of(table)
    if player not in memory.out:
        return table
    out, missed = ({one: value for one, value in of.items() if one != player} for of in (memory.out, memory.missed))
    return table.change_memory(out=out, missed=missed)


def _come_back(request: Request) -> Answer:
    """Let a player of a tournament play again, at once in a hand that still runs."""
    table, player = _tournament_table(request), request.player.id
    mine = {str(bet.seat) for bet in table.bets_of(player)}
    assert table.tournament is not None
    table = deal_in(table, player).change(tournament=table.tournament.with_shown_up((player,)))
    request.transaction.set_table(table.change_round(away=table.round.away - mine))
    return answer_with("You play again.")


def _tournament_table(request: Request) -> Table:
    """Return the table of the tournament here at which the player sits. Raises Refused."""
    live, player = request.table.tournament, request.player.id
    tables = map(request.transaction.table, live.tables) if live is not None and live.is_running else ()
    found = next((one for one in tables if one is not None and one.seat_of(player) is not None), None)
    if found is None:
        raise Refused("You are not playing in this tournament.")
    return found


def leave(request: Request) -> Answer:
    """Return the stack to the wallet; in the middle of a hand, when it is over."""
    table = request.table
    player = request.player.id
    if player in memory_of(table).waiting:
        table = _without(table, "waiting", player).without_notice(player, *betting.BELL.args)
        request.transaction.set_table(table)
        return answer_with("You left the waiting list.")
    if table.seat_of(player) is None:
        raise Refused("You have no seat at this table.")
    is_playing = _is_playing(table, player)
    request.transaction.set_table(send_away(request.transaction, table, player, request.now))
    if is_playing:
        return answer_with("You will leave when this hand is over.")
    return answer_with("You left the table. You have {chips}.", chips=request.chips())


def send_away(transaction: Transaction, table: Table, player: int, now: float) -> Table:
    """Let a player leave at once, or from the middle of a hand when it is over."""
    if table.seat_of(player) is None:
        return table
    if _is_playing(table, player):
        return _with(table, "leaving", player)
    return stand_up(transaction, table, player, now)


def stand_up(transaction: Transaction, table: Table, player: int, now: float) -> Table:
    """Free the seat, return the stack and remember it for an hour; the seat is then offered to the waiting list."""
    account = ledger.stack(table.id, player)
    had = transaction.balance(account)
    transaction.post(account, ledger.wallet(table.casino, player), had, "leaves the table", now)
    seats = {seat: sitting for seat, sitting in table.seats.items() if sitting != player}
    left = {one: entry for one, entry in memory_of(table).left.items() if now < entry[1] + COMES_BACK_S}
    kept = {
        name: {one: value for one, value in getattr(memory_of(table), name).items() if one != player}
        for name in ("out", "owed", "bought", "emptied", "missed")
    }
    table = table.change(seats=seats).change_memory(left={**left, player: (had, now)}, freed=now, **kept)
    for name in _LISTS:
        table = table if name == "waiting" else _without(table, name, player)
    return (
        table
        if table.has_closed or players_in(transaction, table, now)
        else table.change_round(started=None, deadline=None)
    )


def close_table(transaction: Transaction, table: Table, now: float) -> Table:
    """Give back every stack."""
    for player in list(table.seats.values()):
        table = stand_up(transaction, table, player, now)
    return table


# The hands


def players_in(transaction: Transaction, table: Table, now: float) -> list[int]:
    """Return the seats with something of a stack in play; none if they are fewer than two."""
    there = _with_stacks(transaction, table)
    seats = [seat for seat, player in there.items() if in_play(transaction, table, player, len(there), now)]
    return seats if len(seats) > 1 else []


def _with_stacks(transaction: Transaction, table: Table) -> dict[int, int]:
    """Return the players with a stack who do not sit out, by seat."""
    out = memory_of(table).out
    return {
        seat: player
        for seat, player in table.seats.items()
        if player not in out and stack_of(transaction, table, player)
    }


def in_play(transaction: Transaction, table: Table, player: int, among: int, now: float) -> int:
    """Return how much of a stack is in play `among` players: at most what may be passed on, taken or lost today.

    A stake wins at most its own size from each of the others. Less than a bet of a larger stack is nothing.
    """
    stack, member = stack_of(transaction, table, player), transaction.member(table.casino, player)
    assert member is not None
    most = [
        gift_budget.may_give(transaction, member, now),
        gift_budget.may_take(transaction, member, now) // max(1, among - 1),
    ]
    if (room := self_limits.room(transaction, player, now)) is not None:
        most.append(max(0, room + stack))  # the stack is already counted as lost
    options: Any = betting.options_of(transaction, table)
    if min(most) >= stack:
        return stack if self_limits.may_play(transaction, player, now) else 0
    at_stake = min(most) - min(most) % smallest_chip(options)
    return at_stake if at_stake >= bet_of(table, options) and self_limits.may_play(transaction, player, now) else 0


def take_stakes(transaction: Transaction, table: Table, now: float) -> Table:
    """Move the button to the left, and make the stacks the hand's stakes, from the dealer's left (SH15)."""
    table = _sit_out_spent(transaction, table, now)
    seats = sorted(players_in(transaction, table, now))
    if cash_of(table).dead is not None:
        return _take_blinds(transaction, table, seats, now)
    old = memory_of(table).button
    button = next((seat for seat in seats if seat > old), seats[0])
    order = [seat for seat in seats if seat > button] + [seat for seat in seats if seat <= button]
    return _take_stacks(transaction, table, dict.fromkeys(order, ""), now).change_memory(button=button)


def _take_blinds(transaction: Transaction, table: Table, seats: Sequence[int], now: float) -> Table:
    """Make the stacks the stakes of a hand with blinds: the dead button, waiting players and posts (HE6 to HE8).

    What it changes counts from the end of the hand on, so that a void leaves the button and what is owed (HE34).
    """
    memory, cash = memory_of(table), cash_of(table)
    assert cash.dead is not None
    has_stood = now >= table.last_ended + STANDS_STILL_S
    least = cash.dead(betting.options_of(transaction, table))
    owed = {seat: memory.owed[player] for seat, player in table.seats.items() if player in memory.owed}
    posting = [
        seat
        for seat in seats
        if table.seats[seat] in memory.posting
        and (owed.get(seat) != DEAD or in_play(transaction, table, table.seats[seat], len(seats), now) > least)
    ]
    away = [seat for seat in table.seats if seat not in seats]
    deal = next_deal(BlindPositions() if has_stood else memory.blinds, seats, away, owed, posting)
    after = {table.seats[seat]: word for seat, word in deal.owed.items()}
    table = _take_stacks(transaction, table, deal.posts, now)
    return table.change_memory(button=deal.positions.button, dealing=(deal.positions, after))


def _take_stacks(transaction: Transaction, table: Table, posts: Mapping[int, str], now: float) -> Table:
    """Make the stacks at these seats the stakes, in this order."""
    bets, keys = [], memory_of(table).keys
    for seat, post in posts.items():
        player = table.seats[seat]
        stake = {"stack": in_play(transaction, table, player, len(posts), now)}
        bets.append(Bet(player, seat, stake, keys.get(player, f"p{player}"), post=post))
    return table.change_round(bets=tuple(bets))


def _refill(transaction: Transaction, table: Table, now: float) -> None:
    """Top up the stacks of players who switched it on, up to their last buy-in, from what the wallet holds (HE2)."""
    options: Any = betting.options_of(transaction, table)
    for player in memory_of(table).auto:
        had, wanted = stack_of(transaction, table, player), memory_of(table).bought.get(player, 0)
        member = transaction.member(table.casino, player)
        if member is None or player in memory_of(table).out or not self_limits.may_play(transaction, player, now):
            continue
        chips = min(transaction.balance(ledger.wallet(table.casino, player)), wanted - had)
        chips = min(chips, gift_budget.may_give(transaction, member, now) - had)
        if (room := self_limits.room(transaction, player, now)) is not None:
            chips = min(chips, room)
        if (chips := chips - chips % smallest_chip(options)) > 0:
            wallet = ledger.wallet(table.casino, player)
            transaction.post(wallet, ledger.stack(table.id, player), chips, "auto top-up", now)


def after_hand(transaction: Transaction, table: Table, hand: Hand, now: float) -> Table:
    """Sit out players who timed out twice in a row, and free the seats of those who left or missed ten hands."""
    table, dealt = count_time_outs(table, hand, now), {*table.owners().values()}
    memory, emptied = memory_of(table), dict[int, float]()
    for player in table.seats.values():
        if not stack_of(transaction, table, player):
            emptied[player] = now if player in dealt else memory.emptied.get(player, now)
    missed = {player: memory.missed.get(player, 0) + 1 for player in memory.out if player not in dealt}
    table = table.change_memory(missed=missed, emptied=emptied, out=dict.fromkeys(memory.out, now))
    table = _count_blinds(table, hand, dealt)
    for player in memory.leaving:
        table = stand_up(transaction, table, player, now)
    table = _return_stacks(transaction, table, (one for one, hands in missed.items() if hands >= MISSED_HANDS), now)
    _count_passed(transaction, table, hand, now)
    return table


def _return_stacks(transaction: Transaction, table: Table, players: Iterable[int], now: float) -> Table:
    """Free the seats of players who sit out, and note who is to be told of their stack (HE32)."""
    for player in players:
        if table.seat_of(player) is None:
            continue
        is_told = table.settings.mentions and not transaction.players[player].state.unmentioned
        if is_told and stack_of(transaction, table, player):
            table = table.change(notify={**table.notify, RETURNED: (*table.notify.get(RETURNED, ()), player)})
        table = stand_up(transaction, table, player, now)
    return table


def _free_seats(transaction: Transaction, table: Table, now: float) -> Table:
    """Free the seats of players who have sat out, or had no chips, for too long (HE2, HE32)."""
    for player, until in _seats_kept_until(transaction, table).items():
        if until <= now:
            table = _return_stacks(transaction, table, (player,), now)
    return table


def _seats_kept_until(transaction: Transaction, table: Table) -> dict[int, float]:
    """Return until when players who sit out, or have no chips, keep their seats if no hand is dealt (HE2, HE32)."""
    memory = memory_of(table)
    until = {player: since + STANDS_STILL_S for player, since in memory.out.items()}
    for player, since in memory.emptied.items():
        if not stack_of(transaction, table, player):
            until[player] = min(since + EMPTY_S, until.get(player, math.inf))
    return until


def count_time_outs(table: Table, hand: Hand, now: float) -> Table:
    """Sit out players who timed out twice in a row, or once in a tournament where they have not shown up (TN16)."""
    owners, late = table.owners(), dict(memory_of(table).late)
    # A player who timed out is not waited for again, so a hand counts at most one time-out.
    for seat, word in {event.seat: event.word for event in hand.events if isinstance(event, Moved)}.items():
        key = owners.get(seat, 0)
        late[key] = late.get(key, 0) + 1 if word == TIMEOUT else 0
        is_missing = table.tournament is not None and key not in table.tournament.shown_up
        if late[key] >= (1 if is_missing else LATE_IN_A_ROW):
            table = _sit_out(table, owners[seat], now)
            late[key] = 0
    return table.change_memory(late=late)


def _count_blinds(table: Table, hand: Hand, dealt: Collection[int]) -> Table:
    """Move on to the positions of the hand that was played; a void hand leaves everything as it was (HE34)."""
    memory = memory_of(table)
    if memory.dealing is None:
        return table
    positions, after = memory.dealing
    if hand.is_void:
        return table.change_memory(dealing=None, button=memory.blinds.button)
    # Players who sat down during the hand owe the same as new players.
    owed = {player: after.get(player, word) for player, word in memory.owed.items() if player not in dealt}
    owed |= {player: word for player, word in after.items() if player in table.seats.values()}
    posting = tuple(player for player in memory.posting if player in owed)
    return table.change_memory(dealing=None, blinds=positions, owed=owed, posting=posting)


def bet(request: Request) -> Answer:
    """Refuse a bet before the deal, always."""
    betting.taking_bets(request)
    raise Refused("You play from a stack here. Take a seat with `/buyin AMOUNT`.", request.table.rules.stacks)


def keep_out(transaction: Transaction, table: Table, player: int, now: float) -> Table:
    """Sit a player out, whom the next hand would deal in and charge."""
    return wake(transaction, _sit_out(table, player, now), now)


def run_out(transaction: Transaction, table: Table, now: float, entropy: Callable[[int], bytes]) -> Table:
    """Free seats that were kept for long enough; then deal the next hand if it is time, and two players are there."""
    table = _free_seats(transaction, table, now)
    is_ready = table.round.started is not None and table.status == "open"
    if is_ready and players_in(transaction, table, now):
        return playing.deal(transaction, table, now, entropy(32))
    return transaction.set_table(wake(transaction, table.change_round(started=None), now))


def wake(transaction: Transaction, table: Table, now: float) -> Table:
    """Start the clock of the next hand when there are two players with stacks, else that of seats that are kept."""
    if table.has_closed or table.status not in ("open", "paused"):
        return table
    # Players who left a hand that was voided before its deal.
    for player in memory_of(table).leaving:
        table = stand_up(transaction, table, player, now)
    if table.status == "open":
        _refill(transaction, table, now)
        table = _sit_out_spent(transaction, table, now)
    if table.status == "paused" or not players_in(transaction, table, now):
        until = min(_seats_kept_until(transaction, table).values(), default=None)
        return table.change_round(started=None, deadline=until)
    if table.round.started is not None:
        return table
    return table.change_round(started=now, deadline=now + BETWEEN_HANDS_S)


def _sit_out_spent(transaction: Transaction, table: Table, now: float) -> Table:
    """Sit out players of whose stacks nothing is in play any more today: the table shows it, and /back says why."""
    there = _with_stacks(transaction, table)
    for player in there.values() if len(there) > 1 else ():
        if not in_play(transaction, table, player, len(there), now):
            table = _sit_out(table, player, now)
    return table


def _count_passed(transaction: Transaction, table: Table, hand: Hand, now: float) -> None:
    """Count what each player lost or won as a gift given or taken in the day, against dumping chips (SH1, HE2)."""
    wagered, returned = hand.wagered(), hand.returned()
    for seat, player in table.owners().items():
        lost = wagered.get(seat, {}).get("pot", 0) - returned.get(seat, {}).get("pot", 0)
        gift_budget.note(transaction, table.casino, player, lost, now)


def _buy_in(request: Request, table: Table, amount: int, seat: int | None) -> Answer:
    transaction, player = request.transaction, request.player.id
    if table.status != "open":
        raise Refused("This table is closed.")
    options: Any = betting.options_of(transaction, table)
    least, most = stack_limits(options, table, request.casino)
    _check_day(request, table, least)
    had = min(_left_with(table, player, request.now), _most_today(request, table, options))
    if amount < had:
        raise Refused(
            "You left with {had} less than an hour ago. Buy in for at least that much.",
            table.rules.stacks,
            had=Amount(had),
        )
    if not (least <= amount <= max(most, had)):
        raise Refused("Buy in for {least} to {most}.", table.rules.stacks, least=Amount(least), most=Amount(most))
    _check_today(request, table, options, amount)
    free = [seat for seat in range(1, betting.seats_of(table) + 1) if seat not in table.seats]
    if not free:
        request.transaction.set_table(_queue(table, player))
        if is_room(request.command.place):
            return answer_with("All seats are taken. You are on the waiting list.")._replace(choices=(betting.BELL,))
        return answer_with(
            "All seats are taken. You are on the waiting list and get one message here when a seat is free."
        )
    if seat is not None and seat not in free:
        raise Refused("Seat {seat} is taken.", "G9", seat=seat)
    if not _has_the_next_seat(table, player, len(free), request.now):
        request.transaction.set_table(_queue(table, player))
        return answer_with("Others are waiting for that seat. You are on the waiting list.")
    transaction.post(request.wallet, ledger.stack(table.id, player), amount, "buy in", request.now)
    table = table.with_player(seat or free[0], player)
    memory = memory_of(table)
    keys, bought = {**memory.keys, player: request.command.key}, {**memory.bought, player: amount}
    table = _without(table, "waiting", player).without_notice(player, *betting.BELL.args, RETURNED)
    table = table.change_memory(keys=keys, bought=bought)
    if cash_of(table).dead is not None and (memory.blinds.big or memory.dealing):
        table = table.change_memory(owed={**memory.owed, player: NEW})
    table = transaction.set_table(wake(transaction, table, request.now))
    return answer_with(
        "Seat {seat}, stack {stack}. {chips} left. {then}",
        seat=seat or free[0],
        stack=Amount(amount),
        chips=request.chips(),
        then=_say_wait_for_blind(table, player, request.now) or _say_next_hand(table, request.now),
    )


def _say_wait_for_blind(table: Table, player: int, now: float) -> Text | None:
    """Say how a player who owes blinds gets into the game; None if the next hand deals them in (HE6, HE7)."""
    memory = memory_of(table)
    restarts = not table.has_closed and now >= table.last_ended + STANDS_STILL_S
    if restarts or player not in memory.owed or player in memory.posting or len(table.seats) == 2:
        return None
    return Text("You are dealt in when the big blind reaches you. Post what you owe to play sooner: `/post`.")


def _say_next_hand(table: Table, now: float) -> Text:
    """Say when a player who has just sat down is dealt in."""
    if table.has_closed:
        return Text("You play from the next hand on.")
    if table.round.started is None or table.round.deadline is None:
        return Text("The game needs two players.")
    return Text("Next hand in {n} s.", n=max(1, math.ceil(table.round.deadline - now)))


def _left_with(table: Table, player: int, now: float) -> int:
    """Return what the player took away from this table within the hour."""
    had, when = memory_of(table).left.get(player, (0, 0.0))
    return had if now < when + COMES_BACK_S else 0


def shift_clocks(table: Table, step: float) -> Table:
    """Follow a wall clock that was set: seats are kept and offered, and stacks that left remembered, as long as
    before.
    """
    memory = memory_of(table)
    if not (memory.left or memory.out or memory.emptied) and memory.freed is None:
        return table
    left = {player: (had, when + step) for player, (had, when) in memory.left.items()}
    out, emptied = ({player: when + step for player, when in of.items()} for of in (memory.out, memory.emptied))
    return table.change_memory(
        left=left, out=out, emptied=emptied, freed=None if memory.freed is None else memory.freed + step
    )


def _has_the_next_seat(table: Table, player: int, free: int, now: float) -> bool:
    """Check whether a free seat is theirs: the first in line has it for a minute, then shares it with the next."""
    waiting = memory_of(table).waiting
    place = waiting.index(player) if player in waiting else len(waiting)
    return bool(place < free + (now - (memory_of(table).freed or 0.0)) // OFFERED_S)


def _check_day(request: Request, table: Table, least: int) -> None:
    """Refuse a stack if today's limits leave less than `least` to lose to others, or no bet to win from them."""
    transaction, member, now = request.transaction, request.member, request.now
    hours = gift_budget.hours_left(now)
    if (left := gift_budget.may_give(transaction, member, now)) < least:
        raise Refused(
            (
                "You can lose only {left} more to other players today, and {least} is needed here. The next day "
                "starts in {hours} h."
            ),
            table.rules.stacks,
            left=Amount(left),
            least=Amount(least),
            hours=hours,
        )
    options: Any = betting.options_of(transaction, table)
    others = len({*_with_stacks(transaction, table).values()} - {member.player})
    if gift_budget.may_take(transaction, member, now) < bet_of(table, options) * max(1, others):
        raise Refused(
            "You have reached the daily limit of chips from other players. The next day starts in {hours} h.",
            table.rules.stacks,
            hours=hours,
        )


def _most_today(request: Request, table: Table, options: Any) -> int:
    """Return the largest stack that the player may have: on the first day, and of the day's budget."""
    casino, member, now = request.casino, request.member, request.now
    most = min(stack_limits(options, table, casino)[1], gift_budget.may_give(request.transaction, member, now))
    return min(most, cash_of(table).usual * bet_of(table, options)) if gift_budget.is_new(casino, member, now) else most


def _check_today(request: Request, table: Table, options: Any, stack: int) -> None:
    """Refuse a stack that is too large for the first day here, or for what the player may still lose."""
    casino, member, now = request.casino, request.member, request.now
    most = cash_of(table).usual * bet_of(table, options)
    if stack > most and gift_budget.is_new(casino, member, now):
        raise Refused(
            (
                "On your first day your stack can be at most {most}, so that start chips are not passed on. In "
                "{hours} h it can be {whole}."
            ),
            table.rules.stacks,
            most=Amount(most),
            hours=gift_budget.hours_new(casino, member, now),
            whole=Amount(stack_limits(options, table, casino)[1]),
        )
    if stack > (left := gift_budget.may_give(request.transaction, member, now)):
        raise Refused(
            (
                "You can lose {left} more to other players today, so buy in for at most that. The next day starts "
                "in {hours} h."
            ),
            table.rules.stacks,
            left=Amount(left),
            hours=gift_budget.hours_left(now),
        )


def _cash_table(request: Request) -> Table:
    if request.table.tournament is not None:
        raise Refused("This is a tournament: everyone has the same stack, and none is bought. See /tournament.")
    cash_of(request.table)
    return request.table


def _parse(request: Request, table: Table, options: Any, text: str) -> int:
    least, most = stack_limits(options, table, request.casino)
    amount = parse_amount(
        text, request.player.language, wallet=request.chips(), least=least, most=most, step=smallest_chip(options)
    )
    if amount % smallest_chip(options):
        raise Refused("The smallest chip here is {unit}.", table.rules.stacks, unit=Amount(smallest_chip(options)))
    return amount


def _is_playing(table: Table, player: int) -> bool:
    return table.is_in_hand(player)


_List = Literal["leaving", "waiting", "auto", "posting"]
_LISTS: tuple[_List, ...] = get_args(_List)


def _with(table: Table, name: _List, player: int) -> Table:
    others = [one for one in getattr(memory_of(table), name) if one != player]
    return table.change_memory(**{name: (*others, player)})


def _queue(table: Table, player: int) -> Table:
    """Put a player on the waiting list and tell them of a free seat; one who is on it keeps the place (HE33)."""
    (seat,) = betting.BELL.args
    waiting = table.notify.get(seat, ())
    if player not in waiting:
        table = table.change(notify={**table.notify, seat: (*waiting, player)})
    return table if player in memory_of(table).waiting else _with(table, "waiting", player)


def _without(table: Table, name: _List, player: int) -> Table:
    before = getattr(memory_of(table), name)
    return table.change_memory(**{name: tuple(one for one in before if one != player)}) if player in before else table


CASH_HOOKS = replace(
    PLAIN,
    sit=sit,
    leave=leave,
    bet=bet,
    rebet=bet,
    ready=bet,
    send_away=send_away,
    keep_out=keep_out,
    bets_s=lambda table: BETWEEN_HANDS_S,
    run_out=run_out,
    before_deal=take_stakes,
    after_hand=after_hand,
    wake=wake,
    close=close_table,
    shift_clocks=shift_clocks,
)
"""The hooks of a game that is played from stacks."""
