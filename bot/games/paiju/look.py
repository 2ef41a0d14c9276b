"""Paiju on its screens: four hands that belong to nobody at the table, and six areas to bet on (PJ2, PJ3)."""

from dataclasses import replace

from bot.games.paiju.worth import of_paiju
from bot.texts import Text
from bot.view.parts import bets_on, hands_of, none, nothing, plain_look
from bot.view.sight import Sight
from bot.view.words import PLAIN_WORDS
from engine.games.paiju import PaijuOptions

# As they are turned (PJ6).
TURNED = ("south", "west", "north", "east")


def result(sight: Sight) -> Text:
    """What the bank's hand is worth; it is east's (PJ6)."""
    return Text("Bank: {worth}.", worth=of_paiju(sight.cards["east"]) or "")


def prints(options: PaijuOptions) -> tuple[Text, ...]:
    """Who has the better of equal hands, and what a bet across two positions pays (PJ10, PJ11)."""
    return (Text("The bank wins ties"), Text("Across two pays when both win"))


LOOK = replace(
    plain_look(
        house=hands_of(TURNED, of_paiju),
        piles=nothing,
        worth=none,
        result=result,
        words=PLAIN_WORDS,
        bets=bets_on(
            asks=Text("Which area and how much: {least} to {most} in steps of {step}, such as west {such}."),
        ),
    ),
    prints=prints,
)
