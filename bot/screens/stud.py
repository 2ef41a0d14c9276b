"""Seven Card Stud Hi/Lo: two cards down, four up, one down; the pot between the players (SH3)."""

from bot.screens import Pile
from bot.screens.sight import Look, Sight
from bot.screens.worth import describe, of_hi_lo
from bot.texts import Card as Shown
from bot.texts import Text
from engine import poker
from engine.cards import HIDDEN, Card
from engine.events import Opened, Paid
from engine.felt import Amount, Word
from engine.stud import POT

_WHY = {
    "lowest card": Text("Seat {seat} opens with the lowest card, {shows} (SH5)."),
    "highest hand": Text("Seat {seat} begins: highest hand showing, {shows} (SH5)."),
    "equal hands": Text("Seat {seat} begins: first of equal hands to the dealer's left, {shows} (SH5)."),
}


def house(sight: Sight) -> tuple[Pile, ...]:
    """A community card, where the deck ran out (SH4)."""
    board = tuple(sight.cards.get("board", ()))
    return (Pile(Text("Card for everybody"), board),) if board else ()


def piles(sight: Sight, key: str) -> tuple[Pile, ...]:
    cards = tuple(sight.cards.get(key, ()))
    return (Pile(Text("Cards"), cards, worth(sight, key) or _showing(cards), key in sight.hand.asks),) if cards else ()


def worth(sight: Sight, key: str) -> Text | None:
    cards: list[Card] = [*sight.cards.get(key, ()), *sight.cards.get("board", ())]
    return of_hi_lo(cards)


def _showing(cards: tuple[Card, ...]) -> Text | None:
    """What lies open begins the betting (SH5)."""
    seen = [card for card in cards if card != HIDDEN]
    return Text("shows {worth}", "", worth=describe(poker.rank_showing(seen))) if 0 < len(seen) <= 4 else None


def pot(sight: Sight) -> int:
    """All that went in; what nobody called goes back when the hand is over (SH9)."""
    put_in = sum(spots.get(POT, 0) for spots in sight.wagered.values())
    back = [event.amount for event in sight.events if isinstance(event, Paid) and event.why == "uncalled"]
    return put_in - sum(back)


def opener(sight: Sight) -> Text | None:
    """Who acts first on this street, and why (SH5)."""
    opened = next((event for event in reversed(sight.events) if isinstance(event, Opened)), None)
    if opened is None:
        return None
    shows = Shown(opened.shows) if opened.why == "lowest card" else Word(opened.shows)
    return Text(_WHY[opened.why].template, "", seat=opened.seat, shows=shows)


def result(sight: Sight) -> Text:
    return Text("The pot was {pot}.", "", pot=Amount(pot(sight)))


LOOK = Look(house, piles, worth, result)
