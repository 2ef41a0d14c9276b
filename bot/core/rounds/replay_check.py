"""Compare each hand of the books with its postings by playing it again, as the control room does (CS23).

A fault is one clause of a sentence, in English, for the doctor and the audit log. Nothing is repaired.
"""

from collections import Counter
from collections.abc import Iterable, Iterator

from bot.core.commands.hooks import HOOKS
from bot.core.rounds.betting import cost_of
from bot.core.rounds.hand_records import commitment_of, is_as_written, load_deal, record_of
from bot.core.rounds.playing import results_of
from bot.core.rounds.script_budget import replay_hand
from bot.core.state.plays import PLAYS, Seating
from bot.core.state.table import VOID_SEAT, Table, owners_of
from engine.events import Paid, Staked
from engine.games import GAMES
from engine.hand import Hand
from engine.laws import BrokenLaw
from engine.record import spots_of
from storage import ledger
from storage.questions import hands
from storage.questions.postings import postings_of_hand
from storage.questions.results import results_of_hand
from storage.questions.whole_hands import WholeHand
from storage.rows import HandRow, PostingRow, ResultRow
from storage.store import Reader


def examine_hand(books: Reader, row: HandRow, table: Table | None, hand: Hand | None = None) -> Iterator[str]:
    """Yield the faults of a hand; `table` is where it was dealt. Raises the error that keeps its record from replaying.

    `hand`: the replayed hand, if the caller has it already.
    """
    moves, postings = hands.moves_of_hand(books, row.id), postings_of_hand(books, row.id)
    return examine_whole_hand(books, WholeHand(row, moves, postings, results_of_hand(books, row.id)), table, hand)


def examine_whole_hand(books: Reader, whole: WholeHand, table: Table | None, hand: Hand | None = None) -> Iterator[str]:
    """Yield the faults of a hand, as `examine_hand` does, from rows that were read."""
    row, moves, postings, results = whole
    if not is_as_written(row):
        yield "its deal is not what was written"
    deal = load_deal(row)
    if deal is None:
        yield from _examine_bets(books, row, table) if row.game in GAMES else ()
        return
    if row.status == "void":
        yield from (f"{account} did not get everything back: {net}" for account, net in _nets(postings).items() if net)
        return
    game = GAMES.get(row.game)
    if game is None or (deal.rules < game.rules and not game.knows(deal.rules)):
        return  # Played under rules that are not installed: an older version, or a removed game.
    hand = hand or replay_hand(row.game, record_of(row, moves))
    void_seats = void_seats_of(postings)
    is_decided = row.status == "over" or (table is not None and bool(table.round.turning))
    if hand.is_void or hand.is_over is not is_decided:
        yield f"it is {row.status}, and its moves say otherwise"
        return
    yield from _examine_laws(hand)
    yield from _examine_events(row, hand, postings, void_seats)
    yield from _examine_nets(row, hand, postings, void_seats)
    # Results of a tournament are those of its buy-ins (bot/core/rounds/tournament_check.py).
    if row.status == "over" and not is_of_tournament(postings):
        yield from _examine_results(results, hand, void_seats)


def is_of_tournament(postings: list[PostingRow]) -> bool:
    """Check whether a hand moved tournament chips."""
    return any(account.startswith(ledger.CHIPS) for account in nets_by_account(postings))


def void_seats_of(postings: list[PostingRow]) -> set[str]:
    """Return the seats that were voided by themselves (G6)."""
    events = (one.event or "" for one in postings)
    return {event.removeprefix(VOID_SEAT) for event in events if event.startswith(VOID_SEAT)}


def _examine_bets(books: Reader, row: HandRow, table: Table | None) -> Iterator[str]:
    """Compare the account of a hand that takes bets, or was never dealt, with its table."""
    lying = 0
    if (
        row.status == "betting"
        and table is not None
        and table.round.hand_id == row.id
        and table.plays.seating is not Seating.STACKS
    ):
        options = table.rules.parse_options(dict(commitment_of(row)["options"]))
        lying = sum(cost_of(table.rules, options, bet.spots) for bet in table.round.bets)
    holds = books.balance(ledger.hand(row.id))
    if holds != lying:
        yield f"its account holds {holds}, the bets on the table are {lying}"


def _examine_laws(hand: Hand) -> Iterator[str]:
    """Find a staked spot that the rules pay not at all or twice, and every other payment that would void a hand."""
    try:
        hand.check_payments()
    except BrokenLaw as broken:
        yield f"its payments break a law: {broken}"


def _examine_events(row: HandRow, hand: Hand, postings: list[PostingRow], void_seats: set[str]) -> Iterator[str]:
    """Yield a fault for each stake or payment without exactly one posting of its amount, and each posting too many."""
    due: dict[str | None, int] = {}
    for index, event in enumerate(hand.events):
        if isinstance(event, Staked) or (isinstance(event, Paid) and row.status == "over"):
            due[f"event {index}"] = event.amount
    if row.status == "over":
        due.update(HOOKS[row.game].dues(hand, frozenset(void_seats)))
    due = {name: amount for name, amount in due.items() if amount}
    posted = {one.event: one.amount for one in postings if (one.event or "").startswith(("event ", "prize "))}
    for name in sorted({*due, *posted}, key=str):
        if due.get(name) != posted.get(name):
            yield f"{name} is {due.get(name, 0)} by the rules and {posted.get(name, 0)} in the books"


def nets_by_account(postings: Iterable[PostingRow]) -> dict[str, int]:
    """Add up the postings of each account."""
    nets: dict[str, int] = {}
    for one in postings:
        nets[one.debit] = nets.get(one.debit, 0) - one.amount
        nets[one.credit] = nets.get(one.credit, 0) + one.amount
    return nets


def _nets(postings: list[PostingRow]) -> Counter[str]:
    """Return the hand's result for each player, escrow included; accounts of the casino are left out."""
    kinds = (*ledger.PLAYERS, ledger.CHIPS, "escrow:")
    return Counter({name: net for name, net in nets_by_account(postings).items() if name.startswith(kinds)})


def _examine_nets(row: HandRow, hand: Hand, postings: list[PostingRow], void_seats: set[str]) -> Iterator[str]:
    wagered, returned = spots_of(hand, void_seats) if row.status == "over" else (hand.wagered(), {})
    nets, due = _nets(postings), Counter[str]()
    # Tournament stacks carry the number of the first table.
    purses = {int(name.split(":")[2]): name for name in nets if name.startswith(ledger.CHIPS)}
    for seat, player in owners_of(hand).items():
        purse = purses.get(player) or _purse(row, player)
        if seat not in void_seats:
            due[purse] += sum(returned.get(seat, {}).values()) - sum(wagered.get(seat, {}).values())
        nets[purse] += nets.pop(ledger.escrow(row.id, seat), 0)
    for name in sorted({*due, *nets}):
        if due[name] != nets[name]:
            yield f"it brought {name} {due[name]} by the rules and {nets[name]} in the books"


def _purse(row: HandRow, player: int) -> str:
    if PLAYS[row.game].seating is Seating.STACKS:
        return ledger.stack(row.table_id, player)
    return ledger.wallet(row.casino, player)


def _examine_results(results: list[ResultRow], hand: Hand, void_seats: set[str]) -> Iterator[str]:
    stored = {one.player: (one.wagered, one.returned) for one in results}
    if stored != results_of(hand, void_seats):
        yield "its results are not those of the rules"
