"""French roulette asks nothing after the bets: a strategy is the kind of bet, `best` the one that costs least."""

from engine.felt import Stake
from engine.games.roulette import GAME, RouletteOptions
from engine.games.roulette_odds import EXAMPLES
from engine.simulation import BEST, Simulation, least_on_area, only_bet


def lay(options: RouletteOptions, strategy: str) -> tuple[Stake, ...]:
    """Bet the minimum on the first bet of the kind that the strategy names; even chances cost least (RO10)."""
    return least_on_area(options, EXAMPLES["even-chance" if strategy == BEST else strategy])


SIMULATION = Simulation(
    game=GAME,
    strategies=dict.fromkeys((BEST, *EXAMPLES), only_bet),
    lay=lay,
    cards=1,
    rounds=1_000_000,
)
