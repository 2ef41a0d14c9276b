"""The steps of docs/develop/add-a-platform.md in a copy of the tree: a hand is played over a plain TCP connection."""

from pathlib import Path

import pytest

from tests.pages import build, translate
from tests.test_architecture import ROOT
from tests.test_doc_commands import checkout, house, open_and_end, type_, units_of  # noqa: F401

PAGE = ROOT / "docs" / "develop" / "add-a-platform.md"

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@pytest.fixture(scope="module")
def tree(checkout: Path) -> Path:  # noqa: F811
    build(PAGE, checkout)
    type_(checkout, "make texts")
    translate(PAGE, checkout)
    return checkout


def test_a_hand_is_played_and_the_laws_hold(tree: Path) -> None:
    (unit,) = units_of(PAGE)
    *tests, opened = unit.commands
    for command in tests:
        type_(tree, command)
    open_and_end(tree, opened.replace("7000", "0"), "The line is open")


def test_it_is_typed_and_formatted_as_the_rest(tree: Path) -> None:
    type_(tree, "mypy bot/platforms/wire/platform.py && ruff check . && ruff format --check .")


def test_it_is_a_small_door(tree: Path) -> None:
    assert len((tree / "bot/platforms/wire/platform.py").read_text().splitlines()) < 300
