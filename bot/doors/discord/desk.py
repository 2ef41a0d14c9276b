"""What every part of the Discord side shares: the pit, the client, what may be called, and whether anybody answers."""

from collections.abc import Callable, Iterable

import discord

from bot.doors.discord.calls import Calls
from bot.doors.discord.drawing import Mention, mention_channel
from bot.doors.discord.line import PLATFORM, Line
from bot.doors.kit import desk as kit
from bot.doors.kit.below import Below
from bot.house.pit import Pit

# So many messages below a table have pushed it far up.
FAR_UP = 8
# The address of a server is this and its id; that of a channel, its id alone.
COMMUNITY = "guild:"


def community_of(guild: int) -> str:
    """Its address."""
    return f"{COMMUNITY}{guild}"


def guild_of(address: str) -> int | None:
    """The server that has this address; None: it is that of a channel."""
    return int(address.removeprefix(COMMUNITY)) if address.startswith(COMMUNITY) else None


class Desk(kit.Desk):
    """`pace` scales the gaps between edits of one message; tests set it to 0.

    Each of `on_back` is told of the addresses that can be reached again.
    """

    def __init__(self, pit: Pit, client: discord.Client, calls: Calls, pace: float) -> None:
        super().__init__(pit, PLATFORM)
        self.client, self.calls, self.pace = client, calls, pace
        self.below = Below(FAR_UP)
        self.line = Line(client, pit, self._come_back)
        self.on_back: list[Callable[[Iterable[str]], None]] = []

    def link_to(self, table: int) -> str:
        """The channel; of a table that stands in several each sees those that he may."""
        channels = (mention_channel(int(address)) for address in self.addresses_of(table))
        return Mention("".join(f" · {channel}" for channel in channels))

    def url_to(self, table: int) -> str:
        """The message that shows it, in the first of the channels where it stands; the library knows their servers."""
        for address in self.addresses_of(table):
            guild = getattr(getattr(self.client.get_channel(int(address)), "guild", None), "id", None)
            if guild is not None:
                return f"https://discord.com/channels/{guild}/{address}"
        return ""

    def _come_back(self, addresses: Iterable[str]) -> None:
        for look_again in self.on_back:
            look_again(addresses)
