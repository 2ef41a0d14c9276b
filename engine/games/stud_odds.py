"""A seat's share of the pot at a stud showdown against random hands, sampled: bets on stud are between players.

What is sampled follows from what the seat sees, so that the same record always gives the same figure.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from itertools import islice
from math import sqrt
from operator import itemgetter, mul
from typing import Any, NamedTuple

from engine.cards import FRENCH, HIDDEN
from engine.events import Moved
from engine.games.stud import GAME
from engine.odds import BetOdds, Decision, Odds, seen
from engine.poker import NO_LOW, key_of, low_sums, rank_sums

# How many hands are ranked for one figure at most: its standard error then stays below 0.002.
RANKED = 130_000
# With a standard error of so much nothing more is dealt.
FINE = 0.0013
# SH3: seven cards for everybody; SH4: six and one for all, where the deck does not serve.
_CARDS = 7
_SHUFFLES = 64
_AT_ONCE = 1000
_Keys = tuple[int, ...]


class Draw(NamedTuple):
    """Known cards of a seat, as keys, and the number of cards to come."""

    known: _Keys
    more: int


def equity(decision: Decision) -> float:
    """The mean share of the main pot among those still in (SH10, SH11), odd chips left out.

    Every card that the seat has not seen may be anywhere; cards of folded hands that lay open are seen.
    """
    draws, shared = draws_of(decision)
    known = set(seen(decision))
    unseen = [key_of(card) for card in FRENCH if card not in known]
    deals = _deal(unseen, shared + sum(draw.more for draw in draws), _number(decision))
    total, squares, rounds, error = 0.0, 0.0, 0, 1.0
    while error > FINE and rounds * len(draws) < RANKED:
        block = list(shares(draws, list(islice(deals, _AT_ONCE)), shared))
        total, squares, rounds = total + sum(block), squares + sum(map(mul, block, block)), rounds + _AT_ONCE
        error = sqrt(max(0.0, squares / rounds - (total / rounds) ** 2) / rounds)
    return total / rounds


def _live(decision: Decision) -> list[str]:
    moved = [event for event in decision.events if isinstance(event, Moved)]
    folded = {event.seat for event in moved if "fold" in (event.word, event.played)}
    return [str(stake.seat) for stake in decision.stakes if str(stake.seat) not in folded]


def _comes_for_all(decision: Decision, live: Sequence[str]) -> int:
    """SH4: one card for all still to come, because the rest of the deck will not give everybody a last one."""
    if "board" in decision.cards or any(len(decision.cards[seat]) == _CARDS for seat in live):
        return 0
    dealt = sum(map(len, decision.cards.values()))
    on_sixth = dealt + sum(_CARDS - 1 - len(decision.cards[seat]) for seat in live)
    return int(len(FRENCH) - on_sixth < len(live))


def draws_of(decision: Decision) -> tuple[list[Draw], int]:
    """Return the draws of the seat itself, then of all others who are in, and the number of cards to come for all."""
    live, board = _live(decision), decision.cards.get("board", ())
    shared = _comes_for_all(decision, live)
    draws = []
    for seat in sorted(live, key=lambda seat: seat != decision.seat):
        known = tuple(key_of(card) for card in (*decision.cards[seat], *board) if card != HIDDEN)
        draws.append(Draw(known, _CARDS - shared - len(known)))
    return draws, shared


def shares(draws: Sequence[Draw], deals: Sequence[_Keys], shared: int) -> Iterator[float]:
    """Yield the first seat's part of the pot in each deal: shared cards come first, then each seat's own."""
    highs, lows, at = [], [], shared
    for known, more in draws:
        to, base = at + more, sum(known)
        sums = [sum(deal[at:to], base) for deal in deals]
        if shared:
            sums = [total + sum(deal[:shared]) for total, deal in zip(sums, deals, strict=True)]
        highs.append(rank_sums(sums, partial(_hand, deals, known, shared, at, to)))
        lows.append(low_sums(sums))
        at = to
    best = highs[1] if len(draws) == 2 else map(max, *highs[1:])
    lowest = lows[1] if len(draws) == 2 else map(min, *lows[1:])
    for place, (high, other, low, other_low) in enumerate(zip(highs[0], best, lows[0], lowest, strict=True)):
        share = 1.0 if high > other else 0.0 if high < other else 1 / _equal(highs, place)
        if low == other_low == NO_LOW:
            yield share
        else:
            yield (share + (1.0 if low < other_low else 0.0 if low > other_low else 1 / _equal(lows, place))) / 2


def _hand(deals: Sequence[_Keys], known: _Keys, shared: int, at: int, to: int, place: int) -> _Keys:
    """One of those hands, card by card."""
    return known + deals[place][:shared] + deals[place][at:to]


def _equal(column: Sequence[Sequence[int]], place: int) -> int:
    """Count the columns that have the same value as the first at a place."""
    return sum(each[place] == column[0][place] for each in column)


def _deal(unseen: Sequence[int], size: int, number: int) -> Iterator[_Keys]:
    """Hands of `size` cards without an end, each as likely as any other. `number` decides which come."""
    draw = _draw(number)
    shuffles = [itemgetter(*_shuffled(range(len(unseen)), draw)) for _ in range(_SHUFFLES)]
    deck = tuple(unseen)
    last = len(deck) - size
    while True:
        deck = shuffles[draw(_SHUFFLES)](deck)
        for start in range(0, last + 1, max(1, size)):
            yield deck[start : start + size]


def _shuffled(places: Sequence[int], draw: Callable[[int], int]) -> list[int]:
    left = list(places)
    return [left.pop(draw(len(left))) for _ in places]


def _draw(number: int) -> Callable[[int], int]:
    """(n) -> one of 0 to n - 1, by Knuth's linear congruence, whose high bits serve."""
    state = number

    def draw(below: int) -> int:
        nonlocal state
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        return (state >> 32) * below >> 32

    return draw


def _number(decision: Decision) -> int:
    """Return a seed that depends on what the seat sees alone."""
    return int.from_bytes(sha256(repr((decision.seat, list(decision.events))).encode()).digest()[:8])


def no_edges(options: Any, meter: int | None) -> Mapping[str, BetOdds]:
    """Return no edges: there are no bets against the house."""
    return {}


ODDS = Odds(game=GAME, edges=no_edges, equity=equity)
