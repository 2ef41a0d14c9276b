"""What may go wrong on the way to Discord: it refuses, or it cannot be reached."""

import aiohttp
import discord

from bot.doors.discord.calls import TOO_MANY

TROUBLE = (discord.HTTPException, aiohttp.ClientError, OSError, TimeoutError)
TOO_SLOW, BROKEN = 408, 500


def is_unreached(fault: BaseException) -> bool:
    """Whether what was sent may well be taken later: Discord did not refuse it, it was out of reach."""
    status = getattr(fault, "status", BROKEN)
    return bool(status == TOO_MANY or status >= BROKEN)
