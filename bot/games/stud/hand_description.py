"""Descriptions of stud hands: high and low (SH10)."""

from collections.abc import Mapping, Sequence

from bot.core.commands.hand_descriptions import of_poker, with_board
from bot.texts import Text
from engine import poker
from engine.cards import Card
from engine.games.stud import spell_low


def of_hi_lo(cards: Sequence[Card]) -> Text | None:
    """The high in words, and the low where five cards make one; None where a card is hidden."""
    high = of_poker(cards)
    low = poker.low(cards) if high is not None and len(cards) >= 5 else None
    return Text("{high}; low {low}", high=high, low=spell_low(low)) if low else high


def describe_hand(cards: Mapping[str, Sequence[Card]], to: str) -> Text | None:
    """Describe a hand, with the shared card if the deck ran out (SH4)."""
    return of_hi_lo(with_board(cards, to))
