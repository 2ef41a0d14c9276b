"""What an inspector does, asks once more before it destroys, and leaves in the audit log."""

import pytest

from bot.floor.registry import VERBS

FOR_INSPECTORS = [name for name, verb in VERBS.items() if verb.group == "inspectors"]


@pytest.mark.parametrize("verb", FOR_INSPECTORS)
def test_nobody_else_may(house, no_errors, verb):
    assert house.says(f"anna {verb} anna 50 why", sure=True) == "That is for inspectors."


@pytest.mark.parametrize("verb", FOR_INSPECTORS)
@pytest.mark.parametrize("args", ["", "²", "nobody -5 why", "1 1 1 1"])
def test_whatever_they_type_is_no_fault_of_the_house(house, no_errors, verb, args):
    answer = house.do(f"insp {verb} {args}")
    assert answer.texts
    assert "Something went wrong" not in str(answer.texts[0])


def test_an_inspector_by_name_is_one_wherever_he_speaks(house):
    house.do("anna balance")
    assert house.says("insp inspector add anna") == "anna is an inspector now."
    assert not house.do("anna audit").refused
    house.do("insp inspector remove anna done")
    assert house.do("anna audit").refused


def test_G6_an_open_hand_is_voided_by_nobody_who_has_a_stake_in_it(house):
    house.deal("anna bet 50", "insp bet 10")
    assert house.do("insp void 1 bad cards", sure=True).clause == "G6"
    house.do("anna exchange 1")
    asked = house.do("inspector void #1 bad cards")
    assert asked.confirm
    assert house.says("inspector void #1 bad cards", sure=True) == "Hand 1 is void; every stake came back."
    assert (house.chips("anna"), house.chips("insp")) == (100_000, 100_000)
    assert house.do("inspector void 1 again", sure=True).clause == "G6"
    assert "inspector: void, hand 1 (bad cards)" in house.says("inspector audit")
    assert house.do("anna verify 1").file is not None


def test_chips_are_granted_and_taken_with_a_reason(house):
    house.do("anna balance")
    assert house.says("insp grant anna 50") == "Say whom, how much and why: /grant anna 50 prize."
    assert house.says("insp grant anna 50 a prize") == "anna has 1,050 now."
    assert house.says("insp take anna 2000 why") == "There are only 1,050 to take."
    asked = house.do("insp take anna 1k why")
    assert asked.confirm
    assert str(asked.texts[0]) == "anna has 1,050: 1,000 goes back to the house, 50 stays. Do it?"
    assert house.chips("anna") == 105_000
    assert house.says("insp take anna all why", sure=True) == "anna has 0 now."
    assert house.balances()["mint:1"] == -house.chips("insp")


def test_a_table_closes_after_its_hand(house):
    house.deal("anna bet 50")
    assert house.do("insp table close tired").confirm
    house.do("insp table close tired", sure=True)
    house.do("anna fold")
    assert house.table().status == "closed"
    assert house.says("anna bet 50") == "This table is closed."
    assert house.says("insp table close again", sure=True) == "This table is closed already."
    house.restart()
    assert house.table().status == "closed"


def test_a_table_that_closes_between_hands_returns_its_bets(house):
    house.do("anna bet 50")
    house.do("insp table close tired", sure=True)
    assert (house.chips("anna"), house.table().status) == (100_000, "closed")


def test_a_new_table_has_a_number_and_the_games_own_options(house):
    tables = set(house.pit.floor.house.tables)
    assert house.says("insp table open caribbean").startswith("Table 7 is open")
    (new,) = set(house.pit.floor.house.tables) - tables
    assert not house.do("anna bet 50", table=new).refused
    house.restart()
    assert house.table(new).bets


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("minimum 20", "minimum is now 20."),
        ("pace slow", "pace is now slow."),
        ("pace never", "pace is one of fast, normal, slow, correspondence."),
        ("betting_s 4", "betting_s is a number from 5 to 300."),
        (f"betting_s {'9' * 900}", "betting_s is a number from 5 to 300."),
        ("seats 2", "seats is now 2."),
        ("minimum 2000", "The minimum is above the maximum."),
        ("minimum 12", "The minimum must be a multiple of the step."),
        ("coin 5", "This table has no option coin."),
        ("colour red", "This table has no option colour."),
        ("procedure manual", "procedure is now manual."),
        ("procedure magic", "The option procedure is one of shuffler, manual."),
        ("procedure shuffler why", "procedure is now shuffler."),
    ],
)
def test_options_are_checked_as_a_whole_before_they_stand(house, no_errors, line, answer):
    assert house.says(f"insp table set {line} why") == answer


def test_options_stand_while_bets_lie(house):
    house.do("anna bet 50")
    assert house.says("insp table set minimum 20 why") == "Bets lie on the table: set options between hands."
