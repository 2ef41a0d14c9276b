"""The key with which a casino signs: created once, the same for every process on its store, and in no copy by
default.
"""

import sqlite3
from contextlib import closing

import pytest

from storage.backups import back_up
from storage.rows import SigningKeyRow
from storage.signing_key import find_signing_key, take_signing_key
from storage.sqlite import FILE, reading, restore
from tests.stores import BOTH, opened_stores

KEY = bytes(range(32, 64))


@pytest.fixture(params=BOTH)
def store(request, tmp_path):
    """A store whose casino signs with KEY."""
    for stores in opened_stores(request):
        with closing(stores.open(tmp_path / "data")) as books:
            assert take_signing_key(books, lambda count: KEY[:count]) == KEY
        yield stores.of(tmp_path / "data")


def test_every_process_on_the_same_books_signs_with_the_same_key(store):
    with closing(store.open()) as books:
        assert take_signing_key(books, lambda count: bytes(count)) == KEY


def test_a_backup_contains_no_byte_of_the_key(store, tmp_path):
    back_up(store, tmp_path / "copy", 1.0)
    with reading(tmp_path / "copy") as books:
        assert find_signing_key(books) is None
    written = (tmp_path / "copy").read_bytes()
    assert KEY not in written
    assert KEY[:8] not in written
    assert KEY.hex().encode() not in written


def test_a_backup_contains_the_key_on_request_and_a_restore_brings_it_back(store, tmp_path):
    back_up(store, tmp_path / "copy", 1.0, with_key=True)
    restore(tmp_path / "copy", tmp_path / "restored")
    with reading(tmp_path / "restored" / FILE) as books:
        assert find_signing_key(books) == KEY


def test_a_restore_without_the_key_makes_a_new_one(store, tmp_path):
    back_up(store, tmp_path / "copy", 1.0)
    restore(tmp_path / "copy", tmp_path / "restored")
    with closing(sqlite3.connect(tmp_path / "restored" / FILE)) as conn:
        assert conn.execute("SELECT count(*) FROM signing_key").fetchone() == (0,)


def test_a_printed_row_does_not_show_the_key():
    shown = f"{SigningKeyRow(1, KEY)} {SigningKeyRow(1, KEY)!r}"
    assert str(KEY)[2:20] not in shown
    assert KEY.hex() not in shown
