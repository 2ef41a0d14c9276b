"""The steps of docs/develop/add-a-language.md in a copy of the tree, and play in that language."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from bot.texts.languages import Language
from tests.patience import PATIENCE_S

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "develop" / "add-a-language.md"
NAME = "vec"
# Plays by the page's instructions, and prints the answers.
PLAYED = """
import asyncio, sys, tempfile
from pathlib import Path
import bot
from bot.config import read_config
from bot.games import load
from bot.texts import say

load()
from tests.core.conftest import House
from tests.bot.open_house import TABLE, open_house
from tests.patience import PATIENCE_S

assert str(Path(bot.__file__).parents[1]) == sys.argv[1], bot.__file__
folder = Path(tempfile.mkdtemp())
print(read_config().language)
house = House(folder)
print(house.says("anna language Vèneto"))
print(house.writer.state.players[house.player("anna")].language)
print(say(house.do("anna balance").texts[-1], "vec"))
print(house.says("insp table set language vec"))
house.close()

async def visit():
    async with open_house(folder / "lounge") as house:
        anna = await house.enter("Anna", **{"Accept-Language": "vec-IT,it;q=0.5"})
        await anna.press("bet", "50")
        return await anna.page(TABLE)

html = asyncio.run(visit())
print('<html lang="vec">' in html, "Tol indrìo" in html)
"""


def blocks() -> dict[str, str]:
    """Return {path: text} of the files that the page writes."""
    return dict(re.findall(r"^```\w+ (\S+)\n(.*?)^```$", PAGE.read_text("utf-8"), re.DOTALL | re.MULTILINE))


def commands() -> list[str]:
    """Return the lines to type, in order."""
    return re.findall(r"^ {4}(\S.*)$", PAGE.read_text("utf-8"), re.MULTILINE)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout after the first two steps."""
    folder = tmp_path_factory.mktemp("checkout").resolve()
    for room in ("bot", "engine", "storage"):
        shutil.copytree(ROOT / room, folder / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "Makefile", folder)
    (folder / ".venv").mkdir()
    run(folder, *commands()[0].split())
    for path, text in blocks().items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_text(text, "utf-8")
    # Installed packages are not installed again.
    run(folder, *commands()[1].split(), "-o", ".venv/.play", f"BIN={Path(sys.executable).parent}")
    return folder


def run(folder: Path, *line: str, more: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}", "PYTHONIOENCODING": "utf-8", **(more or {})}
    return subprocess.run(line, cwd=folder, env=env, capture_output=True, text=True, timeout=PATIENCE_S)


def test_the_page_says_what_to_type() -> None:
    assert commands()[:3] == ["mkdir -p bot/texts/vec", "make texts", "ridotto texts check vec"]
    assert commands()[3:] == ["RIDOTTO_LANGUAGE=vec ridotto"]
    assert [*blocks()] == ["bot/texts/vec/locale.toml", "bot/texts/vec/LC_MESSAGES/ridotto.po"]


def test_the_page_explains_every_field_and_no_other() -> None:
    explained = re.findall(r"^\| `(\w+)` \|", PAGE.read_text("utf-8"), re.MULTILINE)
    assert {*explained} == {*Language.__struct_fields__}


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_make_texts_brings_the_rest_of_the_catalogue(tree: Path) -> None:
    with open(tree / "bot/texts" / NAME / "LC_MESSAGES/ridotto.po", "rb") as file:
        catalogue = read_po(file, locale=NAME)
    assert len(catalogue) > 1000
    assert [one.id for one in catalogue if one.id and one.string and any(one.string)] == [
        "Take back", "You have {chips} chips.", ("{n} player", "{n} players")
    ]  # fmt: skip


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_the_check_says_what_is_left_to_do(tree: Path) -> None:
    said = run(tree, sys.executable, "-m", "bot", *commands()[2].split()[1:])
    *findings, share = said.stdout.splitlines()
    assert (said.returncode, said.stderr) == (1, "")
    assert re.fullmatch(r"vec: Vèneto, 3 of [0-9]{4} messages, 0 %", share)
    assert len(findings) > 1000
    assert all(re.fullmatch("vec: .*“.*” waits for its translation", finding) for finding in findings)


@pytest.mark.slow
@pytest.mark.timeout(240)
def test_one_plays_in_it(tree: Path) -> None:
    setting, _equals, value = commands()[3].split()[0].partition("=")
    said = run(tree, sys.executable, "-c", PLAYED, str(tree), more={setting: value})
    assert said.stdout.splitlines() == [
        "vec",
        "I'll answer you in Vèneto.",
        "vec",
        "Ti ga 1\u202f000 fiches.",
        "Language: English → Vèneto.",
        "True True",
    ], said.stderr
