"""The hand that teaches Paiju: a sum, a pair of the table, and an area across two positions (PJ7, PJ8, PJ11)."""

from collections.abc import Mapping, Sequence

from bot.core.commands.first_hand import FirstHand
from bot.texts import Text
from engine.cards import HIDDEN, Card
from engine.felt import Offers

_OPENING = (
    Text("South, west, north and east get two cards each. East is the bank; you bet that others beat it (PJ2)."),
    Text(
        "An area such as south-west covers two positions. It pays when both win and is a push when only one does "
        "(PJ11)."
    ),
    Text("Some pairs score 10 to 20, as the table shows; any other hand scores the last digit of its sum (PJ7, PJ8)."),
)
_TURN = (
    Text("The dice decide who gets the first card (PJ5). There is nothing left to decide (PJ4)."),
    Text("Your bet on west is the highest, so you see its cards first and reveal them; that changes nothing (PJ12)."),
)
_OVER = (
    Text("The bank's nine and eight sum to 17 and score 7; west's two fours score 8 and win (PJ8)."),
    Text(
        "South's queen and nine do not count 11: they are a listed pair and score 12. The bank wins ties (PJ7, PJ10)."
    ),
)


def _tells(offers: Offers, cards: Mapping[str, Sequence[Card]]) -> tuple[Text, ...]:
    return _TURN if any(HIDDEN in hand for hand in cards.values()) else _OVER


FIRST_HAND = FirstHand(
    cards="9h Td 4h Qh 8s 6d 4s 9d",
    bets=({"west": 1000}, {"south-west": 1000}),
    opening=_OPENING,
    tells=_tells,
    dice=(1, 4),
)
