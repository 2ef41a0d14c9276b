"""State of a casino's log, read at its ends: the work does not grow with the log."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from msgspec import Struct
from msgspec.json import decode

from engine.daily import WHY
from storage.questions import hands, logs
from storage.rows import LogHeadRow, LogRow, OpeningRow
from storage.store import Reader

# Number of the newest entries in which dropped and void hands are counted.
MOST_COUNTED = 1000
# Largest number of waiting seeds that is counted.
MOST_WAITING = 1000
# Number of waiting seeds and of logs that are listed.
MOST_NAMED = 20
MOST_LOGS = 50


class _Entry(Struct):
    """Fields of an entry of any kind that may be shown; a seed is not among them."""

    k: str
    at: int
    why: str = ""
    void: str = ""


class Begun(NamedTuple):
    """A log of the casino: its number, when it began, why, and how many entries stand in it."""

    number: int
    at: int
    why: str
    size: int


@dataclass(frozen=True, slots=True)
class LogHealth:
    """State of a casino's log.

    began    when its first entry was appended, in Unix seconds; `why` is that entry's reason
    size     number of entries, signed or not
    head     the newest signed head, or None
    waiting  number of the casino's unrevealed seeds, counted up to MOST_WAITING; `due`: the first MOST_NAMED
    counted  number of the newest entries for which `dropped` and `voided` are given, {why: hands}, and `moved`,
             {why: moves of the meter by inspectors}
    logs     the casino's logs, the last one first, at most MOST_LOGS
    """

    log: LogRow
    began: int
    why: str
    size: int
    head: LogHeadRow | None
    waiting: int
    due: tuple[OpeningRow, ...]
    counted: int
    dropped: Counter[str]
    voided: Counter[str]
    moved: Counter[str]
    logs: tuple[Begun, ...]


def read_health(books: Reader, casino: int, number: int | None = None) -> LogHealth | None:
    """Read the state of the log with that number, or of the last one; None if the casino has none."""
    log = logs.log(books, casino, number)
    if log is None:
        return None
    size = logs.size_of_log(books, casino, log.number)
    begun = tuple(_begun(books, one) for one in logs.logs_of_casino(books, casino, MOST_LOGS))
    first, *_ = _decode_entries(logs.entries(books, casino, log.number, 0, 1))
    newest = _decode_entries(logs.entries(books, casino, log.number, max(0, size - MOST_COUNTED), size))
    openings = hands.next_openings(books, casino, MOST_WAITING)
    return LogHealth(
        log,
        began=first.at,
        why=first.why,
        size=size,
        head=logs.newest_head(books, casino, log.number),
        waiting=len(openings),
        due=tuple(openings[:MOST_NAMED]),
        counted=len(newest),
        # An opening has a reason if nothing was dealt, a payment if everything was returned.
        dropped=Counter(entry.why for entry in newest if entry.k == "open" and entry.why not in ("", WHY)),
        voided=Counter(entry.void for entry in newest if entry.k == "paid" and entry.void),
        moved=Counter(entry.why for entry in newest if entry.k == "meter"),
        logs=begun,
    )


def _begun(books: Reader, log: LogRow) -> Begun:
    first, *_ = _decode_entries(logs.entries(books, log.casino, log.number, 0, 1))
    return Begun(log.number, first.at, first.why, logs.size_of_log(books, log.casino, log.number))


def _decode_entries(entries: Iterable[str]) -> list[_Entry]:
    return [decode(entry, type=_Entry) for entry in entries]
