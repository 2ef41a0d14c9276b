"""RFC 8785 for the few values that have a form, and a reader that accepts nothing else."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.core.state import casino_log
from engine.fairness import canonical
from engine.fairness.canonical import DEEPEST, LARGEST, Unreadable, digest, encode, encode_known, parse
from engine.felt import Amount, Word
from tests.engine.fairness.vectors import REFUSED

texts = st.text(st.characters(exclude_categories=["Cs"]))
values = st.recursive(
    st.booleans() | st.integers(-LARGEST, LARGEST) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=12,
)


def test_RFC_8785_3_2_3_keys_stand_by_utf_16_code_units() -> None:
    """The RFC's sample, with values that have a form here."""
    given = {"\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\U0001f600": 5, "\u0080": 6, "\u00f6": 7}
    order = [2, 4, 6, 7, 1, 5, 3]
    assert list(json.loads(encode(given)).values()) == order


def test_RFC_8785_3_2_2_2_strings() -> None:
    text = '\u20ac$\u000f\nA\'B"\\\\"/\u007f'
    assert encode(text).decode() == '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/\u007f"'


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ({}, "{}"),
        ([], "[]"),
        (True, "true"),
        (-0, "0"),
        (LARGEST, "9007199254740991"),
        ({"b": [1, {"d": 2, "c": ""}], "a": False}, '{"a":false,"b":[1,{"c":"","d":2}]}'),
        (("a", "b"), '["a","b"]'),
    ],
)
def test_the_form_of_a_value(value: Any, text: str) -> None:
    assert encode(value) == text.encode()


@pytest.mark.parametrize("value", [None, 1.0, 2**53, -(2**53), "\ud800", {"\udfff": 1}, {1: 2}, [None], b"x", {1}])
def test_nothing_else_has_a_form(value: Any) -> None:
    with pytest.raises(Unreadable):
        encode(value)


@pytest.mark.parametrize("text", REFUSED)
def test_what_has_no_form_is_not_read(text: str) -> None:
    for data in (text, text.encode(), b"\xef\xbb\xbf" + text.encode()):
        with pytest.raises(Unreadable) as refused:
            parse(data)
        assert "\n" not in str(refused.value)


@pytest.mark.parametrize("depth", [DEEPEST + 1, 500, 200_000])
def test_what_is_nested_too_deep_is_not_read(depth: int) -> None:
    for text in ("[" * depth, "[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth):
        with pytest.raises(Unreadable):
            parse(text)
    assert parse("[" * DEEPEST + "]" * DEEPEST)


def test_a_long_number_costs_nothing() -> None:
    with pytest.raises(Unreadable, match="2\\^53"):
        parse("9" * 1_000_000)


@pytest.mark.long
@settings(deadline=None)
@given(values)
def test_what_is_written_is_read_and_written_again(value: Any) -> None:
    data = encode(value)
    assert parse(data) == value
    assert encode(parse(json.dumps(value))) == data
    assert len(digest(value)) == 64


@pytest.mark.long
@settings(deadline=None)
@given(values)
def test_the_quick_writer_of_a_house_writes_the_same_bytes(value: Any) -> None:
    """Both writers agree for any keys and texts; strangers verify with the standard library's."""
    with_a_house = encode_known(value)
    assert canonical._write_sorted is casino_log.WRITER
    try:
        canonical.write_with(canonical._write_plainly)
        assert encode_known(value) == with_a_house
    finally:
        canonical.write_with(casino_log.WRITER)


def test_amounts_and_words_of_the_rules_are_written_as_what_they_are() -> None:
    assert encode_known({"spot": Word("ante"), "stake": [Amount(1000), True]}) == b'{"spot":"ante","stake":[1000,true]}'


@pytest.mark.long
@settings(deadline=None)
@given(values, values)
def test_two_values_have_one_form_only_where_they_are_the_same(one: Any, other: Any) -> None:
    # To Python 1 and true are equal; in JSON they are not.
    assert (encode(one) == encode(other)) == (repr(sort(one)) == repr(sort(other)))


def sort(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: sort(value[key]) for key in sorted(value)}
    return [sort(one) for one in value] if isinstance(value, list) else value


@settings(deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    try:
        value = parse(data)
    except Unreadable:
        return
    assert parse(encode(value)) == value
