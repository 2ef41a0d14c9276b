"""The full decks of all games as data, for the page that shuffles a record again in the reader's own browser.

A deck follows from the options of its hand. Which options it follows from, nobody declares: those are found by trying.
"""

from collections.abc import Mapping
from itertools import product
from typing import Any

from engine.cards import Card
from engine.errors import IllegalDeal
from engine.felt import Game
from engine.games import GAMES

# A count among the options, of decks for example, is tried up to here.
MOST_TRIED = 12


def all_decks() -> dict[str, dict[str, Any]]:
    """{game: its declaration}, as fairness.js reads it.

    dice      whether two dice are drawn before the shuffle
    options   the options that the deck follows from, as they are where a record names none
    decks     [options, cards] for each of their combinations, the words of the cards in their order before the shuffle
    """
    return {name: _declaration(game) for name, game in GAMES.items()}


def _declaration(game: Game) -> dict[str, Any]:
    usual = game.parse_options({})
    tried = {name: _values(value) for name, value in vars(usual).items()}
    bearing = {name: values for name, values in tried.items() if _bears_on_deck(game, name, values)}
    chosen = [dict(zip(bearing, values, strict=True)) for values in product(*bearing.values())]
    return {
        "dice": bool(game.dice),
        "options": {name: getattr(usual, name) for name in bearing},
        "decks": [[given, "".join(deck)] for given in chosen if (deck := _deck(game, given))],
    }


def _values(usual: object) -> tuple[object, ...]:
    """What an option may be: only switches and counts are tried, no amounts."""
    if isinstance(usual, bool):
        return (False, True)
    return tuple(range(MOST_TRIED + 1)) if isinstance(usual, int) and 0 <= usual <= MOST_TRIED else ()


def _bears_on_deck(game: Game, name: str, values: tuple[object, ...]) -> bool:
    return len({deck for value in values if (deck := _deck(game, {name: value}))}) > 1


def _deck(game: Game, given: Mapping[str, object]) -> tuple[Card, ...]:
    """The full deck with these options; none where they cannot be."""
    try:
        return game.full_deck(game.parse_options(given))
    except IllegalDeal:
        return ()
