"""Threads of a tournament's further tables (TN28)."""

import discord

from bot.platforms.common.budget import Rank
from bot.platforms.discord.context import DiscordContext, community_of
from bot.platforms.discord.permissions import lacking
from bot.platforms.discord.trouble import TROUBLE
from bot.texts import Text

_NEEDED = ("create_public_threads", "send_messages_in_threads", "attach_files")
_LACKS = Text("I need these permissions in this channel: {names}.")
_NO_THREAD = Text("I could not open a thread in this channel.")


class Threads:
    """Opener of threads beside a table, and closer of them."""

    def __init__(self, context: DiscordContext) -> None:
        self._context = context

    async def open_place(self, first: str, name: str, _table: int) -> tuple[str, str] | Text:
        """Return the addresses of a thread with this name and of its server, or why there is none."""
        channel = self._context.client.get_channel(int(first))
        channel = channel.parent if isinstance(channel, discord.Thread) else channel
        if not isinstance(channel, discord.TextChannel):
            return _NO_THREAD
        if names := lacking(channel.permissions_for(channel.guild.me), _NEEDED):
            return Text(_LACKS.template, names=names)
        mine = [one for one in channel.threads if one.name == name and one.owner_id == channel.guild.me.id]
        thread = next((one for one in mine if self._context.table_at(str(one.id)) is None), None)
        try:
            if thread is None:
                async with self._context.calls.turn(Rank.TURN):
                    thread = await channel.create_thread(name=name, type=discord.ChannelType.public_thread)
        except TROUBLE:
            return _NO_THREAD
        return str(thread.id), community_of(channel.guild.id)

    async def close_place(self, address: str) -> None:
        """Lock and archive a thread as far as the bot may."""
        thread = self._context.client.get_channel(int(address))
        if not isinstance(thread, discord.Thread) or thread.archived:
            return
        may_lock = thread.permissions_for(thread.guild.me).manage_threads
        async with self._context.calls.turn(Rank.BOARD):
            if may_lock:
                await thread.edit(archived=True, locked=True)
            else:
                await thread.edit(archived=True)
