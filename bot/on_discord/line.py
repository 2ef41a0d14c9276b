"""Whether Discord can be reached, and where not: told to the floor, whose clocks stand there meanwhile (experience, 6).

A shard without its gateway hears no press, a server may be out, a channel may take no message, or the API does not
answer at all. Each is a cause; a place is away while one of them holds.
"""

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

import discord
from discord.http import Route

from bot.counters import PLATFORMS
from bot.floor.command import Place
from bot.floor.places import errand_of
from bot.on_discord.newest import TROUBLE, is_unreached, later
from bot.pit import Pit

PLATFORM = "discord"
# The address of the whole platform.
EVERYWHERE = ""
SLOW_S = 5.0
ASK_AGAIN_S, MOST_ASK_AGAIN_S = 1.0, 15.0
# Discord tells who pressed after three seconds that nobody answered: what is told to us later than that, after the
# line was lost, he has pressed again if he still wanted it.
STALE_S, AFTER_LOSS_S = 5.0, 60.0
API, CHANNEL = ("api",), "channel"
# Until the first shard is connected nobody's press can come in, and no call need go out.
STARTING = ("start",)
Cause = tuple[str | int, ...]
_log = logging.getLogger("ridotto.discord")


class Line:
    """Belongs to the event loop. A cause is a tuple whose first word says of what kind it is.

    `on_back` is called when many places can be reached again. What is under way for longer than `slow_s` is not getting
    through.
    """

    def __init__(
        self, client: discord.Client, pit: Pit, on_back: Callable[[], None], *, slow_s: float = SLOW_S
    ) -> None:
        self._client, self._pit, self._on_back, self.slow_s = client, pit, on_back, slow_s
        self._causes: dict[Cause, tuple[str, ...]] = {}
        self._away: Counter[str] = Counter()
        self._is_asking = False
        # How far our clock is ahead of Discord's, as far as we have seen.
        self._ahead = float("inf")
        self._found_at = float("-inf")

    @property
    def is_silent(self) -> bool:
        """The API does not answer, or was not asked yet: whatever is sent now is lost or late."""
        return API in self._causes or STARTING in self._causes

    def reaches(self, channel: int) -> bool:
        return not self._away[EVERYWHERE] and not self._away[str(channel)]

    def lose(self, cause: Cause, places: Iterable[str] = (EVERYWHERE,), since: float | None = None) -> None:
        """For this cause these places are out of reach. Said again it changes nothing."""
        if cause in self._causes:
            return
        self._causes[cause] = addresses = tuple(dict.fromkeys(places))
        since = self._pit.clock() if since is None else since
        for address in addresses:
            self._away[address] += 1
            if self._away[address] == 1:
                self._tell(address, "away", str(since))

    def find(self, cause: Cause) -> None:
        """This cause is no more."""
        if cause not in self._causes:
            return
        for address in self._causes.pop(cause):
            self._away[address] -= 1
            if not self._away[address]:
                del self._away[address]
                self._tell(address, "back")
        self._found_at = self._pit.clock()
        if cause[0] != CHANNEL:
            self._on_back()

    def _tell(self, address: str, verb: str, *args: str) -> None:
        self._pit.submit(errand_of(f"{PLATFORM}:{secrets.token_hex(16)}", Place(PLATFORM, address), verb, *args))

    # The API

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Around a call: one that takes long is doubted while it is under way."""
        began = self._pit.clock()
        slow = asyncio.get_running_loop().call_later(self.slow_s, self.doubt, began)
        try:
            yield
        except TROUBLE as fault:
            if is_unreached(fault):
                self.doubt(began)
            raise
        finally:
            slow.cancel()

    def doubt(self, since: float) -> None:
        """Something did not get through: ask whether anything does, until it does."""
        if not self._is_asking:
            self._is_asking = True
            later(self._ask(since))

    async def _ask(self, since: float) -> None:
        wait = ASK_AGAIN_S
        try:
            while not await self._answers():
                if API not in self._causes:
                    _log.warning("Discord does not answer: clocks of its tables stand until it does")
                    self.lose(API, since=since)
                await asyncio.sleep(wait)
                wait = min(MOST_ASK_AGAIN_S, 2 * wait)
        finally:
            self._is_asking = False
        self.find(API)

    async def _answers(self) -> bool:
        """The library tries again by itself for longer than we want to wait."""
        if self._client.is_closed():
            return True
        try:
            await asyncio.wait_for(self._client.http.request(Route("GET", "/users/@me")), self.slow_s)
            return True
        except TROUBLE as fault:
            PLATFORMS[PLATFORM].failed += 1
            return not is_unreached(fault)

    # What comes late

    def hear(self, snowflake: int) -> None:
        """Something was made at Discord just now."""
        self._ahead = min(self._ahead, self._age(snowflake))

    def is_stale(self, snowflake: int) -> bool:
        """Whether a press was kept for us while the line was lost, for so long that it counts no more."""
        self.hear(snowflake)
        was_lost = self._causes or self._pit.clock() - self._found_at < AFTER_LOSS_S
        return bool(was_lost) and self._age(snowflake) - self._ahead > STALE_S

    def _age(self, snowflake: int) -> float:
        return self._pit.clock() - discord.utils.snowflake_time(snowflake).timestamp()
