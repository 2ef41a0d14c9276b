"""Options of slash commands: their names, and their arguments."""

from bot.core.command_list import CHAT_COMMANDS
from bot.platforms.discord.commands import _field
from bot.platforms.discord.drawing import safe
from bot.platforms.discord.names import know_commands, know_fields, named_commands
from bot.platforms.discord.options import args_of, options_for
from bot.texts import Text, say


def test_the_name_of_an_option_says_what_it_is():
    vague = {"words", "choice", "option", "arguments"}
    found = {(verb.name, option.name) for _group, _name, verb in named_commands() for option in options_for(verb)}
    assert not [one for one in found if one[1] in vague]
    assert {verb for verb, option in found if option == "value"} == {
        "table open",
        "table set",
        "house set",
        "meter set",
    }


def test_each_part_of_a_pause_has_its_own_field():
    options = options_for(CHAT_COMMANDS["pause"])
    for given, args in (
        ({"days": 7}, ("7",)),
        ({"loss": "100"}, ("loss", "100")),
        ({"minutes": 90}, ("minutes", "90")),
        ({"lift": "loss"}, ("off", "loss")),
        ({"reminders": "quiet"}, ("quiet",)),
    ):
        assert args_of(options, given) == args


def test_a_hand_of_the_statement_is_picked_by_its_number():
    assert args_of(options_for(CHAT_COMMANDS["statement"]), {"page": "2", "hand": 12}) == ("2", "#12")


def test_a_sentence_names_the_field_of_an_argument():
    """A command pressed in a sentence opens without its arguments."""
    know_fields({verb.name: [_field(one) for one in options_for(verb)] for _group, _name, verb in named_commands()})
    know_commands([])
    for typed, named in (
        ("`/pause 7` pauses you", "/pause (days: 7) pauses you"),
        ("`/pause loss 100`", "/pause (loss: 100)"),
        ("`/pause minutes 60`", "/pause (minutes: 60)"),
        ("`/buyin AMOUNT`", "/buyin (amount)"),
        ("`/give anna 50`", "/give (player: anna, amount: 50)"),
        ("`/table set recap 22`", "/table set (setting: recap, value: 22)"),
        ("`/adjust 12 anna 50 wrong limit`", "/adjust (hand: 12, player: anna, amount: 50, reason: wrong limit)"),
        ("`/coach after`", "/coach (when: after)"),
        ("`/verify file`", "/verify (download: file)"),
        ("`/follow on`", "/follow (switch: on)"),
        ("`/link 2-SVTH`", "/link (code: 2-SVTH)"),
    ):
        text = Text(typed)
        assert say(text, "en") == typed.replace("`", "")
        assert safe(text, "en") == named
    assert safe(Text("`/pause 7`"), "de").endswith("(tage: 7)")
    assert safe(Text("`/void {hand}`", hand="12"), "en") == "/void (hand: 12)"
