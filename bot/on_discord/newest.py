"""Sends what is newest: one send at a time, not closer together than allowed, never a queue of old states."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

import aiohttp
import discord

# What may go wrong on the way to Discord: it refuses, or it cannot be reached.
TROUBLE = (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError)
TOO_MANY, BROKEN = 429, 500
_log = logging.getLogger("ridotto.discord")
_running: set["asyncio.Task[None]"] = set()


def is_unreached(fault: BaseException) -> bool:
    """Whether what was sent may well be taken later: Discord did not refuse it, it was out of reach."""
    status = getattr(fault, "status", BROKEN)
    return bool(status == TOO_MANY or status >= BROKEN)


def later(work: Coroutine[Any, Any, None]) -> None:
    """Runs by itself, and is kept from being collected until it is done."""
    task = asyncio.get_running_loop().create_task(work)
    _running.add(task)
    task.add_done_callback(_running.discard)


class Newest:
    """Belongs to the event loop. `wait` says how many seconds the next send has to wait, `send` sends what is now.

    Nothing waits in a task: between two sends there is a timer at most.
    """

    def __init__(self, send: Callable[[], Awaitable[None]], wait: Callable[[], float]) -> None:
        self._send, self._wait = send, wait
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None
        self._is_dirty = False
        self._is_closed = False

    def mark(self) -> None:
        """Something changed. A change may also shorten the wait."""
        self._is_dirty = True
        if self._task is None and not self._is_closed:
            self._arm()

    def close(self) -> None:
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()

    def _arm(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = asyncio.get_running_loop().call_later(max(0.0, self._wait()), self._begin)

    def _begin(self) -> None:
        self._timer = None
        self._is_dirty = False
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def _run(self) -> None:
        try:
            await self._send()
        except Exception as fault:
            _log.error("a message was not sent: %s", type(fault).__name__, exc_info=fault)
        finally:
            self._task = None
            if self._is_dirty and not self._is_closed:
                self._arm()
