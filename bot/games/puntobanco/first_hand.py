"""The hand that teaches Punto Banco: which area costs least, and when a third card is drawn (PB5, PB7)."""

from collections.abc import Mapping, Sequence

from bot.core.commands.first_hand import FirstHand
from bot.texts import Text
from engine.cards import HIDDEN, Card
from engine.felt import Offers

_OPENING = (
    Text("Two hands are dealt, punto's and banco's: you bet which comes closer to nine, or on a tie (PB2)."),
    Text("An ace counts 1, tens and court cards nothing; only the last digit of a sum counts (PB1)."),
    Text("The bet is all that you decide. Banco knows punto's third card before it draws: it costs least."),
)
_TURN = Text("Yours is the highest bet on this hand, so you see its cards first and turn them (PB10).")
_FIRST_TWO = (Text("Two cards each. Punto draws a third with 0 to 5, and stands with 6 or 7 (PB5)."), _TURN)
_THIRD_PUNTO = (Text("Punto has two and three, which is 5, and draws (PB5)."), _TURN)
_THIRD_BANCO = (Text("Punto has drawn a six and counts 1. Banco has 4, and draws against a 2 to 7 (PB7)."), _TURN)
_OVER = (
    Text("Banco drew a five and counts 9, punto 1: banco wins, and pays 1 to 1 less 5 % (PB8)."),
    Text("Had both counted the same, égalité would pay 8 to 1, and bets on punto and banco come back (PB8)."),
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
