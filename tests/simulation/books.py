"""A store whose next write or read may fail or die at any point, and the files that a dead process leaves.

The dying process is this test: its connection is dropped in the middle of an operation, and the files as they are at
that moment, log included, are copied and opened anew. Outcomes of a write:

before   dies before the transaction begins              after    dies after the commit, before any answer
within   dies in the middle of a statement               torn     as after, and the end of the log is not on the disk
full     no page is left: SQLite's own "disk is full"    refused  the schema refuses the batch, as it would a faulty one
fails    a statement fails and the transaction goes back
unread   one of the next queries fails, in any part: a failed read, not a write

With `synchronous = OFF`: the files are in this machine's memory either way, where another process sees every write at
once, and `torn` cuts the part of the log that is not flushed. Tests of the pragmas check that a commit flushes.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bot.core.state.transaction import Transaction
from storage.faults import RowsRefused
from storage.integrity import WITNESS
from storage.ledger import Draft
from storage.sqlite import FILE, SqliteBooks

FATES: tuple[str, ...] = ("before", "within", "after", "torn", "full", "refused", "fails", "unread")
LOG = f"{FILE}-wal"


class Crash(Exception):
    """The process dies here."""


class FaultyBooks(SqliteBooks):
    """A store with faults: `fate` is the outcome of the next write, `chance` (0 to 1) how far it gets, `died` the cause
    of death.

    `attempted` are the transactions of this round, `written` those that the database confirmed.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.db.conn.execute("PRAGMA synchronous = OFF")
        self.fate, self.chance, self.died = "", 0.0, ""
        self.attempted: list[Transaction] = []
        self.written: list[Transaction] = []
        self.refusals = 0
        self.log_before = 0
        self.witness_before = b""
        # Number of queries that still succeed; None: all.
        self.reads_left: int | None = None
        self.is_watched = False

    def write(self, draft: Draft) -> None:
        """Write with the chosen outcome: refused; dying before, within or after; a full or failing disk."""
        assert isinstance(draft, Transaction)
        fate, self.fate = self.fate, ""
        if fate == "refused":
            self.refusals += 1
            raise RowsRefused("CHECK constraint failed: a test")
        self.attempted.append(draft)
        if fate == "before":
            self.died = fate
            raise Crash
        if fate == "full":
            ((pages,),) = self.db.execute("PRAGMA page_count")
            self.db.conn.execute(f"PRAGMA max_page_count = {pages}")
        if fate in ("within", "fails"):
            self._stop_after(1 + int(self.chance**3 * 20_000), fate)
        self.log_before = self._size_of_log()
        self.witness_before = (self.folder / WITNESS).read_bytes()
        super().write(draft)
        self.db.conn.set_progress_handler(None, 0)
        self.written.append(draft)
        if fate in ("after", "within", "torn"):
            self.died = fate
            raise Crash

    def begin(self, fate: str, chance: float) -> None:
        """Begin a round. The next write, of this round or a later one, has the outcome `fate`."""
        self.is_watched = False
        if fate == "unread":
            self.reads_left = int(chance**2 * 20)
        elif fate:
            self.fate, self.chance = fate, chance
        self.attempted, self.written, self.refusals = [], [], 0

    def end(self) -> None:
        """End the round, so that checks can read."""
        self.is_watched = True

    def _fetch(self, sql: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        if self.reads_left is None or self.is_watched:
            return super()._fetch(sql, values)
        self.reads_left -= 1
        if self.reads_left < 0:
            self._stop_after(1, "unread")
        try:
            return super()._fetch(sql, values)
        finally:
            self.db.conn.set_progress_handler(None, 0)

    def carry_home(self) -> None:
        """Checkpoint the log, as beside a running process."""
        self._log.carry_home()

    def _stop_after(self, instructions: int, fate: str) -> None:
        """Die after this many instructions of SQLite's virtual machine; a short batch may be done before."""

        def stop() -> bool:
            self.died = fate
            return True

        self.db.conn.set_progress_handler(stop, instructions)

    def remains(self, folder: Path) -> None:
        """Copy the files that a process dying now leaves into a new folder, and drop the connection."""
        folder.mkdir(parents=True)
        shutil.copy(self.folder / FILE, folder / FILE)
        # The batch counter cannot have seen what was never on disk.
        witness = self.witness_before if self.died == "torn" else (self.folder / WITNESS).read_bytes()
        (folder / WITNESS).write_bytes(witness)
        log = self.folder / LOG
        if log.exists():
            shutil.copy(log, folder / LOG)
            if self.died == "torn":
                self._tear(folder / LOG)
        self.close()

    def _tear(self, log: Path) -> None:
        """Cut the log somewhere in the last write. A log that restarted meanwhile is unchanged."""
        size = log.stat().st_size
        if size > self.log_before:
            with open(log, "r+b") as file:
                file.truncate(self.log_before + int(self.chance * (size - self.log_before)))

    def _size_of_log(self) -> int:
        log = self.folder / LOG
        return log.stat().st_size if log.exists() else 0
