"""What a casino's log costs by its length: an entry appended and on disk, a head signed, a proof read.

Logs of all lengths are open side by side and take turns, as the houses of `bot.tools.bench.growth`.
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path

from bot.house import log_proofs
from bot.house.log_heads import sign
from bot.house.state.house import House, Paper
from engine.fairness.canonical import encode
from engine.fairness.ed25519 import public_key
from engine.fairness.log import opened
from engine.fairness.merkle import grow
from storage.ledger import Draft
from storage.questions import logs
from storage.rows import CasinoRow, LogEntryRow, LogRow
from storage.sqlite import SqliteBooks

ENTRIES = (1_000, 10_000, 100_000, 1_000_000)
CASINO = 1
# Of what a batch of a busy house appends, and how many proofs are read before the next log has its turn.
APPENDED, PROOFS = 100, 50
_AT_ONCE = 20_000
_SECRET = bytes(32)
_KEY = public_key(_SECRET).hex()
_COMMIT, _SEED = "ab" * 32, "cd" * 32


def costs(folder: Path, sizes: Sequence[int], rounds: int) -> Iterator[tuple[int, str, float, float]]:
    """(entries, what, microseconds of the process, microseconds on the wall) of each, `rounds` times."""
    with ExitStack() as open_logs:
        kept = {size: _Kept(open_logs.enter_context(closing(_make(folder / str(size), size)))) for size in sizes}
        for turn in range(rounds + 1):
            for size, log in kept.items():
                for what, times, work in log.works():
                    cost = _measure(work, times)
                    if turn:  # the first warms caches
                        yield size, what, *cost


def _make(folder: Path, size: int) -> SqliteBooks:
    """Books with a log of so many entries, and nothing else. Their times rise, and they mean nothing."""
    books = SqliteBooks(folder)
    draft, peaks, at = Draft(books), tuple[bytes, ...](), int(time.time()) - size
    draft.put(CasinoRow(CASINO, "Bench", "{}", 0.0))
    draft.put(LogRow(CASINO, 1, _KEY, 0))
    for number in range(size):
        leaf = encode(opened(_COMMIT, bytes.fromhex(_SEED), "bench", at + number))
        peaks, completed = grow(number, peaks, leaf)
        draft.put(LogEntryRow(CASINO, 1, number, leaf.decode(), b"".join(completed)))
        if number % _AT_ONCE == _AT_ONCE - 1:
            books.write(draft)
            draft = Draft(books)
    books.write(draft)
    return books


class _Kept:
    def __init__(self, books: SqliteBooks) -> None:
        self._books, self._house, self._chance = books, House(books, key=_KEY), random.Random(1)
        log = logs.log(books, CASINO)
        assert log is not None
        self._log = log

    def works(self) -> Iterator[tuple[str, int, Callable[[], None]]]:
        """(what, how many at a time, the work)."""
        yield "append", APPENDED, self._append
        yield "head", 1, self._sign
        yield "inclusion", PROOFS, self._prove
        yield "consistency", PROOFS, self._compare

    def _append(self) -> None:
        paper = Paper(self._house)
        for _number in range(APPENDED):
            at = paper.log_of(CASINO).time(time.time())
            paper.log(CASINO, opened(_COMMIT, bytes.fromhex(_SEED), "bench", at))
        self._books.write(paper)
        self._house.publish(paper)

    def _sign(self) -> None:
        log = self._house.log_of(CASINO)
        sign(_SECRET, log, log.last_at)

    def _prove(self) -> None:
        size = self._house.log_of(CASINO).size
        for _number in range(PROOFS):
            log_proofs.inclusion(self._books, self._log, [self._chance.randrange(size)], size)

    def _compare(self) -> None:
        size = self._house.log_of(CASINO).size
        for _number in range(PROOFS):
            log_proofs.consistency(self._books, self._log, self._chance.randrange(1, size), size)


def _measure(work: Callable[[], None], times: int) -> tuple[float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    work()
    spent, waited = time.process_time() - cpu, time.perf_counter() - wall
    return spent / times * 1e6, waited / times * 1e6
