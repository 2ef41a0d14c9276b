"""Messages between fronts and the writer arrive as they were sent."""

from dataclasses import replace

import msgspec
import pytest

from bot.core.admin.invitations import Invitation
from bot.core.commands.command import Answer, Choice, Command, Where, Who
from bot.core.commands.counting import here
from bot.core.crossing import (
    Alive,
    Answered,
    Changed,
    Welcome,
    dump_answer,
    dump_sent,
    dump_told,
    load_answer,
    load_sent,
    load_told,
)
from bot.core.guide.lessons import counted, play
from bot.core.state.place import Place
from bot.core.state.shared_posts import SharedRank, SharedRecap
from bot.texts import Card, Name, Text, Usage
from engine.felt import Amount, Word

ANNA = Who("web", "anna", "Anna")
VALUES = {
    "amount": Amount(1250),
    "spot": Word("ante"),
    "card": Card("As"),
    "name": Name("Anna"),
    "usage": Usage("/give"),
    "where": Where(7),
    "invitation": Invitation("abc"),
    "many": [Text("{n} card", "{n} cards", n=3), "ten", 4],
}
ANSWERS = [
    Answer(),
    Answer((Text("{amount}", **VALUES),), refused=True, clause="G6", confirm="00ff", file=("a.csv", "x\r\n\0")),
    Answer(found=(Text("Found"),), choices=(Choice(Text("Go"), "bet", ("5",), True, Where(3), Text("How much?"), 4),)),
    Answer(shared_post=SharedRank("Anna", "Lounge", 500, None, (("caribbean", 3, -20, 10),), (0, 5, -20))),
    Answer(shared_post=SharedRecap(1, "caribbean", 3, ("Anna", 40), (("Ben", 2),), 0)),
]


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_arrives_with_the_types_of_its_values(answer: Answer) -> None:
    there = load_answer(dump_answer(answer), None)  # type: ignore[arg-type]
    assert there == answer
    for before, after in zip(answer.texts, there.texts, strict=True):
        for name, value in before.values.items():
            assert type(after.values[name]) is type(value)
            assert vars(after.values[name]) == vars(value) if isinstance(value, Where | Invitation) else True
    for one, other in zip(answer.choices, there.choices, strict=True):
        assert isinstance(other.where, Where)
        assert vars(other.where) == vars(one.where)


def test_a_lesson_arrives_with_what_was_counted() -> None:
    lesson = counted(here, play("caribbean", ("ante",), "Anna"))
    assert lesson.best
    there = load_answer(dump_answer(Answer(lesson=lesson)), None).lesson  # type: ignore[arg-type]
    assert there is not None
    assert replace(there, table=lesson.table) == lesson


def test_a_command_arrives_and_nothing_else_is_taken_for_one() -> None:
    command = Command("web:1:k", ANNA, Place("web", "table1"), "bet", ("5", "\0"), "1.2", "00ff", (ANNA,), "ben")
    assert load_sent(dump_sent(command)) == command
    for body in ('{"key": 1}', "[]", '["k", 1, ["web", "a"], "bet"]'):
        with pytest.raises(msgspec.DecodeError):
            load_sent(body)
    with pytest.raises(UnicodeEncodeError):
        dump_sent(command._replace(args=("\ud800",)))


@pytest.mark.parametrize("told", [Welcome(), Alive(), Changed([1], {"players": [2]}), Answered("k", "[]")])
def test_what_the_writer_says_arrives(told: Welcome | Alive | Changed | Answered) -> None:
    assert load_told(dump_told(told)) == told
