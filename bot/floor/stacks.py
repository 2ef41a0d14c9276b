"""Stud's cash game: stacks on the table, the button, sitting out, the waiting list (SH1, SH14, SH15).

Each player's chips lie in a `stack` account. `table.memory`: `button` is the dealer's seat, `out` lists who sits out,
`leaving` who leaves after the hand, `late` counts hands in a row that ended with a time-out and `missed` hands sat out
(by player), `left` is what who left had and when, `waiting` the list for a seat, `freed` when one became free.
"""

from typing import Any

from bot.floor import betting
from bot.floor.amounts import parse_amount
from bot.floor.chips import GIVE_A_DAY, GIVE_AFTER_S
from bot.floor.command import Answer, Refused
from bot.floor.house import Paper
from bot.floor.registry import Request, say, verb
from bot.floor.table import Bet, Table
from bot.texts import Text
from engine.events import Moved
from engine.felt import TIMEOUT, Amount
from engine.hand import Hand
from storage import ledger

BETWEEN_HANDS_S = 8
LEAST_BETS, MOST_BETS = 10, 100
LATE_IN_A_ROW = 2
MISSED_HANDS = 10
COMES_BACK_S = 3600.0
OFFERED_S = 60.0


def stack_of(paper: Paper, table: Table, player: int) -> int:
    return paper.balance(ledger.stack(table.id, player))


def sit(request: Request) -> Answer:
    """Take a seat with the usual stack: forty big bets, or what the wallet holds."""
    table = request.table
    if table.seat_of(request.player.id) is not None:
        raise Refused("You have seat {seat} already.", "G9", seat=table.seat_of(request.player.id))
    options: Any = betting.options_of(request.paper, table)
    amount = max(40 * options.upper, _left_with(table, request.player.id, request.now))
    amount = min(amount, request.chips() - request.chips() % options.unit)
    seat = betting.parse_seat(request.args[0], table) if request.args else None
    return _buy_in(request, table, amount, seat)


@verb("buyin", Text("Take a seat with a stack"), group="play", usage="AMOUNT [SEAT]")
def buy_in(request: Request) -> Answer:
    table = _stud(request)
    options: Any = betting.options_of(request.paper, table)
    if table.seat_of(request.player.id) is not None:
        raise Refused("You have a seat; /topup adds to your stack between hands.", "SH1")
    amount = _parse(request, options, request.argument(0, "Name an amount, such as 320."))
    seat = betting.parse_seat(request.args[1], table) if len(request.args) > 1 else None
    return _buy_in(request, table, amount, seat)


@verb("topup", Text("Add to your stack between hands"), group="play", usage="AMOUNT")
def top_up(request: Request) -> Answer:
    table = _stud(request)
    options: Any = betting.options_of(request.paper, table)
    if table.seat_of(request.player.id) is None:
        raise Refused("Take a seat first: /buyin AMOUNT.", "SH1")
    if _is_playing(table, request.player.id):
        raise Refused("Table stakes: top up when this hand is over.", "SH1")
    _check_gifts(request)
    amount = _parse(request, options, request.argument(0, "Name an amount, such as 100."))
    if stack_of(request.paper, table, request.player.id) + amount > MOST_BETS * options.upper:
        raise Refused("A stack holds at most {amount}.", "SH1", amount=Amount(MOST_BETS * options.upper))
    request.paper.post(request.wallet, ledger.stack(table.id, request.player.id), amount, "top up", request.now)
    request.paper.set_table(wake(request.paper, _without(table, "out", request.player.id), request.now))
    return say("Your stack is {stack}.", stack=Amount(stack_of(request.paper, table, request.player.id)))


@verb("sitout", Text("Sit out from the next hand"), group="play")
def sit_out(request: Request) -> Answer:
    table = _stud(request)
    if table.seat_of(request.player.id) is None:
        raise Refused("You have no seat at this table.")
    request.paper.set_table(_with(table, "out", request.player.id))
    return say("You sit out from the next hand; /back deals you in again.")


@verb("back", Text("Play again after sitting out"), group="play")
def back(request: Request) -> Answer:
    table = _stud(request)
    player = request.player.id
    if table.seat_of(player) is None:
        raise Refused("Take a seat first: /buyin AMOUNT.", "SH1")
    if not stack_of(request.paper, table, player):
        raise Refused("Your stack is empty: /topup AMOUNT first.", "SH1")
    table = _without(table, "out", player)
    table = table.remember(missed={**table.memory.get("missed", {}), str(player): 0})
    request.paper.set_table(wake(request.paper, table, request.now))
    return say("You are dealt in from the next hand.")


def leave(request: Request) -> Answer:
    """The stack returns to the wallet; in the middle of a hand, when it is over."""
    table = request.table
    player = request.player.id
    if player in table.memory.get("waiting", []):
        request.paper.set_table(_without(table, "waiting", player))
        return say("You wait no more.")
    if table.seat_of(player) is None:
        raise Refused("You have no seat at this table.")
    is_playing = _is_playing(table, player)
    request.paper.set_table(send_away(request.paper, table, player, request.now))
    if is_playing:
        return say("You leave when this hand is over.")
    return say("You left the table. You have {chips}.", chips=request.chips())


def send_away(paper: Paper, table: Table, player: int, now: float) -> Table:
    """At once, or from the middle of a hand when it is over."""
    if _is_playing(table, player):
        return _with(table, "leaving", player)
    return stand_up(paper, table, player, now)


def stand_up(paper: Paper, table: Table, player: int, now: float) -> Table:
    """Free the seat, give the stack back and remember it for an hour (SH1); now the seat is for who waits."""
    account = ledger.stack(table.id, player)
    had = paper.balance(account)
    paper.post(account, ledger.wallet(table.casino, player), had, "leaves the table", now)
    seats = {seat: sitting for seat, sitting in table.seats.items() if sitting != player}
    left = {one: entry for one, entry in table.memory.get("left", {}).items() if now < entry[1] + COMES_BACK_S}
    table = table.change(seats=seats).remember(left={**left, str(player): [had, now]}, freed=now)
    for name in ("out", "leaving"):
        table = _without(table, name, player)
    return table if players_in(paper, table) or table.play else table.change(started=None, deadline=None)


def close_table(paper: Paper, table: Table, now: float) -> Table:
    """Every stack goes home; a table of another game has none."""
    if table.game != "stud":
        return table
    for player in list(table.seats.values()):
        table = stand_up(paper, table, player, now)
    return table


# The hands


def players_in(paper: Paper, table: Table) -> list[int]:
    """The seats that are dealt in: a stack, and not sitting out. Fewer than two play no hand."""
    out = table.memory.get("out", [])
    seats = [seat for seat, player in table.seats.items() if player not in out and stack_of(paper, table, player)]
    return seats if len(seats) > 1 else []


def take_stakes(paper: Paper, table: Table) -> Table:
    """The button moves to the left, and the stacks become the hand's stakes, from the dealer's left (SH15)."""
    seats = sorted(players_in(paper, table))
    old = table.memory.get("button", 0)
    button = next((seat for seat in seats if seat > old), seats[0])
    order = [seat for seat in seats if seat > button] + [seat for seat in seats if seat <= button]
    keys = table.memory.get("keys", {})
    bets = []
    for seat in order:
        player = table.seats[seat]
        bets.append(Bet(player, seat, {"stack": stack_of(paper, table, player)}, keys.get(str(player), f"p{player}")))
    return table.change(bets=tuple(bets)).remember(button=button)


def after_hand(paper: Paper, table: Table, hand: Hand, now: float) -> Table:
    """Who timed out twice in a row sits out, who left leaves, who missed ten hands stands up; then the next hand."""
    owners = table.owners()
    late = dict(table.memory.get("late", {}))
    # Whose clock ran out is not waited for again in the hand, so that one time-out is all that a hand counts.
    for seat, word in {event.seat: event.word for event in hand.events if isinstance(event, Moved)}.items():
        key = str(owners.get(seat, 0))
        late[key] = late.get(key, 0) + 1 if word == TIMEOUT else 0
        if late[key] >= LATE_IN_A_ROW:
            table = _with(table, "out", owners[seat])
            late[key] = 0
    missed = dict(table.memory.get("missed", {}))
    for player in list(table.seats.values()):
        empty = not stack_of(paper, table, player)
        missed[str(player)] = 0 if player in owners.values() and not empty else missed.get(str(player), 0) + 1
    table = table.remember(late=late, missed=missed)
    gone = {player for player in table.seats.values() if missed[str(player)] >= MISSED_HANDS}
    for player in sorted(gone | set(table.memory.get("leaving", []))):
        table = stand_up(paper, table, player, now)
    _count_losses(paper, table, hand, now)
    return table


def wake(paper: Paper, table: Table, now: float) -> Table:
    """Two players with stacks start the clock of the next hand; a table of another game sleeps on."""
    if table.game != "stud" or table.play is not None or table.status != "open":
        return table
    if not players_in(paper, table):
        return table.change(started=None, deadline=None)
    if table.started is not None:
        return table
    return table.change(started=now, deadline=now + BETWEEN_HANDS_S)


def _count_losses(paper: Paper, table: Table, hand: Hand, now: float) -> None:
    """SH1: what one player loses to another in a day counts as a gift (against dumping chips)."""
    wagered, returned = hand.wagered(), hand.returned()
    for seat, player in table.owners().items():
        lost = wagered.get(seat, {}).get("pot", 0) - returned.get(seat, {}).get("pot", 0)
        member = paper.member(table.casino, player)
        if lost > 0 and member is not None:
            paper.set_member(member.change(given=[int(now // 86400), given_today(member.state, now) + lost]))


def given_today(state: Any, now: float) -> int:
    day, given = state.get("given", [0, 0])
    return int(given) if day == int(now // 86400) else 0


def _buy_in(request: Request, table: Table, amount: int, seat: int | None) -> Answer:
    paper, player = request.paper, request.player.id
    if table.status != "open":
        raise Refused("This table is closed.")
    _check_gifts(request)
    options: Any = betting.options_of(paper, table)
    least, most = LEAST_BETS * options.upper, MOST_BETS * options.upper
    had = _left_with(table, player, request.now)
    if amount < had:
        raise Refused("You left with {had} within the hour: bring at least that.", "SH1", had=Amount(had))
    if not (least <= amount <= max(most, had)):
        raise Refused("A stack is {least} to {most}.", "SH1", least=Amount(least), most=Amount(most))
    free = [seat for seat in range(1, betting.seats_of(table) + 1) if seat not in table.seats]
    if not free:
        request.paper.set_table(_queue(table, player))
        return say("All seats are taken; you are on the waiting list.")
    if seat is not None and seat not in free:
        raise Refused("Seat {seat} is taken.", "G9", seat=seat)
    if not _is_his_turn(table, player, len(free), request.now):
        request.paper.set_table(_queue(table, player))
        return say("Others wait for that seat; you are on the waiting list.")
    paper.post(request.wallet, ledger.stack(table.id, player), amount, "buy in", request.now)
    table = table.change(seats=dict(sorted({**table.seats, seat or free[0]: player}.items())))
    keys = {**table.memory.get("keys", {}), str(player): request.command.key}
    table = _without(table, "waiting", player).remember(keys=keys)
    paper.set_table(wake(paper, table, request.now))
    return say("You have seat {seat} and a stack of {stack}.", seat=seat or free[0], stack=Amount(amount))


def _left_with(table: Table, player: int, now: float) -> int:
    """What he took away from this table within the hour (SH1)."""
    had, when = table.memory.get("left", {}).get(str(player), [0, 0.0])
    return int(had) if now < when + COMES_BACK_S else 0


def _is_his_turn(table: Table, player: int, free: int, now: float) -> bool:
    """Free seats are for who waits longest; whoever does not come within a minute shares them with the next."""
    waiting = table.memory.get("waiting", [])
    place = waiting.index(player) if player in waiting else len(waiting)
    return bool(place < free + (now - table.memory.get("freed", 0.0)) // OFFERED_S)


def _check_gifts(request: Request) -> None:
    """SH1: nobody whom the house rules keep from gifts may sit."""
    casino, member = request.casino, request.member
    if request.now < member.joined + casino.get("give_after_s", GIVE_AFTER_S):
        raise Refused("Stud is for those who have been here for a day.", "SH1")
    if given_today(member.state, request.now) >= casino.get("give_a_day", GIVE_A_DAY):
        raise Refused("You have lost to others, or given, all that one may in a day.", "SH1")


def _stud(request: Request) -> Table:
    if request.table.game != "stud":
        raise Refused("Stacks are for 7 Card Stud; here you bet with /bet.")
    return request.table


def _parse(request: Request, options: Any, text: str) -> int:
    amount = parse_amount(
        text,
        request.player.language,
        wallet=request.chips(),
        least=LEAST_BETS * options.upper,
        most=MOST_BETS * options.upper,
        step=options.unit,
    )
    if amount % options.unit:
        raise Refused("The smallest chip here is {unit}.", "SH11", unit=Amount(options.unit))
    return amount


def _is_playing(table: Table, player: int) -> bool:
    return table.play is not None and player in table.owners().values()


def _with(table: Table, name: str, player: int) -> Table:
    others = [one for one in table.memory.get(name, []) if one != player]
    return table.remember(**{name: [*others, player]})


def _queue(table: Table, player: int) -> Table:
    """Who asks again keeps his place."""
    return table if player in table.memory.get("waiting", []) else _with(table, "waiting", player)


def _without(table: Table, name: str, player: int) -> Table:
    if player not in table.memory.get(name, []):
        return table
    return table.remember(**{name: [one for one in table.memory[name] if one != player]})
