"""The benchmarks run, count what they say they count, and name the peers that are missing."""

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from benchmarks.__main__ import BENCHMARKS, as_markdown, main
from benchmarks.commands import SERVER, Cost, measure_aiosqlite, measure_bet, measure_commands, measure_writer
from benchmarks.commands import Measure as Commands
from benchmarks.growth import Measure, Verdict, measure_growth
from benchmarks.large_books import add_hands, add_keys, add_players, begin_books
from benchmarks.press import BATCHES, MEMORY, measure_presses
from benchmarks.restart import measure_restarts
from benchmarks.tables import fill
from bot.cli.doctor import examine
from bot.core.state.plays import PLAYS
from bot.core.writer import Writer
from storage.address import parse_address
from storage.sqlite import FILE, SqliteBooks, reading
from tests.disk import ask

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
@pytest.mark.parametrize("from_loop", [False, True])
def test_commands_are_counted_that_were_durable(from_loop):
    measure = measure_writer(3, 0.2, from_loop=from_loop)
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
    assert cost.both_us == pytest.approx(cost.handling_us + cost.books_us, abs=0.2)
    assert cost.handling_us > 0 < cost.books_us


@pytest.mark.slow
def test_a_press_is_measured_on_both_platforms_beside_their_libraries():
    found = measure_presses(presses=2, count=1)
    wheres = ["disk", "memory"] if MEMORY.is_dir() else ["disk"]
    assert [(row.platform, row.batch, row.books) for row in found] == [
        (platform, batch, where) for platform in ("discord", "telegram") for batch in BATCHES for where in wheres
    ]
    for row in found:
        ours = row.parse_us + row.handling_us + row.books_us + row.answer_us + row.screen_us
        assert row.ours_us == pytest.approx(ours, abs=0.2)
        assert row.ratio == pytest.approx(row.ours_us / row.library_us, abs=0.02)
        assert row.ours_wall_us > row.books_wall_us > 0
        assert row.wall_ratio == pytest.approx(row.ours_wall_us / row.library_wall_us, abs=0.02)


def test_a_large_house_has_tables_of_all_games_and_hands_under_way(tmp_path):
    hands = fill(tmp_path, 20, playing=True)
    with reading(tmp_path / FILE) as books:
        assert list(examine(books)) == []
        assert ask(books, "SELECT count(DISTINCT game) FROM tables WHERE casino > 1") == [(len(PLAYS),)]
    books = SqliteBooks(tmp_path)
    resumed = Writer(books)
    assert sum(table.phase == "playing" for table in resumed.state.tables.values()) == hands > 10
    books.close()


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
    rows = measure_growth(tables=(10, 20), postings=(5000, 10_000), rounds=1)
    measures = [row for row in rows if isinstance(row, Measure)]
    verdicts = [row for row in rows if isinstance(row, Verdict)]
    assert rows == [*measures, *verdicts]
    assert len(verdicts) == 17
    assert {row.over for row in measures} == {"tables", "postings"}
    bets = [row for row in measures if (row.over, row.command) == ("tables", "bet")]
    assert [row.size for row in bets] == [10, 20]
    assert bets[0].growth == 1.0
    assert all(row.cpu_us > 0 < row.wall_us for row in measures)
    asked = {"bet", "takeback", "a hand of seven", "balance", "statement", "history", "stats", "leaderboard"}
    assert {row.command for row in verdicts if row.over == "tables"} == asked
    assert {row.command for row in verdicts if row.over == "postings"} == {*asked, "forget a key"}
    for row in verdicts:
        assert row.is_flat == (row.verdict == "flat within 25 %") == (row.growth <= 1.25)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # the peers' own
def test_the_quick_size_writes_the_page_with_a_table_of_each_benchmark(tmp_path):
    page = tmp_path / "benchmarks.md"
    subprocess.run([sys.executable, "-m", "benchmarks", "--quick", "--write", str(page)], check=True, cwd=ROOT)
    said = page.read_text("utf-8")
    assert [line[3:] for line in said.splitlines() if line.startswith("## ")] == [
        one.title for one in BENCHMARKS.values()
    ]
    assert "python 3." in said
    assert said.count("| --- |") > len(BENCHMARKS)


def test_one_benchmark_is_printed_as_a_table(capsys):
    main(["hands", "--quick"])
    said = capsys.readouterr().out
    assert said.splitlines()[:4] == [
        "## Whole rounds, a second of CPU time",
        "",
        "| what | per_s | ratio | does |",
        "| --- | --- | --- | --- |",
    ]


def test_an_unknown_benchmark_is_refused_with_the_names_of_those_that_are_there(capsys):
    with pytest.raises(SystemExit):
        main(["nonsense"])
    said = capsys.readouterr().err
    assert all(name in said for name in BENCHMARKS)


def test_columns_that_change_begin_another_table():
    rows: list[dict[str, int | None]] = [{"a": 1}, {"a": None}, {"b": 22}]
    assert as_markdown(rows) == "| a |\n| --- |\n| 1 |\n|  |\n\n| b |\n| --- |\n| 22 |"


@pytest.mark.slow
def test_a_restart_is_asked_until_it_is_ready():
    found = measure_restarts(tables=10, postings=(2000,))
    assert [row.what for row in found] == ["hands under way", "postings"]
    for row in found:
        assert 0 < row.open_s <= row.ready_s
        assert 0 < row.silent_s < row.ready_s + 2


@pytest.mark.slow
def test_books_on_a_server_are_measured_beside_and_leave_nothing_there(postgres):
    before = postgres.ask("SELECT count(*) FROM pg_namespace")
    address = parse_address(postgres.address().text.partition("&options")[0])
    rows = measure_commands(books=address, clients=(3,), rounds=1, seconds=0.2, batches=(3,))
    (measured,) = [row for row in rows if isinstance(row, Commands) and row.what == SERVER]
    assert measured.commands > 0
    assert measured.of_sqlite is not None
    (cost,) = [row for row in rows if isinstance(row, Cost) and row.what.endswith(SERVER)]
    assert cost.books_us > 0
    assert postgres.ask("SELECT count(*) FROM pg_namespace") == before
