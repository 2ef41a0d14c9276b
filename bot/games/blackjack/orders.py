"""What a player wants played when his time runs out (BJ6)."""

from collections.abc import Mapping, Sequence

from bot.core.state.plays import Order
from engine.cards import Card
from engine.felt import Offers
from engine.games.blackjack import count


def stand_on(total: int) -> Order:
    """BJ6: an instruction; draw below the total, insure nothing."""

    def order(seat: str, offers: Offers, cards: Mapping[str, Sequence[Card]]) -> str:
        words = {offer.word for offer in offers}
        if "decline" in words:
            return "decline"
        now = count(cards[offers[0].on or seat])[0]
        return "hit" if now < total and "hit" in words else "stand"

    return order


ORDERS = {f"stand-{total}": stand_on(total) for total in range(12, 19)}
