"""The steps of docs/develop/add-a-command.md in a copy of the tree: the command is tested, translated and listed."""

from pathlib import Path

import pytest

from tests.pages import build, translate
from tests.test_architecture import ROOT
from tests.test_doc_commands import checkout, house, type_, units_of  # noqa: F401

PAGE = ROOT / "docs" / "develop" / "add-a-command.md"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def tree(checkout: Path) -> Path:  # noqa: F811
    build(PAGE, checkout)
    type_(checkout, "make texts")
    translate(PAGE, checkout)
    return checkout


def test_what_must_hold_of_every_command_does(tree: Path) -> None:
    (unit,) = units_of(PAGE)
    for command in unit.commands:
        type_(tree, command)


def test_the_simulation_types_it(tree: Path) -> None:
    type_(tree, "python -m pytest -q tests/simulation/test_simulation.py::test_every_command_has_words")


def test_the_platforms_and_the_types_take_it(tree: Path) -> None:
    type_(tree, "python -m pytest -q tests/platforms/discord/test_discord.py -k 'discords_limits or share_a'")
    type_(tree, "mypy bot/core/rounds/playing.py && ruff check . && ruff format --check .")


MENUS = """
import bot.games
bot.games.load()
from bot.platforms.telegram.menus import MEMBERS, helps_of
for language in ("en", "de", "it"):
    print(helps_of(MEMBERS, language)["timebank"])
"""


def test_telegrams_menus_could_say_it_in_every_language(tree: Path) -> None:
    said = type_(tree, f"python -c '{MENUS}'")
    assert said.splitlines() == [
        "How much extra time you have left today",
        "Wie viel Zusatzzeit Dir heute noch bleibt",
        "Quanto tempo supplementare ti resta oggi",
    ]
