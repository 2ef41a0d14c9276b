"""Cost of the bets of paiju: every way to deal the cards is counted. There are no decisions (PJ4): a strategy is the
area to bet on, and all cost the same, so `best` is any.
"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from math import comb

from engine.cards import PAIJU
from engine.felt import Stake
from engine.games.paiju import AREAS, GAME, PaijuOptions, strength
from engine.odds import SAME_SHARE, BetOdds, Odds, Unit, chance_alone
from engine.simulation import BEST, Counted, Simulation, counted, least_on_area, only_bet

# The bank's two cards of 32, a position's of the other 30, a second position's of the other 28.
_TWO_HANDS = comb(32, 2) * comb(30, 2)
_THREE_HANDS = _TWO_HANDS * comb(28, 2)


def count_odds(options: PaijuOptions) -> Counted:
    """Count the chances of a bet on one position ("main") and across two ("cavallo").

    Each is {"win", "push", "lose", "edge"}. The three positions have equal chances, so the name of the area does not
    matter.
    """
    beating, beating_twice = _count_beating()
    one = Fraction(beating, _TWO_HANDS)
    both = Fraction(beating_twice, _THREE_HANDS)
    # Each of the two beats the bank with the chance `one`, and `both` is counted in both of them.
    return {"main": counted(one, Fraction(0)), "cavallo": counted(both, 2 * (one - both))}


@cache
def _count_beating() -> tuple[int, int]:
    """Count the pairs of bank and position, and the triples of bank and two positions, in which all beat the bank."""
    strengths = {hand: strength(*hand) for hand in combinations(PAIJU, 2)}
    beating = beating_twice = 0
    for bank, banks in strengths.items():
        better = [hand for hand, own in strengths.items() if own > banks and not set(hand) & set(bank)]
        uses = Counter(card for hand in better for card in hand)
        beating += len(better)
        # For each hand, count the better ones without a common card; the hand itself is subtracted with each of its two
        # cards, so it is added back once.
        beating_twice += sum(len(better) - uses[one] - uses[other] + 1 for one, other in better)
    return beating, beating_twice


def edges(options: PaijuOptions, meter: int | None) -> Mapping[str, BetOdds]:
    """Return the edges of a bet on one position, `area`, and across two; no option changes them."""
    bets = count_odds(options)
    return {
        bet: chance_alone("nobody decides anything", {Fraction(1): one["win"], Fraction(0): one["push"]})
        for bet, one in (("area", bets["main"]), ("cavallo", bets["cavallo"]))
    }


ODDS = Odds(
    game=GAME,
    edges=edges,
    units={area: Unit("cavallo" if "-" in area else "area") for area in AREAS},
    no_figure={**SAME_SHARE, "squeeze": "the cards are the same, whoever reveals them"},
)


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
