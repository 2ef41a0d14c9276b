"""`/recap`: the day at a table, posted where an inspector wants it."""

from bot.core.casinos.recap import day_of, is_late
from bot.view.shared_posts import describe_shared_post
from tests.core.conftest import CARIBBEAN

DAY_S = 86400


def play(house, *names):
    house.deal(*(f"{name} bet 50" for name in names))
    for name in names:
        house.do(f"{name} raise")


def told(house, line="anna recap"):
    answer = house.do(line)
    assert answer.shared_post is not None, answer
    return describe_shared_post(answer.shared_post, house.books, "en").splitlines()


def test_it_is_told_only_where_an_inspector_wants_it(house):
    play(house, "anna", "bea")
    assert "recap is off" in house.says("anna recap")
    assert house.do("anna table set recap 22").refused
    assert not house.do("insp table set recap 22").refused
    lines = told(house)
    assert lines[:2] == [f"Caribbean Stud, table {CARIBBEAN}: the day", "Hands: 1"]
    assert {"anna: 1 hand", "bea: 1 hand"} <= set(lines)


def test_who_stands_on_no_leaderboard_is_not_named(house):
    house.do("insp table set recap 22")
    play(house, "anna", "bea")
    house.do("anna leaderboard hide")
    house.do("bea leaderboard hide")
    lines = told(house)
    assert not any(name in line for line in lines[1:] for name in ("anna", "bea"))
    assert "Others who played: 2" in lines
    assert not any("Biggest win" in line for line in lines)


def test_what_somebody_lost_is_not_told(house):
    house.do("insp table set recap 22")
    house.deal("anna bet 50", "bea bet 50")
    house.do("anna fold")
    house.do("bea fold")
    assert not any("-" in line or "−" in line or "Biggest" in line for line in told(house))


def test_it_is_of_this_table_and_of_the_last_day(house):
    house.do("insp table set recap 22")
    assert (
        house.says("anna recap") == f"The day at table {CARIBBEAN}. | No hands were finished here in the last 24 hours."
    )
    play(house, "anna", "bea")
    house.wait(DAY_S + 60)
    assert (
        house.says("anna recap") == f"The day at table {CARIBBEAN}. | No hands were finished here in the last 24 hours."
    )


def test_a_day_begins_at_its_hour_and_is_late_for_a_while(house):
    house.do("insp table set recap 22")
    table, midnight = house.table(), 1000 * DAY_S
    before, after = (day_of(table, midnight + 22 * 3600 + second) for second in (-1, 0))
    assert (before, after) == (998 + 1, 1000)
    assert not is_late(table, midnight + 23 * 3600, 3 * 3600.0)
    assert is_late(table, midnight + DAY_S + 2 * 3600, 3 * 3600.0)
    house.do("insp table set recap off")
    assert day_of(house.table(), midnight) is None
