"""Texas Hold'em compared with pokerkit."""

from typing import Any

from benchmarks.peers.pokerkit_calls import calling_beside_pokerkit
from engine.games.holdem_strategies import SIMULATION


def _create(pokerkit: Any, automations: tuple[Any, ...]) -> Any:
    return pokerkit.NoLimitTexasHoldem.create_state(automations, True, 0, (100, 200), 200, [20000] * 6, 6)


PEERS = calling_beside_pokerkit(SIMULATION, _create, "100 big blinds")
