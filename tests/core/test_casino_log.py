"""A casino's log as it is written: appended with what it records, or not at all, and never twice."""

import json
from contextlib import closing

import pytest

from bot.core.casinos import log_starts
from bot.core.state.casino_log import read_log
from bot.core.state.lounge import LOUNGE
from bot.core.state.transaction import State, Transaction
from bot.core.writer import Writer
from engine.fairness import log
from engine.fairness.commitment import commit_to, make_commitment
from engine.fairness.ed25519 import public_key
from engine.fairness.shape import Wrong
from engine.games import GAMES
from storage import restored as restored_books
from storage.faults import RowsRefused
from storage.questions import logs
from storage.restored import next_number
from storage.rows import CasinoRow, HandRow, TableRow
from tests.engine.fairness.trees import GrowingTree
from tests.storage.drafts import write
from tests.stores import BOTH, opened_stores

KEY = public_key(bytes(32)).hex()
AT = 1_000_000


@pytest.fixture(params=BOTH)
def stores(request):
    yield from opened_stores(request)


@pytest.fixture
def books(stores, tmp_path):
    with closing(stores.open(tmp_path / "data")) as opened:
        write(opened, CasinoRow(LOUNGE, "Lounge", "{}", 0.0), CasinoRow(2, "Venice", "{}", 0.0))
        yield opened


def commitment_in(of, seed=b"s" * 32, hand="7"):
    options = GAMES["uth"].parse_options({})
    return make_commitment(
        house=of.house,
        casino=str(of.casino),
        log=of.number,
        table="3",
        hand=hand,
        game="uth",
        options=options,
        previous="",
        server=seed,
    )


def opened_in(of, at=AT, seed=b"s" * 32):
    return log.opened(commit_to(commitment_in(of, seed)), seed, "the table was closed", at)


def published(house, transaction):
    house.books.write(transaction)
    house.publish(transaction)


def test_a_first_use_begins_the_first_log(books):
    house = State(books, key=KEY)
    transaction = Transaction(house)
    of = transaction.log_of(LOUNGE)
    assert (of.number, of.house, of.size) == (1, KEY, 0)
    assert transaction.log(LOUNGE, log.committed(commitment_in(of), AT)) == 1
    assert transaction.log_of(LOUNGE).size == 2
    assert house.log_of(LOUNGE).size == 0, "nothing is published yet"
    published(house, transaction)
    first, second = map(json.loads, logs.entries(books, LOUNGE, 1, 0, 2))
    assert (first["k"], first["log"], first["after"], first["at"]) == ("begin", 1, {}, AT)
    assert second == log.committed(commitment_in(of), AT)
    assert house.log_of(LOUNGE).size == 2
    assert house.log_of(2).size == 0, "each casino has its own"


def test_all_nodes_are_kept_and_what_is_read_again_goes_on_as_before(books):
    house, tree = State(books, key=KEY), GrowingTree()
    for number in range(40):
        transaction = Transaction(house)
        transaction.log(LOUNGE, opened_in(transaction.log_of(LOUNGE), AT + number))
        published(house, transaction)
        of = house.log_of(LOUNGE)
        for entry in logs.entries(books, LOUNGE, 1, tree.size, of.size):
            tree.append(entry.encode())
        assert of.head(AT)["root"] == tree.root().hex()
        assert read_log(books, LOUNGE) == of
    places = {(level, index) for level in range(6) for index in range(tree.size >> level)}
    kept = logs.nodes(books, LOUNGE, 1, places)
    assert kept == {(level, index): tree._nodes.get(level, index) for level, index in places}


def test_what_is_undone_was_not_appended(books):
    house = State(books, key=KEY)
    transaction = Transaction(house)
    transaction.log(LOUNGE, opened_in(transaction.log_of(LOUNGE)))
    transaction.keep_changes()
    transaction.log(LOUNGE, opened_in(transaction.log_of(LOUNGE), AT + 5))
    transaction.undo()
    assert transaction.log(LOUNGE, opened_in(transaction.log_of(LOUNGE), AT + 1)) == 2
    published(house, transaction)
    assert [json.loads(entry)["at"] for entry in logs.entries(books, LOUNGE, 1, 0, 9)] == [AT, AT, AT + 1]


def test_the_schema_refuses_a_doubled_index_with_all_of_its_batch(books):
    house, other = State(books, key=KEY), State(books, key=KEY)
    assert house.log_of(LOUNGE) == other.log_of(LOUNGE)
    for one in (house, other):
        transaction = Transaction(one)
        assert transaction.log(LOUNGE, opened_in(transaction.log_of(LOUNGE))) == 1
        if one is house:
            published(house, transaction)
    transaction.audit(1.0, LOUNGE, 0, "with it", "", "")
    with pytest.raises(RowsRefused):
        books.write(transaction)
    assert logs.size_of_log(books, LOUNGE, 1) == 2
    assert books._select("SELECT count(*) FROM audit") == [(0,)]


def test_entries_never_change_and_never_go(books, stores):
    house = State(books, key=KEY)
    transaction = Transaction(house)
    transaction.log(LOUNGE, opened_in(transaction.log_of(LOUNGE)))
    published(house, transaction)
    for sql in ("UPDATE log_entries SET entry = 'x'", "DELETE FROM log_entries"):
        with pytest.raises(Exception, match="entries of a log never"):
            stores.change(books, sql)


def test_what_may_not_stand_there_is_refused_and_changes_nothing(books):
    transaction = Transaction(State(books, key=KEY))
    of = transaction.log_of(LOUNGE)
    transaction.log(LOUNGE, opened_in(of))
    transaction.keep_changes()
    elsewhere = log.committed(commitment_in(transaction.log_of(2)), AT)
    for entry, why in (
        (opened_in(of, AT - 1), "times never fall"),
        (elsewhere, "belongs into another log"),
        (log.begin(1, {}, "again", AT), "begins by itself"),
    ):
        with pytest.raises(Wrong, match=why):
            transaction.log(LOUNGE, entry)
    assert transaction.log_of(LOUNGE).size == 2
    assert not transaction.has_news


def test_times_of_entries_are_whole_rounded_up_and_never_fall(books):
    transaction = Transaction(State(books, key=KEY))
    assert transaction.log_of(LOUNGE).time(AT + 0.2) == AT + 1
    transaction.log(LOUNGE, opened_in(transaction.log_of(LOUNGE), AT + 1))
    assert transaction.log_of(LOUNGE).time(AT - 50.0) == AT + 1


def test_after_a_lost_key_the_next_log_begins_and_seeds_are_shown_in_the_old_one(stores, tmp_path):
    with closing(stores.open(tmp_path / "house")) as books:
        house = Writer(books, clock=lambda: AT, secret=bytes(32)).state
        transaction = Transaction(house)
        transaction.log(LOUNGE, opened_in(transaction.log_of(LOUNGE), AT + 1))
        published(house, transaction)
        head = house.log_of(LOUNGE).head(house.log_of(LOUNGE).last_at)
        again = Writer(books, clock=lambda: AT + 9, secret=bytes(range(32))).state
        of = again.log_of(LOUNGE)
        assert (of.number, of.house) == (2, public_key(bytes(range(32))).hex())
        assert "signs with a new key" in str(again.tables_in(LOUNGE)[0].told(AT + 9))
        (entry,) = logs.entries(books, LOUNGE, 2, 0, 1)
        log.check_entry(json.loads(entry))
        assert (json.loads(entry)["after"], json.loads(entry)["why"]) == (head, log_starts.LOST_KEY)
        transaction, left = Transaction(again), again.log_of(LOUNGE, 1)
        assert transaction.log(LOUNGE, opened_in(of, AT + 10), 1) == left.size >= head["size"]
        published(again, transaction)
        assert read_log(books, LOUNGE, 1) == again.log_of(LOUNGE, 1)
        third = Writer(books, clock=lambda: AT + 99, secret=bytes(range(32))).state
        assert third.log_of(LOUNGE).number == 2, "the same key goes on"


@pytest.mark.long
def test_after_a_restore_every_log_begins_anew_once_and_numbers_go_on_above_a_gap(stores, tmp_path):
    store = stores.of(tmp_path / "house")
    with closing(store.open()) as books:
        house = Writer(books, clock=lambda: AT, secret=bytes(32)).state
        transaction = Transaction(house)
        transaction.log(LOUNGE, opened_in(transaction.log_of(LOUNGE), AT + 1))
        published(house, transaction)
        number, head = house.log_of(LOUNGE).number, house.log_of(LOUNGE).head(house.log_of(LOUNGE).last_at)
        hand, table = (max(row[0] for row in books._select(f"SELECT id FROM {name}")) for name in ("hands", "tables"))
    store.back_up(tmp_path / "copy")
    restored = stores.empty(tmp_path / "restored")
    restored.restore(tmp_path / "copy")
    with closing(restored.open()) as books:
        assert next_number(books, HandRow) == hand + restored_books.GAP + 1
        assert next_number(books, TableRow) == table + restored_books.GAP + 1
        house = Writer(books, clock=lambda: AT + 9, secret=bytes(32)).state
        assert house.log_of(LOUNGE).number == number + 1
        assert "was restored" in str(house.tables_in(LOUNGE)[0].told(AT + 9))
        (entry,) = logs.entries(books, LOUNGE, number + 1, 0, 1)
        log.check_entry(json.loads(entry))
        assert (json.loads(entry)["after"], json.loads(entry)["why"]) == (head, log_starts.RESTORED)
        assert Writer(books, clock=lambda: AT + 9, secret=bytes(32)).state.log_of(LOUNGE).number == number + 1
    with closing(restored.open()) as books:
        assert next_number(books, TableRow) > table + restored_books.GAP, "the gap stays, whatever was given meanwhile"


def test_an_ended_log_takes_seeds_alone_until_the_next_begins(books):
    house = State(books, key=KEY)
    transaction = Transaction(house)
    transaction.log(2, opened_in(transaction.log_of(2)))
    transaction.log(2, log.ended("1", AT))
    published(house, transaction)
    assert read_log(books, 2) == house.log_of(2)
    transaction = Transaction(house)
    with pytest.raises(Wrong, match="after the end of a log"):
        transaction.log(2, log.committed(commitment_in(transaction.log_of(2)), AT))
    assert transaction.log(2, opened_in(transaction.log_of(2), AT + 1)) == 3
    assert transaction.begin_log(2, "it has left", AT + 2).number == 2
    assert transaction.log(2, log.committed(commitment_in(transaction.log_of(2)), AT + 2)) == 1
    assert transaction.log(2, opened_in(transaction.log_of(2), AT + 2), 1) == 4
    published(house, transaction)
    assert (read_log(books, 2), read_log(books, 2, 1)) == (house.log_of(2), house.log_of(2, 1))
