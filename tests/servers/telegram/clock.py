"""Clocks for the Telegram server: the machine's own, or a virtual one that a test moves."""

import asyncio
import heapq
import itertools
import time
from collections.abc import Awaitable, Callable
from typing import Protocol


class Clock(Protocol):
    def now(self) -> float: ...

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The machine's time, for a bot in a separate process."""

    def now(self) -> float:
        return time.time()

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


class VirtualClock:
    """Unix time that moves only in `advance` and `wake_next`; sleepers wake in order of time.

    Give the same clock to the bot's send queue (`now` and `sleep`), and an hour of play takes no time.
    """

    def __init__(self, start: float = 1_790_000_000.0) -> None:
        self._now = start
        self._order = itertools.count()
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def now(self) -> float:
        return self._now

    __call__ = now

    async def sleep(self, seconds: float) -> None:
        if seconds <= 0:
            await asyncio.sleep(0)
            return
        alarm = asyncio.get_running_loop().create_future()
        heapq.heappush(self._sleepers, (self._now + seconds, next(self._order), alarm))
        await alarm

    async def advance(self, seconds: float, settle: Callable[[], Awaitable[None]] | None = None) -> None:
        """Move forward; after each sleeper wakes, `settle` lets its consequences happen before time goes on."""
        target = self._now + seconds
        settle = settle or _a_few_turns
        await settle()
        while self._sleepers and self._sleepers[0][0] <= target:
            when, _, alarm = heapq.heappop(self._sleepers)
            if alarm.done():  # its sleeper was cancelled
                continue
            self._now = max(self._now, when)
            alarm.set_result(None)
            await settle()
        self._now = max(self._now, target)
        await settle()

    def wake_next(self) -> None:
        """Move to the time of the sleeper that wakes first."""
        while self._sleepers:
            when, _, alarm = heapq.heappop(self._sleepers)
            if not alarm.done():
                self._now = max(self._now, when)
                alarm.set_result(None)
                return


async def _a_few_turns() -> None:
    for _ in range(10):
        await asyncio.sleep(0)
