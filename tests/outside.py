"""Tests that go outside: they start a process, open a socket or a browser, run a platform, a benchmark or a simulation.

The others are the fast tier, `-m fast`. The calls of a test and its fixtures are followed through the code of the
tests; a test that goes outside only by product code is marked `outside` by hand. One that goes outside without the mark
fails.
"""

import functools
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).parent
# Long histories by design, whatever they call.
HISTORIES = [ROOT / room for room in ("fuzz", "kills", "nemesis", "simulation")]
WAYS_OUT = ("aiohttp", "multiprocessing", "playwright", "simcord", "socket", "subprocess")
OF_ASYNCIO = {"create_subprocess_exec", "create_subprocess_shell", "open_connection", "start_server"}
OURS = ("benchmarks", "tests.load", "tests.simulation.history")
# It starts a process, and is product code.
PROCESS = "bot.core.commands.counting.Counting"
WHAT_GOES_OUT = {
    "os.fork",
    "os.forkpty",
    "os.posix_spawn",
    "os.system",
    "socket.bind",
    "socket.connect",
    "subprocess.Popen",
}


def goes_outside(item: pytest.Item) -> bool:
    """Return whether a test goes outside, by its mark, its folder, or calls of its own or its fixtures."""
    if item.get_closest_marker("outside") or is_of_a_history(item.path):
        return True
    return any(is_way_out(function) for function in functions_of(item))


@functools.cache
def is_of_a_history(path: Path) -> bool:
    return any(history in path.parents for history in HISTORIES)


def functions_of(item: pytest.Item) -> Iterator[Any]:
    """Yield the test's function, and those of all its fixtures."""
    if isinstance(item, pytest.Function):
        yield item.function
        for fixtures in item._fixtureinfo.name2fixturedefs.values():
            yield from (fixture.func for fixture in fixtures)


@functools.cache
def is_way_out(start: Any) -> bool:
    """Return whether one of `WAYS_OUT` can be reached; only functions and classes of the tests are followed."""
    seen, waiting = {id(start)}, [start]
    while waiting:
        for called in called_by(waiting.pop()):
            if is_outside(called):
                return True
            if id(called) not in seen and is_ours(called):
                seen.add(id(called))
                waiting.append(called)
    return False


def is_outside(value: Any) -> bool:
    name = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None) or ""
    if not isinstance(name, str):
        return False
    if name.startswith("asyncio."):
        return getattr(value, "__name__", "") in OF_ASYNCIO
    if name.startswith(OURS) or name.partition(".")[0] in WAYS_OUT:
        return True
    return f"{name}.{getattr(value, '__qualname__', '')}" == PROCESS


def is_ours(value: Any) -> bool:
    return isinstance(value, type | FunctionType) and value.__module__.startswith("tests.")


def called_by(value: Any) -> Iterator[Any]:
    """Yield everything named by the code of a function, or of all methods of a class."""
    if isinstance(value, type):
        yield from value.__mro__[1:]
        for method in vars(value).values():
            yield from called_by(unwrapped(method))
    elif isinstance(value, FunctionType):
        yield from named_in(value.__code__, value.__globals__)


def unwrapped(value: Any) -> Any:
    value = getattr(value, "__func__", None) or getattr(value, "fget", None) or value
    return inspect.unwrap(value) if callable(value) else value


def named_in(code: CodeType, known: dict[str, Any]) -> Iterator[Any]:
    """Yield the names in code, nested functions included. Attributes are followed only on modules."""
    for name in code.co_names:
        if name in known:
            value = unwrapped(known[name])
            yield value
            if isinstance(value, ModuleType):
                yield from (unwrapped(vars(value)[one]) for one in code.co_names if one in vars(value))
    for inner in code.co_consts:
        if isinstance(inner, CodeType):
            yield from named_in(inner, known)


class Watch:
    """Records uses of the outside by tests of the fast tier. An audit hook cannot be removed, so there is one per
    process.
    """

    def __init__(self) -> None:
        self.is_on = False
        self.gone: list[str] = []

    def hear(self, event: str, _args: tuple[object, ...]) -> None:
        if self.is_on and event in WHAT_GOES_OUT:
            self.gone.append(event)

    def begin(self, item: pytest.Item) -> None:
        self.is_on, self.gone = item.get_closest_marker("fast") is not None, []

    def end(self) -> str | None:
        """Return the first use of the outside."""
        self.is_on = False
        return self.gone[0] if self.gone else None


WATCH = Watch()
sys.addaudithook(WATCH.hear)
