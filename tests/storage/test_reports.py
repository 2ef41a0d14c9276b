"""What the books tell over time: figures that are kept, and lists that are read from their end."""

import re
from contextlib import closing

import pytest
from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from storage import database, reports
from storage.database import Books
from storage.ledger import Draft
from storage.reports import biggest_wins, latest_results, results_by_game
from storage.rows import CasinoRow, HandRow, PlayerRow, ResultRow, TableRow

DAY_S = 86400.0
PLAYERS = (1, 2, 3)


@pytest.fixture
def books(tmp_path):
    opened = Books(tmp_path / "data")
    yield opened
    opened.close()


def write(books, *results):
    """Results as (hand, player, casino, game, wagered, returned, at), with what they refer to."""
    draft = Draft(books)
    for casino in (1, 2):
        draft.put(CasinoRow(casino, "Lounge", "{}", 0.0))
    for player in PLAYERS:
        draft.put(PlayerRow(player, f"player {player}", "en", "{}", 0.0))
    draft.put(TableRow(1, 1, "stud", "open", "{}"))
    for row in results:
        draft.put(HandRow(row[0], 1, 1, "stud", "over", b"", "{}", 0.0, 1.0))
        draft.put(ResultRow(*row))
    books.write(draft)


RESULTS = [
    (1, 1, 1, "stud", 100, 0, 10.0),
    (1, 2, 1, "stud", 100, 200, 10.0),
    (2, 1, 1, "uth", 50, 300, 20.0),
    (3, 1, 1, "stud", 100, 150, 15.0),  # a longer hand ends later: in the order in which they ended
    (4, 1, 2, "stud", 70, 0, 30.0),
    (5, 3, 1, "stud", 10, 20, 12.0),
]


def test_sums_are_kept_with_each_result_by_player_casino_and_game(books):
    write(books, *RESULTS[:3])
    write(books, *RESULTS[3:])
    assert results_by_game(books, 1, [1]) == [("stud", 2, 200, 150, 50), ("uth", 1, 50, 300, 250)]
    assert results_by_game(books, 2, [1]) == [("stud", 1, 70, 0, -70)]
    assert results_by_game(books, 1, [1, 3]) == [("stud", 3, 210, 170, 50), ("uth", 1, 50, 300, 250)]
    assert results_by_game(books, 2, [2]) == []


def test_a_result_that_is_refused_leaves_the_sums_as_they_were(books):
    write(books, *RESULTS)
    before = results_by_game(books, 1, list(PLAYERS))
    with pytest.raises(Exception, match="UNIQUE"):
        write(books, (9, 1, 1, "stud", 1, 1, 1.0), RESULTS[0])
    assert results_by_game(books, 1, list(PLAYERS)) == before


def test_the_latest_results_of_one_person_under_all_his_numbers(books):
    write(books, *RESULTS)
    assert [row.hand for row in latest_results(books, 1, [1, 3], 10)] == [2, 3, 5, 1]
    assert [row.hand for row in latest_results(books, 1, [1, 3], 2, skip=1)] == [3, 5]
    assert latest_results(books, 1, [1], 1) == [ResultRow(*RESULTS[2])]


def test_the_biggest_wins_of_all_time_and_since_a_moment(books):
    write(
        books,
        *((number, 1, 1, "stud", 0, number, number * DAY_S / 4) for number in range(1, 41)),
        (50, 2, 1, "uth", 0, 7, 9.9 * DAY_S),
        (51, 2, 1, "uth", 7, 0, 9.9 * DAY_S),
        (52, 2, 2, "uth", 0, 900, 9.9 * DAY_S),
    )
    assert [(win.player, win.amount) for win in biggest_wins(books, 1, 2)] == [(1, 40), (1, 39)]
    week = biggest_wins(books, 1, 100, since=3.1 * DAY_S)
    assert sorted(win.amount for win in week) == sorted([7, *range(13, 41)])
    assert [win.amount for win in week] == sorted((win.amount for win in week), reverse=True)
    assert biggest_wins(books, 1, 100, since=10.1 * DAY_S) == []


def test_books_of_before_get_their_sums_from_their_results(tmp_path, monkeypatch):
    """And keep every result, in whatever order it was written."""
    with closing(Database(memory=True)) as empty:
        steps = {one.name: one.fn for one in database.migrations.pending(empty)}
    of_before = Migrations("ridotto")
    for name in list(steps)[: list(steps).index("results_by_hand")]:
        of_before(name=name)(steps[name])
    with monkeypatch.context() as before:
        before.setattr(database, "migrations", of_before)
        with closing(Books(tmp_path)) as books:
            write(books, *reversed(RESULTS))
    with closing(Books(tmp_path)) as books:
        assert books.rows(ResultRow, "ORDER BY hand, player") == [ResultRow(*row) for row in sorted(RESULTS)]
        write(books, (6, 1, 1, "stud", 100, 0, 40.0))
        assert results_by_game(books, 1, [1]) == [("stud", 3, 300, 150, 50), ("uth", 1, 50, 300, 250)]


def test_no_report_of_a_player_or_of_wins_reads_all_results(books, monkeypatch):
    """However long the books are: each of them goes by an index."""
    asked = []
    select = books.select
    monkeypatch.setattr(books, "select", lambda sql, *values: asked.append((sql, values)) or select(sql, *values))
    results_by_game(books, 1, [1, 3])
    latest_results(books, 1, [1, 3], 15)
    biggest_wins(books, 1, 5)
    biggest_wins(books, 1, 5, since=100.0)
    reports.richest_wallets(books, 1, 5)
    for sql, values in asked:
        plan = [step for *_numbers, step in select(f"EXPLAIN QUERY PLAN {sql}", *values)]
        assert not [step for step in plan if re.match(r"SCAN (results|sums|accounts|members|players)", step)], plan
