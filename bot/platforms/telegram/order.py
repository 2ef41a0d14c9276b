"""A priority queue: the next job is found without looking at all that wait. Time is an argument."""

from heapq import heappop, heappush
from itertools import count
from math import inf
from typing import Generic, Protocol, TypeVar

# Sums of the same numbers need not be equal.
_MOMENT_S = 1e-6
Rank = tuple[int, float]


class JobGroup(Protocol):
    """A group of jobs that wait together, such as a chat's. `stamp` belongs to the queue.

    free_at        when one of its jobs may go; inf: none may
    rank           priority of the job that would go now; the least goes first
    due_after      when its next job becomes due
    """

    stamp: int

    def free_at(self) -> float: ...

    def rank(self, now: float) -> Rank: ...

    def due_after(self, now: float) -> float: ...


Who = TypeVar("Who", bound=JobGroup)


class Order(Generic[Who]):
    """The queue. Call `note` after every change, because only then is a group looked at again."""

    def __init__(self) -> None:
        self._stamps = count(1)
        self._later: list[tuple[float, int, Who]] = []
        self._ready: list[tuple[Rank, int, Who]] = []

    def note(self, who: Who) -> float:
        """Look at a group again and return when it may go; earlier knowledge of it is dropped."""
        who.stamp, at = next(self._stamps), who.free_at()
        if at < inf:
            heappush(self._later, (at, who.stamp, who))
        return at

    def first(self, now: float) -> Who | None:
        """Return the group that goes first of all that may go now, or None."""
        while self._later and self._later[0][0] <= now + _MOMENT_S:
            _at, stamp, who = heappop(self._later)
            if stamp == who.stamp:
                heappush(self._ready, (who.rank(now + _MOMENT_S), stamp, who))
                if (due := who.due_after(now + _MOMENT_S)) < inf:  # its rank may be higher then
                    heappush(self._later, (due, stamp, who))
        while self._ready and self._ready[0][1] != self._ready[0][2].stamp:
            heappop(self._ready)
        return self._ready[0][2] if self._ready else None

    def next_at(self) -> float:
        """Return when the next group may go, after `first` returned None; inf if none waits."""
        while self._later and self._later[0][1] != self._later[0][2].stamp:
            heappop(self._later)
        return self._later[0][0] if self._later else inf
