"""A seat's share of the pot at a stud showdown against random hands, sampled: bets on stud are between players."""

from collections.abc import Iterator, Sequence

from engine.cards import FRENCH
from engine.equity import Draw, Keys, count_equal, draw_of, find_live, no_edges, sample_equity, sums_of
from engine.games.stud import GAME
from engine.odds import Decision, Odds
from engine.poker import NO_LOW, low_sums, rank_sums

# SH3: seven cards for everybody; SH4: six and one for all, where the deck does not serve.
_CARDS = 7


def equity(decision: Decision) -> float:
    """Return the mean share of the main pot among those still in (SH10, SH11), odd chips left out."""
    draws, shared = draws_of(decision)
    return sample_equity(decision, draws, shared, shares)


def _comes_for_all(decision: Decision, live: Sequence[str]) -> int:
    """Return 1 if one community card replaces the players' last cards because the deck is too short (SH4), else 0."""
    if "board" in decision.cards or any(len(decision.cards[seat]) == _CARDS for seat in live):
        return 0
    dealt = sum(map(len, decision.cards.values()))
    on_sixth = dealt + sum(_CARDS - 1 - len(decision.cards[seat]) for seat in live)
    return int(len(FRENCH) - on_sixth < len(live))


def draws_of(decision: Decision) -> tuple[list[Draw], int]:
    """Return the draws of the seat itself, then of all others who are in, and the number of cards to come for all."""
    live = find_live(decision)
    shared = _comes_for_all(decision, live)
    return [draw_of(decision, seat, _CARDS - shared) for seat in live], shared


def shares(draws: Sequence[Draw], deals: Sequence[Keys], shared: int) -> Iterator[float]:
    """Yield the first seat's part of the pot in each deal: shared cards come first, then each seat's own."""
    highs, lows = [], []
    for sums, hand in sums_of(draws, deals, shared):
        highs.append(rank_sums(sums, hand))
        lows.append(low_sums(sums))
    best = highs[1] if len(draws) == 2 else map(max, *highs[1:])
    lowest = lows[1] if len(draws) == 2 else map(min, *lows[1:])
    for place, (high, other, low, other_low) in enumerate(zip(highs[0], best, lows[0], lowest, strict=True)):
        share = 1.0 if high > other else 0.0 if high < other else 1 / count_equal(highs, place)
        if low == other_low == NO_LOW:
            yield share
        else:
            yield (share + (1.0 if low < other_low else 0.0 if low > other_low else 1 / count_equal(lows, place))) / 2


ODDS = Odds(
    game=GAME,
    edges=no_edges,
    equity=equity,
    no_figure=dict.fromkeys(
        ("lower", "upper", "ante", "unit", "bring_in_may_complete"),
        "players win from each other, and no bet costs anything",
    ),
)
