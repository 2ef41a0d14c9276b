"""Cards that are turned wave after wave, at the table of a game that declares several: here paiju, card by card."""

from dataclasses import replace
from typing import Any

import pytest

from bot.core.state import plays as play
from bot.core.state.plays import Turn, Turned
from bot.platforms.discord.options import _turns
from bot.view.sight import hand_on
from engine.cards import HIDDEN
from tests.bot.core.conftest import CARIBBEAN, table_of
from tests.some import some

GAME = "paiju"
WAVES = (
    (Turn("south", to="south", spot="south", size=1),),
    (Turn("west", to="west", spot="west", size=1),),
    (Turn("south-last", to="south", spot="south", first=2),),
    (Turn("west-last", to="west", spot="west", first=2), Turn("east", to="east", spot="")),
)


@pytest.fixture(autouse=True)
def waves(monkeypatch):
    monkeypatch.setitem(play._plays, GAME, replace(play._plays[GAME], turned=Turned(WAVES, "PJ12")))


def table(house):
    return house.table(table_of(GAME))


def says(house, line):
    return house.says(line, table=table(house).id)


def deal(house, *lines):
    for line in lines:
        assert not (answer := house.do(line, table=table(house).id)).refused, answer
    house.wait(table(house).deadline - house.clock.now)
    return table(house).play


BOTH = ("anna bet south 20", "bea bet west 20", "anna squeeze", "bea squeeze")
NOBODYS: Any = None  # answers, which this choice does not ask
EQUALS = ("anna bet south 20", "bea bet south 20", "anna squeeze")


def seen(house, name=None):
    """{position: how many cards somebody sees of how many that he is told of}."""
    sight = some(hand_on(table(house), house.player(name) if name else None))
    return {to: (sum(card != HIDDEN for card in cards), len(cards)) for to, cards in sight.cards.items()}


def test_each_wave_is_shown_when_the_one_before_lies_open_and_a_later_card_not_at_all(house):
    deal(house, *BOTH)
    assert (seen(house)["south"], seen(house)["west"]) == ((0, 1), (0, 1))
    assert (seen(house, "anna")["south"], seen(house, "bea")["west"]) == ((1, 1), (0, 1))
    assert says(house, "bea squeeze west") == "You have no cards to turn there."
    assert says(house, "anna squeeze south-last") == "You have no cards to turn there."
    assert says(house, "anna squeeze south") == "You turned south."
    assert (seen(house)["south"], seen(house, "bea")["west"]) == ((1, 1), (1, 1))
    assert says(house, "bea squeeze west") == "You turned west."
    assert (seen(house)["south"], seen(house, "anna")["south"]) == ((1, 2), (2, 2))


def test_when_the_time_runs_out_the_dealer_turns_all_of_that_hand_and_the_others_keep_their_right(house):
    deal(house, *BOTH)
    house.wait(15)
    assert table(house).turning == {"west": house.player("bea"), "west-last": house.player("bea")}
    assert says(house, "anna squeeze south") == "You have no cards to turn there."
    assert says(house, "anna squeeze") == "The cards are dealt: you can ask again in the next hand."
    house.wait(14)
    assert says(house, "bea squeeze west") == "You turned west."
    assert seen(house)["south"] == (2, 2)
    house.wait(15)
    assert table(house).phase == "asleep"


def test_the_last_hand_whose_time_runs_out_is_paid_at_once(house):
    deal(house, "anna bet south 20", "anna squeeze")
    house.wait(15)
    assert table(house).phase == "asleep"


def test_what_comes_later_is_suggested_to_nobody_and_decided_by_nobody_before_it_is_due(house):
    deal(house, *EQUALS)
    assert [position for _name, position in _turns(NOBODYS, table(house), None, "en")] == ["south"]
    assert "No cards wait" in says(house, "insp table turner south-last anna")
    assert says(house, "insp table turner south anna") == "anna turns the cards of south."
    says(house, "anna squeeze south")
    assert [position for _name, position in _turns(NOBODYS, table(house), None, "en")] == ["south-last"]


def test_an_inspector_may_decide_about_a_hand_whose_turn_is_still_to_come(house):
    deal(house, "anna bet south 20", "bea bet west 20", "cat bet west 20", "anna squeeze", "bea squeeze")
    assert says(house, "insp table turner west bea") == "bea turns the cards of west."
    assert set(table(house).turning.values()) == {house.player("anna"), house.player("bea")}


def test_what_an_inspector_types_is_told_by_an_example_of_this_game(house):
    assert says(house, "insp table turner") == "Name the position and the player: south anna."
    assert house.says("insp table turner", table=CARIBBEAN) == "In this game the dealer turns all cards."
