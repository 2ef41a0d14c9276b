"""`ridotto doctor --returns`: honest play passes; wrong payments and unfair deals are found, with both stores."""

import json
import re
from random import Random

import pytest

from bot.__main__ import main
from bot.core.admin.returns import INSIDE, NOT_COUNTED, OLDER, UNREADABLE, compare_returns
from bot.core.commands.counting import here
from engine.games import SIMULATIONS, puntobanco
from engine.simulation import move
from tests.core.conftest import TABLES, House
from tests.disk import ask
from tests.laid import lay_hands, loses

PUNTO = [{"punto": 500, "egalite": 500}, {"punto": 1000}]


def lay_punto(house, hands, **more):
    house.is_spoilt = True  # hands without postings
    lay_hands(house, "puntobanco", hands, PUNTO, **more)


def compared(house, **more):
    """Return {(spot, compared with): verdict} of a store in which one table used one set of options."""
    returns = compare_returns(house.books.snapshot, here, **more)
    assert len({line.group for line in returns.lines}) <= 1
    return {(line.spot, line.compared): line.verdict for line in returns.lines}


def out(house, **more):
    return {key for key, verdict in compared(house, **more).items() if verdict.is_out}


def looked_at():
    """Return a filter that drops one in three deals that a player would win."""
    chance = Random("looks")
    return lambda hand: loses(hand) or chance.random() < 2 / 3


@pytest.mark.long
def test_an_honest_book_passes_and_says_how_it_was_compared(house):
    lay_punto(house, 400)
    verdicts = compared(house)
    assert set(verdicts) == {("punto", "exact"), ("egalite", "exact")}
    punto = verdicts["punto", "exact"]
    assert punto.hands == 400  # two bets on one hand are one, at their mean
    assert punto.exact == pytest.approx(1 - 0.0123741)
    assert punto.error == pytest.approx(0.0475, abs=0.0005)
    assert punto.z == pytest.approx((punto.measured - punto.exact) / punto.error)
    assert out(house) == set()


@pytest.mark.long
def test_a_deck_that_was_looked_at_is_found(house):
    lay_punto(house, 800, takes=looked_at())
    assert ("punto", "exact") in out(house)


@pytest.mark.long
def test_a_game_that_pays_wrongly_is_found(house, monkeypatch):
    """Égalité pays 8 to 1 by the options; a rule script that pays twice that replays consistently."""
    lay_punto(house, 600)
    right = puntobanco.judge

    def wrong(felt, area, winner):
        result = right(felt, area, winner)
        return result._replace(odds=(16, 1)) if area == winner == "egalite" else result

    monkeypatch.setattr(puntobanco, "judge", wrong)
    assert out(house) == {("egalite", "exact")}


@pytest.mark.long
def test_play_that_gives_much_away_is_no_fault_of_the_deck(house):
    """The returns are below best play, and equal it with the losses by choices added."""
    house.is_spoilt = True
    lay_hands(house, "uth", 500, [{"ante": 500}], lambda seat, offers, cards: move(seat, "play", "3"))
    verdicts = compared(house, choices=450)
    most, choices = verdicts["ante", "most"], verdicts["ante", "choices"]
    assert (most.hands, choices.hands) == (500, 450)
    assert most.exact == pytest.approx(choices.exact)
    assert most.measured < choices.measured - 0.1
    assert abs(choices.z) < 4
    assert not any(verdict.is_out for verdict in verdicts.values())


@pytest.mark.long
def test_play_that_gives_much_away_does_not_hide_a_deck_that_was_looked_at(house):
    """Returns are at most those of best play; the cost of choices is too small then."""
    house.is_spoilt = True
    lay_hands(house, "uth", 500, [{"ante": 500}], lambda seat, offers, cards: move(seat, "play", "3"), looked_at())
    assert out(house, choices=500) == {("ante", "choices")}


def test_a_prize_that_has_not_had_its_chance_tells_nothing(house):
    house.is_spoilt = True
    lay_hands(house, "caribbean", 100, [{"ante": 1000, "jackpot": 100}], SIMULATIONS["caribbean"].strategies["guest"])
    coin = compared(house, choices=0)["jackpot", "exact"]
    assert (coin.hands, coin.is_known, coin.is_out) == (100, False, False)


@pytest.mark.long
def test_what_players_win_above_best_play_is_found(house):
    house.is_spoilt = True
    guest = SIMULATIONS["uth"].strategies["guest"]
    lay_hands(house, "uth", 300, [{"ante": 500}], guest, lambda hand: not loses(hand))
    assert out(house, choices=0) == {("ante", "most")}


def test_each_set_of_options_and_each_table_counts_for_itself(house):
    lay_punto(house, 3)
    lay_punto(house, 4, options={"commission": 400, "egalite_pays": 9})
    house.is_spoilt = True
    lay_hands(house, "paiju", 2, [{"south": 500, "south-west": 500}])
    returns = compare_returns(house.books.snapshot, here)
    found = [(line.group.table, line.group.options, line.spot, line.verdict.hands) for line in returns.lines]
    other = json.dumps({"commission": 400, "egalite_pays": 9})
    assert found == sorted(
        [
            (TABLES["paiju"], "{}", "south", 2),
            (TABLES["paiju"], "{}", "south-west", 2),
            (TABLES["puntobanco"], other, "egalite", 4),
            (TABLES["puntobanco"], other, "punto", 4),
            (TABLES["puntobanco"], "{}", "egalite", 3),
            (TABLES["puntobanco"], "{}", "punto", 3),
        ]
    )
    exact = {line.group.options: line.verdict.exact for line in returns.lines if line.spot == "egalite"}
    assert exact[other] - exact["{}"] == pytest.approx(0.0951, abs=0.0001)  # one unit more of each égalité


def test_only_what_was_paid_by_the_rules_that_are_exact_is_compared(house):
    """Left out are a void hand, one inside a shoe, one under older rules, one that does not replay, one of a game
    between players; and a void seat in a paid hand.
    """
    lay_punto(house, 8)
    ((last,),) = ask(house.books, "SELECT max(id) FROM hands")
    house.change("UPDATE hands SET status = 'void' WHERE id = ?", last)
    house.redeal(last - 1, start=12)
    house.redeal(last - 2, rules=0)
    house.redeal(last - 3, stakes=[])
    house.change("UPDATE hands SET game = 'stud' WHERE id = ?", last - 4)
    returns = compare_returns(house.books.snapshot, here)
    assert returns.left_out == {INSIDE: 1, OLDER: 1, UNREADABLE: 1, NOT_COUNTED: 1}
    assert returns.hands == 7
    assert {line.verdict.hands for line in returns.lines} == {3}


@pytest.mark.long
def test_the_command_tells_it_by_table_and_its_status_says_whether_a_bet_is_out(tmp_path, capsys):
    house = House(tmp_path)
    lay_hands(house, "puntobanco", 800, PUNTO, takes=looked_at())
    house.close()
    assert main(["doctor", "--data", str(tmp_path), "--returns"]) == 1
    said = capsys.readouterr().out
    assert f"Lounge, table {TABLES['puntobanco']}: puntobanco" in said
    assert re.search(r"punto +its odds +800 .* OUT$", said, re.MULTILINE)
    assert said.splitlines()[-1].startswith("800 hands, 2 comparisons, ")


def test_books_without_hands_have_nothing_out(tmp_path, capsys):
    House(tmp_path).close()
    assert main(["doctor", "--data", str(tmp_path), "--returns", "--choices", "0"]) == 0
    assert capsys.readouterr().out.splitlines()[-1] == "0 hands, 0 comparisons, none OUT."
    assert main(["doctor", "--data", str(tmp_path), "--returns", "--choices", "-1"]) == 2
    assert "Enter a number of hands from 0 up" in capsys.readouterr().err


@pytest.mark.long
def test_of_many_hands_the_latest_are_taken_and_the_others_cost_nothing(house):
    lay_punto(house, 700)
    told: list[int] = []
    assert compare_returns(house.books.snapshot, here, most=620, tell=told.append).hands == 620
    assert told[-1] == 620
    assert compare_returns(house.books.snapshot, here, casino=2).hands == 0
