"""Heads and proofs of a log: signed when it has grown, and valid for every verifier."""

import json
import queue
from contextlib import closing

import pytest

from bot.core.casinos.log_heads import HEADS_EVERY_S, Heads, sign
from bot.core.rounds import log_proofs
from bot.core.rounds.witness import head_of_close
from bot.core.state.lounge import LOUNGE
from bot.core.state.transaction import State, Transaction
from bot.core.writer import Writer
from bot.verifier.records import verify_record
from engine.fairness.log import is_signed
from engine.fairness.merkle import is_included
from storage.faults import RowsRefused
from storage.questions import logs
from storage.rows import CasinoRow, LogHeadRow
from tests.cli.kept_logs import CASINO, KEY, SECRET, keep_an_evening
from tests.core.conftest import UTH, House
from tests.core.rounds import BEGAN, Rounds
from tests.core.test_casino_log import opened_in, published
from tests.engine.fairness.trees import GrowingTree, is_consistent
from tests.engine.fairness.writing import CHAIN
from tests.some import some
from tests.storage.drafts import write
from tests.stores import BOTH, opened_stores

AT = 2_000_000


@pytest.fixture(params=BOTH)
def stores(request):
    yield from opened_stores(request)


@pytest.fixture
def books(stores, tmp_path):
    with closing(stores.open(tmp_path / "data")) as opened:
        yield opened


def kept(books):
    log = logs.log(books, CASINO)
    assert log is not None
    return log


def size_of_head(house):
    head = house.head_of(CASINO)
    return head.size if head is not None else 0


def grow(house, count=1, casino=CASINO, number=None):
    transaction = Transaction(house)
    for _ in range(count):
        log = transaction.log_of(casino, number)
        transaction.log(casino, opened_in(log, log.time(AT)), number)
    published(house, transaction)


@pytest.fixture
def writer(books):
    write(books, CasinoRow(LOUNGE, "Lounge", "{}", 0.0), CasinoRow(CASINO, "Venice", "{}", 0.0))
    return Writer(books, clock=lambda: AT + 0.5, secret=SECRET)


def test_a_log_that_has_grown_is_signed_and_one_that_has_not_is_not(writer, books):
    house = writer.state
    writer.heads.sign()
    writer.round([], [])
    for count in (1, 5):
        grow(house, count)
        assert writer.heads.sign() == 1
        assert size_of_head(house) < house.log_of(CASINO).size, "shown when it is on disk"
        writer.round([], [])
        said = log_proofs.newest_head(books, kept(books))
        assert said is not None
        assert said["head"] == house.log_of(CASINO).head(AT + 1)
        assert is_signed(said["head"], said["signature"])
        assert size_of_head(house) == house.log_of(CASINO).size
        assert writer.heads.sign() == 0


def test_what_grew_before_a_start_is_signed_after_it(writer, books):
    grow(writer.state, 3)
    again = Writer(books, clock=lambda: AT + 9.0, secret=SECRET)
    assert again.heads.sign() >= 1
    again.round([], [])
    assert size_of_head(again.state) == 4


def test_a_log_that_was_left_is_signed_no_more_and_one_that_ended_is(writer):
    house = writer.state
    grow(house)
    transaction = Transaction(house)
    transaction.begin_log(CASINO, "the books were restored", AT)
    published(house, transaction)
    grow(house, 1, CASINO, 1)
    signed: list[LogHeadRow] = []
    heads = Heads(house, SECRET, lambda: AT, signed.extend)
    heads.sign()
    assert {(head.casino, head.log) for head in signed if head.casino == CASINO} == {(CASINO, 2)}
    transaction = Transaction(house)
    transaction.log(CASINO, {"k": "end", "to": str(LOUNGE), "at": transaction.log_of(CASINO).time(AT)})
    transaction.begin_log(CASINO, "it has left", AT)
    transaction.log(CASINO, opened_in(transaction.log_of(CASINO, 2), AT + 1), 2)
    published(house, transaction)
    signed.clear()
    heads.sign()
    assert {(head.casino, head.log) for head in signed} == {(CASINO, 2), (CASINO, 3)}


def test_a_log_that_is_signed_twice_at_one_size_keeps_the_first_head(writer, books):
    house = writer.state
    grow(house)
    for at in (AT + 1, AT + 2):
        writer.handling.take_head(sign(SECRET, house.log_of(CASINO), at))
    writer.round([], [])
    assert [head.at for head in logs.heads(books, CASINO, 1)][-1] == AT + 1
    assert size_of_head(house) == house.log_of(CASINO).size


def test_a_head_of_a_batch_that_fails_is_signed_anew(writer, stores):
    house = writer.state
    grow(house)
    assert writer.heads.sign() >= 1
    with stores.refusing(writer.books, "log_heads", "new.size > 0"):
        writer.round([], [])
    assert house.head_of(CASINO) is None
    assert writer.heads.sign() >= 1
    writer.round([], [])
    assert size_of_head(house) == 2


def test_no_size_of_a_log_has_two_heads(writer, books):
    grow(writer.state)
    head = sign(SECRET, writer.state.log_of(CASINO), AT)
    write(books, head)
    with pytest.raises(RowsRefused):
        write(books, head._replace(at=AT + 1))


@pytest.mark.long
def test_every_proof_from_the_books_holds(books):
    written = keep_an_evening(books)
    log, house = kept(books), State(books, key=KEY)
    entries = [entry.encode() for entry in logs.entries(books, CASINO, 1, 0, 10**6)]
    assert [json.loads(entry) for entry in entries[1:]] == written.entries[1:]
    tree = GrowingTree()
    for entry in entries:
        tree.append(entry)
    size = house.log_of(CASINO).size
    assert size == len(entries)
    for index in range(0, size, 7):
        (proof,) = log_proofs.inclusion(books, log, [index], size).values()
        assert proof == [node.hex() for node in tree.inclusion(index, size)]
        nodes = [bytes.fromhex(node) for node in proof]
        assert is_included(entries[index], index, size, nodes, log_proofs.root(books, log, size))
    for old in range(0, size + 1, 11):
        nodes = [bytes.fromhex(node) for node in log_proofs.consistency(books, log, old, size)]
        assert is_consistent(old, tree.root(old), size, tree.root(size), nodes)


@pytest.mark.long
def test_records_with_their_log_from_the_books_are_verified(books):
    written = keep_an_evening(books)
    log = kept(books)
    for hand, record in written.records.items():
        proven = log_proofs.log_of_record(books, log, written.lines[hand])
        said = verify_record(json.loads(json.dumps({**record, "log": proven})), KEY, CHAIN)
        assert said["verified"], hand


@pytest.mark.long
def test_what_no_head_covers_yet_has_no_proof(books):
    keep_an_evening(books)
    house = State(books, key=KEY)
    covered = house.log_of(CASINO).size
    grow(house)
    log = kept(books)
    assert log_proofs.log_of_record(books, log, [covered]) is None
    assert log_proofs.log_of_record(books, log, [covered - 1]) is not None
    assert log_proofs.log_of_record(books, log, []) is None


@pytest.mark.slow
def test_a_casino_that_stops_signs_what_nobody_has_signed_yet(stores, tmp_path):
    with closing(stores.open(tmp_path / "stopping")) as books:
        write(books, CasinoRow(LOUNGE, "Lounge", "{}", 0.0), CasinoRow(CASINO, "Venice", "{}", 0.0))
        writer = Writer(books, secret=SECRET)
        writer.start()
        grow(writer.state, 4)
        writer.stop()
        head = some(logs.newest_head(books, CASINO, 1))
        assert head.size == logs.size_of_log(books, CASINO, 1) == 5


@pytest.mark.slow
def test_a_house_that_runs_signs_by_itself(stores, tmp_path, monkeypatch):
    monkeypatch.setattr("bot.core.casinos.log_heads.HEADS_EVERY_S", 0.01)
    with closing(stores.open(tmp_path / "running")) as books:
        write(books, CasinoRow(LOUNGE, "Lounge", "{}", 0.0), CasinoRow(CASINO, "Venice", "{}", 0.0))
        grow(State(books, key=KEY), 4)
        writer = Writer(books, secret=SECRET)
        writer.start()
        try:
            for _ in range(500):
                if (head := writer.state.heads.get((CASINO, 1))) is not None:
                    break
                writer._thread.join(0.01)
        finally:
            writer.stop()
        assert head is not None
        assert isinstance(head, LogHeadRow)
        assert head == logs.newest_head(books, CASINO, 1)


@pytest.mark.slow
def test_a_running_house_covers_a_close_at_once_and_only_then_asks_for_its_round(tmp_path):
    house = House(tmp_path, beacon=Rounds(), began=BEGAN)
    house.do("anna bet 20", table=UTH)
    writer, changed = house.writer, queue.SimpleQueue[set[int]]()
    writer.subscribe(changed.put)
    writer.start()
    try:
        house.clock.now = some(house.table(UTH).round.deadline)
        while (table := house.table(UTH)).round.waits is None or head_of_close(writer.state, table) is None:
            assert UTH in changed.get(timeout=HEADS_EVERY_S / 2)
    finally:
        writer.stop()
    assert house.beacon.wanted == {table.round.waits.round}
    house.close()
