"""The rate limiter of the bot: 45 calls a second. Discord takes 50, and bans an address for 10,000 refused ones.

Each try of the library is counted, retries too; answers to presses are separate, as for Discord. Frequent callers ask
for a turn first; the others wait at the gate.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import aiohttp
from discord.http import Route

from bot.core.counters import PLATFORMS
from bot.platforms.common.budget import Budget, Rank
from bot.platforms.common.turns import TooLate, Turns, paid_turn

CALLS_A_SECOND, BURST, MOST = 45.0, 2, 50
TOO_MANY = 429
# Interactions have limits of their own.
_APART = ("/interactions/", "/webhooks/")


class Calls(Turns):
    """The rate limiter for every call to Discord, retries of the library included; answers to presses are counted
    apart.
    """

    def __init__(self, a_second: float = CALLS_A_SECOND, burst: int = BURST, most: int = MOST) -> None:
        super().__init__(Budget(a_second, burst, most))
        self.trace = aiohttp.TraceConfig()
        self.trace.on_request_start.append(self._admit)
        self.trace.on_request_end.append(self._heed)
        self.trace.on_request_exception.append(self._count_lost)

    @contextmanager
    def tried_once(self) -> Iterator[None]:
        """Try calls of this turn once: a retry by the library would send an old state. Raises TooLate."""
        turn = paid_turn.get()
        assert turn is not None
        turn.tried = set()
        try:
            yield
        finally:
            turn.tried = None

    async def _admit(self, session: object, call: SimpleNamespace, started: aiohttp.TraceRequestStartParams) -> None:
        call.number = None
        if not _is_counted(started.url):
            return
        turn = paid_turn.get()
        if turn is not None and turn.tried is not None:
            if (one := (started.method, str(started.url))) in turn.tried:
                raise TooLate
            turn.tried.add(one)
        if turn is not None and turn.is_left:
            number, turn.is_left = turn.number, False
        else:
            number = await self.wait(Rank.FIRST)
        if turn is not None and not turn.counts():
            self.give_back(number)
            raise TooLate
        call.number = number

    async def _heed(self, session: object, call: SimpleNamespace, ended: aiohttp.TraceRequestEndParams) -> None:
        """Hold all calls when Discord reports that the bot's global limit is used up."""
        response = ended.response
        PLATFORMS["discord"].limited += response.status == TOO_MANY
        if response.status == TOO_MANY and "X-RateLimit-Global" in response.headers:
            self.budget.bucket.block_until(self.now() + float(response.headers.get("Retry-After", 1.0)))
        if call.number is not None:
            self.answered(call.number)

    async def _count_lost(self, session: object, call: SimpleNamespace, lost: object) -> None:
        if call.number is not None:
            self.answered(call.number)


def _is_counted(url: Any) -> bool:
    where = str(url)
    return where.startswith(Route.BASE) and not where.removeprefix(Route.BASE).startswith(_APART)
