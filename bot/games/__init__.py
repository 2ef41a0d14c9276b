"""The games: a folder each, with everything about a game that its rules do not say.

They are found through the entry points of the group `ridotto.games`. One names a `GamePlugin`
(`package.module:PLUGIN`), or a package in which every folder declares a `PLUGIN`, as this one. `load` is called once in
a process, before anything looks for a game.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pkgutil import iter_modules
from types import ModuleType

from bot.core.command_list import add_commands
from bot.core.commands.company import add_guest
from bot.core.commands.deeds import add_labels
from bot.core.commands.first_hand import add_first_hand
from bot.core.commands.hooks import add_hooks
from bot.core.commands.stages import add_stages
from bot.core.rounds.playing import add_moves
from bot.core.rounds.script_budget import Watchdog
from bot.core.rounds.tournament_table import play_in_tournaments
from bot.core.state.plays import LEFT_OUT, add_play
from bot.games.check import what_is_wrong
from bot.games.plugin import GamePlugin
from bot.texts.catalogues import NO_CATALOGUES
from bot.texts.games import add_texts
from bot.texts.ownership import find_contested, mark_sentences
from bot.view.pictures.felt import add_felt
from bot.view.presenter import PRESENTERS, add_presenter
from engine.games import add_game, add_simulation

GROUP = "ridotto.games"
# Loading a game takes a tenth of a second on a quiet machine.
_LOADING = Watchdog(60.0)
PLUGINS: dict[str, GamePlugin] = {}
"""{game: its plugin} of all that were loaded, in the order of their ranks."""


def load() -> None:
    """Load every game that is installed. The second call does nothing.

    A package with a fault keeps only its own games out, and `LEFT_OUT` says why.
    """
    if PLUGINS:
        return
    found = [each for entry in sorted(entry_points(group=GROUP), key=_ours_first) for each in _plugins_of(entry)]
    for name, plugin in sorted(found, key=lambda each: _place(each[1])):
        wrong = _brought(name, partial(_check, plugin))
        if wrong:
            LEFT_OUT[name] = str(wrong)
        elif wrong is not None:
            register_plugin(plugin)


def _check(plugin: GamePlugin) -> str:
    return what_is_wrong(plugin) or ""


def _ours_first(entry: EntryPoint) -> tuple[bool, str]:
    """Sort key of games: built-in ones first, because the first to claim a command name keeps it."""
    return not entry.value.startswith(f"{__name__.partition('.')[0]}."), entry.name


def _place(plugin: GamePlugin) -> tuple[float, str]:
    """Sort key of a game's place in lists; last if the game does not give a valid one."""
    rank: object = plugin.rank
    return rank if isinstance(rank, int) else math.inf, str(getattr(plugin.game, "name", ""))


def _plugins_of(entry: EntryPoint) -> Iterator[tuple[str, GamePlugin]]:
    """Yield (name in the package, plugin) of what an entry point names."""
    named = _brought(entry.name, entry.load)
    if not isinstance(named, ModuleType):
        yield from _plugin(entry.name, named)
        return
    for module in iter_modules(named.__path__, f"{named.__name__}."):
        if module.ispkg:
            name = module.name.rpartition(".")[2]
            yield from _plugin(name, _brought(name, partial(_plugin_in, module.name)))


def _brought(name: str, bring: Callable[[], object]) -> object:
    """Return what a game's own code provides; None with an entry in `LEFT_OUT` if it raises or does not end."""
    try:
        return _LOADING.run(name, bring)
    except Exception as fault:
        LEFT_OUT[name] = f"its package raises {type(fault).__name__}: {fault}"
        return None


def _plugin(name: str, found: object) -> Iterator[tuple[str, GamePlugin]]:
    if isinstance(found, GamePlugin):
        yield name, found
    elif name not in LEFT_OUT:
        LEFT_OUT[name] = what_is_wrong(found) or ""


def _plugin_in(module: str) -> object:
    return getattr(import_module(module), "PLUGIN", None)


def register_plugin(plugin: GamePlugin) -> None:
    """Register each part of a plugin where it is read."""
    contested = find_contested(plugin.texts.catalogues) if plugin.texts.catalogues != NO_CATALOGUES else {}
    plugin = replace(
        plugin,
        play=replace(plugin.play, moves=mark_sentences(plugin.play.moves, contested)),
        texts=mark_sentences(plugin.texts, contested),
        presenter=mark_sentences(plugin.presenter, contested),
        first_hand=mark_sentences(plugin.first_hand, contested),
    )
    PLUGINS[plugin.game.name] = plugin
    add_game(plugin.game)
    add_simulation(plugin.simulation)
    add_play(plugin.game.name, plugin.play)
    add_hooks(plugin.game.name, plugin.hooks, play_in_tournaments(plugin.hooks, has_stacks=bool(plugin.game.stacks)))
    add_commands(plugin.commands, plugin.game.name)
    add_commands(add_moves(plugin.play.moves))
    add_texts(plugin.game, plugin.texts)
    add_stages(plugin.game.name, plugin.stages)
    add_guest(plugin.game.name, plugin.guest)
    add_presenter(plugin.game.name, plugin.presenter)
    add_labels(plugin.game.name, PRESENTERS[plugin.game.name].words.labels)
    add_felt(plugin.game.name, plugin.felt)
    add_first_hand(plugin.game.name, plugin.first_hand)
