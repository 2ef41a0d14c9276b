"""Data that a browser needs to check records of each game: decks, options, rules.

A deck depends on some options of its hand. Games do not declare which, so they are found by trying.
"""

from collections.abc import Mapping
from itertools import product
from typing import Any

from engine.cards import Card
from engine.errors import IllegalDeal
from engine.fairness.commitment import written_out
from engine.felt import Game
from engine.games import GAMES

# A count among the options, of decks for example, is tried up to here.
MOST_TRIED = 12


def all_decks() -> dict[str, dict[str, Any]]:
    """Return the declaration of each game, as records.js reads it.

    dice      whether two dice are drawn before the shuffle
    bearing   the options that the deck follows from
    decks     [options, cards] for each of their combinations, the words of the cards in their order before the shuffle
    rules     the versions of its rules that are known here
    options   every option, as it is where a record names none
    words     what an option may be that is one of a few words, where its refusal of any other says them
    stacks    whether its players play against each other, so that a seed may be shown later
    shoe      the option that says how much of a shoe comes out; "" without a shoe, or where no single option says it
    meter     the spot of the coin for the meter, "" without one
    """
    return {name: _declaration(game) for name, game in GAMES.items()}


def _declaration(game: Game) -> dict[str, Any]:
    usual = game.parse_options({})
    tried = {name: _values(value) for name, value in vars(usual).items()}
    bearing = {name: values for name, values in tried.items() if _bears_on_deck(game, name, values)}
    chosen = [dict(zip(bearing, values, strict=True)) for values in product(*bearing.values())]
    return {
        "dice": bool(game.dice),
        "bearing": list(bearing),
        "decks": [[given, list(deck)] for given in chosen if (deck := _deck(game, given))],
        "rules": [game.rules, *game.older],
        "options": written_out(usual),
        "words": {name: words for name, value in vars(usual).items() if (words := _words(game, name, value))},
        "stacks": bool(game.stacks),
        "shoe": _penetration_of(game),
        "meter": game.meter.spot if game.meter else "",
    }


def _words(game: Game, name: str, usual: object) -> list[str]:
    """Return the allowed words of an option, from the refusal of an invalid one."""
    try:
        game.parse_options({name: "?"} if isinstance(usual, str) else {})
    except IllegalDeal as refused:
        return str(refused.values["allowed"]).split(", ") if "allowed" in refused.values else []
    return []


class _OptionNames:
    """Options whose values are their own names."""

    def __getattr__(self, name: str) -> str:
        return name


def _penetration_of(game: Game) -> str:
    """Return the option that `Shoe.penetration` returns."""
    answer: object = game.shoe.penetration(_OptionNames()) if game.shoe else ""
    return answer if isinstance(answer, str) else ""


def _values(usual: object) -> tuple[object, ...]:
    """Return the values of an option to try: switches and counts, no amounts."""
    if isinstance(usual, bool):
        return (False, True)
    return tuple(range(MOST_TRIED + 1)) if isinstance(usual, int) and 0 <= usual <= MOST_TRIED else ()


def _bears_on_deck(game: Game, name: str, values: tuple[object, ...]) -> bool:
    return len({deck for value in values if (deck := _deck(game, {name: value}))}) > 1


def _deck(game: Game, given: Mapping[str, object]) -> tuple[Card, ...]:
    """Return the full deck with these options; empty if they are invalid."""
    try:
        return game.full_deck(game.parse_options(given))
    except IllegalDeal:
        return ()
