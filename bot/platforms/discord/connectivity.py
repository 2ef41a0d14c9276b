"""Connectivity of Discord.

A shard without its gateway gets no press, a server may be out, a channel may take no message, or the API may not
answer at all. Each is a cause.
"""

import asyncio
from collections.abc import Callable, Iterable

import discord
from discord.http import Route

from bot.core.access import Access
from bot.core.counters import PLATFORMS
from bot.platforms.common.connectivity import SLOW_S, Cause, Connectivity
from bot.platforms.discord.trouble import TROUBLE, is_unreached

PLATFORM = "discord"
# Discord tells a person after three seconds that the bot did not respond. A press that arrives later than this, after a
# lost connection, has been repeated if it was still wanted.
STALE_S, AFTER_LOSS_S = 5.0, 60.0
CHANNEL = "channel"
# Until the first shard is connected no press can arrive, and no call needs to go out. Discord lets a bot connect one
# shard in five seconds: from then on each other shard is a cause for the tables of its servers.
STARTING = ("start",)


class DiscordConnectivity(Connectivity):
    """Connectivity of Discord. `on_back` is called with the addresses that can be reached again."""

    def __init__(
        self,
        client: discord.Client,
        writer: Access,
        on_back: Callable[[Iterable[str]], None],
        *,
        slow_s: float = SLOW_S,
    ) -> None:
        def report_reachable(cause: Cause, addresses: Iterable[str]) -> None:
            if cause[0] != CHANNEL:
                on_back(addresses)

        super().__init__(
            writer,
            PLATFORM,
            answers=self._ask_discord,
            is_unreached=_is_trouble,
            on_back=report_reachable,
            slow_s=slow_s,
        )
        self._client = client
        # How far our clock is ahead of Discord's, as far as we have seen.
        self._ahead = float("inf")

    @property
    def is_silent(self) -> bool:
        """Return whether the API does not answer or was not asked yet, so that messages are lost or late."""
        return super().is_silent or self.is_starting

    @property
    def is_starting(self) -> bool:
        """Return whether no shard has been connected yet."""
        return STARTING in self._causes

    async def _ask_discord(self) -> bool:
        """Probe Discord, with less patience than the library's own retries."""
        if self._client.is_closed():
            return True
        try:
            await asyncio.wait_for(self._client.http.request(Route("GET", "/users/@me")), self.slow_s)
            return True
        except TROUBLE as fault:
            PLATFORMS[PLATFORM].failed += 1
            return not is_unreached(fault)

    def note_snowflake(self, snowflake: int) -> None:
        """Note the creation of something at Discord, which shows its clock."""
        self._ahead = min(self._ahead, self._age(snowflake))

    def is_stale(self, snowflake: int) -> bool:
        """Return whether a press was delayed so long by a lost connection that it no longer counts."""
        self.note_snowflake(snowflake)
        return self.was_lost(AFTER_LOSS_S) and self._age(snowflake) - self._ahead > STALE_S

    def _age(self, snowflake: int) -> float:
        return self._writer.clock() - discord.utils.snowflake_time(snowflake).timestamp()


def _is_trouble(fault: BaseException) -> bool:
    return isinstance(fault, TROUBLE) and is_unreached(fault)
