"""Simulations of every installed game: people can play it, and a casino with only its tables ends in good order."""

from contextlib import closing

import pytest

from bot.games import PLUGINS
from storage.questions import hands
from tests.core.conftest import House
from tests.simulation.history import History
from tests.some import some

STEPS = 300
LIMITS = "G5"

EVERY_GAME = pytest.mark.parametrize("game", PLUGINS)


@pytest.fixture
def house(tmp_path):
    opened = House(tmp_path)
    yield opened
    opened.close()


def filled(line):
    """Return a line with its placeholders filled, for a person who sees hand 1."""
    return line.format(amount=20, seat=1, player="anna", hand=1, last=1)


@pytest.mark.slow
@EVERY_GAME
def test_a_house_of_its_tables_alone_plays_hands_to_their_end(tmp_path, game):
    """The store passes `doctor` at the end, and no one was shown a card that is hidden from them."""
    with closing(History(1, tmp_path / "house", (game,))) as history:
        for _step in history.run(STEPS):
            pass
        history.finish()
        rows = [some(hands.hand(history.books, id)) for id in hands.hand_numbers(history.books)]
    assert {row.game for row in rows if row.status == "over"} == {game}
