"""Descriptions of Paiju hands: by the table of pairs (PJ7), or the sum (PJ8)."""

from collections.abc import Mapping, Sequence

from bot.texts import Text
from engine.cards import HIDDEN, Card
from engine.games import paiju


def of_paiju(cards: Sequence[Card]) -> Text | None:
    """Two cards by the table of pairs (PJ7) or their sum (PJ8); None where one is hidden or missing."""
    if len(cards) != 2 or HIDDEN in cards:
        return None
    score = paiju.score(cards[0], cards[1])
    return Text("{score}, a listed pair", score=score) if score >= 10 else Text("{score}", score=score)


def describe_hand(cards: Mapping[str, Sequence[Card]], to: str) -> Text | None:
    """The same, of the hand that is asked for."""
    return of_paiju(cards[to])
