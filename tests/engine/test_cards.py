"""Words of cards (G1), and the check before every deal (G6)."""

import pytest

from engine.cards import FRENCH, PAIJU, check_deck
from engine.errors import IllegalDeal


def test_G1_a_french_deck_is_52_words_of_rank_and_suit() -> None:
    assert len(set(FRENCH)) == 52
    assert {card[0] for card in FRENCH} == set("23456789TJQKA")
    assert {card[1] for card in FRENCH} == set("shdc")


def test_the_written_order_is_clubs_diamonds_hearts_spades_from_two_to_ace() -> None:
    assert " ".join(FRENCH[:13]) == "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc Ac"
    assert [card[1] for card in FRENCH[::13]] == list("cdhs")


def test_PJ1_paiju_has_32_cards_the_joker_and_one_three() -> None:
    assert len(set(PAIJU)) == 32
    assert PAIJU[:2] == ("JK", "3d")
    assert set(PAIJU[1:]) < set(FRENCH)


@pytest.mark.parametrize("deck", [(), ("As",), FRENCH, FRENCH[::-1]])
def test_G6_the_green_light_lets_any_order_and_a_short_deck_pass(deck: tuple[str, ...]) -> None:
    check_deck(deck, FRENCH)


def test_G6_a_shoe_holds_each_card_once_for_every_deck() -> None:
    check_deck(("As", "As"), FRENCH * 2)
    with pytest.raises(IllegalDeal, match="As is in the deck more often"):
        check_deck(("As", "As", "As"), FRENCH * 2)


@pytest.mark.parametrize("card", ["JK", "1s", "as", "AS", "sA", "10s", "", "A", "??"])
def test_G1_a_card_foreign_to_the_game_is_refused_by_name(card: str) -> None:
    with pytest.raises(IllegalDeal, match="is not a card of this game") as refused:
        check_deck(("2c", card), FRENCH)
    assert refused.value.clause == "G1"
