"""Seeds that wait to be revealed, by casino, the next one first."""

import heapq

from storage.rows import OpeningRow

# How many seeds are revealed in one batch; the next follows at once.
OPENED_AT_ONCE = 50


class Openings(dict[int, tuple[int, int]]):
    """Seeds to be revealed: {hand: (casino, when)}, changed by `note` alone; for the writer's thread."""

    def __init__(self) -> None:
        super().__init__()
        # {casino: a heap of (when, hand)}; an entry that differs from the one above counts no more.
        self._heaps: dict[int, list[tuple[int, int]]] = {}

    def note(self, row: OpeningRow) -> None:
        """Take over a row as the books have it now."""
        if not row.at:
            self.pop(row.hand, None)
            return
        self[row.hand] = (row.casino, row.at)
        heapq.heappush(self._heaps.setdefault(row.casino, []), (row.at, row.hand))

    def next_in(self, casino: int) -> tuple[int, int] | None:
        """Return when the next seed of a casino is revealed, and of which hand."""
        heap = self._heaps.get(casino, [])
        while heap and self.get(heap[0][1]) != (casino, heap[0][0]):
            heapq.heappop(heap)
        return heap[0] if heap else None

    def due_in(self, casino: int, now: float) -> list[int]:
        """Return the hands of a casino whose seeds are to be revealed by now, a few at a time."""
        due = dict[int, None]()
        while len(due) < OPENED_AT_ONCE and (found := self.next_in(casino)) is not None and found[0] <= now:
            # Again and again, where it was put off to the same second.
            due[heapq.heappop(self._heaps[casino])[1]] = None
        for hand in due:
            heapq.heappush(self._heaps[casino], (self[hand][1], hand))
        return list(due)
