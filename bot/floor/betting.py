"""From the first bet to "No more bets": sit, bet, take back, rebet, cut, ready. Boxes and stacks have own modules.

Bets leave the wallet when they are placed and lie in the hand's account; taking one back returns it.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import orjson

from bot.floor import boxes, houses, stacks
from bot.floor.amounts import parse_amount, parse_count
from bot.floor.command import Answer, Confirm, Refused
from bot.floor.house import House, Paper
from bot.floor.registry import Request, say, verb
from bot.floor.table import Bet, Table
from bot.texts import Text
from engine.errors import Illegal
from engine.felt import Amount, Options, Stake, Word
from engine.hand import GAMES
from engine.shuffler import commit, parse_cut
from storage import ledger
from storage.rows import HandRow

# Games whose first bet is followed by another in the same hand: all, half and max keep enough for it.
FOLLOWED_UP = ("caribbean", "uth")
METER_OPTIONS = ("coin", "fixed", "contribution", "reset", "hand_pay")
READY_AFTER_S = 5.0
SLEEP_AFTER_S = 180.0
SEATS = {"caribbean": 7, "uth": 6, "paiju": 60, "blackjack": 7, "stud": 8}


@lru_cache(maxsize=1024)
def _parse_options(game: str, dumped: bytes) -> Options:
    own, meter = orjson.loads(dumped)
    return GAMES[game].parse_options(own | meter)


def options_of(paper: House | Paper, table: Table) -> Any:
    """The table's own options, and for Caribbean Stud those of the casino's meter (CS17)."""
    meter = paper.casino(table.casino).get("meter", {}) if table.game == "caribbean" else {}
    return _parse_options(table.game, orjson.dumps((table.options, meter)))


def seats_of(table: Table) -> int:
    most = SEATS[table.game]
    return min(table.settings.seats or most, most)


def open_hand(paper: Paper, table: Table, now: float, entropy: bytes) -> Table:
    """The next hand takes bets: its seed is drawn and committed before the first of them (fairness, 1).

    A shoe that goes on keeps its seed (BJ7).
    """
    hand_id = paper.next_id(HandRow)
    entropy = table.seed if boxes.shoe_goes_on(table) else entropy
    paper.put(HandRow(hand_id, table.casino, table.id, table.game, "betting", entropy, "{}", now, None))
    return paper.set_table(
        table.change(
            hand_id=hand_id,
            seed=entropy,
            commit=commit(entropy),
            opened=now,
            bets=(),
            cuts=(),
            ready=frozenset(),
            started=None,
            deadline=now + SLEEP_AFTER_S if table.seats else None,
            extended=None,
            away=frozenset(),
            posted=0,
            play=None,
            turning={},
        )
    )


def open_anew(paper: Paper, table: Table, now: float, entropy: bytes) -> Table:
    """Nothing lies on the table, and another seed is wanted: the hand that was to come is void, its seed shown."""
    paper.put(HandRow(table.hand_id, table.casino, table.id, table.game, "void", table.seed, "{}", table.opened, now))
    return open_hand(paper, table, now, entropy)


@verb("sit", Text("Take a seat or a box at the table"), group="play", usage="[SEAT]")
def sit(request: Request) -> Answer:
    if request.table.game == "stud":
        return stacks.sit(request)
    table = taking_bets(request)
    if table.game == "blackjack":
        return boxes.sit(request, table)
    if table.seat_of(request.player.id) is not None:
        raise Refused("You have seat {seat} already.", "G9", seat=table.seat_of(request.player.id))
    wanted = parse_seat(request.args[0], table) if request.args else None
    table = _seat(request, table, wanted)
    request.paper.set_table(table.change(deadline=table.deadline or request.now + SLEEP_AFTER_S))
    return say("You have seat {seat}. Place your bets.", seat=table.seat_of(request.player.id))


@verb("leave", Text("Leave your seat, with your stack"), group="play")
def leave(request: Request) -> Answer:
    table = request.table
    if table.game == "stud":
        return stacks.leave(request)
    if table.play is not None and any(bet.player == request.player.id for bet in table.bets):
        raise Refused("You are in this hand: play it, then leave.")
    if table.seat_of(request.player.id) is None and not table.bets_of(request.player.id):
        raise Refused("You have no seat at this table.")
    table = _return_bets(request, table)
    seats = {seat: player for seat, player in table.seats.items() if player != request.player.id}
    request.paper.set_table(table.change(seats=seats))
    return say("You left the table.")


def bet(request: Request) -> Answer:
    table = taking_bets(request)
    if table.game == "stud":
        raise Refused("Here you play from a stack: /buyin AMOUNT takes a seat.", "SH1")
    words = [word.lower() for word in request.args]
    seat = boxes.take_box(request, table, words) if table.game == "blackjack" else None
    place_bets(request, table, _parse_spots(request, table, words, seat), seat)
    return what_lies(request)


@verb("rebet", Text("The same bets as last time"), group="play")
def rebet(request: Request) -> Answer:
    table = taking_bets(request)
    last = table.last_bets.get(request.player.id, ())
    if not last:
        raise Refused("You have not bet at this table yet.")
    if table.bets_of(request.player.id):
        raise Refused("Your bets lie there already.")
    for old in last:
        place_bets(request, table, dict(old.spots), old.seat if table.game == "blackjack" else None)
        table = request.table
    return what_lies(request)


@verb("takeback", Text("Take your bets back while betting is open"), group="play")
def take_back(request: Request) -> Answer:
    table = taking_bets(request)
    if not table.bets_of(request.player.id):
        raise Refused("You have no bets to take back.")
    table = _return_bets(request, table)
    request.paper.set_table(table)
    return say("Your bets came back. You have {chips}.", chips=request.chips())


@verb("ready", Text("Do not wait for more of my bets"), group="play")
def ready(request: Request) -> Answer:
    table = taking_bets(request)
    if not table.bets_of(request.player.id):
        raise Refused("Place your bets first.")
    request.paper.set_table(wind_clock(table.change(ready=table.ready | {request.player.id}), request.now))
    return say("Ready.")


@verb("cut", Text("Cut the deck with a text of your own"), group="play", usage="TEXT")
def cut(request: Request) -> Answer:
    table = taking_bets(request)
    if boxes.shoe_goes_on(table):
        raise Refused("This shoe is being dealt already; cut the next one.", "BJ7")
    if any(player == request.player.id for player, _text in table.cuts):
        raise Refused("You have cut this deck already; the first cut stands.")
    try:
        text = parse_cut(" ".join(request.args) or request.command.key)
    except Illegal as fault:
        raise Refused(fault.template, fault.clause, **fault.values) from None
    request.paper.set_table(table.change(cuts=(*table.cuts, (request.player.id, text))))
    return say("You cut the deck with “{text}”.", text=text)


def place_bets(request: Request, table: Table, spots: Mapping[str, int], box: int | None) -> None:
    """Add to what lies there, take the money, start the clock. Refused before anything has changed.

    `box`: where a player may bet on several; else it is his own seat, and his bet takes him one.
    """
    paper, player = request.paper, request.player.id
    if box is None and table.seat_of(player) is None:
        table = _seat(request, table, None)
    seat = box or table.seat_of(player)
    assert seat is not None
    if table.game == "blackjack":
        boxes.check_box(request, table, seat)
    options = options_of(paper, table)
    lying = next((bet for bet in table.bets if (bet.player, bet.seat) == (player, seat)), None)
    before = lying.spots if lying else {}
    after = {spot: before.get(spot, 0) + spots.get(spot, 0) for spot in table.rules.spots if spot in {*before, *spots}}
    _check_stake(table, options, Stake(1, "you", after))
    cost = cost_of(table, options, after) - cost_of(table, options, before)
    _warn_of_follow_up(request, table, after, before)
    houses.check_share(request, sum(cost_of(table, options, bet.spots) for bet in table.bets_of(player)), cost)
    event = f"bet {table.posted + 1}"
    paper.post(request.wallet, ledger.hand(table.hand_id), cost, "bet", request.now, table.hand_id, event)
    new = Bet(player, seat, after, request.command.key)
    # A bet that grows keeps its place: on a box, who bet first stands nearest the shoe (BJ3).
    bets = [new if bet is lying else bet for bet in table.bets] if lying else [*table.bets, new]
    table = table.change(
        bets=tuple(sorted(bets, key=lambda bet: bet.seat)),
        posted=table.posted + 1,
        ready=table.ready - {player},
    )
    request.at = paper.set_table(wind_clock(table, request.now))


def wind_clock(table: Table, now: float) -> Table:
    """The first bet starts the clock; once everybody in is ready it ends early. Without bets the table falls asleep."""
    if not table.bets:
        falls_asleep = bool(table.seats) and table.game != "stud"
        return table.change(started=None, deadline=now + SLEEP_AFTER_S if falls_asleep else None)
    started = now if table.started is None else table.started
    ends = started + table.settings.betting_s
    if {bet.player for bet in table.bets} <= table.ready:
        ends = min(ends, max(now, started + READY_AFTER_S))
    return table.change(started=started, deadline=ends)


def what_lies(request: Request) -> Answer:
    """What lies where, and what is left in the wallet."""
    box = "Box {seat}, {spot}: {amount}" if request.table.game == "blackjack" else "{spot}: {amount}"
    lines = [
        Text(box, "", seat=bet.seat, spot=Word(spot), amount=Amount(amount))
        for bet in request.table.bets_of(request.player.id)
        for spot, amount in bet.spots.items()
    ]
    return Answer((*lines, Text("You have {chips} left.", chips=request.chips())))


def return_all_bets(paper: Paper, table: Table, now: float, why: str) -> Table:
    """Every bet that was not dealt comes back (G6)."""
    hand = ledger.hand(table.hand_id)
    for number, bet in enumerate(table.bets, start=1):
        cost = cost_of(table, options_of(paper, table), bet.spots)
        wallet = ledger.wallet(table.casino, bet.player)
        paper.post(hand, wallet, cost, why, now, table.hand_id, f"back {table.posted + number}")
    posted = table.posted + len(table.bets)
    return paper.set_table(wind_clock(table.change(bets=(), posted=posted, ready=frozenset(), cuts=()), now))


def _return_bets(request: Request, table: Table) -> Table:
    return return_bets(request.paper, table, request.player.id, request.now, "taken back")


def return_bets(paper: Paper, table: Table, player: int, now: float, why: str) -> Table:
    """What one player has put down before the deal comes back."""
    mine = table.bets_of(player)
    if not mine:
        return table
    cost = sum(cost_of(table, options_of(paper, table), bet.spots) for bet in mine)
    wallet, event = ledger.wallet(table.casino, player), f"back {table.posted + 1}"
    paper.post(ledger.hand(table.hand_id), wallet, cost, why, now, table.hand_id, event)
    bets = tuple(bet for bet in table.bets if bet.player != player)
    table = table.change(bets=bets, posted=table.posted + 1, ready=table.ready - {player})
    return wind_clock(table, now)


def taking_bets(request: Request) -> Table:
    table = request.table
    if table.play is not None:
        raise Refused("No more bets please: this hand is being played.", "G7")
    if table.status == "paused":
        raise Refused("This table is paused; it takes bets again when an inspector resumes it.")
    if table.status != "open":
        raise Refused("This table is closed.")
    return table


def parse_seat(text: str, table: Table) -> int:
    seat = parse_count(text, 1, seats_of(table))
    if seat is None:
        raise Refused("This table has the seats 1 to {most}.", "G9", most=seats_of(table))
    return seat


def _seat(request: Request, table: Table, wanted: int | None) -> Table:
    free = [seat for seat in range(1, seats_of(table) + 1) if seat not in table.seats]
    if wanted is not None and wanted not in free:
        raise Refused("Seat {seat} is taken.", "G9", seat=wanted)
    if not free:
        raise Refused("All seats are taken; look on, or try another table.", "G9")
    seat = wanted or free[0]
    return table.change(seats=dict(sorted({**table.seats, seat: request.player.id}.items())))


def _parse_spots(request: Request, table: Table, words: Sequence[str], seat: int | None) -> dict[str, int]:
    """`50`, `ante 50 jackpot`, `south-west 20`: amounts go to the spot named before them, else to the first spot."""
    options = options_of(request.paper, table)
    spots: dict[str, int] = {}
    if not words:
        raise Refused("Name an amount, such as 50.")
    spot: str | None = None
    for word in [*words, ""]:
        if word in table.rules.spots or not word:
            if spot is not None:
                if spot != "jackpot":
                    raise Refused("Name an amount for {spot}, such as 50.", None, spot=Word(spot))
                spots["jackpot"] = options.coin
            spot = word or None
        else:
            named = spot or table.rules.spots[0]
            spots[named] = spots.get(named, 0) + _parse_bet_amount(request, table, options, named, word, seat)
            spot = None
    return spots


def _parse_bet_amount(request: Request, table: Table, options: Any, spot: str, word: str, seat: int | None) -> int:
    chips = request.chips()
    mine = [bet for bet in table.bets_of(request.player.id) if seat is None or bet.seat == seat]
    lying = sum(bet.spots.get(spot, 0) for bet in mine)
    room = max(0, (chips + lying) // 3 - lying) if table.game in FOLLOWED_UP and spot == "ante" else chips
    return parse_amount(
        word,
        request.player.language,
        wallet=room if word in ("all", "tutto", "max") else chips,
        least=options.minimum,
        most=max(0, min(options.maximum - lying, room)),
        step=options.step,
        now=lying,
    )


def _check_stake(table: Table, options: Any, stake: Stake) -> None:
    try:
        table.rules.check(options, [stake])
    except Illegal as fault:
        raise Refused(fault.template, fault.clause, **fault.values) from None


def cost_of(table: Table, options: Any, spots: Mapping[str, int]) -> int:
    return sum(table.rules.place(options, Stake(1, "you", spots)).values()) if spots else 0


def _warn_of_follow_up(request: Request, table: Table, after: Mapping[str, int], before: Mapping[str, int]) -> None:
    """A larger ante than a third of the wallet asks once: the bet after it would be out of reach."""
    if table.game not in FOLLOWED_UP or request.command.confirmed or after["ante"] == before.get("ante", 0):
        return
    wealth = request.chips() + before.get("ante", 0)
    if after["ante"] <= wealth // 3 or wealth < after["ante"]:
        return
    raise Confirm(
        "An ante of {ante} leaves too little for the bet that follows it. Bet it all the same?",
        ante=Amount(after["ante"]),
    )
