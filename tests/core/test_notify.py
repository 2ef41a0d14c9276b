"""`/notify`: each request brings one notice, and the table alone decides when and for whom."""

import pytest

from bot.core.casinos.notify import due
from bot.core.casinos.places import internal_command_of
from bot.core.commands.command import Command, Who
from bot.core.state.place import Place
from tests.core.tournaments import create, join


def say(house, name, verb, *args, sure=False):
    """Submit a command in a server with a single table."""
    house.keys += 1
    who = Who("discord", name, name, inspector=name == "insp")
    command = Command(f"key {house.keys}", who, Place("discord", "1"), verb, args, confirmed=sure)
    return house.batch([command])[0]


@pytest.fixture
def full(house):
    """A table with two seats, both taken."""
    house.batch([internal_command_of("arrive", Place("discord", "1"), "arrive", "Bar", "en")])
    for name, verb, *args in (
        ("insp", "table open", "caribbean", "seats", "2"),
        ("anna", "sit"),
        ("bea", "sit"),
    ):
        assert not (answer := say(house, name, verb, *args)).refused, answer
    return lambda: house.table(house.writer.state.places["discord", "1"].table_id)


def number(house, name):
    return house.writer.state.identity("discord", name)


def test_a_free_seat_is_told_to_who_waits_and_once(house, full):
    assert str(say(house, "cleo", "notify", "seat").texts[0]) == "You get one message here when a seat is free."
    assert due(full()) is None
    say(house, "bea", "leave")
    assert due(full()) == ("seat", number(house, "cleo"))
    told = [
        internal_command_of(f"told {n}", Place("discord", "1"), "noticed", "seat", str(number(house, "cleo")))
        for n in (1, 2)
    ]
    assert [answer.refused for answer in house.batch(told)] == [False, True]
    assert due(full()) is None


def test_who_has_not_asked_or_plays_there_is_told_nothing(house, full):
    say(house, "bea", "leave")
    assert due(full()) is None
    answer = say(house, "cleo", "notify", "seat")
    assert str(answer.texts[0]) == "A seat is free."
    assert [(str(one.label), one.verb) for one in answer.choices] == [("Take a seat", "sit")]
    assert not say(house, "anna", "notify", "hot").refused
    assert due(full()) is None


def test_it_can_be_taken_back_and_is_kept_over_a_restart(house, full):
    say(house, "cleo", "notify", "seat")
    house.restart()
    assert full().notify == {"seat": (number(house, "cleo"),)}
    say(house, "cleo", "notify", "off")
    assert full().notify == {}


def test_a_page_of_the_lounge_tells_of_free_seats_alone(house):
    answer = house.do("anna notify hot")
    assert answer.refused
    assert [one.args for one in answer.choices] == [("seat",), ("off",)]
    assert house.says("anna notify seat") == "A seat is free."


def test_without_a_kind_each_one_is_a_button(house, full):
    told = say(house, "cleo", "notify")
    assert not told.refused
    assert [one.args for one in told.choices] == [("seat",), ("hot",), ("off",)]
    for one in told.choices:
        assert not say(house, "cleo", one.verb, *one.args).refused
    assert say(house, "cleo", "notify", "sometimes").refused


def test_a_seat_is_not_waited_for_by_those_who_have_one(house, full):
    assert "You already have seat 1." in str(say(house, "anna", "notify", "seat").texts[0])
    assert full().notify == {}


def test_a_closed_table_ends_the_wait_and_takes_no_more(house, full):
    say(house, "cleo", "notify", "seat")
    assert not say(house, "insp", "table close", "flood", sure=True).refused
    assert (full().status, full().notify) == ("closed", {})
    for kind in ("seat", "hot"):
        assert str(say(house, "cleo", "notify", kind).texts[0]) == "This table is closed."


def test_seats_of_a_tournament_are_not_waited_for(house):
    table = create(house)
    assert "are drawn" in house.says("cleo notify seat", table=table)
    join(house, table, "bea")
    assert "are drawn" in house.says("cleo notify seat", table=table)
    assert house.table(table).notify == {}
