"""Distribution of the dealer's result over the cards that are left (BJ14), every order of them counted. No random
numbers here.

A card is represented by its kind: 0 is an ace, 1 to 8 are 2 to 9, and 9 is any card that counts ten. The cards that
have gone are one number, the sum of their `GONE`.
"""

from collections.abc import Sequence
from functools import cache
from itertools import groupby, islice
from operator import mul
from typing import NamedTuple

KINDS = range(10)
ACE, SEVEN, TEN = 0, 6, 9
OF_A_DECK = (*[4] * 9, 16)
BITS = 6
MOST = (1 << BITS) - 1
GONE = [1 << BITS * kind for kind in KINDS]
# The most cards that a dealer can draw: to a hard 17 with aces alone.
_LONGEST = 17
# Number of cached weights, from which others follow.
_KEPT = 1024
# The dealer's results: 17 to 21 are 0 to 4.
_BUST, _BLACK_JACK = 5, 6
# Results that a total below 17, and each from 17 to 21, beats, and those that beat it.
_COMPARED = [(0, 0), (0, 1), (1, 2), (2, 3), (3, 4), (4, 5)]

Nets = tuple[float, ...]
"""Net results of a unit that stands below 17 and on 17, 18, 19, 20, 21. A Black Jack of the dealer's,
and cards that run out, count as nothing.
"""


class Ends(NamedTuple):
    """Every set of cards with which a dealer ends, by total and number of cards.

    ways    in how many orders the dealer draws it
    counts  for each kind, how many of it each set has
    groups  (total, number of cards, from, to): the sets that belong together
    """

    ways: list[float]
    counts: list[list[int]]
    groups: list[tuple[int, int, int, int]]


def count_of(gone: int, kind: int) -> int:
    """Return how many cards of a kind are gone."""
    return gone >> BITS * kind & MOST


def total_of(low: int, has_ace: bool) -> tuple[int, bool]:
    """Return the total of cards that sum to `low` with aces as 1, and whether it is soft (BJ9)."""
    return (low + 10, True) if has_ace and low <= 11 else (low, False)


@cache
def find_ends(up: int, hits_soft_17: bool) -> Ends:
    """Return the dealer's possible draws to an open card. Whether the dealer draws depends on the set, not on its
    order.
    """
    going, ends = {0: (up + 1, up == ACE, 1)}, dict[int, tuple[int, int]]()
    while going:
        longer: dict[int, tuple[int, bool, int]] = {}
        for drawn, (low, has_ace, ways) in going.items():
            for kind in KINDS:
                cards, after = drawn + GONE[kind], low + kind + 1
                total, is_soft = total_of(after, has_ace or kind == ACE)
                if total < 17 or (total == 17 and is_soft and hits_soft_17):
                    before = longer.get(cards, (0, False, 0))[2]
                    longer[cards] = after, has_ace or kind == ACE, before + ways
                else:
                    end = _BLACK_JACK if drawn == 0 and total == 21 else min(total - 17, _BUST)
                    ends[cards] = end, ends.get(cards, (0, 0))[1] + ways
        going = longer
    return _lay_out(ends)


def _lay_out(ends: dict[int, tuple[int, int]]) -> Ends:
    sets = sorted(
        (end, sum(counts), counts, ways) for cards, (end, ways) in ends.items() for counts in [_counts(cards)]
    )
    groups, start = [], 0
    for (end, length), alike in groupby(sets, key=lambda one: one[:2]):
        stop = start + len(list(alike))
        groups.append((end, length, start, stop))
        start = stop
    return Ends([float(one[3]) for one in sets], [[one[2][kind] for one in sets] for kind in KINDS], groups)


def _counts(gone: int) -> tuple[int, ...]:
    return tuple(count_of(gone, kind) for kind in KINDS)


class DealersOdds:
    """Odds against a dealer who shows `up` and draws from `unseen`, the number of cards of each kind.

    With `counts_all` everything is counted. Else what three and more cards that have gone change is reckoned from what
    each of them changes, and each two (Newton's forward differences, to the second). The worth of a hand comes right
    to 1e-7 of its bet so for six decks, to 1e-4 for 33 cards.
    """

    def __init__(self, unseen: Sequence[int], up: int, *, hits_soft_17: bool, counts_all: bool) -> None:
        self.unseen = tuple(unseen)
        self.size = sum(unseen)
        self.counts_all = counts_all
        # The second card that makes Black Jack (BJ9); an impossible kind if none does.
        self._second = {ACE: TEN, TEN: ACE}.get(up)
        self._ends = find_ends(up, hits_soft_17)
        self._weights = {0: self._first_weights()}
        self._nets: dict[int, Nets] = {}
        self._shares: dict[int, list[float]] = {}
        self._ratios: dict[tuple[int, int], list[float]] = {}
        self._changes: dict[int, Nets] = {}
        self._reckoned: dict[tuple[int, int], float] = {}

    @property
    def may_have_black_jack(self) -> bool:
        return self._second is not None

    def black_jack(self, gone: int, size: int) -> float:
        """Return the chance of a dealer's Black Jack when `gone`, `size` cards, have left the unseen ones."""
        if self._second is None or size == self.size:
            return 0.0
        return (self.unseen[self._second] - count_of(gone, self._second)) / (self.size - size)

    def net(self, total: int, gone: int, size: int) -> float:
        """Return the net of a unit that stands on `total`, as in `Nets`."""
        index = total - 16 if total > 16 else 0
        if self.counts_all or size < 3:
            return self._count(gone, size)[index]
        net = self._reckoned.get((gone, index))
        if net is None:
            net = self._reckoned[gone, index] = self._reckon(gone, index)
        return net

    def _first_weights(self) -> list[float]:
        """Return for each end the number of orders in which these cards make it."""
        weights = self._ends.ways
        for kind in KINDS:
            ways = _falling(self.unseen[kind])
            weights = list(map(mul, weights, map(ways.__getitem__, self._ends.counts[kind])))
        return weights

    def _weights_after(self, gone: int) -> list[float]:
        """Return the weights after some cards have gone, from those with one card less."""
        weights = self._weights.get(gone)
        if weights is None:
            before, kind = self._one_less(gone)
            ratios = self._ratios_of(kind, count_of(before, kind))
            weights = list(map(mul, self._weights_after(before), ratios))
            if len(self._weights) >= _KEPT:
                del self._weights[next(islice(self._weights, 1, None))]  # the oldest but the first
            self._weights[gone] = weights
        return weights

    def _one_less(self, gone: int) -> tuple[int, int]:
        less = [(gone - GONE[kind], kind) for kind in KINDS if count_of(gone, kind)]
        return next((one for one in less if one[0] in self._weights), less[0])

    def _ratios_of(self, kind: int, gone: int) -> list[float]:
        """Return for each end the share of its orders that is left when another card of a kind goes, `gone` having gone
        already.
        """
        ratios = self._ratios.get((kind, gone))
        if ratios is None:
            left = self.unseen[kind] - gone
            by_count = [(left - count) / left for count in range(_LONGEST + 1)]
            ratios = self._ratios[kind, gone] = list(map(by_count.__getitem__, self._ends.counts[kind]))
        return ratios

    def _count(self, gone: int, size: int) -> Nets:
        nets = self._nets.get(gone)
        if nets is None:
            weights, shares = self._weights_after(gone), self._shares_of(self.size - size)
            chances = [0.0] * 7
            for end, length, start, stop in self._ends.groups:
                chances[end] += sum(weights[start:stop]) * shares[length]
            made, bust = chances[:_BUST], chances[_BUST]
            nets = tuple([bust + sum(made[:below]) - sum(made[above:]) for below, above in _COMPARED])
            self._nets[gone] = nets
        return nets

    def _shares_of(self, left: int) -> list[float]:
        """Return by length the chance of each order of that many cards out of all that are left."""
        if left not in self._shares:
            self._shares[left] = [1 / ways if ways else 0.0 for ways in _falling(left)]
        return self._shares[left]

    def _reckon(self, gone: int, index: int) -> float:
        value = self._count(0, 0)[index]
        kinds = [(kind, number) for kind in KINDS if (number := count_of(gone, kind))]
        for place, (kind, number) in enumerate(kinds, start=1):
            value += number * self._change(GONE[kind])[index]
            if number > 1:
                value += number * (number - 1) / 2 * self._change_of_two(kind, kind)[index]
            for other, times in kinds[place:]:
                value += number * times * self._change_of_two(kind, other)[index]
        return value

    def _change(self, one: int) -> Nets:
        """Return the change of the nets when one card of a kind goes."""
        change = self._changes.get(one)
        if change is None:
            change = self._changes[one] = _less(self._count(one, 1), self._count(0, 0))
        return change

    def _change_of_two(self, kind: int, other: int) -> Nets:
        """Return the change of the nets when both cards go, beyond the changes by each of them."""
        both = GONE[kind] + GONE[other]
        change = self._changes.get(both)
        if change is None:
            change = _less(self._count(both, 2), self._count(GONE[kind], 1))
            change = self._changes[both] = _less(change, self._change(GONE[other]))
        return change


def _less(nets: Nets, others: Nets) -> Nets:
    return tuple([net - other for net, other in zip(nets, others, strict=True)])


def _falling(number: int) -> list[float]:
    """Return falling products: number, number x (number - 1)..., the ways to draw 0, 1, 2... of them in order."""
    ways = [1.0]
    for taken in range(_LONGEST):
        ways.append(ways[-1] * max(number - taken, 0))
    return ways
