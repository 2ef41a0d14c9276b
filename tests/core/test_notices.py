"""Acts of inspectors, announced at the tables they affect without the inspector's name."""

import pytest

from bot.texts import say
from bot.view.build import screen
from tests.core.conftest import BLACKJACK, CARIBBEAN, HAND, LINKED, PAIJU
from tests.core.test_meter import KEYS


def notice(house, table=CARIBBEAN):
    shown = screen(house.writer.state, house.table(table), None, house.clock.now)
    assert (shown.notice is not None) == (shown.lines[:1] == (shown.notice,))
    return say(shown.notice, "en") if shown.notice else ""


@pytest.mark.parametrize(
    ("line", "table", "told"),
    [
        (
            "table pause a storm",
            CARIBBEAN,
            ("An inspector has paused the table. Bets on hands not yet dealt are returned."),
        ),
        (
            "table close tired",
            CARIBBEAN,
            ("An inspector has closed the table. Bets on hands not yet dealt are returned."),
        ),
        (
            "table set minimum 20 why",
            CARIBBEAN,
            "An inspector changed a setting. Minimum: 10 → 20.",
        ),
        ("table set pace fast", CARIBBEAN, "An inspector changed a setting. Time to decide: normal → fast."),
        ("table refuse anna spoils it", BLACKJACK, ("An inspector has banned a player from holding boxes here (BJ5).")),
        (
            "noncoup cards shown",
            PAIJU,
            ("A non-betting coup (PJ13): all bets are returned, and a new deck is committed."),
        ),
    ],
)
def test_an_act_is_told_at_its_table_without_names_or_reasons(house, line, table, told):
    house.do("anna balance")
    house.do(f"insp {line}", table=table)
    assert house.do(f"insp {line}", table=table, sure=True).texts
    assert notice(house, table) == told
    assert not any(notice(house, other) for other in house.writer.state.tables if other != table)


def test_a_paused_table_says_when_it_goes_on(house):
    house.do("insp table pause a storm")
    house.do("insp table resume")
    assert notice(house) == "The table is open for bets again."


def test_a_table_that_closes_after_its_hand_says_so_at_once(house):
    house.deal("anna bet 50")
    house.do("insp table close tired", sure=True)
    assert notice(house) == "An inspector closes the table after this hand."


def test_G6_a_void_hand_is_told_while_the_next_one_takes_bets(house):
    house.deal("anna bet 50")
    hand = house.table().round.hand_id
    house.do(f"insp void {hand} an error", sure=True)
    assert notice(house) == f"An inspector voided hand {hand}: an error. All stakes are returned (G6)."
    house.deal("anna bet 50")
    assert notice(house) == ""


def test_the_newest_notice_lasts_ten_minutes_and_outlives_a_restart(house):
    house.do("insp table set pace slow")
    house.do("insp table set pace fast")
    house.restart()
    house.wait(599)
    assert notice(house).endswith("Time to decide: slow → fast.")
    house.wait(1)
    assert notice(house) == ""


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("meter reset 20000 counted", "An inspector set the jackpot to 20,000."),
        ("meter set coin 2 why", "An inspector changed the jackpot. Price of a jackpot coin: 1 → 2."),
    ],
)
def test_CS24_the_meter_is_told_at_its_linked_tables(house, line, told):
    assert not house.do(f"insp {line}", sure=True).refused
    assert {notice(house, table) for table in (CARIBBEAN, LINKED)} == {told}
    assert {notice(house, table) for table in house.writer.state.tables if table not in (CARIBBEAN, LINKED)} == {""}
    assert house.changed[-1] == {CARIBBEAN, LINKED}


@pytest.mark.parametrize("house", ["straight flush"], indirect=True)
def test_CS23_linked_tables_say_that_they_wait_for_a_prize_and_then_that_it_is_confirmed(house):
    for name in ("one", "two", "three"):
        house.do(f"{name} balance")
        house.do(f"insp inspector add {name}", sure=True)
    house.do("insp meter set hand_pay keys why", sure=True)
    house.deal("anna bet 50 jackpot")
    house.do("anna raise")
    assert house.changed[-1] == {CARIBBEAN, LINKED}
    for table in (CARIBBEAN, LINKED):
        headline = str(screen(house.writer.state, house.table(table), None, house.clock.now).headline)
        assert "The table is paused while a royal or straight flush is confirmed (CS22)." in headline
    assert "straight flush needs 2 confirmations" in house.says("anna jackpot")
    house.do("one meter confirm a good hand")
    house.do(f"two meter confirm {KEYS} 1 seen")
    seat = f"table {CARIBBEAN} hand {KEYS} seat 1"
    assert f"one: Jackpot win confirmed, {seat}, 1 (straight flush: a good hand)" in house.says("insp audit")
    assert {notice(house, table) for table in (CARIBBEAN, LINKED)} == {
        f"straight flush of hand {KEYS}: confirmed, 1,000.09 is paid."
    }


def test_no_notice_names_the_inspector(house):
    house.deal("anna bet 50", "bea bet 10")
    house.do(f"insp void {house.table().round.hand_id} 1 why", sure=True)
    assert notice(house) == f"An inspector voided seat 1 of hand {HAND}; its stakes are returned (G6)."
