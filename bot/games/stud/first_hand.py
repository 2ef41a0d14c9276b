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
    Text("You play against each other; the house only deals. The best high and the best low share the pot (SH11)."),
    Text("A low is five different cards of eight or lower, the ace low; one hand may win both halves (SH10)."),
    Text("You bring a stack. Everybody posts an ante, gets two cards down and one up, and bets (SH2, SH3)."),
)
_THIRD_STREET = (
    Text("Two aces down, a five up. The other's two is the lowest open card: he had to bring in (SH5)."),
    Text("Call stays in, complete makes it a full bet (SH7). Aces with a low card win three pots in four: complete."),
)
_LATER = (
    Text("One more card comes up for each on every street, the last one down, with bets after each (SH3, SH6)."),
    Text("Your aces are ahead, and your low cards may win the other half: put chips in while you are."),
)
_SHOWDOWN = (
    Text("Cards speak (SH12): aces beat kings, and seven, six, five, three and ace are a low that he has not."),
    Text("You win both halves of the pot (SH11). What everybody put in comes from stacks, never from the house."),
)
_GAVE_UP = (Text("Who folds leaves the pot to the others, and nobody shows his cards (SH12)."),)
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
