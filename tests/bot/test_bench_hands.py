"""`ridotto bench hands` plays whole rounds of every game, and leaves out the peers that are not installed."""

from importlib.util import find_spec

import pytest

from bot.bench import engine, hands
from engine.hand import GAMES


@pytest.fixture(autouse=True)
def few_rounds(monkeypatch):
    monkeypatch.setattr(engine, "ROUNDS", 1)
    monkeypatch.setattr(hands, "ROUNDS", dict.fromkeys(GAMES, 3))
    monkeypatch.setattr(hands, "PEERS_ROUNDS", dict.fromkeys(hands.PEERS_ROUNDS, 2))


@pytest.mark.filterwarnings("ignore")  # the peers' own
def test_every_game_is_measured_and_every_peer_that_is_installed():
    rows = hands.measure_hands()
    names = [row.what for row in rows]
    assert set(GAMES) < set(names)
    assert {name for name in names if name in hands.PEERS_ROUNDS} == set(filter(find_spec, hands.PEERS_ROUNDS))
    assert all(row.per_s > 0 for row in rows)
    assert [row.ratio for row in rows if row.what in GAMES] == [1.0] * len(GAMES)
