"""How a casino's log stands, read at its ends: what is read of it does not grow with it."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from msgspec import Struct
from msgspec.json import decode

from storage.questions import hands, logs
from storage.rows import LogHeadRow, LogRow
from storage.store import Reader

# Of how many entries, the newest ones, dropped and void hands are counted.
MOST_COUNTED = 1000
# How many seeds that wait are counted.
MOST_WAITING = 1000


class _Entry(Struct):
    """What is told of an entry, of whatever kind; a seed is not among it."""

    k: str
    at: int
    why: str = ""
    void: str = ""


@dataclass(frozen=True, slots=True)
class LogHealth:
    """Of a casino's last log.

    began    when its first entry was appended, in Unix seconds; `why` that entry says
    size     entries that stand in it, signed or not
    head     the newest that is signed, None where none is yet
    waiting  seeds of the casino that wait to be shown, counted up to MOST_WAITING; `due`: when the first of them is
    counted  of how many entries, the newest ones, `dropped` and `voided` are: {why: hands}
    """

    log: LogRow
    began: int
    why: str
    size: int
    head: LogHeadRow | None
    waiting: int
    due: int | None
    counted: int
    dropped: Counter[str]
    voided: Counter[str]


def read_health(books: Reader, casino: int) -> LogHealth | None:
    """None where the casino has no log yet."""
    log = logs.log(books, casino)
    if log is None:
        return None
    size = logs.size_of_log(books, casino, log.number)
    first, *_ = _read(logs.entries(books, casino, log.number, 0, 1))
    newest = _read(logs.entries(books, casino, log.number, max(0, size - MOST_COUNTED), size))
    openings = hands.next_openings(books, casino, MOST_WAITING)
    return LogHealth(
        log,
        began=first.at,
        why=first.why,
        size=size,
        head=logs.newest_head(books, casino, log.number),
        waiting=len(openings),
        due=openings[0].at if openings else None,
        counted=len(newest),
        # An opening says why where nothing was dealt, a payment where all was given back.
        dropped=Counter(entry.why for entry in newest if entry.k == "open" and entry.why),
        voided=Counter(entry.void for entry in newest if entry.k == "paid" and entry.void),
    )


def _read(entries: Iterable[str]) -> list[_Entry]:
    return [decode(entry, type=_Entry) for entry in entries]
