"""Plugins that follow from the rules and the first hand."""

from dataclasses import dataclass, replace

import pytest

from bot.core.commands.stages import NO_PLACES
from bot.core.state.plays import MoveHelp, Play, Seating
from bot.games import PLUGINS
from bot.games.building import bank_game
from bot.games.check import what_is_wrong
from bot.texts import Text, say
from bot.texts.games import GameTexts
from bot.texts.options import Count, Flag, OneOf, Option
from bot.texts.paragraphs import Page, by_clause
from bot.view.parts import bank_piles, describe_bank, describe_seen
from bot.view.pictures.felt import Arc, Areas, Slots
from bot.view.player_view import view_hand
from engine.cards import PAIJU
from engine.felt import Deal, Limits, Stake
from engine.games.caribbean import CaribbeanOptions
from engine.games.paiju import PaijuOptions
from engine.games.uth import UltimateOptions
from engine.hand import Hand

SAID = Page("Said.")
TEXTS = GameTexts(title="Red & Black 21", summary=Text("Said."), rules=SAID, paytable=SAID)


def built(game, title="Red & Black 21", **parts):
    """Return the plugin of one of our games with nothing but its rules, moves and first hand."""
    ours = PLUGINS[game]
    play = Play(seats=6, seating=ours.play.seating, moves=ours.play.moves)
    choices = {name: option for name, option in ours.texts.options.items() if isinstance(option.unit, OneOf)}
    texts = replace(TEXTS, title=title, options=choices)
    return bank_game(ours.simulation, play, texts, ours.first_hand, **parts)


def test_a_game_of_seats_follows_from_its_rules():
    plugin = built("uth")
    assert plugin.texts.channel == "red-black-21"
    assert plugin.texts.options.keys() == vars(UltimateOptions()).keys()
    assert plugin.stages.moves.rows == ("check play fold",)
    assert plugin.presenter.bets.mains == ("ante",)
    assert [side.spot for side in plugin.presenter.bets.sides(UltimateOptions(), {"ante": 500})] == ["trips"]
    assert plugin.presenter.words.states["play"] == "played"
    assert set(plugin.texts.words["state"]) == {"checked", "played", "folded"}


def test_its_felt_has_a_place_for_every_card_of_the_first_hand():
    layout = built("caribbean", short={"exchange": "swap"}).felt.layout
    assert isinstance(layout, Arc)
    assert layout.cards == 5
    assert layout.bank == (Slots("Dealer", 258, 5),)
    assert layout.spots == (("bet", "ante"), ("jackpot", "exchange"))
    layout = built("uth").felt.layout
    assert [(slots.pile, slots.places) for slots in layout.bank] == [("Board", 5), ("Dealer", 2)]


def test_an_option_without_a_sentence_is_called_by_its_name():
    option = built("puntobanco").texts.options["squeeze"]
    assert (str(option.label), option.unit) == ("Squeeze", Flag())


def test_a_game_of_areas_has_them_in_rows():
    plugin = built("puntobanco")
    layout = plugin.felt.layout
    assert isinstance(layout, Areas)
    assert layout.hands == ("punto", "banco")
    assert [area for row in layout.rows for area in row] == list(plugin.game.spots)
    assert plugin.stages.moves == NO_PLACES
    assert plugin.presenter.bets.mains == ()


def test_a_label_without_room_asks_for_a_shorter_one():
    texts = replace(TEXTS, labels={"trips": "three of a kind or better"})
    ours = PLUGINS["uth"]
    with pytest.raises(ValueError, match="give trips a shorter one"):
        bank_game(ours.simulation, ours.play, texts, ours.first_hand)
    plugin = bank_game(ours.simulation, ours.play, texts, ours.first_hand, short={"trips": "3+"})
    assert isinstance(plugin.felt.layout, Arc)
    assert plugin.felt.layout.short == (("trips", "3+"),)


def test_every_part_can_be_given():
    ours = PLUGINS["uth"]
    parts = {name: getattr(ours, name) for name in ("presenter", "felt", "stages", "guest", "hooks")}
    plugin = built("uth", rank=3, commands=(), **parts)
    assert all(getattr(plugin, name) == part for name, part in parts.items())
    assert plugin.rank == 3


def test_built_plugins_can_be_played():
    for game in ("uth", "puntobanco"):
        plugin = built(game, "Nothing else")
        assert what_is_wrong(plugin) is None


def test_the_worth_of_a_hand_is_said_alike_in_the_rules_and_on_a_screen():
    worth = PLUGINS["paiju"].play.describe_hand
    hand = Hand(Deal("paiju", PaijuOptions(), (Stake(1, "p1", {"west": 500}),), PAIJU, (1, 1)))
    view = view_hand(hand, None)
    assert describe_seen(view, "east") == worth(hand.cards(None), "east") is not None
    assert describe_seen(view, "9") is None
    assert {pile.to: pile.description for pile in bank_piles(view)}["east"] == describe_seen(view, "east")
    assert str(describe_seen(view, "east")) in str(describe_bank(view))


def test_paragraphs_stand_for_the_options_of_a_table():
    page = Page(
        """
        Bets from {minimum},
        in steps of {step} (AB1).

        [irregular_bets] Any raise (AB2).

        [not irregular_bets] A raise is twice (AB2).

        [procedure=manual] By hand (AB3).

        {twice} (AB4).
        """,
        twice=lambda options: 2 * options.coin,
    )
    said = [say(text, "en") for text in page(CaribbeanOptions())]
    assert said == ["Bets from 10, in steps of 5 (AB1).", "A raise is twice (AB2).", "200 (AB4)."]
    said = [say(text, "en") for text in page(CaribbeanOptions(irregular_bets=True, procedure="manual"))]
    assert said[1:3] == ["Any raise (AB2).", "By hand (AB3)."]


def test_values_are_written_by_their_units():
    page = Page("{procedure}: {deepest}.", {"procedure": Option(Count(0, 1), Text("It."), Text("It"))}, deepest=len_of)
    assert [str(text) for text in page(UltimateOptions())] == ["shuffler: 8."]


def len_of(options):
    return len(options.procedure)


def test_originals_are_kept_by_their_last_clause():
    assert by_clause("One (AB1), two (AB2).\n\nThree (AB3, AB4).") == {
        "AB2": Text("One (AB1), two (AB2)."),
        "AB4": Text("Three (AB3, AB4)."),
    }


def test_a_move_has_its_button_and_its_state_in_one_place():
    ours = PLUGINS["uth"]
    moves = {**ours.play.moves, "play": MoveHelp(Text("Bet."), label=Text("Go {argument}"), did="has gone")}
    plugin = bank_game(ours.simulation, replace(ours.play, moves=moves), TEXTS, ours.first_hand)
    assert plugin.presenter.words.labels["play"] == Text("Go {argument}")
    assert "has gone" in plugin.texts.words["state"]
    assert plugin.play.seating is Seating.SEATS


@dataclass(frozen=True)
class WithKeyword(Limits):
    minimum: int = 500
    step: int = 100
    maximum: int = 50000
    raise_: str = "twice"


def test_an_option_may_be_called_like_a_keyword():
    game = replace(PLUGINS["uth"].game, options=WithKeyword)
    options = game.parse_options({"raise": "equal"})
    assert options == game.parse_options({"raise_": "equal"}) == WithKeyword(raise_="equal")
    unit = Option(OneOf(("twice", "equal")), Text("How much a raise is."), Text("Raise"))
    page = Page("[raise=equal] A raise is {raise} to the ante.\n\n[raise=twice] Twice.", {"raise_": unit})
    assert [str(text) for text in page(options)] == ["A raise is equal to the ante."]
