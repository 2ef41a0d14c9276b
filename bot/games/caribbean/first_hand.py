"""The hand that teaches Caribbean Stud: a small pair, which loses on average and is raised all the same (CS5)."""

from collections.abc import Mapping, Sequence

from bot.core.commands.first_hand import FirstHand
from bot.texts import Text
from engine.cards import Card
from engine.felt import Offers

_OPENING = (
    Text("You and the dealer get five cards each from one deck, and the better poker hand wins (CS1, CS13)."),
    Text("The ante is your bet before the cards. Later you raise it or give it up (CS2, CS5)."),
    Text("The jackpot coin is a side bet on your five cards; this hand leaves it out (CS19)."),
)
_CHOOSE = (
    Text("Only you see your five cards; the dealer's last card is face up (CS3)."),
    Text("Raise bets twice the ante, fold loses the ante, an exchange buys one new card for an ante (CS5, CS8)."),
    Text("Raise with any pair: on average it loses a little, while a fold loses the whole ante."),
)
_AFTER_EXCHANGE = (Text("The price of the exchange is spent either way. Now raise or fold (CS5)."),)
_OVER = (
    Text("The dealer qualifies with ace and king, so hands that raised are compared (CS11, CS13)."),
    Text(
        "A pair pays the bet 1 to 1, a flush 5 to 1. If the dealer does not qualify, only the ante is paid (CS12, "
        "CS15)."
    ),
)


def _tells(offers: Offers, cards: Mapping[str, Sequence[Card]]) -> tuple[Text, ...]:
    if not offers:
        return _OVER
    return _CHOOSE if any(offer.word == "exchange" for offer in offers) else _AFTER_EXCHANGE


FIRST_HAND = FirstHand(cards="7s 7d Kc 9h 2c Kd Jc 8s 4d Ah Qd", bets=({"ante": 1000},), opening=_OPENING, tells=_tells)
