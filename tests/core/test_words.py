"""Words on screens can be typed: in any language, without accents, with spaces or hyphens."""

import itertools

import pytest

from bot.core.commands.words import SPOT, find_word, has_letters, take_word
from bot.core.state.plays import PLAYS
from bot.texts import LANGUAGES, say_value
from bot.texts.folding import fold
from engine.felt import Word
from engine.games import GAMES
from tests.core.conftest import BLACKJACK, PAIJU, TABLES

PUNTO_BANCO = TABLES["puntobanco"]


def bets(house, name, table):
    return {
        spot: amount for bet in house.table(table).bets_of(house.player(name)) for spot, amount in bet.spots.items()
    }


NAMES = {
    "égalité 20": "egalite",
    "Égalité 20": "egalite",
    "EGALITE 20": "egalite",
    "pair punto 20": "pair-punto",
    "Pair-Punto 20": "pair-punto",
    '"pair punto" 20': "pair-punto",
    "coppia punto 20": "pair-punto",
    "Paar Banco 20": "pair-banco",
    "banco 20": "banco",
}


def test_a_bet_is_taken_by_each_name_that_is_shown(house):
    for typed, spot in NAMES.items():
        house.says(f"anna bet {typed}", table=PUNTO_BANCO)
        assert bets(house, "anna", PUNTO_BANCO) == {spot: 2000}
        house.do("anna takeback", table=PUNTO_BANCO)


def test_several_bets_are_told_apart(house):
    house.says("anna bet 50 paar punto 20 EGALITE 10", table=PUNTO_BANCO)
    assert bets(house, "anna", PUNTO_BANCO) == {"punto": 5000, "pair-punto": 2000, "egalite": 1000}
    house.says("bea bet sud ovest 20 Süd 30", table=PAIJU)
    assert bets(house, "bea", PAIJU) == {"south-west": 2000, "south": 3000}
    house.says("bea bet 3 Einsatz 20", table=BLACKJACK)
    assert [bet.seat for bet in house.table(BLACKJACK).bets_of(house.player("bea"))] == [3]


def test_an_unknown_bet_is_answered_with_those_that_there_are(house):
    for typed in ("tie 20", "20 tie", "tie", "jackpot 20", "égalités 20"):
        word = next(word for word in typed.split() if not word.isdigit())
        said = house.says(f"anna bet {typed}", table=PUNTO_BANCO)
        assert said == f"There is no bet called “{word}” here. Try punto, banco, égalité, pair-punto, pair-banco."
        assert not bets(house, "anna", PUNTO_BANCO)


def test_what_begins_like_a_number_is_an_amount(house):
    for typed in ("0", "-5", "€50", "1e2", "50!"):
        assert "There is no bet" not in house.says(f"anna bet {typed}", table=PUNTO_BANCO)


@pytest.mark.parametrize("game", PLAYS)
def test_no_two_bets_of_a_game_have_one_name(game):
    spots = GAMES[game].spots
    names = {
        # Numbers are typed as they are: 1-2 is not 12.
        spot: {fold(say_value(Word(spot), language, SPOT)) for language in LANGUAGES} | {fold(spot)}
        for spot in spots
        if has_letters(spot)
    }
    for one, other in itertools.combinations(names, 2):
        assert not names[one] & names[other]


def test_a_game_is_named_as_it_is_shown(house):
    for typed in ("punto banco", '"punto banco"', "Punto-Banco", "PUNTOBANCO"):
        assert "Punto Banco" in house.says(f"anna rules {typed}")
        assert "Punto Banco" in house.says(f"anna paytable {typed}")
        assert "no game" not in house.says(f"anna odds {typed}")
        assert "no game" not in house.says(f"anna learn {typed}")
        assert "Enter a page" not in house.says(f"anna history 1 {typed}")


def test_what_is_behind_a_games_name_is_read_on(house):
    assert house.says("anna rules caribbean stud CS8") == house.says("anna rules caribbean CS8")
    assert house.says("anna learn Caribbean Stud 10").startswith(house.says("anna learn caribbean 10"))


def test_an_unknown_game_is_answered_with_those_that_there_are(house):
    said = house.says("anna rules bingo")
    assert said.startswith("There is no game called “bingo” here. Try ")
    assert "Punto Banco" in said


def test_on_and_off_are_said_in_any_language(house):
    for typed, is_on in {"an": True, "SI": True, "sì": True, "on": True, "Aus": False}.items():
        assert ("not mentioned" not in house.says(f"anna mentions {typed}")) == is_on


def test_the_longest_name_is_taken(house):
    assert take_word(("pair", "punto", "20"), 0, ("punto", "pair-punto"), SPOT) == ("pair-punto", 2)
    assert take_word(("20",), 0, ("punto",), SPOT) == (None, 0)
    assert find_word("-", ("punto",), SPOT) is None
