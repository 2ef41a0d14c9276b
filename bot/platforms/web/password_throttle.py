"""Throttling of guesses at typed secrets: slow for attackers, never locked for people who know the secret."""

import asyncio
import hashlib
import secrets
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from bot.platforms.common.allowance import Allowance
from bot.texts import Text

TOO_MANY = Text("Too many tries. Wait a minute.")
# With too many wrong guesses, one of the waiting strangers is let in each time, of at most this many.
DRAW_S, MOST_IN_CROWD = 0.2, 50
# One at a time: each takes 16 MiB for a twentieth of a second.
_STRETCHED = asyncio.Semaphore(1)


async def stretch(secret: str, salt: bytes) -> bytes:
    """Return a slow hash of a secret."""
    async with _STRETCHED:
        return await asyncio.to_thread(hashlib.scrypt, secret.encode("utf-8", "replace"), salt=salt, n=2**14, r=8, p=1)


class PasswordThrottle:
    """A throttle of guesses at a secret. Only wrong ones count, mainly against their address, whose next guesses are
    delayed. The right secret always works.

    `of_all`: how many wrong guesses all addresses together may make. Beyond that new addresses are drawn by lot, some
    each second, however many they are.
    """

    def __init__(
        self, wrong: Allowance, wait_s: float = 2.0, most_waiting: int = 4, of_all: Allowance | None = None
    ) -> None:
        self.wrong, self.wait_s, self.most_waiting, self.of_all = wrong, wait_s, most_waiting, of_all
        self._turns: dict[str, asyncio.Lock] = {}
        self._waiting: Counter[str] = Counter()
        self._crowd: list[asyncio.Future[bool]] = []
        self._drawing: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def turn(self, asker: str, *, is_known: bool = False) -> AsyncIterator[bool]:
        """Wait for a turn to guess; return False if too many wait. `is_known` browsers wait for no stranger."""
        async with self._own_turn(asker) as may_try:
            is_crowded = self.of_all is not None and self.of_all.left(None) < 1
            yield may_try and (is_known or not is_crowded or await self._is_drawn())

    async def _is_drawn(self) -> bool:
        """Wait for the lot and return whether this guess may be tried; a random one is refused if too many wait."""
        waiting = asyncio.get_running_loop().create_future()
        self._crowd.append(waiting)
        if len(self._crowd) > MOST_IN_CROWD:
            self._draw(False)
        if self._drawing is None:
            self._drawing = asyncio.get_running_loop().create_task(self._run_draw())
        try:
            return bool(await waiting)
        finally:
            with suppress(ValueError):
                self._crowd.remove(waiting)

    async def _run_draw(self) -> None:
        while self._crowd:
            await asyncio.sleep(DRAW_S)
            if self._crowd:
                self._draw(True)
        self._drawing = None

    def _draw(self, may_try: bool) -> None:
        self._crowd.pop(secrets.randbelow(len(self._crowd))).set_result(may_try)

    @asynccontextmanager
    async def _own_turn(self, asker: str) -> AsyncIterator[bool]:
        if self.wrong.left(asker) >= 1:
            yield True
            return
        if self._waiting[asker] >= self.most_waiting:
            yield False
            return
        self._waiting[asker] += 1
        try:
            async with self._turns.setdefault(asker, asyncio.Lock()):
                await asyncio.sleep(self.wait_s)
                yield True
        finally:
            self._waiting[asker] -= 1
            if not self._waiting[asker]:
                del self._waiting[asker], self._turns[asker]

    def note_wrong(self, asker: str) -> None:
        self.wrong.spend(asker)
        if self.of_all is not None:
            self.of_all.spend(None)
