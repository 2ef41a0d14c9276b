"""Checks of a game plugin: it has every part, each of the declared type, and takes no other game's name.

Run once when games are loaded, so that an invalid game is left out before anything is played.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Any, get_args, get_origin, get_type_hints

from bot.core.command_list import CHAT_COMMANDS
from bot.core.commands.first_hand import FirstHand
from bot.core.rounds.playing import MOVES
from bot.core.state.plays import Seating
from bot.games.check_texts import check_texts
from bot.games.plugin import GamePlugin
from bot.texts import Text, say
from bot.texts.languages import SOURCE
from bot.view.pictures.felt import Arc
from engine.cards import check_deck
from engine.errors import Illegal
from engine.felt import Game
from engine.games import GAMES

_NAME = re.compile(r"[a-z][a-z0-9]*")
# A Ring has room for eight or nine; Areas take any number.
MOST_IN_AN_ARC = 7


def _command_words() -> set[str]:
    return {name.partition(" ")[0] for name, command in CHAT_COMMANDS.items() if not command.game}


def what_is_wrong(plugin: object) -> str | None:
    """Describe what keeps a game from being used, in one sentence; None if it can be used."""
    if not isinstance(plugin, GamePlugin):
        return f"it names {type(plugin).__name__}, not a GamePlugin."
    try:
        wrong = next(_all_wrong(plugin), None)
    except Exception as fault:
        wrong = f"it raises {type(fault).__name__}: {fault}"
    return wrong and f"{wrong.rstrip('.')}."


def _all_wrong(plugin: GamePlugin) -> Iterator[str]:
    yield from _wrong_parts("", plugin)
    game = plugin.game
    if not _NAME.fullmatch(game.name):
        yield f"its name {game.name!r} must be one word in lower case, such as duel"
    if GAMES.get(game.name, game) is not game or game.name in _command_words():
        yield f"its name {game.name} is taken by {'a game' if game.name in GAMES else 'a command'}: choose another one"
    for word in plugin.play.moves:
        if word in CHAT_COMMANDS and word not in MOVES and word != "bet":
            yield f"its move {word} is another command's name"
    for command in plugin.commands:
        if command.name in CHAT_COMMANDS and CHAT_COMMANDS[command.name] != command._replace(game=game.name):
            yield f"its command {command.name} is another command's name"
    usual = game.parse_options({})
    for word, told in plugin.play.moves.items():
        if not isinstance(told.at(usual), Text):
            yield f"its move {word} has no sentence at a table with its usual options"
    missing = sorted(game.words.keys() - plugin.play.moves.keys() - {"bet"})
    if missing:
        yield f"its rules have the moves {', '.join(missing)}, and its Play does not"
    if {bool(game.stacks), plugin.play.seating is Seating.STACKS} != {plugin.play.cash is not None}:
        yield "its rules, its seating and its cash tables do not agree on stacks"
    if isinstance(plugin.felt.layout, Arc) and plugin.felt.layout.seats > MOST_IN_AN_ARC:
        yield f"its felt is an Arc of {plugin.felt.layout.seats} seats, which has room for {MOST_IN_AN_ARC}"
    game.full_deck(usual)
    if plugin.simulation.game is not game:
        yield "its simulation is another game's"
    yield from filter(None, [check_texts(game, plugin.texts)])
    yield from _wrong_first_hand(game, plugin.first_hand)


def _wrong_first_hand(game: Game, first: FirstHand) -> Iterator[str]:
    """Yield the faults of a game's first hand: it must deal and describe its cards."""
    if not first.bets or not first.opening:
        yield "its first hand has nothing to bet, or nothing to say"
    if bool(first.dice) is not bool(game.dice):
        yield "its first hand has dice, or none, and the rules do not"
    for stake in first.starts().values():
        deal = first.deal(game, stake)
        try:
            game.check(deal.options, deal.stakes)
            check_deck(deal.deck, game.full_deck(deal.options))
        except Illegal as fault:
            yield f"its first hand cannot be dealt: {say(Text(fault.template, **fault.values), SOURCE)}"


def _wrong_parts(where: str, part: Any) -> Iterator[str]:
    """Yield each field of a part, at any depth, whose value does not have its declared type."""
    hints = get_type_hints(type(part))
    for field in fields(part):
        name, value = f"{where}{field.name}", getattr(part, field.name)
        if wrong := _wrong_value(hints[field.name], value):
            yield f"{name} is {wrong}"
        elif is_dataclass(value) and type(value).__module__.startswith("bot."):
            yield from _wrong_parts(f"{name}.", value)


def _wrong_value(kind: Any, value: object) -> str:
    """Describe a value of a wrong kind; "" if it is right, or if only a call could tell."""
    origin = get_origin(kind) or kind
    if origin is UnionType:
        wrong = [_wrong_value(one, value) for one in get_args(kind)]
        return "" if "" in wrong else wrong[0]
    if origin is Callable or (getattr(origin, "__module__", "") == "collections.abc" and origin.__name__ == "Callable"):
        return "" if callable(value) and _takes(value, get_args(kind)) else f"no function of {_count(kind)} arguments"
    if not isinstance(origin, type) or origin is type:
        return ""
    wanted = (int, float) if origin is float else origin
    return "" if isinstance(value, wanted) else f"{type(value).__name__} instead of {origin.__name__}"


def _count(kind: Any) -> str:
    wanted = get_args(kind)
    return str(len(wanted[0])) if wanted and isinstance(wanted[0], list) else "such"


def _takes(function: Any, wanted: tuple[Any, ...]) -> bool:
    """Return whether a function accepts the arguments of our calls."""
    if not wanted or not isinstance(wanted[0], list):
        return True
    try:
        inspect.signature(function).bind(*wanted[0])
    except TypeError:
        return False
    except ValueError:  # a builtin has no signature
        return True
    return True
