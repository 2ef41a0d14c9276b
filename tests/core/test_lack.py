"""A lack of chips: the player is told their balance; if the bank itself cannot give, that is a fault and is logged."""

import logging

from storage.ledger import Draft
from tests.core.conftest import LINKED


def rob(house, account, amount):
    """Remove chips from the store, as no command can."""
    draft = Draft(house.books)
    draft.post(account, "bank:1", amount, "theft", house.clock.now)
    house.books.write(draft)
    house.restart()
    house.is_spoilt = True


def others(house):
    return {name: held for name, held in house.balances().items() if not name.startswith(("player:", "mint:"))}


def test_a_player_is_told_what_it_costs_and_what_they_have(house):
    assert house.says("anna bet 2000") == "Bet at most 1,000 on ante."
    house.do("anna bet 700", table=LINKED, sure=True)
    assert house.says("anna bet 500", sure=True) == "That costs 500, you have 300."


def test_a_hand_that_cannot_pay_its_stakes_back_is_a_fault_and_changes_nothing(house, caplog):
    house.deal("anna bet 50")
    hand = house.table().round.hand_id
    rob(house, f"hand:{hand}", 1000)
    before = others(house)
    caplog.set_level(logging.ERROR)
    said = house.says(f"insp void {hand} a test", sure=True)
    assert said == "Something went wrong. Nothing has changed."
    assert f"command void failed: hand:{hand} has 4000, 5000 wanted" in caplog.text
    assert others(house) == before
    assert house.table().round.hand is not None
