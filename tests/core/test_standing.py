"""Standing orders: the move that is played and recorded when time runs out."""

import pytest

from bot.core.state.plays import PLAYS
from bot.games.blackjack import stand_on
from bot.games.caribbean import raise_pairs
from bot.games.uth import play_pairs
from engine.felt import Offer
from tests.core.conftest import BLACKJACK, TABLES, UTH


def offers(*words):
    return [Offer(*word.split()) for word in words]


@pytest.mark.parametrize(
    ("cards", "move"), [("2s 2d Ac 4s 9c", "raise"), ("Ks Kd Kc 4s 4c", "raise"), ("As Kd Qc 4s 9c", "fold")]
)
def test_CS10_raise_with_a_pair_or_better_else_fold(cards, move):
    assert raise_pairs("1", offers("raise", "fold"), {"1": cards.split()}) == move


@pytest.mark.parametrize(
    ("own", "board", "move"),
    [
        ("As Kd", "Ac 2d 5h 9s Jc", "play 1"),
        ("As Ad", "Kc 2d 5h 9s Jc", "play 1"),
        ("As Kd", "2c 2d 5h 9s Jc", "fold"),
    ],
)
def test_UT17_on_the_river_a_pair_that_uses_a_hole_card_plays(own, board, move):
    cards = {"1": own.split(), "board": board.split()}
    assert play_pairs("1", offers("play 1", "fold"), cards) == move
    assert play_pairs("1", offers("check", "play 4"), cards) == "check"


@pytest.mark.parametrize(
    ("cards", "move"), [("5s 9d", "hit"), ("Ts 6d", "hit"), ("Ts 7d", "stand"), ("As 6d", "stand")]
)
def test_BJ6_an_order_draws_below_its_total_and_insures_nothing(cards, move):
    order = stand_on(17)
    assert order("1", offers("hit", "stand"), {"1": cards.split()}) == move
    assert order("1", [Offer("insure", least=1, most=5), Offer("decline")], {"1": cards.split()}) == "decline"


@pytest.mark.parametrize("game", PLAYS)
def test_orders_are_kept_by_game_and_player_and_can_be_taken_back(house, game):
    at = TABLES[game]
    orders = PLAYS[game].orders
    if not orders:
        assert house.says("anna standing off", table=at) == "This game has no standing orders."
        return
    for order in orders:
        assert house.says(f"anna standing {order}", table=at) == f"If your time runs out: {order}."
    house.restart()
    assert house.says("anna standing OFF", table=at) == "If your time runs out: off."
    for wrong in ("sometimes", "stand-99"):
        assert "Choose one of" in house.says(f"anna standing {wrong}", table=at)


def test_UT17_an_order_checks_until_the_river(house):
    house.do("anna standing play-pairs", table=UTH)
    hand = house.deal("anna bet 10", table=UTH)
    number = house.table(UTH).round.hand_id
    assert hand.asks
    house.wait(600)
    assert house.moves(number)[:2] == ["1 check", "1 check"]
    assert house.moves(number)[2] in ("1 play 1", "1 fold")


def test_BJ6_the_order_of_the_holder_plays_their_box(house):
    house.do("anna standing stand-12", table=BLACKJACK)
    for _ in range(10):
        hand = house.deal("anna bet 1 10", table=BLACKJACK)
        number = house.table(BLACKJACK).round.hand_id if hand is not None else None
        house.wait(600)
        if number is not None and house.moves(number):
            assert not any("timeout" in move for move in house.moves(number))
            assert house.moves(number)[-1].split()[1] in ("stand", "hit", "decline")
            return
    raise AssertionError("no hand in ten was asked anything")
