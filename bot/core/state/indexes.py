"""Indexes of the state, kept up to date as it changes: seeds that wait to be revealed, and tables by player."""

import heapq
from collections.abc import Iterable, Mapping

from bot.core.state.table import Table
from storage.rows import OpeningRow

# Number of seeds revealed in one batch; the next follows at once.
OPENED_AT_ONCE = 50
# Number of changed tables after which the index is updated, so that no reader waits for many.
MOST_CHANGED = 500


class Openings(dict[int, tuple[int, int]]):
    """Seeds to be revealed: {hand: (casino, when)}, changed by `note` alone; for the writer's thread."""

    def __init__(self) -> None:
        super().__init__()
        # {casino: a heap of (when, hand)}; an entry that differs from the mapping is outdated.
        self._heaps: dict[int, list[tuple[int, int]]] = {}

    def note(self, row: OpeningRow) -> None:
        """Update the index with a row of the books."""
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
            # Repeated, because it may have been put off to the same second.
            due[heapq.heappop(self._heaps[casino])[1]] = None
        for hand in due:
            heapq.heappush(self._heaps[casino], (self[hand][1], hand))
        return list(due)


class Presence:
    """The players at each table, brought up to date when they are asked for. For the writer's thread."""

    def __init__(self, tables: Mapping[int, Table]) -> None:
        self._tables = tables
        self._tables_of: dict[int, set[int]] = {}
        self._players_at: dict[int, set[int]] = {}
        self._changed: set[int] = set()

    def note_changed(self, tables: Iterable[int]) -> None:
        self._changed.update(tables)
        if self._players_at and len(self._changed) > MOST_CHANGED:
            self._refresh_changed()

    def tables_of(self, player: int) -> set[int]:
        """Return the tables where a player has a seat or a bet, in a hand too."""
        if not self._players_at:
            self._changed |= self._tables.keys()
        self._refresh_changed()
        return self._tables_of.get(player, set())

    def _refresh_changed(self) -> None:
        for id in self._changed:
            self._note_players(id, self._tables[id].players())
        self._changed.clear()

    def _note_players(self, id: int, now: set[int]) -> None:
        before = self._players_at.get(id, set())
        self._players_at[id] = now
        for player in now - before:
            self._tables_of.setdefault(player, set()).add(id)
        for player in before - now:
            self._tables_of[player].discard(id)
