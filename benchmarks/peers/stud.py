"""Seven Card Stud compared with pokerkit."""

from typing import Any

from benchmarks.peers.pokerkit_calls import calling_beside_pokerkit
from engine.games.stud_strategies import SIMULATION


def _create(pokerkit: Any, automations: tuple[Any, ...]) -> Any:
    variant = pokerkit.FixedLimitSevenCardStudHighLowSplitEightOrBetter
    return variant.create_state(automations, True, 50, 200, 400, 800, [80000] * 6, 6)


PEERS = calling_beside_pokerkit(SIMULATION, _create, "100 big bets")
