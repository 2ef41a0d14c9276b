"""Outcomes of each command of many clients, one byte each, compared with the store afterwards."""

from array import array
from pathlib import Path
from typing import NamedTuple

from benchmarks.machine import milliseconds, percentile
from bot.cli.doctor import examine
from storage.sqlite import reading
from tests.questions import answered_keys

LOST, DONE, REFUSED, TURNED_AWAY = range(4)


class Fates:
    """The outcomes of one client. The key of its nth command is `prefix` and n, in the store too."""

    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.found = bytearray()
        self.waits = array("f")

    def send(self) -> int:
        """Send a command, which counts as lost until it is answered."""
        self.found.append(LOST)
        return len(self.found)

    def settle(self, number: int, fate: int, waited: float) -> None:
        self.found[number - 1] = fate
        if fate == DONE:
            self.waits.append(waited)

    def contradictions(self, written: set[str]) -> int:
        """Return the number of commands whose answer contradicts the store."""
        return sum((f"{self.prefix}{n}" in written) != (fate == DONE) for n, fate in enumerate(self.found, start=1))


class Overload(NamedTuple):
    """The results. `per_s` were done of `offered_per_s`; `busy` were refused politely; p50 and p99 are of those done.

    `lost`: commands never answered, acknowledged but missing, or refused but stored; and the findings of `doctor`.
    """

    way: str
    clients: int
    seconds: float
    sustained_per_s: int
    offered_per_s: int
    offered: int
    done: int
    refused: int
    busy: int
    per_s: int
    p50_ms: float
    p99_ms: float
    most_waiting: int
    rss_mib: float
    rss_mib_halfway: float
    rss_mib_at_the_end: float
    lost: int


class Seen(NamedTuple):
    """The process at one moment."""

    rss_mib: float
    waiting: int


def sum_up(
    way: str, fates: list[Fates], seconds: float, sustained: int, before: Seen, meanwhile: list[Seen], books: Path
) -> Overload:
    """Sum up the outcomes; `books` is read as it is, though it may be open."""
    lost, done, refused, busy = (sum(one.found.count(fate) for one in fates) for fate in range(4))
    offered = lost + done + refused + busy
    waits = sorted(wait for one in fates for wait in one.waits)
    return Overload(
        way,
        len(fates),
        round(seconds, 2),
        sustained,
        round(offered / seconds),
        offered,
        done,
        refused,
        busy,
        round(done / seconds),
        milliseconds(percentile(waits, 0.5)),
        milliseconds(percentile(waits, 0.99)),
        max(seen.waiting for seen in meanwhile),
        before.rss_mib,
        meanwhile[len(meanwhile) // 2].rss_mib,
        meanwhile[-1].rss_mib,
        lost + _faults(fates, books),
    )


def _faults(fates: list[Fates], path: Path) -> int:
    with reading(path) as books:
        written = answered_keys(books)
        return sum(one.contradictions(written) for one in fates) + len(list(examine(books)))
