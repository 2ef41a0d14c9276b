"""The rate limiter: rate, order, and content drawn only when a call is granted."""

from heapq import heappop, heappush

import hypothesis
import pytest
from hypothesis import strategies as st

from bot.platforms.common.budget import PATIENCE_S, SOON_S, WAY_S, Budget, Rank
from tests.some import some


def taken(budget, until, step=1 / 64):
    """Return [(time, key)] of everything granted until then. Powers of two, so that no sum is rounded."""
    found, now = [], 0.0
    while now <= until:
        while (grant := budget.grant_next(now)) is not None:
            found.append((now, grant.key))
        now += step
    return found


def test_after_a_rest_a_burst_goes_and_then_one_in_each_gap():
    budget = Budget(8, burst=3)
    for key in range(6):
        budget.enqueue(key, Rank.CHIP, 0.0)
    assert taken(budget, 1.0) == [(0.0, 0), (0.0, 1), (0.0, 2), (0.125, 3), (0.25, 4), (0.375, 5)]


def test_a_call_that_was_not_needed_is_given_back():
    budget = Budget(8, most=1)
    budget.enqueue("a", Rank.CHIP, 0.0)
    budget.enqueue("b", Rank.CHIP, 0.0)
    budget.give_back(some(budget.grant_next(0.0)).number)
    assert some(budget.grant_next(0.0)).key == "b"


def test_while_the_platform_takes_no_calls_none_goes_and_afterwards_not_all_at_once():
    budget = Budget(8, burst=3)
    budget.bucket.block_until(2.0)
    for key in range(3):
        budget.enqueue(key, Rank.FIRST, 0.0)
    assert budget.wait_s(0.0) == 2.0
    assert taken(budget, 3.0) == [(2.0, 0), (2.125, 1), (2.25, 2)]


@pytest.mark.long
@hypothesis.settings(deadline=None)
@hypothesis.given(
    st.lists(st.tuples(st.floats(0, 5), st.integers(0, 20), st.sampled_from(Rank)), max_size=300),
    st.integers(1, 5),
)
def test_no_second_has_more_calls_than_the_rate_and_the_burst(asks, burst):
    budget, found, now = Budget(20, burst), [], 0.0
    for at, key, rank in sorted(asks):
        now = max(now, at)
        budget.enqueue(key, rank, now)
        while budget.grant_next(now) is not None:
            found.append(now)
    while (wait := budget.wait_s(now)) is not None:
        now += wait
        if budget.grant_next(now) is not None:
            found.append(now)
    for begin in found:
        assert sum(begin <= at < begin + 1.0 for at in found) <= 20 + burst
    assert len(budget) == 0


def test_a_call_counts_until_a_second_after_its_answer():
    budget = Budget(1000, burst=9, most=2)
    for key in range(3):
        budget.enqueue(key, Rank.CHIP, 0.0)
    first, second = some(budget.grant_next(0.0)), some(budget.grant_next(0.0))
    assert budget.grant_next(0.0) is None
    budget.window.answered(second.number, 0.375)
    budget.window.answered(first.number, 0.25)
    assert budget.wait_s(0.5) == 0.75
    assert budget.grant_next(1.125) is None
    assert some(budget.grant_next(1.25)).key == 2


def test_a_call_whose_answer_never_comes_keeps_nobody_for_long():
    budget = Budget(1000, most=1)
    budget.enqueue("a", Rank.CHIP, 0.0)
    lost = some(budget.grant_next(0.0))
    budget.enqueue("b", Rank.CHIP, 1.0)
    assert budget.wait_s(1.0) == WAY_S
    assert some(budget.grant_next(1.0 + WAY_S)).key == "b"
    budget.window.answered(lost.number, 2 * WAY_S)  # refunded, so it does not count


@pytest.mark.long
@hypothesis.settings(deadline=None)
@hypothesis.given(st.lists(st.tuples(st.floats(0, 20), st.floats(0, 1)), min_size=1, max_size=150))
def test_no_second_of_the_platform_has_more_calls_however_long_each_is_on_its_way(ways):
    """The platform counts a call at some moment on its way: those of one of its seconds may have begun in many."""
    budget, now = Budget(200, 5, most=20), 0.0
    running: list[tuple[float, int]] = []
    taken_at: list[float] = []
    for number in range(len(ways)):
        budget.enqueue(number, Rank.CHIP, 0.0)
    while len(budget):
        while running and running[0][0] <= now:
            budget.window.answered(heappop(running)[1], now)
        if (grant := budget.grant_next(now)) is not None:
            lasts, part = ways[grant.key]
            heappush(running, (now + lasts, grant.number))
            taken_at.append(now + min(lasts * part, WAY_S))
        now += 1 / 64
    for begin in taken_at:
        assert sum(begin <= at < begin + 1.0 for at in taken_at) <= 20


def test_a_new_turn_goes_before_a_decision_before_a_chip_before_a_board():
    budget = Budget(8)
    for rank in sorted(Rank, reverse=True):
        budget.enqueue(rank.name, rank, 0.0)
    assert [key for _at, key in taken(budget, 1.0)] == ["FIRST", "TURN", "DECISION", "CHIP", "BOARD"]


def test_of_one_rank_who_has_waited_longest_goes_first():
    budget = Budget(8)
    for at, key in enumerate("abc"):
        budget.enqueue(key, Rank.CHIP, at / 100)
    budget.enqueue("a", Rank.CHIP, 0.5)  # asked again it keeps its place
    assert [key for _at, key in taken(budget, 1.0)] == ["a", "b", "c"]


def test_what_becomes_more_urgent_moves_up_and_never_down():
    budget = Budget(8)
    budget.enqueue("chip", Rank.CHIP, 0.0)
    budget.enqueue("table", Rank.CHIP, 0.0)
    budget.enqueue("table", Rank.TURN, 0.0)
    budget.enqueue("table", Rank.BOARD, 0.0)
    assert [key for _at, key in taken(budget, 1.0)] == ["table", "chip"]
    assert len(budget) == 0


def test_what_need_not_go_any_more_is_dropped():
    budget = Budget(8)
    budget.enqueue("a", Rank.TURN, 0.0)
    budget.drop("a")
    budget.drop("a")
    assert budget.wait_s(0.0) is None
    assert budget.grant_next(0.0) is None
    budget.enqueue("a", Rank.CHIP, 0.0)
    assert some(budget.grant_next(0.0)).key == "a"
    assert budget.grant_next(9.0) is None


def test_where_there_are_not_calls_for_all_a_bet_is_seen_soon_or_with_the_next_turn_of_its_table():
    """Six tables a second get bets and are dealt five seconds later: twelve calls where eight are allowed."""
    budget, waits, now, dealt_after_s = Budget(8), list[float](), 0.0, 5.0
    bets: dict[int, float] = {}
    while now < 60.0:
        if now * 64 % 11 == 0:
            bets[len(bets)] = now
            budget.enqueue(len(bets) - 1, Rank.CHIP, now)
        for table, at in bets.items():
            if now == at + dealt_after_s:
                budget.enqueue(table, Rank.TURN, now)
        while (grant := budget.grant_next(now)) is not None:
            assert isinstance(grant.key, int)
            waits.append(now - bets[grant.key])
        now += 1 / 64
    seen = [wait for wait in waits if wait < dealt_after_s]
    assert len(seen) > 0.3 * len(bets), "every call that is left shows a bet"
    assert max(seen) <= SOON_S, "and not one that is about to be dealt"
    assert len(budget) < 8 * dealt_after_s


def test_a_bot_is_quiet_while_a_fifth_of_its_calls_is_left():
    budget = Budget(45, 2, most=8)
    for key in "abcdefg":
        assert budget.is_quiet(0.0), key
        budget.enqueue(key, Rank.CHIP, 0.0)
    assert not budget.is_quiet(0.0), "they wait"
    assert len(list(taken(budget, 0.5))) == 7
    assert not budget.is_quiet(0.5), "and are on their way"
    for number in range(7):
        budget.window.answered(number, 0.5)
    assert budget.is_quiet(1.6)


def test_who_was_dropped_and_asks_again_begins_to_wait_anew():
    budget = Budget(8)
    budget.enqueue("a", Rank.TURN, 0.0)
    budget.drop("a")
    budget.enqueue("b", Rank.CHIP, 0.0)
    budget.enqueue("a", Rank.CHIP, 0.1)
    assert [key for _at, key in taken(budget, 1.0)] == ["b", "a"]


@hypothesis.settings(deadline=None)
@hypothesis.given(st.sampled_from([Rank.TURN, Rank.DECISION, Rank.CHIP]))
def test_nothing_waits_for_ever_behind_what_is_more_urgent(flood):
    """There are twice as many new turns as calls: a board still comes after its patience and the queue before it."""
    budget, now, number = Budget(8), 0.0, 0
    budget.enqueue("board", Rank.BOARD, 0.0)
    while now < 200.0:
        for _more in range(2):
            budget.enqueue(number, flood, now)
            number += 1
        if (grant := budget.grant_next(now)) is not None and grant.key == "board":
            break
        now += 0.125
    # Twice as many calls began to wait as could be made until then.
    assert now <= 2 * (PATIENCE_S[Rank.BOARD] - PATIENCE_S[flood]) + 0.25
