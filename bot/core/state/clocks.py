"""When clocks run out: one heap of deadlines for all tables, with one entry that counts for each."""

import heapq
from collections.abc import Callable


class Clocks:
    """`runs_out(id)` tells when a clock runs out as it stands now; None: it does not.

    An entry may be earlier than the clock that it stands for: it is put off when it comes up. So a clock that is set
    on, as every bet does it, costs a look into a dictionary and no room.
    """

    def __init__(self, runs_out: Callable[[int], float | None]) -> None:
        self._runs_out = runs_out
        self._heap: list[tuple[float, int]] = []
        self._armed: dict[int, float] = {}

    def __len__(self) -> int:
        return len(self._heap)

    def arm(self, id: int, at: float) -> None:
        """Look at this clock then, or before."""
        armed = self._armed.get(id)
        if armed is None or at < armed:
            self._armed[id] = at
            heapq.heappush(self._heap, (at, id))

    def next(self) -> float | None:
        """When a clock runs out next, or is to be looked at again."""
        while self._heap:
            at, id = self._heap[0]
            runs_out = self._runs_out(id) if self._armed.get(id) == at else None
            if runs_out is not None and runs_out <= at:
                return at
            self._pop()
            if runs_out is not None:
                self.arm(id, runs_out)
        return None

    def take(self, now: float, most: int | None = None) -> list[tuple[float, int]]:
        """(deadline, id) of those that have run out, the longest ago first; who takes them sees to them."""
        taken: list[tuple[float, int]] = []
        while (most is None or len(taken) < most) and (at := self.next()) is not None and at <= now:
            taken.append(self._pop())
        return taken

    def _pop(self) -> tuple[float, int]:
        at, id = heapq.heappop(self._heap)
        if self._armed.get(id) == at:
            del self._armed[id]
        return at, id
