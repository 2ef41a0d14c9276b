"""`ridotto new-game` and `ridotto check-game`: what they refuse, and in which words."""

from pathlib import Path

import pytest

from bot.__main__ import main
from bot.games import PLUGINS

GAME = "highcard"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Duel", "must be one word in lower case"),
        ("two words", "must be one word in lower case"),
        ("7up", "must be one word in lower case"),
        (next(iter(PLUGINS)), "is the name of a game"),
        ("table", "is the name of a command"),
    ],
)
def test_a_name_that_cannot_be_used_is_refused(
    name: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new-game", name, str(tmp_path / "new")]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert said in line
    assert not (tmp_path / "new").exists()


def test_a_folder_that_exists_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new-game", GAME, str(tmp_path)]) == 2
    assert "exists: name another folder" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


# Games that pass, and games that do not exist


def test_a_game_that_is_not_there_is_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-game", "nothing"]) == 2
    assert capsys.readouterr().err.startswith("ridotto: There is no game nothing. Choose one of: ")


def test_no_rounds_are_bad_input(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check-game", next(iter(PLUGINS)), "--rounds", "0"]) == 2
    assert "--rounds must be at least 1" in capsys.readouterr().err
