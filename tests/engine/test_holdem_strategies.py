"""House players at Hold'em: they pay for what their cards are worth."""

import pytest

from engine.cards import FRENCH
from engine.felt import Deal, Move, Stake
from engine.games.holdem import GAME
from engine.games.holdem_strategies import rate_hand, weigh_price
from engine.hand import Hand


@pytest.mark.parametrize(
    ("own", "board", "strength"),
    [
        ("7s 2h", "", 0),
        ("As 4h", "", 1),
        ("5s 5h", "", 2),
        ("Kd Qc", "", 2),
        ("As Ah", "", 3),
        ("7s 2h", "As Kd 9c", 0),
        ("7s 2h", "7d Kd 9c", 1),
        ("7s 2h", "Kh Kd 9c", 0),
        ("7s 2h", "7d 2d 9c", 3),
        ("7s 9h", "7d Kd Kc 9c", 2),
    ],
)
def test_a_hand_is_rated_by_what_it_makes_of_the_board(own: str, board: str, strength: int) -> None:
    assert rate_hand(own.split(), board.split()) == strength


@pytest.mark.parametrize(("own", "typed", "answer"), [("7s 2h", "700", "fold"), ("As Ah", "20000", "call")])
def test_a_raise_is_called_where_the_cards_are_worth_its_price(own: str, typed: str, answer: str) -> None:
    stakes = tuple(Stake(seat, f"p{seat}", {}, stack=20_000) for seat in (1, 2))
    big, rest = own.split(), [card for card in FRENCH if card not in own.split()]
    deck = [big[0], rest[0], big[1], *rest[1:]]  # the first of two players has the big blind (HE8)
    hand = Hand(Deal("holdem", GAME.options(), stakes, tuple(deck))).play(Move("2", "raise", typed))
    assert weigh_price("1", hand.asks["1"], hand.cards("1")).word == answer
