"""Amounts as people type them."""

import pytest

from bot.floor.amounts import parse_amount, parse_count
from bot.floor.command import Refused


@pytest.mark.parametrize(
    ("text", "language", "amount"),
    [
        ("50", "en", 5000),
        ("2.5", "en", 250),
        ("2,5", "it", 250),
        ("2.50", "it", 250),
        ("0.01", "en", 1),
        ("1k", "en", 100_000),
        ("1.5k", "en", 150_000),
        ("1K", "en", 100_000),
        ("1,000", "en", 100_000),
        ("1.000", "it", 100_000),
        ("1,234,567", "en", 123_456_700),
        ("1,000.50", "en", 100_050),
        (" 50 ", "en", 5000),
    ],
)
def test_amounts_are_typed_as_people_type_them(text, language, amount):
    assert parse_amount(text, language) == amount


@pytest.mark.parametrize(
    "text",
    [
        "",
        "0",
        "0.00",
        "-5",
        "+5",
        "abc",
        "1e9",
        "1.2345",
        "∞",
        "٣",
        "²",
        "1 000",
        "0x10",
        "NaN",
        "1" * 40,
        "9" * 5000,
        "1" + ",000" * 2000,
        "1.5.5",
        "1k5",
        ".5",
        "5.",
        "1_000",
        "5€",
        "999999999999k",
    ],
)
def test_what_is_no_amount_is_refused_with_an_example(text):
    with pytest.raises(Refused, match="Write it like"):
        parse_amount(text, "en")


@pytest.mark.parametrize(
    ("text", "language"), [("1.000", "en"), ("1,000", "it"), ("1,000.000", "en"), ("1000,000", "en"), ("1.000k", "en")]
)
def test_what_could_be_two_amounts_is_never_guessed(text, language):
    with pytest.raises(Refused, match="two different amounts"):
        parse_amount(text, language)


@pytest.mark.parametrize(
    ("word", "amount"),
    [
        ("all", 97500),
        ("ALL", 97500),
        ("tutto", 97500),
        ("half", 48500),
        ("metà", 48500),
        ("max", 97500),
        ("min", 1000),
        ("x2", 3000),
    ],
)
def test_words_lean_on_the_wallet_and_the_limits_and_are_fitted_down_to_the_step(word, amount):
    assert parse_amount(word, "en", wallet=97_890, least=1000, most=100_000, step=500, now=3000) == amount


def test_words_that_lead_to_nothing_are_refused():
    with pytest.raises(Refused, match="do not reach"):
        parse_amount("all", "en", wallet=400, step=500)
    with pytest.raises(Refused, match="nothing to double"):
        parse_amount("x2", "en")


@pytest.mark.parametrize("text", ["0", "8", "-1", "1.0", "", "²", "9" * 5000, "a"])
def test_a_count_is_a_small_whole_number_or_none(text):
    assert parse_count(text, 1, 7) is None
    assert parse_count("7", 1, 7) == 7
