"""The seal of a hand, which shows whether the stored hand is unchanged to the letter."""

import json

from bot.core.rounds.hand_records import is_as_written, load_commitment, seal
from storage.rows import HandRow

SEED = bytes(range(32))
KEPT = {"v": 2, "promise": {"game": "uth", "opens": 0}, "cuts": ["hearts \u2665", 'a "seal": "0"}'], "lines": [1, 2, 3]}


def row_with(deal, seed=SEED):
    return HandRow(7, 1, 2, "uth", "over", seed, deal, 0.0, 1.0)


def test_what_stands_there_is_as_written_until_a_letter_of_it_or_of_the_seed_changes():
    deal = seal(KEPT, SEED)
    assert is_as_written(row_with(deal))
    assert load_commitment(deal) == (KEPT["promise"], (1, 2, 3))
    assert not is_as_written(row_with(deal, seed=bytes(32)))
    for number, letter in enumerate(deal):
        other = "1" if letter != "1" else "2"
        assert not is_as_written(row_with(deal[:number] + other + deal[number + 1 :])), number


def test_what_has_no_seal_is_not_as_written():
    assert not is_as_written(row_with("{}"))
    assert not is_as_written(row_with(json.dumps(KEPT)))
