"""The bead road: the results of the shoe, or of the last 60 hands where every hand has its own (PB12)."""

from typing import Any

from bot.core.rounds.past_results import LONGEST, PastResults
from bot.core.state.table import Table
from bot.core.state.transaction import Transaction
from engine.hand import Hand


def add_result(transaction: Transaction, table: Table, hand: Hand, now: float) -> Table:
    """Add the hand's result to the road (PB12), unless it is void."""
    if hand.is_void:
        return table
    results = (*_results_before(table, hand), str(hand.facts["winner"]))
    return table.change_memory(results=results if _has_shoe(hand) else results[-LONGEST:])


def road(table: Table) -> tuple[str, ...]:
    """Return the past results of the current shoe; none while its first hand is played."""
    return table.kept(PastResults).results if table.round.hand is None else _results_before(table, table.round.hand)


def _results_before(table: Table, hand: Hand) -> tuple[str, ...]:
    seed = hand.deal.seed
    is_first = _has_shoe(hand) and seed is not None and seed.start == 0
    return () if is_first else table.kept(PastResults).results


def _has_shoe(hand: Hand) -> bool:
    """Return whether the hand came from a shoe that may serve several hands (PB1)."""
    options: Any = hand.deal.options
    return bool(options.penetration)
