"""Rounds of every game are played and hands are ranked, beside the peers that are there."""

from importlib.util import find_spec

import pytest

from benchmarks import engine, hands
from benchmarks.peers import PEERS
from bot.core.state.plays import PLAYS


@pytest.mark.filterwarnings("ignore")  # the peers' own
def test_every_game_is_measured_and_every_peer_that_is_installed():
    rows = hands.measure_hands(share=700, rounds=1)
    names = [row.what for row in rows]
    assert set(PLAYS) < set(names)
    libraries = {rounds.library for beside in PEERS.values() for rounds in beside if rounds.library}
    assert libraries & set(names) == set(filter(find_spec, libraries))
    assert all(row.per_s > 0 for row in rows)
    assert [row.ratio for row in rows if row.what in PLAYS] == [1.0] * len(PLAYS)


@pytest.mark.filterwarnings("ignore")
def test_a_row_beside_a_peer_says_what_each_of_them_does():
    rows = hands.measure_hands(share=700, rounds=1)
    beside = {rounds.what for game in PEERS.values() for rounds in game}
    assert all(row.does for row in rows if row.what in beside)
    assert len([row for row in rows if row.what in beside]) >= 2


def test_all_libraries_rank_the_same_hands():
    rows = engine.measure_ranks(hands=5, many=50, rounds=1, shortest_s=0.0001)
    names = [row.what for row in rows]
    assert names[:3] == ["ridotto high", "ridotto high and low", "ridotto high, 50 hands"]
    assert {"phevaluator", "pokerkit"} & set(names) == set(filter(find_spec, ("phevaluator", "pokerkit")))
    assert all(row.per_s > 0 for row in rows)
