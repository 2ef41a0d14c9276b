"""The seal of a hand tells whether what is kept of it is what was written, however the books of before spaced it."""

import hashlib
import json

import pytest

from bot.house.round.hand_records import NO_DEAL, is_as_written, load_promised, seal
from storage.rows import HandRow

SEED = bytes(range(32))
KEPT = {"v": 2, "promise": {"game": "uth", "opens": 0}, "cuts": ["hearts \u2665", 'a "seal": "0"}'], "lines": [1, 2, 3]}


def row_with(deal, seed=SEED):
    return HandRow(7, 1, 2, "uth", "over", seed, deal, 0.0, 1.0)


def as_before(kept):
    """As books were sealed by the standard library's writer, with spaces and escapes."""
    text = json.dumps(kept)
    return f'{text[:-1]}, "seal": "{hashlib.sha256(SEED + text.encode()).hexdigest()[:16]}"}}'


@pytest.mark.parametrize("write", [as_before, lambda kept: seal(kept, SEED)], ids=["before", "now"])
def test_what_stands_there_is_as_written_until_a_letter_of_it_or_of_the_seed_changes(write):
    deal = write(KEPT)
    assert is_as_written(row_with(deal))
    assert load_promised(deal) == (KEPT["promise"], (1, 2, 3))
    assert not is_as_written(row_with(deal, seed=bytes(32)))
    for number, letter in enumerate(deal):
        other = "1" if letter != "1" else "2"
        assert not is_as_written(row_with(deal[:number] + other + deal[number + 1 :])), number


def test_what_has_no_seal_was_never_dealt():
    assert is_as_written(row_with(NO_DEAL))
    assert not is_as_written(row_with(json.dumps(KEPT)))
