"""Private answers that were shown, stored in a file so that a restarted process can edit or delete them.

Law: only the owner can read the file, no line holds anything of a hand, and nothing of it is logged. A file that
cannot be read or written is no fault: the next press answers anew.
"""

import json
import logging
import os
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import Generic, Protocol, TypeVar

# The file is rewritten when it has this many lines.
MOST_LINES = 20_000


class KeptAnswer(Protocol):
    """A player's answer at a table, which can be edited until the wall-clock time `until`. A tuple of JSON values."""

    @property
    def table(self) -> int: ...
    @property
    def player(self) -> int: ...
    @property
    def until(self) -> float: ...


One = TypeVar("One", bound=KeptAnswer)


class KeptAnswers(Generic[One]):
    """The stored answers of one platform in one process; `kind` makes an answer from the fields of its line.

    For the event loop: a line is handed to the operating system, which keeps it when the process is killed. The file is
    open only while a line is written.
    """

    def __init__(self, path: Path, kind: Callable[..., One], log: logging.Logger) -> None:
        self._path, self._kind, self._log = path, kind, log
        self._lines, self._is_open = 0, False

    def open(self, now: float) -> list[One]:
        """Return the answers that have not expired, the last of each player at each table, and accept others from now
        on.
        """
        kept = {(one.table, one.player): one for one in self._read_answers() if one.until > now}
        self._begin([*kept.values()])
        return list(kept.values())

    def store(self, one: One, now: float) -> None:
        """Store an answer in place of the player's last one there; do nothing before `open` or after a failed write."""
        if self._is_open and self._lines >= MOST_LINES:
            self.open(now)
        if not self._is_open:
            return
        try:
            _write(self._path, os.O_APPEND, [one])
        except OSError as fault:
            self._give_up(fault)
        self._lines += 1

    def close(self) -> None:
        """Stop storing; the file stays."""
        self._is_open = False

    def _read_answers(self) -> Iterator[One]:
        """Read the answers; a line cut off by the end of the process is left out."""
        try:
            lines = self._path.read_text("ascii").splitlines()
        except (OSError, ValueError):
            return
        for line in lines:
            try:
                yield self._kind(*json.loads(line))
            except (TypeError, ValueError):
                continue

    def _begin(self, kept: Collection[One]) -> None:
        partial = self._path.with_suffix(".new")
        self._lines, self._is_open = 0, True
        try:
            _write(partial, os.O_CREAT | os.O_TRUNC, kept)
            partial.replace(self._path)
        except OSError as fault:
            self._give_up(fault)

    def _give_up(self, fault: OSError) -> None:
        self._log.warning("private answers are not changed after a restart: %s", fault.strerror)
        self.close()


def _write(path: Path, how: int, answers: Collection[KeptAnswer]) -> None:
    """Write the answers, a line each; a new file is readable by its owner only."""
    with os.fdopen(os.open(path, os.O_WRONLY | how, 0o600), "w", encoding="ascii") as file:
        file.writelines(json.dumps(one) + "\n" for one in answers)
