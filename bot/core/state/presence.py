"""Tables by the players who sit or bet there, with no look at every table."""

from collections.abc import Iterable, Mapping

from bot.core.state.table import Table

# How many tables may change before they are looked at, so that no question has to wait for many.
MOST_CHANGED = 500


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
            self._look()

    def tables_of(self, player: int) -> set[int]:
        """Return the tables where a player has a seat or a bet, in a hand too."""
        if not self._players_at:
            self._changed |= self._tables.keys()
        self._look()
        return self._tables_of.get(player, set())

    def _look(self) -> None:
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
