"""End of a casino's log: enough to append to it, without its entries.

Only the writer appends, in the transaction of the event itself. The content of entries is checked by their makers; here
times must not fall, and an entry must name this log.
"""

import math
from collections.abc import Mapping
from typing import Any

import msgspec

from engine.fairness.canonical import encode_known, write_with
from engine.fairness.log import Entry, Head, begin
from engine.fairness.merkle import grow, places_of_peaks, root_of
from engine.fairness.shape import Wrong
from storage.questions import logs
from storage.rows import LogEntryRow, LogRow
from storage.store import Reader

# Reasons to begin a log, in the one language of entries.
FIRST = "the casino's first log"


def _write_plain(value: object) -> int | str:
    """Return an amount or a word of the rules as a plain int or str."""
    return int(value) if isinstance(value, int) else str(value)


# Readers of a log hash its whole content.
WRITER = msgspec.json.Encoder(order="sorted", enc_hook=_write_plain).encode
write_with(WRITER)


class CasinoLog(msgspec.Struct, frozen=True):
    """A casino's log of `size` entries, whose tree has these `peaks` (engine.fairness.merkle.grow).

    `house` is the signer's public key in hex; `last_at` the time of the last entry; `joined` the casino for which it
    has ended, 0 while it goes on. With size 0 it is not in the store yet: the first entry begins it `after` the one
    before, and gives the reason `why`.
    """

    casino: int
    number: int
    house: str
    size: int = 0
    peaks: tuple[bytes, ...] = ()
    last_at: int = 0
    joined: int = 0
    after: Mapping[str, Any] | None = None
    why: str = ""

    def time(self, now: float) -> int:
        """Return the `at` of an entry appended now: whole seconds, rounded up, and never falling."""
        return max(math.ceil(now), self.last_at)

    def begin(self, at: int) -> tuple["CasinoLog", LogEntryRow]:
        """Begin the log with its first entry."""
        return self._grow(begin(self.number, dict(self.after or {}), self.why or FIRST, at))

    def append(self, entry: Entry) -> tuple["CasinoLog", LogEntryRow]:
        """Append an entry. Raises Wrong for one that does not belong here."""
        if entry["k"] == "begin":
            raise Wrong("a log begins by itself, and once")
        if self.joined and entry["k"] != "open":
            raise Wrong("after the end of a log only seeds are shown in it")
        if entry["at"] < self.last_at:
            raise Wrong("times never fall within a log")
        if entry["k"] == "commit":
            commitment = entry["promise"]
            if (commitment["house"], commitment["casino"], commitment["log"]) != (
                self.house,
                str(self.casino),
                self.number,
            ):
                raise Wrong("this promise belongs into another log")
        return self._grow(entry)

    def _grow(self, entry: Entry) -> tuple["CasinoLog", LogEntryRow]:
        leaf = encode_known(entry)
        peaks, completed = grow(self.size, self.peaks, leaf)
        row = LogEntryRow(self.casino, self.number, self.size, leaf.decode(), b"".join(completed))
        joined = int(entry["to"]) if entry["k"] == "end" else self.joined
        # Predecessor and reason are in its first entry from now on.
        return CasinoLog(self.casino, self.number, self.house, self.size + 1, peaks, entry["at"], joined), row

    @property
    def row(self) -> LogRow:
        return LogRow(self.casino, self.number, self.house, self.joined)

    def head(self, at: int) -> Head:
        """Return the head over all entries, ready to be signed."""
        return {
            "house": self.house,
            "casino": str(self.casino),
            "log": self.number,
            "size": self.size,
            "root": root_of(self.peaks).hex(),
            "at": at,
        }

    def next(self, house: str, why: str) -> "CasinoLog":
        """Return the log after this one, which names this one's last head as far as it is known."""
        after = self.head(self.last_at)
        return CasinoLog(self.casino, self.number + 1, house, last_at=self.last_at, after=after, why=why)


def read_log(books: Reader, casino: int, number: int | None = None) -> CasinoLog | None:
    """Read a log by its number, or the casino's latest; None where there is none."""
    row = logs.log(books, casino, number)
    if row is None:
        return None
    size = logs.size_of_log(books, casino, row.number)
    places = places_of_peaks(size)
    nodes = logs.nodes(books, casino, row.number, places)
    peaks = tuple(nodes[place] for place in places)
    last_at = logs.time_of_entry(books, casino, row.number, size - 1)
    return CasinoLog(casino, row.number, row.house, size, peaks, last_at, row.joined)
