"""Best play at Caribbean Stud over every deal, counted: what `python -m tests.counted.caribbean_best` ships as data.

By symmetry the open card is any suit's. A deal belongs to a class: the ranks of the five cards, which of them have the
open card's suit, and which four or five have another in common. All deals of a class are worth the same.
"""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations
from math import comb
from typing import NamedTuple

from engine.cards import RANKS, SUITS
from engine.games.caribbean import PAYS
from engine.games.caribbean_choices import NO_ODD, UNKNOWN, Hand, hands
from engine.games.caribbean_odds import MIXED, SUITED, DealerHands, Plain, compare, flushes, raise_net, rank_of
from engine.poker import name

# CS5: the dealer's four hidden cards out of 46 unseen ones, or 45 after an exchange.
BEFORE, AFTER = comb(46, 4), comb(45, 4)
# All sums are over this many equally likely outcomes of each deal: a card to exchange, then four hidden ones.
ENDS = 46 * AFTER
DEALS = comb(51, 5)
"""Number of a player's five cards, for one open card."""

# A card in a class: its rank, and whether its suit is the open card's, the one shared by four or five, or another.
_OTHER, _OPEN, _SHARED = range(3)
Card = tuple[str, int]
Class = tuple[Card, ...]
FOLD, RAISE = ("fold", -1), ("raise", -1)

_KINDS = [(_SHARED, 0, 0, _OPEN), (0, _SHARED, 0, _OPEN), (0, 0, _SHARED, _OPEN)]


class Sums(NamedTuple):
    """Sums of all deals with one open rank, in antes times ENDS: by best play, and by the best without exchange."""

    best: int
    without_exchange: int


def classes(up: str) -> Counter[Class]:
    """Return {class: the number of its deals}, the open card being the `up` of the last suit."""
    cards = [(one, suit) for one in RANKS for suit in range(len(SUITS)) if (one, suit) != (up, 3)]
    found: Counter[Class] = Counter()
    for five in combinations(cards, 5):
        suits = [suit for _, suit in five]
        shared = next((suit for suit in range(3) if suits.count(suit) >= 4), None)
        kinds = (_OTHER, _OTHER, _OTHER, _OPEN) if shared is None else _KINDS[shared]
        found[tuple(sorted([(one, kinds[suit]) for one, suit in five]))] += 1
    return found


class Valued(NamedTuple):
    """The value of a class in antes times ENDS, and the best choice: a card to exchange, FOLD or RAISE."""

    best: int
    without_exchange: int
    choice: Card


class Counted(NamedTuple):
    """All deals with one open rank: their sums, and the best choice for each of `hands`."""

    sums: Sums
    choices: str


def count(up: str) -> Counted:
    """Count all classes; takes a minute or two."""
    table = Table(up)
    return gather(up, ((five, number, table.value(five)) for five, number in classes(up).items()))


def gather(up: str, valued: Iterable[tuple[Class, int, Valued]]) -> Counted:
    """Sum up every class with this open rank, given with its number of deals and its value."""
    best = without = 0
    choices: dict[Hand, str] = {}
    for five, number, value in valued:
        best += number * value.best
        without += number * value.without_exchange
        choice = _write(five, value.choice)
        hand = _ranks(five), _odd(five)
        choices[hand] = choice if choices.get(hand, choice) == choice else UNKNOWN
    return Counted(Sums(best, without), "".join([choices[hand] for hand in hands(up)]))


def _write(five: Class, choice: Card) -> str:
    """Return the choice as `find_choice` returns it."""
    if choice in (FOLD, RAISE):
        return choice[0][0]
    alike = {suit for rank, suit in five if rank == choice[0]}
    is_odd = choice[0] == _odd(five) and choice[1] != _shared(five)
    return choice[0] if len(alike) == 1 or is_odd else UNKNOWN


def _odd(five: Class) -> str:
    """Return the second part of a `Hand`."""
    shared = _shared(five)
    others = [rank for rank, suit in five if suit != shared]
    return "" if shared == _OTHER else others[0] if others else NO_ODD


def _shared(five: Class) -> int:
    """Return the suit shared by four or five cards."""
    suits = [suit for _, suit in five]
    return next((suit for suit in (_OPEN, _SHARED) if suits.count(suit) >= 4), _OTHER)


class Table:
    """Every decision before an exchange, with an open card of rank `up`."""

    def __init__(self, up: str) -> None:
        self._up = up
        self._there = {one: 3 if one == up else 4 for one in RANKS}
        self._counted: dict[tuple[str, str, int], Plain] = {}

    def value(self, five: Class) -> Valued:
        """Return the values and the best of all choices."""
        ranked = rank_of(_ranks(five), SUITED if _is_suited(five) else MIXED)
        raised = ENDS // BEFORE * self._raise(_ranks(five), "", self._left(five), ranked, BEFORE)
        without = max(-ENDS, raised)
        best, choice = without, RAISE if raised > -ENDS else FOLD
        for card in dict.fromkeys(five):
            kept = list(five)
            kept.remove(card)
            bought = self._exchange(tuple(kept), card)
            if bought > best:
                best, choice = bought, card
        return Valued(best, without, choice)

    def _exchange(self, kept: Class, gone: Card) -> int:
        """Return the value of an exchange: the fee, and for each possible card the better of a fold and a raise."""
        five = (*kept, gone)
        left = self._left(five)
        is_draw, total = _is_suited(kept), -ENDS
        for one, there in self._there.items():
            number = there - sum(rank == one for rank, _ in five)
            if not number:
                continue
            ranks, seen = _ranks(((one, 0), *kept)), _ranks(((one, 0), *five))
            plain, flush = rank_of(ranks), rank_of(ranks, SUITED) if is_draw else 0
            if one in left:
                own = flush if is_draw and kept[0][1] == _OPEN else plain
                total += self._bought(seen, gone[0], left.replace(one, ""), own)
                number -= 1
            if is_draw and kept[0][1] == _SHARED and (one, _SHARED) not in five:
                total += self._bought(seen, gone[0], left, flush)
                number -= 1
            if number:
                total += number * self._bought(seen, gone[0], left, plain)
        return total

    def _bought(self, seen: str, gone: str, left: str, own: int) -> int:
        return max(-AFTER, self._raise(seen, gone, left, own, AFTER))

    def _raise(self, seen: str, gone: str, left: str, own: int, hands: int) -> int:
        """Return the net of a raise. `left`: the unseen ranks of the open card's suit."""
        plain = self._counted.get((seen, gone, own)) or self._count(seen, gone, own)
        beaten = compare(plain, flushes(self._up, left), own, hands)
        return raise_net(beaten, 1, 2, PAYS[name(own)][bool(gone)])

    def _count(self, seen: str, gone: str, own: int) -> Plain:
        """Count for a player who has seen these ranks and holds all but `gone`; all such hands at once."""
        dealer = DealerHands(self._up, [there - seen.count(one) for one, there in self._there.items()])
        for other in dict.fromkeys(seen) if gone else [""]:
            held = seen.replace(other, "", 1)
            for ranked in (rank_of(held), rank_of(held, SUITED)) if len(set(held)) == 5 else (rank_of(held),):
                self._counted[seen, other, ranked] = dealer.count(ranked)
        return self._counted[seen, gone, own]

    def _left(self, five: Class) -> str:
        return "".join([one for one in RANKS if one != self._up and (one, _OPEN) not in five])


def _ranks(cards: Class) -> str:
    return "".join(sorted([rank for rank, _ in cards]))


def _is_suited(cards: Class) -> bool:
    """Return whether all cards have a known suit: the open card's, or one shared by four or five."""
    return len({suit for _, suit in cards}) == 1 and cards[0][1] != _OTHER
