"""Evidence that bets were closed before the round that they wait for was known."""

from typing import Any

from bot.core.rounds.commitments import RECEIPT_DIGITS
from bot.core.rounds.log_proofs import published
from bot.core.rounds.waiting import time_as_said
from bot.core.state.table import Table
from bot.core.state.transaction import State
from bot.texts import Text
from engine.fairness.beacon import time_of


def head_of_close(state: State, table: Table) -> dict[str, Any] | None:
    """Return the signed head {"head", "signature"} over the close of a waiting hand.

    None where no hand waits, or no head was signed before its round.
    """
    commitment, waits = table.round.commitment, table.round.waits
    if commitment is None or waits is None:
        return None
    head = state.head_of(int(commitment["casino"]), commitment["log"])
    if head is None or head.size <= table.round.lines[-1] or (waits.round and head.at >= time_of(waits.round)):
        return None
    return published(commitment["house"], head)


def log_to_cover(state: State, table: Table) -> tuple[int, int] | None:
    """Return (casino, number) of the log of a waiting hand whose last entry no head covers yet; None where one does,
    none waits, or the log is not signed any more.
    """
    commitment = table.round.commitment
    if commitment is None or table.round.waits is None:
        return None
    casino, number = int(commitment["casino"]), commitment["log"]
    head = state.head_of(casino, number)
    if (head is not None and head.size > table.round.lines[-1]) or not state.is_signed(casino, number):
        return None
    return casino, number


def say_closed(table: Table, covering: dict[str, Any]) -> tuple[Text, str]:
    """Describe a waiting hand, and return the part of that head's root that can be copied."""
    waits, head = table.round.waits, covering["head"]
    assert waits is not None
    said = Text(
        (
            "No more bets on hand {hand}. The cards wait for round {round} of {chain} at {time}. Until then log "
            "{log} has {size} entries, and its root begins with:"
        ),
        hand=str(table.round.hand_id),
        round=str(waits.round),
        chain=waits.chain,
        time=time_as_said(time_of(waits.round)),
        log=str(head["log"]),
        size=str(head["size"]),
    )
    return said, head["root"][:RECEIPT_DIGITS]
