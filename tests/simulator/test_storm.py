"""The whole house under a seeded storm: a short one every time, long ones where there is time."""

import pytest

from bot.simulate_house import Storm
from storage.ledger import Draft
from storage.rows import PostingRow


def weather(seed, steps, folder):
    storm = Storm(seed, folder)
    try:
        for _step in storm.run(steps):
            pass
        storm.finish()
    finally:
        storm.close()
    return storm


def test_a_house_weathers_a_storm(tmp_path):
    storm = weather(1, 800, tmp_path)
    assert storm.counts["restarts"] > 0
    assert storm.counts["done"] > 400


def test_one_seed_is_one_history(tmp_path):
    one, other = (weather(7, 150, tmp_path / name) for name in ("one", "other"))
    assert one.counts == other.counts
    assert [command.key for command, _answer in one.said] == [command.key for command, _answer in other.said]


def test_a_posting_that_is_lost_is_found(tmp_path, monkeypatch):
    """The storm can fail: books that forget a posting now and then do not get through it."""
    put, count = Draft.put, 0

    def forgetful(draft, row):
        nonlocal count
        count += isinstance(row, PostingRow)
        if not (isinstance(row, PostingRow) and count % 50 == 0):
            put(draft, row)

    monkeypatch.setattr(Draft, "put", forgetful)
    with pytest.raises(AssertionError):
        weather(1, 2000, tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize("seed", [11, 12])
def test_a_house_weathers_long_storms(seed, tmp_path):
    weather(seed, 15_000, tmp_path)
