"""What a player wants played when his time runs out (UT17)."""

from collections.abc import Mapping, Sequence

from engine.cards import Card
from engine.felt import Offers
from engine.games.uth import has_hidden_pair


def play_pairs(seat: str, offers: Offers, cards: Mapping[str, Sequence[Card]]) -> str:
    """UT17: "on the river play 1 with a pair or better that uses a hole card, else fold"; before it, check."""
    if any(offer.word == "check" for offer in offers):
        return "check"
    return "play 1" if has_hidden_pair(list(cards[seat]), list(cards["board"])) else "fold"


ORDERS = {"play-pairs": play_pairs}
