"""The store on disk: opened by one process, refused when it is not ours, written whole or not at all."""

import errno
import os
import sqlite3
import subprocess
import sys
import threading
from contextlib import closing, contextmanager

import pytest

from storage import sqlite
from storage.faults import BooksError, BooksGone
from storage.ledger import Draft
from storage.rows import AnswerRow, PlayerRow
from storage.sqlite import APPLICATION_ID, FILE, SqliteBooks, copy, reading, restore
from storage.sqlite_faults import explain
from tests.disk import ask, rows_of
from tests.failing_disk import FailingDisk
from tests.storage.drafts import draft_on
from tests.storage.steps import known_migrations, migrations_of


@pytest.fixture
def books(tmp_path):
    opened = SqliteBooks(tmp_path / "data")
    yield opened
    opened.close()


def test_a_second_process_is_told_that_the_folder_is_in_use(books):
    script = f"from pathlib import Path; from storage.sqlite import *; SqliteBooks(Path({str(books.folder)!r}))"
    ran = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert ran.returncode != 0
    assert "is in use by another process. Stop it first." in ran.stderr


def test_the_lock_is_free_again_after_closing_and_after_a_refusal(tmp_path):
    (tmp_path / FILE).write_text("no database " * 500)
    with pytest.raises(BooksError):
        SqliteBooks(tmp_path)
    (tmp_path / FILE).unlink()
    for _ in range(2):
        SqliteBooks(tmp_path).close()


def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BooksError, match=r"cannot be used: .*\.$"):
        SqliteBooks(tmp_path / "file")


def damage(path):
    """Overwrite the middle of the file, as a bad disk does."""
    with open(path, "r+b") as file:
        file.seek(4096)
        file.write(os.urandom(path.stat().st_size - 8192))


def test_a_damaged_file_is_refused_and_left_as_it_was(tmp_path):
    SqliteBooks(tmp_path).close()
    path = tmp_path / FILE
    damage(path)
    before = path.read_bytes()
    with pytest.raises(BooksError, match="restore a backup"):
        SqliteBooks(tmp_path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [b"no database at all", b"SQLite format 3\x00 and then nothing of the kind" * 9])
def test_a_file_that_is_no_database_is_refused_and_left_as_it_was(tmp_path, content):
    path = tmp_path / FILE
    path.write_bytes(content)
    with pytest.raises(BooksError, match="not a database of Ridotto"):
        SqliteBooks(tmp_path)
    assert path.read_bytes() == content


def test_another_programs_database_is_refused_and_left_as_it_was(tmp_path):
    path = tmp_path / FILE
    with closing(sqlite3.connect(path)) as foreign:
        foreign.execute("CREATE TABLE theirs (x)")
    before = path.read_bytes()
    with pytest.raises(BooksError, match="belongs to another program"):
        SqliteBooks(tmp_path)
    assert path.read_bytes() == before
    assert sorted(one.name for one in tmp_path.iterdir()) == ["lock", FILE]


def test_a_folder_in_place_of_the_file_is_one_sentence(tmp_path):
    (tmp_path / FILE).mkdir()
    with pytest.raises(BooksError, match=r"cannot be read .*: check that the data folder exists"):
        SqliteBooks(tmp_path)


def test_a_full_disk_at_the_first_start_is_said_to_be_one_and_the_next_start_finds_no_half_house(tmp_path, monkeypatch):
    class Full(sqlite3.Connection):
        def __init__(self, *args, **more):
            super().__init__(*args, **more)
            self.execute("PRAGMA max_page_count = 8")

    connect = sqlite3.connect
    with monkeypatch.context() as then:
        then.setattr(sqlite3, "connect", lambda *args, **more: connect(*args, **more, factory=Full))
        with pytest.raises(
            BooksError, match=r"\(database or disk is full\): make room on the disk, and start the casino"
        ):
            SqliteBooks(tmp_path)
    SqliteBooks(tmp_path).close()


def test_a_witness_that_finds_no_room_is_a_full_disk_too():
    said = "The books cannot be read or written ([Errno 28] No space left on device): make room on the disk, and start"
    assert explain(OSError(errno.ENOSPC, "No space left on device")).startswith(said)


def test_an_empty_file_becomes_books(tmp_path):
    (tmp_path / FILE).touch()
    with closing(SqliteBooks(tmp_path)) as books:
        assert ask(books, "PRAGMA application_id") == [(APPLICATION_ID,)]
        assert rows_of(books, PlayerRow) == []


def test_the_books_are_ours_from_the_first_page_on(tmp_path):
    """A process that ends while creating it leaves what the next one recognises as its own."""
    with closing(sqlite3.connect(tmp_path / FILE)) as half:
        half.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    with closing(SqliteBooks(tmp_path)) as books:
        assert rows_of(books, PlayerRow) == []


def schema_of(books):
    return ask(books, "SELECT type, name, sql FROM sqlite_master ORDER BY type, name")


def test_migrations_run_once(tmp_path):
    with closing(SqliteBooks(tmp_path)) as books:
        first = ask(books, "SELECT name, applied_at FROM _sqlite_migrations"), schema_of(books)
    with closing(SqliteBooks(tmp_path)) as books:
        assert (ask(books, "SELECT name, applied_at FROM _sqlite_migrations"), schema_of(books)) == first


def test_books_of_an_earlier_commit_or_of_no_known_schema_are_refused_and_stay_as_they_are(tmp_path):
    SqliteBooks(tmp_path).close()
    for name in ("first_schema", None):
        with closing(sqlite3.connect(tmp_path / FILE, isolation_level=None)) as db:
            db.execute("DELETE FROM _sqlite_migrations" if name is None else "UPDATE _sqlite_migrations SET name = ?",
                       [] if name is None else [name])  # fmt: skip
        before = (tmp_path / FILE).read_bytes()
        for open_them in (lambda: SqliteBooks(tmp_path), lambda: reading(tmp_path / FILE).__enter__()):
            with pytest.raises(BooksError, match=r"was written before Ridotto 1\.0, and no release can open it\. Move"):
                open_them()
        assert (tmp_path / FILE).read_bytes() == before


def test_a_step_that_fails_leaves_the_books_as_they_were_and_newer_books_are_refused(tmp_path, monkeypatch):
    with closing(SqliteBooks(tmp_path)) as books:
        books.write(draft_on(books, PlayerRow(1, "anna", "en", "{}", 0.0)))
    faults = [sqlite3.OperationalError("disk full")]

    def next_schema(db):
        db.execute("ALTER TABLE players ADD COLUMN mood TEXT NOT NULL DEFAULT 'fine'")
        if faults:
            raise faults.pop()

    with monkeypatch.context() as later:
        later.setattr(sqlite, "migrations", migrations_of(known_migrations() | {"next_schema": next_schema}))
        with pytest.raises(BooksError, match="disk full"):
            SqliteBooks(tmp_path)
        with closing(SqliteBooks(tmp_path)) as books:
            assert ask(books, "SELECT name, mood FROM players") == [("anna", "fine")]
    with pytest.raises(BooksError, match=r"written by a newer Ridotto \(next_schema\)"):
        SqliteBooks(tmp_path)


@contextmanager
def locked(books):
    books.db.execute("PRAGMA busy_timeout = 0")
    with closing(sqlite3.connect(books.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def full(books):
    books.db.execute(f"PRAGMA max_page_count = {ask(books, 'PRAGMA page_count')[0][0]}")
    yield


@contextmanager
def not_to_be_written(books):
    books.db.execute("PRAGMA query_only = ON")
    yield


@contextmanager
def closed(books):
    books.db.close()
    yield


AGAIN = "and start the casino again."
WRITING_FAILS = {
    locked: ("database is locked", f"stop the other program that locks them, {AGAIN}"),
    full: ("database or disk is full", f"make room on the disk, {AGAIN}"),
    not_to_be_written: (
        "attempt to write a readonly database",
        f"give this user write access to the data folder and everything in it, {AGAIN}",
    ),
    closed: (
        "Cannot operate on a closed database.",
        "check the disk, and run “ridotto doctor” before you start the casino again.",
    ),
}


@pytest.mark.parametrize("fault", WRITING_FAILS, ids=[fault.__name__ for fault in WRITING_FAILS])
def test_books_that_cannot_be_written_say_what_to_do_and_are_no_bug(books, fault, monkeypatch):
    monkeypatch.setattr(sqlite, "HELD_S", 0.1)
    gone: list[BaseException] = []
    books.on_gone = gone.append
    draft = draft_on(books, *(AnswerRow(f"key {number}", "long " * 1000, 1.0) for number in range(20)))
    with fault(books), pytest.raises(BooksGone) as raised:
        books.write(draft)
    said, to_do = WRITING_FAILS[fault]
    assert str(raised.value) == f"The books cannot be read or written ({said}): {to_do}"
    assert gone == [raised.value]
    assert not isinstance(raised.value, Exception)


def test_memory_that_sqlite_does_not_get_is_no_bug_either(tmp_path, monkeypatch):
    disk = FailingDisk(monkeypatch)
    with closing(SqliteBooks(tmp_path)) as books:
        disk.fault = MemoryError()
        disk.fail()
        with pytest.raises(BooksGone, match=r"\(MemoryError\): give Ridotto more memory"):
            books.balance("bank:1")


def test_a_file_that_is_gone_is_not_made_anew_by_who_reads(books):
    seen = []

    def look():
        with pytest.raises(BooksGone, match="was deleted or replaced while the casino was running") as raised:
            books.balance("bank:1")
        seen.append(raised.value)

    books.path.unlink()
    reader = threading.Thread(target=look)
    reader.start()
    reader.join()
    assert len(seen) == 1
    assert not books.path.exists()


def test_a_copy_is_made_under_load_and_is_consistent(books, tmp_path):
    """Every batch moves chips between two accounts: a torn copy would not sum to zero."""
    books.write(draft_on(books, bank_1=0, player_1_1=0))
    stop = threading.Event()

    def write():
        while not stop.is_set():
            draft = Draft(books)
            draft.post("bank:1", "player:1:1", 1, "drip", 1.0)
            books.write(draft)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for number in range(5):
            copy(books.path, tmp_path / f"copy {number}")
    finally:
        stop.set()
        writer.join()
    for number in range(5):
        with reading(tmp_path / f"copy {number}") as copied:
            assert ask(copied, "SELECT sum(balance) FROM accounts") == [(0,)]
            assert copied.balance("player:1:1") == ask(copied, "SELECT count(*) FROM postings")[0][0]
    assert sorted(one.name for one in tmp_path.iterdir()) == [*(f"copy {number}" for number in range(5)), "data"]


def test_what_is_not_there_cannot_be_copied_or_read(tmp_path):
    with pytest.raises(BooksError, match="There are no books"):
        copy(tmp_path / FILE, tmp_path / "copy")
    with pytest.raises(BooksError, match="There are no books"), reading(tmp_path / FILE):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_copy_is_restored_into_an_empty_folder_only(books, tmp_path):
    books.write(draft_on(books, PlayerRow(1, "anna", "en", "{}", 0.0)))
    copy(books.path, tmp_path / "copy")
    with pytest.raises(BooksError, match="is not empty"):
        restore(tmp_path / "copy", books.path.parent)
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "empty", tmp_path / "new" / "deep"):
        restore(tmp_path / "copy", folder)
        with closing(SqliteBooks(folder)) as restored:
            assert [row.name for row in rows_of(restored, PlayerRow)] == ["anna"]


def test_a_damaged_or_foreign_copy_is_not_restored_and_leaves_nothing(books, tmp_path):
    copy(books.path, tmp_path / "damaged")
    damage(tmp_path / "damaged")
    (tmp_path / "foreign").write_text("something else" * 100)
    for name, sentence in (("damaged", "is damaged"), ("foreign", "not a database of Ridotto")):
        with pytest.raises(BooksError, match=sentence):
            restore(tmp_path / name, tmp_path / "new")
        assert not (tmp_path / "new").exists() or not list((tmp_path / "new").iterdir())
