"""Presses and commands that Discord sends to the web server, signed, instead of over the gateway.

They are passed to the library as if they came over the gateway, so that everything after is the same: the answer is a
separate call, and the request is answered with 202.
"""

import json
import logging
import re

from aiohttp import web

from bot.platforms.common.recent import Recent
from bot.platforms.discord.bot import Ridotto
from engine.fairness import ed25519

PATH = "/discord"
SIGNATURE, TIMESTAMP = "X-Signature-Ed25519", "X-Signature-Timestamp"
PING = PONG = 1
LARGEST = 256 * 1024
# What was signed longer ago, or will be, is not taken; within it each interaction is taken once.
FRESH_S, MOST_REMEMBERED = 300.0, 10_000
_log = logging.getLogger("ridotto.discord")


class Endpoint:
    """The endpoint of one client; `key` is the application's public key. Belongs to the event loop."""

    def __init__(self, client: Ridotto, key: bytes) -> None:
        self._client, self._key = client, key
        self._heard: Recent[str, bool] = Recent(MOST_REMEMBERED)

    async def take(self, request: web.Request) -> web.Response:
        """Answer 202 if the request will be handled, 401 without a fresh signature of Discord (which Discord tests),
        503 if the client is not ready.
        """
        body = await request.clone(client_max_size=LARGEST).read()
        if not self._is_signed(request, body):
            raise web.HTTPUnauthorized(text="")
        try:
            data = json.loads(body)
            if data["type"] == PING:
                return web.json_response({"type": PONG})
            if (id := str(data["id"])) not in self._heard:
                if not self._client.is_open:
                    raise web.HTTPServiceUnavailable(text="")
                self._heard[id] = True
                self._client._connection.parse_interaction_create(data)
        except (ValueError, KeyError, TypeError, AttributeError) as fault:
            _log.warning("an interaction could not be read: %s", type(fault).__name__)
            raise web.HTTPBadRequest(text="") from None
        return web.Response(status=202)

    def _is_signed(self, request: web.Request, body: bytes) -> bool:
        signature, at = request.headers.get(SIGNATURE, ""), request.headers.get(TIMESTAMP, "")
        if not re.fullmatch("[0-9a-f]{128}", signature) or not re.fullmatch("[0-9]{1,12}", at):
            return False
        is_fresh = abs(self._client.context.writer.clock() - int(at)) <= FRESH_S
        return is_fresh and ed25519.verify(self._key, at.encode() + body, bytes.fromhex(signature))
