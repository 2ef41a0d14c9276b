"""Ultimate Texas Hold'em: two cards of one's own and the board (UT3)."""

from bot.screens import Pile
from bot.screens.sight import Look, Sight
from bot.screens.worth import of_poker
from bot.texts import Text
from engine import poker
from engine.cards import HIDDEN, Card


def house(sight: Sight) -> tuple[Pile, ...]:
    board, dealer = tuple(sight.cards.get("board", ())), tuple(sight.cards.get("dealer", ()))
    piles = (Pile(Text("Board"), board),) if board else ()
    return (*piles, Pile(Text("Dealer"), dealer, _worth(sight, "dealer"))) if dealer else piles


def piles(sight: Sight, key: str) -> tuple[Pile, ...]:
    cards = tuple(sight.cards.get(key, ()))
    return (Pile(Text("Cards"), cards, worth(sight, key), key in sight.hand.asks),) if cards else ()


def worth(sight: Sight, key: str) -> Text | None:
    return _worth(sight, key)


def result(sight: Sight) -> Text:
    dealer = _with_board(sight, "dealer")
    if poker.category(poker.rank(dealer)) < poker.PAIR:
        return Text("The bank does not qualify (UT8): {worth}.", "", worth=of_poker(dealer) or "")
    return Text("Bank: {worth}.", "", worth=of_poker(dealer) or "")


def _worth(sight: Sight, to: str) -> Text | None:
    """With what is open of the board."""
    cards = sight.cards.get(to, ())
    return None if not cards or HIDDEN in cards else of_poker(_with_board(sight, to))


def _with_board(sight: Sight, to: str) -> list[Card]:
    return [*sight.cards[to], *(card for card in sight.cards.get("board", ()) if card != HIDDEN)]


LOOK = Look(house, piles, worth, result, opening="Messieurs faites vos jeux")
