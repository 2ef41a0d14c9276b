"""Cost of the bets of French roulette: 37 equally likely pockets (RO1). There are no decisions."""

from collections.abc import Mapping
from fractions import Fraction

from engine.games.roulette import BETS, EVEN_CHANCES, GAME, RouletteOptions, pays_of
from engine.odds import BetOdds, Odds, Unit, chance_alone

_KINDS = {1: "straight", 2: "split", 3: "street", 4: "corner", 6: "six-line", 12: "dozen", 18: "even-chance"}


def kind_of(bet: str) -> str:
    """Return the kind of a bet by how many numbers it covers: a column is counted with the dozens."""
    return _KINDS[len(BETS[bet])]


# One bet of each kind.
EXAMPLES: Mapping[str, str] = {kind_of(bet): bet for bet in BETS}


def edges(options: RouletteOptions, meter: int | None) -> Mapping[str, BetOdds]:
    """Return the edge of each kind of bet per unit, before a half is rounded down (RO10)."""
    return {kind: chance_alone("nobody decides anything", _outcomes(options, bet)) for kind, bet in EXAMPLES.items()}


def _outcomes(options: RouletteOptions, bet: str) -> dict[Fraction, Fraction]:
    half = {Fraction(-1, 2): Fraction(1, 37)} if bet in EVEN_CHANCES and options.la_partage else {}
    return {Fraction(pays_of(bet)): Fraction(len(BETS[bet]), 37), **half}


ODDS = Odds(game=GAME, edges=edges, units={bet: Unit(kind_of(bet)) for bet in BETS})
