"""Guarantees of every store, whatever its engine: batches are whole or missing, and only one node writes."""

import threading
from contextlib import closing
from typing import cast

import pytest

from storage.confusables import skeletons_of
from storage.faults import BooksError, BooksGone, LeaseLost, RowsRefused
from storage.ledger import Draft
from storage.questions import people
from storage.questions.hands import rules_of_hands
from storage.restored import next_number
from storage.rows import (
    AnswerRow,
    AuditRow,
    CasinoRow,
    HandRow,
    MemberRow,
    PlaceRow,
    PlayerRow,
    PostingRow,
    ResultRow,
    Row,
    TableRow,
)
from storage.store import opened
from tests.disk import ask, rows_of
from tests.questions import is_there
from tests.storage.drafts import draft_on, post, with_a_hand, write


def test_a_batch_is_written_whole(books):
    books.write(post(with_a_hand(books, player_1_1=100), "player:1:1", "hand:7", 30))
    assert ask(books, "SELECT name, balance FROM accounts ORDER BY name") == [("hand:7", 30), ("player:1:1", 70)]
    assert [row.amount for row in rows_of(books, PostingRow)] == [30]


@pytest.mark.parametrize(
    "spoil",
    [
        lambda draft: draft.balances.update({"player:1:1": -1}),
        lambda draft: draft.put(PostingRow(1.0, "hand:7", "hand:7", 5, "self", 7, None)),
        lambda draft: draft.put(PostingRow(1.0, "hand:7", "bank:1", 0, "nothing", 7, None)),
        lambda draft: draft.put(PostingRow(1.0, "hand:7", "bank:1", 5, "again", 7, "bet 1")),
        lambda draft: draft.put(PostingRow(1.0, "hand:7", "bank:1", 5, "no such hand", 8, "bet 1")),
        lambda draft: draft.put(HandRow(7, 1, 1, "caribbean", "lost", b"", "{}", 0.0, None)),
        lambda draft: [draft.put(AnswerRow("key", "again", 1.0)) for _ in range(2)],
        lambda draft: draft.put(PostingRow(1.0, "hand:7", "bank:1", cast(int, 4.5), "half a unit", 7, "bet 2")),
        lambda draft: draft.balances.update({"player:1:1": 70.5}),
        lambda draft: draft.put(ResultRow(7, 1, 1, "uth", cast(int, 10.5), 0, 1.0)),
    ],
    ids=[
        "below zero",
        "to itself",
        "nothing",
        "paid twice",
        "foreign hand",
        "status",
        "doubled key",
        "half a posting",
        "half a balance",
        "half a result",
    ],
)
def test_a_row_that_the_schema_refuses_takes_the_whole_batch_with_it(books, spoil):
    draft = post(with_a_hand(books, player_1_1=100), "player:1:1", "hand:7", 30)
    spoil(draft)
    with pytest.raises(RowsRefused):
        books.write(draft)
    for table in ("accounts", "postings", "hands", "casinos", "answers"):
        assert ask(books, f"SELECT count(*) FROM {table}") == [(0,)]


@pytest.mark.parametrize(
    "row",
    [AuditRow(1.0, 1, 2**64, "", "", "", "", ""), AuditRow(1.0, 1, 1, "\ud800", "", "", "", "")],
    ids=["too large", "half a letter"],
)
def test_a_value_that_fits_into_no_column_takes_its_batch_with_it_and_not_the_books(books, row):
    gone: list[BaseException] = []
    books.on_gone = gone.append
    with pytest.raises(RowsRefused):
        books.write(draft_on(books, AnswerRow("key", "said", 1.0), row, bank_1=-5))
    assert books.balance("bank:1") == 0
    assert books.answers(["key"]) == {}
    assert gone == []


def test_the_bank_and_the_mint_may_owe(books):
    books.write(draft_on(books, bank_1=-5, mint_1=-7))
    assert (books.balance("bank:1"), books.balance("mint:1"), books.balance("player:1:1")) == (-5, -7, 0)


def test_nothing_is_paid_twice_in_a_later_batch_either(books):
    books.write(post(with_a_hand(books, hand_7=100), "hand:7", "bank:1", 30, "event 9"))
    with pytest.raises(RowsRefused, match=r"postings.hand.*event"):
        books.write(post(Draft(books), "hand:7", "bank:1", 30, "event 9"))
    assert books.balance("hand:7") == 70


@pytest.mark.parametrize("sql", ["UPDATE postings SET amount = 1", "DELETE FROM postings"])
def test_postings_are_append_only(stores, books, sql):
    books.write(post(with_a_hand(books, hand_7=100), "hand:7", "bank:1", 30))
    with pytest.raises(Exception, match="postings never"):
        stores.change(books, sql)


def test_answers_are_found_by_key_and_forgotten_by_age(books):
    books.write(draft_on(books, AnswerRow("a", "one", 100.0), AnswerRow("b", "two", 200.0)))
    assert books.answers(["a", "b", "c"]) == {"a": "one", "b": "two"}
    assert books.answers([]) == {}
    assert not books.forget_answers(150.0), "nothing more that is old"
    assert books.answers(["a", "b"]) == {"b": "two"}


def test_old_answers_go_in_slices_so_that_nobody_waits_long(books):
    books.write(draft_on(books, *(AnswerRow(f"key {n}", "said", float(n)) for n in range(10))))
    assert books.forget_answers(5.0, most=3)
    assert sorted(books.answers(f"key {n}" for n in range(10))) == [f"key {n}" for n in range(3, 10)]
    assert not books.forget_answers(5.0, most=3)
    assert sorted(books.answers(f"key {n}" for n in range(10))) == [f"key {n}" for n in range(5, 10)]


def test_a_thousand_keys_are_looked_up_at_once(books):
    assert books.answers(f"key {number}" for number in range(1000)) == {}


@pytest.mark.parametrize("key", ["a\0b", "\0"])
def test_a_key_that_no_store_need_keep_was_never_answered_and_is_no_fault(books, key):
    assert books.answers([key, "another"]) == {}
    assert people.account_called(books, "post", key) is None


def test_rows_come_back_as_they_were_given(books):
    """Rows are exact to the last bit of a time, letter of a name, and byte of a seed; JSON is as it was written."""
    casino = CasinoRow(1, "Ca' Vendramin ♠ \U0001f0a1", '{"a":  1, "a": "\\u0000"}', 1_700_000_000.1234567)
    rows: list[Row] = [
        casino,
        PlayerRow(1, "anna", "en", "{}", 0.1 + 0.2),
        MemberRow(1, 1, 1e-300, "{}"),
        TableRow(1, 1, "stud", "open", "no json"),
        PlaceRow("web", "1", 1, None, 0),
        HandRow(7, 1, 1, "stud", "betting", bytes(range(256)), "{}", 2.0**53 + 2, None),
        PostingRow(1.5, "mint:1", "player:1:1", 2**62, "why", None, None),
    ]
    write(books, *rows)
    for row in rows:
        assert rows_of(books, type(row)) == [row]
        assert is_there(books, row)
    assert not is_there(books, casino._replace(name="Another"))


def test_a_row_with_a_key_replaces_the_one_before(books):
    write(books, PlayerRow(1, "anna", "en", "{}", 0.0), CasinoRow(1, "Lounge", "{}", 0.0))
    write(books, PlayerRow(1, "Anna", "it", "{}", 1.0), CasinoRow(1, "Ridotto", "{}", 0.0))
    assert rows_of(books, PlayerRow) == [PlayerRow(1, "Anna", "it", "{}", 1.0)]
    assert rows_of(books, CasinoRow) == [CasinoRow(1, "Ridotto", "{}", 0.0)]


def test_the_next_number_is_above_all_that_are_there(stores, tmp_path):
    with closing(stores.open(tmp_path)) as books:
        assert (next_number(books, PlayerRow), next_number(books, HandRow)) == (1, 1)
        write(books, PlayerRow(7, "anna", "en", "{}", 0.0))
        assert (next_number(books, PlayerRow), next_number(books, HandRow)) == (8, 1)


def test_what_is_appended_is_numbered_in_the_order_in_which_it_was_put(books):
    write(books, *(AnswerRow(f"key {number}", "said", 1.0) for number in range(50)))
    assert [key for (key,) in ask(books, "SELECT key FROM answers ORDER BY id")] == [f"key {n}" for n in range(50)]


def test_names_compare_by_their_letters_and_accounts_lie_by_their_bytes(books):
    called = {1: "Özge", 2: "ÖZGE", 3: "Дима", 4: "Jose\u0301", 5: "Ben", 6: "B\u0435n", 7: "Strauß", 8: "Old"}
    merged = {2: '{"merged": 1}', 8: '{"merged": 1}'}
    write(books, *(PlayerRow(id, name, "en", merged.get(id, "{}"), 0.0) for id, name in called.items()))
    write(books, CasinoRow(1, "Lounge", "{}", 0.0), CasinoRow(2, "Other", "{}", 0.0))
    members = [
        MemberRow(1, id, 0.0, "{}", name, 1 + (id == 6), *skeletons_of(name)) for id, name in called.items() if id < 8
    ]
    write(books, *members, MemberRow(2, 3, 0.0, "{}", "Ben", 1, *skeletons_of("Ben")))
    wanted = {"özge": [1], "дима": [3], "Jos\xe9": [4], "ben": [5, 6], "STRAUSS": [7], "x": []}
    assert {name: people.players_named(books, 1, name, 5) for name in wanted} == wanted
    assert people.players_named(books, 1, "ben", 5, number=2) == [6]
    write(books, MemberRow(1, 8, 0.0, "{}", "Old", 1, *skeletons_of("Old")))
    assert people.players_named(books, 1, "old", 5) == [1], "the player that they have become"
    assert people.players_named(books, 2, "ben", 5) == [3], "the name that a player has in this casino"
    assert people.members_called(books, 1, "ÖZ", 5) == [1], "and nobody twice"
    assert people.members_called(books, 1, "им", 5) == [3]
    assert people.numbers_named(books, 1, skeletons_of("BEN"), 3) == (1, 2)
    assert people.numbers_named(books, 1, skeletons_of("BEN"), 6) == (1, 1)
    assert people.numbers_named(books, 1, skeletons_of("nobody"), 6) is None
    write(books, **{"player:10:1": 1, "player:1:2": 2, "player:1:": 0})
    names = [name for (name,) in ask(books, "SELECT name FROM accounts ORDER BY name")]
    assert names == ["player:10:1", "player:1:", "player:1:2"]


def test_rules_are_told_of_hands_whose_deals_can_be_read(books):
    casino, table = CasinoRow(1, "Lounge", "{}", 0.0), TableRow(1, 1, "stud", "open", "{}")
    deals = {1: '{"rules": 3}', 2: "{}", 3: "no json"}
    hands = [HandRow(id, 1, 1, "stud", "over", b"", deal, 0.0, 1.0) for id, deal in deals.items()]
    write(books, casino, table, *hands)
    assert sorted(rules_of_hands(books, deals)) == [(1, "stud", 3), (2, "stud", None)]


def in_a_thread(work):
    seen = []
    thread = threading.Thread(target=lambda: seen.append(work()))
    thread.start()
    thread.join()
    return seen[0]


def test_who_reads_from_another_thread_sees_what_is_committed(books):
    write(books, bank_1=-5, player_1_1=5)
    assert in_a_thread(lambda: books.balance("bank:1")) == -5
    write(books, bank_1=-7)
    assert in_a_thread(lambda: books.balance("bank:1")) == -7


def test_a_snapshot_is_one_moment_and_never_writes(stores, books):
    write(books, bank_1=-1)
    with books.snapshot() as seen:
        assert seen.balance("bank:1") == -1
        write(books, bank_1=-2)
        assert seen.balance("bank:1") == -1
        with pytest.raises(Exception, match=r"read-?only|not authorized"):
            stores.change(seen, "DELETE FROM accounts")
    assert books.balance("bank:1") == -2


def test_books_are_there_with_all_they_hold_when_they_are_opened_again(stores, tmp_path):
    store = stores.of(tmp_path)
    with opened(store) as books:
        assert books.is_new
        write(books, CasinoRow(1, "Lounge", "{}", 0.0), bank_1=-5)
    with opened(store) as books:
        assert not books.is_new
        assert books.balance("bank:1") == -5
    with store.reading() as seen:
        assert seen.balance("bank:1") == -5


def test_a_second_house_is_refused_in_a_sentence_and_the_first_goes_on(stores, books):
    with pytest.raises(
        BooksError, match=r"(in use by another process|Another process has opened .*)[.:] [Ss]top it first\."
    ):
        stores.of(books.folder).open()
    write(books, bank_1=-5)
    books.tend(100.0)
    assert books.balance("bank:1") == -5


def test_who_has_lost_the_books_to_another_house_writes_nothing_any_more(stores, books):
    write(books, AnswerRow("key", "said", 1.0), bank_1=-5)
    gone: list[BaseException] = []
    books.on_gone = gone.append
    stores.take_away(books)
    with pytest.raises(LeaseLost, match=r"Another process has opened .*This process has stopped"):
        write(books, bank_1=-6)
    with pytest.raises(LeaseLost):
        books.forget_answers(5.0)
    with pytest.raises(LeaseLost):
        books.check()
    assert len(gone) == 3
    with stores.of(books.folder).reading() as seen:
        assert (seen.balance("bank:1"), len(rows_of(seen, AnswerRow))) == (-5, 1)


def test_books_that_take_no_more_say_what_to_do_and_are_no_bug(stores, books):
    write(books, bank_1=-5)
    gone: list[BaseException] = []
    books.on_gone = gone.append
    sentence = stores.stop_writes(books)
    with pytest.raises(BooksGone, match=sentence) as raised:
        write(books, *(AnswerRow(f"key {number}", "long " * 1000, 1.0) for number in range(20)), bank_1=-6)
    assert gone == [raised.value]
    assert not isinstance(raised.value, Exception)
    with stores.of(books.folder).reading() as seen:
        assert (seen.balance("bank:1"), rows_of(seen, AnswerRow)) == (-5, [])


def test_what_a_row_holds_is_not_told_with_its_refusal(books):
    """A row may contain the seed of a hand in play."""
    with pytest.raises(RowsRefused) as refused:
        write(books, HandRow(7, 1, 1, "stud", "betting", b"the-seed", '{"secret": "seven"}', 0.0, None))
    assert "the-seed" not in str(refused.value)
    assert "seven" not in str(refused.value)
    assert "7468652d73656564" not in str(refused.value)


def test_a_backup_is_one_file_of_all_there_is_and_never_overwrites(stores, books, tmp_path):
    write(books, PlayerRow(1, "anna", "en", "{}", 0.0), bank_1=-5, player_1_1=5)
    store = stores.of(books.folder)
    store.back_up(tmp_path / "backup")
    write(books, bank_1=-6)
    with pytest.raises(BooksError, match="already exists"):
        store.back_up(tmp_path / "backup")
    again = stores.of(tmp_path / "again")
    with pytest.raises(BooksError, match="is not empty"):
        again.restore(tmp_path / "backup")


def test_an_empty_store_has_no_books(stores, tmp_path):
    with closing(stores.open(tmp_path / "data")):
        pass
    assert stores.of(tmp_path / "data").is_there()
    assert stores.of(tmp_path / "data").find_loss() is None
