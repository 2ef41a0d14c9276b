"""`ridotto bench hands` plays rounds of every game, `ranks` ranks hands; both leave out peers that are not there."""

from importlib.util import find_spec

import pytest

from bot.bench import engine, hands
from engine.hand import GAMES


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch):
    monkeypatch.setattr(engine, "ROUNDS", 1)
    monkeypatch.setattr(hands, "ROUNDS", dict.fromkeys(GAMES, 3))
    monkeypatch.setattr(hands, "PEERS_ROUNDS", dict.fromkeys(hands.PEERS_ROUNDS, 2))
    monkeypatch.setattr(engine, "HANDS", 5)
    monkeypatch.setattr(engine, "MANY_HANDS", 50)
    monkeypatch.setattr(engine, "SHORTEST_S", 0.0001)


@pytest.mark.filterwarnings("ignore")  # the peers' own
def test_every_game_is_measured_and_every_peer_that_is_installed():
    rows = hands.measure_hands()
    names = [row.what for row in rows]
    assert set(GAMES) < set(names)
    assert {name for name in names if name in hands.PEERS_ROUNDS} == set(filter(find_spec, hands.PEERS_ROUNDS))
    assert all(row.per_s > 0 for row in rows)
    assert [row.ratio for row in rows if row.what in GAMES] == [1.0] * len(GAMES)


@pytest.mark.filterwarnings("ignore")
def test_a_row_beside_a_peer_says_what_each_of_them_does():
    rows = hands.measure_hands()
    beside = rows[[row.what for row in rows].index("stud, committed shuffle") :]
    assert all(row.does for row in beside)


def test_all_libraries_rank_the_same_hands():
    rows = engine.measure_ranks()
    names = [row.what for row in rows]
    assert names[:3] == ["ridotto high", "ridotto high and low", "ridotto high, 50 hands"]
    assert {"phevaluator", "pokerkit"} & set(names) == set(filter(find_spec, ("phevaluator", "pokerkit")))
    assert all(row.per_s > 0 for row in rows)
