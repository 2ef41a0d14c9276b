"""Decks and their two-letter words. A card is its word everywhere: rank, then suit (G1); a pocket of a wheel is
its colour, then its number.
"""

from collections import Counter

from engine.errors import IllegalDeal

Card = str

RANKS = "23456789TJQKA"
SUITS = "cdhs"
HIDDEN: Card = "??"
JOKER: Card = "JK"

# The written order before the shuffle, which every verifier needs: clubs, diamonds, hearts, spades, each from 2 to ace.
FRENCH: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)

# PJ1, in its own order: the pairs of the table, highest first.
PAIJU: tuple[Card, ...] = tuple(
    "JK 3d Qh Qd 2h 2d 8h 8d 4h 4d Th Td 6h 6d 4s 4c Ts Tc 6s 6c Jd Jh 7d 7h 9h 9d 5h 5d 8s 8c 7s 7c".split()
)

# The red numbers of a wheel with a single zero, and its pockets, which are drawn like cards.
RED_NUMBERS = frozenset((1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36))
POCKETS: tuple[Card, ...] = ("g0", *(f"{'r' if n in RED_NUMBERS else 'b'}{n}" for n in range(1, 37)))


def is_pocket(card: Card) -> bool:
    """Return whether a card is a pocket of a wheel."""
    return card[1:].isdecimal()


def number_of(pocket: Card) -> int:
    """Return the number that a pocket shows: "r17" is 17."""
    return int(pocket[1:])


def check_deck(deck: tuple[Card, ...], full: tuple[Card, ...]) -> None:
    """Check that every card belongs to `full`, none more often than there (G6); a deck may stop early.

    Raises IllegalDeal.
    """
    there = Counter(full)
    for card, count in Counter(deck).items():
        if card not in there:
            raise IllegalDeal("{card} is not a card of this game.", "G1", card=card)
        if count > there[card]:
            raise IllegalDeal("{card} is in the deck more often than it should be.", "G6", card=card)
