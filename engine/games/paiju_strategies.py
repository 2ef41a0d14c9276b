"""Paiju asks nothing after the bets (PJ4): a strategy is the area to bet on. All cost the same, so `best` is any."""

from engine.felt import Stake
from engine.games.paiju import AREAS, GAME, PaijuOptions
from engine.games.paiju_odds import count_odds
from engine.simulation import BEST, Simulation, least_on_area, only_bet


def lay(options: PaijuOptions, strategy: str) -> tuple[Stake, ...]:
    """Bet the minimum on the area that the strategy names."""
    return least_on_area(options, AREAS[0] if strategy == BEST else strategy)


SIMULATION = Simulation(
    game=GAME,
    strategies=dict.fromkeys((*AREAS, BEST), only_bet),
    lay=lay,
    cards=8,
    rounds=1_000_000,
    exact=count_odds,
)
