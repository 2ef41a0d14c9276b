"""The bead road: the results of the shoe, or of the last 60 hands where every hand has its own (PB12)."""

from typing import Any

from bot.core.state.plays import GameMemory
from bot.core.state.table import Table
from bot.core.state.transaction import Transaction
from engine.hand import Hand

LONGEST = 60


class Road(GameMemory, frozen=True):
    """Memory of the bead road: `results` are the areas that won, hand after hand, newest last."""

    results: tuple[str, ...] = ()


def add_result(transaction: Transaction, table: Table, hand: Hand, now: float) -> Table:
    """Add the hand's result to the road (PB12), unless it is void."""
    if hand.is_void:
        return table
    results = (*_results_before(table, hand), str(hand.facts["winner"]))
    return table.keep(results=results if _has_shoe(hand) else results[-LONGEST:])


def road(table: Table) -> tuple[str, ...]:
    """Return the past results of the current shoe; none while its first hand is played."""
    return table.kept(Road).results if table.round.hand is None else _results_before(table, table.round.hand)


def _results_before(table: Table, hand: Hand) -> tuple[str, ...]:
    seed = hand.deal.seed
    is_first = _has_shoe(hand) and seed is not None and seed.start == 0
    return () if is_first else table.kept(Road).results


def _has_shoe(hand: Hand) -> bool:
    """Return whether the hand came from a shoe that may serve several hands (PB1)."""
    options: Any = hand.deal.options
    return bool(options.penetration)
