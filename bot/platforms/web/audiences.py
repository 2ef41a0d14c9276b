"""The public view of a table for people without a part in it: drawn once per change and language, however many look on.

It is drawn without a viewer, so that no player's own cards can appear in it (bot/view/audience.py); the wallet is a gap
in it. People who cannot pay for every offer see fewer: there is a drawing for each such step, not for each player.
"""

import time
from collections import OrderedDict
from collections.abc import Callable

from bot.core.state.table import Table
from bot.core.state.transaction import State
from bot.platforms.web.timelines import Timelines
from bot.platforms.web.views import Drawing, Parts
from bot.view import Screen
from bot.view.audience import Prices, audience_screen, people_in
from engine.felt import Amount

# Longest delay of changes that come with time alone, and of settings of a whole casino.
FRESH_S = 1.0
MOST_TABLES = 256
Draw = Callable[[Table, Screen, str, bool], Parts]


class Audience:
    """The public view of one table at a moment; `people` have views of their own."""

    def __init__(self, state: State, table: Table, now: float, draw: Draw, before: "Audience | None") -> None:
        self.table, self.made = table, time.monotonic()
        self.people = people_in(table)
        self._state, self._now, self._draw = state, now, draw
        self._prices = Prices(state, table, now)
        self._drawings: dict[tuple[str, int, bool], Drawing] = {}
        self._before = {} if before is None else before._drawings

    def drawing(self, language: str, chips: int | None, *, shows_odds: bool) -> Drawing:
        """Return the view for someone with this many chips there; None for a newcomer, who gets welcome chips."""
        key = (language, self._prices.means(chips), shows_odds)
        if key not in self._drawings:
            shown = audience_screen(self._state, self.table, key[1], self._now)
            parts, before = self._draw(self.table, shown, language, shows_odds), self._before.get(key)
            self._drawings[key] = before if before is not None and before.parts == parts else Drawing(parts)
        return self._drawings[key]


class Audiences:
    """The public views of all watched tables. Belongs to the event loop; only `forget` is thread-safe."""

    def __init__(self, state: State, clock: Callable[[], float]) -> None:
        self._state, self._clock = state, clock
        self.timelines = Timelines(state, clock)
        self._known: OrderedDict[int, tuple[int, Audience]] = OrderedDict()
        # How often each table has changed.
        self._changes: dict[int, int] = {}

    def forget(self, tables: set[int], is_linked: Callable[[int], bool]) -> None:
        """Drop the views of changed tables, and of those that `is_linked` to them. Called in the writer's thread."""
        for id in tables | {id for id in list(self._known) if is_linked(id)}:
            self._changes[id] = self._changes.get(id, 0) + 1

    def of(self, table: Table, draw: Draw) -> Audience:
        """Return the public view of a table now. `draw` renders its parts for a language, with or without odds."""
        changes = self._changes.get(table.id, 0)
        known_at, known = self._known.get(table.id, (0, None))
        if known is None or known_at != changes or known.table is not table or _is_old(known):
            known = Audience(self._state, table, self._clock(), draw, known)
            self._known[table.id] = changes, known
            while len(self._known) > MOST_TABLES:
                self._known.popitem(last=False)
        self._known.move_to_end(table.id)
        return known


def _is_old(audience: Audience) -> bool:
    return time.monotonic() >= audience.made + FRESH_S


class Lobby:
    """The lounge's tables and the players at them. Belongs to the event loop, except `forget`."""

    def __init__(self, look: Callable[[], tuple[list[Table], Amount]]) -> None:
        self._look = look
        self._changes = 0
        self._looked: tuple[int, float] | None = None
        self._shown: tuple[object, ...] = ()
        self._drawings: dict[str, Drawing] = {}
        self.tables: list[Table] = []
        self.people: frozenset[int] = frozenset()
        self.meter = Amount(0)

    def forget(self) -> None:
        """Drop the view after a change of a table. Called in the writer's thread."""
        self._changes += 1

    def now(self) -> "Lobby":
        """Return the lobby, brought up to date."""
        changes, at = self._changes, time.monotonic()
        if self._looked is None or self._looked[0] != changes or at >= self._looked[1] + FRESH_S:
            self._looked = changes, at
            self._set_tables(*self._look())
        return self

    def _set_tables(self, tables: list[Table], meter: Amount) -> None:
        self.tables, self.meter = tables, meter
        there = [table.players() for table in tables]
        self.people = frozenset().union(*there)
        rows = (
            (one.id, one.number, one.phase, one.settings, frozenset(who))
            for one, who in zip(tables, there, strict=True)
        )
        shown = meter, *rows
        if shown != self._shown:
            self._shown, self._drawings = shown, {}

    def drawing(self, language: str, draw: Callable[[], Parts]) -> Drawing:
        """Return the view for people at none of the tables, rendered by `draw` if it is missing."""
        if language not in self._drawings:
            self._drawings[language] = Drawing(draw())
        return self._drawings[language]
