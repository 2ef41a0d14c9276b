"""Duel, clause by clause."""

from engine.games import add_game
from engine.record import play_record
from ridotto_duel.rules import GAME

add_game(GAME)


def test_DU6_and_DU7_the_higher_card_of_the_same_suit_wins_all_three() -> None:
    bets = {"ante": 500, "suit": 500}
    hand = {"game": "duel", "deck": ["Kd", "9d"], "stakes": [{"seat": 1, "player": "anna", "bets": bets}]}
    assert play_record(hand | {"moves": ["1 raise"]})["net"] == {"1": 500 + 500 + 1500}


def test_DU4_who_does_not_answer_folds() -> None:
    hand = {"game": "duel", "deck": ["Kd", "9c"], "stakes": [{"seat": 1, "player": "anna", "bets": {"ante": 500}}]}
    assert play_record(hand | {"moves": ["1 timeout"]})["net"] == {"1": -500}
