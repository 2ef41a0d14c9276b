"""The index of SQLite's write-ahead log, which every process that has the books open shares (walformat.html, 2).

It tells whether another program has only checkpointed the log, which loses nothing, or whether frames are missing.
"""

import os
import struct
import threading
import time
from pathlib import Path
from typing import BinaryIO, NamedTuple

# Two equal headers, then the checkpoint info. Numbers are in this machine's byte order.
_HEAD = struct.Struct("=I4xI4xIIII8s8x")
_AT_DONE, _AT_BEGUN, _LENGTH = 96, 128, 132
_NUMBER = struct.Struct("=I")
_CLOSED = -1
# How often, and at which interval, an index that is being written is read again.
_LOOKS, _LOOK_S = 10, 0.001
# Header sizes of the log and of each of its frames, in bytes.
LOG_HEAD, FRAME_HEAD = 32, 24


class Index(NamedTuple):
    """Content of a log's index.

    change  number of commits ever written to these books, as a counter that wraps around
    frames  number of frames in the log, 0 if it was emptied or starts again
    salts   values in each of its frames; they change with every restart of the log
    carried, begun  frames in the main file, and those that a running checkpoint will have moved there
    """

    change: int
    frames: int
    salts: bytes
    carried: int
    begun: int


class Files:
    """The index and the main file of the store at `path`, held open until SQLite has closed them: closing one would
    drop every lock that the process has on it (SQLite, "How To Corrupt An SQLite Database File", 2.2).
    """

    def __init__(self, path: Path) -> None:
        """Open the index and the main file. Raises OSError."""
        self._turn = threading.Lock()
        binary = getattr(os, "O_BINARY", 0)
        self._index = os.open(path.with_name(f"{path.name}-shm"), os.O_RDONLY | binary)
        self._main = os.open(path, os.O_RDWR | binary)

    def close(self) -> None:
        for file in {self._index, self._main} - {_CLOSED}:
            os.close(file)
        self._index = self._main = _CLOSED

    def read_index(self) -> Index | None:
        """Return what the index says; None where it is not whole, and not only because it is being written."""
        for _ in range(_LOOKS):
            read = self._read_at(self._index, 0, _LENGTH)
            if len(read) == _LENGTH and read[: _HEAD.size] == read[_HEAD.size : 2 * _HEAD.size]:
                break
            time.sleep(_LOOK_S)
        else:
            return None
        _version, change, frames, _pages, _sum, _more, salts = _HEAD.unpack_from(read)
        (carried,), (begun,) = _NUMBER.unpack_from(read, _AT_DONE), _NUMBER.unpack_from(read, _AT_BEGUN)
        return Index(change, frames, salts, carried, begun)

    def has_carried(self, log: BinaryIO, page_bytes: int, index: Index) -> bool:
        """Check that the main file has the log's content of each page whose last frame was moved there, on disk."""
        last: dict[int, int] = {}
        for number in range(index.frames):
            log.seek(LOG_HEAD + number * (FRAME_HEAD + page_bytes))
            last[int.from_bytes(log.read(4), "big")] = number
        if 0 in last:
            # No such page: the log was emptied after its index was read.
            return False
        for page, number in last.items():
            log.seek(LOG_HEAD + number * (FRAME_HEAD + page_bytes) + FRAME_HEAD)
            is_there = number >= index.carried or log.read(page_bytes) == self._read_at(
                self._main, (page - 1) * page_bytes, page_bytes
            )
            if not is_there:
                return False
        # However the other program stores its files.
        os.fsync(self._main)
        return True

    def _read_at(self, file: int, at: int, count: int) -> bytes:
        with self._turn:
            os.lseek(file, at, os.SEEK_SET)
            return os.read(file, count)
