"""Descriptions of Black Jack hands (BJ9)."""

from collections.abc import Mapping, Sequence

from bot.texts import Text
from engine.cards import Card
from engine.games import blackjack


def of_black_jack(cards: Sequence[Card], *, is_split: bool = False) -> Text | None:
    """The total (BJ9): soft 17, Black Jack, 23 and over."""
    if not cards:
        return None
    total, is_soft = blackjack.count(cards)
    if blackjack.is_black_jack(cards) and not is_split:
        return Text("Black Jack")
    if total > 21:
        return Text("{total}, bust", total=total)
    return Text("soft {total}", total=total) if is_soft and total < 21 else Text("{total}", total=total)


def describe_hand(cards: Mapping[str, Sequence[Card]], to: str) -> Text | None:
    """Describe a hand. Split hands are "1", "1.1"...: there an ace and a ten are 21 (BJ11)."""
    box = to.partition(".")[0]
    return of_black_jack(cards[to], is_split=any(name.startswith(f"{box}.") for name in cards))
