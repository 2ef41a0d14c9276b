"""A seat's share of the pot at a showdown of Hold'em against random hands: bets are between players."""

from collections.abc import Iterator, Sequence

from engine.equity import Draw, Keys, count_equal, count_equity, draw_of, find_live, no_edges, sample_equity, sums_of
from engine.games.holdem import BOARD, GAME, STREETS
from engine.odds import Decision, Odds
from engine.poker import rank_sums

_BOARD = sum(STREETS.values())


def equity(decision: Decision) -> float:
    """Return the mean share of the main pot among those still in (HE28), odd chips left out.

    It is exact on the turn and river between two players; with more cards to come or more players it is sampled.
    """
    to_come = _BOARD - len(decision.cards.get(BOARD, ()))
    draws = [draw_of(decision, seat, 2 + _BOARD - to_come) for seat in find_live(decision)]
    if len(draws) == 2 and to_come <= 1:
        return count_equity(decision, draws, to_come, shares)
    return sample_equity(decision, draws, to_come, shares)


def shares(draws: Sequence[Draw], deals: Sequence[Keys], to_come: int) -> Iterator[float]:
    """Yield the first seat's part of the pot in each deal: the rest of the board comes first, then each seat's own."""
    own, *others = [rank_sums(sums, hand) for sums, hand in sums_of(draws, deals, to_come)]
    for place, mine in enumerate(own):
        best = max(column[place] for column in others)
        yield 1.0 if mine > best else 0.0 if mine < best else 1 / count_equal([own, *others], place)


ODDS = Odds(
    game=GAME,
    edges=no_edges,
    equity=equity,
    no_figure=dict.fromkeys(
        ("betting", "big_blind", "small_blind", "ante", "ante_from", "unit"),
        "players win from each other, and no bet costs anything",
    ),
)
