"""A platform out of reach for a while: clocks pause where no one can press, and go on with the time left."""

import pytest

from tests.core.communities import do, found, internal_command, table_at

HERE, THERE, ALL = "discord:1", "telegram:1", "discord:"


@pytest.fixture
def town(house):
    """A Discord server and a Telegram group, each with a table, a player and a bet."""
    for at, name in ((HERE, "anna"), (THERE, "beppe")):
        found(house, at, "caribbean")
        assert not do(house, f"{name} bet 50", at).refused
    return house


def left(house, at):
    return table_at(house, at).round.deadline - house.clock.now


def deal(house, at):
    house.wait(left(house, at))
    assert table_at(house, at).phase == "playing"


def test_clocks_stand_while_their_platform_is_away_and_run_on_with_what_was_left(town):
    deal(town, HERE)
    town.wait(10)
    internal_command(town, ALL, "away")
    town.wait(600)
    assert table_at(town, HERE).round.hand.asks
    internal_command(town, ALL, "back")
    assert left(town, HERE) == 20
    town.wait(20)
    assert left(town, HERE) == 30  # the time bank
    town.wait(30)
    assert table_at(town, HERE).round.hand is None


def test_other_platforms_play_on_meanwhile(town):
    internal_command(town, ALL, "away")
    deal(town, THERE)
    assert not do(town, "beppe raise", THERE).refused
    assert table_at(town, THERE).last is not None
    assert table_at(town, HERE).phase == "betting"


def test_betting_gets_its_time_back_and_counts_on_from_there(town):
    town.wait(5)
    internal_command(town, ALL, "away")
    town.wait(100)
    internal_command(town, ALL, "back")
    assert left(town, HERE) == 15
    do(town, "carla bet 50", HERE)  # sets the clock back to the beginning of betting
    assert left(town, HERE) == 15


def test_a_time_bank_is_not_used_up_by_an_outage(town):
    deal(town, HERE)
    town.wait(30 + 10)  # 20 of 30 extra seconds are left
    internal_command(town, ALL, "away")
    town.wait(600)
    internal_command(town, ALL, "back")
    assert left(town, HERE) == 20
    do(town, "anna raise", HERE)
    do(town, "anna bet 50", HERE)
    deal(town, HERE)
    town.wait(30)
    assert left(town, HERE) == 20


def test_one_place_alone_may_be_away(town):
    found(town, "discord:2", "caribbean")
    do(town, "carla bet 50", "discord:2")
    deal(town, HERE)
    internal_command(town, HERE, "away")
    town.wait(100)
    assert table_at(town, "discord:2").last is not None
    assert len(table_at(town, HERE).round.hand.moves) == 0
    internal_command(town, ALL, "back")  # that is another thing
    town.wait(100)
    assert len(table_at(town, HERE).round.hand.moves) == 0
    internal_command(town, HERE, "back")
    assert left(town, HERE) == 30


def test_a_table_that_stands_elsewhere_too_goes_on_there(town):
    """One table is in a channel and a group: players who can press need not wait for those who cannot."""
    code = do(town, "insp house code", HERE).texts[0]
    word = str(code).split()[3].rstrip(".")
    town.wait(120)
    assert not do(town, f"insp2 house join {word}", THERE, sure=True).refused
    internal_command(town, "telegram:2", "enter", "1")
    assert not do(town, f"insp2 table mirror {table_at(town, HERE).number}", "telegram:2").refused
    assert table_at(town, HERE) is table_at(town, "telegram:2")
    do(town, "anna bet 50", HERE)
    deal(town, HERE)
    internal_command(town, ALL, "away")
    town.wait(60)
    assert table_at(town, HERE).round.hand is None


def test_several_places_may_be_away_by_one_internal_command(town):
    found(town, "discord:2", "caribbean")
    do(town, "carla bet 50", "discord:2")
    deal(town, HERE)
    internal_command(town, ALL, "away", str(town.clock.now - 5), "1", "3")
    town.wait(100)
    assert table_at(town, "discord:2").last is not None
    assert len(table_at(town, HERE).round.hand.moves) == 0
    internal_command(town, ALL, "back", "2", "3")
    town.wait(100)
    assert len(table_at(town, HERE).round.hand.moves) == 0
    internal_command(town, ALL, "back", "1", "2")
    assert left(town, HERE) == 30


def test_when_it_went_away_may_be_told_later(town):
    deal(town, HERE)
    town.wait(12)
    internal_command(town, ALL, "away", str(town.clock.now - 10))
    town.wait(100)
    internal_command(town, ALL, "back")
    assert left(town, HERE) == 28


def test_a_moment_is_no_new_countdown_unless_the_clock_ran_out_in_it(town):
    deal(town, HERE)
    before = table_at(town, HERE)
    internal_command(town, ALL, "away")
    town.wait(2)
    internal_command(town, ALL, "back")
    assert table_at(town, HERE) is before
    town.wait(27)
    internal_command(town, ALL, "away")
    town.wait(2)
    internal_command(town, ALL, "back")
    assert left(town, HERE) == 1
    assert table_at(town, HERE).round.extended is None


def test_a_clock_that_was_set_during_the_outage_gets_no_more_than_it_had(town):
    """A press that gets through anyway is played."""
    do(town, "beppe bet 50", HERE)
    internal_command(town, ALL, "away")
    town.wait(595)
    do(town, "anna takeback", HERE)
    do(town, "beppe takeback", HERE)
    do(town, "anna bet 50", HERE)
    town.wait(5)
    internal_command(town, ALL, "back")
    assert left(town, HERE) == 20


def test_G10_after_a_day_the_hand_ends_by_its_time_outs(town):
    deal(town, HERE)
    internal_command(town, ALL, "away")
    town.wait(24 * 3600 - 1)
    assert table_at(town, HERE).round.hand.asks
    town.wait(1 + 30)
    assert table_at(town, HERE).round.hand is None


def test_a_restart_forgets_outages_for_it_winds_every_clock_anew(town):
    deal(town, HERE)
    internal_command(town, ALL, "away")
    town.wait(100)
    town.restart()
    assert left(town, HERE) == 30
    town.wait(60)
    assert table_at(town, HERE).round.hand is None


def test_stud_waits_between_hands_too(house):
    found(house, HERE, "stud")
    for name in ("anna", "beppe"):
        do(house, f"{name} balance", HERE)
    house.wait(25 * 3600)
    for name in ("anna", "beppe"):
        assert not do(house, f"{name} buyin 320", HERE).refused
    house.wait(3)
    internal_command(house, ALL, "away")
    house.wait(100)
    assert table_at(house, HERE).round.hand is None
    internal_command(house, ALL, "back")
    assert left(house, HERE) == 5
    house.wait(5)
    assert table_at(house, HERE).round.hand is not None
