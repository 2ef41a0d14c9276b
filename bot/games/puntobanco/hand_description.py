"""Descriptions of Punto Banco hands (PB1, PB4)."""

from collections.abc import Mapping, Sequence

from bot.texts import Text
from engine.cards import HIDDEN, Card
from engine.games.puntobanco import count


def of_punto_banco(cards: Sequence[Card]) -> Text | None:
    """Describe a hand; two cards that count 8 or 9 are a natural."""
    if not cards or HIDDEN in cards:
        return None
    total = count(cards)
    if len(cards) == 2 and total >= 8:
        return Text("natural {total}", total=total)
    return Text("{total}", total=total)


def describe_hand(cards: Mapping[str, Sequence[Card]], to: str) -> Text | None:
    """The count of the hand that is asked for; None where a card of it is hidden."""
    return of_punto_banco(cards[to])
