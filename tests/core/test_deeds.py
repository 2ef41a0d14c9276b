"""Answers to accepted moves, and the same answer to the same press again."""

import pytest

from bot.core.commands.command import Command
from bot.texts import say
from tests.core.conftest import CARIBBEAN


@pytest.fixture
def dealt(house):
    for name in ("anna", "bea"):
        house.do(f"{name} bet ante 10")
    house.wait(30)
    assert house.table(CARIBBEAN).round.hand is not None
    return house


def move(house, name, verb):
    return house.command(f"{name} {verb}")


def said(answer, language="en"):
    return [say(text, language) for text in answer.texts]


def test_the_answer_says_what_was_done_what_it_cost_and_who_is_waited_for(dealt):
    assert said(dealt.batch([move(dealt, "anna", "raise")])[0]) == ["You raised: 20. Waiting for bea."]
    assert said(dealt.batch([move(dealt, "bea", "fold")])[0]) == ["You folded. The hand is over."]


@pytest.mark.parametrize("when", ["in the same batch", "in the next", "after a restart"])
def test_the_same_press_once_more_is_answered_in_the_same_words(dealt, when):
    press: Command = move(dealt, "anna", "raise")
    if when == "in the same batch":
        first, again = dealt.batch([press, press])
    else:
        first = dealt.batch([press])[0]
        if when == "after a restart":
            dealt.restart()
        again = dealt.batch([press])[0]
    assert said(again) == said(first) == ["You raised: 20. Waiting for bea."]
    assert said(again, "it")[0].startswith("Hai rilanciato: 20.")


def test_who_has_moved_already_is_refused_and_has_done_nothing(dealt):
    dealt.batch([move(dealt, "anna", "raise")])
    answer = dealt.batch([move(dealt, "anna", "fold")])[0]
    assert answer.refused
    assert not any(line.startswith("You folded") for line in said(answer))
