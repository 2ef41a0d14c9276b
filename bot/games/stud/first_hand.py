"""The hand that teaches Seven Card Stud Hi/Lo: aces that win the high, and three low cards that become a low (SH10).

The stacks are small, so that all is in the pot after two bets and the rest of the cards come by themselves (SH9).
"""

from collections.abc import Mapping, Sequence

from bot.core.commands.first_hand import KEY, FirstHand
from bot.texts import Text
from engine.cards import HIDDEN, Card
from engine.felt import Move, Offers, Stake
from engine.simulation import Cards

_OPENING = (
    Text(
        "You play against each other; the casino only deals. The best high hand and the best low hand share the "
        "pot (SH11)."
    ),
    Text("A low is five different ranks of eight or lower, with aces low. One hand may win both halves (SH10)."),
    Text("You buy in with a stack. Everyone posts an ante, gets two cards down and one up, and bets (SH2, SH3)."),
)
_THIRD_STREET = (
    Text("Two aces down, a five up. The other player's two is the lowest open card and posts the bring-in (SH5)."),
    Text("Call to stay in, or complete to a full bet (SH7). Aces with a low card win three pots in four: complete."),
)
_LATER = (
    Text(
        "Each street deals one more card face up to everyone, the last one face down, with bets after each (SH3, SH6)."
    ),
    Text("Your aces are ahead, and your low cards may win the other half. Bet while you are ahead."),
)
_SHOWDOWN = (
    Text("Cards speak (SH12): aces beat kings, and 7-6-5-3-A is a low that the other player doesn't have."),
    Text("You win both halves of the pot (SH11). The pot comes from the players' stacks, never from the casino."),
)
_GAVE_UP = (Text("A fold leaves the pot to the others, and no cards are shown (SH12)."),)
_BEST = ("complete", "bet", "raise", "call", "check")
_STACK = 850


def _tells(offers: Offers, cards: Mapping[str, Sequence[Card]]) -> tuple[Text, ...]:
    if offers:
        return _THIRD_STREET if len(cards[KEY]) == 3 else _LATER
    return _GAVE_UP if any(HIDDEN in hand for hand in cards.values()) else _SHOWDOWN


def _best(seat: str, offers: Offers, cards: Cards) -> Move:
    """Aces put in what they can."""
    words = [offer.word for offer in offers]
    return Move(seat, next(word for word in _BEST if word in words))


FIRST_HAND = FirstHand(
    cards="As Kh Ad Qd 5c 2d 3h 9s 7d Kc Qs 8s 6h Tc",
    bets=({},),
    opening=_OPENING,
    tells=_tells,
    best=_best,
    stack=_STACK,
    others=(Stake(2, "p2", {}, stack=_STACK),),
)
