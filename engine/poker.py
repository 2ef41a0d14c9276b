"""Ranks of poker hands, and eight-or-better lows.

A card has an additive key: a power of five for its rank, a power of sixteen for its suit. The sum of the keys of five
to seven cards tells how often each rank and each suit is there, so one look-up answers for every order and every suit.
The tables start empty and remember each sum that they meet (49,205 rank sums at seven cards): importing costs nothing.
"""

from collections.abc import Callable, Iterable, Sequence

from engine.cards import FRENCH, RANKS, SUITS, Card

CATEGORIES = (
    "high card",
    "pair",
    "two pair",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "royal flush",
)
HIGH_CARD, PAIR, TWO_PAIR, THREE, STRAIGHT, FLUSH, FULL_HOUSE, FOUR, STRAIGHT_FLUSH, ROYAL_FLUSH = range(10)

# Worse than every low.
NO_LOW = 0x99999
_SUIT_BITS = 16
_SUIT_KEYS = [16**i for i in range(len(SUITS))]
# The count of each suit starts at three, so that its fifth card sets the highest of its four bits.
_NO_CARDS, _FLUSH = 0x3333, 0x8888
_VALUE = {rank: value for value, rank in enumerate(RANKS, start=2)}
_KEY: dict[Card, int] = {
    card: (5 ** RANKS.index(card[0]) << _SUIT_BITS) + _SUIT_KEYS[SUITS.index(card[1])] for card in FRENCH
}
_key = _KEY.__getitem__
_CARD = {key: card for card, key in _KEY.items()}


def value(card: Card) -> int:
    """Return 2 to 14, the ace high (G4)."""
    return _VALUE[card[0]]


def rank(cards: Sequence[Card]) -> int:
    """Rank the best five of five to seven cards as a number: the higher wins, equal ties, suits never count (G3).

    The number reads in hexadecimal: the category, then the five cards' values, those that make the hand first.
    Not checked: that the cards are different.
    """
    total = _add_up(cards)
    return _rank_flush(cards) if total & _FLUSH else _RANKS[total >> _SUIT_BITS]


def _add_up(cards: Sequence[Card]) -> int:
    if len(cards) == 7:  # unrolled, it takes half the time
        a, b, c, d, e, f, g = cards
        return _KEY[a] + _KEY[b] + _KEY[c] + _KEY[d] + _KEY[e] + _KEY[f] + _KEY[g] + _NO_CARDS
    return sum(map(_key, cards), _NO_CARDS)


def rank_each(cards: Sequence[Card], more: Sequence[Card]) -> list[int]:
    """Rank `cards` with one more card, for each of `more`."""
    total = sum(map(_key, cards), _NO_CARDS)
    if any(total + suit & _FLUSH for suit in _SUIT_KEYS):  # with one more card there may be a flush
        return [rank([*cards, card]) for card in more]
    return [_RANKS[total + _KEY[card] >> _SUIT_BITS] for card in more]


def rank_key(card: Card) -> int:
    """Return the value that `rank_ranks` adds up for a card."""
    return _KEY[card] >> _SUIT_BITS


def rank_ranks(keys: int) -> int:
    """Rank five to seven cards by the sum of their `rank_key`s, where no five of them share a suit."""
    return _RANKS[keys]


def category(ranked: int) -> int:
    """Return the category of a number of `rank`: HIGH_CARD to ROYAL_FLUSH."""
    return ranked >> 20


def name(ranked: int) -> str:
    """Return the category of a number of `rank` in words."""
    return CATEGORIES[ranked >> 20]


def low(cards: Sequence[Card]) -> int | None:
    """Return the best eight-or-better low of five to seven cards (SH10), or None: here the smaller wins.

    The number reads as the low in hexadecimal, the highest card first: 8-6-4-3-A is 0x86431.
    """
    return _LOWS[sum(map(_key, cards)) >> _SUIT_BITS]


def rank_and_low(cards: Sequence[Card]) -> tuple[int, int | None]:
    """Return `rank` and `low` together, for little more than the cost of one."""
    total = _add_up(cards)
    ranks = total >> _SUIT_BITS
    return _rank_flush(cards) if total & _FLUSH else _RANKS[ranks], _LOWS[ranks]


def key_of(card: Card) -> int:
    """Return the key of a card for `rank_sums`: the keys of a hand add up to its key."""
    return _KEY[card]


def rank_sums(sums: Iterable[int], keys_of: Callable[[int], Iterable[int]]) -> list[int]:
    """Rank very many hands by the sums of their cards' keys; `keys_of` gives the keys of one by its place."""
    counted = [total + _NO_CARDS for total in sums]
    return [
        _rank_flush([_CARD[key] for key in keys_of(place)]) if total & _FLUSH else _RANKS[total >> _SUIT_BITS]
        for place, total in enumerate(counted)
    ]


def low_sums(sums: Iterable[int]) -> list[int]:
    """Return `low` of very many hands by their sums, NO_LOW where there is none."""
    return [_LOWS[total >> _SUIT_BITS] or NO_LOW for total in sums]


def rank_showing(cards: Iterable[Card]) -> int:
    """Rank up to four open cards by four, three, two pair, pair and high cards only (SH5): the higher begins."""
    return _SHOWING[sum(map(_key, cards)) >> _SUIT_BITS]


class _Ranks(dict[int, int]):
    def __missing__(self, ranks: int) -> int:
        ranked = _rank_groups(_counts(ranks), straights=True)
        # Sums share a few thousand rank objects, which stay in the processor's cache.
        self[ranks] = ranked = _SAME.setdefault(ranked, ranked)
        return ranked


class _Showing(dict[int, int]):
    def __missing__(self, ranks: int) -> int:
        self[ranks] = ranked = _rank_groups(_counts(ranks), straights=False)
        return ranked


class _Lows(dict[int, int | None]):
    def __missing__(self, ranks: int) -> int | None:
        values = sorted({1 if v == 14 else v for v in _counts(ranks)} & set(range(1, 9)))
        self[ranks] = lowest = _hexadecimal(values[4::-1]) if len(values) >= 5 else None
        return lowest


_RANKS = _Ranks()
_SAME: dict[int, int] = {}
_SHOWING = _Showing()
_LOWS = _Lows()


def _counts(ranks: int) -> dict[int, int]:
    """Return how often each value occurs, from a sum of powers of five."""
    counts = {}
    for v in range(2, 15):
        ranks, count = divmod(ranks, 5)
        if count:
            counts[v] = count
    return counts


def _hexadecimal(values: Iterable[int]) -> int:
    number = 0
    for v in values:
        number = number << 4 | v
    return number


def _straight(values: Iterable[int]) -> int:
    """Return the highest card of the best straight, 0 for none. The ace is low in A-2-3-4-5 (G4)."""
    there = 0
    for v in values:
        there |= 1 << v
    there |= (there >> 14) << 1
    runs = there & there >> 1 & there >> 2 & there >> 3 & there >> 4
    return runs.bit_length() + 3 if runs else 0


def _rank_groups(counts: dict[int, int], *, straights: bool) -> int:
    """Rank everything but flushes. Larger groups come first, then higher values; five cards count."""
    # In seven cards a straight leaves no room for a full house or four of a kind.
    if straights and (top := _straight(counts)):
        return STRAIGHT << 20 | _hexadecimal(range(top, top - 5, -1))
    grouped = sorted(counts, key=lambda v: (counts[v], v), reverse=True)
    sizes = [counts[v] for v in grouped]
    if sizes[0] == 4:
        kind, made = FOUR, grouped[:1] * 4
    elif sizes[0] == 3 and sizes[1:] and sizes[1] >= 2:
        kind, made = FULL_HOUSE, grouped[:1] * 3 + grouped[1:2] * 2
    elif sizes[0] == 3:
        kind, made = THREE, grouped[:1] * 3
    elif sizes[:2] == [2, 2]:
        kind, made = TWO_PAIR, grouped[:1] * 2 + grouped[1:2] * 2
    elif sizes[0] == 2:
        kind, made = PAIR, grouped[:1] * 2
    else:
        kind, made = HIGH_CARD, []
    kickers = sorted((v for v in grouped if v not in made for _ in range(counts[v])), reverse=True)
    return kind << 20 | _hexadecimal((made + kickers + [0] * 5)[:5])


def _rank_flush(cards: Sequence[Card]) -> int:
    """Rank a hand with five or more cards of one suit, which has no room for a full house or four of a kind."""
    suits = [card[1] for card in cards]
    suit = max(suits, key=suits.count)
    values = sorted((value(card) for card in cards if card[1] == suit), reverse=True)
    if top := _straight(values):
        kind = ROYAL_FLUSH if top == 14 else STRAIGHT_FLUSH
        return kind << 20 | _hexadecimal(range(top, top - 5, -1))
    return FLUSH << 20 | _hexadecimal(values[:5])
