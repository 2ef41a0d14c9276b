"""Effects and answers of the routes: one function each, in the order of the API's pages."""

from __future__ import annotations

import base64
import re
import secrets
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from tests.servers.discord import refusal
from tests.servers.discord.checks import ENTRY_POINT, V2, Json, command_complaints, message_complaints, modal_complaints
from tests.servers.discord.log import Call, Delivery
from tests.servers.discord.members import AUTOCOMPLETE, COMMAND, COMPONENT, SUBMIT, Interaction, Modal
from tests.servers.discord.things import (
    CATEGORY,
    EPHEMERAL,
    LOADING,
    PUBLIC_THREAD,
    TEXT,
    WORDLESS,
    Attachment,
    Channel,
    Guild,
    Invite,
    Message,
    Overwrite,
    bits,
    settled,
)

if TYPE_CHECKING:
    from tests.servers.discord.server import DiscordServer

Answer = tuple[int, Any]
HOUR_S = 3600
NONCE_LIFE_S = 300
SENDABLE_FLAGS = 1 << 2 | 1 << 12 | V2
NOTHING: Answer = (204, None)
LOCALIZATIONS = {"name_localizations", "description_localizations"}


def gateway(server: DiscordServer, call: Call) -> Answer:
    return 200, {"url": server.gateway_url}


def gateway_bot(server: DiscordServer, call: Call) -> Answer:
    limit = {"total": 1000, "remaining": 999, "reset_after": 14400000, "max_concurrency": 1}
    return 200, {"url": server.gateway_url, "shards": server.shards, "session_start_limit": limit}


def me(server: DiscordServer, call: Call) -> Answer:
    own = {"verified": True, "mfa_enabled": True, "locale": "en-US", "email": None}
    return 200, server.bot.payload() | own


def my_guilds(server: DiscordServer, call: Call) -> Answer:
    mine = [guild for guild in server.guilds.values() if guild.has_bot]
    return 200, [
        {
            "id": str(guild.id),
            "name": guild.name,
            "icon": None,
            "banner": None,
            "owner": False,
            "permissions": str(guild.permissions_of(server.bot)),
            "features": [],
        }
        for guild in mine
    ]


def leave_guild(server: DiscordServer, call: Call) -> Answer:
    _guild(server, call).remove_bot()
    return NOTHING


def user(server: DiscordServer, call: Call) -> Answer:
    found = server.users.get(int(call.ids["user_id"]))
    if found is None:
        raise refusal.unknown("User")
    return 200, found.payload()


def open_direct(server: DiscordServer, call: Call) -> Answer:
    found = server.users.get(int(call.json["recipient_id"]))
    if found is None:
        raise refusal.unknown("User")
    return 200, server.direct_channel(found).payload()


def application(server: DiscordServer, call: Call) -> Answer:
    owner = next((user for user in server.users.values() if not user.bot), server.bot)
    return 200, {
        "id": str(server.application_id),
        "name": server.bot.name,
        "icon": None,
        "description": "",
        "type": None,
        "verify_key": "0" * 64,
        "flags": 0,
        "flags_new": "0",
        "bot_public": True,
        "bot_require_code_grant": False,
        "bot": server.bot.payload(),
        "summary": "",
        "redirect_uris": [],
        "interactions_endpoint_url": None,
        "role_connections_verification_url": None,
        "owner": owner.payload(),
        "approximate_guild_count": len(server.guilds),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": None,
        "eligible_oauth2_scopes": [],
    }


def list_commands(server: DiscordServer, call: Call) -> Answer:
    """List the application's commands; localised names only on request."""
    hidden = set() if call.query.get("with_localizations") == "true" else LOCALIZATIONS
    found = _own_commands(server, call)
    return 200, [{key: value for key, value in command.items() if key not in hidden} for command in found]


def put_commands(server: DiscordServer, call: Call) -> Answer:
    if wrong := command_complaints(call.json):
        raise refusal.invalid_form(wrong)
    kept = _own_commands(server, call)
    sent = {command.get("id") for command in call.json} | {command["name"] for command in call.json}
    if any(command["type"] == ENTRY_POINT and not {command["id"], command["name"]} & sent for command in kept):
        raise refusal.entry_point_left_out()
    ids = {(command["type"], command["name"]): command["id"] for command in kept}
    kept[:] = [_registered(server, call, command, ids) for command in call.json]
    return 200, kept


def _own_commands(server: DiscordServer, call: Call) -> list[Json]:
    return _guild(server, call).commands if "guild_id" in call.ids else server.commands


def _registered(server: DiscordServer, call: Call, command: Json, ids: dict[tuple[int, str], str]) -> Json:
    kind = command.get("type") or 1
    permissions = command.get("default_member_permissions")
    given = {key: value for key, value in command.items() if value is not None}
    made = {
        "id": ids.get((kind, command["name"])) or str(server.new_id()),
        "application_id": str(server.application_id),
        "version": str(server.new_id()),
        "type": kind,
        "description": "",
        "dm_permission": True,
        "default_member_permissions": None if permissions is None else str(permissions),
    }
    of_guild = {"guild_id": call.ids["guild_id"]} if "guild_id" in call.ids else {}
    return (
        given | {key: value for key, value in made.items() if key not in given or key.startswith("default")} | of_guild
    )


def list_emojis(server: DiscordServer, call: Call) -> Answer:
    return 200, {"items": server.emojis}


def create_emoji(server: DiscordServer, call: Call) -> Answer:
    name, image = call.json["name"], call.json["image"]
    found = re.fullmatch(r"data:image/(png|jpeg|gif|webp|avif);base64,(.+)", image)
    if not re.fullmatch(r"\w{2,32}", name) or found is None:
        raise refusal.invalid_form([f"name: {name!r} is no name for an emoji, or its image is no data URI"])
    if len(base64.b64decode(found[2])) > 256 << 10:
        raise refusal.Refusal(400, 50045, "File cannot be larger than 256.0 kb.")
    if len(server.emojis) >= 2000:
        raise refusal.Refusal(400, 30008, "Maximum number of emojis reached (2000)")
    made = {"id": str(server.new_id()), "name": name, "roles": [], "user": server.bot.payload()}
    made |= {"require_colons": True, "managed": False, "animated": found[1] == "gif", "available": True}
    server.emojis.append(made)
    return 201, made


def delete_emoji(server: DiscordServer, call: Call) -> Answer:
    found = [emoji for emoji in server.emojis if emoji["id"] == call.ids["emoji_id"]]
    if not found:
        raise refusal.unknown("Emoji")
    server.emojis.remove(found[0])
    return NOTHING


def _guild(server: DiscordServer, call: Call) -> Guild:
    found = server.guilds.get(int(call.ids["guild_id"]))
    if found is None or not found.has_bot:
        raise refusal.unknown("Guild")
    return found


def guild(server: DiscordServer, call: Call) -> Answer:
    return 200, _guild(server, call).payload()


def guild_channels(server: DiscordServer, call: Call) -> Answer:
    return 200, [channel.payload() for channel in _guild(server, call).channels if not channel.is_thread]


def guild_roles(server: DiscordServer, call: Call) -> Answer:
    return 200, [role.payload() for role in _guild(server, call).roles.values()]


def guild_member(server: DiscordServer, call: Call) -> Answer:
    found = _guild(server, call).members.get(int(call.ids["user_id"]))
    if found is None:
        raise refusal.unknown("Member")
    return 200, found.payload()


def active_threads(server: DiscordServer, call: Call) -> Answer:
    threads = [channel for channel in _guild(server, call).channels if channel.is_thread and not channel.is_archived]
    return 200, {"threads": [thread.payload() for thread in threads], "members": []}


def create_channel(server: DiscordServer, call: Call) -> Answer:
    where, asked = _guild(server, call), call.json
    own = where.permissions_of(server.bot)
    if not own & bits("manage_channels"):
        raise refusal.missing_permissions()
    parent = _parent(server, asked)
    overwrites = _overwrites(asked.get("permission_overwrites"), own, {})
    if parent is not None and overwrites is None:
        overwrites = {o.id: Overwrite(o.id, o.type, o.allow, o.deny) for o in parent.overwrites.values()}
    kind = asked.get("type") or TEXT
    made = Channel(server, server.new_id(), _channel_name(asked["name"], kind), kind, where, parent)
    made.overwrites, made.topic = overwrites or {}, asked.get("topic")
    return 201, where.open(made).payload()


def _channel_name(name: str, kind: int) -> str:
    return name if kind == CATEGORY else re.sub(r"\s+", "-", name.strip().lower())


def _parent(server: DiscordServer, asked: Json) -> Channel | None:
    if asked.get("parent_id") is None:
        return None
    parent = server.channels.get(int(asked["parent_id"]))
    if parent is None or parent.is_deleted or parent.type != CATEGORY:
        raise refusal.invalid_form(["parent_id: Category does not exist"])
    return parent


def _overwrites(asked: list[Json] | None, own: int, old: dict[int, Overwrite]) -> dict[int, Overwrite] | None:
    """Return permission overwrites. A caller can only allow or deny rights that they have; existing ones may stay."""
    if asked is None:
        return None
    made = [
        Overwrite(int(o["id"]), o.get("type") or 0, int(o.get("allow") or 0), int(o.get("deny") or 0)) for o in asked
    ]
    for overwrite in made:
        before = old.get(overwrite.id, Overwrite(overwrite.id, overwrite.type))
        _may_overwrite((overwrite.allow ^ before.allow) | (overwrite.deny ^ before.deny), own)
    return {overwrite.id: overwrite for overwrite in made}


def _may_overwrite(touched: int, own: int) -> None:
    is_administrator = own & bits("administrator")
    if touched & ~own or (touched & bits("manage_roles") and not is_administrator):
        raise refusal.missing_permissions()


def _channel(server: DiscordServer, call: Call, needed: str = "") -> Channel:
    """Return the channel of the call, if the bot sees it and has the rights."""
    found = server.channels.get(int(call.ids["channel_id"]))
    if found is None or found.is_deleted:
        raise refusal.unknown("Channel")
    own = server.permissions_in(found)
    if not own & bits("view_channel"):
        raise refusal.missing_access()
    if bits(needed) & ~own:
        raise refusal.missing_permissions()
    return found


def channel(server: DiscordServer, call: Call) -> Answer:
    return 200, _channel(server, call).payload()


def edit_channel(server: DiscordServer, call: Call) -> Answer:
    found, asked = _channel(server, call), call.json
    own = server.permissions_in(found)
    if not own & bits("manage_threads" if found.is_thread else "manage_channels"):
        raise refusal.missing_permissions()
    if "permission_overwrites" in asked:
        if not own & bits("manage_roles"):
            raise refusal.missing_permissions()
        found.overwrites = _overwrites(asked["permission_overwrites"], own, found.overwrites) or {}
    found.name = _channel_name(asked["name"], found.type) if asked.get("name") else found.name
    found.topic = asked.get("topic", found.topic)
    found.is_archived = asked.get("archived", found.is_archived)
    found.is_locked = asked.get("locked", found.is_locked)
    if "parent_id" in asked:
        found.parent = _parent(server, asked)
    found.changed()
    return 200, found.payload()


def create_invite(server: DiscordServer, call: Call) -> Answer:
    """Create an invite to a channel; a thread has none."""
    found = _channel(server, call)
    if found.guild is None or found.is_thread:
        raise refusal.unknown("Channel")
    if not server.permissions_in(found) & bits("create_instant_invite"):
        raise refusal.missing_permissions()
    code, uses, age_s = secrets.token_urlsafe(6), call.json.get("max_uses", 0), call.json.get("max_age", 86400)
    found.guild.invites[code] = Invite(uses, server.now_s() + age_s)
    return 200, {"code": code, "type": 0, "channel": {"id": str(found.id), "type": found.type, "name": found.name}}


def delete_channel(server: DiscordServer, call: Call) -> Answer:
    found = _channel(server, call)
    if not server.permissions_in(found) & bits("manage_threads" if found.is_thread else "manage_channels"):
        raise refusal.missing_permissions()
    said = found.payload()
    found.delete()
    return 200, said


def put_overwrite(server: DiscordServer, call: Call) -> Answer:
    found = _channel(server, call, "manage_roles")
    asked = call.json | {"id": call.ids["overwrite_id"]}
    found.overwrites |= _overwrites([asked], server.permissions_in(found), found.overwrites) or {}
    found.changed()
    return NOTHING


def delete_overwrite(server: DiscordServer, call: Call) -> Answer:
    found = _channel(server, call, "manage_roles")
    found.overwrites.pop(int(call.ids["overwrite_id"]), None)
    found.changed()
    return NOTHING


def typing(server: DiscordServer, call: Call) -> Answer:
    _channel(server, call, "send_messages")
    return NOTHING


def create_thread(server: DiscordServer, call: Call) -> Answer:
    kind = call.json.get("type") or PUBLIC_THREAD
    needed = "create_public_threads" if kind == PUBLIC_THREAD else "create_private_threads"
    found = _channel(server, call, needed)
    if found.is_thread:
        raise refusal.Refusal(400, 50024, "Cannot execute action on this channel type")
    if "message_id" not in call.ids:
        return 201, found.thread(call.json["name"], type=kind).payload()
    # A thread of a message has that message's id.
    start = _message(server, call)
    if start.id in server.channels:
        raise refusal.Refusal(400, 160004, "A thread has already been created for this message")
    return 201, found.thread(call.json["name"], id=start.id).payload()


def join_thread(server: DiscordServer, call: Call) -> Answer:
    _channel(server, call)
    return NOTHING


def _message(server: DiscordServer, call: Call) -> Message:
    """Return the message; ephemeral ones do not exist for the channel's routes."""
    found = _channel(server, call)
    wanted = int(call.ids["message_id"])
    message = next((message for message in found.messages if message.id == wanted), None)
    if message is None:
        raise refusal.unknown("Message")
    return message


def list_messages(server: DiscordServer, call: Call) -> Answer:
    found = _channel(server, call)
    if not server.permissions_in(found) & bits("read_message_history"):
        return 200, []
    before, after = int(call.query.get("before", 1 << 63)), int(call.query.get("after", 0))
    chosen = [message for message in found.messages if after < message.id < before]
    limit = int(call.query.get("limit", 50))
    chosen = chosen[:limit] if "after" in call.query else chosen[-limit:]
    return 200, [message.payload() for message in reversed(chosen)]


def message(server: DiscordServer, call: Call) -> Answer:
    found = _message(server, call)
    if not server.permissions_in(found.channel) & bits("read_message_history"):
        raise refusal.missing_access()
    return 200, found.payload()


def create_message(server: DiscordServer, call: Call) -> Answer:
    found = _channel(server, call)
    _may_send(server, found, call)
    if (known := _same_nonce(server, found, call.json)) is not None:
        return 200, known.payload()
    _refers(found, call.json.get("message_reference"))
    made = Message(server.new_id(), found, server.bot, server.now_s())
    made.nonce, made.reference = call.json.get("nonce"), call.json.get("message_reference")
    _write(server, made, call.json, call.files)
    if found.is_archived:
        found.archive(False)
    return 200, server.post(made).payload()


def _may_send(server: DiscordServer, channel: Channel, call: Call) -> None:
    if channel.recipient is not None and channel.guild is None and not channel.recipient.accepts_direct_messages:
        raise refusal.no_direct_messages()
    if channel.type in WORDLESS:
        raise refusal.wordless_channel()
    needed = "send_messages_in_threads" if channel.is_thread else "send_messages"
    needed += " attach_files" if call.files else ""
    if bits(needed) & ~server.permissions_in(channel):
        raise refusal.missing_permissions()
    if channel.is_locked and not server.permissions_in(channel) & bits("manage_threads"):
        raise refusal.archived()


def _same_nonce(server: DiscordServer, channel: Channel, asked: Json) -> Message | None:
    if not asked.get("enforce_nonce") or asked.get("nonce") is None:
        return None
    since_s = server.now_s() - NONCE_LIFE_S
    known = (m for m in channel.history if m.nonce == asked["nonce"] and m.at_s >= since_s and m.author is server.bot)
    return next(known, None)


def _refers(channel: Channel, reference: Json | None) -> None:
    if reference is None or reference.get("fail_if_not_exists") is False:
        return
    if not any(str(message.id) == str(reference["message_id"]) for message in channel.messages):
        raise refusal.invalid_form(["message_reference: Unknown message"])


def edit_message(server: DiscordServer, call: Call) -> Answer:
    found = _message(server, call)
    if found.author is not server.bot:
        raise refusal.not_its_author()
    if found.channel.is_archived:
        raise refusal.archived()
    if found.channel.type in WORDLESS:
        raise refusal.wordless_channel()
    if call.files and not server.permissions_in(found.channel) & bits("attach_files"):
        raise refusal.missing_permissions()
    if server.now_s() - found.at_s > HOUR_S and (refused := server.old_edit_refused(call)) is not None:
        return 429, refused
    _write(server, found, call.json, call.files)
    _edited(server, found)
    return 200, found.payload()


def _edited(server: DiscordServer, message: Message) -> None:
    message.edited_s = server.now_s()
    message.edits += 1
    server.see(message, "edit")
    if not message.is_ephemeral:
        channel = message.channel
        said = message.payload() | channel.of_guild()
        server.gateway.publish("MESSAGE_UPDATE", said, channel.guild, channel.message_intent)


def delete_message(server: DiscordServer, call: Call) -> Answer:
    found = _message(server, call)
    if found.author is not server.bot and not server.permissions_in(found.channel) & bits("manage_messages"):
        raise refusal.missing_permissions()
    found.delete()
    return NOTHING


def react(server: DiscordServer, call: Call) -> Answer:
    """Add the bot's own reaction; anyone may add to an existing one."""
    found = _message(server, call)
    allowed = server.permissions_in(found.channel)
    if not allowed & bits("read_message_history"):
        raise refusal.missing_permissions()
    emoji = unquote(call.ids["emoji"])
    if call.method == "DELETE":
        found.reactions.discard(emoji)
    elif not found.reactions and not allowed & bits("add_reactions"):
        raise refusal.missing_permissions()
    else:
        found.reactions.add(emoji)
    return NOTHING


def pin(server: DiscordServer, call: Call) -> Answer:
    found = _message(server, call)
    if not server.permissions_in(found.channel) & (bits("manage_messages") | 1 << 51):
        raise refusal.missing_permissions()
    found.pinned = call.method == "PUT"
    return NOTHING


def _write(server: DiscordServer, message: Message, asked: Json, files: dict[str, bytes], flags: int = 0) -> None:
    """Apply an edit to a message, if the result is valid."""
    kept = _kept(message, asked)
    new = _uploads(server, message, asked, files)
    attachments = kept + new
    merged: Json = {
        "content": asked.get("content", message.content) or "",
        "embeds": asked.get("embeds", message.embeds) or [],
        "components": asked.get("components", message.components) or [],
        "flags": message.flags | ((asked.get("flags") or 0) & SENDABLE_FLAGS) | flags,
    }
    wrong = message_complaints(merged, {attachment.filename for attachment in attachments})
    if len(attachments) > 10 or any(len(attachment.content) > 10 << 20 for attachment in attachments):
        wrong.append("attachments: More than ten files, or one of more than 10 MiB")
    if wrong:
        raise refusal.invalid_form(wrong)
    if not (merged["content"] or merged["embeds"] or merged["components"] or attachments):
        raise refusal.empty_message()
    if not server.permissions_in(message.channel) & bits("embed_links") and message.interaction is None:
        merged["embeds"] = []
    for attachment in new:
        server.blobs[f"/cdn/{attachment.id}/{attachment.filename}"] = attachment.content
    message.content, message.embeds, message.attachments = merged["content"], merged["embeds"], attachments
    message.components = settled(merged["components"], attachments)
    message.flags = merged["flags"] & ~LOADING
    # Each call states who may be mentioned; without a statement, everyone.
    message.allowed_mentions = asked.get("allowed_mentions")


def _kept(message: Message, asked: Json) -> list[Attachment]:
    """Return the attachments that an edit keeps: those it lists, or all if it lists none."""
    if asked.get("attachments") is None:
        return message.attachments
    listed = {str(item["id"]) for item in asked["attachments"]}
    return [attachment for attachment in message.attachments if str(attachment.id) in listed]


def _uploads(server: DiscordServer, message: Message, asked: Json, files: dict[str, bytes]) -> list[Attachment]:
    made = []
    known = {str(attachment.id) for attachment in message.attachments}
    for item in asked.get("attachments") or []:
        field = f"files[{item['id']}]"
        if str(item["id"]) in known:
            continue
        if field not in files:
            raise refusal.invalid_form([f"attachments: {field} was not sent"])
        number, name = server.new_id(), item.get("filename") or "unknown"
        url = f"http://{server.origin}/cdn/{number}/{name}"
        made.append(Attachment(number, name, files[field], url, item.get("description")))
    return made


ANSWERS = {COMMAND: {4, 5, 9, 12}, COMPONENT: {4, 5, 6, 7, 9, 12}, AUTOCOMPLETE: {8}, SUBMIT: {4, 5, 6, 7}}
VALUES: dict[int, type | tuple[type, ...]] = {3: str, 4: int, 10: (int, float)}


def call_back(server: DiscordServer, call: Call) -> Answer:
    found = server.interactions.get(int(call.ids["interaction_id"]))
    if found is None or found.token != call.ids["interaction_token"] or found.failure is not None:
        raise refusal.unknown("interaction")
    if found.answer is not None:
        raise refusal.already_answered()
    kind, data = call.json["type"], call.json.get("data") or {}
    may = ANSWERS[found.type] - ({6, 7} if found.source is None else set())
    if kind not in may:
        raise refusal.invalid_form([f"type: {kind} is no answer to an interaction of type {found.type}"])
    CALLBACKS[kind](server, found, data, call.files)
    found.answer, found.answered_after_s = kind, server.now_s() - found.at_s
    if kind != 5:
        found.shown.set()
    return (200, _callback_answer(found)) if call.query.get("with_response") in ("1", "true") else NOTHING


def _reply(server: DiscordServer, found: Interaction, data: Json, files: dict[str, bytes], loading: int = 0) -> Message:
    flags = (data.get("flags") or 0) & EPHEMERAL | loading
    reader = found.member if flags & EPHEMERAL else None
    made = Message(server.new_id(), found.channel, server.bot, server.now_s(), reader=reader, interaction=found)
    if loading:
        made.flags = flags
    else:
        _write(server, made, data, files, flags)
    return made


def _answers(server: DiscordServer, found: Interaction, data: Json, files: dict[str, bytes]) -> None:
    found.message = _reply(server, found, data, files)
    found.told.append(found.message.text)
    server.post(found.message)


def _thinks(server: DiscordServer, found: Interaction, data: Json, files: dict[str, bytes]) -> None:
    found.message = _reply(server, found, data, files, LOADING)
    server.post(found.message)


def _waits(server: DiscordServer, found: Interaction, data: Json, files: dict[str, bytes]) -> None:
    found.message = found.source


def _updates(server: DiscordServer, found: Interaction, data: Json, files: dict[str, bytes]) -> None:
    assert found.source is not None
    if found.source.is_deleted:
        raise refusal.unknown("Message")
    found.message = found.source
    _write(server, found.source, data, files)
    found.told.append(found.source.text)
    _edited(server, found.source)


def _offers(server: DiscordServer, found: Interaction, data: Json, files: dict[str, bytes]) -> None:
    choices, kind = data.get("choices") or [], _focused(found.data["options"])["type"]
    if wrong := [choice for choice in choices if not isinstance(choice["value"], VALUES[kind])]:
        raise refusal.invalid_form([f"data.choices: {wrong[0]} is no value for an option of type {kind}"])
    found.choices = choices
    _show_alone(server, found, "choices", choices)


def _focused(options: list[Json]) -> Json:
    for option in options:
        if option.get("focused"):
            return option
        if option.get("options"):
            return _focused(option["options"])
    raise LookupError("no option is focused")


def _asks(server: DiscordServer, found: Interaction, data: Json, files: dict[str, bytes]) -> None:
    if wrong := modal_complaints(data):
        raise refusal.invalid_form(wrong)
    found.modal = Modal(found, data["custom_id"], data["title"], settled(data["components"], []))
    _show_alone(server, found, "modal", data)


def _show_alone(server: DiscordServer, found: Interaction, kind: str, said: Any) -> None:
    server.deliveries.append(Delivery(server.now_s(), found.channel, found.member, kind, said))


def _launches(server: DiscordServer, found: Interaction, data: Json, files: dict[str, bytes]) -> None:
    if not server.has_activities:
        raise refusal.invalid_form(["type: Activities are not enabled for this application"])
    found.instance = server.launch(found.channel, found.member.user)


def exchange_code(server: DiscordServer, call: Call) -> Answer:
    """Exchange a code, which is good once, for the application it was made for."""
    form = call.json or {}
    if (form.get("client_id"), form.get("client_secret")) != (str(server.application_id), server.client_secret):
        return 401, {"error": "invalid_client"}
    user = server.codes.pop(form.get("code", ""), None)
    if user is None or form.get("grant_type") != "authorization_code":
        return 400, {"error": "invalid_grant", "error_description": 'Invalid "code" in request.'}
    token = secrets.token_urlsafe(24)
    server.user_tokens[token] = user
    about = {"token_type": "Bearer", "expires_in": 604800, "refresh_token": secrets.token_urlsafe(24)}
    return 200, {"access_token": token, "scope": "identify", **about}


def me_by_token(server: DiscordServer, token: str) -> Answer:
    user = server.user_tokens.get(token)
    if user is None:
        raise refusal.unauthorized()
    return 200, user.payload() | {"locale": "en-US", "mfa_enabled": False}


def activity_instance(server: DiscordServer, call: Call) -> Answer:
    found = server.instances.get(call.ids["instance_id"])
    if found is None:
        raise refusal.not_found()
    channel, users = found
    guild = channel.guild
    location: Json = {"id": f"gc-{channel.id}", "kind": "gc", "channel_id": str(channel.id)}
    location |= {"guild_id": str(guild.id)} if guild is not None else {"kind": "pc", "guild_id": None}
    return 200, {
        "application_id": str(server.application_id),
        "instance_id": call.ids["instance_id"],
        "launch_id": "1234567890",
        "location": location,
        "users": [str(user.id) for user in users],
    }


CALLBACKS = {12: _launches, 4: _answers, 5: _thinks, 6: _waits, 7: _updates, 8: _offers, 9: _asks}


def _callback_answer(found: Interaction) -> Json:
    about: Json = {"id": str(found.id), "type": found.type}
    if found.instance is not None:
        about["activity_instance_id"] = found.instance
        return {"interaction": about, "resource": {"type": 12, "activity_instance": {"id": found.instance}}}
    if found.message is None:
        return {"interaction": about}
    about["response_message_id"] = str(found.message.id)
    about["response_message_loading"] = found.message.is_thinking
    about["response_message_ephemeral"] = found.message.is_ephemeral
    if found.answer not in (4, 7):
        return {"interaction": about}
    return {"interaction": about, "resource": {"type": found.answer, "message": found.message.payload()}}


def _by_token(server: DiscordServer, call: Call) -> Interaction:
    token = call.ids["webhook_token"]
    found = server.interaction_of(token)
    if found is None or found.answer is None:
        raise refusal.unknown("Webhook")
    if server.now_s() - found.at_s > server.token_life_s:
        raise refusal.token_expired()
    return found


def _its_message(server: DiscordServer, call: Call) -> Message:
    found = _by_token(server, call)
    wanted = call.ids.get("message_id")
    mine = [found.message] if found.message is not None else []
    if wanted is not None:
        mine = [message for message in mine + found.follow_ups if str(message.id) == wanted]
    if not mine or mine[0].is_deleted:
        raise refusal.unknown("Message")
    return mine[0]


def follow_up(server: DiscordServer, call: Call) -> Answer:
    found = _by_token(server, call)
    first = found.message
    if first is not None and first.is_thinking and not first.is_deleted:
        # The first follow-up after "thinking" takes its place.
        _write(server, first, call.json, call.files)
        found.told.append(first.text)
        _edited(server, first)
        return 200, first.payload()
    made = _reply(server, found, call.json, call.files)
    found.follow_ups.append(made)
    found.told.append(made.text)
    return 200, server.post(made).payload()


def answer(server: DiscordServer, call: Call) -> Answer:
    return 200, _its_message(server, call).payload()


def edit_answer(server: DiscordServer, call: Call) -> Answer:
    found = _its_message(server, call)
    _write(server, found, call.json, call.files)
    _by_token(server, call).told.append(found.text)
    _edited(server, found)
    return 200, found.payload()


def delete_answer(server: DiscordServer, call: Call) -> Answer:
    found = _its_message(server, call)
    found.delete()
    _by_token(server, call).shown.set()
    return NOTHING
