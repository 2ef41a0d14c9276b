"""All five games at once, played by people who type at random: no fault, and books in order."""

import random

import pytest

from tests.bot.core.conftest import BLACKJACK, CARIBBEAN, LINKED, PAIJU, STUD, UTH
from tests.disk import ask

LINES = {
    "caribbean": "bet 50 jackpot, bet 50, raise, fold, exchange 1, exchange 4",
    "uth": "bet 10, bet 10 trips 5, play 4, play 3, play 2, play 1, check, fold",
    "paiju": "bet south 10, bet south-west 10 north 20, squeeze, squeeze south, squeeze north",
    "blackjack": "bet 20, bet 2 30, bet 1 500, bet 3 20 admiral 10, hit, stand, double, split, insure 5, decline, stay,"
    "follow on, follow off, sit 4",
    "stud": "buyin 320, buyin 80, sit, topup 50, sitout, back, fold, check, call, complete, bet, raise, bring-in",
}
ANYWHERE = (
    "takeback, ready, rebet, leave, cut x, cards, daily, standing raise-pairs, standing play-pairs, standing stand-15"
)
ACTS = "void {hand} why, table pause why, table resume, noncoup why, table set pace fast, table set penetration 50 why"
NAMES = ["anna", "bea", "cat", "dan"]


def say_something(house, chance, table):
    words = LINES[house.table(table).game] if chance.random() < 0.8 else ANYWHERE
    line = f"{chance.choice(NAMES)} {chance.choice(words.split(',')).strip()}"
    return house.command(line, table=table, sure=chance.random() < 0.7)


def step(house, chance):
    table = chance.choice([CARIBBEAN, UTH, PAIJU, BLACKJACK, BLACKJACK, STUD, STUD, LINKED])
    act = chance.random()
    if act < 0.6:
        house.batch([say_something(house, chance, table) for _ in range(chance.randint(1, 5))])
    elif act < 0.65:
        line = chance.choice(ACTS.split(", ")).format(hand=house.table(table).hand_id)
        house.do(f"inspector {line}", table=table, sure=True)
    elif act < 0.7:
        house.restart()
    else:
        house.wait(chance.choice([0, 5, 8, 20, 31, 70, 200]))


@pytest.mark.long
@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_typed_at_the_five_games_is_no_fault_of_the_house(house, no_errors, seed):
    for name in NAMES:
        house.do(f"{name} balance")
        house.do(f"inspetta grant {name} 5000 to play with", sure=True)
    chance = random.Random(seed)
    for _ in range(150):
        step(house, chance)
    assert sum(house.balances().values()) == 0


def test_BJ2_a_bet_that_the_maximum_of_a_box_cuts_whole_comes_back_and_the_hand_is_settled(house, no_errors):
    assert not house.do("anna bet 1 1000", table=BLACKJACK).refused
    assert not house.do("bea bet 1 10", table=BLACKJACK).refused
    house.wait(20)
    house.wait(400)
    closed = "SELECT status FROM hands WHERE table_id = ? AND closed IS NOT NULL"
    assert ask(house.books, closed, BLACKJACK) == [("over",)]
    assert house.chips("bea") == 100_000
    assert house.says("bea history", table=BLACKJACK) == "You have not finished a hand here yet."
