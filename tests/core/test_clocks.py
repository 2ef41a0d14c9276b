"""The heap of deadlines, which does not grow while clocks are extended."""

from bot.core.state.clocks import ClockOwner, Clocks

ONE, TWO, THREE = (ClockOwner("table", id) for id in (1, 2, 3))


def clocks_of(runs_out):
    clocks = Clocks(runs_out.get)
    for owner, at in runs_out.items():
        clocks.arm(owner, at)
    return clocks


def set_clock(clocks, runs_out, owner, at):
    runs_out[owner] = at
    if at is not None:
        clocks.arm(owner, at)


def test_the_earliest_is_next_and_those_that_have_run_out_are_taken_in_order():
    clocks = clocks_of({ONE: 30.0, TWO: 10.0, THREE: 20.0})
    assert clocks.next() == 10.0
    assert clocks.take_due(5.0) == []
    assert clocks.take_due(20.0, most=1) == [(10.0, TWO)]
    assert clocks.take_due(20.0) == [(20.0, THREE)]
    assert clocks.next() == 30.0


def test_a_clock_that_is_set_on_runs_out_later_and_once():
    runs_out = {ONE: 10.0}
    clocks = clocks_of(runs_out)
    set_clock(clocks, runs_out, ONE, 25.0)
    assert clocks.take_due(10.0) == []
    assert clocks.next() == 25.0
    assert clocks.take_due(30.0) == [(25.0, ONE)]
    assert clocks.take_due(99.0) == []


def test_a_clock_that_is_set_back_runs_out_earlier_and_once():
    runs_out = {ONE: 30.0}
    clocks = clocks_of(runs_out)
    set_clock(clocks, runs_out, ONE, 10.0)
    assert clocks.take_due(10.0) == [(10.0, ONE)]
    set_clock(clocks, runs_out, ONE, 30.0)
    assert clocks.take_due(40.0) == [(30.0, ONE)]
    assert clocks.next() is None


def test_a_clock_that_was_stopped_is_passed_over():
    runs_out: dict[ClockOwner, float | None] = {ONE: 10.0, TWO: 20.0}
    clocks = clocks_of(runs_out)
    runs_out[ONE] = None
    assert clocks.next() == 20.0


def test_what_was_taken_and_could_not_be_seen_to_is_looked_at_again():
    clocks = clocks_of({ONE: 10.0})
    assert clocks.take_due(10.0) == [(10.0, ONE)]
    clocks.arm(ONE, 70.0)
    assert clocks.next() == 70.0
    assert clocks.take_due(70.0) == [(70.0, ONE)]


def test_a_hundred_thousand_bets_at_one_table_take_the_room_of_one():
    runs_out = {ONE: 0.0}
    clocks = clocks_of(runs_out)
    for moment in range(100_000):
        set_clock(clocks, runs_out, ONE, 20.0 + moment)
    assert len(clocks) == 1
    assert clocks.next() == 100_019.0


def test_a_table_and_a_casino_of_the_same_number_have_a_clock_each():
    casino = ClockOwner("casino", 1)
    clocks = clocks_of({ONE: 10.0, casino: 10.0})
    assert len(clocks) == 2
    assert clocks.take_due(10.0) == [(10.0, casino), (10.0, ONE)]
    clocks.arm(ONE, 10.0)
    assert clocks.next() == 10.0
    assert clocks.take_due(10.0) == [(10.0, ONE)]
