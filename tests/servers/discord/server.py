"""The server object of tests: its clock, world, log and scripted faults."""

from __future__ import annotations

import asyncio
import copy
import time
from collections import deque
from collections.abc import Callable
from typing import Any

import discord
from aiohttp import web

from tests.latency import usual_way_s
from tests.patience import PATIENCE_S
from tests.servers.discord.checks import ENTRY_POINT, Json
from tests.servers.discord.faults import Fault, Limit, too_many
from tests.servers.discord.gateway import Gateway
from tests.servers.discord.log import Call, Delivery
from tests.servers.discord.members import Interaction, Member
from tests.servers.discord.routes import application
from tests.servers.discord.things import ALL, DIRECT, EVERYBODY, INVITED, Channel, Guild, Message, Role, User, bits

EPOCH_MS = 1420070400000
EDIT_MESSAGE = "PATCH /channels/{channel_id}/messages/{message_id}"
OLD_EDITS = "Maximum number of edits to messages older than 1 hour reached. Try again later"


class DiscordServer:
    def __init__(
        self,
        *,
        token: str = "MTAwMDAwMDAwMDAwMDAwMDAw.loopback.token",
        shards: int = 1,
        heartbeat_s: float = 41.25,
        answer_within_s: float = PATIENCE_S,
        token_life_s: float = 900.0,
        way_s: Callable[[int], float] = usual_way_s,
    ) -> None:
        # Duration of the call with a number: half of it passes before anything is done, half after.
        self.way_s = way_s
        self.token, self.shards, self.heartbeat_s = token, shards, heartbeat_s
        self.answer_within_s, self.token_life_s = answer_within_s, token_life_s
        # Undocumented, but known to bot authors: edits of hour-old messages in a channel within this many seconds.
        self.old_edits = Limit(EDIT_MESSAGE, 3, 20.0)
        self.privileged_intents = 0
        self.gateway = Gateway(self)
        self.users: dict[int, User] = {}
        self.guilds: dict[int, Guild] = {}
        self.channels: dict[int, Channel] = {}
        self.commands: list[Json] = []
        self.emojis: list[Json] = []
        # Activities: {instance: (channel, its users)}, {code: user}, {token: user}.
        self.client_secret = "a-client-secret-of-the-loopback"
        self.instances: dict[str, tuple[Channel, list[User]]] = {}
        self.codes: dict[str, User] = {}
        self.user_tokens: dict[str, User] = {}
        self.interactions: dict[int, Interaction] = {}
        self._by_token: dict[str, Interaction] = {}
        # Interactions whose person sees nothing yet.
        self._unshown: dict[int, Interaction] = {}
        self.calls: list[Call] = []
        self.deliveries: list[Delivery] = []
        # Things a bot should never do; `assert_clean` checks all of them.
        self.unhandled: list[str] = []
        self.complaints: list[str] = []
        self.unanswered: list[Interaction] = []
        self.errors: list[str] = []
        # Checking a body against Discord's description takes longer than making it, so under load only one in this many
        # is checked.
        self.checks_one_in = 1
        self.faults: list[Fault] = []
        self.limits: list[Limit] = []
        self.everything: tuple[int, float] | None = None
        # When calls were taken under that limit.
        self.taken: deque[float] = deque()
        self.blobs: dict[str, bytes] = {}
        # If set, time stands still and moves only with the test.
        self.stands_at_s: float | None = None
        self._ahead_s = 0.0
        self._last_id = 0
        self._changes = asyncio.Event()
        self._timers: list[asyncio.TimerHandle] = []
        self._runner: web.AppRunner | None = None
        self.application_id = self.new_id()
        self.bot = self.user("Ridotto", bot=True)

    async def start(self) -> str:
        """Listen on a free port of 127.0.0.1; return the address of the API."""
        self._runner = web.AppRunner(application(self), access_log=None, shutdown_timeout=0.5)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", 0)
        await site.start()
        self.origin = f"127.0.0.1:{self._runner.addresses[0][1]}"
        return self.api

    async def stop(self) -> None:
        for timer in self._timers:
            timer.cancel()
        await self.gateway.close()
        if self._runner is not None:
            await self._runner.cleanup()

    async def __aenter__(self) -> DiscordServer:
        await self.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.stop()

    @property
    def api(self) -> str:
        return f"http://{self.origin}/api/v10"

    @property
    def gateway_url(self) -> str:
        return f"ws://{self.origin}/gateway"

    @property
    def env(self) -> dict[str, str]:
        """Return the environment of a bot in a process of its own."""
        return {"RIDOTTO_DISCORD_API": self.api, "RIDOTTO_DISCORD_TOKEN": self.token}

    def now_s(self) -> float:
        return (time.time() if self.stands_at_s is None else self.stands_at_s) + self._ahead_s

    def pass_time(self, seconds: float) -> None:
        """Move this server's clock, not the bot's: messages age, tokens of interactions expire."""
        self._ahead_s += seconds

    def new_id(self) -> int:
        self._last_id = max(self._last_id + 1, int(self.now_s() * 1000) - EPOCH_MS << 22)
        return self._last_id

    def born_s(self, snowflake: int) -> float:
        return ((snowflake >> 22) + EPOCH_MS) / 1000

    def changed(self) -> None:
        """Wake all that wait in `until`."""
        self._changes.set()

    async def until(self, holds: Callable[[], Any], why: str = "") -> Any:
        """Wait until `holds()` is true and return its value."""
        give_up_s = time.monotonic() + PATIENCE_S
        while not (held := holds()):
            left_s = give_up_s - time.monotonic()
            if left_s <= 0:
                raise AssertionError(f"not within {PATIENCE_S} s: {why or holds}")
            self._changes.clear()
            # A test may wait for other things than calls, so check again now and then.
            try:
                await asyncio.wait_for(self._changes.wait(), min(left_s, 0.05))
            except TimeoutError:
                continue
        return held

    async def ready(self) -> None:
        """Wait until every shard is connected and the bot has registered its commands."""

        def is_ready() -> bool:
            registered = any(call.route.startswith("PUT /applications/") and call.status == 200 for call in self.calls)
            return registered and self.is_connected

        await self.until(is_ready, "the bot is connected and has registered its commands")

    @property
    def is_connected(self) -> bool:
        return len({session.shard for session in self.gateway.connected}) >= self.shards

    async def answered(self) -> None:
        """Wait until no call is under way, so that the bot knows what people see already."""
        await self.until(lambda: all(call.took_s is not None for call in self.calls), "every call is answered")

    async def quiet(self, for_s: float = 0.3) -> None:
        """Wait until the bot has made no call for `for_s` and none is under way."""

        def is_quiet() -> bool:
            return all(call.took_s is not None and time.time() - call.at_s - call.took_s > for_s for call in self.calls)

        await self.until(is_quiet, "quiet")

    async def message(self, channel: Channel, shows: str) -> Message:
        """Wait for a message in the channel that shows this text; return the newest."""

        def found() -> Message | None:
            return next((message for message in reversed(channel.messages) if shows in message.text), None)

        return await self.until(found, f"a message with {shows!r} in #{channel.name}")  # type: ignore[no-any-return]

    def user(self, name: str, bot: bool = False) -> User:
        user = User(self.new_id(), name, bot)
        self.users[user.id] = user
        return user

    def member(self, user: User, guild: Guild, locale: str = "en-US") -> Member:
        guild.members[user.id] = member = Member(self, user, guild, locale)
        return member

    def guild(
        self,
        name: str,
        locale: str = "en-US",
        permissions: int | str | discord.Permissions = INVITED,
        *,
        shard: int = 0,
    ) -> Guild:
        """Return a guild that has invited the bot with these permissions; its owner is called Owner."""
        id = self.new_id()
        while (id >> 22) % self.shards != shard % self.shards:
            id += 1 << 22
        self._last_id = id
        guild = Guild(self, id, name, locale)
        guild.roles[guild.id] = Role(guild.id, "@everyone", bits(EVERYBODY))
        role = Role(self.new_id(), self.bot.name, bits(permissions), 1, managed=True)
        guild.roles[role.id] = role
        self.member(self.bot, guild).roles.append(role)
        guild.owner = self.member(self.user(f"Owner of {name}"), guild, locale)
        self.guilds[guild.id] = guild
        self.gateway.publish("GUILD_CREATE", guild.gateway_payload(), guild)
        return guild

    def direct_channel(self, user: User) -> Channel:
        found = next((c for c in self.channels.values() if c.type == DIRECT and c.recipient is user), None)
        if found is None:
            found = Channel(self, self.new_id(), "", DIRECT, recipient=user)
            self.channels[found.id] = found
        return found

    def enable_activities(self) -> Json:
        """Enable Activities, for which Discord creates its own command."""
        made: Json = {"id": str(self.new_id()), "application_id": str(self.application_id), "version": "1"}
        made |= {"type": ENTRY_POINT, "name": "launch", "description": "Launch Ridotto", "handler": 2}
        made |= {"name_localizations": {"it": "gioca"}, "default_member_permissions": None, "dm_permission": True}
        made |= {"contexts": [0, 1], "integration_types": [0], "nsfw": False}
        self.commands.append(made)
        return made

    @property
    def has_activities(self) -> bool:
        return any(command["type"] == ENTRY_POINT for command in self.commands)

    def launch(self, channel: Channel, user: User) -> str:
        """Open the Activity there: each channel has one instance while anyone is in it."""
        for id, (where, users) in self.instances.items():
            if where is channel:
                users += [user] if user not in users else []
                return id
        id = f"i-{self.new_id()}-gc-{channel.id}"
        self.instances[id] = channel, [user]
        return id

    def commands_in(self, channel: Channel) -> list[Json]:
        own = channel.guild.commands if channel.guild is not None else []
        return [*own, *self.commands]

    def permissions_in(self, channel: Channel) -> int:
        """Return the bot's permissions."""
        if channel.guild is None:
            return ALL
        return channel.guild.permissions_of(self.bot, channel) if channel.guild.has_bot else 0

    def post(self, message: Message) -> Message:
        """Post a message into its channel, visible to everyone who may see it."""
        message.channel.history.append(message)
        self.see(message, "message")
        if not message.is_ephemeral:
            channel = message.channel
            said = message.payload() | channel.of_guild()
            self.gateway.publish("MESSAGE_CREATE", said, channel.guild, channel.message_intent)
        return message

    def see(self, message: Message, kind: str) -> None:
        seen = copy.deepcopy(message.payload())
        self.deliveries.append(Delivery(self.now_s(), message.channel, message.reader, kind, seen, message.files))
        if not message.is_thinking:
            for interaction in list(self._unshown.values()):
                if interaction.message is message or message in interaction.follow_ups:
                    interaction.shown.set()
                if interaction.shown.is_set():
                    del self._unshown[interaction.id]
        self.changed()

    def versions(self, message: Message) -> list[Json]:
        """Return the message as it was after each call, newest first."""
        mine = (s.json for s in reversed(self.deliveries) if s.kind in ("message", "edit"))
        return [version for version in mine if version["id"] == str(message.id)]

    def begin(self, interaction: Interaction) -> None:
        interaction.at_s = self.now_s()
        self.interactions[interaction.id] = self._by_token[interaction.token] = interaction
        self._unshown[interaction.id] = interaction
        guild = interaction.channel.guild
        if guild is None or guild.has_bot or guild.has_commands or interaction.member.user.has_installed:
            where = guild if guild is None or guild.has_bot else None
            self.gateway.publish("INTERACTION_CREATE", interaction.payload(), where, intent=0)
        loop = asyncio.get_running_loop()
        self._timers.append(loop.call_later(self.answer_within_s, interaction.expire))

    def interaction_of(self, token: str) -> Interaction | None:
        return self._by_token.get(token)

    async def shown(self, interaction: Interaction) -> None:
        """Wait until the person sees something; ten seconds more for a deferred answer that is never filled."""
        try:
            await asyncio.wait_for(interaction.shown.wait(), self.answer_within_s + 10)
        except TimeoutError:
            self.unanswered.append(interaction)

    def calls_of(self, what: Channel | str) -> list[Call]:
        """Return the calls of a channel, including answers to interactions there, or of a route."""
        if isinstance(what, str):
            return [call for call in self.calls if call.route == what]
        return [call for call in self.calls if call.channel_id == what.id]

    def everything_sent_to(self, member: Member) -> list[Delivery]:
        """Return everything this person could ever see, each version of each message; search `.text` and `.files`."""
        return [delivery for delivery in self.deliveries if self._could_see(member, delivery)]

    def _could_see(self, member: Member, delivery: Delivery) -> bool:
        if delivery.reader is not None:
            return delivery.reader.user is member.user
        guild = delivery.channel.guild
        if guild is None:
            return delivery.channel.recipient is member.user
        return bool(guild.permissions_of(member.user, delivery.channel) & 1 << 10)

    def assert_clean(self) -> None:
        """Check that the bot made no unknown or invalid call and left no interaction unanswered."""
        unanswered = [(i.member.name, i.data.get("name") or i.data.get("custom_id")) for i in self.unanswered]
        found = {
            "unhandled": self.unhandled,
            "complaints": self.complaints,
            "unanswered": unanswered,
            "errors": self.errors,
        }
        assert not any(found.values()), {name: wrong for name, wrong in found.items() if wrong}

    def rate_limit(
        self,
        route: str,
        retry_after: float,
        *,
        via: bool = True,
        is_global: bool = False,
        times: int | None = 1,
        code: int = 0,
        message: str | None = None,
        channel: Channel | None = None,
    ) -> Fault:
        """Let the next calls of the route get 429; without `via` as from Cloudflare; code 30046: an old message."""
        if code == 30046 and message is None:
            message = OLD_EDITS
        body, headers = too_many(retry_after, code, is_global, via, message)
        return self._trouble(Fault(route, times, channel, 429, body, headers))

    def fail(
        self,
        route: str,
        status: int = 502,
        times: int | None = 1,
        *,
        after: bool = False,
        body: Json | str | None = None,
        channel: Channel | None = None,
    ) -> Fault:
        """Let the next calls fail; `after`: they are carried out, and only the answer is lost. A `str` is a page."""
        return self._trouble(
            Fault(route, times, channel, status, body or {"message": "trouble", "code": 0}, after=after)
        )

    def slow(
        self,
        route: str,
        seconds: float,
        times: int | None = None,
        *,
        after: bool = False,
        channel: Channel | None = None,
    ) -> Fault:
        """Delay calls; `after`: they are carried out at once, and the answer is late."""
        return self._trouble(Fault(route, times, channel, slow_s=seconds, after=after))

    def hold(self, route: str, times: int | None = None, *, channel: Channel | None = None) -> Fault:
        """Hold back answers until the fault is stopped."""
        return self._trouble(Fault(route, times, channel, gate=asyncio.Event()))

    def cut(self, route: str, times: int | None = 1, *, after: bool = False, channel: Channel | None = None) -> Fault:
        """Break the connection instead of answering."""
        return self._trouble(Fault(route, times, channel, is_cut=True, after=after))

    def limit(self, route: str, calls: int, per_s: float) -> Limit:
        """Set a limit with its headers: `calls` a window for each channel; one call more gets 429."""
        self.limits.append(limit := Limit(route, calls, per_s))
        return limit

    def limit_all(self, calls: int, per_s: float = 1.0) -> None:
        """Set the bot's global limit: `calls` in any window, without interactions and their webhooks."""
        self.everything = (calls, per_s)

    def old_edit_refused(self, call: Call) -> Json | None:
        """Return the body of a 429 with 30046 if this channel's hour-old messages were edited too often."""
        left, ends_s = self.old_edits.take(call, time.monotonic())
        return too_many(round(ends_s, 3), 30046, False, True, OLD_EDITS)[0] if left < 0 else None

    def heal(self) -> None:
        self.faults.clear()
        self.limits.clear()
        self.everything = None

    def _trouble(self, fault: Fault) -> Fault:
        self.faults.append(fault)
        return fault

    async def disconnect(self, resume: bool = True, code: int | None = None) -> None:
        """Disconnect the bot's gateway, politely or with a close code; 1006 cuts the connection."""
        await self.gateway.disconnect(resume, code)
