"""Punto Banco (PB1 to PB11): an explicit deck is dealt punto, banco, punto, banco, then punto's third, then banco's."""

from collections import Counter
from fractions import Fraction
from itertools import product
from math import floor
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import FRENCH
from engine.errors import IllegalDeal, IllegalMove
from engine.events import Paid
from engine.felt import Deal, Move, Stake
from engine.games.puntobanco import AREAS, GAME, MOST_CARDS, PuntoBancoOptions, banco_draws, count, net_odds
from engine.games.puntobanco_odds import count_odds, edges
from engine.hand import Hand, check_deal
from engine.quick import play as play_quickly
from engine.record import play_record
from engine.simulation import only_bet


def hand_of(deck: str, *bets: dict[str, int], **options: Any) -> Hand:
    stakes = tuple(Stake(seat, f"p{seat}", one) for seat, one in enumerate(bets or ({"punto": 1000},), start=1))
    deal = Deal("puntobanco", GAME.parse_options(options), stakes, tuple(deck.split()))
    check_deal(deal)
    return Hand(deal)


def returned(deck: str, bets: dict[str, int], **options: Any) -> dict[str, int]:
    return hand_of(deck, bets, **options).returned()["1"]


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Generate any cards of the shoe, one to four players, any areas with any bets down to one minor unit."""
    options = PuntoBancoOptions(
        minimum=1,
        step=1,
        decks=draw(st.sampled_from((6, 8))),
        commission=draw(st.integers(0, 10000)),
        egalite_pays=draw(st.sampled_from((8, 9))),
    )
    deck = Random(draw(st.integers(0, 2**32))).sample(GAME.full_deck(options), MOST_CARDS)
    bets = st.dictionaries(st.sampled_from(AREAS), st.integers(1, 50000), min_size=1)
    laid = draw(st.lists(bets, min_size=1, max_size=4))
    stakes = tuple(Stake(seat, f"p{seat}", one) for seat, one in enumerate(laid, start=1))
    deal = Deal("puntobanco", options, stakes, tuple(deck))
    check_deal(deal)
    return deal


def dealt(deck: str) -> tuple[str, str]:
    cards = hand_of(deck).cards(None)
    return " ".join(cards["punto"]), " ".join(cards["banco"])


def test_PB1_an_ace_counts_one_two_to_nine_their_number_and_the_rest_nothing() -> None:
    assert [count([f"{rank}s"]) for rank in "A23456789TJQK"] == [1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0]
    assert count(["9s", "7d", "5c"]) == 1


@pytest.mark.parametrize("decks", [6, 8])
def test_PB1_a_shoe_has_six_decks_or_eight(decks: int) -> None:
    assert GAME.full_deck(PuntoBancoOptions(decks=decks)) == FRENCH * decks


def test_PB1_a_shoe_goes_on_by_its_penetration_as_long_as_a_hand_has_cards() -> None:
    assert GAME.shoe is not None
    assert GAME.shoe.clause == "PB1"
    assert not GAME.shoe.serves(PuntoBancoOptions(), 312, 0)
    half = PuntoBancoOptions(penetration=5000)
    assert [GAME.shoe.serves(half, 312, gone) for gone in (0, 155, 156)] == [True, True, False]


@pytest.mark.parametrize(
    ("options", "clause"),
    [({"decks": 7}, "PB1"), ({"penetration": 7501}, "PB1"), ({"commission": 10001}, "PB8"),
     ({"egalite_pays": 10}, "PB8"), ({"minimum": 50}, "G5")],
)  # fmt: skip
def test_options_that_cannot_be_are_refused(options: dict[str, int], clause: str) -> None:
    with pytest.raises(IllegalDeal) as refused:
        GAME.parse_options(options)
    assert refused.value.clause == clause


def test_PB2_any_number_of_areas_and_a_side_bet_alone() -> None:
    for area in AREAS:
        assert hand_of("2s 3s 4s 5s 6s 7s", {area: 500}).is_over
    assert hand_of("2s 3s 4s 5s 6s 7s", dict.fromkeys(AREAS, 500)).is_over


@pytest.mark.parametrize(
    ("bets", "clause"),
    [({}, "PB2"), ({"punto": 400}, "G5"), ({"pair-banco": 550}, "G5"), ({"egalite": 50100}, "G5")],
)
def test_PB2_minimum_step_and_maximum_hold_for_each_area(bets: dict[str, int], clause: str) -> None:
    with pytest.raises(IllegalDeal) as refused:
        hand_of("2s 3s 4s 5s 6s 7s", bets)
    assert refused.value.clause == clause


def test_nobody_is_asked_and_any_move_is_refused() -> None:
    hand = hand_of("2s 3s 4s 5s 6s 7s")
    assert not hand.asks
    for move in (Move("1", "hit"), Move("1", "timeout"), Move("", "void")):
        with pytest.raises(IllegalMove):
            hand.play(move)


@pytest.mark.parametrize(
    ("deck", "punto", "banco"),
    [
        ("8s 2s Ts 3s 5s 5c", "8s Ts", "2s 3s"),  # PB4: punto's natural
        ("2s 9s 3s Ts 5s 5c", "2s 3s", "9s Ts"),  # PB4: banco's natural, though punto has 5
        ("5s 2s Ts 3s 9s 5c", "5s Ts 9s", "2s 3s"),  # PB5: punto draws with 5; PB7: a 9 leaves banco with 5
        ("6s 2s Ts 3s 9s 5c", "6s Ts", "2s 3s 9s"),  # PB6: punto stands with 6, banco draws with 5
        ("7s 6s Ts Ks 9s 5c", "7s Ts", "6s Ks"),  # PB6: banco stands with 6
        ("2s 3s Ts Ks 8s 5c", "2s Ts 8s", "3s Ks"),  # PB7: 3 against an 8
        ("2s 3s Ts Ks 9s 5c", "2s Ts 9s", "3s Ks 5c"),
        ("2s 6s Ts Ks 7s 5c", "2s Ts 7s", "6s Ks 5c"),
    ],
)
def test_PB4_to_PB7_in_the_order_of_the_deal(deck: str, punto: str, banco: str) -> None:
    assert dealt(deck) == (punto, banco)


def test_PB7_banco_draws_by_its_count_and_puntos_third_card() -> None:
    draws = {3: "012345679", 4: "234567", 5: "4567", 6: "67", 7: ""}
    for banco, third in product(range(8), range(10)):
        assert banco_draws(banco, third) is (banco < 3 or str(third) in draws[banco])
    assert [banco_draws(banco, None) for banco in range(8)] == [True] * 6 + [False] * 2


def test_PB8_punto_pays_even_money_and_banco_less_the_commission_rounded_down_for_each_bet() -> None:
    assert returned("9s 2s Ts 3s", {"punto": 500, "banco": 700, "egalite": 500}) == {
        "punto": 1000, "banco": 0, "egalite": 0}  # fmt: skip
    assert returned("2s 9s 3s Ts", {"punto": 500, "banco": 1900}) == {"punto": 0, "banco": 1900 + 1805}
    assert returned("2s 9s 3s Ts", {"banco": 19}, minimum=1, step=1) == {"banco": 19 + 18}
    two = hand_of("2s 9s 3s Ts", {"banco": 19}, {"banco": 19}, minimum=1, step=1)
    assert two.returned() == {"1": {"banco": 37}, "2": {"banco": 37}}


@pytest.mark.parametrize(("commission", "wins"), [(0, 1000), (1, 999), (400, 960), (9999, 0), (10000, 0)])
def test_PB8_the_commission_is_an_option(commission: int, wins: int) -> None:
    assert returned("2s 9s 3s Ts", {"banco": 1000}, commission=commission) == {"banco": 1000 + wins}


def test_PB8_what_banco_pays_is_told_in_whole_numbers() -> None:
    assert [net_odds(commission) for commission in (0, 500, 10000)] == [(1, 1), (19, 20), (0, 1)]


@pytest.mark.parametrize("pays", [8, 9])
def test_PB8_at_egalite_punto_and_banco_come_back(pays: int) -> None:
    bets = {"punto": 500, "banco": 700, "egalite": 600}
    assert returned("7s 7d Ts Ks", bets, egalite_pays=pays) == {
        "punto": 500, "banco": 700, "egalite": 600 * (pays + 1)}  # fmt: skip


@pytest.mark.parametrize(
    ("deck", "punto", "banco"),
    [("4s 9s 4d Ts", 6000, 0), ("Ks 9s Qs 9d", 0, 6000), ("4s 9s 4s 9s", 6000, 6000), ("2s 9s 3s Ts 2d 9d", 0, 0)],
)
def test_PB9_a_pair_is_of_one_rank_and_pays_whatever_the_result(deck: str, punto: int, banco: int) -> None:
    assert returned(deck, {"pair-punto": 500, "pair-banco": 500}) == {"pair-punto": punto, "pair-banco": banco}


def test_PB11_losing_areas_first_then_pairs_egalite_banco_punto_and_rising_seats_within() -> None:
    every = dict.fromkeys(AREAS, 500)
    hand = hand_of("9s 2s 9d 2d", every, every)
    paid = [(event.spot, event.seat) for event in hand.events if isinstance(event, Paid)]
    assert paid == [(area, seat) for area in ("egalite", "banco", "pair-punto", "pair-banco", "punto") for seat in "12"]
    hand = hand_of("7s 7d Ts Td", every)
    assert [event.spot for event in hand.events if isinstance(event, Paid)] == [
        "pair-punto", "pair-banco", "egalite", "banco", "punto"]  # fmt: skip


def test_the_facts_have_the_cards_as_dealt_their_counts_and_who_won() -> None:
    record = {"game": "puntobanco", "deck": "2s 3s Ts Ks 9s 5c".split(), "moves": [],
              "stakes": [{"seat": 4, "player": "anna", "bets": {"punto": 500}}]}  # fmt: skip
    answer = play_record(record)
    assert answer["facts"] == {
        "punto": {"cards": ["2s", "Ts", "9s"], "count": 1},
        "banco": {"cards": ["3s", "Ks", "5c"], "count": 8},
        "natural": False,
        "winner": "banco",
    }
    assert hand_of("9s 3s Ts 5s").facts["natural"] is True
    assert play_record({**record, "moves": ["4 timeout"]})["refused"]


def test_every_deal_is_counted() -> None:
    odds = count_odds(PuntoBancoOptions(decks=8))
    assert {area: round(float(one["edge"]), 6) for area, one in odds.items()} == {
        "punto": 0.012351, "banco": 0.010579, "egalite": 0.143596, "pair": 0.103614}  # fmt: skip
    assert round(float(odds["banco"]["win"]), 6) == 0.458597


@pytest.mark.long
@given(deals())
@settings(max_examples=300, deadline=None)
def test_what_comes_back_is_what_the_page_says_worked_out_another_way(deal: Deal) -> None:
    """The returns follow once more from PB1 to PB9, the facts of the cards and plain fractions."""
    hand = Hand(deal)
    punto, banco = (hand.facts[to]["cards"] for to in ("punto", "banco"))
    assert [card for pair in zip(punto[:2], banco[:2], strict=True) for card in pair] == list(deal.deck[:4])
    assert [*punto[2:], *banco[2:]] == list(deal.deck[4 : len(punto) + len(banco)])
    totals = [sum("A23456789".find(card[0]) + 1 for card in cards) % 10 for cards in (punto, banco)]
    assert totals == [hand.facts["punto"]["count"], hand.facts["banco"]["count"]]
    winner = "egalite" if totals[0] == totals[1] else "punto" if totals[0] > totals[1] else "banco"
    assert hand.facts["winner"] == winner
    options: Any = deal.options
    pays = {
        "punto": Fraction(winner == "punto"),
        "banco": Fraction(10000 - options.commission, 10000) if winner == "banco" else Fraction(0),
        "egalite": Fraction(options.egalite_pays * (winner == "egalite")),
        "pair-punto": Fraction(11 * (punto[0][0] == punto[1][0])),
        "pair-banco": Fraction(11 * (banco[0][0] == banco[1][0])),
    }
    stays = {winner, *(("punto", "banco") if winner == "egalite" else ())}
    stays |= {area for area in ("pair-punto", "pair-banco") if pays[area]}
    back = hand.returned()
    for stake in deal.stakes:
        for area, bet in stake.bets.items():
            assert back[str(stake.seat)][area] == (bet + floor(bet * pays[area]) if area in stays else 0)


@pytest.mark.long
@given(deals())
@settings(max_examples=100, deadline=None)
def test_every_bet_is_paid_once_and_every_card_lies_open(deal: Deal) -> None:
    hand = Hand(deal)
    paid = [(event.seat, event.spot) for event in hand.events if isinstance(event, Paid)]
    assert sorted(paid) == sorted((str(stake.seat), area) for stake in deal.stakes for area in stake.bets)
    assert hand.cards(None) == {to: hand.facts[to]["cards"] for to in ("punto", "banco")}
    assert hand.is_over


# The house edges that every book gives, for six and for eight decks.
@pytest.mark.parametrize(
    ("options", "published"),
    [
        ({"decks": 6}, {"punto": 1.2374, "banco": 1.0558, "egalite": 14.4382, "pair": 11.2540}),
        ({"decks": 8}, {"punto": 1.2351, "banco": 1.0579, "egalite": 14.3596, "pair": 10.3614}),
        ({"decks": 8, "egalite_pays": 9}, {"egalite": 4.8440}),
        ({"decks": 8, "commission": 400}, {"banco": 0.5993}),
    ],
)
def test_the_edges_are_those_that_are_published(options: dict[str, Any], published: dict[str, float]) -> None:
    odds = count_odds(PuntoBancoOptions(**options))
    assert {area: round(100 * float(odds[area]["edge"]), 4) for area in published} == published


@pytest.mark.parametrize("commission", [0, 1, 500, 9999, 10000])
def test_PB8_bancos_edge_is_what_it_loses_less_what_it_wins_without_the_commission(commission: int) -> None:
    """A commission of the whole win leaves the bet unchanged: it comes back, and is not lost."""
    options = PuntoBancoOptions(commission=commission)
    wins = {area: count_odds(options)[area]["win"] for area in ("punto", "banco")}
    banco = edges(options, None)["banco"]
    assert banco.exact == wins["punto"] - wins["banco"] * Fraction(10000 - commission, 10000)
    assert banco.lose == float(wins["punto"])
    assert banco.push == float(1 - sum(wins.values()) + (wins["banco"] if commission == 10000 else 0))
    assert sum((banco.outcomes or {}).values()) == 1


@pytest.mark.long
def test_rounds_dealt_at_random_come_out_as_they_are_counted() -> None:
    """The script and the count share only the drawing rules: 40,000 rounds, five standard errors."""
    random, seen, rounds = Random(7), Counter[str](), 40_000
    options = PuntoBancoOptions()
    full, stakes = GAME.full_deck(options), (Stake(1, "anna", {"punto": 500}),)
    for _ in range(rounds):
        deal = Deal("puntobanco", options, stakes, tuple(random.sample(full, MOST_CARDS)))
        seen[play_quickly(deal, only_bet).facts["winner"]] += 1
    for area in ("punto", "banco", "egalite"):
        chance = float(count_odds(options)[area]["win"])
        assert abs(seen[area] / rounds - chance) < 5 * (chance * (1 - chance) / rounds) ** 0.5
