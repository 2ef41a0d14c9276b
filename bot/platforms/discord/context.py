"""The platform context of Discord: the writer, the client, the rate limiter and connectivity."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Any

import discord

from bot.core.access import Access
from bot.platforms.common.below import Below
from bot.platforms.common.context import PlatformContext
from bot.platforms.common.frames import NO_ADDRESS, name_of
from bot.platforms.discord.calls import Calls
from bot.platforms.discord.connectivity import PLATFORM, DiscordConnectivity
from bot.platforms.discord.contest import Contest
from bot.platforms.discord.drawing import Mention, mention_channel

# With this many messages below, a table has scrolled far up.
FAR_UP = 8
# The address of a server is this and its id; that of a channel is its id alone.
COMMUNITY = "guild:"
# For the log, which the operator reads.
NO_SECRET = "tables do not open in an app: RIDOTTO_DISCORD_SECRET is not set (docs/host/apps.md)"
_NO_ACTIVITY = (
    "tables do not open in an app yet: enable Activities in Discord's developer portal, map / to the casino's address "
    "(docs/host/apps.md), and restart"
)


def community_of(guild: int) -> str:
    """Return the address of a server."""
    return f"{COMMUNITY}{guild}"


def guild_of(address: str) -> int | None:
    """Return the server with this address, or None for a channel's address."""
    return int(address.removeprefix(COMMUNITY)) if address.startswith(COMMUNITY) else None


def guild_here(interaction: discord.Interaction[Any]) -> int | None:
    """Return the server of an interaction; None in private, and in servers without the bot."""
    is_brought = interaction.is_user_integration() and not interaction.is_guild_integration()
    return None if is_brought else interaction.guild_id


class DiscordContext(PlatformContext):
    """The platform context of Discord. `pace` scales the gaps between edits of one message; tests set it to 0.

    `on_back` is called with the addresses that can be reached again.
    """

    def __init__(self, writer: Access, client: discord.Client, calls: Calls, pace: float) -> None:
        super().__init__(writer, PLATFORM)
        self.client, self.calls, self.pace = client, calls, pace
        self.below = Below(FAR_UP)
        self.connectivity = DiscordConnectivity(client, writer, self._come_back)
        self.contest = Contest(self)
        self.on_back: list[Callable[[Iterable[str]], None]] = []
        # The setting that is missing for Activities; whether Discord has made its command.
        self.unset: str | None = NO_ADDRESS
        self.has_entry_point = False

    @property
    def app_lack(self) -> str | None:
        """Return why tables cannot be opened as an Activity, for the log; None if they can."""
        return self.unset if self.unset is not None or self.has_entry_point else _NO_ACTIVITY

    def link_to(self, table: int) -> str:
        """Return links to a table's channels, of which people see those they may, and to its Activity."""
        channels = [mention_channel(int(address)) for address in self.addresses_of(table)]
        if channels and self.app_lack is None:
            app = f"https://discord.com/activities/{self.client.application_id}?custom_id={name_of(table)}"
            channels.append(Mention(app))
        return Mention("".join(f" · {channel}" for channel in channels))

    def url_to(self, table: int) -> str:
        """Return the link to the first channel that shows a table, or ""."""
        for address in self.addresses_of(table):
            guild = getattr(getattr(self.client.get_channel(int(address)), "guild", None), "id", None)
            if guild is not None:
                return f"https://discord.com/channels/{guild}/{address}"
        return ""

    def call_later(self, seconds: float, act: Callable[[], None]) -> Callable[[], None]:
        """Call a function later; return its timer."""
        return asyncio.get_running_loop().call_later(seconds, act).cancel

    def _come_back(self, addresses: Iterable[str]) -> None:
        for look_again in self.on_back:
            look_again(addresses)
