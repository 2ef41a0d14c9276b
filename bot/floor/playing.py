"""From the deal to the payment: moves, clocks, time-outs, settlement, the next hand.

The engine says what happened; here it becomes postings, in the same paper as the move.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager

from bot.floor import meter
from bot.floor.amounts import parse_amount
from bot.floor.betting import open_hand, options_of
from bot.floor.command import Answer, Refused
from bot.floor.house import Paper
from bot.floor.registry import Request, verb
from bot.floor.table import PACES, Table
from bot.texts import Text
from engine.errors import IllegalMove
from engine.events import Paid, Staked
from engine.felt import TIMEOUT, VOID, Amount, Deal, Move, Offers
from engine.hand import Hand, check_deal
from engine.record import shuffled, spots_of, write_record
from engine.shuffler import Seed
from storage import ledger
from storage.rows import HandRow, MoveRow, ResultRow

TIME_BANK_S = 30.0


class HandFault(Exception):
    """Engine or books failed in a hand: it is void and refunded (G6)."""

    def __init__(self, table: int) -> None:
        super().__init__(f"a fault in a hand at table {table}")
        self.table = table


@contextmanager
def faults_void(table: Table) -> Iterator[None]:
    try:
        yield
    except (Refused, ledger.NotEnoughChips, HandFault):
        raise
    except Exception as fault:
        raise HandFault(table.id) from fault


def deal(paper: Paper, table: Table, now: float, entropy: bytes) -> Table:
    """No more bets please: the bets become stakes, the cuts are fixed, the cards come."""
    with faults_void(table):
        options = options_of(paper, table)
        seed = Seed(table.seed, cuts_of(table))
        deck, dice = shuffled(table.rules, options, seed)
        deal = Deal(table.game, options, table.stakes(), deck, dice, seed)
        check_deal(deal)
        hand = Hand(deal)
        paper.put(_row(table, hand, "playing", None))
        seated = {bet.player for bet in table.bets}
        last_bets = {player: tuple(table.bets_of(player)) for player in sorted(seated)}
        table = table.change(
            play=hand,
            seats={seat: player for seat, player in table.seats.items() if player in seated},
            last_bets={**table.last_bets, **last_bets},
            deadline=now + PACES[table.settings.pace],
        )
        meter.drop_coins(paper, table, now)
        return _go_on(paper, table, now, entropy)


def cuts_of(table: Table) -> tuple[str, ...]:
    """The cuts of players with a bet, as they arrived, then the last betting update of every other (fairness, 3)."""
    betting = {bet.player: bet.key for bet in table.bets}
    cut = [(player, text) for player, text in table.cuts if player in betting]
    others = [key for player, key in betting.items() if player not in {player for player, _text in cut}]
    return (*(text for _player, text in cut), *others)


MOVES = {
    "raise": Text("Bet twice the ante, or raise"),
    "fold": Text("Give up the hand"),
    "exchange": Text("Buy one new card for the price of the ante"),
    "check": Text("Pass without betting"),
    "play": Text("Bet 1 to 4 times the ante"),
    "hit": Text("Take a card"),
    "stand": Text("Take no more cards"),
    "double": Text("Double the bet for one card"),
    "split": Text("Split two cards of equal value"),
    "insure": Text("Insure against the dealer's Black Jack"),
    "decline": Text("Take no insurance"),
    "stay": Text("Follow the box holder no more"),
    "call": Text("Call the bet"),
    "complete": Text("Complete the bring-in"),
    "bring-in": Text("Post the bring-in"),
}


def move(request: Request) -> Answer:
    """One choice of the player, in the hand that is being played at his table."""
    table, hand = request.table, request.table.play
    if hand is None:
        raise Refused("No hand is being played. Place your bets.")
    word = request.command.verb
    mine = table.seats_played_by(request.player.id)
    if not mine:
        raise Refused("You are not in this hand. Place your bets when it is over.")
    seat = next((key for key in mine if key in hand.asks), mine[0])
    offers = hand.asks.get(seat, ())
    argument = _parse_argument(request, table, seat, word)
    cost = _cost(offers, word, argument)
    if cost and request.chips() < cost:
        raise Refused("That costs {cost}, you have {chips}.", None, cost=Amount(cost), chips=request.chips())
    play(request.paper, table, Move(seat, word, argument), request.now, request.entropy(32))
    return Answer()


for _word, _help in MOVES.items():
    verb(
        _word, _help, group="play", usage={"exchange": "POSITION", "play": "TIMES", "insure": "AMOUNT"}.get(_word, "")
    )(move)


def play(paper: Paper, table: Table, choice: Move, now: float, entropy: bytes) -> Table:
    """Play one move, with its money. Raises Refused where the rules refuse it."""
    hand = table.play
    assert hand is not None
    with faults_void(table):
        try:
            after = hand.play(choice)
        except IllegalMove as fault:
            raise Refused(fault.template, fault.clause, **fault.values) from None
        table = _record(paper, table, hand, after, choice, now)
        return _go_on(paper, table, now, entropy)


def time_out(paper: Paper, table: Table, now: float, entropy: bytes) -> Table:
    """The clock has run out: first the time banks, then the move that the rules play (G10)."""
    hand = table.play
    assert hand is not None
    owners = table.owners()
    late = [seat for seat in hand.asks if seat not in table.away]
    if table.extended is None:
        banks = {seat: time_bank(paper, owners[seat], now) for seat in late}
        if longest := max(banks.values(), default=0.0):
            return paper.set_table(table.change(extended=now, deadline=now + longest))
    for seat in late:
        use_time_bank(paper, table, owners[seat], now)
    return _go_on(paper, table.change(away=table.away | set(late)), now, entropy)


def void(paper: Paper, table: Table, now: float, entropy: bytes) -> Table:
    """Every stake of the hand goes back, and what it put into the meter (G6)."""
    hand = table.play
    assert hand is not None
    choice = Move("", VOID)
    table = _record(paper, table, hand, hand.play(choice), choice, now)
    meter.take_back_coins(paper, table, now)
    for number, (seat, spots) in enumerate(hand.wagered().items(), start=1):
        wallet = ledger.wallet(table.casino, table.owners()[seat])
        total = sum(spots.values())
        paper.post(ledger.hand(table.hand_id), wallet, total, "void", now, table.hand_id, f"void {number}")
    return _close(paper, table, "void", now, entropy)


def time_bank(paper: Paper, player: int, now: float) -> float:
    """Seconds of extra time left today."""
    used = paper.player(player).state.get("time bank", {})
    return max(0.0, TIME_BANK_S - (used.get("used", 0.0) if used.get("day") == int(now // 86400) else 0.0))


def use_time_bank(paper: Paper, table: Table, player: int, now: float) -> None:
    """Book the extra time that was needed since the clock was extended."""
    if table.extended is None:
        return
    left = max(0.0, time_bank(paper, player, now) - (now - table.extended))
    bank = {"day": int(now // 86400), "used": TIME_BANK_S - left}
    paper.set_player(paper.player(player).change(**{"time bank": bank}))


def _record(paper: Paper, table: Table, before: Hand, after: Hand, choice: Move, now: float) -> Table:
    """The move and what it staked, on the paper; the clock goes on, or starts anew for a new round of choices."""
    paper.put(MoveRow(table.hand_id, len(before.moves), str(choice), now))
    owners = table.owners()
    account = ledger.hand(table.hand_id)
    for index, event in enumerate(after.events[len(before.events) :], start=len(before.events)):
        if isinstance(event, Staked):
            wallet = ledger.wallet(table.casino, owners[event.seat])
            paper.post(wallet, account, event.amount, event.spot, now, table.hand_id, f"event {index}")
    if table.extended is not None and choice.word != TIMEOUT and choice.seat:
        use_time_bank(paper, table, owners[choice.seat], now)
    if after.asks and not after.asks.keys() <= before.asks.keys() - {choice.seat}:
        return table.change(play=after, deadline=now + PACES[table.settings.pace], extended=None)
    return table.change(play=after)


def _go_on(paper: Paper, table: Table, now: float, entropy: bytes) -> Table:
    """Who let a clock run out is not waited for again in this hand (G10); then payment, if the hand is over."""
    hand = table.play
    assert hand is not None
    while absent := [seat for seat in hand.asks if seat in table.away]:
        choice = Move(absent[0], TIMEOUT)
        after = hand.play(choice)
        table = _record(paper, table, hand, after, choice, now)
        hand = after
    return paper.set_table(table) if hand.asks else settle(paper, table, now, entropy)


def settle(paper: Paper, table: Table, now: float, entropy: bytes) -> Table:
    """Pay what the engine says, the bank covering what the stakes do not; then the next hand takes bets."""
    hand = table.play
    assert hand is not None
    table = meter.pay_prizes(paper, table, now)
    hand = table.play
    assert hand is not None
    account, bank = ledger.hand(table.hand_id), ledger.bank(table.casino)
    payments = [(i, event) for i, event in enumerate(hand.events) if isinstance(event, Paid) and event.amount]
    missing = sum(event.amount for _i, event in payments) - paper.balance(account)
    paper.post(bank, account, max(0, missing), "winnings", now, table.hand_id, "bank pays")
    owners = table.owners()
    for index, event in payments:
        to = meter.payee(paper, table, event.seat) or ledger.wallet(table.casino, owners[event.seat])
        paper.post(account, to, event.amount, event.spot, now, table.hand_id, f"event {index}")
    paper.post(account, bank, paper.balance(account), "losses", now, table.hand_id, "bank takes")
    _write_results(paper, table, now)
    return _close(paper, table, "over", now, entropy)


def _write_results(paper: Paper, table: Table, now: float) -> None:
    assert table.play is not None
    wagered, returned = spots_of(table.play)
    sums: dict[int, list[int]] = {}
    for seat, player in table.owners().items():
        both = sums.setdefault(player, [0, 0])
        both[0] += sum(wagered[seat].values())
        both[1] += sum(returned[seat].values())
    for player, (put_down, came_back) in sums.items():
        paper.put(ResultRow(table.hand_id, player, table.casino, table.game, put_down, came_back, now))


def _close(paper: Paper, table: Table, status: str, now: float, entropy: bytes) -> Table:
    assert table.play is not None
    paper.put(_row(table, table.play, status, now))
    last = table.hand_id
    if table.status == "closing":
        closed = table.change(status="closed", play=None, bets=(), deadline=None, last_hand=last, last=table.play)
        return paper.set_table(closed)
    return open_hand(paper, table.change(last_hand=last, last=table.play), now, entropy)


def _row(table: Table, hand: Hand, status: str, closed: float | None) -> HandRow:
    """The hand's record without its moves, which have rows of their own, and without its seed, which has a column."""
    record = write_record(hand.deal, [])
    del record["seed"]["server"], record["moves"]
    return HandRow(
        table.hand_id, table.casino, table.id, table.game, status, table.seed, json.dumps(record), table.opened, closed
    )


def _parse_argument(request: Request, table: Table, seat: str, word: str) -> str:
    """An exchanged card by position or by its face, an insurance as people type amounts, the rest as it is."""
    argument = request.args[0] if request.args else ""
    assert table.play is not None
    if word == "exchange":
        cards = table.play.cards(seat).get(seat, [])
        if argument.isascii() and argument.isdigit() and 1 <= int(argument) <= len(cards):
            return cards[int(argument) - 1]
        if not argument:
            raise Refused("Name the card to exchange by its position, 1 to 5.", "CS5")
    if word == "insure" and argument:
        return str(parse_amount(argument, request.player.language, wallet=request.chips(), most=request.chips()))
    return argument


def _cost(offers: Offers, word: str, argument: str) -> int:
    for offer in offers:
        if offer.word == word and offer.most:
            return int(argument) if argument.isdigit() else 0
        if offer.word == word and offer.argument == argument:
            return offer.stake
    return 0
