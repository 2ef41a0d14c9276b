"""The person that a command means: picked, mentioned, replied to, or named in text."""

import pytest

from bot.core.commands.command import Command, Who
from bot.core.commands.picks import pick_account, pick_player
from bot.core.state.lounge import LOUNGE
from bot.core.state.place import Place

LOBBY = Place("web", "lobby")
GINA = Who("telegram", "1", "Gina", inspector=True)


@pytest.fixture
def town(house):
    people = [GINA, Who("telegram", "2", "Anna", username="anna_banana"), Who("telegram", "3", "anna")]
    people += [Who("telegram", "4", "Özge"), Who("telegram", "5", "=^.^="), Who("telegram", "6", "Ben Two")]
    for who in people:
        say(house, who, "balance")
    return house


def say(house, who, verb, *args, **more):
    house.keys += 1
    return house.batch([Command(f"key {house.keys}", who, LOBBY, verb, args, **more)])[0]


def said(house, verb, *args, **more):
    return str(say(house, GINA, verb, *args, **more).texts[0])


def number_of(house, account):
    return house.writer.state.identity("telegram", account)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("özge", "Özge"),
        ("O\u0308ZGE", "Özge"),
        ("=^.^=", "=^.^="),
        ("ben two", "Ben Two"),
        ("“Ben Two”", "Ben Two"),
        ("Anna (2)", "anna (2)"),
        ("@anna_banana", "Anna"),
        ("@ANNA_banana", "Anna"),
    ],
)
def test_a_player_is_found_by_what_people_type(town, name, shown):
    assert said(town, "give", *name.split(), "5") == f"You gave 5 to {shown}. You have 995."


def test_several_of_a_name_are_offered_with_what_tells_them_apart(town):
    say(town, Who("telegram", "3", "anna"), "bet", "10")
    asked = say(town, GINA, "ban", "Anna", "spam")
    assert asked.refused
    assert str(asked.texts[0]) == "Several players here are called Anna. Who do you mean?"
    assert [str(one.label) for one in asked.choices] == ["Anna, 1,000 chips", "anna (2), 1,000 chips"]
    second = asked.choices[1]
    assert (second.verb, second.args) == ("ban", (pick_player(number_of(town, "3")), "spam"))
    assert "anna (2) leaves every table" in said(town, second.verb, *second.args)


def test_a_username_means_who_had_it_last(town):
    say(town, Who("telegram", "2", "Anna", username="other"), "balance")
    assert said(town, "give", "@anna_banana", "5") == "No player here is called @anna_banana."
    say(town, Who("telegram", "4", "Özge", username="Anna_Banana"), "balance")
    assert said(town, "give", "@anna_banana", "5") == "You gave 5 to Özge. You have 995."


def test_who_has_not_played_yet_is_picked_where_the_platform_vouches_for_them(town):
    new = Who("telegram", "9", "Newcomer")
    assert said(town, "grant", pick_account("9"), "5", "prize") == "That person has not played here yet."
    assert number_of(town, "9") is None
    assert "Newcomer" in said(town, "grant", pick_account("9"), "5", "prize", people=(new,), confirmed=True)
    assert number_of(town, "9") is not None
    assert "Newcomer" in said(town, "inspector add", pick_account("9"), people=(new,), confirmed=True)
    assert town.writer.state.casinos[LOUNGE].state.inspectors == (number_of(town, "9"),)


def test_the_author_of_an_answered_message_is_meant_where_nobody_is_named(town):
    new = Who("telegram", "9", "Newcomer")
    assert said(town, "give", "5", people=(new,), answers="9") == "You gave 5 to Newcomer. You have 995."
    assert said(town, "give", "özge", "5", people=(new,), answers="9") == "You gave 5 to Özge. You have 990."
    assert "Newcomer leaves every table" in said(town, "ban", "spam", people=(new,), answers="9")
    assert "Özge leaves every table" in said(town, "ban", "özge", "spam", people=(new,), answers="9")
    assert said(town, "balance", people=(new,), answers="9") == "You have 990 chips."


def test_what_nobody_could_pick_names_nobody(town):
    for word in (pick_player(99_999), pick_player(0), "\ue00f", "\ue00fx", "\ue00f@", "\ue00f@99"):
        assert said(town, "give", word, "5") == "That person has not played here yet."


def test_a_mention_in_a_reason_is_kept_as_a_name(town):
    words = ("for", pick_account("4"), f"and{pick_account('5')}", pick_account("777"))
    say(town, GINA, "grant", pick_account("2"), "5", *words, confirmed=True)
    audit = [str(text) for text in say(town, GINA, "audit").texts]
    assert "for Özge and=^.^= ?" in audit[0]
    assert "777" not in audit[0]
