"""Rights of the bot in a server and a channel, and sentences about missing ones."""

from collections.abc import Iterable
from typing import Any

import discord

from bot.texts import Text

# Exactly what the bot needs, by the names of Discord's settings; Manage Channels for /setup alone.
NAMES = {
    "view_channel": Text("View Channels"),
    "send_messages": Text("Send Messages"),
    "send_messages_in_threads": Text("Send Messages in Threads"),
    "create_public_threads": Text("Create Public Threads"),
    "attach_files": Text("Attach Files"),
    "read_message_history": Text("Read Message History"),
    "manage_channels": Text("Manage Channels"),
}
# Without these there is no table.
NEEDED_FOR_TABLES = {"view_channel", "send_messages", "attach_files"}
# The library has other names of its own for some; by these it takes all of them.
NEEDED = discord.Permissions(**dict.fromkeys(NAMES, True))


def lacking(permissions: discord.Permissions, needed: Iterable[str] = NAMES) -> list[Text]:
    """Return the names of missing rights."""
    return [NAMES[name] for name in needed if not getattr(permissions, name)]


def can_post(permissions: discord.Permissions, channel: Any) -> bool:
    """Return whether a table can be shown there."""
    return not hindrance(permissions, channel)


def hindrance(permissions: discord.Permissions, channel: Any) -> tuple[Text, ...]:
    """Return why a table cannot be shown there and what helps; empty if it can."""
    in_thread = isinstance(channel, discord.Thread)
    speak = "send_messages_in_threads" if in_thread else "send_messages"
    needed = [speak if name == "send_messages" else name for name in NAMES if name in NEEDED_FOR_TABLES]
    if names := lacking(permissions, needed):
        return (
            Text("I can't post here. I'm missing: {names}.", names=names),
            Text("Allow it for Ridotto under Edit Channel > Permissions, then try again."),
        )
    if in_thread and channel.locked:
        return (Text("A moderator locked this thread. Try again once it is unlocked."),)
    return ()
