"""Books that commit 2f8e369 left when it was killed: a hand is being played at table 1, one takes bets at table 6."""

import tarfile
from contextlib import closing
from pathlib import Path

import pytest

from bot.__main__ import main
from storage.faults import BooksError
from storage.sqlite import FILE, SqliteBooks
from storage.wholeness import WITNESS
from tests.bot.house.conftest import House
from tests.disk import ask

FIXTURE = Path(__file__).parent.parent / "fixtures" / "books-of-2f8e369.tar.gz"


@pytest.fixture
def folder(tmp_path):
    with tarfile.open(FIXTURE) as files:
        files.extractall(tmp_path, filter="data")
    return tmp_path / "2f8e369"


def test_they_open_and_their_hands_are_played_on(folder, capsys):
    house = House(folder)
    house.keys = 1000
    assert house.table(1).phase == "playing"
    house.do("bea exchange 2", table=1)
    house.do("anna raise", table=1)
    house.do("bea raise", table=1)
    assert house.table(1).play is None, "the hand is over"
    # Who had bet by another kind of promise has his bets back.
    assert (house.table(6).phase, house.table(6).bets) == ("asleep", ())
    assert not house.do("cat bet 10", table=6).refused
    assert not house.do("cat takeback", table=6).refused
    house.close()
    assert main(["doctor", "--data", str(folder)]) == 0
    assert sorted(one.name for one in folder.iterdir()) == ["lock", FILE, WITNESS]


def test_a_copy_of_their_main_file_alone_is_no_new_casino(folder):
    """Minutes after it was founded nearly nothing had come there from the log."""
    (folder / f"{FILE}-wal").unlink()
    with pytest.raises(BooksError, match=r"was copied without its log .* and alone it holds nothing"):
        SqliteBooks(folder)


def test_they_are_backed_up_and_taken_over_before_they_are_opened(folder, tmp_path):
    assert main(["backup", "--data", str(folder), str(tmp_path / "copy")]) == 0
    assert main(["restore", "--data", str(tmp_path / "new"), str(tmp_path / "copy")]) == 0
    with closing(SqliteBooks(tmp_path / "new")) as books:
        assert ask(books, "SELECT count(*) FROM hands WHERE status = 'playing'") == [(1,)]
    assert main(["doctor", "--data", str(tmp_path / "new")]) == 0
