"""The hand that teaches Paiju: a sum, a pair of the table, and an area across two positions (PJ7, PJ8, PJ11)."""

from collections.abc import Mapping, Sequence

from bot.core.commands.first_hand import FirstHand
from bot.texts import Text
from engine.cards import HIDDEN, Card
from engine.felt import Offers

_OPENING = (
    Text("South, west, north and east get two cards each. East is the bank; you bet that others beat it (PJ2)."),
    Text("An area such as south-west lies across two: it pays when both win, and comes back when one does (PJ11)."),
    Text("A table gives some pairs 10 to 20; any other hand scores the last digit of its sum (PJ7, PJ8)."),
)
_TURN = (
    Text("The dice said who gets the first card (PJ5). Nobody has anything to decide any more (PJ4)."),
    Text("Yours is the highest bet on west, so you see its cards first and turn them: it changes nothing (PJ12)."),
)
_OVER = (
    Text("The bank's nine and eight are 17, which scores 7; west's two fours are 8 and beat it (PJ8)."),
    Text("South's queen and nine are no 11 but a pair of the table, 12. The bank wins ties (PJ7, PJ10)."),
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
