"""The arithmetic of the progressive: coins in, prizes out, restart (CS17 to CS21)."""

from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import IllegalDeal
from engine.felt import Settlement
from engine.jackpot import check_meter, contribution_of, prize_of, settle
from engine.poker import rank

DEFAULTS: Mapping[str, Any] = {
    "coin": 100,
    "contribution": 9000,
    "fixed": {"four": 50000, "full": 10000, "flush": 5000},
    "reset": 1000000,
}


def settle_with(meter: int, coins: int, **winners: str) -> Settlement:
    """Settle with `one="royal flush"`: seats are named by words here."""
    return settle(meter, coins, winners, **DEFAULTS)


def test_CS18_the_meter_grows_by_the_contribution_of_each_coin() -> None:
    assert settle_with(1000000, 3) == Settlement(coins=270, prizes={}, from_bank=0, meter=1000270)


def test_CS18_fractions_of_a_contribution_are_the_banks() -> None:
    assert contribution_of(5, 9000) == 4
    assert contribution_of(100, 9999) == 99
    assert contribution_of(100, 10000) == 100
    assert contribution_of(100, 0) == 0


@pytest.mark.parametrize(
    ("prize", "amount"), [("four of a kind", 50000), ("full house", 10000), ("flush", 5000), ("straight flush", 100009)]
)
def test_CS19_a_prize_is_a_fixed_amount_or_a_tenth_of_the_meter(prize: str, amount: int) -> None:
    settled = settle_with(1000000, 1, one=prize)
    assert settled == Settlement(90, {"one": amount}, 0, 1000090 - amount)


def test_CS19_CS21_a_royal_takes_the_whole_meter_which_restarts_from_the_bank() -> None:
    assert settle_with(2000000, 1, one="royal flush") == Settlement(90, {"one": 2000090}, 1000000, 1000000)


def test_CS20_this_hands_coins_are_part_of_the_meter_that_counts() -> None:
    assert settle_with(0, 2, one="royal flush").prizes == {"one": 180}


def test_CS20_royals_share_the_meter_equally_and_rounding_stays_with_the_bank_at_the_restart() -> None:
    settled = settle_with(1000001, 0, one="royal flush", two="royal flush")
    assert settled.prizes == {"one": 500000, "two": 500000}
    # One unit is left over in the meter; the bank adds what is missing to the restart.
    assert (settled.from_bank, settled.meter) == (999999, 1000000)


def test_CS20_straight_flushes_share_the_tenth_and_what_rounding_leaves_stays_in_the_meter() -> None:
    settled = settle_with(1000015, 0, one="straight flush", two="straight flush")
    assert settled.prizes == {"one": 50000, "two": 50000}
    assert settled.meter == 900015


def test_CS20_a_royal_and_a_straight_flush_each_get_their_share_of_the_same_meter() -> None:
    settled = settle_with(1000000, 0, one="royal flush", two="straight flush")
    assert settled.prizes == {"one": 1000000, "two": 100000}
    assert (settled.from_bank, settled.meter) == (1100000, 1000000)


def test_CS20_fixed_prizes_are_not_shared() -> None:
    settled = settle_with(1000000, 0, one="flush", two="flush", three="full house")
    assert settled.prizes == {"one": 5000, "two": 5000, "three": 10000}
    assert settled.meter == 980000


def test_CS21_a_meter_that_cannot_cover_pays_all_the_same_and_restarts() -> None:
    settled = settle_with(40000, 1, one="four of a kind")
    assert settled.prizes == {"one": 50000}
    assert (settled.from_bank, settled.meter) == (1000000 + 9910, 1000000)


def test_CS21_a_meter_that_covers_to_the_last_unit_does_not_restart() -> None:
    assert settle_with(50000, 0, one="four of a kind") == Settlement(0, {"one": 50000}, 0, 0)


def test_CS21_a_meter_far_above_its_reset_falls_to_it_after_a_royal() -> None:
    settled = settle_with(900000000, 0, one="royal flush")
    assert (settled.prizes["one"], settled.meter) == (900000000, 1000000)


PRIZES = st.sampled_from(["royal flush", "straight flush", "four of a kind", "full house", "flush"])


@pytest.mark.long
@given(st.integers(0, 10**12), st.integers(0, 7), st.dictionaries(st.sampled_from("1234567"), PRIZES))
def test_CS24_no_unit_comes_from_nowhere(meter: int, coins: int, winners: dict[str, str]) -> None:
    settled = settle(meter, coins, winners, **DEFAULTS)
    assert meter + settled.coins + settled.from_bank == sum(settled.prizes.values()) + settled.meter
    assert settled.meter >= 0
    assert settled.from_bank >= 0
    assert settled.prizes.keys() == winners.keys()


@pytest.mark.parametrize(
    ("cards", "prize"),
    [
        ("As Ks Qs Js Ts", "royal flush"),
        ("Ks Qs Js Ts 9s", "straight flush"),
        ("5s 4s 3s 2s As", "straight flush"),
        ("2s 2d 2h 2c As", "four of a kind"),
        ("2s 2d 2h Ac As", "full house"),
        ("As Js 9s 7s 5s", "flush"),
        ("As Kd Qs Js Ts", None),
        ("As Ad Ah Js Ts", None),
    ],
)
def test_CS19_which_first_five_cards_win(cards: str, prize: str | None) -> None:
    assert prize_of(rank(cards.split())) == prize


def check_defaults(**changed: Any) -> None:
    settings = {**DEFAULTS, **changed}
    check_meter(settings["coin"], settings["fixed"], settings["contribution"])


def test_CS18_the_fixed_prizes_eat_up_about_36_percent_at_the_defaults() -> None:
    check_defaults(contribution=3700)
    with pytest.raises(IllegalDeal, match="cost more") as refused:
        check_defaults(contribution=3600)
    assert refused.value.clause == "CS18"


@pytest.mark.parametrize(
    "changed",
    [
        {"contribution": 0},
        {"contribution": 10001},
        {"fixed": {"four": 500000}},
        {"coin": 1},
        {"coin": 0},
        {"fixed": {"poker": 1}},
        {"fixed": {"four": -1}},
        {"fixed": {"four": True}},
        {"fixed": {"four": 1.5}},
        {"fixed": {"four": "50"}},
    ],
)
def test_CS17_CS18_impossible_meters_are_refused(changed: dict[str, Any]) -> None:
    with pytest.raises(IllegalDeal):
        check_defaults(**changed)
