"""Open a table for bets on its next hand, or end its commitment for good."""

from msgspec import structs

from bot.core.rounds import commitments, shoe
from bot.core.state.table import Table
from bot.core.state.transaction import Transaction
from storage.rows import HandRow

# A table with people and no bets falls asleep then.
SLEEP_AFTER_S = 180.0


def open_hand(transaction: Transaction, table: Table, now: float, entropy: bytes) -> Table:
    """Open the next hand for bets, after committing to what it will be dealt by.

    A continuing shoe keeps its commitment (BJ7).
    """
    hand_id = transaction.next_id(HandRow)
    if shoe.goes_on(table):
        table = table.change_round(lines=table.round.lines[:1])
    else:
        table = commitments.make(transaction, table, hand_id, entropy, now)
    transaction.put(commitments.betting_row(table, hand_id, now))
    return transaction.set_table(
        table.change_round(
            hand_id=hand_id,
            opened=now,
            bets=(),
            cuts=(),
            seals=(),
            openings=(),
            ready=frozenset(),
            started=None,
            deadline=now + SLEEP_AFTER_S if table.seats else None,
            extended=None,
            away=frozenset(),
            posted=0,
            hand=None,
            turning={},
            waits=None,
            beacon=None,
        )
    )


def open_anew(transaction: Transaction, table: Table, now: float, entropy: bytes, why: str) -> Table:
    """Replace the commitment of a table without bets: the seed of the old one is revealed, a shoe ends."""
    return open_hand(transaction, commitments.drop(transaction, table, now, why), now, entropy)


def close_for_good(transaction: Transaction, table: Table, now: float) -> Table:
    """End the commitment of a table without bets that deals no more: its seed is revealed."""
    table = commitments.drop(transaction, table, now, commitments.CLOSED)
    return table.change(status="closed", seats={}, round=structs.replace(table.round, deadline=None, committed=b""))
