"""Whose job goes next, found without looking through all that wait. Time is an argument here."""

from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Generic, Protocol, TypeVar

# Moments that are sums of the same numbers need not be equal.
_MOMENT_S = 1e-6
Rank = tuple[int, float]


class Waiting(Protocol):
    """Whose jobs wait together. `stamp` is the order's own.

    free_at        from when on one of its jobs may go; inf: none may
    rank           of the job that would go now: the least of all goes first
    due_after      when the next job that is not due yet is
    """

    stamp: int

    def free_at(self) -> float: ...

    def rank(self, now: float) -> Rank: ...

    def due_after(self, now: float) -> float: ...


Who = TypeVar("Who", bound=Waiting)


class Order(Generic[Who]):
    """Looks again only at whom it is told of: `note` after whatever changes what it is asked."""

    def __init__(self) -> None:
        self._stamps = count(1)
        self._later: list[tuple[float, int, Who]] = []
        self._ready: list[tuple[Rank, int, Who]] = []

    def note(self, who: Who) -> float:
        """What was known of it counts no more. Answers with when it may go."""
        who.stamp, at = next(self._stamps), who.free_at()
        if at < inf:
            heappush(self._later, (at, who.stamp, who))
        return at

    def first(self, now: float) -> Who | None:
        """Who goes first of all that may go now."""
        while self._later and self._later[0][0] <= now + _MOMENT_S:
            _at, stamp, who = heappop(self._later)
            if stamp == who.stamp:
                heappush(self._ready, (who.rank(now + _MOMENT_S), stamp, who))
                if (due := who.due_after(now + _MOMENT_S)) < inf:  # it may matter more then
                    heappush(self._later, (due, stamp, who))
        while self._ready and self._ready[0][1] != self._ready[0][2].stamp:
            heappop(self._ready)
        return self._ready[0][2] if self._ready else None

    def next_at(self) -> float:
        """When the next one may go, after `first` has found none; inf if nobody waits."""
        while self._later and self._later[0][1] != self._later[0][2].stamp:
            heappop(self._later)
        return self._later[0][0] if self._later else inf
