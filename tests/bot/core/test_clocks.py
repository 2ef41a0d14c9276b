"""One heap of deadlines, which does not grow while clocks are set on."""

from bot.core.state.clocks import Clocks


def clocks_of(runs_out):
    clocks = Clocks(runs_out.get)
    for id, at in runs_out.items():
        clocks.arm(id, at)
    return clocks


def set_clock(clocks, runs_out, id, at):
    runs_out[id] = at
    if at is not None:
        clocks.arm(id, at)


def test_the_earliest_is_next_and_those_that_have_run_out_are_taken_in_order():
    clocks = clocks_of({1: 30.0, 2: 10.0, 3: 20.0})
    assert clocks.next() == 10.0
    assert clocks.take(5.0) == []
    assert clocks.take(20.0, most=1) == [(10.0, 2)]
    assert clocks.take(20.0) == [(20.0, 3)]
    assert clocks.next() == 30.0


def test_a_clock_that_is_set_on_runs_out_later_and_once():
    runs_out = {1: 10.0}
    clocks = clocks_of(runs_out)
    set_clock(clocks, runs_out, 1, 25.0)
    assert clocks.take(10.0) == []
    assert clocks.next() == 25.0
    assert clocks.take(30.0) == [(25.0, 1)]
    assert clocks.take(99.0) == []


def test_a_clock_that_is_set_back_runs_out_earlier_and_once():
    runs_out = {1: 30.0}
    clocks = clocks_of(runs_out)
    set_clock(clocks, runs_out, 1, 10.0)
    assert clocks.take(10.0) == [(10.0, 1)]
    set_clock(clocks, runs_out, 1, 30.0)
    assert clocks.take(40.0) == [(30.0, 1)]
    assert clocks.next() is None


def test_a_clock_that_was_stopped_is_passed_over():
    runs_out: dict[int, float | None] = {1: 10.0, 2: 20.0}
    clocks = clocks_of(runs_out)
    runs_out[1] = None
    assert clocks.next() == 20.0


def test_what_was_taken_and_could_not_be_seen_to_is_looked_at_again():
    clocks = clocks_of({1: 10.0})
    assert clocks.take(10.0) == [(10.0, 1)]
    clocks.arm(1, 70.0)
    assert clocks.next() == 70.0
    assert clocks.take(70.0) == [(70.0, 1)]


def test_a_hundred_thousand_bets_at_one_table_take_the_room_of_one():
    runs_out = {1: 0.0}
    clocks = clocks_of(runs_out)
    for moment in range(100_000):
        set_clock(clocks, runs_out, 1, 20.0 + moment)
    assert len(clocks) == 1
    assert clocks.next() == 100_019.0
