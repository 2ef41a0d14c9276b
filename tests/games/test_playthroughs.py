"""Playthroughs: what every step of a short evening shows to everyone, as tests/playthroughs has it."""

from pathlib import Path

import pytest

from bot.__main__ import main
from bot.cli.playthrough import write_playthrough
from bot.games import PLUGINS

FOLDER = Path(__file__).parents[1] / "playthroughs"
OURS = [game for game, plugin in PLUGINS.items() if plugin.game.script.__module__.startswith("engine.")]


@pytest.mark.parametrize("game", OURS)
def test_an_evening_is_as_it_was(game: str) -> None:
    before = (FOLDER / f"{game}.txt").read_text("utf-8")
    assert write_playthrough(game) == before, "If the change is meant: make playthroughs, and read the diff."


def test_there_is_one_for_each_game() -> None:
    assert {file.stem for file in FOLDER.iterdir()} == {*OURS}


def test_a_game_that_is_not_there_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["playthrough", "nothing"]) == 2
    assert capsys.readouterr().err.startswith("ridotto: There is no game nothing. Choose one of: ")
