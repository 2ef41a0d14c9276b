"""Typed amounts in every alphabet: a positive integer, or one refusal."""

from contextlib import suppress
from typing import Any

import pytest
from babel import Locale
from babel.localedata import locale_identifiers
from babel.numbers import get_decimal_symbol
from hypothesis import given
from hypothesis import strategies as st

from bot.core.commands.amounts import LARGEST, parse_amount, parse_count
from bot.core.commands.command import Refused
from bot.core.commands.options import parse_option
from bot.texts import LANGUAGES, say, say_amount
from bot.texts.numbers import Ambiguous, read_amount, write_amount
from bot.texts.options import Chips
from tests.fuzz import examples
from tests.fuzz.odd import odd_texts

digits = st.text(alphabet="0123456789.,kK x-+eE_ ٣５²\u202e\n", max_size=14)
circumstances = st.fixed_dictionaries(
    {
        "wallet": st.integers(0, 10**9),
        "least": st.integers(0, 10**6),
        "most": st.integers(0, 10**9),
        "step": st.integers(1, 10**5),
        "now": st.integers(0, 10**9),
    }
)


def check(text: str, language: str, known: dict[str, int]) -> int | None:
    try:
        amount = parse_amount(text, language, **known)
    except Refused as refused:
        said = [say(refused.text, one) for one in LANGUAGES]
    else:
        assert type(amount) is int
        assert 0 < amount <= max([LARGEST, *known.values()])
        return amount
    assert all(sentence.endswith(".") for sentence in said)
    return None


@pytest.mark.slow
@examples(400)
@given(odd_texts | digits, st.sampled_from(sorted(LANGUAGES)), circumstances)
def test_an_amount_is_a_whole_number_or_refused(text: str, language: str, known: dict[str, int]) -> None:
    check(text, language, known)


@pytest.mark.exhaustive
@examples(2000)
@given(odd_texts | digits, st.sampled_from(sorted(LANGUAGES)), circumstances)
def test_many_amounts_are_whole_numbers_or_refused(text: str, language: str, known: dict[str, int]) -> None:
    check(text, language, known)


@examples(200)
@given(st.integers(1, LARGEST - 1), st.sampled_from(sorted(LANGUAGES)))
def test_what_is_written_plainly_is_read_exactly(amount: int, language: str) -> None:
    whole, cents = divmod(amount, 100)
    for point in ".,":
        text = f"{whole}{point}{cents:02}"
        assert check(text, language, {}) == amount
    assert check(str(whole), language, {}) == (whole * 100 or None)


@examples(300)
@given(st.integers(1, LARGEST), st.sampled_from(sorted(LANGUAGES)))
def test_what_the_house_says_it_reads_again(amount: int, language: str) -> None:
    said = say_amount(amount, language)
    assert parse_amount(said, language) == amount
    assert parse_option("", Chips(), said, language) == amount


locales = st.sampled_from(sorted(locale_identifiers())).map(Locale.parse)


@examples(300)
@given(st.integers(0, LARGEST), locales)
def test_every_locale_there_is_writes_amounts_that_it_reads(amount: int, locale: Locale) -> None:
    assert read_amount(write_amount(amount, locale), locale) == amount


@examples(300)
@given(st.integers(0, LARGEST // 100), st.integers(0, 99), locales)
def test_without_groups_an_amount_is_read_by_the_locales_own_point(whole: int, cents: int, locale: Locale) -> None:
    assert read_amount(str(whole), locale) == whole * 100
    assert read_amount(f"{whole}{get_decimal_symbol(locale)}{cents:02}", locale) == whole * 100 + cents


@examples(300)
@given(odd_texts | digits, locales)
def test_what_is_read_by_a_locale_is_whole_or_none_or_ambiguous(text: str, locale: Locale) -> None:
    with suppress(Ambiguous):
        amount = read_amount(text, locale)
        assert amount is None or (type(amount) is int and amount >= 0)


@examples(200)
@given(odd_texts | digits, st.integers(0, 5), st.integers(5, 100))
def test_a_count_is_within_its_bounds_or_none(text: str, least: int, most: int) -> None:
    count: Any = parse_count(text, least, most)
    assert count is None or (type(count) is int and least <= count <= most)
