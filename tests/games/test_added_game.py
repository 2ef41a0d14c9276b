"""The example of docs/develop/add-a-game.md: its package is installed, played in two languages and removed.

Each step runs in a separate process, because this one must not know the game. Play is in playing_duel.py.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from bot.games import PLUGINS
from tests import games_reference
from tests.core.conftest import House
from tests.pages import blocks_of
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "develop" / "add-a-game.md"
EXAMPLES = ROOT / "docs" / "develop" / "examples"
EXAMPLE, RECIPES = EXAMPLES / "duel", EXAMPLES / "recipes"
GAME = "duel"


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the example."""
    left = shutil.ignore_patterns("__pycache__", "*.egg-info", "build")
    return Path(shutil.copytree(EXAMPLE, tmp_path_factory.mktemp("package") / "duel", ignore=left))


@pytest.fixture(scope="module")
def installed(package: Path) -> Path:
    """The folder with an installer's metadata beside it, so that its entry point is found."""
    project = tomllib.loads((package / "pyproject.toml").read_text())["project"]
    info = package / f"{project['name'].replace('-', '_')}-{project['version']}.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n")
    groups = project["entry-points"].items()
    lines = [line for group, named in groups for line in (f"[{group}]", *(f"{a} = {b}" for a, b in named.items()))]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n")
    return package


def environment(path: Path | None) -> dict[str, str]:
    env = {name: value for name, value in os.environ.items() if not name.startswith(("RIDOTTO_", "PYTEST_", "COV_"))}
    return env | {"PYTHONPATH": os.pathsep.join(map(str, filter(None, (ROOT, path))))}


def run(*arguments: str, path: Path | None = None, status: int = 0, cwd: Path = ROOT, **more: str) -> str:
    """Run a separate Python, with the game on its path or without; return its output."""
    done = subprocess.run(
        [sys.executable, *arguments], env=environment(path) | more, cwd=cwd, capture_output=True, text=True
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_page_is_short_and_quotes_the_example() -> None:
    assert len(PAGE.read_text("utf-8").splitlines()) <= 300
    blocks = blocks_of(PAGE)
    assert len(blocks) >= 8
    assert [block for block in blocks if block.text not in (EXAMPLE / block.path).read_text("utf-8")] == []


def test_the_reference_is_up_to_date_with_the_docstrings() -> None:
    assert games_reference.PAGE.read_text("utf-8") == games_reference.write_reference(), (
        "Run: python -m tests.games_reference"
    )


def test_a_plain_game_is_little_text() -> None:
    rules, plugin = (EXAMPLE / "ridotto_duel" / file for file in ("rules.py", "__init__.py"))
    assert len(rules.read_text("utf-8").splitlines()) <= 110
    assert len(plugin.read_text("utf-8").splitlines()) <= 150


def test_nobody_here_knows_the_game() -> None:
    assert GAME not in PLUGINS


def test_it_is_found_and_simulated(installed: Path) -> None:
    told = run("-m", "bot", "simulate", GAME, "--rounds", "2000", path=installed)
    assert '"strategy": "basic"' in told


@pytest.mark.slow
def test_its_own_test_passes(installed: Path) -> None:
    run("-m", "pytest", "-q", "-p", "no:cacheprovider", "tests", path=installed, cwd=installed)


@pytest.mark.slow
def test_its_types_are_complete(package: Path) -> None:
    cache = ("--cache-dir", str(ROOT / ".mypy_cache"))
    recipes = [str(path) for path in sorted(RECIPES.iterdir()) if path.suffix == ".py"]
    run("-m", "mypy", "--strict", *cache, "ridotto_duel", *recipes, cwd=package, MYPYPATH=str(ROOT))


def test_its_recipes_can_be_made() -> None:
    for recipe in sorted(RECIPES.glob("*.py")):
        run(str(recipe))


@pytest.mark.slow
def test_pip_installs_it_with_its_catalogue_and_its_entry_point(package: Path, tmp_path: Path) -> None:
    """The package is built with the same tools from the package index as the project."""
    left = shutil.ignore_patterns("__pycache__", "*.egg-info", "*.dist-info")
    source = shutil.copytree(package, tmp_path / "source", ignore=left)
    flags = ("--no-deps", "--disable-pip-version-check", "--target", str(tmp_path / "site"))
    run("-m", "pip", "install", "-q", *flags, str(source), PIP_BUILD_CONSTRAINT=str(ROOT / "constraints.txt"))
    assert (tmp_path / "site/ridotto_duel/texts/it/LC_MESSAGES/duel.po").is_file()
    run("-m", "bot", "simulate", GAME, "--rounds", "100", path=tmp_path / "site")


def test_the_words_to_translate_are_those_of_its_catalogue(installed: Path, tmp_path: Path) -> None:
    """Sentences in the project's own catalogue are left out."""
    target = tmp_path / "duel.pot"
    run("-m", "babel.messages.frontend", "-q", "extract", "-F", "babel.cfg", "-o", str(target), ".",
        path=installed, cwd=installed)  # fmt: skip
    asked, said = (ids_of(file) for file in (target, installed / "ridotto_duel/texts/it/LC_MESSAGES/duel.po"))
    assert said <= asked
    assert asked - said <= ids_of(ROOT / "bot/texts/it/LC_MESSAGES/ridotto.po")


def ids_of(file: Path) -> set[str]:
    joined = re.sub(r'"\n"', "", file.read_text("utf-8"))
    return {found for found in re.findall(r'^msgid "(.*)"$', joined, re.MULTILINE) if found}


@pytest.mark.slow
def test_it_passes_the_suites_of_every_game(installed: Path) -> None:
    suites = ("tests/games", "tests/engine/test_conformance.py", "tests/engine/test_quick.py")
    told = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *suites, "-k", GAME, path=installed)
    assert int(re.findall(r"(\d+) passed", told)[-1]) >= 30, told


@pytest.mark.slow
def test_it_is_in_the_gallery_and_simulated_among_the_others(installed: Path, tmp_path: Path) -> None:
    run("-m", "tests.gallery", str(tmp_path / "gallery.html"), path=installed)
    assert f"<h2>{GAME}</h2>" in (tmp_path / "gallery.html").read_text("utf-8")
    assert "seed 1: 100 steps" in run("-m", "tests.simulation", "--steps", "100", path=installed)


SOME_OF_THE_CORE = [
    f"tests/core/test_{name}.py" for name in ("board", "casino_log", "handle", "houses", "rounds", "settings")
]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("suites", "least"),
    [(SOME_OF_THE_CORE, 100), pytest.param(["tests/core"], 1500, marks=pytest.mark.exhaustive)],
    ids=["some", "all"],
)
def test_the_tests_of_the_casino_pass_where_it_comes_second(
    installed: Path, tmp_path: Path, suites: list[str], least: int
) -> None:
    """Every table except the first game's has another number."""
    first = shutil.copytree(installed, tmp_path / "first")
    plugin = first / "ridotto_duel" / "__init__.py"
    assert plugin.read_text("utf-8").count("rank=100,") == 1
    plugin.write_text(plugin.read_text("utf-8").replace("rank=100,", "rank=15,"), "utf-8")
    told = run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "fast", *suites, path=first)
    assert int(re.findall(r"(\d+) passed", told)[-1]) >= least, told


@pytest.fixture(scope="module")
def left_behind(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with an open hand of the game and a table with bets; another game's hand is open too."""
    folder = tmp_path_factory.mktemp("books")
    run("-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", "tests/games/playing_duel.py",
        path=installed, RIDOTTO_TEST_BOOKS=str(folder))  # fmt: skip
    return folder


@pytest.mark.slow
def test_it_is_played_at_the_floor_on_telegram_and_in_the_lounge(left_behind: Path) -> None:
    assert (left_behind / "house").is_dir()


def test_the_doctor_is_content_while_it_is_there(installed: Path, left_behind: Path) -> None:
    assert "No problems found" in run("-m", "bot", "doctor", "--data", str(left_behind / "house"), path=installed)


def test_the_doctor_is_content_when_it_is_not(left_behind: Path) -> None:
    """No process has opened without the game yet: its rules cannot be checked, the store can."""
    assert "No problems found" in run("-m", "bot", "doctor", "--data", str(left_behind / "house"))


def test_taken_away_its_hands_and_bets_go_back_and_the_others_go_on(left_behind: Path) -> None:
    house = House(left_behind / "house")
    house.keys = 1000  # those before are in the store, with their answers
    try:
        gone = [table for table in house.writer.state.tables.values() if table.game == GAME]
        assert {table.status for table in gone} == {"closed"}
        for table in gone:
            told = str(table.told(house.clock.now))
            assert "no longer installed" in told
            assert "stakes are returned" in told
        before = json.loads((left_behind / "chips.json").read_text())
        assert {name: house.chips(name) for name in before} == before
        assert house.faults() == []
        other = next(table for table in house.writer.state.tables.values() if table.phase == "playing")
        assert not house.do("carla fold", table=other.id).refused
        house.wait(120)
        assert house.table(other.id).round.hand is None
        answer = house.says(f"insp table open {GAME}", table=other.id)
        assert answer.startswith("There is no game called")
        assert house.faults() == []
    finally:
        house.close()


PLUGIN = "ridotto_duel/__init__.py"
WRONG = {
    "it raises when it is imported": (
        "__init__",
        "PLAY = Play(",
        "raise RuntimeError('no luck')\n\nPLAY = Play(",
        "no luck",
    ),
    "its rank is no number": ("__init__", "rank=", 'rank="first" or ', "rank is str"),
    "it names no plugin": ("pyproject", "ridotto_duel:PLUGIN", "ridotto_duel:PLAY", "not a GamePlugin"),
    "an option has no explanation": ("__init__", '"qualifies": Option(', '"colour": Option(', "colour"),
    "a default does not fit its unit": ("__init__", "Count(3, 7)", "Count(5, 7)", "does not fit its unit"),
    "its name is another game's": ("rules", 'name="duel"', 'name="uth"', "uth"),
    "its title is another game's": ("__init__", 'title="Duel"', 'title="Paiju"', "paiju"),
}


def spoil(package: Path, folder: Path, file: str, old: str, new: str) -> Path:
    """Copy the installed package with one text replaced."""
    for source in package.rglob("*"):
        if source.is_file() and "__pycache__" not in source.parts:
            target = folder / source.relative_to(package)
            target.parent.mkdir(parents=True, exist_ok=True)
            text = source.read_text("utf-8")
            is_it = source.name == "entry_points.txt" if file == "pyproject" else source.name == f"{file}.py"
            assert not is_it or old in text
            target.write_text(text.replace(old, new) if is_it else text, "utf-8")
    return folder


OPEN = """
import tempfile
from pathlib import Path
from bot.games import PLUGINS, load
load()
from tests import games_reference
from tests.core.conftest import House
from tests.pages import blocks_of
house = House(Path(tempfile.mkdtemp()))
print("GAMES", *PLUGINS)
print("ANSWER", house.says("insp table open duel"))
print("OTHER", house.says("insp table open uth"))
house.close()
"""


@pytest.mark.slow
@pytest.mark.parametrize("wrong", WRONG)
def test_a_package_that_is_wrong_is_left_out_and_the_reason_is_told(
    installed: Path, tmp_path: Path, wrong: str
) -> None:
    file, old, new, reason = WRONG[wrong]
    told = run("-c", OPEN, path=spoil(installed, tmp_path, file, old, new))
    lines = {line.partition(" ")[0]: line for line in told.splitlines()}
    assert lines["GAMES"].split()[1:] == list(PLUGINS)
    assert reason in lines["ANSWER"]
    assert "is open" in lines["OTHER"]


def test_whoever_asks_for_the_games_knows_all_commands() -> None:
    """A game's move must not have a command's name, whichever module was imported first."""
    asked = "from bot.games import load; load(); from bot.core.command_list import CHAT_COMMANDS; print(*CHAT_COMMANDS)"
    assert {"language", "bet", "table", "link"} <= set(run("-c", asked).split())


@pytest.mark.slow
def test_a_house_opens_without_it_and_its_log_names_the_reason(installed: Path, tmp_path: Path) -> None:
    package = spoil(installed, tmp_path / "package", *WRONG["it raises when it is imported"][:3])
    env = {**environment(package), "RIDOTTO_WEB": "127.0.0.1:0", "RIDOTTO_GUESTS": "0"}
    command = [sys.executable, "-m", "bot", "--data", str(tmp_path / "data")]
    with subprocess.Popen(
        command, env=env, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as house:
        assert house.stdout is not None
        assert "http://" in house.stdout.readline()
        house.terminate()
        _said, logged = house.communicate(timeout=PATIENCE_S)
    assert house.returncode == 0, logged
    assert "game duel is skipped" in logged
    assert "no luck" in logged


def test_a_plugin_without_one_of_its_parts_is_skipped_with_a_sentence(installed: Path, tmp_path: Path) -> None:
    package = spoil(installed, tmp_path, "__init__", '    cards="9d 7c",\n', "")
    told = run("-m", "bot", "simulate", "uth", "--rounds", "10", path=package)
    assert re.search(r"game duel is skipped: .*FirstHand.* missing .*'cards'", told)
    assert "Traceback" not in told
