"""Counting how far a table has scrolled up, from incoming updates."""

from bot.platforms.common.below import ASKED_AGAIN_S, LEAST_BETWEEN_S, NEAR, Below


def test_what_is_heard_of_is_counted_once():
    below = Below(8)
    below.heard("a", 100)
    below.stands("a", 100)
    for message in (99, 101, 101, 105):
        below.heard("a", message)
        below.heard("b", message)
    assert (below.count("a"), below.count("b")) == (2, float("inf"))
    below.gone("a", 105)
    below.gone("a", 50)
    assert below.count("a") == 1
    below.stands("a", 106)
    assert below.count("a") == 0


def test_where_messages_are_numbered_one_by_one_none_is_missed():
    below = Below(8)
    below.stands("a", 100)
    below.heard("a", 140, is_dense=True)
    assert below.count("a") == 40


def test_a_table_that_has_sunk_is_posted_anew_once_a_minute_at_most():
    below = Below(8)
    assert not below.has_sunk("a", LEAST_BETWEEN_S)
    below.stands("a", 1)
    for message in range(2, 10):
        assert not below.has_sunk("a", LEAST_BETWEEN_S)
        below.heard("a", message)
    assert below.has_sunk("a", LEAST_BETWEEN_S)
    assert not below.has_sunk("a", LEAST_BETWEEN_S - 1)


def test_who_asks_for_a_table_that_is_near_or_was_just_brought_is_told_where_it_is():
    below = Below(8)
    assert below.may_be_called("a", 0.0), "after a start nobody knows"
    below.stands("a", 1)
    assert not below.may_be_called("a", ASKED_AGAIN_S)
    for message in range(2, 2 + NEAR):
        below.heard("a", message)
    assert not below.may_be_called("a", ASKED_AGAIN_S - 1)
    assert below.may_be_called("a", ASKED_AGAIN_S)


def test_what_may_have_been_missed_is_not_known_any_more():
    below = Below(8)
    below.stands("a", 1)
    assert below.is_known("a", 1)
    assert not below.is_known("a", 2)
    below.forget()
    assert not below.is_known("a", 1)
