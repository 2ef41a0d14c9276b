"""Timelines of hands: applied in order they give the felt, for every viewer, and no card comes too early.

Three people play hands of every game through the real writer; each state of a table may be the next one on a page.
"""

import random

import pytest
from msgspec import structs

from bot.cli.game_checks.screens import exchange_hidden_cards, find_known_cards
from bot.cli.game_checks.trial_table import TrialTable, void_hand
from bot.games import PLUGINS
from bot.view.timeline import FeltState, Seen, Step, seen_of, steps
from engine.events import Dealt
from tests.core.conftest import House
from tests.folding import fold
from tests.some import some

HANDS = 4
MOST_HANDS = 20


def hands_of(game, folder):
    """Play hands with everything that a felt can show, until someone has won."""
    made, has_won = TrialTable(House(folder), game, has_screens=False), False
    for name in made.players:  # more than they can lose before one of them wins
        assert not made.do(f"insp grant {name} 10000 test").refused
    made.record("asleep")
    for hand in range(1, MOST_HANDS):
        made.play_hand()
        has_won = has_won or is_won(made.table.last)
        if hand >= HANDS and has_won:
            break
    made.record(
        "void",
        made.table.change(
            last=void_hand(some(made.table.last)), round=structs.replace(made.table.round, hand=None, bets=())
        ),
    )
    return made


def is_won(hand):
    """Return whether any player has won, over all their bets."""
    returned, wagered = hand.returned(), hand.wagered()
    return any(sum(returned[seat].values()) > sum(wagered[seat].values()) for seat in wagered)


@pytest.fixture(scope="module", params=sorted(PLUGINS))
def evening(request, tmp_path_factory):
    made = hands_of(request.param, tmp_path_factory.mktemp(request.param))
    yield made
    made.casino.close()


def viewers_of(evening):
    return None, *evening.players.values()


def tables_of(evening):
    return [state.table for state in evening.moments]


def test_steps_fold_to_the_felt_byte_for_byte(evening):
    for viewer in viewers_of(evening):
        felt, before = FeltState(hand=0), Seen(FeltState(hand=0))
        for table in tables_of(evening):
            after = seen_of(table, viewer)
            felt = fold(felt, steps(before, after))
            assert felt.encode() == after.felt.encode()
            before = after


@pytest.mark.slow
def test_who_misses_any_states_comes_to_the_same_felt(evening):
    rng = random.Random(evening.game)
    for viewer in viewers_of(evening):
        for _ in range(20):
            some_of_them = [table for table in tables_of(evening) if rng.random() < 0.5]
            felt, before = FeltState(hand=0), Seen(FeltState(hand=0))
            for table in some_of_them:
                after = seen_of(table, viewer)
                felt, before = fold(felt, steps(before, after)), after
                assert felt.encode() == after.felt.encode()


def test_what_stays_as_it_is_is_no_step(evening):
    for viewer in viewers_of(evening):
        for table in tables_of(evening):
            seen = seen_of(table, viewer)
            assert steps(seen, seen) == []


def test_cards_come_in_the_order_of_the_hand_and_once(evening):
    compared = 0
    for viewer in viewers_of(evening):
        dealt: list[Step] = []
        before = Seen(FeltState(hand=0))
        for state in evening.moments:
            after = seen_of(state.table, viewer)
            for step in steps(before, after):
                dealt = [] if step.kind == "swept" else [*dealt, step] if step.kind == "dealt" else dealt
            before = after
            if state.phase == "over" and not evening.table.plays.reveals.steps:
                compared += 1
                events = [event for event in after.events if isinstance(event, Dealt)]
                assert [(step.at, step.cards) for step in dealt] == [(event.to, event.cards) for event in events]
    assert compared or evening.table.plays.reveals.steps, "what players turn comes as they turn it"


def test_G8_no_step_names_a_card_that_its_viewer_may_not_see(evening):
    for viewer in viewers_of(evening):
        before = Seen(FeltState(hand=0))
        for table in tables_of(evening):
            after = seen_of(table, viewer)
            named = {card for step in steps(before, after) for card in step.cards if card != "??"}
            assert named <= find_known_cards(table, viewer)
            before = after


@pytest.mark.long
def test_G8_steps_are_the_same_whatever_the_hidden_cards_are(evening):
    rng, compared = random.Random(evening.game), 0
    open_ones = [state.table for state in evening.moments if state.phase in ("playing", "turning")]
    for viewer in viewers_of(evening):
        for table in open_ones:
            other = exchange_hidden_cards(table, viewer, rng)
            if other is not None:
                compared += 1
                one, two = (seen_of(table.change_round(hand=hand), viewer) for hand in (table.round.hand, other))
                nothing = Seen(FeltState(hand=0))
                assert steps(nothing, one) == steps(nothing, two)
                assert one.felt == two.felt
    assert compared or not open_ones, "only a game that asks nobody has no open hand"
