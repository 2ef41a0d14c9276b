"""Betting, until "No more bets": sit, bet, take back, rebet, cut, ready. Boxes and stacks have modules of their
own.

Bets leave the wallet when they are placed and are held in the hand's account; taking one back returns it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from bot.core.commands.amounts import is_amount_word, join_amounts, parse_amount, parse_count
from bot.core.commands.command import Answer, Choice, Refused, Where
from bot.core.commands.hooks import HOOKS, hooks_of
from bot.core.commands.naming import is_quoted
from bot.core.commands.registry import CommandFlag, Request, answer_with, command
from bot.core.commands.words import SPOT, has_letters, name_words, take_word
from bot.core.players import self_limits
from bot.core.rounds import bet_answers, commitments, shoe, waiting
from bot.core.rounds.opening import SLEEP_AFTER_S
from bot.core.rounds.script_budget import WATCHDOG
from bot.core.state.plays import Seating
from bot.core.state.table import Bet, Table
from bot.core.state.transaction import Layer, Transaction
from bot.core.state.values import Casino
from bot.texts import Text
from bot.texts.languages import words_for_all
from engine.errors import Illegal
from engine.fairness.commitment import LONGEST_CUT, is_opened_cut, normalise_cut
from engine.fairness.shape import Wrong
from engine.felt import Amount, Game, Stake, Word
from storage import ledger

READY_AFTER_S = 5.0
# One chip, in minor units.
_CHIP = 100
# A semicolon, or a comma that is not part of a number.
_BETWEEN_BETS = re.compile(r";|,(?=[^\W\d_])")
BELL = Choice(Text("Tell me when a seat is free"), "notify", ("seat",))


def options_of(transaction: Layer, table: Table) -> Any:
    """Return the options of the table's commitment: later changes wait for the next. For a closed table, its
    settings.
    """
    return table.round.terms if table.round.commitment is not None else commitments.options_to_come(transaction, table)


def usual_options(casino: Casino, game: str) -> Any:
    """Return a game's default options, with those that the casino sets for all its tables."""
    return HOOKS[game].casino.options(casino, commitments.parse_options(game, b"{}"))


def say_limits(least: int, most: int, step: int) -> Text:
    """Return the limits of a bet, with the step where that is neither a single chip nor the minimum."""
    if step in (_CHIP, least):
        return Text("{least} to {most}", least=Amount(least), most=Amount(most))
    return Text("{least} to {most} in steps of {step}", least=Amount(least), most=Amount(most), step=Amount(step))


def seats_of(table: Table) -> int:
    """Return the table's number of seats, at most the game's."""
    most = table.plays.seats
    return min(table.settings.seats or most, most)


@command(
    "sit",
    Text("Take a seat or a box at the table"),
    group="play",
    flags=CommandFlag.STAKING | CommandFlag.SEEN,
    usage="[SEAT]",
)
def sit(request: Request) -> Answer:
    """Sit down, in the way of the table's game."""
    return hooks_of(request.table).sit(request)


def take_seat(request: Request) -> Answer:
    """Take the seat named, or the first free one (G9). An empty table sleeps again after three minutes."""
    table = taking_bets(request)
    if table.seat_of(request.player.id) is not None:
        raise Refused("You already have seat {seat}.", "G9", seat=table.seat_of(request.player.id))
    wanted = parse_seat(request.args[0], table) if request.args else None
    table = _seat(request, table, wanted)
    request.transaction.set_table(table.change_round(deadline=table.round.deadline or request.now + SLEEP_AFTER_S))
    return answer_with("You have seat {seat}. Place your bets.", seat=table.seat_of(request.player.id))


@command("leave", Text("Leave your seat; your stack returns to your wallet"), group="play", flags=CommandFlag.SEEN)
def leave(request: Request) -> Answer:
    """Leave, in the way of the table's game."""
    return hooks_of(request.table).leave(request)


def leave_seat(request: Request) -> Answer:
    """Leave the seat and return the bets. Refused to a player in the hand."""
    table = request.table
    if table.is_in_hand(request.player.id):
        raise Refused("You are in this hand. Finish it, then leave.")
    if table.seat_of(request.player.id) is None and not table.bets_of(request.player.id):
        raise Refused("You have no seat at this table.")
    table = _return_bets(request, table)
    request.transaction.set_table(without_seats(table, request.player.id))
    return answer_with("You left the table.")


def send_away(transaction: Transaction, table: Table, player: int, now: float) -> Table:
    """Remove a player who may not play here any more: undealt bets are returned, the seat is free."""
    if table.has_closed or player not in table.players():
        return table
    return without_seats(return_bets(transaction, table, player, now, "banned"), player)


def without_seats(table: Table, player: int) -> Table:
    """Return the table without a player's seat."""
    return table.change(seats={seat: sitting for seat, sitting in table.seats.items() if sitting != player})


def bet(request: Request) -> Answer:
    """Bet `[SPOT] AMOUNT`... on the seat or box named in the game's words, and take that seat."""
    table = taking_bets(request)
    words = name_spots(table, request.args)
    seat = hooks_of(table).seat_of_bet(request, table, words)
    before = table.bets_of(request.player.id)
    place_bets(request, table, parse_spots(request, table, words, seat), seat)
    return bet_answers.say_bets(request, options_of(request.transaction, request.table), before)


@command("rebet", Text("Place the same bets as last time"), group="play", flags=CommandFlag.STAKING | CommandFlag.SEEN)
def rebet(request: Request) -> Answer:
    """Repeat the last bets, in the way of the table's game."""
    return hooks_of(request.table).rebet(request)


def repeat_bets(request: Request) -> Answer:
    """Repeat the player's last bets. Refused if they have a bet down."""
    table = taking_bets(request)
    last = table.last_bets.get(request.player.id, ())
    if not last:
        raise Refused("You have not bet at this table yet.")
    if table.bets_of(request.player.id):
        raise Refused("Your bets are already placed.")
    for old in last:
        place_bets(request, table, dict(old.spots), old.seat if table.plays.seating is Seating.BOXES else None)
        table = request.table
    return bet_answers.say_bets(request, options_of(request.transaction, table), ())


@command("takeback", Text("Take your bets back while betting is open"), group="play", flags=CommandFlag.SEEN)
def take_back(request: Request) -> Answer:
    """Take bets back, in the way of the table's game."""
    return hooks_of(request.table).take_back_bets(request)


def take_back_bets(request: Request) -> Answer:
    """Give back a player's bets that are not dealt yet."""
    table = taking_bets(request)
    if not table.bets_of(request.player.id):
        raise Refused("You have no bets to take back.")
    before = request.chips()
    table = _return_bets(request, table)
    request.transaction.set_table(table)
    return answer_with(
        "{amount} returned. You have {chips}.", amount=Amount(request.chips() - before), chips=request.chips()
    )


@command("ready", Text("End betting early: you have placed all your bets"), group="play", flags=CommandFlag.SEEN)
def ready(request: Request) -> Answer:
    """End betting early, in the way of the table's game."""
    return hooks_of(request.table).ready(request)


def mark_ready(request: Request) -> Answer:
    """Mark the player as ready: when all who have bet are, the deal comes five seconds after the first bet."""
    table = taking_bets(request)
    if not table.bets_of(request.player.id):
        raise Refused("Place your bets first.")
    table = wind_clock(table.change_round(ready=table.round.ready | {request.player.id}), request.now)
    request.transaction.set_table(table)
    then = bet_answers.say_cards_come(table, request.now)
    if {bet.player for bet in table.round.bets} <= table.round.ready:
        return answer_with("Ready. {then}", then=then)
    return answer_with("Ready. {then} Sooner when everyone is ready.", then=then)


@command("cut", Text("Cut the deck with a text of your own"), group="play", usage="TEXT")
def cut(request: Request) -> Answer:
    """Mix the player's text into the shuffle, for all to see; it does not count without a bet. The first cut is
    final.
    """
    table = taking_bets(request)
    if table.rules.shoe is not None and shoe.goes_on(table):
        raise Refused("This shoe is already being dealt. Cut the next one.", table.rules.shoe.clause)
    if any(player == request.player.id for player, _text in table.round.cuts):
        raise Refused("You have already cut this deck. The first cut counts.")
    if any(player == request.player.id for player, _seal in table.round.seals):
        raise Refused("Your page in the lounge has sealed a cut for this deck. The first cut counts.")
    words = " ".join(request.args).strip()
    if is_opened_cut(words):
        raise Refused("Only sealed cuts are 64 hex digits. Choose another text, such as `/cut hearts`.")
    try:
        text = normalise_cut(words)
    except Wrong:
        raise Refused(
            "Enter 1 to {most} characters to cut the deck, such as `/cut hearts`.", most=LONGEST_CUT
        ) from None
    request.transaction.set_table(table.change_round(cuts=(*table.round.cuts, (request.player.id, text))))
    return answer_with("You cut the deck with “{text}”.", text=text)


def place_bets(request: Request, table: Table, spots: Mapping[str, int], box: int | None) -> None:
    """Add bets to those on the spots, take the money and start the clock. Refused before anything has changed.

    `box`: the box of the bet, in games with several per player; otherwise the bet takes a seat.
    """
    transaction, player = request.transaction, request.player.id
    if box is None and table.seat_of(player) is None:
        table = _seat(request, table, None)
    seat = box or table.seat_of(player)
    assert seat is not None
    hooks_of(table).check_seat(request, table, seat)
    options = options_of(transaction, table)
    lying = next((bet for bet in table.round.bets if bet.seat == seat and bet.player == player), None)
    before = lying.spots if lying else {}
    after = {spot: before.get(spot, 0) + spots.get(spot, 0) for spot in table.rules.spots if spot in {*before, *spots}}
    check_stake(table, options, Stake(1, "you", after))
    cost = cost_of(table.rules, options, after) - cost_of(table.rules, options, before)
    _warn_of_follow_up(request, table, options, after, before)
    self_limits.check_share(
        request, sum(cost_of(table.rules, options, bet.spots) for bet in table.bets_of(player)), cost
    )
    event = f"bet {table.round.posted + 1}"
    transaction.post(
        request.wallet, ledger.hand(table.round.hand_id), cost, "bet", request.now, table.round.hand_id, event
    )
    new = Bet(player, seat, after, request.command.key)
    # A raised bet keeps its place: on a box, the first bettor is nearest the shoe (BJ3).
    bets = [new if bet is lying else bet for bet in table.round.bets] if lying else [*table.round.bets, new]
    table = table.change_round(
        bets=tuple(sorted(bets, key=lambda bet: bet.seat)),
        posted=table.round.posted + 1,
        ready=table.round.ready - {player},
    )
    request.at = transaction.set_table(wind_clock(table, request.now))


def wind_clock(table: Table, now: float) -> Table:
    """Set the betting clock: the first bet starts it, and it ends early once all bettors are ready.

    A table without bets falls asleep.
    """
    if not table.round.bets:
        falls_asleep = bool(table.seats) and table.plays.seating is not Seating.STACKS
        return table.change_round(started=None, deadline=now + SLEEP_AFTER_S if falls_asleep else None)
    started = now if table.round.started is None else table.round.started
    ends = started + table.settings.betting_s
    if {bet.player for bet in table.round.bets} <= table.round.ready:
        ends = min(ends, max(now, started + READY_AFTER_S))
    return table.change_round(started=started, deadline=ends)


def return_all_bets(transaction: Transaction, table: Table, now: float, why: str) -> Table:
    """Give back every bet that was not dealt (G6)."""
    hand = ledger.hand(table.round.hand_id)
    for number, bet in enumerate(table.round.bets, start=1):
        cost = cost_of(table.rules, options_of(transaction, table), bet.spots)
        event = f"back {table.round.posted + number}"
        transaction.post(hand, table.purse(bet.player), cost, why, now, table.round.hand_id, event)
    posted = table.round.posted + len(table.round.bets)
    return transaction.set_table(wind_clock(table.change_round(bets=(), posted=posted, ready=frozenset()), now))


def _return_bets(request: Request, table: Table) -> Table:
    return return_bets(request.transaction, table, request.player.id, request.now, "taken back")


def return_bets(transaction: Transaction, table: Table, player: int, now: float, why: str) -> Table:
    """Give back the bets of one player before the deal."""
    mine = table.bets_of(player)
    if not mine:
        return table
    cost = sum(cost_of(table.rules, options_of(transaction, table), bet.spots) for bet in mine)
    account, event = ledger.hand(table.round.hand_id), f"back {table.round.posted + 1}"
    transaction.post(account, table.purse(player), cost, why, now, table.round.hand_id, event)
    bets = tuple(bet for bet in table.round.bets if bet.player != player)
    table = table.change_round(bets=bets, posted=table.round.posted + 1, ready=table.round.ready - {player})
    return wind_clock(table, now)


def taking_bets(request: Request) -> Table:
    """Return the table here. Raises Refused while a hand is played, and where it is paused or closed."""
    table = request.table
    if table.round.hand is not None:
        raise Refused("No more bets please: the hand has started.", "G7")
    if table.round.waits is not None:
        waits = waiting.describe_wait(table.round.waits, table.round.hand_id, request.now)
        raise Refused(waits.template, "G7", **waits.values)
    if table.status == "paused":
        raise Refused("This table is paused until an inspector resumes it.")
    if table.status != "open":
        raise Refused("This table is closed.")
    return table


def parse_seat(text: str, table: Table) -> int:
    """Parse the number of a seat of this table, from 1. Raises Refused."""
    seat = parse_count(text, 1, seats_of(table))
    if seat is None:
        raise Refused("Choose a seat from 1 to {most}.", "G9", most=seats_of(table))
    return seat


def _seat(request: Request, table: Table, wanted: int | None) -> Table:
    free = [seat for seat in range(1, seats_of(table) + 1) if seat not in table.seats]
    if wanted is not None and wanted not in free:
        raise Refused("Seat {seat} is taken.", "G9", seat=wanted)
    if not free:
        raise _refuse_full(request, table)
    seat = wanted or free[0]
    return table.with_player(seat, request.player.id)


def _refuse_full(request: Request, table: Table) -> Refused:
    """Refuse a seat at a full table and name the next open one of its game in the casino, if there is one."""
    other = find_next(table, request.transaction.tables_in(table.casino))
    if other is None:
        return Refused("All seats are taken. Watch, or try another table.", "G9").offering([BELL])
    said = Text("All seats are taken. Watch, or join table {number}.").template
    way = Choice(say_free_seats(other), where=Where(other.id))
    return Refused(said, "G9", number=str(other.number)).offering([way, BELL])


def find_next(table: Table, tables: Iterable[Table]) -> Table | None:
    """Return the next open table of the same game with a free seat, or None."""
    alike = (one for one in tables if one.game == table.game and one.id != table.id)
    return next(filter(has_seat, alike), None)


def has_seat(table: Table) -> bool:
    """Check whether one more player could sit down. Seats of a tournament are drawn."""
    return table.status == "open" and table.tournament is None and len(table.seats) < seats_of(table)


def say_free_seats(table: Table) -> Text:
    """Name a table for people without a seat."""
    return Text("Table {number}: {n} free", number=str(table.number), n=seats_of(table) - len(table.seats))


def parse_spots(request: Request, table: Table, words: Sequence[str], seat: int | None) -> dict[str, int]:
    """Parse bets such as `50` or `ante 50 jackpot`: an amount is for the spot named before it, else for the first.

    Where spots are numbers, as in `17 10`, each must be named. An announced bet places its amount on several spots.
    """
    options = options_of(request.transaction, table)
    prices = hooks_of(table).prices(options)
    spots: dict[str, int] = {}
    if not words:
        raise Refused("Enter an amount, for example 50.")
    spot: str | None = None
    for word in [*join_amounts(words), ""]:
        if not word or _is_bet(table, word, is_named=spot is not None):
            if spot is not None:
                if spot not in prices:
                    raise Refused("Enter an amount for {spot}, for example 50.", spot=Word(spot))
                spots[spot] = prices[spot]
            spot = word or None
        else:
            if not _is_amount(word) or (spot is None and _has_numbers(table)):
                raise _refuse_bet(table, options, word)
            named = spot or table.rules.spots[0]
            amount = _parse_bet_amount(request, table, options, named, word, seat)
            for part, chips in _chips_of(table, named).items():
                spots[part] = spots.get(part, 0) + chips * amount
            spot = None
    return spots


def _is_bet(table: Table, word: str, *, is_named: bool) -> bool:
    """Return whether a word is a spot or an announced bet; a number after one, `is_named`, is its amount."""
    return word in (*table.rules.spots, *table.plays.announced) and not (is_named and _is_amount(word))


def _has_numbers(table: Table) -> bool:
    return any(not has_letters(spot) for spot in table.rules.spots)


def _chips_of(table: Table, bet: str) -> Mapping[str, int]:
    """Return how many times its amount a bet places on which spots."""
    return table.plays.announced.get(bet, {bet: 1})


def name_spots(table: Table, args: Sequence[str]) -> list[str]:
    """Return the words of a bet with each spot by the rules' name for it, however it was typed."""
    words, start, spot = list[str](), 0, None
    args, known = _split_bets(args), (*table.rules.spots, *table.plays.announced)
    while start < len(args):
        is_amount = _is_amount(args[start]) and not _is_bet(table, args[start], is_named=spot is not None)
        spot, end = (None, start) if is_amount else take_word(args, start, known, SPOT)
        words.append(args[start].lower() if spot is None else spot)
        start = max(end, start + 1)
    return words


def _split_bets(args: Iterable[str]) -> list[str]:
    """Return the words of bets without the commas and semicolons between them, as in `17 10,red 50`."""
    parts = (part for arg in args for part in _BETWEEN_BETS.split(arg))
    return [word for part in parts if (word := part.rstrip(",;"))]


def _is_amount(word: str) -> bool:
    """Check whether a word is meant as an amount, valid or not: a number, or one that depends on the wallet."""
    return is_amount_word(word) or not (word[:1].isalpha() or is_quoted(word))


def _refuse_bet(table: Table, options: Any, word: str) -> Refused:
    if _has_numbers(table):
        first, least = Word(table.rules.spots[0]), Amount(options.minimum)
        return Refused(
            "There is no bet called “{word}” here. Enter a bet and its amount, for example {spot} {amount}.",
            word=word[:40],
            spot=first,
            amount=least,
        )
    spots = name_words(table.rules.spots, SPOT)
    return Refused("There is no bet called “{word}” here. Try {spots}.", word=word[:40], spots=spots)


def _parse_bet_amount(request: Request, table: Table, options: Any, spot: str, word: str, seat: int | None) -> int:
    if not is_amount_word(word):
        # A number needs neither the wallet nor the following bets.
        return parse_amount(word, request.player.language)
    chips = request.transaction.balance(table.purse(request.player.id)) // sum(_chips_of(table, spot).values())
    mine = [bet for bet in table.bets_of(request.player.id) if seat is None or bet.seat == seat]
    lying = sum(bet.spots.get(spot, 0) for bet in mine)
    # All, half and max leave enough for the bet that follows an ante.
    is_followed = spot == table.plays.follow_up.after
    room = max(0, (chips + lying) // antes_of(table, options) - lying) if is_followed else chips
    return parse_amount(
        word,
        request.player.language,
        wallet=room if word == "max" or word in words_for_all() else chips,
        least=options.minimum,
        most=max(0, min(options.maximum - lying, room)),
        step=options.step,
        now=lying,
    )


def check_stake(table: Table, options: Any, stake: Stake) -> None:
    """Raise Refused for bets that the rules refuse."""
    try:
        WATCHDOG.run(table.game, table.rules.check, options, [stake])
    except Illegal as fault:
        raise Refused(fault.template, fault.clause, **fault.values) from None


def cost_of(rules: Game, options: Any, spots: Mapping[str, int]) -> int:
    """Return what these bets cost in minor units, with those that the rules add (Ultimate's blind).

    Raises IllegalDeal.
    """
    if not spots:
        return 0
    return sum(WATCHDOG.run(rules.name, rules.place, options, Stake(1, "you", spots)).values())


def antes_of(table: Table, options: Any) -> int:
    """Return how many antes a bet of one ante needs: what goes down with it, and the bet that must follow. With a raise
    of two, or with blind and play, it is three.
    """
    _spot, antes, after = table.plays.follow_up
    return cost_of(table.rules, options, {after: 1}) + antes


def _warn_of_follow_up(
    request: Request, table: Table, options: Any, after: Mapping[str, int], before: Mapping[str, int]
) -> None:
    """Confirm an ante that leaves less in the wallet than the bet that follows it would cost."""
    main = table.plays.follow_up.after
    lying, ante = before.get(main, 0), after.get(main, 0)
    if not table.plays.follow_up.antes or ante == lying:
        return
    wealth = request.chips() + lying
    if ante <= wealth // antes_of(table, options) or wealth < ante:
        return
    request.confirm("After an ante of {ante} you could not afford the bet that follows. Bet anyway?", ante=Amount(ante))
