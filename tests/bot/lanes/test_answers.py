"""What a house answers is the same when it has come over a lane, whatever it holds."""

import pytest

from bot.house.office.invitations import Invitation
from bot.house.speech.command import FAULT, Answer, Choice, Command, Where, Who
from bot.house.state.place import Place
from bot.house.state.posters import HandPoster
from bot.house.state.table import Table
from bot.lanes.answers import answer_of, read_asked, read_told, write_asked, write_told
from bot.texts import Card, Text, Usage
from engine.felt import Amount, Word
from tests.bot.house.conftest import House
from tests.some import some


@pytest.fixture
def house(tmp_path):
    opened = House(tmp_path)
    yield opened
    opened.close()


def there_and_back(house: House, answer: Answer) -> Answer:
    return answer_of(read_told(write_told(7, answer)), house.books)


def test_a_command_is_the_same_there():
    said = Command("key", Who("web", "1", "Ännchen", "de", True), Place("web", "a:1"), "bet", ("10", "🂡"), "x", True)
    asked = read_asked(write_asked(12, said, 7))
    assert (asked.number, asked.command, asked.wing) == (12, said, 7)


def test_every_kind_of_value_in_a_sentence_is_the_same(house):
    texts = (
        Text("{a} {b} {c} {d} {e}", "", a=Amount(5), b=Word("ante"), c=Card("As"), d=Usage("/give WHO"), e=[1, "x"]),
        Text("{n} hand", "{n} hands", n=2, inner=Text("{where}", "", where="")),
    )
    answer = Answer(texts, found=texts, clause="CS4", confirm="c0ffee", file=("a.csv", "1,2\n"))
    came = there_and_back(house, answer)
    assert came == answer
    assert [type(value) for value in came.texts[0].values.values()] == [Amount, Word, Card, Usage, list]


def test_a_table_and_an_invitation_can_still_be_shown_as_links(house):
    came = there_and_back(
        house, Answer((Text("{where}{invitation}", "", where=Where(3), invitation=Invitation("AB")),))
    )
    where, invitation = came.texts[0].values.values()
    assert isinstance(where, Where)
    assert where.table == 3
    assert isinstance(invitation, Invitation)
    assert (invitation.code, str(invitation)) == ("AB", "/accept AB")


def test_a_button_that_leads_to_a_table_still_does(house):
    there = Choice(Text("{number}", "", number=3), where=Where(3))
    (came,) = there_and_back(house, Answer(refused=True, choices=(there,))).choices
    assert isinstance(came.where, Where)
    assert (came.where.table, came.label) == (3, there.label)


@pytest.mark.parametrize("line", ["anna learn", "anna rank", "anna balance", "anna x"])
def test_answers_of_a_house_are_the_same(house, line):
    answer = house.do(line)
    assert there_and_back(house, answer) == answer
    assert there_and_back(house, FAULT) == FAULT


def test_a_lesson_that_has_begun_is_the_same(house):
    lesson = some(house.do("anna learn caribbean ante").lesson)
    came = some(there_and_back(house, Answer(lesson=lesson)).lesson)
    assert lesson.values
    assert (came.said, came.values, came.best, came.told) == (lesson.said, lesson.values, lesson.best, lesson.told)
    assert (came.name, seen_on(came.table)) == (lesson.name, seen_on(lesson.table))


@pytest.mark.parametrize("line", ["anna share", "anna share replay"])
def test_a_hand_that_is_shown_is_the_same(house, line):
    house.deal("anna bet 10")
    assert not house.do("anna fold").refused
    house.wait(60)
    sent = house.do(line)
    poster, came = sent.poster, there_and_back(house, sent).poster
    assert isinstance(poster, HandPoster)
    assert isinstance(came, HandPoster)
    assert came._replace(steps=()) == poster._replace(steps=())
    assert [*map(seen_on, came.steps)] == [*map(seen_on, poster.steps)]


def seen_on(table: Table) -> object:
    """All that a picture of it is made of."""
    hand = some(table.last or table.play)
    return hand.deal, hand.moves, table.settings, table.number, table.seats, table.turning, table.void
