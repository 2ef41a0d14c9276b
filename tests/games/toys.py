"""Games installed for a single test; afterwards all registries are as before."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from bot.core.command_list import CHAT_COMMANDS
from bot.core.rounds.playing import MOVES
from bot.core.state.plays import PLAYS
from bot.games import register_plugin
from bot.games.plugin import GamePlugin


@contextmanager
def installed(plugin: GamePlugin) -> Iterator[GamePlugin]:
    """Install a game plugin as if its package were there."""
    kept = [(mapping, dict(mapping)) for mapping in [*_kept_by_game(), MOVES, CHAT_COMMANDS]]
    register_plugin(plugin)
    try:
        yield plugin
    finally:
        for mapping, before in kept:
            mapping.clear()
            mapping.update(before)


def _kept_by_game() -> Iterator[dict[str, Any]]:
    """Yield all registries by game in our modules."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in ("bot", "engine"):
            for value in vars(module).values():
                if isinstance(value, dict) and PLAYS.keys() <= value.keys():
                    yield value
