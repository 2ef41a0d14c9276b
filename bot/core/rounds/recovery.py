"""Hands found in the books at a start: read by name, or given back if they cannot be played any more.

Hands are never read implicitly: a table names those that are not read yet (`Table.unread`), and callers read them here.
"""

import logging
from collections import Counter

from msgspec import structs

from bot.core.commands.hooks import Entropy
from bot.core.rounds import betting, commitments, opening, playing
from bot.core.rounds.hand_records import read_record, record_as_closed
from bot.core.rounds.playing import UnreadableHand
from bot.core.rounds.script_budget import Escaped, OverBudget, replay_hand
from bot.core.rounds.tournament_table import refund_gone
from bot.core.state.table import Table
from bot.core.state.transaction import Transaction
from bot.texts import Text
from engine.felt import Word
from engine.hand import Hand
from engine.laws import BrokenLaw
from storage import ledger
from storage.questions import hands
from storage.questions.postings import postings_of_hand
from storage.rows import HandRow, PostingRow
from storage.store import Reader

# After this many void hands in a row, a game's tables take no more bets.
MOST_FAULTS = 3
_log = logging.getLogger("ridotto.recovery")


def read_hands(books: Reader, table: Table) -> Table:
    """Read the hands that a table had when the casino stopped: the one being played, and the last one, which is only
    shown.

    Raises UnreadableHand if the first cannot be replayed; an unreadable last hand is not shown.
    """
    if table.unread is None:
        return table
    play, last = table.unread
    hand = _replay_stored(books, table, play) if play is not None else None
    try:
        shown = _replay_stored(books, table, last) if last is not None else None
    except UnreadableHand:
        shown = None
    return structs.replace(table, last=shown, unread=None, round=structs.replace(table.round, hand=hand))


def _replay_stored(books: Reader, table: Table, hand: int) -> Hand:
    try:
        record = read_record(books, hand)
        assert record is not None, "it has no cards"
        return replay_hand(table.game, record)
    except Exception as fault:
        _log.error("hand %s no longer replays: %s", hand, type(fault).__name__)
        raise UnreadableHand(table.id) from fault


def give_back(transaction: Transaction, table: Table, now: float, why: str) -> None:
    """Give back everything that a hand took from each account, by the postings in the books (G6).

    No rule script runs.
    """
    row = _row(transaction, table)
    assert row is not None
    # Log the meter's value before its coins go back.
    deal = _void_deal(transaction, table, row, why, now)
    net: Counter[str] = Counter()
    unwritten = (one for one in transaction.unwritten(PostingRow) if one.hand == row.id)
    for posting in [*postings_of_hand(transaction.books, row.id), *unwritten]:
        net[posting.credit] += posting.amount
        net[posting.debit] -= posting.amount
    account, bank = ledger.hand(row.id), table.bank
    del net[account]
    for giver, amount in (+net).items():
        there = amount if giver == bank else min(amount, transaction.balance(giver))
        transaction.post(giver, account, there, "void", now, row.id, f"undo {giver}")
    for taker, amount in (-net).items():
        short = amount - transaction.balance(account)
        transaction.post(bank, account, max(0, short), "void", now, row.id, f"undo for {taker}")
        transaction.post(account, taker, amount, "void", now, row.id, f"undo {taker}")
    transaction.put(row._replace(status="void", closed=now, deal=deal))
    transaction.audit(now, table.casino, 0, "void", table.audited("hand", row.id), why)


def _void_deal(transaction: Transaction, table: Table, row: HandRow, why: str, now: float) -> str:
    """Return the stored form of a voided deal; the log records the void, if the books still show the stakes."""
    try:
        dealt = record_as_closed(row)
    except Exception as fault:
        _log.error("hand %s cannot be read: %s", row.id, type(fault).__name__)
        return row.deal
    if dealt is None:
        return row.deal
    return commitments.pay_back(transaction, table, dealt, why, now)


def _row(transaction: Transaction, table: Table) -> HandRow | None:
    """Return the row of the table's hand from the transaction, else from the books; None where there is none."""
    unwritten = next((one for one in transaction.unwritten(HandRow) if one.id == table.round.hand_id), None)
    return unwritten or hands.hand(transaction.books, table.round.hand_id)


def deal_anew(
    transaction: Transaction, table: Table, now: float, entropy: bytes, why: str = commitments.OTHER_RULES
) -> Table:
    """Deal again after a hand that was given back. Cards of a shoe that were seen are not dealt again (BJ7)."""
    return opening.open_hand(transaction, _give_up(transaction, table, now, why), now, entropy)


def _give_up(transaction: Transaction, table: Table, now: float, why: str) -> Table:
    """Give back the stakes of a table's hand, and end its commitment."""
    row = _row(transaction, table)
    if row is None or row.status not in ("betting", "playing"):
        return table
    give_back(transaction, table, now, why)
    if row.status == "betting" and table.round.waits is None:
        return commitments.drop(transaction, table, now, commitments.FAULT)
    return commitments.end(transaction, table.change(shoe=None), now, "")


def void_faulty_hand(transaction: Transaction, id: int, now: float, entropy: Entropy, fault: BaseException) -> None:
    """Void the hand at a table after a fault of engine or books: every stake goes back, other tables play on (G6).

    A game that fails several hands in a row takes no more bets at any table, until an inspector resumes one.
    """
    transaction.undo()
    table = transaction.tables.get(id) or transaction.state.tables[id]
    _void(transaction, table, now, entropy, fault)
    if isinstance(fault, UnreadableHand) and not isinstance(fault.__cause__, OverBudget):
        return  # the books may be at fault
    faults = transaction.faults_of(table.game) + 1
    transaction.count_faults(table.game, faults % MOST_FAULTS)
    if faults >= MOST_FAULTS:
        _pause_tables(transaction, table.game, now, entropy)


def _pause_tables(transaction: Transaction, game: str, now: float, entropy: Entropy) -> None:
    """Pause all open tables of a game that fails; hands in play are played to their end."""
    _log.error("%s hands of %s in a row failed: its tables are paused", MOST_FAULTS, game)
    told = Text(
        "Three {game} hands in a row failed, so this table takes no bets until an inspector reopens it with "
        "/table resume.",
        game=Word(game),
    )
    tables = (transaction.state.tables | transaction.tables).values()
    for table in [table for table in tables if table.game == game]:
        if table.lost is not None and table.lost.status == "open":
            paused = table.change(lost=structs.replace(table.lost, status="paused"))
        elif table.status == "open":
            paused = _return_undealt(transaction, table, now, entropy).change(status="paused")
        else:
            continue
        transaction.set_table(paused.set_notice(told, now))
        transaction.audit(now, table.casino, 0, "table pause", table.audited(), f"{commitments.FAULT} ({game})")


def _return_undealt(transaction: Transaction, table: Table, now: float, entropy: Entropy) -> Table:
    """Give back the bets on a hand that is not dealt; by the books, if the game fails at that too."""
    if not table.round.bets or table.phase in ("playing", "waiting"):
        return table
    mark = transaction.mark
    try:
        return betting.return_all_bets(transaction, table, now, "table paused")
    except Exception as fault:
        _log.error("bets on hand %s are restored from the books", table.round.hand_id, exc_info=fault)
        transaction.undo(mark)
        return deal_anew(transaction, _without_hand(table), now, entropy(32), commitments.FAULT)


def _without_hand(table: Table) -> Table:
    return structs.replace(table, unread=None, round=structs.replace(table.round, hand=None, turning={}, bets=()))


def _void(transaction: Transaction, table: Table, now: float, entropy: Entropy, fault: BaseException) -> None:
    cause = fault.__cause__ or fault
    _log.error("hand %s of %s is void", table.round.hand_id, table.game, exc_info=cause)
    told = Text(
        "Hand {hand} is void because of an error in {game}. All stakes are returned (G6).",
        hand=str(table.round.hand_id),
        game=Word(table.game),
    )
    table = table.set_notice(told, now)
    try:
        if table.unread is not None:
            why = commitments.FAULT if isinstance(cause, OverBudget) else commitments.OTHER_RULES
            deal_anew(transaction, structs.replace(table, unread=None), now, entropy(32), why)
            return
        if table.round.hand is not None:
            playing.void(transaction, table, now, entropy(32), commitments.FAULT)
        elif table.round.waits is not None:
            playing.void_waiting(transaction, table, now, entropy(32), commitments.FAULT)
        else:
            betting.return_all_bets(transaction, table, now, "void")
    except Exception as second:
        # The game fails at that too: go by the books, without any rule.
        _log.error("hand %s is restored from the books", table.round.hand_id, exc_info=second)
        transaction.undo()
        deal_anew(transaction, _without_hand(table), now, entropy(32), commitments.FAULT)
        return
    subject = table.audited("hand", table.round.hand_id)
    transaction.audit(now, table.casino, 0, "void", subject, f"{commitments.FAULT} ({_name_fault(table, cause)})")


def _name_fault(table: Table, cause: BaseException) -> str:
    """Return the game, and the fault if its sentence is sure to name no card."""
    return f"{table.game}: {cause}" if isinstance(cause, BrokenLaw | OverBudget | Escaped) else table.game


def close_gone(transaction: Transaction, table: Table, now: float) -> Table:
    """Close a table whose game is no longer installed, and give back its stakes and stacks."""
    table = _give_up(transaction, table, now, commitments.GAME_GONE)
    if table.tournament is not None:
        refund_gone(transaction, table, now)
    for player in sorted(table.players()):
        stack = ledger.stack(table.id, player)
        transaction.post(
            stack, ledger.wallet(table.casino, player), transaction.balance(stack), "leaves the table", now
        )
    told = Text("This table's game, {game}, is no longer installed. All stakes are returned.", game=table.game)
    table = table.change(
        status="closed",
        seats={},
        unread=None,
        round=structs.replace(
            table.round, bets=(), ready=frozenset(), deadline=None, committed=b"", waits=None, beacon=None
        ),
    )
    return transaction.set_table(table.set_notice(told, now))
