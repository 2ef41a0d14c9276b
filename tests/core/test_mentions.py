"""`/mentions`: players who want none are never mentioned, and a table can switch them off for all."""

from bot.core.casinos.mentions import may_mention
from tests.core.conftest import House


def may(house: House, name: str) -> bool:
    return may_mention(house.writer.state, house.table(), house.player(name))


def test_a_player_switches_them_off_and_on_for_themselves_alone(house: House) -> None:
    house.says("anna balance")
    house.says("bea balance")
    assert may(house, "anna")
    assert house.says("anna mentions off") == ("You are not mentioned when it is your turn. Your clock still runs.")
    assert (may(house, "anna"), may(house, "bea")) == (False, True)
    house.says("anna mentions on")
    assert may(house, "anna")


def test_anything_else_is_refused_and_changes_nothing(house: House) -> None:
    house.says("anna balance")
    assert house.says("anna mentions perhaps") == "Choose on or off."
    assert may(house, "anna")


def test_without_an_argument_the_setting_is_shown_with_a_button_for_the_other(house: House) -> None:
    for setting in ("off", "on"):
        (choice,) = house.do("anna mentions").choices
        assert choice.args == (setting,)
        assert house.do(f"anna mentions {setting}").texts == house.do("anna mentions").texts


def test_an_inspector_switches_them_off_for_a_table(house: House) -> None:
    house.says("anna balance")
    house.says("insp table set mentions off")
    assert not may(house, "anna")
