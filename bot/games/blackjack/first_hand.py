"""The hand that teaches black jack: twelve against a ten, which draws, and nineteen, which stands (BJ11)."""

from collections.abc import Mapping, Sequence

from bot.core.commands.first_hand import KEY, FirstHand
from bot.texts import Text
from engine.cards import Card
from engine.felt import Offers
from engine.games.blackjack import count

_OPENING = (
    Text("Come closer to 21 than the dealer, and not above it. Pictures count 10, an ace 1 or 11 (BJ9)."),
    Text("Your bet lies on your box. The dealer shows one card, and draws when you are done (BJ8)."),
    Text("Admiral Jack beside it bets on ace and ten at once; this hand leaves it out (BJ17)."),
)
_OVER = (
    Text("The dealer must draw to 16 and stand from 17 on; nobody chooses for him (BJ14)."),
    Text("A higher total pays 1 to 1, equal ones come back, ace and ten at once pay 3 to 2 (BJ15)."),
)
_STAND_FROM = 17


def _tells(offers: Offers, cards: Mapping[str, Sequence[Card]]) -> tuple[Text, ...]:
    total, _is_soft = count(cards[KEY])
    if total > 21:
        return (Text("More than 21 loses at once, whatever the dealer draws (BJ11)."), *_OVER)
    if not offers:
        return _OVER
    ask = Text("You have {total}. Hit takes one more card, stand takes none (BJ11).", total=total)
    if total < _STAND_FROM:
        why = Text("The dealer's ten makes 17 or more most of the time: with less than 17 you must draw.")
    else:
        why = Text("Most cards would take you above 21: let the dealer draw.")
    return ask, why


FIRST_HAND = FirstHand(cards="7h Tc 5d 7s 8d", bets=({"main": 1000},), opening=_OPENING, tells=_tells)
