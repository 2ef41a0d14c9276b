"""A casino with Discord alone, in this process: the real writer in its thread, the real library, a Discord on loopback.

Both follow the server's clock, which `pass_time` moves.
"""

import asyncio
import random
from contextlib import asynccontextmanager

import discord
import yarl

from bot.config import Config
from bot.core.casinos.places import internal_command_of
from bot.core.commands.command import Command, Who
from bot.core.commands.counting import here
from bot.core.state.place import Place
from bot.core.writer import Writer
from bot.platforms.common.platform import Opening
from bot.platforms.discord.bot import Ridotto
from bot.platforms.discord.connectivity import STARTING
from bot.platforms.discord.platform import DiscordPlatform
from bot.view.pictures.worker import Renderer
from storage.sqlite import SqliteStore
from tests.core.conftest import CARIBBEAN
from tests.patience import PATIENCE_S
from tests.platforms.fronted import Fronted
from tests.servers.discord import DiscordServer

CALLBACK = "POST /interactions/{interaction_id}/{interaction_token}/callback"
ORIGINAL = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original"
POST = "POST /channels/{channel_id}/messages"
EDIT = "PATCH /channels/{channel_id}/messages/{message_id}"


@asynccontextmanager
async def platform_open(house, **settings):
    """Open the platform as the process does."""
    config = Config(discord_token=house.server.token, discord_api=house.server.api, **settings)
    renderer = Renderer()
    platform = DiscordPlatform(opening := Opening(config, house.writer, renderer))
    house.frames = opening.frames
    house.client = platform.client
    await platform.open()
    try:
        yield platform
    finally:
        await platform.drain()
        await platform.close()
        renderer.close()


class Quick(Ridotto):
    async def before_identify_hook(self, shard_id, *, initial=False):
        """Skip the library's wait of five seconds before each IDENTIFY except the first."""


class House:
    """A casino with Discord; `pace` scales the gaps between edits."""

    def __init__(self, server, folder, *, pace=0.0, beacon=None, store=None, entropy=None, has_front=False, **options):
        self.server, self.folder, self.pace, self.beacon, self.options = server, folder, pace, beacon, options
        self.has_front, self.fronted = has_front, None
        self.store = store or SqliteStore(folder)
        self.entropy = entropy or random.Random(7).randbytes

    def open_books(self):
        self.books = self.store.open()
        # The two clocks start at different values, so that a mix-up shows.
        clocks = {"clock": self.server.now_s, "monotonic": lambda: self.server.now_s() - 1e9}
        self.writer = Writer(
            self.books, entropy=self.entropy, count=here, **clocks, secret=bytes(32), beacon=self.beacon
        )
        self.writer.start()
        self.fronted = Fronted(self.store, self.writer, **clocks) if self.has_front else None

    @property
    def access(self):
        """Return what the platform has: the writer, or a front."""
        return self.fronted.front if self.fronted is not None else self.writer

    async def open(self):
        await self.begin()
        await self.server.ready()
        await asyncio.wait_for(self.client.wait_until_ready(), PATIENCE_S)

    async def begin(self):
        """Start without waiting until the bot is connected."""
        await asyncio.to_thread(self.open_books)
        self.client = Quick(self.access, pace=self.pace, **self.options)
        self.client.connectivity.lose(STARTING)
        self.client.context.start_notifying()
        self.running = asyncio.create_task(self.client.start(self.server.token))

    async def close(self):
        await self.client.close()
        await self.running
        if self.fronted is not None:
            await asyncio.to_thread(self.fronted.close)
        await asyncio.to_thread(self.writer.stop)
        self.books.close()

    async def restart(self):
        await self.close()
        await self.open()

    @property
    def house(self):
        return self.access.state

    def table(self, channel):
        return self.house.table(self.house.place("discord", str(channel.id)).table_id)

    def left(self, channel):
        return self.table(channel).round.deadline - self.server.now_s()

    def chips(self, member):
        player = self.house.identities["discord", str(member.id)]
        casino = self.house.place("discord", f"guild:{member.guild.id}").casino
        return self.house.balance(f"player:{casino}:{player}")

    def is_away(self, at=""):
        return self.writer.state.away.get(("discord", str(at))) is not None

    async def pass_time(self, seconds):
        """Move the clock, and let the writer check it."""
        self.server.pass_time(seconds)
        wake = internal_command_of(f"wake {self.server.now_s()}", Place("nowhere", ""), "back")
        await asyncio.wrap_future(self.access.submit(wake))

    async def lounge(self, line, table=CARIBBEAN):
        """Return a player in the lounge of the same casino."""
        name, verb, *args = line.split()
        command = Command(f"web {line} {self.server.new_id()}", Who("web", name, name), Place("web", str(table)), verb)
        return await asyncio.wrap_future(self.writer.submit(command._replace(args=tuple(args))))

    async def table_in(self, channel, game="caribbean"):
        """Return a table of the game in this channel, opened by the server's owner."""
        await channel.guild.owner.slash(channel, "table open", game=game)
        shown = await self.server.message(channel, "Place your bets")
        await self.server.answered()
        return shown

    async def deal(self, channel, *members):
        """Let all members bet, and wait for the cards."""
        for member in members:
            answer = await member.slash(channel, "bet", amount="50")
            assert "950" in answer.text, answer.text
        await self.pass_time(self.left(channel))
        await self.server.until(lambda: self.table(channel).round.hand is not None)
        await self.shown(channel, "waiting for")
        await self.server.answered()

    async def shown(self, channel, words):
        return await self.server.message(channel, words)

    def soon_doubts(self):
        """Make the platform doubt a slow answer early; otherwise it is as patient as in production."""
        self.client.connectivity.slow_s = 0.4

    async def until(self, holds, why=""):
        return await self.server.until(holds, why)


@asynccontextmanager
async def opened(folder, monkeypatch, *, shards=1, stands_at_s=None, **options):
    async with DiscordServer(shards=shards) as server:
        server.stands_at_s = stands_at_s
        monkeypatch.setattr(discord.http.Route, "BASE", server.api)
        monkeypatch.setattr(discord.gateway.DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(server.gateway_url))
        house = House(server, folder, **options)
        await house.open()
        try:
            yield house
        finally:
            server.heal()
            await house.close()
