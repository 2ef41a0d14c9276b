"""Reactions to big wins: five times the stake, where an inspector wants them."""

import pytest

from bot.platforms.common.reactions import has_big_win


@pytest.mark.parametrize(("house", "is_big"), [("full house", True), ("pair", False)], indirect=["house"])
def test_a_payment_of_five_times_is_big(house, is_big):
    house.do("insp table set cheers on")
    house.deal("anna bet 50")
    house.do("anna raise")
    assert has_big_win(house.table()) == is_big
    house.do("anna bet 50")
    assert not has_big_win(house.table()), "the next bet lies there"


@pytest.mark.parametrize("house", ["full house"], indirect=True)
def test_nothing_is_cheered_unasked(house):
    house.deal("anna bet 50")
    house.do("anna raise")
    assert not has_big_win(house.table())
