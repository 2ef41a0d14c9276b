"""The hand that teaches black jack: twelve against a ten, which draws, and nineteen, which stands (BJ11)."""

from collections.abc import Mapping, Sequence

from bot.core.commands.first_hand import KEY, FirstHand
from bot.texts import Text
from engine.cards import Card
from engine.felt import Offers
from engine.games.blackjack import count

_OPENING = (
    Text("Get closer to 21 than the dealer without going over. Face cards count 10, an ace 1 or 11 (BJ9)."),
    Text("Your bet is on your box. The dealer shows one card and draws after you (BJ8)."),
    Text("The side bet Admiral Jack wins when your first two cards are Black Jack; this hand leaves it out (BJ17)."),
)
_OVER = (
    Text("The dealer must draw to 16 and stand from 17 on (BJ14)."),
    Text("The higher total pays 1 to 1, equal totals are a push, and Black Jack pays 3 to 2 (BJ15)."),
)
_STAND_FROM = 17


def _tells(offers: Offers, cards: Mapping[str, Sequence[Card]]) -> tuple[Text, ...]:
    total, _is_soft = count(cards[KEY])
    if total > 21:
        return (Text("More than 21 is a bust: you lose at once, whatever the dealer draws (BJ11)."), *_OVER)
    if not offers:
        return _OVER
    ask = Text("You have {total}. Hit to take one more card, or stand (BJ11).", total=total)
    if total < _STAND_FROM:
        why = Text("The dealer's ten makes 17 or more most of the time. With less than 17 you must draw.")
    else:
        why = Text("Most cards would bust you. Let the dealer draw.")
    return ask, why


FIRST_HAND = FirstHand(cards="7h Tc 5d 7s 8d", bets=({"main": 1000},), opening=_OPENING, tells=_tells)
