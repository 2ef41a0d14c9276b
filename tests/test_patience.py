"""No test's own wait decides: who waits for what is sure to come waits as long as tests/patience.py says."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
FILES = sorted(path for path in TESTS.rglob("*.py") if path.name != "patience.py")
# By their last argument, or by one called `timeout`. Result 0 does not wait.
WAITS = {"wait_for", "timeout", "result"}
BY_NAME = WAITS | {"answered", "asks", "communicate", "message", "presses", "ready", "run", "shown", "until", "wait"}
# Looks again now and then; waits until it is sure that nobody answers.
NO_PATIENCE = {("servers/discord/server.py", 0.05), ("servers/telegram/server.py", 0.05)}
NO_PATIENCE |= {("platforms/telegram/test_server.py", 0.01)}


def own_waits(path: Path) -> Iterator[tuple[int, float]]:
    """(line, seconds) of every wait that has a number of its own."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        name = called(node) if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Call) and name in BY_NAME and not ast.unparse(node.func).startswith("pytest.mark."):
            for one in bounds_of(node, name):
                if isinstance(one, ast.Constant) and isinstance(one.value, int | float) and one.value:
                    yield node.lineno, one.value


def called(call: ast.Call) -> str:
    return getattr(call.func, "attr", "") or getattr(call.func, "id", "")


def bounds_of(call: ast.Call, name: str) -> Iterator[ast.expr]:
    if name in WAITS and call.args:
        yield call.args[-1]
    yield from (word.value for word in call.keywords if word.arg in ("timeout", "timeout_s"))


@pytest.mark.slow
def test_nobody_waits_by_a_number_of_his_own() -> None:
    found = [(str(path.relative_to(TESTS)), line, s) for path in FILES for line, s in own_waits(path)]
    assert not [(name, line, s) for name, line, s in found if (name, s) not in NO_PATIENCE]


def test_no_script_that_a_test_hands_to_a_page_waits_without_an_end() -> None:
    endless = re.compile(r"for \(;;\)|while \(true\)")
    assert not [path.name for path in FILES if path != Path(__file__) and endless.search(path.read_text("utf-8"))]
