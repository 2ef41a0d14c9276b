"""A store of two thousand casinos: queries of one do not touch tables, places or bans of others."""

from collections.abc import Callable
from contextlib import contextmanager
from typing import Any

import pytest
from msgspec import structs

from bot.core.state.layers import GroupedMap
from bot.core.state.values import Casino
from storage.rows import PlaceRow
from tests.core.communities import do, found, internal_command, says, table_at

HERE, THERE, GROUP = "discord:1", "telegram:1", "telegram:2"
OTHERS = range(10_000, 12_000)


class Watched(GroupedMap[Any, Any]):
    """A map that counts iterations over all of it."""

    looks = 0

    def _look(self, *_others):
        Watched.looks += 1
        raise AssertionError("somebody looks at the whole house")

    __iter__ = keys = values = items = copy = __or__ = __ror__ = __eq__ = _look


@contextmanager
def watched(house):
    state = house.writer.state
    kept = (state.tables, state.places, state.casinos)
    for one in kept:
        one.__class__ = Watched
    Watched.looks = 0
    yield
    for one in kept:
        one.__class__ = GroupedMap
    assert not Watched.looks


@pytest.fixture
def large(house):
    """Two communities and a group among many others; one player has been looked up before."""
    for at, name in ((HERE, "anna"), (THERE, "beppe")):
        found(house, at, "caribbean")
        do(house, f"{name} balance", at)
    found(house, GROUP)
    state, model = house.writer.state, table_at(house, HERE)
    for id in OTHERS:
        state.casinos[id] = Casino(id, f"casino {id}", state.casinos[1].state, 0.0)
        state.tables[id] = structs.replace(model, id=id, casino=id, round=structs.replace(model.round, deadline=None))
        state.places["discord", str(id)] = PlaceRow("discord", str(id), id, id)
    state.presence.tables_of(1)
    return house


def test_nothing_that_is_said_in_one_casino_looks_at_all_of_them(large):
    with watched(large):
        assert says(large, "anna tables", HERE).startswith("Table 1")
        assert not do(large, "anna bet 10", HERE).refused
        assert not do(large, "insp ban anna she knows why", HERE, sure=True).refused
        assert not do(large, "insp unban anna she may", HERE).refused
        assert not do(large, "insp casino show", HERE).refused
        assert not do(large, "insp house set name “Ridotto” because", HERE, sure=True).refused
        assert not do(large, "insp house reset a new season", HERE, sure=True).refused
        assert not do(large, "insp table close because", HERE, sure=True).refused
        assert not do(large, "insp table open stud", HERE).refused
        internal_command(large, "discord:5", "enter", "1")
        internal_command(large, HERE, "posted", "77")
        internal_command(large, "discord:6", "arrive", "six", "en")
        internal_command(large, HERE, "move", "7")
        internal_command(large, "discord:7", "lose")
        internal_command(large, "discord:7", "regain")
        internal_command(large, "discord:7", "lose", "all")
        assert table_at(large, "discord:7") is None


@pytest.mark.parametrize("code", ["", "-", "x-ABCDEFGH", "0-ABCDEFGH", "99999-ABCDEFGH", "9" * 30 + "-A", "1", "²-A"])
def test_a_code_that_nobody_gave_is_refused(large, code):
    assert "is wrong or older" in says(large, f"anna link {code or '?'}", HERE)
    assert "is wrong or older" in says(large, f"insp2 house join {code or '?'}", GROUP)


def test_values_are_found_by_what_they_belong_to_wherever_they_move():
    numbers = GroupedMap[str, tuple[int, ...]](lambda value: tuple(("of", one) for one in value))
    numbers.lay({"a": (1, 2), "b": (2,), "c": ()})
    assert numbers.under("of", 2) == [(1, 2), (2,)]
    numbers["a"] = (1, 3)
    assert (numbers.under("of", 2), numbers.under("of", 3)) == ([(2,)], [(1, 3)])
    assert numbers.under("of", 3, {"b": (3,), "a": (1,), "z": (3, 1)}) == [(3,), (3, 1)], "what lies over it counts"
    del numbers["b"]
    assert numbers.under("of", 2) == numbers.under("else", 1) == []


def test_what_is_deleted_while_somebody_asks_is_left_out():
    meanwhile: list[Callable[[], None]] = []

    def groups_of(_value):
        if meanwhile:
            meanwhile.pop()()
        return (("of", 1),)

    letters = GroupedMap[str, str](groups_of)
    letters.lay({"a": "A", "b": "B"})
    meanwhile.append(lambda: letters.__delitem__("b"))
    assert letters.under("of", 1) == ["A"]
