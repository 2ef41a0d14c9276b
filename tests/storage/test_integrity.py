"""SQLite's integrity check: beside the open casino after an unclean end, and not at every start."""

import sqlite3
import threading
from contextlib import closing

import pytest

from storage.faults import BooksGone
from storage.sqlite import FILE, SqliteBooks, reading
from tests.disk import ask
from tests.patience import wait_until
from tests.storage.test_wholeness import drip, leave, open_casino


@pytest.fixture
def killed(tmp_path):
    with closing(open_casino(tmp_path / "books")) as books:
        drip(books, 10)
        books._log.carry_home(all_of_it=True)
        drip(books, 1)
        return leave(books, tmp_path / "killed")


def rot(folder):
    """Damage a page that no start reads, as a bad disk does."""
    path = folder / FILE
    with closing(sqlite3.connect(f"{path.as_uri()}?immutable=1", uri=True)) as conn:
        (root,) = conn.execute("SELECT rootpage FROM sqlite_master WHERE name = 'audit'").fetchone()
        (page_bytes,) = conn.execute("PRAGMA page_size").fetchone()
    with open(path, "r+b") as file:
        file.seek((root - 1) * page_bytes)
        file.write(b"\xff" * page_bytes)


def losses_of(books):
    lost: list[BooksGone] = []
    books.on_gone = lost.append
    books.check_integrity()
    return [str(gone) for gone in lost]


def test_books_that_were_closed_in_good_order_are_not_checked(tmp_path):
    open_casino(tmp_path).close()
    rot(tmp_path)
    with closing(SqliteBooks(tmp_path)) as books:
        assert books.is_checked
        assert losses_of(books) == []


def test_whole_books_of_a_killed_process_are_checked_once(killed):
    with closing(SqliteBooks(killed)) as books:
        assert not books.is_checked
        assert losses_of(books) == []
        assert books.is_checked
    with closing(SqliteBooks(killed)) as books:
        assert books.is_checked


def test_damage_stops_the_casino_while_it_is_open(killed):
    rot(killed)
    with closing(SqliteBooks(killed)) as books:
        (said,) = losses_of(books)
    assert said.startswith(f"{killed / FILE} is damaged")
    assert "Restore a backup" in said


def test_a_check_that_was_not_finished_is_due_at_the_next_start(killed):
    SqliteBooks(killed).close()
    with closing(SqliteBooks(killed)) as books:
        assert not books.is_checked


def test_closing_interrupts_a_check_and_empties_the_log(killed):
    with closing(SqliteBooks(killed)) as books:
        drip(books, 2000)
        check = threading.Thread(target=losses_of, args=(books,))
        check.start()
        wait_until(lambda: books._checking is not None or books.is_checked)
    check.join(10)
    assert not check.is_alive()
    with reading(killed / FILE) as reader:
        assert ask(reader, "SELECT is_open FROM books") == [(0,)]
