"""Names of several words, and texts in quotes, as people type them."""

import pytest

from bot.house.speech.command import Place
from bot.house.speech.naming import take_text
from tests.bot.house.communities import do, found, says
from tests.bot.house.conftest import HAND

AT = "discord:1"


@pytest.fixture
def town(house):
    """A server where two people share a first name."""
    found(house, AT, "caribbean")
    for name in ("anna", "anna maria"):
        command = house.command("x balance")
        who = command.who._replace(platform="discord", account=name, name=name)
        house.batch([command._replace(who=who, place=Place(*AT.split(":")))])
    house.wait(2 * 24 * 3600)
    return house


@pytest.mark.parametrize(
    ("args", "taken"),
    [
        (('"anna', 'maria"', "5"), ("anna maria", 2)),
        (("“anna", "maria”", "5"), ("anna maria", 2)),
        (("anna", "maria"), ("anna", 1)),
        (('"anna"', "5"), ("anna", 1)),
        (('"anna maria"',), ("anna maria", 1)),
        (('"anna', "maria"), ('"anna', 1)),
        (('"',), ('"', 1)),
    ],
)
def test_quotes_hold_words_together(args, taken):
    assert take_text(args, 0) == taken


@pytest.mark.parametrize("name", ["anna maria", '"anna maria"', "“Anna Maria”", "@anna maria"])
def test_a_gift_goes_to_a_name_of_several_words(town, name):
    assert "You gave 5 to anna maria." in says(town, f"anna give {name} 5", AT)


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("grant anna maria 5 a prize", "anna maria has 1,005 now."),
        ('grant "anna" 5 a prize', "anna has 1,005 now."),
        ("take anna maria all why", "anna maria has 0 now."),
        ("ban anna maria cheating", "anna maria plays here no more; hands under way end."),
        ('ban "anna" maria says so', "anna plays here no more; hands under way end."),
        ("inspector add anna maria", "anna maria is an inspector now."),
        ("inspector add anna helps", "anna is an inspector now."),
        ("ban anna maria", "Name the reason, please: it stands in the audit log."),
        ('grant "anna maria twice"', "There is no single player anna maria twice here."),
        ("take anna maria 5", "Name the reason, please: it stands in the audit log."),
        (f"adjust {HAND} anna maria 5 why", "No settled hand of this casino has that number; an open one takes /void."),
        ("ban nobody at all", "There is no single player nobody here."),
    ],
)
def test_inspectors_name_people_by_the_longest_name_that_matches(town, line, told):
    assert says(town, f"insp {line}", AT, sure=True) == told


def test_the_reason_begins_behind_the_name(town):
    do(town, "insp ban anna maria cheating twice", AT, sure=True)
    assert "ban, anna maria (cheating twice)" in says(town, "insp audit anna maria", AT)
