"""How a token's calls are divided among houses: by what each needs, and else by what each keeps."""

import hypothesis
import pytest
from hypothesis import strategies as st

from bot.doors.kit.shares import fair_parts
from storage.rows import WINGS
from storage.store import Claim

CLAIMS = st.lists(st.builds(Claim, st.integers(0, WINGS), st.floats(0, 1), st.floats(0, 1)), min_size=1, max_size=8)


def parts(*claims):
    """Of houses that keep so many wings and want so much."""
    return pytest.approx(fair_parts([Claim(wings, wanted, 0.0) for wings, wanted in claims]))


def test_what_one_does_not_want_another_may_use():
    assert parts((32, 0.1), (32, 1.0)) == [0.1, 0.9]
    assert parts((32, 0.25), (32, 0.25)) == [0.5, 0.5]
    assert parts((16, 0.1), (16, 1.0), (32, 1.0)) == [0.1, 0.3, 0.6]


def test_where_all_want_more_than_there_is_each_has_what_it_keeps():
    assert parts((16, 1.0), (48, 1.0)) == [0.25, 0.75]
    assert parts((16, 0.2), (48, 1.0)) == [0.2, 0.8]


@hypothesis.settings(deadline=None)
@hypothesis.given(CLAIMS)
def test_nothing_is_left_over_and_nobody_has_less_than_he_wants_of_what_he_keeps(claims):
    found = fair_parts(claims)
    weights = [max(1, claim.wings) for claim in claims]
    own = [weight / sum(weights) for weight in weights]
    assert sum(found) == pytest.approx(1)
    for part, claim, by_wings in zip(found, claims, own, strict=True):
        assert part >= min(claim.wanted, by_wings) - 1e-9


@hypothesis.settings(deadline=None)
@hypothesis.given(CLAIMS)
def test_nobody_who_wants_more_has_less_for_each_wing_than_another(claims):
    found = fair_parts(claims)
    for_a_wing = [part / max(1, claim.wings) for part, claim in zip(found, claims, strict=True)]
    for part, claim, level in zip(found, claims, for_a_wing, strict=True):
        if part < claim.wanted - 1e-9:
            assert level >= max(for_a_wing) - 1e-9
