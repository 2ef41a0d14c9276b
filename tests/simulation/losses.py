"""Losses in the files of a store between two processes. None may pass unnoticed.

Opening such a store either fails with an explanation and advice, or has all acknowledged data, because a file's losses
may be found in another one.
"""

import random
import shutil
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from storage.faults import BooksError, BooksGone
from storage.integrity import WITNESS
from storage.log import log_of
from storage.sqlite import FILE, SqliteBooks, reading
from tests.questions import everything

# The main file of an earlier process, beside the data folder.
EARLIER = "earlier"


def _lose_log(folder: Path, _rng: random.Random) -> None:
    log_of(folder / FILE).unlink(missing_ok=True)


def _cut_log(folder: Path, rng: random.Random) -> None:
    _cut(log_of(folder / FILE), rng)


def _cut_file(folder: Path, rng: random.Random) -> None:
    _cut(folder / FILE, rng)


def _put_earlier_file(folder: Path, rng: random.Random) -> None:
    if (earlier := folder.with_name(EARLIER)).exists():
        _lose_log(folder, rng)
        shutil.copy(earlier, folder / FILE)


def _lose_all(folder: Path, rng: random.Random) -> None:
    _lose_log(folder, rng)
    (folder / FILE).unlink()


def _lose_witness(folder: Path, _rng: random.Random) -> None:
    (folder / WITNESS).unlink()


def _cut(file: Path, rng: random.Random) -> None:
    if file.exists():
        with open(file, "r+b") as held:
            held.truncate(int(rng.random() * file.stat().st_size))


LOSSES: Mapping[str, Callable[[Path, random.Random], None]] = {
    "lost log": _lose_log,
    "cut log": _cut_log,
    "short file": _cut_file,
    "earlier file": _put_earlier_file,
    "lost file": _lose_all,
    "lost witness": _lose_witness,
}


def spoil(folder: Path, loss: str, rng: random.Random) -> Path:
    """Copy a closed folder and lose something in the copy."""
    spoilt = folder.with_name("spoilt")
    shutil.copytree(folder, spoilt)
    LOSSES[loss](spoilt, rng)
    return spoilt


def check_noticed(spoilt: Path, folder: Path, loss: str) -> bool:
    """Return whether the store refuses to open. Raises AssertionError if it opens without all that the folder holds."""
    try:
        with closing(SqliteBooks(spoilt)) as books:
            found = everything(books)
    except (BooksError, BooksGone):
        return True
    finally:
        shutil.rmtree(spoilt)
    with reading(folder / FILE) as books:
        assert found == everything(books), f"a house opens after this loss and knows less: {loss}"
    return False
