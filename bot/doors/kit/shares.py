"""A token's calls, shared by all houses that speak with it: each has as many as it keeps wings of the books.

A wing has one keeper (storage/lease.py), so that the parts of all who keep some come to the whole and no more, with
nothing said between houses; and who keeps more tables has more to say. Only who keeps none, as he comes or goes, has a
sixty-fourth above it. What a house loses it does without at once. What it gains it waits for, until what its keeper
before may have called is no more counted.
"""

from collections.abc import Awaitable, Callable

from bot.doors.kit.desk import Desk, Keeper
from bot.house.state.house import Holding
from storage.rows import WINGS

# A platform counts calls by the second.
COUNTED_S = 1.0


class Shares:
    """Belongs to the event loop. `share` is told our part of all calls, above 0 and at most 1, whenever it changes."""

    def __init__(self, desk: Desk, share: Callable[[float], None], sleep: Callable[[float], Awaitable[None]]) -> None:
        self._desk, self._share, self._sleep = desk, share, sleep
        self._part = self._kept()
        share(self._part)
        desk.keepers.append(Keeper(self._look, self._look))

    def _kept(self) -> float:
        """Who keeps nothing has something to say too, when he opens or is about to end."""
        return max(1, len(self._desk.house.books.wings)) / WINGS

    def _look(self, _what: Holding) -> None:
        if (part := self._kept()) < self._part:
            self._take(part)
        elif part > self._part:
            self._desk.spawn(self._rise())

    async def _rise(self) -> None:
        await self._sleep(COUNTED_S)
        self._take(self._kept())

    def _take(self, part: float) -> None:
        self._part = part
        self._share(part)
