"""The rate limiter on the event loop: ask for a call, make it in turn, report its end.

A caller draws only after its call is granted, so that nothing stale waits.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar

from bot.platforms.common.budget import Budget, Rank


class TooLate(Exception):
    """The call is outdated and was not made."""


class Turn:
    """A granted call that has not been made yet. `counts` is asked before each try.

    `tried`: the single-try calls made in it, None if retries are allowed.
    """

    def __init__(self, number: int, counts: Callable[[], bool]) -> None:
        self.number, self.is_left, self.counts = number, True, counts
        self.tried: set[Hashable] | None = None


paid_turn: ContextVar[Turn | None] = ContextVar("turn", default=None)
"""The call that may be made here and now without another turn."""


class Turns:
    """The rate limiter on the event loop, with its clock."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._going: dict[Hashable, Callable[[int], None]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def enqueue(self, key: Hashable, rank: Rank, go: Callable[[int], None]) -> None:
        """Queue `go`, which is called with the call's number in its turn; end it by `paid` or `answered`."""
        self._going[key] = go
        self.budget.enqueue(key, rank, self.now())
        self._pump()

    def drop(self, key: Hashable) -> None:
        self.budget.drop(key)
        self._going.pop(key, None)

    @contextmanager
    def paid(self, number: int, counts: Callable[[], bool] = lambda: True) -> Iterator[None]:
        """Make the granted call inside this context, or refund it."""
        before = paid_turn.set(turn := Turn(number, counts))
        try:
            yield
        finally:
            paid_turn.reset(before)
            if turn.is_left:
                turn.is_left = False
                self.give_back(number)

    @asynccontextmanager
    async def turn(self, rank: Rank, counts: Callable[[], bool] = lambda: True) -> AsyncIterator[None]:
        """Wait for a call and make it inside this context while `counts` holds; a late caller raises TooLate."""
        with self.paid(await self.wait(rank), counts):
            yield

    @property
    def is_quiet(self) -> bool:
        """Return whether there are calls to spare."""
        return self.budget.is_quiet(self.now())

    def answered(self, number: int) -> None:
        """End a call, counted or not: it counts for another second."""
        self.budget.window.answered(number, self.now())
        self._pump()

    async def wait(self, rank: Rank) -> int:
        """Wait for a call and return its number."""
        key, come = object(), asyncio.get_running_loop().create_future()
        self.enqueue(key, rank, lambda number: self.give_back(number) if come.cancelled() else come.set_result(number))
        try:
            number: int = await come
        except asyncio.CancelledError:
            self.drop(key)
            if not come.cancelled():
                self.give_back(come.result())
            raise
        return number

    def give_back(self, number: int) -> None:
        """Refund a granted call that is not made."""
        self.budget.give_back(number)
        self._pump()

    def _pump(self) -> None:
        """Grant all calls that are allowed now; set a timer for the next."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        while (grant := self.budget.grant_next(self.now())) is not None:
            self._going.pop(grant.key)(grant.number)
        if (wait := self.budget.wait_s(self.now())) is not None:
            self._timer = asyncio.get_running_loop().call_later(wait, self._pump)

    def now(self) -> float:
        return asyncio.get_running_loop().time()
