"""The rate limiter on the event loop: ask for a call, make it in turn, report its end.

A caller draws only after its call is granted, so that nothing stale waits.
"""

import asyncio
from collections.abc import AsyncIterator, Callable, Hashable, Iterator
from contextlib import asynccontextmanager, contextmanager
from contextvars import ContextVar

from bot.platforms.common.budget import Budget, Rank


class TooLate(Exception):
    """A call that does not count any more was not made."""


class Turn:
    """One call is paid for, and not made yet. `counts` is asked before each of its tries.

    `tried`: the calls that were made in it and are tried once, None where they may be tried again.
    """

    def __init__(self, number: int, counts: Callable[[], bool]) -> None:
        self.number, self.is_left, self.counts = number, True, counts
        self.tried: set[Hashable] | None = None


paid_turn: ContextVar[Turn | None] = ContextVar("turn", default=None)
"""The call that may be made here and now without another turn."""


class Turns:
    """Belongs to the event loop, and follows its clock."""

    def __init__(self, budget: Budget) -> None:
        self.budget = budget
        self._going: dict[Hashable, Callable[[int], None]] = {}
        self._timer: asyncio.TimerHandle | None = None

    def ask(self, key: Hashable, rank: Rank, go: Callable[[int], None]) -> None:
        """`go` is called with the number of a call as its turn comes: `paid` around what it does, or `answered`."""
        self._going[key] = go
        self.budget.ask(key, rank, self.now())
        self._pump()

    def drop(self, key: Hashable) -> None:
        self.budget.drop(key)
        self._going.pop(key, None)

    @contextmanager
    def paid(self, number: int, counts: Callable[[], bool] = lambda: True) -> Iterator[None]:
        """The call that was asked for is made in here, or given back."""
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
        """Waits for a call, and has it made in here, as long as it counts; who makes it raises TooLate."""
        with self.paid(await self.wait(rank), counts):
            yield

    @property
    def is_quiet(self) -> bool:
        """Return whether there are calls to spare."""
        return self.budget.is_quiet(self.now())

    def answered(self, number: int) -> None:
        """The call of this number is over, or was one that is not counted: it counts for a second more."""
        self.budget.window.answered(number, self.now())
        self._pump()

    async def wait(self, rank: Rank) -> int:
        """The number of a call that may be made now."""
        key, come = object(), asyncio.get_running_loop().create_future()
        self.ask(key, rank, lambda number: self.give_back(number) if come.cancelled() else come.set_result(number))
        try:
            number: int = await come
        except asyncio.CancelledError:
            self.drop(key)
            if not come.cancelled():
                self.give_back(come.result())
            raise
        return number

    def give_back(self, number: int) -> None:
        """The call of this number is not made."""
        self.budget.give_back(number)
        self._pump()

    def _pump(self) -> None:
        """Grant all calls that are allowed now; set a timer for the next."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        while (grant := self.budget.take(self.now())) is not None:
            self._going.pop(grant.key)(grant.number)
        if (wait := self.budget.wait_s(self.now())) is not None:
            self._timer = asyncio.get_running_loop().call_later(wait, self._pump)

    def now(self) -> float:
        return asyncio.get_running_loop().time()
