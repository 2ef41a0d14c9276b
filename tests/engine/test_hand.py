"""Hands are values: `check` changes nothing, `play` costs only its own step, and older hands stay as they were."""

from itertools import pairwise
from random import Random

import pytest

from bot.cli.game_checks.random_hands import choose_move, play_at_random
from engine import hand as hands
from engine.errors import IllegalDeal, IllegalMove
from engine.felt import Deal, Move
from engine.games import GAMES
from engine.hand import Hand
from tests.engine.conformance import random_deal

EVERY_GAME = pytest.mark.parametrize("game", GAMES)


@pytest.fixture
def starts(monkeypatch):
    """A list of the scripts that were started."""
    started, start = [], hands._start

    def noting(deal):
        started.append(deal)
        return start(deal)

    monkeypatch.setattr(hands, "_start", noting)
    return started


@EVERY_GAME
def test_a_hand_that_is_checked_and_played_to_its_end_starts_one_script(game: str, starts: list[Deal]) -> None:
    random = Random(f"{game} starts")
    hand = Hand(random_deal(game, random))
    while not hand.is_over:
        move = choose_move(hand, random)
        for _ in range(3):
            hand.check(move)
        hand = hand.play(move)
        hand.wagered(), hand.view("1"), hand.cards(None)
    assert hand.facts
    assert len(starts) == 1


@EVERY_GAME
def test_an_older_hand_says_what_it_said_and_starts_no_script_for_it(game: str, starts: list[Deal]) -> None:
    random = Random(f"{game} older")
    states, said = [], []
    for hand in play_at_random(random_deal(game, random), random):
        states.append(hand)
        said.append(look(hand))
    assert list(map(look, states)) == said
    for before, after in pairwise(states):
        before.check(after.moves[-1])
    assert len(starts) == 1


@EVERY_GAME
def test_what_follows_from_a_deal_is_found_once_and_what_follows_from_a_hand_once_for_each(game: str) -> None:
    found: list[object] = []

    def players(deal: Deal) -> tuple[str, ...]:
        found.append(deal)
        return tuple(stake.player for stake in deal.stakes)

    def count(hand: Hand) -> int:
        found.append(hand)
        return len(hand.moves)

    random = Random(f"{game} once")
    played = list(play_at_random(random_deal(game, random), random))
    for _time in range(2):
        assert [hand.once(count) for hand in played] == list(range(len(played)))
        assert {hand.of_deal(players) for hand in played} == {tuple(one.player for one in played[0].deal.stakes)}
    assert len(found) == len(played) + 1


def look(hand: Hand) -> tuple[object, ...]:
    return dict(hand.asks), dict(hand.aside), list(hand.events), hand.wagered(), hand.cards("1"), hand.is_over


def test_what_is_aside_stays_with_the_hand_that_has_it() -> None:
    """A follower's `stay` in Black Jack ends with that move, not in an earlier hand."""
    random = Random("aside")
    hand = Hand(random_deal("blackjack", random))
    while not hand.aside or hand.is_over:
        hand = Hand(random_deal("blackjack", random))
    key = next(iter(hand.aside))
    after = hand.play(Move(key, "stay"))
    assert key in hand.aside
    assert key not in after.aside
    hand.check(Move(key, "stay"))
    with pytest.raises(IllegalMove):
        after.check(Move(key, "stay"))


def test_a_hand_that_went_on_is_played_again_where_somebody_plays_it_differently(starts: list[Deal]) -> None:
    random = Random("branches")
    hand = Hand(random_deal("stud", random))
    offers = next(iter(hand.asks.items()))
    one = hand.play(Move(offers[0], offers[1][0].word))
    other = hand.play(Move(offers[0], offers[1][-1].word))
    assert len(starts) == 2
    assert one.events != other.events
    assert hand.felt.events == hand.events
    assert len(starts) == 3


def test_a_step_that_fails_leaves_the_hand_as_it_was() -> None:
    """The deck ends with the exchange: the cards refuse the move, and any other can still be played."""
    deal = random_deal("caribbean", Random(4))
    seats = [str(stake.seat) for stake in deal.stakes]
    hand = Hand(deal._replace(deck=deal.deck[: 5 * len(seats) + 5]))
    for seat in seats[:-1]:
        hand = hand.play(Move(seat, "fold"))
    last, events = seats[-1], list(hand.events)
    with pytest.raises(IllegalDeal):
        hand.play(Move(last, "exchange", hand.cards(last)[last][0]))
    assert (list(hand.events), set(hand.asks)) == (events, {last})
    assert hand.play(Move(last, "fold")).is_over
