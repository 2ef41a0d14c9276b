"""Paiju (PJ), Casinò Lugano: 32 cards, the bank against three positions, bets on one of them or across two."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from engine.cards import JOKER, PAIJU, Card
from engine.felt import Felt, Game, Limits, Script, areas_check

# PJ5: the order of the cards, anticlockwise. PJ2: EAST is the bank.
POSITIONS = ("east", "north", "west", "south")
# PJ3: an area across two positions (a cavallo) names both.
AREAS = ("south", "west", "north", "south-west", "north-west", "north-south")

# PJ7: the table of pairs.
_PAIRS = {
    "JK 3d": 20,
    "Qh Qd": 19,
    "2h 2d": 18,
    "8h 8d": 17,
    "4h 4d": 16,
    "Th Td": 15,
    "6h 6d": 15,
    "4s 4c": 15,
    "Ts Tc": 14,
    "6s 6c": 14,
    "Jd Jh": 14,
    "7d 7h": 14,
    "9h 9d": 13,
    "5h 5d": 13,
    "8s 8c": 13,
    "7s 7c": 13,
}
_SCORES = {frozenset(pair.split()): score for pair, score in _PAIRS.items()}
# PJ7: by rank, whatever the suits.
_MIXED = {frozenset("Q9"): 12, frozenset("Q8"): 11, frozenset("82"): 10}
# PJ8: "ten 0, J 1, Q 2, joker 6, the rest their number".
_POINTS = {rank: int(rank) for rank in "23456789"} | {"T": 0, "J": 1, "Q": 2}
# PJ9: each card is worth what its pair scores, but "the joker only 6 and the 3d only 3".
_WORTH = {card: score for pair, score in _SCORES.items() for card in pair} | {JOKER: 6, "3d": 3}

# A score and, where it can decide a tie, the value of the best single card.
Strength = tuple[int, int]


@dataclass(frozen=True)
class PaijuOptions(Limits):
    """Options of Paiju: `squeeze` lets players turn cards themselves (PJ12) and never changes the result."""

    minimum: int = 500
    step: int = 100
    maximum: int = 50000
    squeeze: bool = True


def play(felt: Felt) -> Script:
    """Play a hand: dice, cards, four hands compared, areas paid. No player has a choice."""
    bets = felt.place_all()
    felt.call("no more bets")

    start = deal_cards(felt)
    strengths = {position: strength(*felt.cards[position]) for position in POSITIONS}
    felt.facts |= {
        "start": start,
        "hands": {position: {"cards": felt.cards[position], "score": own[0]} for position, own in strengths.items()},
    }
    for position in ("south", "west", "north", "east"):  # PJ6
        felt.show(position)

    for seat, spots in bets.items():
        for area in AREAS:
            if area in spots:
                settle(felt, seat, area, spots[area], strengths)
    # No choices after "no more bets" (PJ4): the script asks nothing.
    yield from ()


def deal_cards(felt: Felt) -> str:
    """Deal two rounds from the position that the dice name (PJ5), and return that position."""
    # PJ5: "5, 9 EAST; 2, 6, 10 NORTH; 3, 7, 11 WEST; 4, 8, 12 SOUTH".
    first = (sum(felt.roll()) - 1) % 4
    order = POSITIONS[first:] + POSITIONS[:first]
    felt.deal_each(order * 2, up=False)
    return order[0]


def settle(felt: Felt, seat: str, area: str, bet: int, strengths: Mapping[str, Strength]) -> None:
    """Settle one bet: a position wins or loses; a bet across two pushes if exactly one beats the bank (PJ11)."""
    bank = strengths["east"]
    hands = [strengths[position] for position in area.split("-")]
    beating = sum(hand > bank for hand in hands)
    scores = " ".join(str(hand[0]) for hand in hands)
    if beating == len(hands):
        felt.pay(seat, area, 2 * bet, "win", "PJ11", hand=scores, odds=(1, 1))
    elif beating:
        felt.pay(seat, area, bet, "push", "PJ11", hand=scores)
    else:  # PJ10: "The bank wins ties."
        felt.pay(seat, area, 0, "lose", "PJ10" if bank in hands else "PJ11", hand=scores)


def score(one: Card, other: Card) -> int:
    """Score two cards: 10 to 20 by the table of pairs (PJ7), else the last digit of the sum (PJ8)."""
    pair = _SCORES.get(frozenset((one, other))) or _MIXED.get(frozenset((one[0], other[0])))
    return pair or (points(one) + points(other)) % 10


def points(card: Card) -> int:
    """Return what a card adds to a sum (PJ8)."""
    return 6 if card == JOKER else _POINTS[card[0]]


@cache
def strength(one: Card, other: Card) -> Strength:
    """Return a strength that compares by PJ9: the score, then the best single card if it is a sum above 0."""
    own = score(one, other)
    return own, max(_WORTH[one], _WORTH[other]) if 0 < own < 10 else 0


GAME = Game(
    name="paiju",
    script=play,
    options=PaijuOptions,
    check=areas_check("PJ2"),
    spots=AREAS,
    turn="PJ4",
    full_deck=lambda options: PAIJU,
    dice="PJ5",
)
