"""Errors on the way to Discord: refusals and lost connections."""

import aiohttp
import discord

from bot.platforms.discord.calls import TOO_MANY

TOO_SLOW, BROKEN = 408, 500
# Discord's code.
ARCHIVED_THREAD = 50083


class LockedThread(discord.DiscordException):
    """The thread is locked by a moderator; nothing is sent, because Discord would open it again."""

    code, status = ARCHIVED_THREAD, 400


TROUBLE = (discord.HTTPException, LockedThread, aiohttp.ClientError, OSError, TimeoutError)


def is_broken(fault: BaseException) -> bool:
    """Return whether the fault is Discord's or the connection's; a rate limit is not."""
    return bool(getattr(fault, "status", BROKEN) >= BROKEN)


def is_unreached(fault: BaseException) -> bool:
    """Return whether the same call may succeed later: Discord was out of reach or rate-limited it."""
    status = getattr(fault, "status", BROKEN)
    return bool(status == TOO_MANY or status >= BROKEN)
