"""Imports run downwards only: bot -> storage, engine; storage and engine know nothing of each other or of bot."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HOUSE = {"engine", "storage", "bot", "tests"}
MAY_IMPORT = {"engine": {"engine"}, "storage": {"storage"}, "bot": {"bot", "storage", "engine"}}
# Without these the rules can name no clock, no chance, no file, no network and no thread.
WORLD = {
    "asyncio",
    "datetime",
    "io",
    "logging",
    "os",
    "pathlib",
    "random",
    "secrets",
    "socket",
    "sqlite3",
    "subprocess",
    "sys",
    "threading",
    "time",
    "uuid",
}
CALLS = {"open", "print", "input", "exec", "eval", "__import__", "Random"}
# A strategy may be handed a source of chance, and names its type; it makes none.
HANDED = {("strategies.py", "random")}


def modules_of(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported_by(path: Path) -> Iterator[tuple[str, int]]:
    """(top-level package, line) of every import, wherever it stands in the file."""
    own = path.relative_to(ROOT).parts[0]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((alias.name.partition(".")[0], node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield own if node.level else str(node.module).partition(".")[0], node.lineno


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_run_downwards_only(package: str) -> None:
    assert modules_of(package)
    upwards = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules_of(package)
        for name, line in imported_by(path)
        if name in HOUSE - MAY_IMPORT[package]
    ]
    assert not upwards


def test_the_engine_imports_the_standard_library_alone() -> None:
    foreign = [
        f"{path.name}:{line} imports {name}"
        for path in modules_of("engine")
        for name, line in imported_by(path)
        if name != "engine" and name not in sys.stdlib_module_names
    ]
    assert not foreign


def test_the_engine_has_no_clock_no_chance_and_no_world() -> None:
    reached = [
        f"{path.name}:{line} imports {name}"
        for path in modules_of("engine")
        for name, line in imported_by(path)
        if name in WORLD and (path.name, name) not in HANDED
    ]
    reached += [
        f"{path.name}:{node.lineno} calls {node.func.id}"
        for path in modules_of("engine")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS
    ]
    assert not reached
