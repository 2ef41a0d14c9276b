"""Black Jack: boxes with one hand or, after splits, several; the dealer has no hole card (BJ8)."""

from bot.screens import Pile
from bot.screens.sight import Look, Sight
from bot.screens.worth import of_black_jack
from bot.texts import Text
from engine.blackjack import BLACK_JACK, count, is_black_jack
from engine.events import Split


def house(sight: Sight) -> tuple[Pile, ...]:
    dealer = tuple(sight.cards.get("dealer", ()))
    return (Pile(Text("Dealer"), dealer, of_black_jack(dealer)),) if dealer else ()


def piles(sight: Sight, key: str) -> tuple[Pile, ...]:
    """The hands of a box in the order of play; a co-player has none of his own."""
    if "/" in key:
        return ()
    hands = hands_of(sight, key)
    turn = played_now(sight, key)
    return tuple(
        Pile(
            Text("Hand {n}", "", n=number) if len(hands) > 1 else Text("Cards"),
            tuple(sight.cards[hand]),
            of_black_jack(sight.cards[hand], is_split=len(hands) > 1),
            hand == turn,
        )
        for number, hand in enumerate(hands, start=1)
        if hand in sight.cards
    )


def hands_of(sight: Sight, key: str) -> list[str]:
    """A split puts its second hand behind the one that it left (BJ11)."""
    box = key.partition("/")[0]
    hands = [box]
    for event in sight.events:
        if isinstance(event, Split) and event.seat == box:
            hands.insert(hands.index(event.hand) + 1, event.into)
    return hands


def played_now(sight: Sight, key: str) -> str:
    """The hand of this box that somebody decides on now."""
    box = key.partition("/")[0]
    for asked, offers in sight.hand.asks.items():
        if asked.partition("/")[0] == box and any(offer.word == "stand" for offer in offers):
            return next(offer.on for offer in offers if offer.word == "stand")
    return ""


def worth(sight: Sight, key: str) -> Text | None:
    """Totals of all its hands."""
    hands = [hand for hand in hands_of(sight, key) if hand in sight.cards]
    totals = [of_black_jack(sight.cards[hand], is_split=len(hands) > 1) for hand in hands]
    return Text("{totals}", "", totals=totals) if totals else None


def result(sight: Sight) -> Text:
    dealer = sight.cards["dealer"]
    total, _soft = count(dealer)
    if is_black_jack(dealer):
        return Text("Dealer: {worth}.", "", worth=Text(BLACK_JACK))
    if total > 21:
        return Text("Dealer: {total}, too many.", "", total=total)
    return Text("Dealer: {worth}.", "", worth=Text("{total}", "", total=total))


def holds(sight: Sight, key: str) -> tuple[Text, ...]:
    """Who bets behind does not decide (BJ5)."""
    if "/" in key:
        return (Text("You bet behind box {box}: its holder decides (BJ5).", "", box=key.partition("/")[0]),)
    return ()


LOOK = Look(house, piles, worth, result, holds)
