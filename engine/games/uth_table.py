"""Figures of Ultimate Texas Hold'em that were counted beforehand: two cards alone, and best play on the flop.

`uth_counts.json` has them, from `python -m tests.engine.uth_by_boards`, which takes minutes:

    sums    by class of two cards: play, rest, wait and flush by the rule of Venice, the same by the American one, trips
    shares  by rule: how many of 1,326 times `RUNS` end above and below nothing by best play
    spared  by rule and class: what waiting loses, as rate:amount at each end of a straight line
    flops   by rule: bits of flops and hands, each flop's as they differ from the one before, compressed

It is read when it is first asked for.
"""

import json
import zlib
from base64 import b85decode
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import combinations
from math import comb
from typing import Any, NamedTuple

from engine.cards import FRENCH, RANKS, SUITS, Card

# Number of flops for two cards, of turns and rivers after those, and of dealers' hands after all.
RUNS = comb(50, 3) * comb(47, 2) * comb(45, 2)
RATES = 3960
"""Resolution of the ratio of Trips to the ante."""
SPARED = 10**9
"""Resolution of its effect, as parts of an ante."""
_RULES = ("venice", "us")


class TwoCards(NamedTuple):
    """Sums over all `RUNS`, in antes, by one rule of `nonqualify`.

    play   won less lost: what each ante on Play brings
    rest   Ante and Blind of who plays before the flop, the flush's Blind left out
    wait   the same of who waits, with Play or the fold, whichever is better on the flop and on the river
    flush  won with a flush, whenever one plays: none is ever folded
    trips  net of one Trips that stays live
    """

    play: int
    rest: int
    wait: int
    flush: int
    trips: int


def hand_class(own: Sequence[Card]) -> str:
    """Return the class of hands that play alike before the flop: AA, AKs or AKo."""
    one, other = sorted(own, key=FRENCH.index)
    low, high = sorted((one[0], other[0]), key=RANKS.index)
    if low == high:
        return high + low
    return high + low + ("s" if one[1] == other[1] else "o")


@cache
def class_sizes() -> Mapping[str, int]:
    """Return the number of hands in each class, of 1,326."""
    sizes: dict[str, int] = {}
    for own in combinations(FRENCH, 2):
        name = hand_class(own)
        sizes[name] = sizes.get(name, 0) + 1
    return sizes


COUNTS = files(__package__) / "uth_counts.json"


@cache
def _counts() -> dict[str, Any]:
    counts: dict[str, Any] = json.loads(COUNTS.read_text("utf-8"))
    return counts


@cache
def two_cards(rule: str) -> Mapping[str, TwoCards]:
    """Return the sums of two cards by class."""
    first = 4 * _RULES.index(rule)
    return {name: TwoCards(*[*sums[first : first + 4], sums[-1]]) for name, sums in _counts()["sums"].items()}


def shares(rule: str) -> tuple[int, int]:
    """Return how many of 1,326 times `RUNS` end above and below 0 by best play, without Trips."""
    above, below = _counts()["shares"][_RULES.index(rule)]
    return above, below


def spared(rule: str, hand: str, ante: int, trips: int) -> float:
    """Return how much less waiting is worth if a fold loses Trips too (UT15), in antes, to 1e-6 of one.

    With Trips of a quarter of the ante or more, no hand that Trips pays is folded.
    """
    rate = trips * RATES / ante
    rates, amounts = _knots(rule)[hand]
    if rate >= rates[-1]:
        return amounts[-1] / SPARED
    at = bisect_right(rates, rate)
    part = (rate - rates[at - 1]) / (rates[at] - rates[at - 1])
    return (amounts[at - 1] + part * (amounts[at] - amounts[at - 1])) / SPARED


@cache
def _knots(rule: str) -> Mapping[str, tuple[list[int], list[int]]]:
    """Return the rates and amounts of each class, the knots of a piecewise linear function."""
    knots: dict[str, tuple[list[int], list[int]]] = {}
    for name, ends in _counts()["spared"][_RULES.index(rule)].items():
        rates, amounts = [0], [0]
        for end in ends.split():
            rate, amount = end.split(":")
            rates.append(int(rate))
            amounts.append(int(amount))
        knots[name] = rates, amounts
    return knots


def plays_flop(rule: str, own: Sequence[Card], flop: Sequence[Card]) -> bool:
    """Check whether Play 2 is better than waiting. Meaningless for a hand that has played before the flop."""
    masks = dict.fromkeys(SUITS, 0)
    for card in flop:
        masks[card[1]] |= 1 << RANKS.index(card[0])
    order = sorted(SUITS, key=masks.__getitem__, reverse=True)
    renamed = dict(zip(order, SUITS, strict=True))
    one, other = (card[0] + renamed[card[1]] for card in own)
    place = _flop_places()[tuple(masks[suit] for suit in order)]
    return bool(_flop_rows(rule)[place] >> hand_places()[one, other] & 1)


@cache
def _flop_rows(rule: str) -> list[int]:
    """Return by flop the bits of hands. Each stored row has the differences from the one before."""
    packed = zlib.decompress(b85decode(_counts()["flops"][_RULES.index(rule)]))
    size = len(packed) // len(_flop_places())
    rows, row = [], 0
    for start in range(0, len(packed), size):
        row ^= int.from_bytes(packed[start : start + size], "little")
        rows.append(row)
    return rows


@cache
def hand_places() -> Mapping[tuple[Card, Card], int]:
    """Return the place of two cards, in both orders, in a row of the flop, sorted by ranks."""
    hands = sorted(
        combinations(FRENCH, 2), key=lambda own: sorted((RANKS.index(card[0]) for card in own), reverse=True)
    )
    return {both: place for place, (one, other) in enumerate(hands) for both in ((one, other), (other, one))}


@cache
def _flop_places() -> Mapping[tuple[int, ...], int]:
    return {masks: place for place, masks in enumerate(sets_of_suits(3))}


def sets_of_suits(cards: int, suits: int = 4, most: int = 1 << len(RANKS)) -> Iterator[tuple[int, ...]]:
    """Yield sets of cards as ranks in bits, one number a suit, none greater than the one before.

    All orders of the suits play alike, so these represent all: 1,755 flops for 22,100.
    """
    if suits == 1:
        yield from ((mask,) for mask in _masks(cards) if mask <= most)
        return
    for size in range(cards + 1):
        for mask in _masks(size):
            if mask > most:
                break
            yield from ((mask, *others) for others in sets_of_suits(cards - size, suits - 1, mask))


@cache
def _masks(size: int) -> tuple[int, ...]:
    """Return all sets of that many ranks, by rising number."""
    return tuple(mask for mask in range(1 << len(RANKS)) if mask.bit_count() == size)
