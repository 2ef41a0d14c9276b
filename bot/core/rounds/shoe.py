"""The shoe: cards that serve several hands from one shuffle, until their part of it has come out (BJ7).

The table stores how many cards of it are gone, and with which cuts it was shuffled. A game that deals every hand from
new cards has none.
"""

from bot.core.state.table import ShoeState, Table
from engine.fairness.beacon import BeaconRound
from engine.felt import Deal
from engine.games import GAMES
from engine.shuffler import Seed

NO_BEACON = ""


def seed_of(table: Table, cuts: tuple[str, ...]) -> Seed:
    """Return the seed of the deal: this hand's cuts and round for a new shoe, its own for a continuing one."""
    beacon = table.round.beacon.randomness if table.round.beacon is not None else NO_BEACON
    if table.shoe is None:
        return Seed(table.round.seed, cuts, 0, beacon)
    return Seed(table.round.seed, table.shoe.cuts, table.shoe.gone, beacon)


def goes_on(table: Table) -> bool:
    """Check whether the next hand comes from a shoe that has been shuffled already."""
    return table.shoe is not None


def serves(deal: Deal, gone: int) -> bool:
    """Check whether the next hand comes from the same shoe: before its cut card, with enough cards left (BJ7)."""
    game = GAMES[deal.game]
    return game.shoe is not None and game.shoe.serves(deal.options, len(game.full_deck(deal.options)), gone)


def after(deal: Deal, gone: int, beacon: BeaconRound | None) -> ShoeState:
    """Return what is left of the shoe."""
    assert deal.seed is not None
    return ShoeState(gone, tuple(deal.seed.cuts), beacon)
