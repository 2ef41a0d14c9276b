"""The time of the last backup, which the data folder records."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from storage.backups import NOTE, back_up, last_backup
from storage.faults import BooksError
from storage.sqlite import FILE, SqliteBooks, SqliteStore, reading, restore


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Path]:
    books = SqliteBooks(tmp_path / "house")
    yield tmp_path / "house"
    books.close()


def test_the_last_one_is_remembered(house: Path, tmp_path: Path) -> None:
    assert last_backup(house) == 0
    for number, at in enumerate((1_800_000_000.25, 1_800_086_400.5)):
        back_up(SqliteStore(house), tmp_path / str(number), at)
        assert last_backup(house) == at
        with reading(tmp_path / str(number)):
            pass


def test_one_that_fails_is_not_remembered(house: Path, tmp_path: Path) -> None:
    back_up(SqliteStore(house), tmp_path / "copy", 1.0)
    with pytest.raises(BooksError, match="already exists"):
        back_up(SqliteStore(house), tmp_path / "copy", 2.0)
    assert last_backup(house) == 1.0


def test_it_is_not_made_where_the_note_of_it_goes(house: Path) -> None:
    with pytest.raises(BooksError, match="Use another file"):
        back_up(SqliteStore(house), house / "." / NOTE, 1.0)
    assert not (house / NOTE).exists()


def test_a_copy_whose_time_cannot_be_noted_is_whole_and_says_so(house: Path, tmp_path: Path) -> None:
    (house / f"{NOTE}.partial").mkdir()
    with pytest.raises(BooksError, match="is complete, but"):
        back_up(SqliteStore(house), tmp_path / "copy", 1.0)
    with reading(tmp_path / "copy"):
        pass


@pytest.mark.parametrize("said", [b"", b"yesterday", b"\xff"])
def test_a_note_that_says_nothing_is_no_backup(house: Path, said: bytes) -> None:
    (house / NOTE).write_bytes(said)
    assert last_backup(house) == 0


def test_a_house_that_is_brought_back_has_none_yet(house: Path, tmp_path: Path) -> None:
    back_up(SqliteStore(house), tmp_path / "copy", 1.0)
    restore(tmp_path / "copy", tmp_path / "new")
    assert (tmp_path / "new" / FILE).exists()
    assert last_backup(tmp_path / "new") == 0
