"""Counters since the start, for /metrics: whole numbers only, no names, no amounts.

Each number has one thread that writes it; readers may see a slightly old value.
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass
class PlatformCounts:
    """Counts for one platform since the start.

    They are sent messages and edits, checks after which nothing had to be sent, refusals, errors, and rate-limited
    calls (429).
    """

    sent: int = 0
    skipped: int = 0
    failed: int = 0
    limited: int = 0


# By name; a counter begins when it first counts something.
PLATFORMS: defaultdict[str, PlatformCounts] = defaultdict(PlatformCounts)


class Histogram:
    """Number of values up to each bound; values and bounds are whole numbers."""

    def __init__(self, bounds: Sequence[int]) -> None:
        self.bounds = tuple(bounds)
        self.total = 0
        self._counts = [0] * (len(self.bounds) + 1)

    def note(self, value: int) -> None:
        self.total += value
        self._counts[bisect_left(self.bounds, value)] += 1

    @property
    def count(self) -> int:
        return sum(self._counts)

    def up_to(self) -> list[tuple[int, int]]:
        """Return (bound, number of values not above it), by rising bound."""
        counts, below = list(self._counts), 0
        return [(bound, below := below + count) for bound, count in zip(self.bounds, counts, strict=False)]
