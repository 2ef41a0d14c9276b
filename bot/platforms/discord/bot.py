"""The client: no privileged intent; registers commands and components and passes events on.

One client serves all servers and shards. It holds nothing that is not in the store, except message tokens.
"""

import logging
from typing import Any, Literal

import discord
import yarl
from discord import app_commands
from discord.backoff import ExponentialBackoff
from discord.ext import commands
from discord.gateway import DiscordWebSocket
from discord.http import Route

from bot.core.access import Access
from bot.core.commands.command import FAULT
from bot.platforms.common.frames import NO_ADDRESS
from bot.platforms.common.further_tables import FurtherTables
from bot.platforms.common.proxies import find_proxy
from bot.platforms.common.shared_posts import PaintSharedPost
from bot.platforms.common.teller import Teller
from bot.platforms.discord import presses
from bot.platforms.discord.admin import DiscordAdmin
from bot.platforms.discord.answers import Answers
from bot.platforms.discord.boards import JackpotBoards
from bot.platforms.discord.calls import Calls
from bot.platforms.discord.commands import ENTRY_POINT, INSTALLS, Translator, add_commands, register
from bot.platforms.discord.connectivity import STARTING
from bot.platforms.discord.context import DiscordContext
from bot.platforms.discord.drawing import Paint
from bot.platforms.discord.panels import Panels
from bot.platforms.discord.permissions import NEEDED
from bot.platforms.discord.places import DiscordPlaces
from bot.platforms.discord.setup import DiscordSetup, setup_command
from bot.platforms.discord.shared_posts import DiscordSharedPosts
from bot.platforms.discord.tables import DiscordTables
from bot.platforms.discord.threads import Threads
from bot.platforms.discord.turn_mentions import DiscordTurnMentions
from bot.texts import Text

DISCORDS_OWN = Route.BASE
_NO_APP = Text("Tables can't open as an app here. Play in their channels; /tables lists them.")
# Pause between two tries to reconnect: a thousand sessions a day are allowed.
LONGEST_WAIT_S = 60.0
_log = logging.getLogger("ridotto.discord")


class ReconnectBackoff(ExponentialBackoff[Literal[False]]):
    """Exponential waits between tries to reconnect, each shorter than LONGEST_WAIT_S."""

    def delay(self) -> float:
        return super().delay() % LONGEST_WAIT_S


# Each shard makes its own; there is no other way to pass one.
discord.shard.ExponentialBackoff = ReconnectBackoff  # type: ignore[assignment, attr-defined]


class ActivityTree(app_commands.CommandTree["Ridotto"]):
    """The command tree, with Discord's own command that opens the Activity, which the library does not know."""

    async def interaction_check(self, interaction: discord.Interaction["Ridotto"], /) -> bool:
        """Return whether to handle an interaction; the library asks before it looks for the command."""
        data: Any = interaction.data or {}
        client = interaction.client
        if data.get("type") != ENTRY_POINT:
            return True
        await presses.guarded(client.answers, interaction, lambda: client.open_app(interaction))
        return False


class Ridotto(commands.AutoShardedBot):
    """The client. `pace` scales the gaps between edits of one message.

    `paint` draws tables, `paint_hand` a player's own cards, `paint_shared_post` shared posts; without them there are
    only words. `unset`: the setting that is missing for Activities.
    """

    def __init__(
        self,
        writer: Access,
        *,
        paint: Paint | None = None,
        paint_hand: Paint | None = None,
        paint_shared_post: PaintSharedPost | None = None,
        pace: float = 1.0,
        calls: Calls | None = None,
        unset: str | None = NO_ADDRESS,
        **options: Any,
    ) -> None:
        self.calls = calls or Calls()
        super().__init__(
            command_prefix=(),
            tree_cls=ActivityTree,
            http_trace=self.calls.trace,
            help_command=None,
            # Only the existence and deletion of messages; their content would need another intent.
            intents=discord.Intents(guilds=True, guild_messages=True),
            allowed_mentions=discord.AllowedMentions.none(),
            allowed_installs=INSTALLS,
            max_messages=None,
            # At the address of the API; the gateway and the answers to presses follow it.
            proxy=find_proxy(Route.BASE),
            # Servers arrive one after the other; the library's own two seconds would delay every start.
            guild_ready_timeout=0.5,
            **options,
        )
        self.context = context = DiscordContext(writer, self, self.calls, pace)
        context.unset = unset
        self.connectivity = context.connectivity
        self.tables = DiscordTables(context, paint)
        self.turn_mentions = DiscordTurnMentions(context, self.tables)
        self.panels, self.boards = Panels(context, paint_hand), JackpotBoards(context)
        shared_posts = DiscordSharedPosts(context, paint_shared_post)
        self.teller = Teller(context, shared_posts, self.turn_mentions.notice, self.tables.react)
        self.answers = Answers(context, self.tables, self.turn_mentions, self.panels, self.boards, shared_posts)
        self.places, threads = DiscordPlaces(self.answers, self.boards), Threads(context)
        self.further_tables = FurtherTables(context, threads.open_place, threads.close_place)
        self._connected_at: dict[int, float] = {}
        self._shown = self.tables, self.turn_mentions, self.panels, self.boards
        context.on_back += [part.look_again for part in self._shown]
        add_commands(self.tree, self.answers)
        self.tree.add_command(setup_command(DiscordSetup(self.answers, self.boards, self.places)))
        DiscordAdmin(self.answers)
        self.tree.error(self._on_command_error)

    async def setup_hook(self) -> None:
        """Register the commands and print the invite link; called by the library before the gateway connects."""
        if Route.BASE != DISCORDS_OWN:
            # The library asks for the gateway once; after a lost session it would use Discord's own address.
            _shards, gateway, _limit = await self.http.get_bot_gateway()
            DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(gateway)
        await self.tree.set_translator(Translator())
        assert self.application_id is not None
        await self.context.contest.open()
        registered = await register(self.tree, self.application_id)
        _log.info("discord: %s commands registered", registered.number)
        self.context.has_entry_point = registered.has_entry_point
        if (lack := self.context.app_lack) is not None:
            _log.info("discord: %s", lack)
        # No secret, and what an admin needs first.
        print(f"Add Ridotto to a Discord server: {invitation(self.application_id)}", flush=True)
        others = self.further_tables, self.turn_mentions.reminders
        self.context.subscribers[:] = [part.handle_change for part in (*self._shown, *others)]
        self.teller.listen()
        # Hands that were being played are shown at once.
        await self.context.tell_awake()
        self.panels.open(self)
        self.boards.open()
        self.turn_mentions.reminders.open()
        self.teller.open()

    async def close(self) -> None:
        """Stop everything that acts by itself, then close the connection to Discord."""
        self.teller.close()
        self.context.subscribers.clear()
        self.context.contest.close()
        for part in self._shown:
            part.close()
        await super().close()

    async def _on_command_error(
        self, interaction: discord.Interaction[Any], fault: app_commands.AppCommandError
    ) -> None:
        _log.error("command failed: %s", fault, exc_info=fault)
        await self.answers.send_texts(interaction, *FAULT.texts)

    async def on_shard_disconnect(self, shard: int) -> None:
        """Mark the shard as lost: no press comes until the library has reconnected."""
        self.connectivity.lose(("shard", shard), self.places.addresses_of({shard}, self.shard_count or 1)[shard])

    async def on_shard_connect(self, shard: int) -> None:
        """Handle a connected shard. The library connects the first at once, then one in five seconds."""
        if self.connectivity.is_starting:
            others = set(range(self.shard_count or 1)) - {shard}
            addresses = self.places.addresses_of(others, self.shard_count or 1)
            self.connectivity.divide(STARTING, {("shard", other): addresses[other] for other in others})
        self.connectivity.recover(("shard", shard))
        self._connected_at[shard] = self.context.writer.clock()

    async def on_shard_resumed(self, shard: int) -> None:
        self.connectivity.recover(("shard", shard))

    async def on_shard_ready(self, shard: int) -> None:
        """Mark a shard's servers as reachable, except those that Discord reports as unavailable, and forget message
        counts, because messages may have been missed.
        """
        self.context.below.forget()
        out = [guild.id for guild in self.guilds if guild.shard_id == shard and guild.unavailable]
        if out:
            addresses = self.places.addresses_by_guild()
            for guild in out:
                self.connectivity.lose(("guild", guild), addresses.get(guild, []), self._connected_at.get(shard))

    async def on_guild_unavailable(self, guild: discord.Guild) -> None:
        self.connectivity.lose(("guild", guild.id), self.places.places_in(guild))

    async def on_guild_available(self, guild: discord.Guild) -> None:
        self.connectivity.recover(("guild", guild.id))
        await self.places.handle_changed_rights(guild)
        self.further_tables.open()

    async def on_message(self, message: discord.Message) -> None:
        """Count a message for the scroll position, and recognise the arrival of the bot's own messages by their
        nonce.
        """
        self.context.below.heard(str(message.channel.id), message.id)
        # The nonce of an answer to a press comes from that person's client and can be anything.
        is_answer = message.webhook_id is not None or message.interaction_metadata is not None
        if self.user is not None and message.author.id == self.user.id and message.nonce and not is_answer:
            self.context.contest.see_own_message(str(message.nonce))
            self.tables.arrived(message.channel.id, str(message.nonce), message.id)

    async def on_raw_message_delete(self, payload: discord.RawMessageDeleteEvent) -> None:
        self._deleted(payload.channel_id, payload.message_id)

    async def on_raw_bulk_message_delete(self, payload: discord.RawBulkMessageDeleteEvent) -> None:
        for message in payload.message_ids:
            self._deleted(payload.channel_id, message)

    def _deleted(self, channel: int, message: int) -> None:
        self.context.below.gone(str(channel), message)
        self.tables.deleted(channel, message)
        self.boards.deleted(channel, message)

    async def open_app(self, interaction: discord.Interaction[Any]) -> None:
        """Open the channel's table as an Activity, or explain why there is none."""
        if not await self.answers.admit(interaction):
            return
        if self.context.app_lack is not None:
            await self.answers.send_texts(interaction, _NO_APP)
            return
        await interaction.response.launch_activity()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        if presses.is_press(interaction):
            await presses.handle_press(self.answers, interaction, self.open_app)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        await self.places.arrive(guild)
        await self.places.greet(guild)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        await self.places.depart(guild)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        await self.places.lose_channel(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        await self.places.lose_channel(payload.thread_id)

    async def on_raw_thread_update(self, payload: discord.RawThreadUpdateEvent) -> None:
        """Handle a changed thread, archived ones included, of which the library keeps none."""
        is_locked = payload.data["thread_metadata"].get("locked", False)
        await self.places.look_at_thread(payload.thread_id, is_locked=is_locked)

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        await self.places.handle_changed_rights(after.guild)

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        await self.places.handle_changed_rights(after.guild)

    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Handle changed roles of the bot; without the members intent Discord reports no others."""
        await self.places.handle_changed_rights(after.guild)


def invitation(application: int) -> str:
    """Return the link that adds the bot with exactly the rights it needs."""
    return discord.utils.oauth_url(application, permissions=NEEDED, scopes=("bot", "applications.commands"))
