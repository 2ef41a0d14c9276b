"""A token's calls, divided among all houses that speak with it: what each needs, and where that is too much, the same
for the same number of wings (weighted max-min fairness).

What a house may use is claimed in the books (`storage.store.Books.claim`): each has at most what the others have left,
so that all parts never come to more than the whole, however late anybody looks. What a house gives up it does without
before it says so. What it gains it waits for, until what its owner before may have called is no more counted. Only who
is left nothing, as he comes, has a sixty-fourth above the whole.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple, Protocol

from bot.doors.kit.desk import Desk
from storage.faults import BooksGone
from storage.rows import WINGS
from storage.store import Claim

# A platform counts calls by the second; so often all houses look.
COUNTED_S = 1.0
# Calls come in bursts: a house asks for more than it has just used, and for a part of what it would have by its wings
# however little that was, so that who presses first waits for nobody.
ROOM, READY = 1.5, 0.25


class Used(NamedTuple):
    """Calls that were ever made, those that wait for one, and for how long the platform takes none at all."""

    made: int
    waiting: int
    held_s: float = 0.0


class Line(Protocol):
    """What makes a token's calls."""

    @property
    def a_second(self) -> float:
        """How many the platform takes of all houses together."""

    def used(self) -> Used: ...

    def share(self, part: float) -> None:
        """Only this part of them is ours from now on; above 0 and at most 1."""

    def hold(self, seconds: float) -> None:
        """Another house was told to make none."""


def fair_parts(claims: Sequence[Claim]) -> list[float]:
    """The part of each. Whoever wants no more than his wings' has it; whoever wants more shares with the others of his
    kind what is left; and what nobody wants lies ready for everybody."""
    weights = [max(1, claim.wings) for claim in claims]
    parts, left, weight = [0.0] * len(claims), 1.0, sum(weights)
    for one in sorted(range(len(claims)), key=lambda one: claims[one].wanted / weights[one]):
        parts[one] = min(claims[one].wanted, left * weights[one] / weight)
        left, weight = left - parts[one], weight - weights[one]
    return [part + left * own / sum(weights) for part, own in zip(parts, weights, strict=True)]


class Shares:
    """Belongs to the event loop; `follow` is to run as long as the door is open."""

    def __init__(self, desk: Desk, line: Line, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._books, self._platform, self._line, self._sleep = desk.house.books, desk.platform, line, sleep
        self._made = line.used().made
        # What is claimed, of which what it has just grown by is not used yet.
        self._granted = len(self._books.wings) / WINGS
        self._take(self._granted)

    async def follow(self) -> None:
        """Until the books are gone. Where nobody else can ever speak with the token there is nothing to do."""
        try:
            while await self._look():
                await self._sleep(COUNTED_S)
        except BooksGone:
            return  # the house has been told, and ends

    async def _look(self) -> bool:
        self._take(self._granted)
        others = await asyncio.to_thread(self._books.find_claims, self._platform)
        if others is None:
            return False
        for other in others:
            if other.held_s > 0:
                self._line.hold(other.held_s)
        mine = self._claim()
        wish = fair_parts([mine, *others])[0]
        if wish < self.part:
            self._take(wish)
        self._granted = await asyncio.to_thread(self._books.claim, self._platform, mine._replace(part=wish))
        return True

    def _claim(self) -> Claim:
        """What we would use, by the last second."""
        used, wings = self._line.used(), len(self._books.wings)
        wanted = ROOM * (used.made - self._made + used.waiting) / (self._line.a_second * COUNTED_S)
        self._made = used.made
        return Claim(wings, max(min(wanted, 1.0), READY * max(1, wings) / WINGS), self.part, used.held_s)

    def _take(self, part: float) -> None:
        self.part = max(part, 1 / WINGS)
        self._line.share(self.part)
