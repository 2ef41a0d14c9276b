"""One heap of deadlines for all tables and casinos, with one entry that counts for each."""

import heapq
from collections.abc import Callable
from typing import Literal, NamedTuple


class ClockOwner(NamedTuple):
    """The table or casino whose clock it is."""

    kind: Literal["casino", "table"]
    id: int


class Clocks:
    """A heap of clocks; `runs_out(owner)` returns when a clock runs out as it is set now, or None.

    An entry may be earlier than its clock: it is put off when it comes up. So a clock that is set later, as every bet
    does, costs one look into a dictionary and no room.
    """

    def __init__(self, runs_out: Callable[[ClockOwner], float | None]) -> None:
        self._runs_out = runs_out
        self._heap: list[tuple[float, ClockOwner]] = []
        self._armed: dict[ClockOwner, float] = {}

    def __len__(self) -> int:
        return len(self._heap)

    def arm(self, owner: ClockOwner, at: float) -> None:
        """Check this clock at that time, or before."""
        armed = self._armed.get(owner)
        if armed is None or at < armed:
            self._armed[owner] = at
            heapq.heappush(self._heap, (at, owner))

    def next(self) -> float | None:
        """Return when a clock runs out next, or is to be checked again."""
        while self._heap:
            at, owner = self._heap[0]
            runs_out = self._runs_out(owner) if self._armed.get(owner) == at else None
            if runs_out is not None and runs_out <= at:
                return at
            self._pop()
            if runs_out is not None:
                self.arm(owner, runs_out)
        return None

    def take_due(self, now: float, most: int | None = None) -> list[tuple[float, ClockOwner]]:
        """Remove and return the clocks that have run out, as (deadline, owner), the longest ago first."""
        taken: list[tuple[float, ClockOwner]] = []
        while (most is None or len(taken) < most) and (at := self.next()) is not None and at <= now:
            taken.append(self._pop())
        return taken

    def _pop(self) -> tuple[float, ClockOwner]:
        at, owner = heapq.heappop(self._heap)
        if self._armed.get(owner) == at:
            del self._armed[owner]
        return at, owner
