"""One suite for all games: the checks of `conformance`, on random deals and random moves."""

from random import Random

import pytest

from engine.events import Dealt
from engine.games import GAMES
from engine.hand import Hand
from tests.engine import conformance
from tests.engine.conformance import play_hand, random_deal

EVERY_GAME = pytest.mark.parametrize("game", GAMES)


def open_hands(game: str, hands: int, seed: int) -> list[Hand]:
    """Return three states of each of some random hands: the start, one in the middle, the end."""
    random = Random(f"{game} {seed}")
    states = []
    for _ in range(hands):
        played = list(play_hand(random_deal(game, random), random))
        states += [played[0], random.choice(played), played[-1]]
    return states


@EVERY_GAME
def test_offers_are_legal(game: str) -> None:
    for hand in open_hands(game, 12, 1):
        conformance.check_offers(hand, Random(1))


@EVERY_GAME
def test_an_unoffered_move_raises_and_changes_nothing(game: str) -> None:
    for hand in open_hands(game, 20, 2):
        conformance.check_refusals(hand, Random(2))


@EVERY_GAME
def test_replay_gives_equal_events(game: str) -> None:
    for hand in open_hands(game, 20, 3):
        conformance.check_replay(hand)


@EVERY_GAME
def test_a_record_written_and_read_again_plays_the_same(game: str) -> None:
    for hand in open_hands(game, 20, 4):
        conformance.check_record(hand)


@EVERY_GAME
def test_a_void_returns_every_stake(game: str) -> None:
    for hand in open_hands(game, 20, 5):
        conformance.check_void(hand)


@EVERY_GAME
def test_time_outs_end_every_hand(game: str) -> None:
    for hand in open_hands(game, 20, 6):
        conformance.check_timeouts(hand)


@EVERY_GAME
def test_a_hand_is_a_value_from_which_branches_grow(game: str) -> None:
    for hand in open_hands(game, 20, 7):
        conformance.check_branches(hand, Random(7))


@pytest.mark.slow
@EVERY_GAME
def test_no_view_shows_a_hidden_card(game: str) -> None:
    random = Random(f"{game} 8")
    for _ in range(15):
        for hand in play_hand(random_deal(game, random), random):
            conformance.check_views(hand)


@EVERY_GAME
def test_what_an_error_would_say_of_a_hand_holds_no_card(game: str) -> None:
    for hand in open_hands(game, 5, 8):
        assert not any(repr(card) in repr((hand, hand.deal)) for card in hand.deal.deck)


@EVERY_GAME
def test_G8_no_payment_names_a_hidden_hand(game: str) -> None:
    random = Random(f"{game} 12")
    for _ in range(100):
        *_, hand = play_hand(random_deal(game, random), random)
        conformance.check_payments(hand)


@EVERY_GAME
def test_every_seat_is_paid_once_for_each_spot_and_chips_are_conserved(game: str) -> None:
    random = Random(f"{game} 9")
    for _ in range(100):
        *_, hand = play_hand(random_deal(game, random), random)
        conformance.check_payment(hand)
        conformance.check_chips(hand)


@EVERY_GAME
def test_the_answer_of_a_replay_adds_up(game: str) -> None:
    for hand in open_hands(game, 20, 10)[2::3]:
        conformance.check_answer(hand)


@EVERY_GAME
def test_no_card_is_dealt_twice(game: str) -> None:
    for hand in open_hands(game, 20, 11)[2::3]:
        dealt = [card for event in hand.events if isinstance(event, Dealt) for card in event.cards]
        deck = list(hand.deal.deck)
        # SH4: a discard may be dealt once more, open for all.
        again = set(hand.facts.get("board", ())) if GAMES[game].stacks else set()
        assert all(dealt.count(card) <= deck.count(card) for card in dealt if card not in again)
