"""Decks on the verifier's page, compared with those that the rules shuffle, for every registered game."""

import pytest

from bot.games import PLUGINS
from bot.platforms.web.decks import all_decks
from engine.fairness.commitment import written_out
from engine.record import shuffled
from engine.shuffler import Seed, Stream


@pytest.mark.parametrize("game", PLUGINS)
def test_the_page_has_the_full_deck_for_whatever_options_bear_on_it(game: str) -> None:
    rules, told = PLUGINS[game].game, all_decks()[game]
    usual = {name: told["options"][name] for name in told["bearing"]}
    assert usual in [given for given, _cards in told["decks"]], "the usual ones are among them"
    for given, cards in told["decks"]:
        options = rules.parse_options(given)
        deck = tuple(cards)
        assert deck == rules.full_deck(options)
        stream = Stream(bytes(32), ())
        dice = stream.dice() if told["dice"] else None
        assert (stream.shuffle(deck), dice) == shuffled(rules, options, Seed(bytes(32)))


@pytest.mark.parametrize("game", PLUGINS)
def test_the_page_knows_of_each_games_options_what_a_commitment_must_say(game: str) -> None:
    rules, told = PLUGINS[game].game, all_decks()[game]
    usual = rules.parse_options({})
    assert told["options"] == written_out(usual)
    assert told["rules"][0] == rules.rules
    assert told["meter"] == (rules.meter.spot if rules.meter else "")
    for name, words in told["words"].items():
        for word in words:
            assert getattr(rules.parse_options({name: word}), name) == word
    if rules.shoe:
        assert getattr(usual, told["shoe"]) == rules.shoe.penetration(usual)
    else:
        assert told["shoe"] == ""
