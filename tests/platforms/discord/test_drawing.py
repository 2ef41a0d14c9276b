"""Discord's JSON: equal to what the library would write, within Discord's limits, with a player's own part."""

import random

import discord
import pytest
from discord import ui
from discord.http import handle_message_parameters
from msgspec.structs import replace

from bot.core.state.plays import PLAYS
from bot.platforms.discord import components
from bot.platforms.discord.components import BLUE, MOST_COMPONENTS, RED, View
from bot.platforms.discord.drawing import own_screen, panel_key, panel_view, table_view
from bot.texts import LANGUAGES, Text
from bot.view import Button
from bot.view.build import private_screen
from engine.hand import Hand
from tests.some import some
from tests.view.example_screens import GAMES as EXAMPLES
from tests.view.example_screens import named, own
from tests.view.test_screens import (  # noqa: F401
    ANNA,
    BEA,
    CLEO,
    deal,
    lay,
    look,
    lounge,
    play_at_random,
    table_of,
)

GIVEN = {"disabled": False, "spoiler": False, "default": False, "required": True, "min_values": 1, "max_values": 1}
FILE = "attachment://hand.png"


def without_defaults(part):
    """Remove fields with Discord's default values."""
    if isinstance(part, list):
        return [without_defaults(one) for one in part]
    if not isinstance(part, dict):
        return part
    return {name: without_defaults(value) for name, value in part.items() if GIVEN.get(name) != value}


def a_button(**more):
    return ui.Button(label="Raise", custom_id="t:1:2.0:raise:", **more)


@pytest.mark.parametrize(
    ("ours", "librarys"),
    [
        (components.words("**Dealer**"), ui.TextDisplay("**Dealer**")),
        (components.button("Raise", "t:1:2.0:raise:"), a_button()),
        (components.button("Raise", "t:1:2.0:raise:", BLUE), a_button(style=discord.ButtonStyle.primary)),
        (components.button("Raise", "t:1:2.0:raise:", RED), a_button(style=discord.ButtonStyle.danger)),
        (components.row(components.button("Raise", "t:1:2.0:raise:")), ui.ActionRow(a_button())),
        (
            components.select("Bet on ...", "s:1:2:1", [("west 5", "bet:west,5")]),
            ui.Select(
                placeholder="Bet on ...",
                custom_id="s:1:2:1",
                options=[discord.SelectOption(label="west 5", value="bet:west,5")],
            ),
        ),
        (
            components.picture("hand.png", "Your cards"),
            ui.MediaGallery(discord.MediaGalleryItem(FILE, description="Your cards")),
        ),
        (components.attachment("hand.png"), ui.File(FILE)),
        (
            components.container([components.words("x")], 0x0B6E4F),
            ui.Container(ui.TextDisplay("x"), accent_colour=0x0B6E4F),
        ),
    ],
    ids=lambda part: type(part).__name__ if isinstance(part, ui.Item) else "",
)
def test_a_component_is_written_as_the_library_writes_it(ours, librarys):
    assert ours == without_defaults(librarys.to_component_dict())


def test_the_library_sends_a_view_as_it_is_and_keeps_nothing_of_it():
    view = View([components.words("x")])
    with handle_message_parameters(view=view) as sent:
        payload = some(sent.payload)
        assert payload["components"] is view.parts
        assert discord.MessageFlags._from_value(payload["flags"]).components_v2
    assert view.is_finished()


def test_labels_and_choices_are_cut_to_what_discord_takes():
    assert len(components.button("a" * 200, "t")["label"]) == 80
    assert len(components.select("s", "s", [("a" * 200, "v")])["options"][0]["label"]) == 100


def test_five_buttons_go_into_a_row():
    rows = components.rows([components.button("x", str(number)) for number in range(7)])
    assert [len(row["components"]) for row in rows] == [5, 2]


def walk(parts):
    for part in parts:
        yield part
        yield from walk(part.get("components", ()))


@pytest.mark.parametrize("game", EXAMPLES)
def test_a_full_table_of_long_names_stays_within_discords_limits(game):
    shown = named(EXAMPLES[game](True), "Wolfeschlegelsteinhausenbergerdorff " * 20)
    buttons = tuple(Button(Text("Bet"), "bet", (f"ante,{n}",), "bet", "12") for n in range(60))
    for view in (table_view(replace(shown, more=buttons), "en", picture="A table"), panel_view(own(shown), (), "en")):
        parts = list(walk(view.parts))
        assert len(parts) <= MOST_COMPONENTS
        assert sum(len(part.get("content", "")) for part in parts) <= 4000
        codes = [part["custom_id"] for part in parts if "custom_id" in part]
        assert len(codes) == len(set(codes))


@pytest.mark.long
@pytest.mark.parametrize("game", PLAYS)
def test_a_private_screen_has_all_that_a_panel_shows_of_the_whole_one(lounge, game):  # noqa: F811
    rng = random.Random(game)
    house, table = lounge.writer.state, table_of(lounge, game)
    for state in (table, *(lay(table, hand) for _ in range(3) for hand in play_at_random(Hand(deal(game, rng)), rng))):
        for viewer in (ANNA, BEA, CLEO):
            whole, private = look(lounge, state, viewer), private_screen(house, state, viewer, lounge.clock.now)
            assert panel_key(private) == panel_key(whole)
            for language in LANGUAGES:
                drawn, wanted = (panel_view(one, (), language).parts for one in (private, whole))
                assert drawn == wanted
            assert own_screen(private).seats == own_screen(whole).seats
            assert (private.bank, private.limits, private.commit) == (whole.bank, whole.limits, whole.commit)


def test_however_many_results_there_are_the_foot_is_whole_and_no_line_is_cut():
    shown = EXAMPLES["paiju"](True)
    lines = tuple(Text("{name}: {what}", name=f"Player {n} " + "x" * 60, what="wins 10") for n in range(80))
    parts = table_view(replace(shown, lines=lines), "en").parts[0]["components"]
    words = [part["content"] for part in parts if "content" in part]
    assert sum(map(len, words)) <= 3900
    assert shown.commit[:12] in words[-1]
    assert words[-2].endswith("wins 10…")
