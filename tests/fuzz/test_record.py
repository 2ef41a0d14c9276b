"""The hand record: any content is played or refused with one sentence, at once, and always the same."""

import copy
import json
import re
import time
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.__main__ import parse_json
from bot.cli.game_checks.random_hands import play_at_random
from bot.core.state.plays import PLAYS
from engine.errors import Illegal
from engine.hand import Hand
from engine.record import parse_record, play_record, write_record
from tests.engine.conformance import random_deal
from tests.fuzz import examples
from tests.fuzz.odd import mutated, odd_texts, odd_values

# CPU time of this thread only; a hand takes a few milliseconds.
LONGEST_S = 10.0
PARTS = ("rules", "commit", "options", "deck", "dice", "seed", "start", "jackpot", "stakes", "moves")
_CLAUSE = re.compile(r"(G|[A-Z]{2})[0-9]{1,2}")


def check(record: Any) -> dict[str, Any]:
    began = time.thread_time()
    answer = play_record(copy.deepcopy(record))
    assert time.thread_time() - began < LONGEST_S
    said = json.dumps(answer)
    assert json.dumps(play_record(copy.deepcopy(record))) == said, "the same record gives the same bytes"
    if "refused" in answer:
        check_refusal(answer)
    else:
        check_answer(answer)
    check_parsing(record, answer)
    return answer


def check_refusal(answer: dict[str, Any]) -> None:
    assert set(answer) == {"refused", "clause", "move"}
    sentence = answer["refused"]
    assert sentence.endswith(".")
    assert sentence.isprintable()
    assert len(sentence) < 1000
    assert "Traceback" not in sentence
    assert answer["clause"] is None or _CLAUSE.fullmatch(answer["clause"])
    assert answer["move"] is None or answer["move"] >= 0


def check_answer(answer: dict[str, Any]) -> None:
    if not answer["over"]:
        assert answer["asks"]
        assert "net" not in answer
        return
    assert answer["asks"] == {}
    assert set(answer["wagered"]) == set(answer["returned"]) == set(answer["net"])
    for seat, wagered in answer["wagered"].items():
        returned = answer["returned"][seat]
        assert set(wagered) == set(returned)
        assert all(type(amount) is int and amount >= 0 for amount in (*wagered.values(), *returned.values()))
        assert answer["net"][seat] == sum(returned.values()) - sum(wagered.values())


def check_parsing(record: Any, answer: dict[str, Any]) -> None:
    """Check the parsing in storage and verifier: only declared errors, and a played record reads back the same."""
    try:
        hand = Hand(*parse_record(copy.deepcopy(record)))
    except Illegal:
        assert "refused" in answer
        return
    assert "refused" not in answer
    again = play_record(json.loads(json.dumps(write_record(hand.deal, hand.moves))))
    assert json.dumps(again) == json.dumps(answer)


@st.composite
def records(draw: st.DrawFn) -> dict[str, Any]:
    """Generate a good record of any game, complete or partial, with an explicit deck or a seed."""
    game, random = draw(st.sampled_from(sorted(PLAYS))), Random(draw(st.integers(0, 2**32)))
    deal = random_deal(game, random)
    hands = list(play_at_random(deal, random))
    hand = hands[draw(st.integers(0, len(hands) - 1))] if draw(st.booleans()) else hands[-1]
    record = write_record(hand.deal, hand.moves)
    if draw(st.integers(0, 4)) == 0:
        del record["deck"]
        record.pop("dice", None)
        record |= {"seed": {"server": f"{draw(st.integers(0, 2**256 - 1)):064x}", "cuts": ["a"]}, "moves": []}
    read: dict[str, Any] = json.loads(json.dumps(record))
    return read


@examples(60)
@given(records())
def test_a_good_record_is_played(record: dict[str, Any]) -> None:
    assert "refused" not in check(record)


@examples(250)
@given(records().flatmap(mutated))
def test_a_record_that_was_tampered_with_is_played_or_refused(record: Any) -> None:
    check(record)


@pytest.mark.exhaustive
@examples(2000)
@given(records().flatmap(mutated))
def test_many_records_that_were_tampered_with_are_played_or_refused(record: Any) -> None:
    check(record)


@examples(100)
@given(
    records(), st.lists(odd_texts | st.tuples(odd_texts, odd_texts).map(" ".join), min_size=1, max_size=3), st.data()
)
def test_moves_that_are_none_are_refused_by_their_number(record: Any, odd: list[str], data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(record["moves"])))
    record["moves"][place:place] = odd
    answer = check(record)
    assert answer.get("move") in (None, *range(place, len(record["moves"])))


@examples(150)
@given(odd_values)
def test_any_json_value_is_refused(value: Any) -> None:
    assert "refused" in check(value)


@examples(150)
@given(
    st.fixed_dictionaries(
        {"game": st.sampled_from(sorted(PLAYS))},
        optional=dict.fromkeys(PARTS, odd_values),
    )
)
def test_a_record_of_odd_parts_is_played_or_refused(record: dict[str, Any]) -> None:
    check(record)


@examples(150)
@given(records(), st.binary(max_size=12), st.data())
def test_broken_bytes_are_no_json_or_a_value(record: Any, odd: bytes, data: st.DataObject) -> None:
    text = json.dumps(record).encode()
    place = data.draw(st.integers(0, len(text)))
    try:
        value = parse_json(text[:place] + odd + text[place + data.draw(st.integers(0, 20)) :])
    except ValueError:
        return
    for one in value if isinstance(value, list) else [value]:
        check(one)


@pytest.mark.parametrize("depth", [1000, 100_000])
@pytest.mark.parametrize("around", ["[", '{"game":', '{"stakes":['])
def test_what_is_nested_too_deep_is_no_json(depth: int, around: str) -> None:
    with pytest.raises(ValueError, match=r"nested|[Ee]xpecting"):
        parse_json(around * depth)


@pytest.mark.slow
@pytest.mark.parametrize("game", sorted(PLAYS))
@pytest.mark.parametrize("many", ["stakes", "moves", "deck", "cuts"])
def test_a_record_of_endless_parts_takes_no_endless_time(game: str, many: str) -> None:
    deal = random_deal(game, Random(3))
    record = write_record(deal, ())
    if many == "cuts":
        record.pop("deck")
        record.pop("dice", None)
        record["seed"] = {"server": "ab" * 32, "cuts": ["x" * 100] * 5000}
    else:
        parts = {"stakes": record["stakes"], "moves": ["1 timeout"], "deck": record["deck"][:1]}[many]
        record[many] = parts * 2000
    check(record)
