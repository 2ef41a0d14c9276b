"""Paiju on its screens: four hands that belong to nobody at the table, and six areas to bet on (PJ2, PJ3)."""

from bot.games.paiju.worth import of_paiju
from bot.texts import Text
from bot.view import Pile
from bot.view.parts import bets_on, none, nothing, plain_look
from bot.view.sight import Sight
from bot.view.words import PLAIN_WORDS
from engine.felt import Word

# As they are turned (PJ6).
TURNED = ("south", "west", "north", "east")


def house(sight: Sight) -> tuple[Pile, ...]:
    """The four hands, as far as they lie there."""
    return tuple(
        Pile(Text("{area}", "", area=Word(to)), tuple(sight.cards[to]), of_paiju(sight.cards[to]))
        for to in TURNED
        if to in sight.cards
    )


def result(sight: Sight) -> Text:
    """What the bank's hand is worth; it is east's (PJ6)."""
    return Text("Bank: {worth}.", "", worth=of_paiju(sight.cards["east"]) or "")


LOOK = plain_look(
    house=house,
    piles=nothing,
    worth=none,
    result=result,
    words=PLAIN_WORDS,
    bets=bets_on(
        asks=Text("Which area and how much: {least} to {most} in steps of {step}, such as west {such}."),
    ),
)
