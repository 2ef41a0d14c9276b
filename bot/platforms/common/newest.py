"""Sends what is newest: one send at a time, not closer together than allowed, never a queue of old states."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, TypeVar

from bot.platforms.common.budget import Rank
from bot.platforms.common.turns import Turns

T = TypeVar("T")
_log = logging.getLogger("ridotto.doors")


class Newest:
    """Belongs to the event loop. `wait` says how many seconds the next send has to wait, `send` sends what is now.

    What changes within `together_s` of the first change is sent together, however much more comes meanwhile.
    With `calls` it then waits for its turn among all that the bot has to send, by its `rank`. Nothing waits in a task:
    between two sends there is a timer at most.
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
        # When the first of the changes came that are not sent yet.
        self._changed_at: float | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Future[Any] | None = None
        self.is_closed = False

    def mark(self) -> None:
        """Something changed. A change may also shorten the wait."""
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
        """It is sent again, whatever changed while it was closed."""
        self.is_closed = False
        self.mark()

    async def begin_with(self, send: Callable[[], Awaitable[T]]) -> T:
        """Send this first, at once, and then what changes from now on. Raises what it raises."""
        self._changed_at = None
        self._task = task = asyncio.ensure_future(send())
        try:
            return await task
        finally:
            self._end()

    async def over(self) -> None:
        """Nothing is being sent when this returns."""
        if self._task is not None:
            await asyncio.wait({self._task})

    def _arm(self) -> None:
        loop = asyncio.get_running_loop()
        if self._timer is not None:
            if self._timer.when() <= loop.time():
                return  # it is about to go: begun anew with every change it never would
            self._timer.cancel()
        together = (self._changed_at or 0.0) + self._together_s - loop.time()
        self._timer = loop.call_later(max(0.0, self._wait(), together), self._line_up)

    def _line_up(self) -> None:
        self._timer = None
        if (calls := self._calls) is None:
            self._begin(nullcontext())
        else:
            calls.ask(self, self._rank(), lambda number: self._begin(calls.paid(number)))

    def _begin(self, paid: AbstractContextManager[None]) -> None:
        """From here on a change is for the send after this one."""
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
            # Who closes takes the line away under what is being sent.
            if not self.is_closed:
                _log.error("a message was not sent: %s", type(fault).__name__, exc_info=fault)
        finally:
            self._end()

    def _end(self) -> None:
        """Send next what changed meanwhile."""
        self._task = None
        if self._changed_at is not None and not self.is_closed:
            self._arm()
