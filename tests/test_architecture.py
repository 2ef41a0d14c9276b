"""Rules of the tree: directions of imports, access to the database, and no name of a game or platform outside its own
package.
"""

import ast
import re
import sys
import tomllib
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import pytest

from bot.config import OPENED_BY
from bot.games import PLUGINS
from bot.texts.languages import KNOWN, SOURCE, locale_of

ROOT = Path(__file__).parent.parent
HOUSE = {"engine", "storage", "bot", "benchmarks", "tests"}
MAY_IMPORT = {
    "engine": {"engine"},
    "storage": {"storage"},
    "bot": {"bot", "storage", "engine"},
}
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


def is_handed(path: Path, name: str) -> bool:
    """Return whether a source of randomness is only received: a strategy or control names its type, and creates
    none.
    """
    return name == "random" and (path.name == "simulation.py" or path.name.endswith(("_strategies.py", "_control.py")))


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree_of(path)))


@cache
def modules_of(package: str) -> list[Path]:
    return sorted((ROOT / package).rglob("*.py"))


def imported_by(path: Path) -> Iterator[tuple[str, int]]:
    """Yield (top-level package, line) of every import, also inside functions."""
    own = path.relative_to(ROOT).parts[0]
    for node in nodes_of(path):
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


def test_the_wheel_holds_nothing_that_only_developers_use() -> None:
    """Tests, benchmarks and the simulation stay outside; no game, and nothing for play, needs a tool of the command
    line.
    """
    found = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]["packages"]["find"]
    assert found["include"] == [f"{package}*" for package in MAY_IMPORT]
    needing = [
        f"{path.relative_to(ROOT)}:{node.lineno} imports {node.module}"
        for path in modules_of("bot")
        for node in nodes_of(path)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("bot.cli")
        if path.parts[len(ROOT.parts) + 1] not in ("cli", "__main__.py")
    ]
    assert not needing


def test_only_storage_speaks_to_the_database() -> None:
    """Other code would meet SQLite's own errors, which handlers of bugs catch."""
    past = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in modules_of("bot")
        for name, line in imported_by(path)
        if name in {"sqlite3", "sqlite_utils", "psycopg"}
    ]
    assert not past


def test_the_library_of_a_server_is_imported_by_its_store_alone() -> None:
    """A casino with its store in a folder need not have it."""
    speaking = {
        str(path.relative_to(ROOT))
        for path in modules_of("storage")
        for name, _ in imported_by(path)
        if name == "psycopg"
    }
    assert speaking == {"storage/postgres.py", "storage/postgres_lease.py"}
    naming = [
        path.name
        for path in modules_of("storage") + modules_of("bot")
        for node in nodes_of(path)
        if isinstance(node, ast.ImportFrom) and node.module == "storage.postgres"
    ]
    assert naming == []


def test_what_only_an_extra_brings_is_imported_by_name_where_it_is_used() -> None:
    """An installation without the extra must open."""
    of_extras = {"cryptography", "http_ece", "py_vapid", "pywebpush"}
    found = [path.name for path in modules_of("bot") for name, _ in imported_by(path) if name in of_extras]
    assert found == []


def test_only_storage_writes_sql() -> None:
    """Other code calls a function of storage/questions."""
    verb = r"\b(SELECT\s|INSERT (OR \w+ )?INTO\s|UPDATE \w+ SET\s|DELETE FROM\s)|\b(WHERE|ORDER BY)\s+\w"
    written = [
        f"{path.relative_to(ROOT)}:{node.lineno} writes {node.value[:40]}"
        for package in ("engine", "bot")
        for path in modules_of(package)
        for node in nodes_of(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and re.search(verb, node.value)
    ]
    assert not written


def test_the_engine_imports_the_standard_library_alone() -> None:
    foreign = [
        f"{path.name}:{line} imports {name}"
        for path in modules_of("engine")
        for name, line in imported_by(path)
        if name != "engine" and name not in sys.stdlib_module_names
    ]
    assert not foreign


def test_the_verifier_imports_the_standard_library_alone() -> None:
    """Strangers get it as one file. Optional imports are made by name; imports from bot are checked by the rules of
    layers below.
    """
    foreign = [
        f"{path.name}:{line} imports {name}"
        for path in modules_of("bot/verifier")
        for name, line in imported_by(path)
        if name not in ("engine", "bot") and name not in sys.stdlib_module_names
    ]
    assert not foreign


def test_the_engine_has_no_clock_no_chance_and_no_world() -> None:
    reached = [
        f"{path.name}:{line} imports {name}"
        for path in modules_of("engine")
        for name, line in imported_by(path)
        if name in WORLD and not is_handed(path, name)
    ]
    reached += [
        f"{path.name}:{node.lineno} calls {node.func.id}"
        for path in modules_of("engine")
        for node in nodes_of(path)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLS
    ]
    assert not reached


# The rooms of bot, each above those that it may import; what is not named here may import all of them.
ROOMS = {
    "bot.texts": set[str](),
    "bot.verifier": set[str](),
    "bot.core": {"bot.texts", "bot.verifier"},
    "bot.view": {"bot.core", "bot.texts"},
}


def name_of(path: Path) -> str:
    """Return the dotted name of a module."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imports_of_modules() -> dict[str, set[str]]:
    """Return {module: its imports of our own modules}, also inside functions."""
    modules = {name_of(path): path for package in MAY_IMPORT for path in modules_of(package)}
    return {name: set(_imports(path, modules.keys())) - {name} for name, path in modules.items()}


def _imports(path: Path, known: Collection[str]) -> Iterator[str]:
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                whole = f"{node.module}.{alias.name}"
                yield from [whole] if whole in known else [str(node.module)] if node.module in known else []


def test_no_modules_import_each_other_in_a_circle() -> None:
    """Law 1: modules can be removed one by one, each importing nothing that is left, until none is left."""
    left = dict(imports_of_modules())
    while free := [name for name, imports in left.items() if imports.isdisjoint(left)]:
        left = {name: imports for name, imports in left.items() if name not in free}
    assert not left


@pytest.mark.parametrize("room", ROOMS)
def test_rooms_of_the_bot_import_downwards_only(room: str) -> None:
    """Law 1: games and platforms are above texts, core and view."""
    upwards = [
        f"{name} imports {one}"
        for name, imports in imports_of_modules().items()
        if name.startswith(f"{room}.") or name == room
        for one in imports
        if one.startswith("bot.") and ".".join(one.split(".")[:2]) not in ROOMS[room] | {room}
    ]
    assert not upwards


# The folders of bot.core, each above those that it may import. Modules beside them drive it; no folder imports those.
LAYERS = ("state", "commands", "players", "rounds", "casinos", "guide", "admin")


def folder_of(name: str) -> str:
    """Return the folder of a module, or the module itself if it is beside folders."""
    return ".".join(name.split(".")[: 3 if name.startswith("bot.core.") else 2])


def test_folders_of_the_core_import_downwards_only() -> None:
    """Law 1: every folder has its place in the order."""
    assert {path.parent.name for path in (ROOT / "bot" / "core").glob("*/__init__.py")} == set(LAYERS)
    upwards = [
        f"{name} imports {one}"
        for place, layer in enumerate(LAYERS)
        for name, imports in imports_of_modules().items()
        if folder_of(name) == f"bot.core.{layer}"
        for one in imports
        if one.startswith("bot.core.") and folder_of(one).removeprefix("bot.core.") not in LAYERS[: place + 1]
    ]
    assert not upwards


def test_no_two_folders_import_each_other() -> None:
    """Law 1 forbids it."""
    pairs = {
        (folder_of(name), folder_of(one))
        for name, imports in imports_of_modules().items()
        for one in imports
        if folder_of(name) != folder_of(one) and not folder_of(name).startswith(f"{folder_of(one)}.")
    }
    assert not sorted(pair for pair in pairs if pair[::-1] in pairs)


def test_platforms_know_the_writer_by_its_interface_alone() -> None:
    """Law 1: a platform works in a front as in the writer's process. Trial screens are drawn by checks of languages."""
    inside = {"bot.core.writer", "bot.core.front", "bot.core.forwarding", "bot.core.crossing"}
    knowing = {
        f"{name} imports {one}"
        for name, imports in imports_of_modules().items()
        if name.startswith(("bot.platforms.", "bot.view.")) and not name.endswith(".trial_screens")
        for one in imports & inside
    }
    assert not knowing


# Law 2: a game is known by name in its own folder, its rule script, its tests and the catalogues.


GAMES = sorted(path.parent.name for path in (ROOT / "bot" / "games").glob("*/__init__.py"))


def is_of(path: Path, game: str) -> bool:
    """Return whether a file belongs to the game."""
    parts = path.relative_to(ROOT).parts
    return parts[:3] == ("bot", "games", game) or (parts[:2] == ("engine", "games") and path.stem.startswith(game))


@pytest.mark.parametrize("game", GAMES)
def test_no_literal_names_a_game_outside_its_own_files(game: str) -> None:
    title = PLUGINS[game].texts.title.lower()
    named = [
        f"{path.relative_to(ROOT)}:{node.lineno} says {node.value}"
        for package in MAY_IMPORT
        for path in modules_of(package)
        if not is_of(path, game)
        for node in nodes_of(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.lower() in (game, title)
    ]
    assert not named


@pytest.mark.parametrize("game", GAMES)
def test_nobody_imports_a_games_modules_but_itself(game: str) -> None:
    own = re.compile(rf"(bot\.games\.{game}|engine\.games\.{game}\w*)(\.|$)")
    others = [
        f"{name} imports {one}"
        for name, imports in imports_of_modules().items()
        for one in imports
        if own.match(one) and not own.match(name)
    ]
    assert not others


@pytest.mark.parametrize("game", GAMES)
def test_no_page_script_or_style_names_a_game(game: str) -> None:
    word = re.compile(rf"\b{game}\b", re.IGNORECASE)
    files = [path for kind in ("js", "css", "html") for path in (ROOT / "bot").rglob(f"*.{kind}")]
    named = [
        f"{path.relative_to(ROOT)}:{number} {line.strip()[:60]}"
        for path in files
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if word.search(line)
    ]
    assert files
    assert not named


# A platform's name appears only in its own package and in the settings.


NAMES_A_PLATFORM = {
    "bot/config.py",
    "bot/core/state/lounge.py",  # the rooms of the lounge are kept under this name
}


@pytest.mark.parametrize("platform", OPENED_BY)
def test_no_literal_names_a_platform_outside_its_package(platform: str) -> None:
    """Literals must not contain it, alone, as the start of a key, or in SQL."""
    assert (ROOT / "bot" / "platforms" / platform / "platform.py").exists()
    name = re.compile(rf"{platform}(:.*)?|.*'{platform}'.*", re.DOTALL)
    named = [
        f"{path.relative_to(ROOT)}:{node.lineno} says {node.value}"
        for package in MAY_IMPORT
        for path in modules_of(package)
        if is_outside(path, platform)
        for node in nodes_of(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if name.fullmatch(node.value)
    ]
    assert not named


def is_outside(path: Path, platform: str) -> bool:
    name = str(path.relative_to(ROOT))
    return not name.startswith(f"bot/platforms/{platform}/") and name not in NAMES_A_PLATFORM


@pytest.mark.parametrize("platform", OPENED_BY)
def test_no_door_knows_another(platform: str) -> None:
    """Common parts belong to bot/platforms/common."""
    others = [
        f"{name} imports {one}"
        for name, imports in imports_of_modules().items()
        if name.startswith("bot.platforms.") and not name.startswith(f"bot.platforms.{platform}")
        for one in imports
        if one.startswith(f"bot.platforms.{platform}.")
    ]
    assert not others


# A language is a folder of data: everything about it is in bot/texts/<language>, and in no code.


def words_of_languages() -> set[str]:
    """Return codes, names, and typed words of every language except the source's."""
    found = set[str]()
    for name, one in KNOWN.items():
        if name != SOURCE:
            found |= {name, one.tag, one.name, *one.amounts.all, *one.amounts.half, str(locale_of(name).english_name)}
            found |= {code for codes in one.codes.values() for code in codes}
    return {word.lower() for word in found}


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_no_literal_names_a_language(package: str) -> None:
    """Literals must not contain one, alone or in a list: en|it."""
    known = words_of_languages()
    named = [
        f"{path.relative_to(ROOT)}:{node.lineno} says {node.value}"
        for path in modules_of(package)
        for node in nodes_of(path)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if (words := set(re.findall(r"\w+", node.value.lower()))) and words <= known | {SOURCE} and words != {SOURCE}
    ]
    assert {"it", "de", "deutsch", "german"} <= known
    assert not named


def test_no_page_or_script_names_a_language() -> None:
    word = re.compile(rf"""["']({"|".join(words_of_languages())})["']""", re.IGNORECASE)
    named = [
        f"{path.relative_to(ROOT)}:{number} {line.strip()[:60]}"
        for kind in ("js", "css", "html")
        for path in (ROOT / "bot").rglob(f"*.{kind}")
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if word.search(line)
    ]
    assert not named


def test_what_is_kept_is_no_bag_of_string_keys() -> None:
    """Law 3: states have types; no code looks up a string key in one."""
    asked = re.compile(r"\.(state|memory)(\.(get|setdefault|pop)\(|\[\")")
    asking = [
        f"{path.relative_to(ROOT)}:{number} {line.strip()[:60]}"
        for path in modules_of("bot")
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1)
        if asked.search(line)
    ]
    assert not asking
