"""Amounts as people type them."""

import pytest

from bot.core.commands.amounts import parse_amount, parse_count, parse_share
from bot.core.commands.command import Refused


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
        ("1,500", "en", 150_000),
        ("1,500", "de", 150),
        ("1.500", "de", 150_000),
        ("1500", "de", 150_000),
        ("1.5", "de", 150),
        ("1,5k", "de", 150_000),
        ("1.234.567,89", "de", 123_456_789),
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
    ],
)
def test_what_is_no_amount_is_refused_with_an_example(text):
    with pytest.raises(Refused, match="Enter an amount like"):
        parse_amount(text, "en")


@pytest.mark.parametrize("text", ["all", "all-in", "allin", "All in", "ALL-IN"])
def test_all_in_is_an_amount_however_it_is_written(text, house):
    assert parse_amount(text, "en", wallet=5000) == 5000
    said = house.do(f"anna bet {text}")
    assert not said.refused
    assert house.do("bea balance")
    assert not house.do(f"bea give anna {text}").refused
    assert house.says("bea balance") == "You have 0 chips."


@pytest.mark.parametrize("text", ["10,000,000,000.01", "10000001k", "999999999999", "999999999999k"])
def test_more_than_ten_billion_chips_are_not_named(text):
    assert parse_amount("10000000000", "en") == 10**12
    with pytest.raises(Refused, match="The largest amount"):
        parse_amount(text, "en")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("1.000", "en"),
        ("1,000", "it"),
        ("1,000.000", "en"),
        ("1000,000", "en"),
        ("1.000k", "en"),
        ("1,000", "de"),
        ("1,234", "de"),
        ("1.50.000", "de"),
        ("1.000.50", "de"),
        ("12.34,5", "de"),
    ],
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
        ("alles", 97500),
        ("half", 48500),
        ("metà", 48500),
        ("halb", 48500),
        ("Hälfte", 48500),
        ("max", 97500),
        ("min", 1000),
        ("x2", 3000),
    ],
)
def test_words_lean_on_the_wallet_and_the_limits_and_are_fitted_down_to_the_step(word, amount):
    assert parse_amount(word, "en", wallet=97_890, least=1000, most=100_000, step=500, now=3000) == amount


def test_words_that_lead_to_nothing_are_refused():
    with pytest.raises(Refused, match="have enough"):
        parse_amount("all", "en", wallet=400, step=500)
    with pytest.raises(Refused, match="nothing to double"):
        parse_amount("x2", "en")


@pytest.mark.parametrize("text", ["0", "8", "-1", "1.0", "", "²", "9" * 5000, "a"])
def test_a_count_is_a_small_whole_number_or_none(text):
    assert parse_count(text, 1, 7) is None
    assert parse_count("7", 1, 7) == 7


@pytest.mark.parametrize(
    ("text", "points"),
    [
        ("50%", 5000),
        ("50 %", 5000),
        ("50", 5000),
        ("5000", 5000),
        ("100", 10_000),
        ("101", 101),
        ("0", 0),
        ("2.5%", 250),
        ("2,5 %", 250),
        ("2.5", 250),
        ("0.05%", 5),
        ("250%", 25_000),
    ],
)
def test_a_share_is_percent_or_basis_points(text, points):
    assert parse_share(text) == points


@pytest.mark.parametrize("text", ["", "%", "abc", "-5%", "1.234%", "1,234", "²", "9" * 5000, "5%%", "1k"])
def test_what_is_no_share_is_none(text):
    assert parse_share(text) is None
