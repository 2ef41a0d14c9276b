"""Presses and commands that Discord brings to the house's own web server, signed, instead of over the gateway.

What comes is given to the library as if the gateway had told it, so that everything after that is one way: it answers
by a call of its own, and Discord is told with 202 that it will. Where several houses share the books it may come to any
of them, and goes to the one that keeps it.
"""

import asyncio
import json
import logging
import re
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from bot.doors.discord.bot import Ridotto
from bot.doors.discord.keepers import HELD_S
from bot.doors.kit.recent import Recent
from engine.fairness import ed25519

PATH = "/discord"
SIGNATURE, TIMESTAMP = "X-Signature-Ed25519", "X-Signature-Timestamp"
PING = PONG = 1
LARGEST = 256 * 1024
# What was signed longer ago, or will be, is not taken; within it each interaction is taken once.
FRESH_S, MOST_REMEMBERED = 300.0, 10_000
HandOn = Callable[[str, int], Awaitable[bool]]
_log = logging.getLogger("ridotto.discord")


class Endpoint:
    """Of one client; `key` is the application's public one. `hand_on` leads to houses that keep other wings: whether
    one has heard it. Belongs to the event loop."""

    def __init__(self, client: Ridotto, key: bytes, hand_on: HandOn | None = None) -> None:
        self._client, self._key, self._hand_on = client, key, hand_on
        self._heard: Recent[str, bool] = Recent(MOST_REMEMBERED)

    async def take(self, request: web.Request) -> web.Response:
        """202 where it will be answered; 401 where it is not signed by Discord just now, which Discord tries out; 503
        where nobody can answer it in time."""
        body = await request.clone(client_max_size=LARGEST).read()
        if not self._is_signed(request, body):
            raise web.HTTPUnauthorized(text="")
        try:
            data = json.loads(body)
            if data["type"] == PING:
                return web.json_response({"type": PONG})
            if (id := str(data["id"])) not in self._heard:
                self._heard[id] = True
                if not await self._is_answered(data, body.decode()):
                    self._heard.pop(id, None)
                    raise web.HTTPServiceUnavailable(text="")
        except (ValueError, KeyError, TypeError, AttributeError) as fault:
            _log.warning("an interaction could not be read: %s", type(fault).__name__)
            raise web.HTTPBadRequest(text="") from None
        return web.Response(status=202)

    async def hear(self, interaction: str) -> bool:
        """What has come to another house, which has looked at its signature: whether it is answered here."""
        if not self._client.is_open:
            return False
        self._client._connection.parse_interaction_create(json.loads(interaction))
        return True

    def _is_signed(self, request: web.Request, body: bytes) -> bool:
        signature, at = request.headers.get(SIGNATURE, ""), request.headers.get(TIMESTAMP, "")
        if not re.fullmatch("[0-9a-f]{128}", signature) or not re.fullmatch("[0-9]{1,12}", at):
            return False
        is_fresh = abs(self._client.desk.pit.clock() - int(at)) <= FRESH_S
        return is_fresh and ed25519.verify(self._key, at.encode() + body, bytes.fromhex(signature))

    async def _is_answered(self, data: dict[str, Any], body: str) -> bool:
        if not self._client.is_open:
            return False
        user = data["member"]["user"] if "member" in data else data["user"]
        owners = data.get("authorizing_integration_owners", {})
        is_brought = "1" in owners and "0" not in owners
        guild = int(data["guild_id"]) if "guild_id" in data and not is_brought else None
        wing = await self._client.keepers.find_other(guild, int(user["id"]))
        if wing is None or self._hand_on is None:
            return await self.hear(body)
        try:
            async with asyncio.timeout(HELD_S):
                return await self._hand_on(body, wing)
        except TimeoutError:
            return False
