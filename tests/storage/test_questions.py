"""Queries of the store: stored figures, and lists that are read from their end."""

import re

import pytest

from storage.faults import RowsRefused
from storage.ledger import Draft
from storage.questions import people
from storage.questions.accounts import richest_wallets, sum_of_wallets
from storage.questions.audit import changes_at_table, latest_acts
from storage.questions.hands import moves_of_hands, number_of_settled, settled_hands
from storage.questions.postings import events_of_hands, latest_postings, postings_of_casino
from storage.questions.results import biggest_wins, latest_results, results_by_game
from storage.rows import AuditRow, CasinoRow, HandRow, MoveRow, PlayerRow, PostingRow, ResultRow, TableRow
from tests.disk import ask

DAY_S = 86400.0
PLAYERS = (1, 2, 3)


def write(books, *results):
    """Write results as (hand, player, casino, game, wagered, returned, at), with what they refer to."""
    draft = Draft(books)
    for casino in (1, 2):
        draft.put(CasinoRow(casino, "Lounge", "{}", 0.0))
    for player in PLAYERS:
        if people.player(books, player) is None:
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
    with pytest.raises(RowsRefused):
        write(books, (9, 1, 1, "stud", 1, 1, 1.0), RESULTS[0])
    assert results_by_game(books, 1, list(PLAYERS)) == before


def test_the_latest_results_of_one_person_under_all_their_numbers(books):
    write(books, *RESULTS)
    assert [row.hand for row in latest_results(books, 1, [1, 3], 10)] == [2, 3, 5, 1]
    assert [row.hand for row in latest_results(books, 1, [1, 3], 2, skip=1)] == [3, 5]
    assert latest_results(books, 1, [1], 1) == [ResultRow(*RESULTS[2])]
    assert [row.hand for row in latest_results(books, 1, [1, 3], 10, game="uth")] == [
        row.hand for row in latest_results(books, 1, [1, 3], 10) if row.game == "uth"
    ]
    newest = latest_results(books, 1, [1, 3], 1)[0].at
    assert all(row.at < newest for row in latest_results(books, 1, [1, 3], 10, before=newest))
    assert latest_results(books, 1, [1, 3], 10, before=0.0) == []


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


@pytest.mark.parametrize("stores", ["sqlite"], indirect=True)
def test_no_report_of_a_player_or_of_wins_reads_all_results(books, monkeypatch):
    """Each uses an index, however large the store is."""
    asked: list[tuple[str, tuple[object, ...]]] = []
    select = books._select

    def noting(sql, *values):
        asked.append((sql, values))
        return select(sql, *values)

    monkeypatch.setattr(books, "_select", noting)
    results_by_game(books, 1, [1, 3])
    latest_results(books, 1, [1, 3], 15)
    latest_results(books, 1, [1, 3], 15, game="stud", before=100.0)
    biggest_wins(books, 1, 5)
    biggest_wins(books, 1, 5, since=100.0)
    richest_wallets(books, 1, 5)
    for sql, values in asked:
        plan = [step for *_numbers, step in select(f"EXPLAIN QUERY PLAN {sql}", *values)]
        assert not [step for step in plan if re.match(r"SCAN (results|sums|accounts|members|players)", step)], plan


# (at, debit, credit, hand), hands 1 and 2 being of the casinos 1 and 2.
MOVED = [
    (10.0, "mint:1", "player:1:1", None),
    (10.0, "mint:2", "player:2:1", None),
    (20.0, "player:1:1", "hand:1", 1),
    (20.0, "player:2:1", "stack:9:1", None),
    (21.0, "stack:9:1", "hand:2", 2),
    (22.0, "hand:2", "stack:9:1", 2),
    (23.0, "jackpot:1", "escrow:1:a", 1),
    (30.0, "bank:12", "jackpot:12", None),
    (31.0, "hand:1", "player:1:1", 1),
    (40.0, "stack:9:1", "player:2:1", None),
]


def move(books):
    draft = Draft(books)
    for casino in (1, 2, 12):
        draft.put(CasinoRow(casino, "Lounge", "{}", 0.0))
    for hand in (1, 2):
        draft.put(TableRow(hand, hand, "stud", "open", "{}"))
        draft.put(HandRow(hand, hand, hand, "stud", "over", b"", "{}", 0.0, 1.0))
    for number, (at, debit, credit, of_hand) in enumerate(MOVED):
        draft.put(PostingRow(at, debit, credit, number + 1, "moved", of_hand, f"event {number}"))
    books.write(draft)


def numbers(postings):
    return [row.amount for row in postings]


def check_periods(books):
    assert numbers(postings_of_casino(books, 1, 0.0, 100.0, 100)) == [1, 3, 7, 9]
    assert numbers(postings_of_casino(books, 2, 0.0, 100.0, 100)) == [2, 4, 5, 6, 10]
    assert numbers(postings_of_casino(books, 12, 0.0, 100.0, 100)) == [8]
    assert numbers(postings_of_casino(books, 1, 20.0, 23.0, 100)) == [3, 7]
    assert numbers(postings_of_casino(books, 1, 0.0, 100.0, 2)) == [7, 9]
    assert numbers(postings_of_casino(books, 3, 0.0, 100.0, 100)) == []


def test_postings_of_a_period_are_of_one_casino_alone(books):
    move(books)
    check_periods(books)


def plans_of(question, books):
    """Return SQLite's query plans of all that a question asks, a line for each step."""
    asked: list[str] = []
    books.db.conn.set_trace_callback(asked.append)
    question(books)
    books.db.conn.set_trace_callback(None)
    return [line for sql in asked for *_ids, line in ask(books, f"EXPLAIN QUERY PLAN {sql}")]


@pytest.mark.parametrize("stores", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "question",
    [
        lambda books: postings_of_casino(books, 1, 0.0, 100.0, 100),
        lambda books: latest_postings(books, ["jackpot:1"], 20),
        lambda books: sum_of_wallets(books, 1),
    ],
    ids=["a period", "the latest", "all wallets"],
)
def test_what_one_casino_asks_looks_at_no_other_ones_postings_or_wallets(books, question):
    """Each table is searched by an index, however many rows it has."""
    plans = plans_of(question, books)
    assert any("SEARCH" in line for line in plans)
    assert not [line for line in plans if re.match("SCAN (postings|accounts|hands)", line)]
    # The postings of all stacks are next to each other there.
    assert sum("postings_by_casino" in line for line in plans) <= 1


@pytest.mark.parametrize("stores", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "question",
    [
        lambda books: people.memberships_of_player(books, 1),
        lambda books: people.identities_of_player(books, 1),
        lambda books: people.account_on(books, "web", 1),
        lambda books: people.players_named(books, 1, "anna", 5),
        lambda books: people.numbers_named(books, 1, ("anna", "anna"), 1),
        lambda books: people.account_called(books, "telegram", "anna"),
    ],
    ids=["memberships", "accounts", "account on a platform", "name", "number", "username"],
)
def test_what_one_person_asks_looks_at_nobody_else(books, question):
    plans = plans_of(question, books)
    assert plans
    searched = [line for line in plans if re.match("SEARCH (members|players|identities|usernames)", line)]
    assert searched, plans
    assert not [line for line in plans if re.match("SCAN (members|players|identities|usernames)", line)], plans
    assert not [line for line in plans if "PRIMARY KEY (casino=?)" in line], plans


def test_all_wallets_of_a_casino_are_no_other_casinos(books):
    move(books)
    draft = Draft(books)
    draft.balances.update({"player:1:1": 5, "player:1:22": 7, "player:12:1": 100, "player:2:1": 1000, "bank:1": -12})
    books.write(draft)
    assert sum_of_wallets(books, 1) == 12


def test_changes_at_a_table_are_its_own_and_those_of_what_its_casino_keeps(books):
    acts = [
        (1, "table open", "table 1"),
        (1, "table set", "table 1 pace"),
        (1, "table set", "table 12 pace"),
        (1, "table close", "table 1"),
        (2, "table set", "table 1 pace"),
        (1, "meter set", "coin"),
        (1, "meter set", "fixed four"),
        (1, "meter set", "meter"),
        (1, "grant", "coin"),
        (1, "table set", "table 1 minimum"),
    ]
    draft = Draft(books)
    for casino in (1, 2):
        draft.put(CasinoRow(casino, "Lounge", "{}", 0.0))
    for at, (casino, act, subject) in enumerate(acts):
        draft.put(AuditRow(float(at), casino, 0, act, subject, "why", "", ""))
    books.write(draft)

    def subjects(kept, most=9):
        return [row.subject for row in changes_at_table(books, 1, 1, kept, most)]

    assert subjects(()) == ["table 1 minimum", "table 1 pace", "table 1"]
    assert subjects(("coin", "fixed")) == ["table 1 minimum", "fixed four", "coin", "table 1 pace", "table 1"]
    assert subjects(("coin",), most=2) == ["table 1 minimum", "coin"]


def test_acts_at_a_table_name_it(books):
    acts = ["table 1", "table 1 hand 7 player 2", "table 12 hand 7", "table 2 hand 5 seat 1", "hand 5 player 3"]
    draft = Draft(books)
    draft.put(CasinoRow(1, "Lounge", "{}", 0.0))
    for at, subject in enumerate(acts):
        draft.put(AuditRow(float(at), 1, 0, "void", subject, "why", "", ""))
    books.write(draft)

    def subjects(number, **more):
        return [one.row.subject for one in latest_acts(books, 1, 9, table=number, **more)]

    assert subjects(1) == ["table 1 hand 7 player 2", "table 1"]
    assert subjects(2) == ["table 2 hand 5 seat 1"]
    assert subjects(1, players=[2]) == ["table 1 hand 7 player 2"]
    assert subjects(3) == []


# Hands in reverse order, as returns are compared


def test_settled_hands_are_read_from_the_end_with_their_moves_and_events(books):
    write(books, *RESULTS)
    draft = Draft(books)
    for id, casino, status in ((5, 1, "void"), (6, 2, "over"), (7, 1, "playing"), (8, 1, "over")):
        draft.put(HandRow(id, casino, 1, "stud", status, b"", "{}", 0.0, None if status == "playing" else 1.0))
    for hand, number, move in ((8, 0, "1 raise"), (8, 1, "2 fold"), (6, 0, "1 fold"), (7, 0, "1 check")):
        draft.put(MoveRow(hand, number, move, 1.0))
    for hand, event in ((8, "void seat 1"), (8, "event 3"), (6, "a void seat"), (4, "void seat 2/bea")):
        draft.put(PostingRow(1.0, "bank:1", "jackpot:1", 5, "why", hand, event))
    books.write(draft)
    assert [row.id for row in settled_hands(books, 2**62, 100)] == [8, 6, 4, 3, 2, 1]
    assert [row.id for row in settled_hands(books, 8, 2)] == [6, 4]
    assert [row.id for row in settled_hands(books, 8, 2, casino=1)] == [4, 3]
    assert number_of_settled(books) == 6
    moves = {hand: [row.move for row in rows] for hand, rows in moves_of_hands(books, [8, 6, 4]).items()}
    assert moves == {8: ["1 raise", "2 fold"], 6: ["1 fold"], 4: []}
    assert events_of_hands(books, [8, 6], "void seat ") == [(8, "void seat 1")]
    assert events_of_hands(books, [8, 6, 4], "void seat ") == [(8, "void seat 1"), (4, "void seat 2/bea")]
    assert moves_of_hands(books, []) == {}
    assert events_of_hands(books, [], "void") == []


def test_words_of_acts_are_found_whatever_their_case_in_every_script(books):
    draft = Draft(books)
    draft.put(CasinoRow(1, "Lounge", "{}", 0.0))
    for at, reason in enumerate(("Ругался", "O\u0308zge asked", "STRASSE", "100 %")):
        draft.put(AuditRow(float(at), 1, 0, "ban", "player 1", reason, "", ""))
    books.write(draft)
    wanted = {"ругался": 1, "ÖZGE": 1, "straße": 1, "%": 1, "BAN": 4, "nobody": 0}
    assert {words: len(latest_acts(books, 1, 9, words=words)) for words in wanted} == wanted
    assert [act.row.at for act in latest_acts(books, 1, 2, words="ban", skip=1)] == [2.0, 1.0]
