"""What the verifier's page is told of every registered game's deck is what the rules shuffle."""

import pytest

from bot.doors.web.decks import all_decks
from bot.games import FACES
from engine.record import shuffled
from engine.shuffler import Seed, Stream


@pytest.mark.parametrize("game", FACES)
def test_the_page_has_the_full_deck_for_whatever_options_bear_on_it(game: str) -> None:
    rules, told = FACES[game].game, all_decks()[game]
    assert told["options"] in [given for given, _cards in told["decks"]], "the usual ones are among them"
    for given, cards in told["decks"]:
        options = rules.parse_options(given)
        deck = tuple(cards[at : at + 2] for at in range(0, len(cards), 2))
        assert deck == rules.full_deck(options)
        stream = Stream(bytes(32), ())
        dice = stream.dice() if told["dice"] else None
        assert (stream.shuffle(deck), dice) == shuffled(rules, options, Seed(bytes(32)))
