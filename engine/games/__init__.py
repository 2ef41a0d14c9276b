"""The rule scripts. Modules of this folder are found by what they declare: a `GAME`, its `SIMULATION` or its `ODDS`.

A game of another package is registered with `add_game`, `add_simulation` and `add_odds`. Scripts are deterministic, and
know no platform, no account and no clock.
"""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules
from types import MappingProxyType

from engine.felt import Game
from engine.odds import Odds
from engine.simulation import Simulation

_games: dict[str, Game] = {}
GAMES: Mapping[str, Game] = MappingProxyType(_games)
"""{name: game}, of all rule scripts that are known."""
_simulations: dict[str, Simulation] = {}
SIMULATIONS: Mapping[str, Simulation] = MappingProxyType(_simulations)
"""{name of a game: its simulation}."""
_odds: dict[str, Odds] = {}
ODDS: Mapping[str, Odds] = MappingProxyType(_odds)
"""{name of a game: the odds of its bets and choices}, for games that have them."""


def add_game(game: Game) -> None:
    """Register a game. Raises ValueError if its name is taken."""
    if _games.setdefault(game.name, game) is not game:
        raise ValueError(f"there is a game {game.name} already")


def add_simulation(simulation: Simulation) -> None:
    """Register a game's simulation. Raises ValueError if there is another one."""
    name = simulation.game.name
    if _simulations.setdefault(name, simulation) is not simulation:
        raise ValueError(f"there is a simulation of {name} already")


def add_odds(odds: Odds) -> None:
    """Register a game's odds. Raises ValueError if there are others."""
    name = odds.game.name
    if _odds.setdefault(name, odds) is not odds:
        raise ValueError(f"there are odds of {name} already")


def remove_game(name: str) -> None:
    """Remove a game: its hands cannot be played any more."""
    _games.pop(name, None)
    _simulations.pop(name, None)
    _odds.pop(name, None)


for _module in iter_modules(__path__, f"{__name__}."):
    _found = vars(import_module(_module.name))
    if isinstance(_declared := _found.get("GAME"), Game):
        add_game(_declared)
    if isinstance(_simulation := _found.get("SIMULATION"), Simulation):
        add_simulation(_simulation)
    if isinstance(_counted := _found.get("ODDS"), Odds):
        add_odds(_counted)
BUILT_IN = frozenset(_games)
"""The names of the games of this folder, as opposed to those of other packages."""
