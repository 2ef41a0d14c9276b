"""Punto Banco asks nothing after the bets: a strategy is the area to bet on, `best` the one that costs least."""

from engine.felt import Stake
from engine.games.puntobanco import AREAS, GAME, MOST_CARDS, PuntoBancoOptions
from engine.games.puntobanco_odds import count_odds, edges
from engine.simulation import BEST, Simulation, least_on_area, only_bet


def lay(options: PuntoBancoOptions, strategy: str) -> tuple[Stake, ...]:
    """Bet the minimum on the area that the strategy names."""
    exact = {area: bet.exact for area, bet in edges(options, None).items() if bet.exact is not None}
    return least_on_area(options, min(exact, key=exact.__getitem__) if strategy == BEST else strategy)


SIMULATION = Simulation(
    game=GAME,
    strategies=dict.fromkeys((*AREAS, BEST), only_bet),
    lay=lay,
    cards=MOST_CARDS,
    rounds=1_000_000,
    exact=count_odds,
)
