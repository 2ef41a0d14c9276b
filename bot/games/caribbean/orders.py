"""What a player wants played when his time runs out (CS10)."""

from collections.abc import Mapping, Sequence

from engine import poker
from engine.cards import Card
from engine.felt import Offers
from engine.poker import category, rank


def raise_pairs(seat: str, offers: Offers, cards: Mapping[str, Sequence[Card]]) -> str:
    """CS10: "raise with a pair or better, else fold"."""
    return "raise" if category(rank(cards[seat])) >= poker.PAIR else "fold"


ORDERS = {"raise-pairs": raise_pairs}
