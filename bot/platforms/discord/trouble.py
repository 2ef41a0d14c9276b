"""What may go wrong on the way to Discord: it refuses, or it cannot be reached."""

import aiohttp
import discord

from bot.platforms.discord.calls import TOO_MANY

TOO_SLOW, BROKEN = 408, 500
# Discord's code.
ARCHIVED_THREAD = 50083


class LockedThread(discord.DiscordException):
    """A moderator locked the thread: nothing is sent there, as Discord would open it again."""

    code, status = ARCHIVED_THREAD, 400


TROUBLE = (discord.HTTPException, LockedThread, aiohttp.ClientError, OSError, TimeoutError)


def is_broken(fault: BaseException) -> bool:
    """Whether it broke at Discord's end or on the way; what Discord asks to wait for is no such thing."""
    return bool(getattr(fault, "status", BROKEN) >= BROKEN)


def is_unreached(fault: BaseException) -> bool:
    """Whether what was sent may well be taken later: Discord did not refuse it, it was out of reach."""
    status = getattr(fault, "status", BROKEN)
    return bool(status == TOO_MANY or status >= BROKEN)
