"""The HTTP API: each call is logged, made to fail if scripted, checked, carried out and answered as by Discord."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import aiohttp
from aiohttp import web

from tests import discord_description
from tests.servers.discord import doing, refusal
from tests.servers.discord.faults import Fault, too_many
from tests.servers.discord.log import Call
from tests.servers.discord.refusal import Refusal

if TYPE_CHECKING:
    from tests.servers.discord.server import DiscordServer

API = "/api/v10"
# Their token is in the address; the library sends no other.
OPEN = ("/gateway", "/interactions/", "/webhooks/", "/oauth2/token")
Answer = tuple[int, Any]


def application(server: DiscordServer) -> web.Application:
    app = web.Application(client_max_size=30 << 20)
    app.router.add_get("/gateway", server.gateway.visit)
    app.router.add_get("/cdn/{tail:.*}", _blob(server))
    app.router.add_route("*", "/{tail:.*}", _api(server))
    return app


def _blob(server: DiscordServer) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    async def blob(request: web.Request) -> web.StreamResponse:
        content = server.blobs.get(request.path)
        return web.Response(status=404) if content is None else web.Response(body=content)

    return blob


def _api(server: DiscordServer) -> Callable[[web.Request], Awaitable[web.StreamResponse]]:
    async def api(request: web.Request) -> web.StreamResponse:
        started_s = time.monotonic()
        call = await _read(server, request)
        server.calls.append(call)
        half_s = server.way_s(len(server.calls)) / 2
        try:
            await asyncio.sleep(half_s)
            answer = await _answer(server, request, call)
            await asyncio.sleep(half_s)
            return answer
        finally:
            call.took_s = time.monotonic() - started_s
            server.changed()

    return api


async def _read(server: DiscordServer, request: web.Request) -> Call:
    path = request.path.removeprefix(API)
    template, ids = _match(request.method, path)
    reason = request.headers.get("X-Audit-Log-Reason")
    call = Call(time.time(), request.method, path, template, ids, dict(request.query), reason=reason)
    if request.content_type == "multipart/form-data":
        call.json, call.files = await _multipart(await request.multipart())
    elif request.content_type == "application/x-www-form-urlencoded":
        call.json = dict(await request.post())
    elif request.can_read_body:
        call.json = await request.json()
    if "channel_id" in ids:
        call.channel_id = int(ids["channel_id"])
    elif token := ids.get("interaction_token") or ids.get("webhook_token"):
        about = server.interaction_of(token)
        call.channel_id = about.channel.id if about is not None else None
    return call


async def _multipart(reader: aiohttp.MultipartReader) -> tuple[Any, dict[str, bytes]]:
    """Return the JSON part, and the files by field: `files[0]`; names of files such as `0.png` have their own key."""
    payload: Any = None
    files: dict[str, bytes] = {}
    while isinstance(part := await reader.next(), aiohttp.BodyPartReader):
        content = bytes(await part.read())
        if part.name == "payload_json":
            payload = json.loads(content)
        else:
            files[part.name or ""] = content
            _name_upload(payload, part.name or "", part.filename)
    return payload, files


def _name_upload(payload: Any, name: str, filename: str | None) -> None:
    """Name a file that the JSON part does not list; it becomes an attachment anyway."""
    found = re.fullmatch(r"files\[(\d+)\]", name)
    if found is None or not isinstance(payload, dict):
        return
    message = payload["data"] if isinstance(payload.get("data"), dict) else payload.get("message", payload)
    listed = message.setdefault("attachments", [])
    mine = next((item for item in listed if str(item["id"]) == found[1]), None)
    if mine is None:
        listed.append(mine := {"id": found[1]})
    mine.setdefault("filename", filename)


def _match(method: str, path: str) -> tuple[str, dict[str, str]]:
    for other, template, pattern in PATTERNS:
        if other == method and (found := pattern.fullmatch(path)):
            return template, found.groupdict()
    return path, {}


async def _answer(server: DiscordServer, request: web.Request, call: Call) -> web.StreamResponse:
    faults = [fault for fault in server.faults if fault.strikes(call)]
    for fault in (fault for fault in faults if not fault.after):
        if (troubled := await _strike(fault, request, call)) is not None:
            return troubled
    headers, refused = _limited(server, call)
    if refused is not None:
        return _respond(call, 429, refused, headers)
    status, body = _done(server, request, call)
    for fault in (fault for fault in faults if fault.after):
        if (troubled := await _strike(fault, request, call)) is not None:
            return troubled
    if status == 429:
        headers = headers | {"Via": "1.1 google"}
    return _respond(call, status, body, headers)


async def _strike(fault: Fault, request: web.Request, call: Call) -> web.StreamResponse | None:
    await asyncio.sleep(fault.slow_s)
    if fault.gate is not None:
        await fault.gate.wait()
    if fault.is_cut and request.transport is not None:
        request.transport.abort()
        return web.Response()
    if fault.status is None:
        return None
    return _respond(call, fault.status, fault.body, fault.headers)


def _respond(call: Call, status: int, body: Any, headers: dict[str, str]) -> web.Response:
    call.status, call.answer = status, body
    if status == 204:
        return web.Response(status=204, headers=headers)
    if isinstance(body, str):
        return web.Response(text=body, status=status, headers=headers, content_type="text/html")
    # The library reads JSON only from exactly this content type.
    return web.Response(
        body=json.dumps(body).encode(), status=status, headers=headers | {"Content-Type": "application/json"}
    )


def _limited(server: DiscordServer, call: Call) -> tuple[dict[str, str], Any]:
    """Return headers of the route's limit, and the body of a 429 when it is used up."""
    if call.path.startswith("/interactions/"):
        return {}, None
    now_s = time.monotonic()
    if (wait_s := _global_wait(server, call, now_s)) > 0:
        body, headers = too_many(round(wait_s, 3), 0, True, True, None)
        return headers, body
    limit = next((limit for limit in server.limits if limit.route == call.route), None)
    if limit is None:
        return _window(call, 50, 49, 1.0), None
    left, ends_s = limit.take(call, now_s)
    headers = _window(call, limit.calls, max(left, 0), ends_s)
    if left >= 0:
        return headers, None
    body, more = too_many(round(ends_s, 3), 0, False, True, None)
    return headers | more, body


def _global_wait(server: DiscordServer, call: Call, now_s: float) -> float:
    """Return how long the bot must wait under the global limit, which applies to every window of a second."""
    if server.everything is None or call.path.startswith(OPEN):
        return 0.0
    calls, per_s = server.everything
    while server.taken and server.taken[0] <= now_s - per_s:
        server.taken.popleft()
    if len(server.taken) >= calls:
        return server.taken[0] + per_s - now_s
    server.taken.append(now_s)
    return 0.0


def _window(call: Call, calls: int, left: int, ends_s: float) -> dict[str, str]:
    return {
        "X-RateLimit-Limit": str(calls),
        "X-RateLimit-Remaining": str(left),
        "X-RateLimit-Reset": f"{time.time() + ends_s:.3f}",
        "X-RateLimit-Reset-After": f"{ends_s:.3f}",
        "X-RateLimit-Bucket": f"{hash(call.route) & 0xFFFFFFFF:08x}",
    }


def _done(server: DiscordServer, request: web.Request, call: Call) -> Answer:
    try:
        said = request.headers.get("Authorization", "")
        if call.route == "GET /users/@me" and said.startswith("Bearer "):
            return doing.me_by_token(server, said.removeprefix("Bearer "))
        if not call.path.startswith(OPEN) and said != f"Bot {server.token}":
            raise refusal.unauthorized()
        todo = ROUTES.get((call.method, call.template))
        if todo is None or not request.path.startswith(API):
            server.unhandled.append(f"{call.method} {request.path}")
            raise refusal.not_found()
        if len(server.calls) % server.checks_one_in == 0 and (
            wrong := discord_description.request_complaints(call.method, call.template, call.json)
        ):
            raise refusal.invalid_form(wrong)
        return todo(server, call)
    except Refusal as refused:
        server.complaints += [f"{call.route}: {complaint}" for complaint in refused.complaints]
        return refused.status, refused.payload()
    except Exception as error:
        # A bug of this server must not look like a failure of Discord.
        server.errors.append(f"{call.route}: {error!r}")
        return 418, {"message": f"{error!r}", "code": 0}


Todo = Callable[["DiscordServer", "Call"], Answer]
ORIGINAL = "/webhooks/{webhook_id}/{webhook_token}/messages/@original"
FOLLOW_UP = "/webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"
MESSAGE = "/channels/{channel_id}/messages/{message_id}"
OVERWRITE = "/channels/{channel_id}/permissions/{overwrite_id}"
PIN, OLD_PIN = "/channels/{channel_id}/messages/pins/{message_id}", "/channels/{channel_id}/pins/{message_id}"
COMMANDS, GUILD_COMMANDS = (
    "/applications/{application_id}/commands",
    "/applications/{application_id}/guilds/{guild_id}/commands",
)
EMOJIS = "/applications/{application_id}/emojis"

ROUTES: dict[tuple[str, str], Todo] = {
    ("GET", "/gateway"): doing.gateway,
    ("GET", "/gateway/bot"): doing.gateway_bot,
    ("GET", "/users/@me"): doing.me,
    ("GET", "/users/@me/guilds"): doing.my_guilds,
    ("DELETE", "/users/@me/guilds/{guild_id}"): doing.leave_guild,
    ("POST", "/users/@me/channels"): doing.open_direct,
    ("GET", "/users/{user_id}"): doing.user,
    ("GET", "/oauth2/applications/@me"): doing.application,
    ("GET", "/applications/@me"): doing.application,
    ("POST", "/oauth2/token"): doing.exchange_code,
    ("GET", "/applications/{application_id}/activity-instances/{instance_id}"): doing.activity_instance,
    ("GET", COMMANDS): doing.list_commands,
    ("PUT", COMMANDS): doing.put_commands,
    ("GET", GUILD_COMMANDS): doing.list_commands,
    ("PUT", GUILD_COMMANDS): doing.put_commands,
    ("GET", EMOJIS): doing.list_emojis,
    ("POST", EMOJIS): doing.create_emoji,
    ("DELETE", EMOJIS + "/{emoji_id}"): doing.delete_emoji,
    ("GET", "/guilds/{guild_id}"): doing.guild,
    ("GET", "/guilds/{guild_id}/channels"): doing.guild_channels,
    ("POST", "/guilds/{guild_id}/channels"): doing.create_channel,
    ("GET", "/guilds/{guild_id}/roles"): doing.guild_roles,
    ("GET", "/guilds/{guild_id}/members/{user_id}"): doing.guild_member,
    ("GET", "/guilds/{guild_id}/threads/active"): doing.active_threads,
    ("GET", "/channels/{channel_id}"): doing.channel,
    ("PATCH", "/channels/{channel_id}"): doing.edit_channel,
    ("DELETE", "/channels/{channel_id}"): doing.delete_channel,
    ("PUT", OVERWRITE): doing.put_overwrite,
    ("DELETE", OVERWRITE): doing.delete_overwrite,
    ("POST", "/channels/{channel_id}/invites"): doing.create_invite,
    ("POST", "/channels/{channel_id}/typing"): doing.typing,
    ("POST", "/channels/{channel_id}/threads"): doing.create_thread,
    ("POST", MESSAGE + "/threads"): doing.create_thread,
    ("PUT", "/channels/{channel_id}/thread-members/@me"): doing.join_thread,
    ("GET", "/channels/{channel_id}/messages"): doing.list_messages,
    ("POST", "/channels/{channel_id}/messages"): doing.create_message,
    ("GET", MESSAGE): doing.message,
    ("PATCH", MESSAGE): doing.edit_message,
    ("DELETE", MESSAGE): doing.delete_message,
    ("PUT", MESSAGE + "/reactions/{emoji}/@me"): doing.react,
    ("DELETE", MESSAGE + "/reactions/{emoji}/@me"): doing.react,
    ("PUT", PIN): doing.pin,
    ("DELETE", PIN): doing.pin,
    ("PUT", OLD_PIN): doing.pin,
    ("DELETE", OLD_PIN): doing.pin,
    ("POST", "/interactions/{interaction_id}/{interaction_token}/callback"): doing.call_back,
    ("POST", "/webhooks/{webhook_id}/{webhook_token}"): doing.follow_up,
    ("GET", ORIGINAL): doing.answer,
    ("PATCH", ORIGINAL): doing.edit_answer,
    ("DELETE", ORIGINAL): doing.delete_answer,
    ("GET", FOLLOW_UP): doing.answer,
    ("PATCH", FOLLOW_UP): doing.edit_answer,
    ("DELETE", FOLLOW_UP): doing.delete_answer,
}
# Routes with the fewest placeholders first: `messages/@original` is no message id.
PATTERNS = [
    (method, template, re.compile(re.sub(r"\{(\w+)\}", r"(?P<\1>[^/]+)", template)))
    for method, template in sorted(ROUTES, key=lambda route: route[1].count("{"))
]
