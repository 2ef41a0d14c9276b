"""Guilds, channels, roles, users and messages as Discord stores them and as its API presents them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import discord

from tests.servers.discord.checks import BUTTON, SELECTS, Json, walk

if TYPE_CHECKING:
    from tests.servers.discord.members import Interaction, Member
    from tests.servers.discord.server import DiscordServer

ALL = discord.Permissions.all().value
CATEGORY, TEXT, DIRECT, VOICE, PUBLIC_THREAD, PRIVATE_THREAD = 4, 0, 1, 2, 11, 12
ANNOUNCEMENT, FORUM = 5, 15
WORDLESS = {CATEGORY, FORUM}
THREADS = {10, 11, 12}
EPHEMERAL, LOADING = 1 << 6, 1 << 7
# Rights that a bot is usually invited with, and those of everyone in a fresh server.
INVITED = (
    "view_channel send_messages send_messages_in_threads create_public_threads embed_links attach_files "
    "read_message_history manage_channels manage_roles manage_messages manage_threads use_external_emojis"
)
EVERYBODY = "view_channel send_messages send_messages_in_threads read_message_history use_application_commands"


def bits(permissions: int | str | discord.Permissions) -> int:
    """Return permissions as a number: from one, from the library's object, or from names separated by spaces."""
    if isinstance(permissions, str):
        return discord.Permissions(**dict.fromkeys(permissions.split(), True)).value
    return permissions if isinstance(permissions, int) else permissions.value


def iso(at_s: float) -> str:
    return datetime.fromtimestamp(at_s, UTC).isoformat()


@dataclass(eq=False)
class User:
    id: int
    name: str
    bot: bool = False
    accepts_direct_messages: bool = True
    # They have added the application to their own account, and bring it wherever they are.
    has_installed: bool = False

    @property
    def mention(self) -> str:
        return f"<@{self.id}>"

    def payload(self) -> Json:
        return {
            "id": str(self.id),
            "username": self.name.lower().replace(" ", "_"),
            "global_name": self.name,
            "discriminator": "0",
            "avatar": None,
            "bot": self.bot,
            "system": False,
            "public_flags": 0,
            "flags": 0,
            "primary_guild": None,
        }


@dataclass(eq=False)
class Role:
    id: int
    name: str
    permissions: int
    position: int = 0
    managed: bool = False

    def payload(self) -> Json:
        return {
            "id": str(self.id),
            "name": self.name,
            "permissions": str(self.permissions),
            "position": self.position,
            "color": 0,
            "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
            "hoist": False,
            "managed": self.managed,
            "mentionable": False,
            "icon": None,
            "unicode_emoji": None,
            "flags": 0,
        }


@dataclass
class Overwrite:
    id: int
    type: int
    allow: int = 0
    deny: int = 0

    def payload(self) -> Json:
        return {"id": str(self.id), "type": self.type, "allow": str(self.allow), "deny": str(self.deny)}


@dataclass(eq=False)
class Attachment:
    id: int
    filename: str
    content: bytes = field(repr=False)
    url: str
    description: str | None = None

    def payload(self) -> Json:
        said: Json = {
            "id": str(self.id),
            "filename": self.filename,
            "size": len(self.content),
            "url": self.url,
            "proxy_url": self.url,
            "content_type": "image/png" if self.filename.endswith(".png") else "application/octet-stream",
        }
        return said | ({"description": self.description} if self.description else {})


@dataclass(eq=False)
class Message:
    """A message as it is now. An ephemeral one has its `reader`."""

    id: int
    channel: Channel
    author: User
    at_s: float
    content: str = ""
    embeds: list[Json] = field(default_factory=list)
    components: list[Json] = field(default_factory=list)
    attachments: list[Attachment] = field(default_factory=list)
    flags: int = 0
    nonce: str | int | None = None
    allowed_mentions: Json | None = None
    reference: Json | None = None
    reader: Member | None = None
    interaction: Interaction | None = None
    edited_s: float | None = None
    edits: int = 0
    pinned: bool = False
    reactions: set[str] = field(default_factory=set)
    is_deleted: bool = False

    @property
    def is_ephemeral(self) -> bool:
        return bool(self.flags & EPHEMERAL)

    @property
    def is_thinking(self) -> bool:
        return bool(self.flags & LOADING)

    @property
    def parts(self) -> list[Json]:
        return list(walk(self.components))

    @property
    def text(self) -> str:
        """Return the readable text: content, embeds and text displays, a line each, without buttons."""
        lines: list[str | None] = [self.content]
        for embed in self.embeds:
            lines += [embed.get("title"), embed.get("description")]
            lines += [text for item in embed.get("fields") or [] for text in (item.get("name"), item.get("value"))]
            lines += [(embed.get("footer") or {}).get("text")]
        lines += [part["content"] for part in self.parts if "content" in part]
        return "\n".join(line for line in lines if line)

    @property
    def buttons(self) -> list[Json]:
        return [part for part in self.parts if part["type"] == BUTTON]

    @property
    def selects(self) -> list[Json]:
        return [part for part in self.parts if part["type"] in SELECTS]

    @property
    def labels(self) -> list[str]:
        return [button.get("label") or "" for button in self.buttons]

    @property
    def files(self) -> dict[str, bytes]:
        return {attachment.filename: attachment.content for attachment in self.attachments}

    @property
    def pinged(self) -> list[User]:
        """Return the users that this message notifies: mentioned, and allowed to be."""
        allowed = self.allowed_mentions
        ids = {int(found) for found in re.findall(r"<@!?(\d+)>", self.text)}
        if allowed is not None and "users" not in (allowed.get("parse") or []):
            ids &= {int(user) for user in allowed.get("users") or []}
        return [user for user in self.channel.server.users.values() if user.id in ids]

    @property
    def pings_everybody(self) -> bool:
        allowed = self.allowed_mentions
        is_allowed = allowed is None or "everyone" in (allowed.get("parse") or [])
        return is_allowed and re.search("@(?:everyone|here)", self.text) is not None

    def delete(self) -> None:
        """Delete the message, as a moderator or by its reader's dismissal."""
        self.is_deleted = True
        if self.is_ephemeral:
            return
        said = {"id": str(self.id), "channel_id": str(self.channel.id)} | self.channel.of_guild()
        self.channel.server.gateway.publish("MESSAGE_DELETE", said, self.channel.guild, self.channel.message_intent)

    def payload(self) -> Json:
        said: Json = {
            "id": str(self.id),
            "type": 20 if self.interaction is not None and self.interaction.type == 2 else 0,
            "channel_id": str(self.channel.id),
            "author": self.author.payload(),
            "content": self.content,
            "timestamp": iso(self.at_s),
            "edited_timestamp": None if self.edited_s is None else iso(self.edited_s),
            "tts": False,
            "mention_everyone": self.pings_everybody,
            "mentions": [user.payload() for user in self.pinged],
            "mention_roles": [],
            "attachments": [attachment.payload() for attachment in self.attachments],
            "embeds": [{"type": "rich"} | embed for embed in self.embeds],
            "components": self.components,
            "pinned": self.pinned,
            "flags": self.flags,
        }
        said |= {"nonce": self.nonce} if self.nonce is not None else {}
        said |= {"message_reference": self.reference} if self.reference else {}
        if self.author.bot:
            said["application_id"] = str(self.channel.server.application_id)
        if self.interaction is not None:
            said["webhook_id"] = said["application_id"]
            # The nonce, invented by the client of the person who pressed.
            said["nonce"] = str(self.interaction.id ^ 1)
            said["interaction_metadata"] = self.interaction.metadata()
        return said


@dataclass(eq=False)
class Channel:
    server: DiscordServer = field(repr=False)
    id: int
    name: str
    type: int = TEXT
    guild: Guild | None = field(default=None, repr=False)
    parent: Channel | None = field(default=None, repr=False)
    # The other person of a conversation, or the creator of a thread.
    recipient: User | None = field(default=None, repr=False)
    overwrites: dict[int, Overwrite] = field(default_factory=dict, repr=False)
    topic: str | None = None
    position: int = 0
    history: list[Message] = field(default_factory=list, repr=False)
    is_deleted: bool = False
    is_archived: bool = False
    is_locked: bool = False

    @property
    def mention(self) -> str:
        return f"<#{self.id}>"

    @property
    def messages(self) -> list[Message]:
        """Return the messages that everyone sees now, oldest first."""
        return [message for message in self.history if not message.is_deleted and not message.is_ephemeral]

    @property
    def last(self) -> Message:
        return self.messages[-1]

    @property
    def is_thread(self) -> bool:
        return self.type in THREADS

    @property
    def message_intent(self) -> int:
        return 1 << 12 if self.guild is None else 1 << 9

    def of_guild(self) -> Json:
        return {} if self.guild is None else {"guild_id": str(self.guild.id)}

    def delete(self) -> None:
        """Delete the channel, as an admin."""
        self.is_deleted = True
        if self.guild is not None:
            for thread in [c for c in self.guild.channels if c.parent is self and c.is_thread]:
                thread.delete()
            self.guild.channels.remove(self)
        self._publish("DELETE")

    def take(self, permissions: int | str) -> None:
        """Deny the bot these permissions here, by an overwrite."""
        own = self.overwrites.setdefault(self.server.bot.id, Overwrite(self.server.bot.id, 1))
        own.deny, own.allow = own.deny | bits(permissions), own.allow & ~bits(permissions)
        self.changed()

    def give(self, permissions: int | str) -> None:
        """Grant the bot these permissions here again."""
        own = self.overwrites.setdefault(self.server.bot.id, Overwrite(self.server.bot.id, 1))
        own.deny, own.allow = own.deny & ~bits(permissions), own.allow | bits(permissions)
        self.changed()

    def thread(self, name: str, owner: User | None = None, type: int = PUBLIC_THREAD, id: int | None = None) -> Channel:
        """Open a thread here."""
        assert self.guild is not None
        made = Channel(self.server, id or self.server.new_id(), name, type, self.guild, self, owner or self.server.bot)
        return self.guild.open(made)

    def archive(self, is_archived: bool = True, *, is_locked: bool = False) -> None:
        """Archive a thread after a time without messages or by a moderator, or restore it."""
        self.is_archived, self.is_locked = is_archived, is_locked
        self.changed()

    def changed(self) -> None:
        self._publish("UPDATE")

    def _publish(self, what: str) -> None:
        kind = "THREAD" if self.is_thread else "CHANNEL"
        self.server.gateway.publish(f"{kind}_{what}", self.payload(), self.guild)

    def payload(self) -> Json:
        said: Json = {"id": str(self.id), "type": self.type, "flags": 0} | self.of_guild()
        said["last_message_id"] = str(self.messages[-1].id) if self.messages else None
        if self.type == DIRECT:
            assert self.recipient is not None
            return said | {"recipients": [self.recipient.payload()]}
        said |= {"name": self.name, "parent_id": None if self.parent is None else str(self.parent.id)}
        if self.is_thread:
            return said | self._thread_payload()
        said |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None} if self.type == VOICE else {}
        return said | {
            "position": self.position,
            "permission_overwrites": [overwrite.payload() for overwrite in self.overwrites.values()],
            "topic": self.topic,
            "nsfw": False,
            "rate_limit_per_user": 0,
        }

    def _thread_payload(self) -> Json:
        assert self.recipient is not None
        opened = iso(self.server.born_s(self.id))
        return {
            "owner_id": str(self.recipient.id),
            "message_count": len(self.messages),
            "total_message_sent": len(self.history),
            "member_count": 1,
            "rate_limit_per_user": 0,
            "thread_metadata": {
                "archived": self.is_archived,
                "archive_timestamp": opened,
                "auto_archive_duration": 1440,
                "locked": self.is_locked,
                "create_timestamp": opened,
            },
        }


@dataclass
class Invite:
    """An invite link, with its number of uses (0: unlimited) and its expiry."""

    uses: int
    until_s: float


@dataclass(eq=False)
class Guild:
    server: DiscordServer = field(repr=False)
    id: int
    name: str
    locale: str
    roles: dict[int, Role] = field(default_factory=dict, repr=False)
    members: dict[int, Member] = field(default_factory=dict, repr=False)
    channels: list[Channel] = field(default_factory=list, repr=False)
    commands: list[Json] = field(default_factory=list, repr=False)
    invites: dict[str, Invite] = field(default_factory=dict, repr=False)
    has_bot: bool = True
    # The application's commands may be there without its bot.
    has_commands: bool = False
    is_out: bool = False
    owner: Member | None = field(default=None, repr=False)

    def member(self, name: str, locale: str = "en-US", permissions: int | str | discord.Permissions = 0) -> Member:
        """Let a person join; `permissions` beyond everyone's come by a role of their own."""
        member = self.server.member(self.server.user(name), self, locale)
        if bits(permissions):
            member.roles.append(self.role(f"{name}'s", permissions))
        return member

    def joins(self, member: Member) -> Member:
        """Let a member of another guild join."""
        return self.server.member(member.user, self, member.locale)

    def comes_by(self, code: str, member: Member) -> Member:
        """Let a person join by an invite link. KeyError for a used, expired or unknown one."""
        invite = self.invites[code]
        assert invite.until_s > self.server.now_s()
        invite.uses -= 1
        if not invite.uses:
            del self.invites[code]
        return self.joins(member)

    def role(self, name: str, permissions: int | str | discord.Permissions = 0, managed: bool = False) -> Role:
        role = Role(self.server.new_id(), name, bits(permissions), len(self.roles), managed)
        self.roles[role.id] = role
        self.server.gateway.publish("GUILD_ROLE_CREATE", {"guild_id": str(self.id), "role": role.payload()}, self)
        return role

    def text_channel(self, name: str, parent: Channel | None = None) -> Channel:
        return self.open(Channel(self.server, self.server.new_id(), name, TEXT, self, parent))

    def category(self, name: str) -> Channel:
        return self.open(Channel(self.server, self.server.new_id(), name, CATEGORY, self))

    def channel(self, name: str) -> Channel:
        """Return the channel of this name, thread or category too."""
        return next(channel for channel in self.channels if channel.name == name)

    def take(self, permissions: int | str) -> None:
        """Take permissions from the bot's role."""
        self._set_role(self.bot_role, self.bot_role.permissions & ~bits(permissions))

    def give(self, permissions: int | str) -> None:
        self._set_role(self.bot_role, self.bot_role.permissions | bits(permissions))

    def take_from_all(self, permissions: int | str) -> None:
        """Take permissions from every role, everyone's included."""
        for role in self.roles.values():
            self._set_role(role, role.permissions & ~bits(permissions))

    def remove_bot(self) -> None:
        self.has_bot = False
        self.server.gateway.publish("GUILD_DELETE", {"id": str(self.id)}, self)

    def add_bot(self) -> None:
        """Add the bot. GUILD_CREATE of a new server has no field `unavailable`, which marks it as new."""
        self.has_bot = True
        told = {name: value for name, value in self.gateway_payload().items() if name != "unavailable"}
        self.server.gateway.publish("GUILD_CREATE", told, self)

    def goes_down(self) -> None:
        """Make the guild unavailable for a while, without the bot leaving."""
        self.is_out = True
        self.server.gateway.publish("GUILD_DELETE", {"id": str(self.id), "unavailable": True}, self)

    def comes_back(self) -> None:
        self.is_out = False
        self.server.gateway.publish("GUILD_CREATE", self.gateway_payload(), self)

    @property
    def bot_role(self) -> Role:
        return self.members[self.server.bot.id].roles[0]

    def _set_role(self, role: Role, permissions: int) -> None:
        role.permissions = permissions
        said = {"guild_id": str(self.id), "role": role.payload()}
        self.server.gateway.publish("GUILD_ROLE_UPDATE", said, self)

    def open(self, channel: Channel) -> Channel:
        channel.position = sum(other.type == channel.type for other in self.channels)
        self.channels.append(channel)
        self.server.channels[channel.id] = channel
        channel._publish("CREATE")
        return channel

    def permissions_of(self, user: User, channel: Channel | None = None) -> int:
        """Return permissions in the documented order: roles, then the overwrites of everyone, of roles, of the
        member.
        """
        member = self.members.get(user.id)
        if member is None:
            return 0
        own = self.roles[self.id].permissions
        for role in member.roles:
            own |= role.permissions
        if self.owner is member or own & bits("administrator"):
            return ALL
        place = channel.parent if channel is not None and channel.is_thread else channel
        if place is None:
            return own
        for layer in ([self.id], [role.id for role in member.roles], [user.id]):
            found = [place.overwrites[target] for target in layer if target in place.overwrites]
            for overwrite in found:
                own &= ~overwrite.deny
            for overwrite in found:
                own |= overwrite.allow
        return own

    def payload(self) -> Json:
        nothing = (
            "icon description home_header splash discovery_splash banner application_id afk_channel_id "
            "system_channel_id widget_channel_id max_presences vanity_url_code rules_channel_id "
            "safety_alerts_channel_id public_updates_channel_id incidents_data"
        )
        zeros = (
            "system_channel_flags verification_level default_message_notifications mfa_level explicit_content_filter "
            "premium_tier premium_subscription_count nsfw_level"
        )
        owner = self.owner or next(iter(self.members.values()))
        return {
            **dict.fromkeys(nothing.split()),
            **dict.fromkeys(zeros.split(), 0),
            "id": str(self.id),
            "name": self.name,
            "owner_id": str(owner.id),
            "preferred_locale": self.locale,
            "region": "deprecated",
            "features": [],
            "afk_timeout": 300,
            "widget_enabled": False,
            "nsfw": False,
            "premium_progress_bar_enabled": False,
            "max_members": 500000,
            "max_stage_video_channel_users": 50,
            "max_video_channel_users": 25,
            "roles": [role.payload() for role in self.roles.values()],
            "emojis": [],
            "stickers": [],
        }

    def gateway_payload(self) -> Json:
        """Return the body of GUILD_CREATE: the bot is its only member, as without privileged intents."""
        if self.is_out:
            return {"id": str(self.id), "unavailable": True}
        threads = [channel for channel in self.channels if channel.is_thread]
        return self.payload() | {
            "joined_at": iso(self.server.born_s(self.id)),
            "large": False,
            "unavailable": False,
            "member_count": len(self.members),
            "members": [self.members[self.server.bot.id].payload()],
            "channels": [channel.payload() for channel in self.channels if channel not in threads],
            "threads": [channel.payload() for channel in threads],
            "presences": [],
            "voice_states": [],
            "stage_instances": [],
            "guild_scheduled_events": [],
            "soundboard_sounds": [],
        }


def settled(components: list[Json], attachments: list[Attachment]) -> list[Json]:
    """Return components with Discord's ids and defaults, and uploads as addresses."""
    taken = {part.get("id") for part in walk(components)}
    free = (number for number in range(1, 1000) if number not in taken)
    by_name = {attachment.filename: attachment for attachment in attachments}
    return [_settled(component, free, by_name) for component in components]


DEFAULTS: dict[int, Json] = {
    BUTTON: {"disabled": False},
    3: {"min_values": 1, "max_values": 1, "disabled": False},
    14: {"divider": True, "spacing": 1},
    17: {"accent_color": None, "spoiler": False},
}


def _settled(component: Json, free: Iterator[int], by_name: dict[str, Attachment]) -> Json:
    kept = {key: value for key, value in component.items() if value is not None}
    said: Json = {"id": component.get("id") or next(free)} | DEFAULTS.get(component["type"], {}) | kept
    said["id"] = said["id"] or next(free)
    if "components" in said:
        said["components"] = [_settled(inner, free, by_name) for inner in said["components"]]
    for key in ("accessory", "component"):
        if key in said:
            said[key] = _settled(said[key], free, by_name)
    if "items" in said:
        said["items"] = [
            {"description": None, "spoiler": False} | i | {"media": _media(i["media"], by_name)} for i in said["items"]
        ]
    for key in ("media", "file"):
        if key in said:
            said[key] = _media(said[key], by_name)
    return said


def _media(media: Json, by_name: dict[str, Attachment]) -> Json:
    _, _, name = media["url"].partition("attachment://")
    if not name:
        return {"id": "0", "proxy_url": media["url"]} | media
    upload = by_name[name]
    return {"id": str(upload.id), "url": upload.url, "proxy_url": upload.url, "attachment_id": str(upload.id)}
