"""One suite for all games: the checks of `ridotto check-game`, on random deals and random moves."""

from random import Random

import pytest

from bot.cli.game_checks import rules
from bot.cli.game_checks.random_hands import play_at_random
from engine.games import GAMES
from engine.hand import Hand
from tests.engine.conformance import random_deal

EVERY_GAME = pytest.mark.parametrize("game", GAMES)


def open_hands(game: str, hands: int, seed: int) -> list[Hand]:
    """Return three states of each of some random hands: the start, one in the middle, the end."""
    random = Random(f"{game} {seed}")
    states = []
    for _ in range(hands):
        played = list(play_at_random(random_deal(game, random), random))
        states += [played[0], random.choice(played), played[-1]]
    return states


@EVERY_GAME
def test_offers_are_legal(game: str) -> None:
    for hand in open_hands(game, 12, 1):
        assert not list(rules.check_offers(hand, Random(1)))


@EVERY_GAME
def test_an_unoffered_move_raises_and_changes_nothing(game: str) -> None:
    for hand in open_hands(game, 20, 2):
        assert not list(rules.check_refusals(hand, Random(2)))


@EVERY_GAME
def test_replay_gives_equal_events(game: str) -> None:
    for hand in open_hands(game, 20, 3):
        assert not list(rules.check_replay(hand))


@EVERY_GAME
def test_a_record_written_and_read_again_plays_the_same(game: str) -> None:
    for hand in open_hands(game, 20, 4):
        assert not list(rules.check_record(hand))


@EVERY_GAME
def test_a_void_returns_every_stake(game: str) -> None:
    for hand in open_hands(game, 20, 5):
        assert not list(rules.check_void(hand))


@EVERY_GAME
def test_time_outs_end_every_hand(game: str) -> None:
    for hand in open_hands(game, 20, 6):
        assert not list(rules.check_timeouts(hand))


@EVERY_GAME
def test_a_hand_is_a_value_from_which_branches_grow(game: str) -> None:
    for hand in open_hands(game, 20, 7):
        assert not list(rules.check_branches(hand, Random(7)))


@pytest.mark.slow
@EVERY_GAME
def test_no_view_shows_a_hidden_card(game: str) -> None:
    random = Random(f"{game} 8")
    for _ in range(15):
        for hand in play_at_random(random_deal(game, random), random):
            assert not list(rules.check_views(hand))


@EVERY_GAME
def test_what_an_error_would_say_of_a_hand_holds_no_card(game: str) -> None:
    for hand in open_hands(game, 5, 8):
        assert not list(rules.check_hidden_in_errors(hand))


def check_chips(hand: Hand) -> None:
    """Players with stacks win what others lose, at most their stacks; the bank pays only on stakes."""
    wagered = {seat: sum(spots.values()) for seat, spots in hand.wagered().items()}
    returned = {seat: sum(spots.values()) for seat, spots in hand.returned().items()}
    assert wagered.keys() == returned.keys()
    if GAMES[hand.deal.game].stacks:
        stacks = {str(stake.seat): stake.stack for stake in hand.deal.stakes}
        assert all(amount <= stacks[seat] for seat, amount in wagered.items())
    else:
        # The longest odds of all bank games stand at 500 to 1 (UT13).
        assert all(0 <= amount <= 501 * wagered[seat] for seat, amount in returned.items())


@EVERY_GAME
def test_every_seat_is_paid_once_for_each_spot_and_chips_are_conserved(game: str) -> None:
    random = Random(f"{game} 9")
    for _ in range(100):
        *_, hand = play_at_random(random_deal(game, random), random)
        assert not list(rules.check_payments(hand))
        check_chips(hand)


@EVERY_GAME
def test_the_answer_of_a_replay_adds_up(game: str) -> None:
    for hand in open_hands(game, 20, 10)[2::3]:
        assert not list(rules.check_answer(hand))


@EVERY_GAME
def test_no_card_is_dealt_twice(game: str) -> None:
    for hand in open_hands(game, 20, 11)[2::3]:
        assert not list(rules.check_deck(hand))
