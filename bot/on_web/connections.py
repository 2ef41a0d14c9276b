"""How many may be connected, and how long each may take: who is slow keeps nobody else out.

Who sends no whole head for IDLE_S is cut (aiohttp's keep-alive clock runs from the first moment on). A request is read,
answered and taken within PATIENCE_S. When MOST_CONNECTED are here, the one that has been here longest without asking
for anything makes room. A page that is followed is the exception: it has a heartbeat instead.
"""

import asyncio
import resource
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import cast

from aiohttp import web

IDLE_S = 30.0
PATIENCE_S = 30.0
# Whose request was answered before it had come whole is listened to a moment longer, so that he reads the answer.
_LINGER_S = 2.0
MOST_CONNECTED = 4000
# What waits to be taken in while the loop is busy with others.
BACKLOG = 1024
_MOST_FILES = 65_536


@dataclass
class Connections:
    """`busy` are those that a request is being answered on."""

    most: int = MOST_CONNECTED
    patience_s: float = PATIENCE_S
    busy: set[web.RequestHandler] = field(default_factory=set)

    def admit(self, server: web.Server) -> asyncio.Protocol:
        """Who speaks with a client that has just come."""
        here = [one for one in server.connections if one.transport is not None]
        if len(here) >= self.most:
            idle = next((one for one in here if one not in self.busy), None)
            if idle is None:
                return _TurnedAway()
            idle.force_close()
        return server()


class _TurnedAway(asyncio.Protocol):
    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        cast(asyncio.Transport, transport).abort()


CONNECTIONS_KEY = web.AppKey("connections", Connections)


@web.middleware
async def keep_pace(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """The outermost of all: from the head's end to the answer's last byte."""
    connections, response = request.app[CONNECTIONS_KEY], None
    connections.busy.add(request.protocol)
    try:
        if request.path.endswith("/live"):
            return await handler(request)
        async with asyncio.timeout(connections.patience_s):
            response = await handler(request)
            if not isinstance(response, web.FileResponse):  # which is sent by its preparation, and needs no memory
                with suppress(ConnectionError):
                    await response.prepare(request)
                    await response.write_eof()
            return response
    except TimeoutError:
        if response is not None and request.transport is not None:
            request.transport.abort()
        late = web.Response(status=408) if response is None else response
        late.force_close()
        return late
    finally:
        connections.busy.discard(request.protocol)


def make_runner(app: web.Application, idle_s: float = IDLE_S) -> web.AppRunner:
    return web.AppRunner(
        app,
        access_log=None,
        handle_signals=False,
        keepalive_timeout=idle_s,
        lingering_time=_LINGER_S,
        shutdown_timeout=1.0,
    )


async def listen(runner: web.AppRunner, connections: Connections, host: str, port: int) -> asyncio.Server:
    """Raises OSError where it cannot."""
    files = _open_files()
    connections.most = min(connections.most, files // 2)
    server = runner.server
    assert server is not None
    loop = asyncio.get_running_loop()
    return await loop.create_server(lambda: connections.admit(server), host, port, backlog=BACKLOG)


def _open_files() -> int:
    """How many files and sockets the process may hold, after it was given what the system lets it have."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard == resource.RLIM_INFINITY else min(hard, _MOST_FILES)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            soft = wanted
    return _MOST_FILES if soft == resource.RLIM_INFINITY else soft
