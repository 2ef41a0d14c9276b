"""The write-ahead log of the store, checkpointed beside the writer and not inside its commit.

SQLite checkpoints when a commit has made the log long, and that commit waits for all of it.
"""

import logging
import math
import os
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path

from storage.log_index import FRAME_HEAD, LOG_HEAD, Files, Index
from storage.system import WRITES_SHOW_AT_ONCE

# How long written pages wait to be checkpointed: smaller checkpoints delay commits less.
WAITS_S = 1.0
# From this size on, a continuously written log is made to restart, which delays one commit in some hundred.
LONG_PAGES = 16 * 1024
# A log that grew longer because of a reader is truncated when it restarts.
KEPT_BYTES = LONG_PAGES * 4096
# The largest size, reached only while somebody reads the books without end.
HELD_BYTES = 8 * KEPT_BYTES
_log = logging.getLogger("ridotto.books")

Stamp = tuple[int, int, int, int]
# How often, and at which interval, a change of the main file is checked before it counts as a loss.
_LOOKS, _LOOK_S = 10, 0.01
# The index counts commits up to here, then from 0 again.
_COUNTS = 2**32


class WriteAheadLog:
    """Checkpoints of the log. The writer holds `turn` while it writes. `batch` returns the number of its last batch.

    `at_home` is a batch up to which the main file holds everything, `home` the main file as it was left then, and
    `tail` the end of the log.
    """

    def __init__(self, path: Path, batch: Callable[[], int]) -> None:
        self.turn = threading.Lock()
        self.at_home, self.home = -1, stamp(path)
        self._may_be_at_home = -1
        self._path, self._batch = path, batch
        # Held open: this is the file of the log, whatever is at its path later.
        self._conn = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._conn.execute("PRAGMA synchronous = FULL")
        ((page_bytes,),) = self._conn.execute("PRAGMA page_size").fetchall()
        # Not closed here, because SQLite's locks would be lost.
        self.files = Files(path)
        self.tail = Tail(path, page_bytes, self.files)
        self._carrier: threading.Thread | None = None
        self._fault: BaseException | None = None
        self._waits_since = math.inf

    def tend(self, now: float) -> None:
        """Move the log into the main file when it is time to; `now` is monotonic."""
        self._waits_since = min(self._waits_since, now)
        if self._batch() == self.at_home or self.is_moving:
            self._waits_since = now
        elif now - self._waits_since >= WAITS_S:
            self._waits_since = now
            self._carrier = threading.Thread(target=self._carry, name="log", daemon=True)
            self._carrier.start()

    def check(self) -> None:
        """Raise the failure of the last checkpoint, if there was one."""
        if self._fault is not None:
            raise self._fault

    @property
    def is_moving(self) -> bool:
        return self._carrier is not None and self._carrier.is_alive()

    def _carry(self) -> None:
        try:
            self.carry_home()
        except BaseException as fault:
            self._fault = fault

    def carry_home(self, *, all_of_it: bool = False) -> bool:
        """Move the log into the main file, as far as it goes; return whether it is empty now.

        A reader holds back what came after it began, and what others write meanwhile waits for the next call. If that
        made the log long, and with `all_of_it`, the rest is moved while writers wait: their next commit restarts the
        log. SQLite before 3.51.3 can lose pages when a checkpoint of a finished log meets a restart of it: without the
        writers' turn it is therefore done only after a batch that cannot be in the main file yet.
        """
        with self.turn:
            if self.tail.is_cut():
                # The missing rest of a frame would be written as zeros.
                raise OSError(f"{log_of(self._path)} was cut short")
        before, is_done, pages = self._batch(), False, 0
        if before > self._may_be_at_home:
            is_done, pages = _checkpoint(self._conn)
        with self.turn:
            if is_done:
                self.at_home = before
            if self.at_home < self._batch() and (all_of_it or pages >= LONG_PAGES or before <= self._may_be_at_home):
                is_done, pages = _checkpoint(self._conn)
                self.at_home = self._batch() if is_done else self.at_home
            self._may_be_at_home = self._batch()
            # Before the stamp, so that a checkpoint by another program is noticed at the next check.
            self.tail.note_carried()
            self.home = stamp(self._path)
        if not is_done and (size := size_of(self._path)) > HELD_BYTES:
            _log.warning("the write-ahead log has grown to %s MiB; stop long readers (doctor, backup)", size >> 20)
        return self.at_home == self._batch()

    def is_cut(self) -> bool:
        """Check whether frames are missing at the end of the log, between two batches. For threads without the turn."""
        if not self.tail.is_short():
            return False
        with self.turn:
            return self.tail.is_cut()

    def find_carried(self) -> bool:
        """Check whether only a checkpoint of another program changed the main file: then nothing is lost."""
        # A running checkpoint changes the compared values; a loss remains.
        for _ in range(_LOOKS):
            with self.turn:
                found = self.tail.find_carried()
                if found:
                    self.home = stamp(self._path)
                if found is not None or stamp(self._path) == self.home:
                    return True
            time.sleep(_LOOK_S)
        return False

    def wait(self) -> None:
        """Wait until no checkpoint is running."""
        if self._carrier is not None:
            self._carrier.join()

    def close(self) -> None:
        self.tail.close()
        self._conn.close()


class Tail:
    """The end of a log as this process wrote it, which reveals a cut: SQLite would read the rest and write on.

    Use it while holding the log's turn; `is_short` at any time.
    """

    def __init__(self, path: Path, page_bytes: int, files: Files) -> None:
        """Open the log for reading and find its end. Raises OSError."""
        self._frame, self._files = FRAME_HEAD + page_bytes, files
        self._file = open(log_of(path), "rb", buffering=0)  # noqa: SIM115  held as long as the books are open
        self._head, self._end, self._last, self._size = b"", 0, b"", 0
        # The index after the last batch, None if unknown; and how much of which log was in the main file when last
        # checked.
        self._change: int | None = None
        self._carried: tuple[bytes, int] | None = None
        self.follow()
        self.note_carried()

    def is_cut(self) -> bool:
        """Check whether the log is shorter than after the last batch, without a checkpoint that emptied it."""
        return self.is_short() and not self._is_emptied()

    def is_short(self) -> bool:
        """Check whether the log is shorter than before; `is_cut` finds out why."""
        return os.fstat(self._file.fileno()).st_size < self._size

    def _is_emptied(self) -> bool:
        """Check whether SQLite has emptied the log, which it does when all of it is in the main file.

        The index says so before SQLite cuts the file.
        """
        index = self._read_index()
        return index is not None and not index.frames

    def _read_index(self) -> Index | None:
        """Read the log's index; None if another program has written to the books, too."""
        index = self._files.read_index()
        return index if index is not None and index.change == self._change else None

    def note_emptied(self) -> None:
        """Note, before a commit, that the log was emptied. Needs SQLite's lock."""
        if self.is_short() and self._is_emptied():
            self._size = 0

    def note_carried(self) -> None:
        """Remember how much of the log is in the main file now."""
        index = self._read_index()
        self._carried = (index.salts, index.carried) if index is not None else None

    def find_carried(self) -> bool | None:
        """Check whether another program has moved frames into the main file since the last check; False: it is about
        to.

        None: it has not, or the main file does not match the log, or another program has written to the books.
        """
        index = self._read_index()
        if index is None:
            return None
        if index.begun > index.carried:
            return False
        carried = index.salts, index.carried
        if carried == self._carried or not self._files.has_carried(self._file, self._frame - FRAME_HEAD, index):
            return None
        self._carried = carried
        return True

    def follow(self) -> bool:
        """Note where the log ends after a commit. False if earlier frames, or the commit itself, are missing."""
        if self._change is not None:
            self._change = (self._change + 1) % _COUNTS
        elif (index := self._files.read_index()) is not None:
            self._change = index.change
        return self._find_commit() or self._forget_log()

    def _find_commit(self) -> bool:
        head = self._read_at(0, LOG_HEAD)
        is_anew = head != self._head
        if not head or (not is_anew and self._read_at(self._end - self._frame, self._frame) != self._last):
            return False
        before = LOG_HEAD if is_anew else self._end
        end = self._find_end(before, head[16:24])
        if end == before:
            return False
        if is_anew and self._carried is not None:
            # A log restarts when all of it is in the main file: the last known state tells who moved it there.
            is_known = self._carried[1] == (self._end - LOG_HEAD) // self._frame
            self._carried = (head[16:24], 0) if is_known else None
        self._head, self._end, self._last = head, end, self._read_at(end - self._frame, self._frame)
        self._size = os.fstat(self._file.fileno()).st_size
        return self._size >= end or self._is_emptied()

    def _forget_log(self) -> bool:
        """Forget the log if another program has moved the commit into the main file and emptied the log; return
        whether.
        """
        if not self._is_emptied():
            return False
        self._head, self._end, self._last, self._size, self._carried = b"", 0, b"", 0, None
        return True

    def _find_end(self, at: int, salts: bytes) -> int:
        """Return the offset after the last whole commit (SQLite's file format, section 4)."""
        end = at
        while len(frame := self._read_at(at, FRAME_HEAD)) == FRAME_HEAD and frame[8:16] == salts:
            at += self._frame
            if any(frame[4:8]):
                end = at
        return end

    def _read_at(self, at: int, count: int) -> bytes:
        self._file.seek(at)
        return self._file.read(count)

    def close(self) -> None:
        self._file.close()


def _checkpoint(conn: sqlite3.Connection) -> tuple[bool, int]:
    """Run a checkpoint; return whether all of the log is in the main file, and the log's pages."""
    busy, pages, carried = conn.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    return not busy and bool(pages == carried), pages


def log_of(path: Path) -> Path:
    """Return the path of the write-ahead log that SQLite keeps next to these books."""
    return path.with_name(f"{path.name}-wal")


def size_of(path: Path) -> int:
    """Return the size of the log of the books at `path`, in bytes; 0 without one."""
    try:
        return log_of(path).stat().st_size
    except FileNotFoundError:
        return 0


def pages_in_log(path: Path) -> set[int]:
    """Return the pages of the books at `path` that whole commits in their log contain too.

    By SQLite's file format, section 4: a header of 32 bytes, then frames of 24 bytes and a page.
    """
    found, unfinished = set[int](), set[int]()
    size = size_of(path)
    if size < LOG_HEAD:
        return found
    with open(log_of(path), "rb") as log:
        head = log.read(LOG_HEAD)
        page, salts = int.from_bytes(head[8:12], "big"), head[16:24]
        for at in range(LOG_HEAD, size - FRAME_HEAD - page + 1, FRAME_HEAD + page):
            log.seek(at)
            frame = log.read(FRAME_HEAD)
            if frame[8:16] != salts:
                break
            unfinished.add(int.from_bytes(frame[:4], "big"))
            if any(frame[4:8]):
                found |= unfinished
                unfinished.clear()
    return found


def stamp(path: Path) -> Stamp:
    """Return a stamp that changes with the file and with every write to it; 0s if there is no file."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return 0, 0, 0, 0
    written = found.st_mtime_ns if WRITES_SHOW_AT_ONCE else 0
    return found.st_dev, found.st_ino, found.st_size, written
