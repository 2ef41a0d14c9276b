"""`ridotto edges`: the cost of each bet as JSON, and refusals."""

from fractions import Fraction
from typing import Any

import pytest

from bot.cli.edges import count_edges
from engine.errors import IllegalDeal
from engine.games import GAMES, ODDS

EVERY_GAME = pytest.mark.parametrize("game", ODDS)


@EVERY_GAME
def test_it_is_the_game_its_options_in_force_and_its_bets(game: str) -> None:
    answer = count_edges(game)
    assert list(answer)[:3] == ["game", "options", "bets"]
    assert (answer["game"], answer["options"]) == (game, vars(GAMES[game].options()))


@EVERY_GAME
def test_every_bet_has_an_edge_or_says_why_not(game: str) -> None:
    for bet in count_edges(game)["bets"].values():
        assert list(bet)[:6] == ["edge", "exact", "strategy", "win", "push", "lose"]
        assert bet["strategy"]
        if bet["edge"] is None:
            assert bet["why"]
        else:
            assert "why" not in bet


@EVERY_GAME
def test_what_is_exact_is_a_fraction_and_shares_sum_to_one(game: str) -> None:
    for bet in count_edges(game)["bets"].values():
        if bet["exact"]:
            assert bet["exact"].count("/") == 1
            assert float(Fraction(bet["exact"])) == bet["edge"]
        if bet["win"] is not None:
            assert bet["win"] + bet["push"] + bet["lose"] == pytest.approx(1)


@pytest.mark.parametrize(
    ("game", "options", "meter", "refusal"),
    [
        ("bingo", {}, None, "no odds for a game bingo.*puntobanco"),
        ("puntobanco", {"seats": 3}, None, "puntobanco has no option seats"),
        ("puntobanco", {"decks": 7}, None, "6 or 8 decks"),
        ("puntobanco", {"decks": "6"}, None, "wrong type"),
        ("puntobanco", {}, 5, "puntobanco has no jackpot"),
    ],
)
def test_what_cannot_be_counted_is_refused(game: str, options: dict[str, Any], meter: int | None, refusal: str) -> None:
    with pytest.raises(IllegalDeal, match=refusal):
        count_edges(game, options, meter)


# What every book gives of six decks and of eight (eight: `tests/engine/test_puntobanco.py`, with the other options).
@pytest.mark.parametrize(
    ("decks", "edges"),
    [
        (6, {"punto": 1.2374, "banco": 1.0558, "egalite": 14.4382, "pair-punto": 11.2540, "pair-banco": 11.2540}),
        (8, {"punto": 1.2351, "banco": 1.0579, "egalite": 14.3596, "pair-punto": 10.3614, "pair-banco": 10.3614}),
    ],
)
def test_PB8_each_area_has_its_published_edge(decks: int, edges: dict[str, float]) -> None:
    bets = count_edges("puntobanco", {"decks": decks})["bets"]
    assert {name: round(100 * bet["edge"], 4) for name, bet in bets.items()} == edges


def test_PB8_ties_come_back_to_punto_and_banco_alone() -> None:
    bets = count_edges("puntobanco")["bets"]
    assert bets["punto"]["push"] == bets["banco"]["push"] == bets["egalite"]["win"]
    assert bets["egalite"]["push"] == bets["pair-punto"]["push"] == 0


def test_PJ11_the_two_kinds_of_areas_cost_the_same() -> None:
    bets = count_edges("paiju", {"minimum": 300})["bets"]
    assert {name: bet["exact"] for name, bet in bets.items()} == {"area": "523/35960", "cavallo": "523/35960"}
