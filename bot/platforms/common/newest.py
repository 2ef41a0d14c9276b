"""A coalescing sender: sends the latest state, one send at a time, with a least gap, and never a queue of old
states.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

from bot.platforms.common.budget import Rank
from bot.platforms.common.turns import Turns

T = TypeVar("T")
_log = logging.getLogger("ridotto.platforms")


class Newest:
    """A coalescing sender. Belongs to the event loop. `wait` returns the seconds until the next send, `send` sends now.

    Changes within `together_s` of the first one are sent together. With `calls` a send then waits for its turn among
    all calls of the bot, by its `rank`. No task waits between two sends, at most a timer.
    """

    def __init__(
        self,
        send: Callable[[], Awaitable[None]],
        wait: Callable[[], float],
        calls: Turns | None = None,
        rank: Callable[[], Rank] = lambda: Rank.BOARD,
        together_s: float = 0.0,
    ) -> None:
        self._send, self._wait, self._calls, self._rank = send, wait, calls, rank
        self._together_s = together_s
        # When the first unsent change came.
        self._changed_at: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Future[Any] | None = None
        self.is_closed = False

    def mark(self) -> None:
        """Note a change, which may also shorten the wait."""
        if self._changed_at is None:
            self._changed_at = asyncio.get_running_loop().time()
        if self._task is None and not self.is_closed:
            self._arm()

    def close(self) -> None:
        self.is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        if self._calls is not None:
            self._calls.drop(self)

    def reopen(self) -> None:
        """Send again from now on, including what changed while it was closed."""
        self.is_closed = False
        self.mark()

    async def begin_with(self, send: Callable[[], Awaitable[T]]) -> T:
        """Send this first, at once, and later changes after it. Raises what `send` raises."""
        self._changed_at = None
        self._task = task = asyncio.ensure_future(send())
        try:
            return await task
        finally:
            self._end()

    async def over(self) -> None:
        """Wait until no send is running."""
        if self._task is not None:
            await asyncio.wait({self._task})

    def _arm(self) -> None:
        loop = asyncio.get_running_loop()
        if self._timer is not None:
            if self._timer.when() <= loop.time():
                return  # About to be sent; restarting with every change would delay it forever.
            self._timer.cancel()
        together = (self._changed_at or 0.0) + self._together_s - loop.time()
        self._timer = loop.call_later(max(0.0, self._wait(), together), self._line_up)

    def _line_up(self) -> None:
        self._timer = None
        if (calls := self._calls) is None:
            self._begin(nullcontext())
        else:
            calls.enqueue(self, self._rank(), lambda number: self._begin(calls.paid(number)))

    def _begin(self, paid: AbstractContextManager[None]) -> None:
        """Start a send; changes from here on are for the next one."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._changed_at = None
        self._task = asyncio.get_running_loop().create_task(self._run(paid))

    async def _run(self, paid: AbstractContextManager[None]) -> None:
        try:
            with paid:
                await self._send()
        except Exception as fault:
            # Closing breaks the connection under a running send.
            if not self.is_closed:
                _log.error("a message was not sent: %s", type(fault).__name__, exc_info=fault)
        finally:
            self._end()

    def _end(self) -> None:
        """End a send; changes meanwhile are sent next."""
        self._task = None
        if self._changed_at is not None and not self.is_closed:
            self._arm()
