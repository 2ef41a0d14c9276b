"""Whose a press or a command is, where several houses share the books: of the one that keeps the casino of its server.

Discord tells each house all that happens, for each has a session of its own at the gateway; each does what is its own,
and talks to Discord itself. What Discord brings to the web server of one of them (endpoint.py) goes on to the other.
What comes while a wing is on its way is held until somebody has it, who does it then.
"""

import asyncio

import discord

from bot.doors.discord.desk import Desk, community_of, guild_here
from bot.doors.discord.line import PLATFORM
from bot.doors.discord.replies import Interaction
from bot.house.casinos.places import speaks_for
from bot.house.state.lounge import LOUNGE
from storage.questions import casinos
from storage.rows import wing_of

# Discord forgets an interaction after three seconds.
HELD_S, AGAIN_S = 2.5, 0.05


class Keepers:
    """Of one client. Belongs to the event loop."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk

    async def is_ours(self, interaction: Interaction) -> bool:
        """Whether this house answers it; of several exactly one does."""
        if self._desk.house.keeps_all:
            return True
        return await self._is_kept(
            await asyncio.to_thread(self._casino_of, guild_here(interaction), interaction.user.id)
        )

    async def find_other(self, guild: int | None, user: int) -> int | None:
        """The wing of what somebody does there, where another house keeps it; None: this one answers it."""
        house = self._desk.house
        if house.keeps_all:
            return None
        casino = await asyncio.to_thread(self._casino_of, guild, user)
        return None if casino in house.casinos else wing_of(casino)

    async def greets(self, guild: discord.Guild) -> bool:
        """Whether this house sees to a server that the bot was added to."""
        if self._desk.house.keeps_all:
            return True
        return await self._is_kept(await asyncio.to_thread(self._casino_of_guild, guild.id))

    async def _is_kept(self, casino: int) -> bool:
        books, house, wing = self._desk.house.books, self._desk.house, wing_of(casino)
        until = asyncio.get_running_loop().time() + HELD_S
        while casino not in house.casinos:
            # What was taken just now is still being read.
            lane = await asyncio.to_thread(books.find_lane, wing)
            if (lane is not None and wing not in books.wings) or asyncio.get_running_loop().time() >= until:
                return False
            await asyncio.sleep(AGAIN_S)
        return True

    def _casino_of(self, guild: int | None, user: int) -> int:
        """A server that nobody has met, or a chat with somebody who has played nowhere, is whose the lounge is."""
        if guild is not None:
            return self._casino_of_guild(guild)
        home = speaks_for(self._desk.house, self._desk.player_of(user))
        return home if home is not None else LOUNGE

    def _casino_of_guild(self, guild: int) -> int:
        address = community_of(guild)
        row = self._desk.row_at(address) or casinos.place(self._desk.house.books, PLATFORM, address)
        return row.casino if row is not None else LOUNGE
