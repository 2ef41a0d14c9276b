"""`/mentions`: players who want none are never mentioned, and a table can switch them off for all."""

import pytest

from bot.core.casinos.mentions import may_mention
from tests.core.conftest import House


def may(house: House, name: str) -> bool:
    return may_mention(house.writer.state, house.table(), house.player(name))


def test_a_player_switches_them_off_and_on_for_himself_alone(house: House) -> None:
    house.says("anna balance")
    house.says("bea balance")
    assert may(house, "anna")
    assert house.says("anna mentions off") == (
        "You are no longer mentioned when it is your turn. Your clock still runs."
    )
    assert (may(house, "anna"), may(house, "bea")) == (False, True)
    house.says("anna mentions on")
    assert may(house, "anna")


@pytest.mark.parametrize("line", ["anna mentions", "anna mentions perhaps"])
def test_anything_else_is_refused_and_changes_nothing(house: House, line: str) -> None:
    house.says("anna balance")
    assert house.says(line) == "Choose on or off."
    assert may(house, "anna")


def test_an_inspector_switches_them_off_for_a_table(house: House) -> None:
    house.says("anna balance")
    house.says("insp table set mentions off")
    assert not may(house, "anna")
