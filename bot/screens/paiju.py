"""Paiju: four hands that belong to nobody at the table, and six areas to bet on (PJ2, PJ3)."""

from collections.abc import Iterable, Mapping

from bot.screens import Chips, Pile
from bot.screens.sight import Look, Sight
from bot.screens.worth import of_paiju
from bot.texts import Text
from engine.events import Rolled
from engine.felt import Amount, Word
from engine.paiju import AREAS

# As they are turned (PJ6).
TURNED = ("south", "west", "north", "east")


def house(sight: Sight) -> tuple[Pile, ...]:
    return tuple(
        Pile(Text("{area}", "", area=Word(position)), tuple(sight.cards[position]), of_paiju(sight.cards[position]))
        for position in TURNED
        if position in sight.cards
    )


def areas(bets: Iterable[tuple[bool, Mapping[str, int]]]) -> tuple[Chips, ...]:
    """`bets` are (is it the viewer's, amounts by area)."""
    own, all_of_them = dict.fromkeys(AREAS, 0), dict.fromkeys(AREAS, 0)
    for is_mine, spots in bets:
        for area, amount in spots.items():
            all_of_them[area] += amount
            own[area] += amount if is_mine else 0
    return tuple(
        Chips(area, Text("{area}", "", area=Word(area)), Amount(own[area]), Amount(all_of_them[area])) for area in AREAS
    )


def dice(sight: Sight) -> tuple[int, int] | None:
    return next((event.dice for event in sight.events if isinstance(event, Rolled)), None)


def result(sight: Sight) -> Text:
    return Text("Bank: {worth}.", "", worth=of_paiju(sight.cards["east"]) or "")


LOOK = Look(house, lambda sight, key: (), lambda sight, key: None, result)
