"""A seat's share of the pot against random hands, sampled or counted, for games between players.

What is sampled follows from what the seat sees, so that the same record always gives the same figure.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from hashlib import sha256
from itertools import combinations, islice
from math import fsum, sqrt
from operator import itemgetter, mul
from typing import Any, NamedTuple

from engine.cards import FRENCH, HIDDEN
from engine.events import Moved
from engine.odds import BetOdds, Decision, seen
from engine.poker import key_of

# Number of hands ranked for one figure at most; the standard error is then below 0.002.
RANKED = 130_000
# At this standard error sampling stops.
FINE = 0.0013
_SHUFFLES = 64
_AT_ONCE = 1000
Keys = tuple[int, ...]


class Draw(NamedTuple):
    """Known cards of a seat, as keys, and the number of cards to come."""

    known: Keys
    more: int


Shares = Callable[[Sequence[Draw], Sequence[Keys], int], Iterable[float]]
"""(draws, deals, cards to come for all) -> the first seat's part of the pot in each deal."""


def sample_equity(decision: Decision, draws: Sequence[Draw], shared: int, shares: Shares) -> float:
    """Return the mean share of the main pot among those still in, odd chips left out.

    Every card that the seat has not seen may be anywhere; cards of folded hands that lay open are seen.
    """
    known = set(seen(decision))
    unseen = [key_of(card) for card in FRENCH if card not in known]
    deals = _deal(unseen, shared + sum(draw.more for draw in draws), _number(decision))
    total, squares, rounds, error = 0.0, 0.0, 0, 1.0
    while error > FINE and rounds * len(draws) < RANKED:
        block = list(shares(draws, list(islice(deals, _AT_ONCE)), shared))
        total, squares, rounds = total + sum(block), squares + sum(map(mul, block, block)), rounds + _AT_ONCE
        error = sqrt(max(0.0, squares / rounds - (total / rounds) ** 2) / rounds)
    return total / rounds


def count_equity(decision: Decision, draws: Sequence[Draw], shared: int, shares: Shares) -> float:
    """Return the exact mean share against one other seat: every deal of the cards to come counts once.

    Only the other seat's own cards and `shared` may be unknown.
    """
    known = set(seen(decision))
    unseen = [key_of(card) for card in FRENCH if card not in known]
    own = [
        (*common, *cards)
        for common in combinations(unseen, shared)
        for cards in combinations([key for key in unseen if key not in common], draws[1].more)
    ]
    return fsum(shares(draws, own, shared)) / len(own)


def find_live(decision: Decision) -> list[str]:
    """Return the seats that have not folded, that of the decision first."""
    moved = [event for event in decision.events if isinstance(event, Moved)]
    folded = {event.seat for event in moved if "fold" in (event.word, event.played)}
    live = [str(stake.seat) for stake in decision.stakes if str(stake.seat) not in folded]
    return sorted(live, key=lambda seat: seat != decision.seat)


def draw_of(decision: Decision, seat: str, cards: int) -> Draw:
    """Return the draw of a seat that plays this many cards of its own and of the board."""
    seen_there = (*decision.cards[seat], *decision.cards.get("board", ()))
    known = tuple(key_of(card) for card in seen_there if card != HIDDEN)
    return Draw(known, cards - len(known))


def sums_of(
    draws: Sequence[Draw], deals: Sequence[Keys], shared: int
) -> Iterator[tuple[list[int], Callable[[int], Keys]]]:
    """Yield the sum of each hand's keys in each deal, and a function that returns one of the hands, seat by seat.

    Shared cards come first in a deal, then each seat's own.
    """
    at = shared
    for known, more in draws:
        to, base = at + more, sum(known)
        sums = [sum(deal[at:to], base) for deal in deals]
        if shared:
            sums = [total + sum(deal[:shared]) for total, deal in zip(sums, deals, strict=True)]
        yield sums, partial(_hand, deals, known, shared, at, to)
        at = to


def _hand(deals: Sequence[Keys], known: Keys, shared: int, at: int, to: int, place: int) -> Keys:
    """Return one of those hands, card by card."""
    return known + deals[place][:shared] + deals[place][at:to]


def count_equal(column: Sequence[Sequence[int]], place: int) -> int:
    """Count the columns that have the same value as the first at a place."""
    return sum(each[place] == column[0][place] for each in column)


def _deal(unseen: Sequence[int], size: int, number: int) -> Iterator[Keys]:
    """Yield hands of `size` cards without end, each as likely as any other. `number` decides which come."""
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
    """Return a function of n that draws from 0 to n - 1, by Knuth's linear congruence, whose high bits serve."""
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
