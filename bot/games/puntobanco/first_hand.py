"""The hand that teaches Punto Banco: which area costs least, and when a third card is drawn (PB5, PB7)."""

from collections.abc import Mapping, Sequence

from bot.core.commands.first_hand import FirstHand
from bot.texts import Text
from engine.cards import HIDDEN, Card
from engine.felt import Offers

_OPENING = (
    Text("Two hands are dealt, punto and banco. You bet which comes closer to nine, or on a tie (PB2)."),
    Text("An ace counts 1, tens and face cards 0; only the last digit of a sum counts (PB1)."),
    Text(
        "The bet is your only decision. Banco knows punto's third card before it draws, so it has the lowest house "
        "edge."
    ),
)
_TURN = Text("Your bet on this hand is the highest, so you see its cards first and reveal them (PB10).")
_FIRST_TWO = (Text("Two cards each. Punto draws a third with 0 to 5, and stands with 6 or 7 (PB5)."), _TURN)
_THIRD_PUNTO = (Text("Punto has two and three, a 5, and draws (PB5)."), _TURN)
_THIRD_BANCO = (
    Text("Punto has drawn a six and counts 1. Banco has 4 and draws against a third card of 2 to 7 (PB7)."),
    _TURN,
)
_OVER = (
    Text("Banco drew a five for 9 against punto's 1: banco wins and pays 1 to 1 less 5 % (PB8)."),
    Text("A tie would pay 8 to 1 on égalité and be a push for punto and banco (PB8)."),
)


def _tells(offers: Offers, cards: Mapping[str, Sequence[Card]]) -> tuple[Text, ...]:
    punto, banco = cards["punto"], cards["banco"]
    if HIDDEN not in (*punto, *banco):
        return _OVER
    if HIDDEN in (*punto[:2], *banco[:2]):
        return _FIRST_TWO
    return _THIRD_PUNTO if HIDDEN in punto else _THIRD_BANCO


FIRST_HAND = FirstHand(
    cards="2h Td 3c 4s 6d 5h",
    bets=({"banco": 1000}, {"punto": 1000}, {"egalite": 1000}),
    opening=_OPENING,
    tells=_tells,
)
