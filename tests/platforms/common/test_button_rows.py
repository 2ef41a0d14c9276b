"""Readable buttons: rows fit a phone, in each game, phase and language, on each platform."""

import random
from collections.abc import Iterable, Iterator

import pytest

from bot.core.state.plays import PLAYS
from bot.platforms.common.button_rows import HALF, SHORT, pack_buttons
from bot.platforms.discord import drawing as discord
from bot.platforms.telegram import drawing as telegram
from bot.texts import LANGUAGES, say
from bot.view import Button, Screen
from engine.hand import Hand
from tests.core.conftest import House
from tests.view.test_screens import ANNA, BEA, CLEO, deal, lay, look, play_at_random, table_of


@pytest.fixture(scope="module")
def screens(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Screen]]:
    """Yield each game before, in and after some hands, as everyone and three players see it."""
    house = House(tmp_path_factory.mktemp("rows"))
    for name in ("anna", "bea", "cleo"):
        house.do(f"{name} balance")
    found = {}
    for game in PLAYS:
        rng, table = random.Random(f"{game} rows"), table_of(house, game)
        hands = [hand for _ in range(8) for hand in play_at_random(Hand(deal(game, rng)), rng)]
        tables = [table, *(lay(table, hand) for hand in hands)]
        found[game] = [look(house, one, viewer) for one in tables for viewer in (None, ANNA, BEA, CLEO)]
    house.close()
    return found


def discord_rows(screen: Screen, language: str) -> Iterator[list[str]]:
    view = discord.table_view(screen, language) if screen.viewer is None else discord.panel_view(screen, (), language)
    for container in view.parts:
        for part in container["components"]:
            if "components" in part:
                yield [button["label"] for button in part["components"] if "label" in button]


def telegram_rows(screen: Screen, language: str) -> Iterator[list[str]]:
    moves = telegram.own_moves(screen, language)
    for made in (moves, telegram.public_moves(screen.moves, language)):
        board = telegram.keyboard(screen, language, "ridotto", made)
        for row in board.inline_keyboard if board is not None else ():
            yield [button.text for button in row]


@pytest.mark.parametrize("rows_of", [discord_rows, telegram_rows])
@pytest.mark.parametrize("game", PLAYS)
def test_three_buttons_share_a_row_only_where_each_has_at_most_twelve_characters(screens, rows_of, game) -> None:
    for screen in screens[game]:
        for language in LANGUAGES:
            for row in rows_of(screen, language):
                assert max(map(len, row), default=0) <= (SHORT if len(row) > 2 else HALF if len(row) == 2 else 60), row


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", PLAYS)
def test_a_label_without_a_number_has_at_most_twelve_characters(screens, game, language) -> None:
    labels = {say(button.label, language) for screen in screens[game] for button in _buttons(screen)}
    assert not {label for label in labels if len(label) > SHORT and not any(map(str.isdigit, label))}


def _buttons(screen: Screen) -> Iterable[Button]:
    seats = [button for seat in screen.seats for button in seat.buttons]
    return [*screen.moves, *screen.bets, *screen.more, *seats]


def test_a_long_label_takes_the_room_that_it_needs() -> None:
    labels = ["a" * 12, "b" * 12, "c" * 12, "d" * 13, "e", "f", "g" * 21, "h"]
    assert [len(row) for row in pack_buttons(labels, 3, str)] == [3, 2, 1, 1, 1]
