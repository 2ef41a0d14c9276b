"""Actions of people: commands, presses, choices and forms, and what Discord shows them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from tests.servers.discord.checks import BUTTON, SELECTS, TEXT_INPUT, Json, walk
from tests.servers.discord.things import ALL, Channel, Guild, Message, Role, User, iso

if TYPE_CHECKING:
    from tests.servers.discord.server import DiscordServer

COMMAND, COMPONENT, AUTOCOMPLETE, SUBMIT = 2, 3, 4, 5
NO_RESPONSE = "The application did not respond"
SUBCOMMAND, GROUP, STRING, INTEGER, BOOLEAN, USER, CHANNEL, ROLE, MENTIONABLE, NUMBER = range(1, 11)


class Impossible(AssertionError):
    """An action that Discord's own client prevents: pressing a disabled button, leaving out a required option."""


@dataclass(eq=False)
class Modal:
    interaction: Interaction
    custom_id: str
    title: str
    components: list[Json]

    @property
    def fields(self) -> dict[str, Json]:
        return {part["custom_id"]: part for part in walk(self.components) if part.get("custom_id")}

    @property
    def text(self) -> str:
        said = [part.get(key) for part in walk(self.components) for key in ("label", "description", "content")]
        return "\n".join([self.title, *filter(None, said)])


@dataclass(eq=False, repr=False)
class Interaction:
    """One action of a person, and its result as they see it."""

    server: DiscordServer
    id: int
    type: int
    member: Member
    channel: Channel
    data: Json
    source: Message | None = None
    source_modal: Modal | None = None
    # The message as it was when pressed, if it has changed since.
    version: Json | None = None
    token: str = field(default_factory=lambda: secrets.token_urlsafe(60))
    at_s: float = 0.0
    answer: int | None = None
    answered_after_s: float | None = None
    message: Message | None = None
    follow_ups: list[Message] = field(default_factory=list)
    # Messages as they arrived by its token: one may have changed since.
    told: list[str] = field(default_factory=list)
    modal: Modal | None = None
    choices: list[Json] | None = None
    failure: str | None = None
    # Data of the Activity that the answer opened.
    instance: str | None = None
    shown: asyncio.Event = field(default_factory=asyncio.Event)

    def __repr__(self) -> str:
        did = self.data.get("name") or self.data.get("custom_id")
        return f"<{self.member.name} did {did!r} in #{self.channel.name}: {self.text!r}>"

    @property
    def is_ephemeral(self) -> bool:
        return self.message is not None and self.message.is_ephemeral

    @property
    def is_thinking(self) -> bool:
        return self.message is not None and self.message.is_thinking

    @property
    def text(self) -> str:
        """Return the present text of the answer: of the message, the form, or Discord's own line if there is none."""
        if self.modal is not None:
            return self.modal.text
        return self.message.text if self.message is not None else self.failure or ""

    def expire(self) -> None:
        """Expire the interaction: no answer came within three seconds, and the token is invalid now."""
        if self.answer is None:
            self.failure = NO_RESPONSE
            self.server.unanswered.append(self)
            self.shown.set()
            self.server.changed()

    def owners(self) -> Json:
        """Return the installations of the application: key 0 is the server's, 1 the person's own."""
        guild, user = self.channel.guild, self.member.user
        by_server = guild is None or guild.has_bot or guild.has_commands
        owners = {"0": str(guild.id) if guild else "0"} if by_server else {}
        return owners | ({"1": str(user.id)} if user.has_installed else {})

    def metadata(self) -> Json:
        said: Json = {"id": str(self.id), "type": self.type, "user": self.member.user.payload()}
        said["authorizing_integration_owners"] = self.owners()
        if self.type == COMMAND:
            said |= {"name": self.data["name"], "command_type": 1}
        elif self.source_modal is not None:
            said["triggering_interaction_metadata"] = self.source_modal.interaction.metadata()
        elif self.source is not None:
            said["interacted_message_id"] = str(self.source.id)
        return said

    def payload(self) -> Json:
        channel, guild = self.channel, self.channel.guild
        said: Json = {
            "id": str(self.id),
            "application_id": str(self.server.application_id),
            "type": self.type,
            "token": self.token,
            "version": 1,
            "data": self.data,
            "channel_id": str(channel.id),
            "channel": channel.payload(),
            "locale": self.member.locale,
            "entitlements": [],
            "authorizing_integration_owners": self.owners(),
            "context": 1 if guild is None else 0,
            "attachment_size_limit": 10485760,
        }
        if self.source is not None:
            said["message"] = self.version or self.source.payload()
        if guild is None:
            return said | {"user": self.member.user.payload(), "app_permissions": str(ALL)}
        permissions = guild.permissions_of(self.member.user, channel)
        said["channel"]["permissions"] = str(permissions)
        return said | {
            "guild_id": str(guild.id),
            "guild_locale": guild.locale,
            "guild": {"id": str(guild.id), "locale": guild.locale, "features": []},
            "member": self.member.payload() | {"permissions": str(permissions)},
            "app_permissions": str(guild.permissions_of(self.server.bot, channel)),
        }


@dataclass(eq=False)
class Member:
    """A person in one guild, with the language of their own client."""

    server: DiscordServer = field(repr=False)
    user: User
    guild: Guild = field(repr=False)
    locale: str = "en-US"
    roles: list[Role] = field(default_factory=list)
    # What this server alone calls them; it may change at any time.
    nick: str | None = None

    @property
    def id(self) -> int:
        return self.user.id

    @property
    def name(self) -> str:
        return self.user.name

    @property
    def mention(self) -> str:
        return self.user.mention

    @property
    def direct(self) -> Channel:
        """Return the conversation between this person and the bot."""
        return self.server.direct_channel(self.user)

    def payload(self) -> Json:
        return {
            "user": self.user.payload(),
            "roles": [str(role.id) for role in self.roles],
            "nick": self.nick,
            "avatar": None,
            "banner": None,
            "joined_at": iso(self.server.born_s(self.guild.id)),
            "premium_since": None,
            "communication_disabled_until": None,
            "pending": False,
            "deaf": False,
            "mute": False,
            "flags": 0,
        }

    def can(self, permissions: int, channel: Channel) -> bool:
        if channel.guild is None:
            return channel.recipient is self.user
        return not permissions & ~channel.guild.permissions_of(self.user, channel)

    def says(self, channel: Channel, text: str) -> Message:
        """Post a chat message, which scrolls the table up."""
        return self.server.post(Message(self.server.new_id(), channel, self.user, self.server.now_s(), text))

    def opens(self, channel: Channel) -> str:
        """Open the Activity, by a link or by Discord's own command; return the instance."""
        return self.server.launch(channel, self.user)

    def authorizes(self) -> str:
        """Return the code that the client gives to the page; consent was given earlier."""
        code = secrets.token_urlsafe(20)
        self.server.codes[code] = self.user
        return code

    async def presses_entry_point(self, channel: Channel) -> Interaction:
        """Press Discord's own command, if the application handles it (handler 1)."""
        command = next(one for one in self.server.commands if one["type"] == 4)
        return await self._does(COMMAND, channel, {"id": command["id"], "name": command["name"], "type": 4})

    async def slash(self, channel: Channel, command: str, /, *, unseen: bool = False, **options: Any) -> Interaction:
        """Use a command: `slash(channel, "table open", game="paiju")`; `unseen` sends one that the client does not
        list.
        """
        root, path, leaf = self._command(channel, command, unseen)
        sent, resolved = self._options(leaf, options)
        return await self._does(COMMAND, channel, _command_data(root, path, leaf, sent, resolved))

    async def autocomplete(
        self, channel: Channel, command: str, /, focused: str, typed: str = "", **options: Any
    ) -> list[Json]:
        """Return the bot's suggestions while `typed` is in the option `focused`."""
        root, path, leaf = self._command(channel, command, unseen=False)
        spec = _option(leaf, focused)
        if not spec.get("autocomplete"):
            raise Impossible(f"{focused} of /{command} has no autocomplete")
        sent, resolved = self._options(leaf, options, is_complete=False)
        sent.append({"name": focused, "type": spec["type"], "value": typed, "focused": True})
        done = await self._does(AUTOCOMPLETE, channel, _command_data(root, path, leaf, sent, resolved))
        return done.choices or []

    async def presses(self, message: Message | Interaction, button: str, /, *, stale: bool = False) -> Interaction:
        """Press a button by custom_id or label; `stale` presses one that has just gone or been disabled."""
        seen = self._sees(message)
        pressed, version = _found(seen.buttons, button), None
        if stale and (pressed is None or pressed.get("disabled")):
            pressed, version = _once(self.server.versions(seen), _button_in, button)
        if pressed is None or pressed.get("custom_id") is None:
            raise Impossible(f"no button {button!r}: {[(b.get('label'), b.get('custom_id')) for b in seen.buttons]}")
        if pressed.get("disabled"):
            raise Impossible(f"{button!r} is disabled")
        data = {"custom_id": pressed["custom_id"], "component_type": BUTTON, "id": pressed["id"]}
        return await self._does(COMPONENT, seen.channel, data, seen, version=version)

    async def selects(
        self, message: Message | Interaction, select: str, /, *values: Any, stale: bool = False
    ) -> Interaction:
        """Select by custom_id or placeholder; `values` by value or label, or Members for a select of people; `stale`
        selects from one that has just gone.
        """
        seen, version = self._sees(message), None
        field = _select_in(seen.parts, select)
        if stale and field is None:
            field, version = _once(self.server.versions(seen), _select_in, select)
        if field is None or field.get("disabled"):
            raise Impossible(f"no select {select!r} to choose from among {[s['custom_id'] for s in seen.selects]}")
        chosen, resolved = _chosen(field, values)
        data = {"custom_id": field["custom_id"], "component_type": field["type"], "id": field["id"], "values": chosen}
        data |= {"resolved": resolved} if resolved else {}
        return await self._does(COMPONENT, seen.channel, data, seen, version=version)

    async def submits_modal(
        self, form: Modal | Interaction, values: Mapping[str, Any] | None = None, /, **more: Any
    ) -> Interaction:
        """Submit the form, with fields by custom_id; others keep their value."""
        modal = form.modal if isinstance(form, Interaction) else form
        if modal is None:
            raise Impossible("no form was shown")
        if modal.interaction.member is not self:
            raise Impossible(f"the form was shown to {modal.interaction.member.name}")
        filled = dict(values or {}) | more
        if strange := filled.keys() - modal.fields.keys():
            raise Impossible(f"no fields {sorted(strange)} among {sorted(modal.fields)}")
        rows = [row for row in (_submitted(part, filled) for part in modal.components) if row]
        data = {"custom_id": modal.custom_id, "components": rows}
        return await self._does(SUBMIT, modal.interaction.channel, data, modal.interaction.source, modal)

    async def _does(
        self,
        type: int,
        channel: Channel,
        data: Json,
        source: Message | None = None,
        modal: Modal | None = None,
        version: Json | None = None,
    ) -> Interaction:
        done = Interaction(self.server, self.server.new_id(), type, self, channel, data, source, modal, version)
        self.server.begin(done)
        await self.server.shown(done)
        return done

    def _sees(self, message: Message | Interaction) -> Message:
        seen = message.message if isinstance(message, Interaction) else message
        if seen is None or seen.is_deleted:
            raise Impossible("there is no such message any more")
        if seen.reader not in (None, self) or not self.can(1 << 10, seen.channel):
            raise Impossible(f"{self.name} does not see that message")
        return seen

    def _command(self, channel: Channel, words: str, unseen: bool) -> tuple[Json, list[Json], Json]:
        """Return (registered command, the groups below it, the one that is meant)."""
        name, *path = words.split()
        listed = self.server.commands_in(channel)
        root = next((command for command in listed if command["name"] == name and command["type"] == 1), None)
        if root is None:
            raise Impossible(f"/{name} is not registered here: {sorted(command['name'] for command in listed)}")
        if not unseen and not self._is_listed(root, channel):
            raise Impossible(f"{self.name} does not see /{name}")
        nodes = [root]
        for step in path:
            nodes.append(_option(nodes[-1], step))
        if any(option["type"] <= GROUP for option in nodes[-1].get("options") or []):
            raise Impossible(f"/{words} needs a subcommand")
        return root, nodes[1:], nodes[-1]

    def _is_listed(self, command: Json, channel: Channel) -> bool:
        contexts = command.get("contexts")
        if contexts is not None and (1 if channel.guild is None else 0) not in contexts:
            return False
        if channel.guild is not None and not (channel.guild.has_bot or channel.guild.has_commands):
            return self.user.has_installed and 1 in command.get("integration_types", [0])
        if channel.guild is None:
            return command.get("dm_permission") is not False
        wanted = int(command.get("default_member_permissions") or 0)
        is_closed = command.get("default_member_permissions") == "0"
        own = channel.guild.permissions_of(self.user, channel)
        return own == ALL or (not is_closed and not wanted & ~own)

    def _options(self, leaf: Json, given: Mapping[str, Any], is_complete: bool = True) -> tuple[list[Json], Json]:
        resolved: Json = {}
        sent = []
        for name, value in given.items():
            spec = _option(leaf, name)
            sent.append({"name": name, "type": spec["type"], "value": _value(spec, value, resolved)})
        missing = [o["name"] for o in leaf.get("options") or [] if o.get("required") and o["name"] not in given]
        if missing and is_complete:
            raise Impossible(f"/{leaf['name']} needs {missing}")
        return sent, resolved


def _command_data(root: Json, path: list[Json], leaf: Json, sent: list[Json], resolved: Json) -> Json:
    options = sent
    for node in reversed(path):
        options = [{"name": node["name"], "type": node["type"], "options": options}]
    said: Json = {"id": root["id"], "name": root["name"], "type": 1, "options": options}
    said |= {"guild_id": root["guild_id"]} if "guild_id" in root else {}
    return said | ({"resolved": resolved} if resolved else {})


def _option(node: Json, name: str) -> Json:
    options = node.get("options") or []
    found = next((option for option in options if option["name"] == name), None)
    if found is None:
        raise Impossible(f"/{node['name']} has no {name!r}: {[option['name'] for option in options]}")
    return found  # type: ignore[no-any-return]


def _value(spec: Json, value: Any, resolved: Json) -> Any:
    """Return the value as Discord's client sends it, refusing what the client would not accept."""
    kind, name = spec["type"], spec["name"]
    if kind in (USER, MENTIONABLE) and isinstance(value, Member):
        resolved.setdefault("users", {})[str(value.id)] = value.user.payload()
        member = {key: part for key, part in value.payload().items() if key != "user"}
        permissions = value.guild.permissions_of(value.user)
        resolved.setdefault("members", {})[str(value.id)] = member | {"permissions": str(permissions)}
        return str(value.id)
    if kind == CHANNEL and isinstance(value, Channel):
        resolved.setdefault("channels", {})[str(value.id)] = value.payload() | {"permissions": str(ALL)}
        return str(value.id)
    if kind in (ROLE, MENTIONABLE) and isinstance(value, Role):
        resolved.setdefault("roles", {})[str(value.id)] = value.payload()
        return str(value.id)
    if kind == STRING and isinstance(value, int):
        value = str(value)
    wanted: Any = {STRING: str, INTEGER: int, BOOLEAN: bool, NUMBER: (int, float)}.get(kind)
    if wanted is None or not isinstance(value, wanted) or (kind != BOOLEAN and isinstance(value, bool)):
        raise Impossible(f"{value!r} does not go into {name}")
    if spec.get("choices") and value not in [choice["value"] for choice in spec["choices"]]:
        raise Impossible(f"{value!r} is not one of the choices of {name}")
    size, what = (len(value), "length") if kind == STRING else (value, "value")
    low, high = spec.get(f"min_{what}"), spec.get(f"max_{what}")
    if kind != BOOLEAN and ((low is not None and size < low) or (high is not None and size > high)):
        raise Impossible(f"{name} goes from {low} to {high}, not {value!r}")
    return value


def _found(buttons: list[Json], wanted: str) -> Json | None:
    by_id = [button for button in buttons if button.get("custom_id") == wanted]
    by_label = [button for button in buttons if button.get("label") == wanted]
    return next(iter(by_id + by_label), None)


def _button_in(parts: Iterable[Json], wanted: str) -> Json | None:
    """Return an enabled button."""
    return _found([part for part in parts if part["type"] == BUTTON and not part.get("disabled")], wanted)


def _once(
    versions: list[Json], find: Callable[[Iterable[Json], str], Json | None], wanted: str
) -> tuple[Json | None, Json | None]:
    """Return the latest version of a part that is gone, and the message of that time."""
    for version in versions:
        if (part := find(walk(version["components"]), wanted)) is not None:
            return part, version
    return None, None


def _select_in(parts: Iterable[Json], wanted: str) -> Json | None:
    selects = (part for part in parts if part["type"] in SELECTS)
    return next((field for field in selects if wanted in (field["custom_id"], field.get("placeholder"))), None)


def _chosen(field: Json, values: tuple[Any, ...]) -> tuple[list[str], Json]:
    resolved: Json = {}
    if not field.get("min_values", 1) <= len(values) <= field.get("max_values", 1):
        raise Impossible(
            f"{field['custom_id']} takes {field.get('min_values', 1)} to {field.get('max_values', 1)} values"
        )
    if field["type"] != 3:
        kind = {5: USER, 6: ROLE, 7: MENTIONABLE, 8: CHANNEL}[field["type"]]
        return [_value({"type": kind, "name": field["custom_id"]}, value, resolved) for value in values], resolved
    by_name = {o["label"]: o["value"] for o in field["options"]} | {o["value"]: o["value"] for o in field["options"]}
    if strange := [value for value in values if value not in by_name]:
        raise Impossible(f"{strange} not among {sorted(by_name)}")
    return [by_name[value] for value in values], resolved


def _submitted(part: Json, filled: Mapping[str, Any]) -> Json | None:
    """Return a row or label of a form with its input; texts between the fields are not sent."""
    said = {"type": part["type"], "id": part.get("id", 1)}
    if "component" in part:
        return said | {"component": _entered(part["component"], filled)}
    if "components" in part:
        return said | {"components": [_entered(inner, filled) for inner in part["components"]]}
    return None


def _entered(field: Json, filled: Mapping[str, Any]) -> Json:
    name, is_needed = field["custom_id"], field.get("required", True)
    said = {"type": field["type"], "id": field.get("id", 1), "custom_id": name}
    if field["type"] in SELECTS:
        values = filled.get(name, [o["value"] for o in field.get("options") or [] if o.get("default")])
        chosen = (values,) if isinstance(values, str | Member) else tuple(values)
        return said | {"values": _chosen(field, chosen)[0] if chosen or is_needed else []}
    if field["type"] != TEXT_INPUT:
        raise Impossible(f"{name} is not a text or a select")
    text = str(filled.get(name, field.get("value") or ""))
    if is_needed and not text:
        raise Impossible(f"{name} must be filled")
    low, high = field.get("min_length") or 0, field.get("max_length") or 4000
    if text and not low <= len(text) <= high:
        raise Impossible(f"{name} takes {low} to {high} characters, not {text!r}")
    return said | {"value": text}
