"""The Discord platform: one client for all servers and shards, which the library reconnects."""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress

import discord
from aiohttp import web
from discord.http import Route

from bot.platforms.common.frames import NO_ADDRESS
from bot.platforms.common.platform import Opening
from bot.platforms.discord.bot import Ridotto
from bot.platforms.discord.calls import TOO_MANY
from bot.platforms.discord.connectivity import PLATFORM, STARTING
from bot.platforms.discord.context import NO_SECRET
from bot.platforms.discord.emojis import use_emojis
from bot.platforms.discord.frames import Activity
from bot.platforms.discord.trouble import BROKEN, TOO_SLOW, TROUBLE

_log = logging.getLogger("ridotto.discord")


class DiscordPlatform:
    """The Discord platform: one client for all servers, which the library reconnects."""

    name = PLATFORM
    routes: Sequence[web.RouteDef] = ()

    def __init__(self, opening: Opening) -> None:
        """Create the client. A `discord_api` in the settings replaces Discord's address for the whole process."""
        config, writer, renderer = opening.config, opening.writer, opening.renderer
        assert config.discord_token is not None
        if config.discord_api is not None:
            Route.BASE = config.discord_api
        # Nothing here plays sound, so missing libraries for it are fine.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        use_emojis(writer.books.folder)
        self._token = config.discord_token
        secret = NO_SECRET if config.discord_secret is None else None
        self.client = Ridotto(
            writer,
            paint=renderer.render,
            paint_hand=renderer.render_hand,
            paint_shared_post=renderer.render_shared_post,
            unset=NO_ADDRESS if config.public_url is None else secret,
        )
        self._activity: Activity | None = None
        if config.public_url is not None and config.discord_secret is not None:
            self._activity = Activity(self.client, config.discord_secret)
            opening.frames.append(self._activity.host)

    async def open(self) -> None:
        self.client.connectivity.lose(STARTING)
        self._unsubscribe = self.client.context.start_notifying()
        self._running = asyncio.ensure_future(_run(self.client, self._token))

    def is_connected(self) -> bool:
        """Return whether the client is ready, all shards are connected, and the API answers."""
        client = self.client
        has_gateway = client.is_ready() and not any(shard.is_closed() for shard in client.shards.values())
        return has_gateway and not client.connectivity.is_silent

    def is_contested(self) -> bool:
        return self.client.context.is_contested

    async def drain(self) -> None:
        self.client.answers.close()

    async def close(self) -> None:
        """Close the connections to Discord."""
        self._unsubscribe()
        with suppress(TimeoutError):
            await asyncio.wait_for(self.client.close(), 2.0)
        self._running.cancel()
        if self._activity is not None:
            await self._activity.close()


make_platform = DiscordPlatform


async def _run(client: Ridotto, token: str) -> None:
    """Run the client, which reconnects by itself. A permanent refusal ends it; the rest of the process goes on."""
    wait = 5.0
    while True:
        try:
            await client.start(token)
            return
        except discord.LoginFailure:
            _log.error("RIDOTTO_DISCORD_TOKEN is refused by Discord: make a new one in the developer portal.")
            return
        except (*TROUBLE, discord.GatewayNotFound) as fault:
            if is_refused_for_good(fault):
                _log.error(
                    "Discord does not let the bot start. Fix what it reports in the developer portal, then restart "
                    "Ridotto. It says: %s",
                    fault,
                )
                return
            _log.warning("Discord cannot be reached, next try in %s s: %s", wait, _brief(fault))
            await client.http.close()
            # The library takes the closed one again otherwise.
            client.http.connector = discord.utils.MISSING
            await asyncio.sleep(wait)
            wait = min(300.0, 2 * wait)
        except Exception as fault:
            _log.error("Discord is not called any more: %s", type(fault).__name__, exc_info=fault)
            return


def is_refused_for_good(fault: BaseException) -> bool:
    """Return whether Discord refused permanently, in its own format, which a proxy's error page does not have.

    Too many calls (429) and timeouts (408) pass by themselves.
    """
    if not isinstance(fault, discord.HTTPException) or fault.status in (TOO_SLOW, TOO_MANY):
        return False
    return 400 <= fault.status < BROKEN and not fault.text.lstrip().startswith("<")


def _brief(fault: BaseException) -> str:
    """Describe a failure in a word or two, because a proxy's error page is long."""
    return f"HTTP {fault.status}" if isinstance(fault, discord.HTTPException) else type(fault).__name__
