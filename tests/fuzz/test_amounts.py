"""Amounts as people type them, in every alphabet: a whole number above nothing, or one refusal."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.floor.amounts import LARGEST, parse_amount, parse_count
from bot.floor.command import Refused
from bot.texts import LANGUAGES, say
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


@examples(400)
@given(odd_texts | digits, st.sampled_from(sorted(LANGUAGES)), circumstances)
def test_an_amount_is_a_whole_number_or_refused(text: str, language: str, known: dict[str, int]) -> None:
    check(text, language, known)


@pytest.mark.slow
@pytest.mark.timeout(600)
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


@examples(200)
@given(odd_texts | digits, st.integers(0, 5), st.integers(5, 100))
def test_a_count_is_within_its_bounds_or_none(text: str, least: int, most: int) -> None:
    count: Any = parse_count(text, least, most)
    assert count is None or (type(count) is int and least <= count <= most)
