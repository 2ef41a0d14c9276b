"""`ridotto bench deals` plays whole hands of every game, and counts what each of them leaves in the log."""

import pytest

from bot.house.play import PLAYS
from bot.tools.bench import BENCHMARKS, as_table
from bot.tools.bench.deals import measure_deals


@pytest.mark.slow
def test_every_game_is_dealt_to_one_and_to_a_full_table():
    found = measure_deals(rounds=2)
    assert {row.game for row in found} == set(PLAYS)
    for row in found:
        assert 0 < row.promise_us < row.cpu_us
        assert row.per_s > 0
        assert row.commands >= (1 if row.game == "stud" else row.players)
        # Promise, close and payment at least: two nodes an entry, and what an entry names are hashes.
        assert row.log_bytes > 3 * (64 + 64)
        assert row.kept_bytes > 0


@pytest.mark.slow
def test_more_players_are_more_in_the_record_and_no_more_in_the_log():
    one, full = measure_deals(players=(1, 6), rounds=2)[2:4]
    assert (one.game, full.game) == ("uth", "uth")
    assert (one.players, full.players) == (1, 6)
    assert full.kept_bytes > one.kept_bytes
    assert abs(full.log_bytes - one.log_bytes) < 32


def test_it_stands_among_the_benchmarks_that_take_no_minutes():
    benchmark = BENCHMARKS["deals"]
    assert not benchmark.takes_minutes
    rows = benchmark.run(players=(1,), rounds=1)
    assert {row["game"] for row in rows} == set(PLAYS)
    assert len(as_table(rows).splitlines()) == len(PLAYS) + 1
