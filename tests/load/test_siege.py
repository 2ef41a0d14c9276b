"""The load scenarios count what they claim to count, each against a whole casino."""

import pytest

from tests.load import siege
from tests.load.clients import COME
from tests.load.siege import QUIET, SIZES, WAYS, measure_siege


def test_every_siege_has_somebody_who_comes():
    assert set(COME) | {QUIET, siege.BUSY} == set(WAYS)
    assert set(SIZES) < set(COME)


@pytest.mark.slow
def test_a_crowd_looks_and_everybody_is_answered():
    nobody, crowd = measure_siege(seconds=2.0, crowd=39, ways=[QUIET, "crowd"])
    for row in (nobody, crowd):
        assert (row.answered, row.unwell) == (row.presses, 0)
        assert row.presses > 4
        assert 0 < row.press_p50_ms <= row.press_p99_ms <= row.press_max_ms
        assert 0 < row.health_p50_ms <= row.health_p99_ms
    assert (nobody.held, nobody.pushes, nobody.push_us) == (0, 0, None)
    assert (crowd.held, crowd.turned_away) == (39, 0)
    # A bet and its withdrawal are visible to the thirty at the table; the lobby shows whether the table is played.
    assert crowd.pushes >= 39
    assert crowd.push_us is not None


@pytest.mark.slow
@pytest.mark.parametrize("way", [way for way in SIZES if way != "slow bodies"])
def test_an_attack_is_borne(way, monkeypatch):
    monkeypatch.setattr(siege, "SIZES", dict.fromkeys(SIZES, 20))
    (row,) = measure_siege(seconds=3.0, ways=[way])
    assert row.answered == row.presses > 0
