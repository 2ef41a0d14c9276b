"""What shows that bets were closed before the round for which they wait was known (fairness, 3)."""

from typing import Any

from bot.house.log_proofs import published
from bot.house.state.house import House
from bot.house.state.table import Table
from engine.fairness.beacon import time_of


def head_of_close(house: House, table: Table) -> dict[str, Any] | None:
    """{"head", "signature"} of the log, over the close of a hand that waits; None where none waits, or none is signed
    from before its round."""
    promise, waits = table.promise, table.waits
    if promise is None or waits is None:
        return None
    head = house.head_of(int(promise["casino"]), promise["log"])
    if head is None or head.size <= table.lines[-1] or head.at >= time_of(waits.round):
        return None
    return published(promise["house"], head)
