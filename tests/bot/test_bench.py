"""The benchmarks run, count what they say they count, and name the peers that are missing."""

import json
import re
import xml.etree.ElementTree as xml
from importlib.util import find_spec

import pytest

from bot.__main__ import main
from bot.house.pit import Pit
from bot.house.play import PLAYS
from bot.tools import bench
from bot.tools.bench import BENCHMARKS, Benchmark, as_table
from bot.tools.bench.coach import measure_coach
from bot.tools.bench.curves import draw
from bot.tools.bench.doors import BUSY_A_SECOND, BUSY_TABLES
from bot.tools.bench.growth import Measure, Verdict, measure_growth
from bot.tools.bench.old_books import add_hands, add_keys, add_players, begin_books
from bot.tools.bench.pit import measure_aiosqlite, measure_bet, measure_pit
from bot.tools.bench.press import BATCHES, MEMORY, measure_presses
from bot.tools.bench.tables import fill, measure_arming
from bot.tools.doctor import examine
from engine.games import GAMES, ODDS
from storage.sqlite import FILE, SqliteBooks, reading
from tests.disk import ask

CURVE = {"command": "bet", "cpu_us": 50.0, "is_flat": True}


@pytest.mark.slow
@pytest.mark.parametrize("from_loop", [False, True])
def test_commands_are_counted_that_were_durable(from_loop):
    measure = measure_pit(3, 0.2, from_loop=from_loop)
    assert measure.commands > 0
    assert measure.per_s == pytest.approx(measure.commands / measure.seconds, rel=0.05)
    assert 0 < measure.commits <= measure.commands
    assert 0 < measure.p50_ms <= measure.p99_ms


@pytest.mark.skipif(find_spec("aiosqlite") is None, reason="a peer that is measured beside where it is installed")
def test_the_peer_commits_once_for_each_command():
    measure = measure_aiosqlite(3, 0.2)
    assert measure.commits == measure.commands > 0


def test_the_cost_of_a_bet_is_that_of_floor_and_books():
    cost = measure_bet(7, bets=14)
    assert cost.both_us == pytest.approx(cost.floor_us + cost.books_us, abs=0.2)
    assert cost.floor_us > 0 < cost.books_us


@pytest.mark.slow
def test_a_press_is_measured_on_both_platforms_beside_their_libraries():
    found = measure_presses(presses=2, count=1)
    wheres = ["disk", "memory"] if MEMORY.is_dir() else ["disk"]
    assert [(row.platform, row.batch, row.books) for row in found] == [
        (platform, batch, where) for platform in ("discord", "telegram") for batch in BATCHES for where in wheres
    ]
    for row in found:
        ours = row.parse_us + row.floor_us + row.books_us + row.answer_us + row.screen_us
        assert row.ours_us == pytest.approx(ours, abs=0.2)
        assert row.ratio == pytest.approx(row.ours_us / row.library_us, abs=0.02)
        assert row.ours_wall_us > row.books_wall_us > 0
        assert row.wall_ratio == pytest.approx(row.ours_wall_us / row.library_wall_us, abs=0.02)


@pytest.mark.slow
def test_decisions_of_each_game_that_asks_for_any_are_valued_where_a_house_counts():
    found = {row.game: row for row in measure_coach(decisions=2)}
    assert set(found) == {game for game in PLAYS if game in ODDS and GAMES[game].words}
    for row in found.values():
        assert row.decisions == 2
        assert 0 < row.median_ms <= row.worst_ms
        assert row.first_ms > 0
        assert 5 < row.worker_mib < 60  # what the process may take beside a house
        assert bool(row.does) == (ODDS[row.game].equity is not None)


def test_a_large_house_has_tables_of_all_games_and_hands_under_way(tmp_path):
    hands = fill(tmp_path, 20, playing=True)
    with reading(tmp_path / FILE) as books:
        assert list(examine(books)) == []
        assert ask(books, "SELECT count(DISTINCT game) FROM tables WHERE casino > 1") == [(len(PLAYS),)]
    books = SqliteBooks(tmp_path)
    resumed = Pit(books)
    assert sum(table.phase == "playing" for table in resumed.floor.house.tables.values()) == hands > 10
    books.close()


def test_a_clock_is_armed_in_no_time():
    assert 0 < measure_arming(tables=100, times=1000).us < 100


def test_books_with_a_long_past_are_such_as_the_house_writes_them(tmp_path):
    past = begin_books(tmp_path)
    add_players(tmp_path, 100, 1.0)
    assert 400 < add_hands(tmp_path, past, 500) <= 500
    there = add_hands(tmp_path, past, 900)
    add_keys(tmp_path, 20, 1.0)
    with reading(tmp_path / FILE) as books:
        # All of them stand in the log as the one that was played, which had other players.
        faults = [
            one for one in examine(books) if not one.endswith("its payment in the log was made of another record.")
        ]
        assert faults == []
        assert ask(books, "SELECT count(*) FROM postings") == [(there,)]
        assert ask(books, "SELECT count(*) FROM postings WHERE why = 'bet' AND hand > 7")[0][0] > 100
        assert ask(books, "SELECT count(*) FROM answers WHERE key LIKE 'discord:%'") == [(20,)]
    # The indexes that were in the way are there again.
    books = SqliteBooks(tmp_path)
    plan = ask(books, "EXPLAIN QUERY PLAN SELECT * FROM postings WHERE debit = 'player:1:1'")
    assert "postings_by_debit" in plan[0][3]
    books.close()


@pytest.mark.slow
def test_growth_is_told_by_size_and_against_the_smallest():
    rows = measure_growth(tables=(10, 20), postings=(5000, 10_000), entries=(500, 1000), rounds=1)
    measures = [row for row in rows if isinstance(row, Measure)]
    verdicts = [row for row in rows if isinstance(row, Verdict)]
    assert rows == [*measures, *verdicts]
    assert len(verdicts) == 21
    assert {row.over for row in measures} == {"tables", "postings", "entries"}
    bets = [row for row in measures if (row.over, row.command) == ("tables", "bet")]
    assert [row.size for row in bets] == [10, 20]
    assert bets[0].growth == 1.0
    assert all(row.cpu_us > 0 < row.wall_us for row in measures)
    asked = {"bet", "takeback", "a hand of seven", "balance", "statement", "history", "stats", "leaderboard"}
    assert {row.command for row in verdicts if row.over == "tables"} == asked
    assert {row.command for row in verdicts if row.over == "postings"} == {*asked, "forget a key"}
    of_logs = {"append", "head", "inclusion", "consistency"}
    assert {row.command for row in verdicts if row.over == "entries"} == of_logs
    for row in verdicts:
        assert row.is_flat == (row.verdict == "flat within 25 %") == (row.growth <= 1.25)


def test_the_curves_stand_alone_and_name_what_they_show():
    rows = [
        CURVE | {"over": over, "size": size, "growth": growth}
        for over in ("tables", "postings")
        for size, growth in ((10, 1.0), (1000, 1.1), (10_000, 1.2))
    ]
    svg = draw(rows)
    words = " ".join("".join(text.itertext()) for text in xml.fromstring(svg).iter("{http://www.w3.org/2000/svg}text"))
    assert "over tables" in words
    assert "over postings" in words
    assert "10,000" in words
    assert words.count("bet") == 2
    assert not re.search(r"<script|href|url\(", svg)


def quick():
    return [_Row(1, "a"), _Row(20, "b")]


class _Row:
    def __init__(self, n, name):
        self.values = {"n": n, "name": name}

    def _asdict(self):
        return self.values


@pytest.fixture
def one(monkeypatch):
    monkeypatch.setattr(bench, "BENCHMARKS", {"one": Benchmark(__name__, "quick", ("no_such_peer",))})


def test_a_missing_peer_is_named_with_what_brings_it(one, capsys):
    assert main(["bench", "one"]) == 0
    said = capsys.readouterr()
    assert said.err == "one: no_such_peer is not installed and left out; pip install -e '.[bench]' brings it\n"
    assert said.out.splitlines()[1:] == ["one", " n  name", " 1     a", "20     b"]
    assert "python 3." in said.out.splitlines()[0]


def test_machines_get_one_json_object(one, capsys):
    assert main(["bench", "one", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["one"] == [{"n": 1, "name": "a"}, {"n": 20, "name": "b"}]
    assert found["machine"]["cores"] >= 1


def test_an_unknown_benchmark_is_refused_with_the_names_of_those_that_are_there(capsys):
    assert main(["bench", "nonsense"]) == 2
    said = capsys.readouterr().err
    assert all(name in said for name in BENCHMARKS)
    assert said.count("\n") == 1


def test_the_help_names_each_benchmark_and_which_of_them_run_only_when_named(capsys):
    with pytest.raises(SystemExit):
        main(["bench", "--help"])
    said = " ".join(capsys.readouterr().out.split())
    names, _, slow = said.partition("one of them: ")[2].partition(" take minutes")[0].partition("; ")
    in_minutes = {name for name, benchmark in BENCHMARKS.items() if benchmark.takes_minutes}
    assert set(re.split(", | and ", slow)) == in_minutes
    assert set(names.split(", ")) == BENCHMARKS.keys() - in_minutes
    assert f"{BUSY_TABLES} tables, {BUSY_A_SECOND} presses a second" in said


def test_columns_that_change_are_named_anew():
    assert as_table([{"a": 1}, {"b": 22}]).splitlines() == ["a", "1", " b", "22"]


@pytest.mark.slow
def test_books_on_a_server_are_measured_beside_and_leave_nothing_there(postgres, capsys, monkeypatch):
    monkeypatch.setattr("bot.tools.bench.pit.CLIENTS", (3,))
    monkeypatch.setattr("bot.tools.bench.pit.ROUNDS", 1)
    monkeypatch.setattr("bot.tools.bench.pit.BATCHES", (3,))
    monkeypatch.setattr("bot.tools.bench.pit.find_spec", lambda name: None)
    monkeypatch.setattr("bot.tools.bench.pit.SECONDS", 0.2)
    before = postgres.ask("SELECT count(*) FROM pg_namespace")
    assert main(["bench", "pit", "--json", "--books", postgres.address().text.partition("&options")[0]]) == 0
    rows = json.loads(capsys.readouterr().out)["pit"]
    (measured,) = [row for row in rows if row["what"] == "books on a server"]
    assert measured["commands"] > 0
    assert measured["of_sqlite"] > 0
    (cost,) = [row for row in rows if row["what"] == "CPU of a bet, books on a server"]
    assert cost["books_us"] > 0
    assert postgres.ask("SELECT count(*) FROM pg_namespace") == before


@pytest.mark.slow
def test_a_server_to_measure_on_that_is_none_is_one_line(capsys):
    assert main(["bench", "pit", "--books", "postgresql://ridotto:secret@127.0.0.1:1/books"]) == 1
    assert main(["bench", "pit", "--books", "mysql://ridotto:secret@127.0.0.1:1/books"]) == 2
    assert main(["bench", "ranks", "--books", "postgresql://ridotto@127.0.0.1:1/books"]) == 2
    assert "secret" not in "".join(capsys.readouterr())
