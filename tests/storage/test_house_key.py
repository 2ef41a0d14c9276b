"""The house's key: made once, its user's alone, and never mistaken for something else."""

import os
import stat
import sys

import pytest

from storage import house_key
from storage.faults import BooksError


def test_it_is_made_once_and_is_its_users_alone(tmp_path):
    secret = house_key.take(tmp_path, lambda count: b"s" * count)
    assert secret == b"s" * 32
    assert house_key.take(tmp_path, lambda count: b"t" * count) == secret
    assert [one.name for one in tmp_path.iterdir()] == [house_key.FILE]
    if sys.platform != "win32":
        assert stat.S_IMODE(os.stat(tmp_path / house_key.FILE).st_mode) == 0o600


@pytest.mark.parametrize("found", ["", "73" * 31, "73" * 33, "XY" * 32, "73" * 32 + "\n\n", "\u20ac" * 64])
def test_what_is_no_key_is_refused_and_neither_quoted_nor_replaced(tmp_path, found):
    path = tmp_path / house_key.FILE
    path.write_text(found, "utf-8")
    with pytest.raises(BooksError, match="is no key of a house: put back the file that was there") as told:
        house_key.take(tmp_path, os.urandom)
    assert not found or found.strip() not in str(told.value)
    assert path.read_text("utf-8") == found


def test_a_folder_that_takes_no_key_says_so(tmp_path):
    with pytest.raises(BooksError, match=r"cannot be made: No such file or directory\. The house signs with it"):
        house_key.take(tmp_path / "gone", os.urandom)


def test_houses_with_the_same_secret_make_the_same_key_and_others_another():
    made = house_key.derive("one secret of twenty")
    assert len(made) == house_key.BYTES
    assert made == house_key.derive("one secret of twenty")
    assert made != house_key.derive("one secret of twentz")
