"""The hand that teaches Texas Hold'em: two aces against kings, all-in before the river (HE10, HE27)."""

from collections.abc import Mapping, Sequence

from bot.core.commands.first_hand import FirstHand
from bot.texts import Text
from engine.cards import Card
from engine.felt import Move, Offers, Stake
from engine.simulation import Cards

_OPENING = (
    Text("You play against each other; the casino only deals. The best hand takes the pot (HE28)."),
    Text("You get two cards; five more come to the board for everyone. Any five of the seven count (HE10)."),
    Text("You buy in with a stack. With two players one posts the small blind and the other the big blind (HE8)."),
)
_PRE_FLOP = (
    Text("Two aces: the best hand to start with. The other player has called the big blind."),
    Text("Raise while you are ahead. Amounts are totals: raise 6 means raise to 6 (HE17)."),
)
_LATER = (
    Text("The flop, the turn and the river come to the board, with bets after each (HE10)."),
    Text("Your aces are still ahead. Bet, and the other player has to pay to see the next card."),
)
_SHOWDOWN = (
    Text("The last player to bet on the river shows first; a hand that cannot win may stay hidden (HE24, HE25)."),
    Text("The pot comes from the players' stacks, never from the casino (HE30)."),
)
_GAVE_UP = (Text("A fold leaves the pot to the others, and no cards are shown (HE26)."),)
_BEST = ("raise", "bet", "check", "call")
_STACK = 1200


def _tells(offers: Offers, cards: Mapping[str, Sequence[Card]]) -> tuple[Text, ...]:
    if offers:
        return _LATER if cards.get("board") else _PRE_FLOP
    return _SHOWDOWN if len(cards.get("board", ())) == 5 else _GAVE_UP


def _best(seat: str, offers: Offers, cards: Cards) -> Move:
    """Bet the pot with aces as long as it is possible."""
    by_word = {offer.word: offer for offer in offers}
    offer = by_word[next(word for word in _BEST if word in by_word)]
    return Move(seat, offer.word, str(offer.sizes[-1]) if offer.most else "")


FIRST_HAND = FirstHand(
    cards="As Kh Ad Kd 7c 9s 2h Jd 4c",
    bets=({},),
    opening=_OPENING,
    tells=_tells,
    best=_best,
    stack=_STACK,
    others=(Stake(2, "p2", {}, stack=_STACK),),
)
