"""The hand that teaches Ultimate Texas Hold'em: weak cards that wait, and a flop that pairs them (UT4 to UT6)."""

from collections.abc import Mapping, Sequence

from bot.core.commands.first_hand import FirstHand
from bot.texts import Text
from engine.cards import HIDDEN, Card
from engine.felt import Offers

_OPENING = (
    Text("Two cards are yours, five on the board are for everyone; your best five of the seven count (UT1)."),
    Text("Ante and Blind are two equal bets before the cards; the side bet Trips is left out here (UT2)."),
    Text("Play is your only raise: 3 or 4 times the ante at first, 2 on the flop, 1 at the end (UT4 to UT6)."),
)
# By how many cards of the board lie open.
_CHOOSE = {
    0: (
        Text("A check is free and shows you three cards of the board. You can fold only after all five (UT4, UT6)."),
        Text("Nine and seven are too weak for a bet of 3 or 4 antes: wait for the flop."),
    ),
    3: (
        Text("The flop gives you a pair of nines. Play bets twice the ante now, later only once (UT5, UT6)."),
        Text("A pair with one of your own cards beats most hands: bet now."),
    ),
    5: (
        Text("All five board cards are open. Play once the ante, or fold and lose Ante and Blind (UT6, UT15)."),
        Text("Ante and Blind are already at stake, so even a weak pair is worth one more bet."),
    ),
}
_OVER = (
    Text("The bank qualifies with a pair of fours, so the better hand wins (UT8, UT10)."),
    Text(
        "Ante and Play pay 1 to 1. The Blind pays for a straight or better; otherwise it is a push if you win (UT13)."
    ),
)


def _tells(offers: Offers, cards: Mapping[str, Sequence[Card]]) -> tuple[Text, ...]:
    return _CHOOSE[sum(card != HIDDEN for card in cards["board"])] if offers else _OVER


FIRST_HAND = FirstHand(cards="9d Kc 4h Js 2d 9s 7h 4s Qc", bets=({"ante": 1000},), opening=_OPENING, tells=_tells)
