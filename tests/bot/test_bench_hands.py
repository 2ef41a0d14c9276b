"""`ridotto bench hands` plays rounds of every game, `ranks` ranks hands; both leave out peers that are not there."""

from importlib.util import find_spec

import pytest

from benchmarks.peers import PEERS
from bot.house.play import PLAYS
from bot.tools.bench import engine, hands


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch):
    monkeypatch.setattr(engine, "ROUNDS", 1)
    monkeypatch.setattr(hands, "SHARE", 700)
    monkeypatch.setattr(engine, "HANDS", 5)
    monkeypatch.setattr(engine, "MANY_HANDS", 50)
    monkeypatch.setattr(engine, "SHORTEST_S", 0.0001)


@pytest.mark.filterwarnings("ignore")  # the peers' own
def test_every_game_is_measured_and_every_peer_that_is_installed():
    rows = hands.measure_hands()
    names = [row.what for row in rows]
    assert set(PLAYS) < set(names)
    libraries = {rounds.library for beside in PEERS.values() for rounds in beside if rounds.library}
    assert libraries & set(names) == set(filter(find_spec, libraries))
    assert all(row.per_s > 0 for row in rows)
    assert [row.ratio for row in rows if row.what in PLAYS] == [1.0] * len(PLAYS)


@pytest.mark.filterwarnings("ignore")
def test_a_row_beside_a_peer_says_what_each_of_them_does():
    rows = hands.measure_hands()
    beside = {rounds.what for game in PEERS.values() for rounds in game}
    assert all(row.does for row in rows if row.what in beside)
    assert len([row for row in rows if row.what in beside]) >= 2


def test_all_libraries_rank_the_same_hands():
    rows = engine.measure_ranks()
    names = [row.what for row in rows]
    assert names[:3] == ["ridotto high", "ridotto high and low", "ridotto high, 50 hands"]
    assert {"phevaluator", "pokerkit"} & set(names) == set(filter(find_spec, ("phevaluator", "pokerkit")))
    assert all(row.per_s > 0 for row in rows)
