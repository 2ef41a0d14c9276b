"""The client: no privileged intent; registers what there is to say and to press, and tells the house what comes.

One for all servers and shards. It holds nothing that is not in the books but message tokens.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import discord
import yarl
from discord import app_commands
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.emojis import use_emojis
from bot.floor.command import FAULT
from bot.on_discord import presses
from bot.on_discord.answers import Answers
from bot.on_discord.boards import Boards
from bot.on_discord.commands import Translator, add_commands
from bot.on_discord.drawing import Paint
from bot.on_discord.line import STARTING
from bot.on_discord.newest import TROUBLE
from bot.on_discord.panels import Panels
from bot.on_discord.places import NEEDED, Places, setup_command
from bot.on_discord.tables import Tables
from bot.pit import Pit

DISCORDS_OWN = Route.BASE
# The library waits ever longer between two tries to reconnect, up to a quarter of an hour. A minute (2 to the power of
# six seconds) is long enough, and seldom enough for the thousand sessions that Discord allows in a day.
LONGEST_BACKOFF = 6
_log = logging.getLogger("ridotto.discord")


class Ridotto(commands.AutoShardedBot):
    """`pace` scales the gaps between edits of one message.

    `paint` makes pictures of tables, `paint_hand` of a player's own cards; without them words stand alone.
    """

    def __init__(
        self,
        pit: Pit,
        *,
        paint: Paint | None = None,
        paint_hand: Paint | None = None,
        pace: float = 1.0,
        **options: Any,
    ) -> None:
        super().__init__(
            command_prefix=(),
            help_command=None,
            # Of messages only that there are some, and that one was deleted: what they say is another intent.
            intents=discord.Intents(guilds=True, guild_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=None,
            # The servers come one after the other; the library's own two seconds would hold up every start.
            guild_ready_timeout=0.5,
            **options,
        )
        self.pit = pit
        self.tables = Tables(self, pit, paint=paint, pace=pace)
        self.line = self.tables.line
        self.panels = Panels(pit, self.line, paint=paint_hand, pace=pace)
        self.boards = Boards(self, pit, self.line, pace=pace)
        self.answers = Answers(pit, self.tables, self.panels, self.boards)
        self.places = Places(self, self.answers, self.tables, self.boards)
        self.tables.watch(self.panels.look, self.panels.look_again)
        self.tables.watch(self.boards.look, self.boards.look_again)
        add_commands(self.tree, self.answers)
        self.tree.add_command(setup_command(self.places))
        self.tree.error(self._on_command_error)

    async def setup_hook(self) -> None:
        if Route.BASE != DISCORDS_OWN:
            # The library asks for the gateway once; after a lost session it would go to Discord's own.
            _shards, gateway, _limit = await self.http.get_bot_gateway()
            DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
        await self.tree.set_translator(Translator())
        registered = await self.tree.sync()
        _log.info("discord: %s commands registered", len(registered))
        assert self.application_id is not None
        # Not a secret, and what an admin looks for first.
        print(f"Add Ridotto to a Discord server: {invitation(self.application_id)}", flush=True)
        self.tables.open()
        self.boards.open()

    async def close(self) -> None:
        self.tables.close()
        self.boards.close()
        self.panels.close()
        await super().close()

    async def _on_command_error(
        self, interaction: discord.Interaction[Any], fault: app_commands.AppCommandError
    ) -> None:
        _log.error("command failed: %s", fault, exc_info=fault)
        await self.answers.say(interaction, *FAULT.texts)

    # The line

    async def on_shard_disconnect(self, shard: int) -> None:
        """No press comes from there until the library has reconnected."""
        self.shards[shard]._parent._backoff._max = LONGEST_BACKOFF
        if self.shard_count == 1:
            self.line.lose(("shard", shard))
            return
        guilds = [guild for guild in self.guilds if guild.shard_id == shard]
        self.line.lose(("shard", shard), [place for guild in guilds for place in self.places.places_in(guild)])

    async def on_shard_connect(self, shard: int) -> None:
        self.line.find(STARTING)
        self.line.find(("shard", shard))

    async def on_shard_resumed(self, shard: int) -> None:
        self.line.find(("shard", shard))

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        self.line.lose(("guild", guild.id), self.places.places_in(guild))

    async def on_guild_available(self, guild: discord.Guild) -> None:
        self.line.find(("guild", guild.id))
        await self.places.look(guild)

    # What comes in besides presses and commands

    async def on_message(self, message: discord.Message) -> None:
        """Nobody types to this bot; of its own messages it hears that they arrived."""
        if self.user is not None and message.author.id == self.user.id and message.nonce:
            self.tables.arrived(message.channel.id, str(message.nonce), message.id)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        self._deleted(payload.channel_id, payload.message_id)

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        for message in payload.message_ids:
            self._deleted(payload.channel_id, message)

    def _deleted(self, channel: int, message: int) -> None:
        self.tables.deleted(channel, message)
        self.boards.deleted(channel, message)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        await presses.take(self.answers, interaction)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        await self.places.arrive(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        await self.places.depart(guild)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        await self.places.lose_channel(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        await self.places.lose_channel(payload.thread_id)

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        await self.places.look(after.guild)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        await self.places.look(after.guild)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Only of ourselves: without the members intent Discord tells of nobody else."""
        await self.places.look(after.guild)


def is_connected(client: Ridotto) -> bool:
    """Ready, no shard's gateway is lost, and the API answers."""
    has_gateway = client.is_ready() and not any(shard.is_closed() for shard in client.shards.values())
    return has_gateway and not client.line.is_silent


def invitation(application: int) -> str:
    """The link that adds the bot with exactly what it needs."""
    return discord.utils.oauth_url(application, permissions=NEEDED, scopes=("bot", "applications.commands"))


@asynccontextmanager
async def discord_open(
    pit: Pit,
    token: str,
    api: str | None,
    closing: "asyncio.Future[int]",
    *,
    paint: Paint | None = None,
    paint_hand: Paint | None = None,
) -> AsyncIterator[Ridotto]:
    """Discord beside whoever else listens to the pit. `api`: another server than Discord's own, for tests and proxies.

    From when `closing` is done nothing new is begun.
    """
    if api is not None:
        Route.BASE = api
    # Nothing here plays sound: that the libraries for it are missing is no news.
    discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
    use_emojis(pit.books.path.parent)
    client = Ridotto(pit, paint=paint, paint_hand=paint_hand)
    client.line.lose(STARTING)
    others = pit.on_change

    def mark(tables: set[int]) -> None:
        others(tables)
        client.tables.mark(tables)

    pit.on_change = mark
    closing.add_done_callback(lambda _closing: client.answers.close())
    running = asyncio.ensure_future(_run(client, token))
    try:
        yield client
    finally:
        pit.on_change = others
        with suppress(TimeoutError):
            await asyncio.wait_for(client.close(), 2.0)
        running.cancel()


async def _run(client: Ridotto, token: str) -> None:
    """The library reconnects by itself. A token that is refused ends it, and the rest of the house goes on."""
    wait = 5.0
    while True:
        try:
            await client.start(token)
            return
        except discord.LoginFailure:
            _log.error("RIDOTTO_DISCORD_TOKEN is refused by Discord: make a new one in the developer portal.")
            return
        except (*TROUBLE, discord.GatewayNotFound) as fault:
            _log.warning("Discord cannot be reached, again in %s s: %s", wait, type(fault).__name__)
            await client.http.close()
            # The library takes the closed one again otherwise.
            client.http.connector = discord.utils.MISSING
            await asyncio.sleep(wait)
            wait = min(300.0, 2 * wait)
        except Exception as fault:
            _log.error("Discord is left alone: %s", type(fault).__name__, exc_info=fault)
            return
