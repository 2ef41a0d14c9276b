"""Work that a platform does once a minute, even after a failure."""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable

LOOK_EVERY_S = 60.0
_log = logging.getLogger("ridotto.platforms")


class EachMinute(ABC):
    """Work done once a minute. Belongs to the event loop."""

    def __init__(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._sleep = sleep
        self._task: asyncio.Task[None] | None = None

    @abstractmethod
    async def tick(self) -> None:
        """Do the work that is due now."""

    def open(self) -> None:
        """Start the minute timer; a repeated call replaces it, because opening a platform is retried."""
        self.close()
        self._task = asyncio.get_running_loop().create_task(self._run())

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _run(self) -> None:
        while True:
            await self._sleep(LOOK_EVERY_S)
            try:
                await self.tick()
            except Exception as fault:
                _log.error("%s failed: %s", type(self).__name__, type(fault).__name__, exc_info=fault)
