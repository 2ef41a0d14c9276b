"""Parameters of tests over every game: a few of them each time, all before a release."""

import pytest
from _pytest.mark import ParameterSet

from bot.core.state.plays import PLAYS


def sample_games(*usual: str) -> list[ParameterSet]:
    """Return every game, marked `exhaustive` unless it is one of `usual`."""
    return [pytest.param(game, marks=() if game in usual else pytest.mark.exhaustive) for game in PLAYS]
