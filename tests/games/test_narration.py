"""Narration: every step can be told, in order, and no card is named too early."""

import random
import re

import pytest

from bot.cli.game_checks.screens import exchange_hidden_cards, find_known_cards
from bot.core.state.table import owners_of
from bot.games import PLUGINS
from bot.texts import LANGUAGES, say
from bot.view.narration import narrate, say_card_in_words
from bot.view.timeline import FeltState, Seen, seen_of, steps
from engine.cards import HIDDEN, is_pocket
from tests.games.test_timelines import hands_of, tables_of, viewers_of

CARD = re.compile(
    r"(?:ace|king|queen|jack|ten|nine|eight|seven|six|five|four|three|two) of (?:spades|hearts|diamonds|clubs)"
)


@pytest.fixture(scope="module", params=sorted(PLUGINS))
def evening(request, tmp_path_factory):
    made = hands_of(request.param, tmp_path_factory.mktemp(request.param))
    yield made
    made.casino.close()


def told_to(evening, viewer, tables):
    house, before = evening.casino.writer.state, Seen(FeltState(hand=0))
    for table in tables:
        after = seen_of(table, viewer)
        yield table, narrate(house, table, viewer, steps(before, after), before.felt.asked, evening.casino.clock.now)
        before = after


def said_of(told):
    return [say(line, "en") for line in (*told.lines, *([told.turn] if told.turn else []))]


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_happens_can_be_said(evening, language):
    for viewer in viewers_of(evening):
        for _table, told in told_to(evening, viewer, tables_of(evening)):
            for line in (*told.lines, *([told.turn] if told.turn else [])):
                assert "{" not in say(line, language)


def test_who_plays_hears_their_cards_their_turn_and_what_they_won(evening):
    heard = []
    for viewer in evening.players.values():
        for _table, told in told_to(evening, viewer, tables_of(evening)):
            heard += said_of(told)
    assert any(line.startswith(("You win", "You lose", "You are even")) for line in heard)
    if PLUGINS[evening.game].game.words:
        assert any(line.startswith("Your turn: ") for line in heard)
        assert any(line.startswith("You have ") for line in heard)


def test_a_turn_is_told_once(evening):
    for viewer in evening.players.values():
        was_told = False
        for table, told in told_to(evening, viewer, tables_of(evening)):
            chose = bool(
                table.round.hand
                and table.round.hand.moves
                and owners_of(table.round.hand)[table.round.hand.moves[-1].seat] == viewer
            )
            assert not (told.turn and was_told) or chose
            was_told = bool(told.turn)


def test_nobody_is_told_that_they_look_at_their_own(evening):
    heard = [line for _table, told in told_to(evening, None, tables_of(evening)) for line in said_of(told)]
    assert not [line for line in heard if line.startswith(("You ", "Your "))]
    assert any(" wins " in line for line in heard)


def test_G8_no_sentence_names_a_card_that_its_hearer_may_not_see(evening):
    named = 0
    for viewer in viewers_of(evening):
        for table, told in told_to(evening, viewer, tables_of(evening)):
            may = {say(say_card_in_words(card), "en") for card in find_known_cards(table, viewer) if card != HIDDEN}
            found = {card for line in said_of(told) for card in CARD.findall(line)}
            named += len(found)
            assert found <= may
    full = PLUGINS[evening.game].game.full_deck
    assert named or is_pocket(full(PLUGINS[evening.game].game.options())[0])


@pytest.mark.long
def test_G8_what_is_said_is_the_same_whatever_the_hidden_cards_are(evening):
    rng, house, now = random.Random(evening.game), evening.casino.writer.state, evening.casino.clock.now

    def said_at(table, viewer):
        return said_of(narrate(house, table, viewer, steps(Seen(FeltState(hand=0)), seen_of(table, viewer)), (), now))

    for viewer in viewers_of(evening):
        for table in (state.table for state in evening.moments if state.phase in ("playing", "turning")):
            if (other := exchange_hidden_cards(table, viewer, rng)) is not None:
                assert said_at(table.change(), viewer) == said_at(table.change_round(hand=other), viewer)
