"""Side effects of a game's package: time to import it, output, threads, and changes to other modules.

`python -m bot.cli.game_checks.side_effects GAME` prints the faults as JSON: only a new process imports the package.
"""

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib.metadata import EntryPoint, entry_points
from random import Random
from time import monotonic
from types import FunctionType, ModuleType

_MOST_S = 120
_LONG_S = 2.0
_WATCHED = ("bot", "engine", "storage", "builtins", "random", "time", "datetime", "json", "os")
# Those of the casino itself.
_THREADS = ("MainThread", "script budget")


def check_side_effects(name: str) -> Iterator[str]:
    """Check that a package imports quickly, prints nothing, starts no thread and changes no other module."""
    command = [sys.executable, "-m", __name__, name]
    done = subprocess.run(command, capture_output=True, text=True, timeout=_MOST_S)
    *printed, last = done.stdout.splitlines() or [""]
    if done.returncode:
        yield f"A process that imports it ends with status {done.returncode}: {done.stderr.strip()[-200:]}."
        return
    yield from json.loads(last)
    if said := " ".join("\n".join(printed).split()):
        yield f"It prints “{said[:60]}”, which mixes with the answers of `ridotto`: use `logging`, and no card in it."


def list_side_effects(name: str) -> Iterator[str]:
    """Yield what importing and playing a game changes in this process, which has not loaded any game yet."""
    import bot.games
    from bot.cli.game_checks.random_hands import deal_at_random, play_at_random

    entry = _find_entry(name)
    if entry is None:  # one of our own
        return
    before, began = dict(_list_parts()), monotonic()
    entry.load()
    if (took := monotonic() - began) > _LONG_S:
        yield f"Importing it takes {took:.1f} s, which delays every start: do less when it is imported."
    changed = [part for part, value in _list_parts() if before.get(part, value) is not value]
    bot.games.load()
    for seed in range(3):
        list(play_at_random(deal_at_random(name, Random(seed)), Random(seed)))
    for part in changed:
        yield f"It changes {part}, which every game and the casino use: pass your own function where you need it."
    for thread in threading.enumerate():
        if thread.name not in _THREADS:
            yield f"It starts a thread ({thread.name}): a game's code may only answer when it is asked."


def _find_entry(name: str) -> EntryPoint | None:
    import bot.games

    entries = [entry for entry in entry_points(group=bot.games.GROUP) if not entry.value.startswith("bot.")]
    return next((entry for entry in entries if entry.name == name), None)


def _list_parts() -> Iterator[tuple[str, object]]:
    """Yield every function and class of the watched modules, and the functions of those classes, by name."""
    for name, module in list(sys.modules.items()):
        if name.partition(".")[0] in _WATCHED and isinstance(module, ModuleType):
            for part, value in list(vars(module).items()):
                if callable(value):
                    yield f"{name}.{part}", value
                if isinstance(value, type) and value.__module__ == name:
                    own = vars(value).items()
                    yield from ((f"{name}.{part}.{at}", one) for at, one in own if isinstance(one, FunctionType))


if __name__ == "__main__":
    print("\n" + json.dumps(list(list_side_effects(sys.argv[1]))))
