"""Open stores whose files are deleted or replaced, opened by another process, and checkpointed meanwhile."""

import os
import shutil
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing, contextmanager

import pytest

from storage import log as logs
from storage import sqlite
from storage.faults import BooksGone
from storage.integrity import WITNESS
from storage.log import WAITS_S, log_of, size_of
from storage.log_index import FRAME_HEAD
from storage.sqlite import FILE, LOCK, SqliteBooks, copy, find_loss, reading, restore
from tests.disk import ask
from tests.patience import wait_until
from tests.storage.test_wholeness import LOG, chips, drip, open_casino


@pytest.fixture
def books(tmp_path):
    with closing(open_casino(tmp_path / "books")) as opened:
        drip(opened, 10)
        yield opened


def put_others(books, name):
    """Replace one of the files by that of another store."""
    with closing(open_casino(books.path.parent.parent / "others")) as others:
        drip(others)
        os.replace(others.path.with_name(name), books.path.with_name(name))
        others.is_lost = True


def unlink(*names):
    return lambda books: [books.path.with_name(name).unlink() for name in names]


def replace(name):
    return lambda books: put_others(books, name)


def cut(length):
    return lambda books: os.truncate(log_of(books.path), length)


def cut_all_but(count):
    return lambda books: os.truncate(log_of(books.path), size_of(books.path) - count)


def write_into(books):
    with open(books.path, "r+b") as file:
        file.write(b"something else " * 500)


LOST = {
    "main file deleted": (unlink(FILE), f"{FILE} was deleted or replaced"),
    "log deleted": (unlink(LOG), f"{LOG} was deleted or replaced"),
    "all deleted": (unlink(FILE, LOG, f"{FILE}-shm"), f"{FILE} was deleted or replaced"),
    "main file replaced": (replace(FILE), f"{FILE} was deleted or replaced"),
    "log replaced": (replace(LOG), f"{LOG} was deleted or replaced"),
    "log emptied": (cut(0), f"{LOG} was cut short"),
    "head of log cut": (cut(16), f"{LOG} was cut short"),
    "log cut after its head": (cut(32), f"{LOG} was cut short"),
    "log cut within a page": (cut(4096), f"{LOG} was cut short"),
    "last byte of log cut": (cut_all_but(1), f"{LOG} was cut short"),
}


@pytest.mark.parametrize(("harm", "sentence"), LOST.values(), ids=LOST)
def test_files_that_go_are_told_at_the_next_look_and_what_was_in_them_is_saved(books, tmp_path, harm, sentence):
    books.tend(0.0)
    gone: list[BaseException] = []
    books.on_gone = gone.append
    harm(books)
    with pytest.raises(BooksGone, match=f"{sentence} while the casino was running. The casino has stopped") as raised:
        books.tend(0.5)
    assert gone == [raised.value]
    saved = books.path.with_name("saved-1.sqlite3")
    assert f"restore {saved}`" in str(raised.value)
    restore(saved, tmp_path / "new")
    assert chips(tmp_path / "new") == 10


@pytest.mark.parametrize("length", [0, 16, 32, 4096, 10_000])
def test_a_log_that_is_cut_just_before_a_batch_is_told_before_that_is_acknowledged(books, tmp_path, length):
    os.truncate(log_of(books.path), length)
    said = books.batch
    with pytest.raises(BooksGone, match=f"{LOG} was cut short while the casino was running. The casino has stopped"):
        drip(books)
    assert books.batch == said
    with pytest.raises(BooksGone):
        drip(books)
    restore(books.path.with_name("saved-1.sqlite3"), tmp_path / "new")
    assert chips(tmp_path / "new") >= 10


def test_a_cut_of_the_log_that_a_read_stumbles_over_is_told_and_all_is_saved(books, tmp_path):
    os.truncate(log_of(books.path), 4096)
    told: list[BaseException] = []

    def read():
        try:
            books.balance("player:1:1")
        except BooksGone as gone:
            told.append(gone)

    reader = threading.Thread(target=read)
    reader.start()
    reader.join()
    assert f"{LOG} was cut short" in str(told[0])
    restore(books.path.with_name("saved-1.sqlite3"), tmp_path / "new")
    assert chips(tmp_path / "new") == 10


def test_what_lies_in_the_place_of_the_files_is_not_touched_when_the_house_ends(tmp_path):
    books = open_casino(tmp_path / "books")
    for name in (FILE, LOG):
        (books.path.parent / name).unlink()
        (books.path.parent / name).write_text("somebody else's")
    with pytest.raises(BooksGone):
        books.tend(0.0)
    books.close()
    assert [(books.path.parent / name).read_text() for name in (FILE, LOG)] == ["somebody else's"] * 2


def test_a_main_file_that_is_written_over_is_told_and_nothing_of_it_is_saved(books):
    books.tend(0.0)
    write_into(books)
    with pytest.raises(
        BooksGone, match=r"was written by another program .* Put back what was there, or restore a backup"
    ):
        books.tend(0.5)
    assert not list(books.path.parent.glob("saved*"))


@pytest.mark.parametrize("name", [LOCK, WITNESS])
def test_a_lock_or_a_witness_that_is_removed_stops_the_house_in_good_order(tmp_path, name):
    with closing(open_casino(tmp_path / "books")) as books:
        drip(books, 10)
        books.path.with_name(name).unlink()
        with pytest.raises(
            BooksGone, match=f"{name} was deleted or replaced .* A second process could have started; start"
        ):
            books.tend(0.0)
    assert not books.is_lost
    assert chips(tmp_path / "books") == 10


def test_nothing_is_wrong_with_files_that_were_only_read_or_copied(books, tmp_path):
    copy(books.path, tmp_path / "backup")
    shutil.copytree(books.path.parent, tmp_path / "copied")
    with reading(books.path) as reader:
        assert reader.balance("player:1:1") == 10
    for now in range(20):
        drip(books)
        books.tend(float(now))


CHECKPOINT = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchone())"


def carry(books, mode):
    """Checkpoint by another connection, as a database browser would."""
    with closing(sqlite3.connect(books.path)) as other:
        return other.execute(f"PRAGMA wal_checkpoint({mode})").fetchone()


MODES = ("PASSIVE", "FULL", "RESTART", "TRUNCATE")


@pytest.mark.parametrize("mode", MODES)
def test_a_checkpoint_of_another_program_ends_nothing(tmp_path, mode):
    with closing(open_casino(tmp_path / "books")) as books:
        for count in range(1, 6):
            drip(books, count)
            assert carry(books, mode)[0] == 0
            for _ in range(2):
                books.tend(0.0)
            drip(books)
            carry(books, mode)
            drip(books)
            books.tend(0.1)
        assert not list(books.path.parent.glob("saved*"))
    assert chips(tmp_path / "books") == 25


def test_a_checkpoint_of_another_process_ends_nothing(books):
    said = subprocess.run(
        [sys.executable, "-c", CHECKPOINT, books.path, "PRAGMA wal_checkpoint(TRUNCATE)"],
        capture_output=True,
        check=True,
    )
    assert said.stdout.startswith(b"(0, ")
    assert not size_of(books.path)
    books.tend(0.0)
    drip(books)
    books.tend(0.1)


@pytest.mark.parametrize("mode", MODES)
def test_books_that_another_program_carried_home_are_whole_after_a_kill(books, tmp_path, mode):
    carry(books, mode)
    shutil.copytree(books.path.parent, tmp_path / "killed")
    assert find_loss(tmp_path / "killed" / FILE) is None
    assert chips(tmp_path / "killed") == 10


@pytest.mark.parametrize("mode", MODES)
def test_a_main_file_that_is_written_over_after_a_checkpoint_of_another_program_is_told(books, mode):
    carry(books, mode)
    books.tend(0.0)
    write_into(books)
    with pytest.raises(BooksGone, match="was written by another program"):
        books.tend(0.1)


@pytest.mark.parametrize("mode", ["PASSIVE", "RESTART"])
def test_a_log_that_is_emptied_by_hand_after_a_checkpoint_of_another_program_is_told(books, mode):
    carry(books, mode)
    books.tend(0.0)
    os.truncate(log_of(books.path), 0)
    with pytest.raises(BooksGone, match=f"{LOG} was cut short"):
        books.tend(0.1)


def test_a_log_that_is_emptied_while_it_is_compared_is_not_read_beyond_its_end(books):
    tail = books._log.tail
    index = tail._files.read_index()
    carry(books, "TRUNCATE")
    assert index.frames
    assert not tail._files.has_carried(tail._file, tail._frame - FRAME_HEAD, index)
    books.tend(0.0)


@pytest.mark.parametrize("mode", MODES)
def test_rows_that_another_program_writes_and_carries_home_are_told(books, mode):
    with closing(sqlite3.connect(books.path, isolation_level=None)) as other:
        other.execute("UPDATE accounts SET balance = balance + 1 WHERE name = 'player:1:1'")
    carry(books, mode)
    with pytest.raises(BooksGone, match=r"was written by another program|was cut short"):
        books.tend(0.1)


def test_checkpoints_of_another_program_among_batches_and_our_own(books):
    """Checkpoints run as often as time allows, while one thread writes and another reads."""
    ends, faults = threading.Event(), []

    def browse():
        while not ends.is_set():
            for mode in MODES:
                carry(books, mode)

    def look():
        while not ends.is_set():
            try:
                assert not books._find_harm()
            except BaseException as fault:
                faults.append(fault)

    others = [threading.Thread(target=one) for one in (browse, look)]
    for one in others:
        one.start()
    try:
        for now in range(150):
            drip(books)
            books.tend(float(now))
    finally:
        ends.set()
        for one in others:
            one.join()
    assert not faults
    books.tend(1000.0)
    assert books.balance("player:1:1") == 160


@contextmanager
def held(books):
    with closing(sqlite3.connect(books.path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other
        if other.in_transaction:
            other.execute("ROLLBACK")


def test_books_that_another_program_holds_are_waited_for_and_that_is_told(books, monkeypatch, caplog):
    monkeypatch.setattr(sqlite, "TOLD_AFTER_S", 0.0)
    with held(books) as other:
        writing = threading.Thread(target=drip, args=[books])
        writing.start()
        wait_until(lambda: books.held_up and caplog.messages)
        assert books.held_up == "another program has locked the books"
        assert books.batch == 11
        other.execute("ROLLBACK")
        writing.join()
    assert (books.held_up, books.batch) == (None, 12)
    assert [message.partition(f"{books.path}")[2] for message in caplog.messages] == [
        "; no command is answered until it ends, for at most 30 s",
        " is unlocked again",
    ]


def test_books_that_another_program_does_not_leave_end_the_house_and_nothing_is_written(books, monkeypatch):
    monkeypatch.setattr(sqlite, "HELD_S", 0.1)
    with held(books), pytest.raises(BooksGone, match=r"database is locked.*stop the other program that locks them"):
        drip(books)
    assert books.batch == 11


def test_a_house_that_ends_waits_for_no_other_program(books):
    ended: list[BaseException] = []

    def write():
        try:
            drip(books)
        except BooksGone as gone:
            ended.append(gone)

    with held(books):
        writing = threading.Thread(target=write)
        writing.start()
        wait_until(lambda: books.held_up)
        books._is_closing = True  # as `close` does first
        writing.join()
    assert "was closed while another program had locked it" in str(ended[0])


@pytest.fixture
def two(books):
    """Two stores on one folder: the first one's lock was removed."""
    books.path.with_name(LOCK).unlink()
    with closing(SqliteBooks(books.path.parent)) as second:
        yield books, second


def test_a_second_house_on_the_same_books_ends_the_first_at_its_next_batch(two):
    first, second = two
    with pytest.raises(BooksGone, match=r"Another process has opened .*This process has stopped"):
        drip(first)
    drip(second)
    assert second.balance("player:1:1") == 11
    assert ask(second, "SELECT sum(balance) FROM accounts") == [(0,)]


def test_a_second_house_ends_one_that_writes_nothing_as_well(two):
    first, _second = two
    with pytest.raises(BooksGone, match="Another process has opened"):
        first.tend(0.0)


def test_no_house_that_was_ended_says_that_the_books_are_closed(two, tmp_path):
    first, second = two
    drip(second)
    first.close()
    assert ask(second, "SELECT is_open FROM books") == [(1,)]
    drip(second)
    second.tend(0.0)
    second.close()
    assert chips(second.path.parent) == 12


def test_old_keys_are_not_forgotten_by_a_house_that_was_ended(two):
    first, second = two
    second.db.execute("INSERT INTO answers (key, answer, at) VALUES ('key', 'said', 1)")
    with pytest.raises(BooksGone, match="Another process has opened"):
        first.forget_answers(5.0)
    assert second.answers(["key"]) == {"key": "said"}


def tend(books, *times):
    """Checkpoint the log at these times, and wait for what that begins."""
    for now in times:
        books.tend(now)
        books._log.wait()


def main_file_alone(books):
    """Return the balance in the main file without its log."""
    alone = f"{books.path.as_uri()}?mode=ro&immutable=1"
    with closing(sqlite3.connect(alone, uri=True)) as conn:
        ((found,),) = conn.execute("SELECT balance FROM accounts WHERE name = 'player:1:1'").fetchall() or [(0,)]
    return found


def test_the_log_goes_home_after_a_second(books):
    tend(books, 100.0, 100.0 + WAITS_S / 2)
    assert main_file_alone(books) == 0
    tend(books, 100.0 + WAITS_S)
    assert main_file_alone(books) == 10


def test_the_log_goes_home_while_it_is_written_without_an_end(books):
    for step in range(9):
        drip(books)
        tend(books, 100.0 + step * WAITS_S / 4)
    assert main_file_alone(books) == 19


@pytest.mark.long
def test_a_log_that_went_home_begins_anew(books):
    """The log's file does not grow, however much is written."""
    sizes = []
    for step in range(60):
        drip(books, 20)
        tend(books, 100.0 + step * WAITS_S)
        sizes.append(size_of(books.path))
    assert max(sizes) < 3 * sizes[1]


def test_who_reads_for_long_holds_the_log_and_is_told_of(books, monkeypatch, caplog):
    monkeypatch.setattr(logs, "HELD_BYTES", 10_000)
    with reading(books.path) as reader:
        assert reader.balance("player:1:1") == 10
        drip(books, 20)
        tend(books, 100.0, 100.0 + WAITS_S)
        assert main_file_alone(books) < 30
        assert "stop long readers (doctor, backup)" in caplog.text
    tend(books, 100.0 + 2 * WAITS_S)
    assert main_file_alone(books) == 30


@pytest.mark.long
@pytest.mark.parametrize("all_of_it", [True, False], ids=["all of it", "beside the commits"])
def test_batches_are_written_while_the_log_goes_home_and_none_is_lost(tmp_path, all_of_it):
    """The log may restart at that moment, where SQLite before 3.51.3 has a bug."""
    with closing(open_casino(tmp_path / "books")) as books:
        ends = threading.Event()

        def carry():
            while not ends.is_set():
                books._log.carry_home(all_of_it=all_of_it)

        carrier = threading.Thread(target=carry)
        carrier.start()
        drip(books, 300)
        ends.set()
        carrier.join()
        assert books._log.carry_home(all_of_it=True)
        assert main_file_alone(books) == 300
    with reading(tmp_path / "books" / FILE) as left:
        assert ask(left, "PRAGMA integrity_check") == [("ok",)]
        assert ask(left, "SELECT count(*) FROM postings") == [(300,)]


@pytest.mark.parametrize(("long_pages", "goes_too"), [(1000, False), (10, True)], ids=["short", "long"])
def test_what_is_written_while_the_log_goes_home_waits_until_it_is_long(books, monkeypatch, long_pages, goes_too):
    """Delaying others is only for a log that would grow without end; otherwise the next checkpoint suffices."""
    monkeypatch.setattr(logs, "LONG_PAGES", long_pages)
    checkpoint, comes = logs._checkpoint, [1]

    def meanwhile(conn):
        found = checkpoint(conn)
        drip(books, comes.pop() if comes else 0)
        return found

    monkeypatch.setattr(logs, "_checkpoint", meanwhile)
    assert books._log.carry_home() == goes_too
    assert main_file_alone(books) == 10 + goes_too
    assert books._log.carry_home()
    assert main_file_alone(books) == 11


def test_a_log_that_cannot_be_carried_home_ends_the_house(books):
    tend(books, 100.0)
    books._log._conn.close()
    tend(books, 100.0 + WAITS_S)
    with pytest.raises(BooksGone, match=r"The books cannot be read or written \(Cannot operate on a closed database"):
        books.tend(100.0 + WAITS_S)


def test_the_log_is_gone_after_an_orderly_end(tmp_path):
    with closing(open_casino(tmp_path / "books")) as books:
        drip(books)
        assert size_of(books.path)
    assert not log_of(books.path).exists()
    assert main_file_alone(books) == 1
