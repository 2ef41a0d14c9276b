"""Invitations for people outside the table's server, who see no channel of it and need an invite link.

The link is for one person and a day. Law: it is made only where the bot may make one, and only for those who may do so
themselves.
"""

import asyncio
from typing import Any

import discord

from bot.core.admin.invitations import LASTS_S, table_of
from bot.core.commands.command import Answer, Command
from bot.platforms.discord.context import DiscordContext, guild_here
from bot.platforms.discord.drawing import Mention
from bot.platforms.discord.replies import Interaction
from bot.platforms.discord.trouble import TROUBLE
from bot.texts import Text

# The answer waits for the invite at most this long.
PATIENCE_S = 1.0
_BY_LINK = Text("People outside this server can join with {link}: one person, within a day.")
_IF_ALLOWED = Text(
    "People outside this server also need an invitation to it. Allow me Create Invite here, and I add one."
)
_BY_OTHERS = Text("People outside this server also need an invitation to it, from someone who may invite.")
_COME_IN = Text("You are not in that server yet. Join with {link}, within a day.")
_ASK = Text("You are not in that server yet. Ask the player who invited you for an invite to it.")


async def say_way_in(context: DiscordContext, interaction: Interaction, command: Command, answer: Answer) -> Answer:
    """Return the answer to a made or accepted invitation, with an invite link if one is needed."""
    if answer.refused:
        return answer
    if any("invitation" in text.values for text in answer.texts):
        said = await _say_for_friend(context, interaction)
    elif command.verb == "accept":
        said = await _say_invite(context, interaction, table_of(" ".join(command.args)))
    else:
        return answer
    return answer._replace(texts=answer.texts + said)


async def _say_for_friend(context: DiscordContext, interaction: Interaction) -> tuple[Text, ...]:
    """Return an invite link for a friend, if both the person and the bot may make one."""
    if guild_here(interaction) is None:
        return ()
    channel = _invitable(interaction.channel)
    if channel is None or not interaction.permissions.create_instant_invite:
        return (_BY_OTHERS,)
    if not interaction.app_permissions.create_instant_invite:
        return (_IF_ALLOWED,)
    link = await _make_link(context, channel)
    return (Text(_BY_LINK.template, link=link),) if link else (_BY_OTHERS,)


async def _say_invite(context: DiscordContext, interaction: Interaction, table: int) -> tuple[Text, ...]:
    """Return an invite link for someone who accepted a code, if everyone may make one; its sender is unknown."""
    channels = [context.client.get_channel(int(address)) for address in context.addresses_of(table)]
    channel = next((found for one in channels if (found := _invitable(one)) is not None), None)
    if channel is None or channel.guild.id == interaction.guild_id:
        return ()
    if await _is_member(context, channel.guild, interaction.user.id):
        return ()
    may = [channel.permissions_for(who).create_instant_invite for who in (channel.guild.me, channel.guild.default_role)]
    link = await _make_link(context, channel) if all(may) else None
    return (Text(_COME_IN.template, link=link) if link else _ASK,)


def _invitable(channel: Any) -> discord.abc.GuildChannel | None:
    """Return the channel to invite to: for a thread its parent, because threads have no invites."""
    found = channel.parent if isinstance(channel, discord.Thread) else channel
    return found if isinstance(found, discord.abc.GuildChannel) else None


async def _is_member(context: DiscordContext, guild: discord.Guild, user: int) -> bool:
    """Return whether the user is a member; asked at Discord, because the library knows few. Unknown ones count as
    members.
    """
    try:
        async with asyncio.timeout(PATIENCE_S):
            await context.client.http.get_member(guild.id, user)
    except discord.NotFound:
        return False
    except (TimeoutError, *TROUBLE):
        return True
    return True


async def _make_link(context: DiscordContext, channel: discord.abc.GuildChannel) -> Mention | None:
    try:
        async with asyncio.timeout(PATIENCE_S):
            made = await context.client.http.create_invite(channel.id, max_age=int(LASTS_S), max_uses=1)
    except (TimeoutError, *TROUBLE):
        return None
    return Mention(f"https://discord.gg/{made['code']}")
