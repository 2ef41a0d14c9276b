"""Small common parts: bounded mappings, rate limits, confirmations, typed lines."""

import pytest

from bot.core.commands.command import Command, Who
from bot.core.state.place import Place
from bot.platforms.common.allowance import Allowance
from bot.platforms.common.press import LARGEST_DATA, Press, dump_press, load_press
from bot.platforms.common.questions import Questions
from bot.platforms.common.recent import Recent
from bot.platforms.common.typed import parse_line


def test_the_latest_are_remembered():
    recent: Recent[str, int] = Recent(2)
    recent["a"], recent["b"] = 1, 2
    recent["a"] = 3
    recent["c"] = 4
    assert dict(recent) == {"a": 3, "c": 4}


def test_an_allowance_comes_back_with_time_and_is_each_ones_own():
    now = [100.0]
    allowance = Allowance(2, 0.5, lambda: now[0])
    assert [allowance.spend("anna") for _ in range(3)] == [True, True, False]
    assert allowance.spend("bea")
    now[0] += 2
    assert [allowance.spend("anna") for _ in range(2)] == [True, False]
    now[0] += 1000
    assert allowance.left("anna") == 2


def test_what_a_dear_press_costs_is_taken_at_once_or_not_at_all():
    allowance = Allowance(10, 0.0, lambda: 0.0)
    assert not allowance.spend("anna", 11)
    assert allowance.spend("anna", 10)
    assert not allowance.spend("anna")


def asked(account="anna"):
    return Command("first", Who("post", account, account), Place("post", "1"), "give", ("bea", "50"))


def test_only_who_was_asked_says_yes_and_once():
    questions = Questions()
    questions.ask("q", asked())
    assert questions.confirm("q", "bea", "again") is None
    questions.decline("q", "bea")
    assert questions.confirm("q", "anna", "again") == asked()._replace(key="again", confirmed=True)
    assert questions.confirm("q", "anna", "again") is None


def test_what_was_declined_or_is_too_old_is_not_done():
    questions = Questions(most=1)
    questions.ask("q", asked())
    questions.decline("q", "anna")
    assert questions.confirm("q", "anna", "again") is None
    questions.ask("old", asked())
    questions.ask("new", asked())
    assert questions.confirm("old", "anna", "again") is None


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("/table set minimum 20", ("table set", ("minimum", "20"))),
        ("BET 50", ("bet", ("50",))),
        ("/bringin", ("bring-in", ())),
        ("/", ("help", ())),
        ("", ("help", ())),
        ("dance now", ("dance", ("now",))),
        ("table", ("table here", ())),
    ],
)
def test_what_is_typed_is_the_longest_command_that_it_begins_with(typed, line):
    assert parse_line(typed) == line


def test_a_press_is_short_and_comes_back_as_it_was():
    press = Press("move", "exchange", ("1", "2"), "123456.3.1/2.5000", 42)
    assert load_press(dump_press(press)) == press
    assert len(dump_press(press)) <= LARGEST_DATA


@pytest.mark.parametrize("most", [LARGEST_DATA, 100])
def test_a_press_of_long_words_comes_back_from_less_than_it_says(most):
    press = Press("verb", "bet", ("beside-" + 10 * "everything-", "10"), "123456...1000", 42)
    data = dump_press(press, most)
    assert len(data.encode()) <= most
    assert dump_press(press, most) == data, "the same after a restart"
    assert load_press(data) == press
    assert load_press(dump_press(press._replace(args=("50",)), most)) != press


@pytest.mark.parametrize("data", ["#", "#0123", "", "v", "t:1:2:bet:5", "v1||", "vx|bet||", "z|bet||", "v٣|bet||"])
def test_what_no_button_of_ours_holds_is_none(data):
    assert load_press(data) is None
