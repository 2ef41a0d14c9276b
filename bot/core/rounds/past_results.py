"""Past results of a table, for games that show them: one fact of each hand, newest last."""

from collections.abc import Callable

from bot.core.state.plays import GameMemory
from bot.core.state.table import Table
from bot.core.state.transaction import Transaction
from engine.hand import Hand

LONGEST = 60


class PastResults(GameMemory, frozen=True):
    """Memory of past results: `results` are words of the game."""

    results: tuple[str, ...] = ()


def remember(fact: str) -> Callable[[Transaction, Table, Hand, float], Table]:
    """Return a hook that adds this fact of each hand, unless it is void."""

    def add_result(transaction: Transaction, table: Table, hand: Hand, now: float) -> Table:
        if hand.is_void:
            return table
        return table.change_memory(results=(*past_results(table), str(hand.facts[fact]))[-LONGEST:])

    return add_result


def past_results(table: Table) -> tuple[str, ...]:
    """Return the past results of a table that remembers them."""
    return table.kept(PastResults).results
