"""Secrets that people type in: slow to guess for whoever guesses, and never shut to whoever knows them."""

import asyncio
import hashlib
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from bot.doors.kit.allowance import Allowance
from bot.texts import Text

TOO_MANY = Text("Too many tries: wait a minute, please.")
# One after the other: each takes 16 MiB for a twentieth of a second.
_STRETCHED = asyncio.Semaphore(1)


async def stretch(secret: str, salt: bytes) -> bytes:
    """A slow hash."""
    async with _STRETCHED:
        return await asyncio.to_thread(hashlib.scrypt, secret.encode("utf-8", "replace"), salt=salt, n=2**14, r=8, p=1)


class Guesses:
    """Of a secret that is typed in. Only wrong ones count, and only against him who made them: he waits his turn.

    Whoever knows the secret is let in, however many others guess meanwhile.
    """

    def __init__(self, wrong: Allowance, wait_s: float = 2.0, most_waiting: int = 4) -> None:
        self.wrong, self.wait_s, self.most_waiting = wrong, wait_s, most_waiting
        self._turns: dict[str, asyncio.Lock] = {}
        self._waiting: Counter[str] = Counter()

    @asynccontextmanager
    async def turn(self, asker: str) -> AsyncIterator[bool]:
        """False: too many of his are waiting already."""
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
        self.wrong.take(asker)
