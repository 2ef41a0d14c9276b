"""Caribbean Stud: five cards each, the dealer's last one face up (CS3)."""

from bot.screens import Pile
from bot.screens.sight import Look, Sight
from bot.screens.worth import of_poker
from bot.texts import Text
from engine.events import Paid, Won
from engine.felt import Word


def house(sight: Sight) -> tuple[Pile, ...]:
    dealer = tuple(sight.cards.get("dealer", ()))
    return (Pile(Text("Dealer"), dealer, of_poker(dealer)),) if dealer else ()


def piles(sight: Sight, key: str) -> tuple[Pile, ...]:
    cards = tuple(sight.cards.get(key, ()))
    return (Pile(Text("Cards"), cards, worth(sight, key), key in sight.hand.asks),) if cards else ()


def worth(sight: Sight, key: str) -> Text | None:
    return of_poker(sight.cards.get(key, ()))


def result(sight: Sight) -> Text:
    if any(isinstance(event, Paid) and event.why == "unqualified" for event in sight.events):
        return Text("The dealer does not qualify: antes are paid (CS12).")
    return Text("Dealer: {worth}.", "", worth=of_poker(sight.cards["dealer"]) or "")


def holds(sight: Sight, key: str) -> tuple[Text, ...]:
    """A coin rides on the first five cards; an exchange gives it up (CS7)."""
    if "jackpot" not in sight.wagered.get(key, {}):
        return ()
    won = next((event.prize for event in sight.events if isinstance(event, Won) and event.seat == key), None)
    if won:
        return (Text("The jackpot pays you for your {rank} (CS19).", "", rank=Word(won)),)
    if any(offer.word == "exchange" for offer in sight.hand.asks.get(key, ())):
        return (Text("An exchange gives up the jackpot of this hand (CS7)."),)
    return ()


LOOK = Look(house, piles, worth, result, holds)
