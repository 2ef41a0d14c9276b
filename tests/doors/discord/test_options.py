"""What the options of slash commands are called, and what becomes of them."""

from bot.doors.discord.names import named_verbs
from bot.doors.discord.options import args_of, options_for
from bot.house.speech.registry import VERBS


def test_the_name_of_an_option_says_what_it_is():
    vague = {"words", "choice", "option", "arguments"}
    found = {(verb.name, option.name) for _group, _name, verb in named_verbs() for option in options_for(verb)}
    assert not [one for one in found if one[1] in vague]
    assert {verb for verb, option in found if option == "value"} == {
        "table open",
        "table set",
        "house set",
        "meter set",
    }


def test_each_part_of_a_pause_has_its_own_field():
    options = options_for(VERBS["pause"])
    for given, args in (
        ({"days": 7}, ("7",)),
        ({"loss": "100"}, ("loss", "100")),
        ({"minutes": 90}, ("minutes", "90")),
        ({"lift": "loss"}, ("off", "loss")),
        ({"reminders": "quiet"}, ("quiet",)),
    ):
        assert args_of(options, given) == args


def test_a_hand_of_the_statement_is_picked_by_its_number():
    assert args_of(options_for(VERBS["statement"]), {"page": "2", "hand": 12}) == ("2", "#12")
