"""Screens of every registered game: the checks of `ridotto check-game`, and presenters that fail."""

import dataclasses
import logging
import re
from dataclasses import replace

import pytest

from bot.cli.game_checks import screens
from bot.cli.game_checks.trial_table import TrialTable, list_buttons
from bot.games import PLUGINS
from bot.texts import LANGUAGES
from bot.view import Screen
from bot.view.build import private_screen, screen
from bot.view.describe import describe
from bot.view.pictures.draw import picture
from bot.view.player_view import view_hand
from bot.view.presenter import Bets, MeterDisplay, Presenter, Stacks, add_presenter
from tests.core.conftest import House

NAMES = ("anna", "bea", "cleo")
HANDS = 4
MOST_BYTES = 45 * 1024
CARD = re.compile(r"'([2-9TJQKA][cdhs]|JK)'")
SPOKEN = re.compile(r"(10|[2-9JQKA])([♠♥♦♣])")
SUITS = {"♠": "s", "♥": "h", "♦": "d", "♣": "c"}


@pytest.fixture(scope="module", params=sorted(PLUGINS))
def evening(request, tmp_path_factory):
    house = House(tmp_path_factory.mktemp(request.param))
    house.is_spoilt = True
    made = TrialTable(house, request.param)
    made.play_all()
    yield made
    house.close()


@pytest.fixture(params=sorted(PLUGINS))
def plugin(request):
    return PLUGINS[request.param]


@pytest.mark.slow
def test_every_phase_comes_about(evening):
    assert not list(screens.check_phases(evening))


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_phase_is_told_in_words(evening, language):
    assert not list(screens.check_descriptions(evening, language))


@pytest.mark.slow
def test_every_phase_is_drawn(evening):
    assert not list(screens.check_pictures(evening))


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_platform_draws_every_phase(evening, language):
    assert not list(screens.check_platforms(evening, language))


def test_every_move_has_a_button_and_leaves_a_state_and_can_be_said(plugin):
    assert not list(screens.check_words(plugin))


def test_every_spot_has_a_place_on_the_felt(plugin):
    assert not list(screens.check_places(plugin))


@pytest.mark.long
def test_G8_no_screen_shows_a_card_that_its_viewer_may_not_see(evening):
    assert not list(screens.check_cards(evening))


@pytest.mark.long
def test_G8_a_screen_is_the_same_whatever_the_hidden_cards_are(evening):
    assert not list(screens.check_hidden_cards(evening))


def test_every_button_is_a_command_that_is_accepted_and_names_no_card(evening):
    assert not list(screens.check_buttons(evening))


HOOKS = [one.name for one in dataclasses.fields(Presenter) if one.name not in ("words", "bets", "stacks", "meter")]
PARTS = {"bets": Bets, "stacks": Stacks, "meter": MeterDisplay}
HOOKS += [f"{part}.{one.name}" for part, kind in PARTS.items() for one in dataclasses.fields(kind)
          if one.name not in ("mains", "asks", "announced", "won")]  # fmt: skip
# Fails in a separate test, which counts log lines.
COUNTED = "limits"
HOOKS.remove(COUNTED)


@pytest.fixture
def broken():
    """A game's presenter with another hook, until the test ends."""
    changed = []

    def change(game, hook, answer):
        changed.append(game)
        part, _, name = hook.rpartition(".")
        look = PLUGINS[game].presenter
        inner = {part: replace(getattr(look, part), **{name: answer})} if part else {name: answer}
        add_presenter(game, replace(look, **inner))

    yield change
    for game in changed:
        add_presenter(game, PLUGINS[game].presenter)


def raising(*about):
    raise ValueError("As Kd")


@pytest.mark.slow
@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize("answer", [raising, lambda *about: object()], ids=["raises", "wrong type"])
def test_a_hook_that_fails_costs_its_own_tables_their_screen_and_nothing_else(evening, broken, hook, answer):
    broken(evening.game, hook, answer)
    house, now = evening.casino.writer.state, evening.casino.clock.now
    for state in evening.moments[:3] + evening.moments[-3:]:
        for viewer in state.screens:
            seen = screen(house, state.table, viewer, now)
            assert isinstance(seen, Screen)
            if seen.headline.template.startswith("This table cannot be shown"):
                assert not list(list_buttons(seen))
                assert not CARD.findall(repr(seen))
                assert picture(seen, "en")
                assert "cannot be shown" in describe(seen, "en")
    others = [table for table in house.tables.values() if table.game != evening.game]
    for table in others:
        assert "cannot be shown" not in str(screen(house, table, None, now).headline)


def test_a_fault_is_logged_once_with_the_game_the_hook_and_its_type_alone(evening, broken, caplog):
    broken(evening.game, COUNTED, raising)
    house, now = evening.casino.writer.state, evening.casino.clock.now
    with caplog.at_level(logging.ERROR, "bot.view.build"):
        for _ in range(3):
            screen(house, evening.table, None, now)
            private_screen(house, evening.table, 1, now)
    told = [record.getMessage() for record in caplog.records]
    assert told == [f"a screen of {evening.game} failed in {COUNTED}: ValueError"]
    assert not any(record.exc_info for record in caplog.records)


def test_a_sight_of_nobody_is_that_of_the_public(evening):
    for state in evening.moments:
        if hand := state.table.round.hand:
            stranger = view_hand(hand, 10**9, state.table.round.turning)
            assert stranger == view_hand(hand, None, state.table.round.turning)
