"""Limits of connections: how many, how much each client may ask for, and how long each request may take.

A connection that sends no complete head for IDLE_S is closed (aiohttp's keep-alive clock runs from the start). A
request is read, answered and delivered within PATIENCE_S. A client is served on MOST_OF_ONE connections; one more
closes the client's connection that has been idle longest. With MOST_CONNECTED connections this applies to everyone, and
when all are busy a new one is answered only for the health check. A page that is followed is an exception: it has a
heartbeat instead of a clock, takes no other's place, and there are up to MOST_FOLLOWED of them.

A client that asks for too much is put off: its refusal is delayed and takes no other's place. Refused at once it would
be back at once, which costs more than a waiting connection.

A connection from this machine may be a proxy's, so its client is known only with its first request.
"""

import asyncio
import errno
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress

from aiohttp import web

from bot.platforms.common.sentences import FAST
from bot.platforms.web.clients import LARGEST_BODY, announced_bytes, client_at, client_of
from bot.platforms.web.frames import frames_of
from bot.platforms.web.lounge import HEALTH, language_of, lounge_of
from bot.texts import say
from storage import system

IDLE_S = 30.0
PATIENCE_S = 30.0
# After an answer to an incomplete request the connection stays open for this long, so that the client can read it.
_LINGER_S = 2.0
MOST_CONNECTED = 4000
MOST_FOLLOWED = 16_000
MOST_OF_ONE = 64
# Connections reserved for the health check.
KEPT = 32
# Connections put off; a refusal comes after this delay, and clients that do not even send their announced body stay
# until IDLE_S.
MOST_PUT_OFF = 8000
PUT_OFF_S = 1.0
# Files that a page loads and the browser caches.
SMALL = 1 / 16
# Connections that wait to be accepted while the loop is busy.
BACKLOG = 1024
_MOST_FILES = 65_536
# Files that the process opens for a while: reports, files being sent, refused connections.
_OWN_FILES = 24


class Connections:
    """All connections. The limits may be set before the first one."""

    def __init__(self) -> None:
        self.most, self.most_of_one, self.most_put_off = MOST_CONNECTED, MOST_OF_ONE, MOST_PUT_OFF
        self.most_followed = MOST_FOLLOWED
        self.patience_s, self.put_off_s = PATIENCE_S, PUT_OFF_S
        # Ordered by last activity, the latest at the end.
        self._here: OrderedDict[_CountedConnection, None] = OrderedDict()
        self._kept: OrderedDict[_CountedConnection, None] = OrderedDict()
        self._put_off: dict[_CountedConnection, None] = {}
        self._followed: dict[_CountedConnection, None] = {}
        self._of_asker: dict[str, dict[_CountedConnection, None]] = {}
        self._lines: dict[object, _CountedConnection] = {}

    def share(self, room: int) -> None:
        """Divide the process's limit of `room` connections: most for followed pages, the rest for requests."""
        self.most = min(self.most, max(1, room // 4))
        self.most_put_off = min(self.most_put_off, room // 8)
        self.most_followed = min(self.most_followed, room - self.most - self.most_put_off)

    def __len__(self) -> int:
        return len(self._here) + len(self._kept) + len(self._put_off) + len(self._followed)

    def held_by(self, asker: str) -> int:
        return len(self._of_asker.get(asker, ()))

    def line_of(self, request: web.Request) -> "_CountedConnection | None":
        return self._lines.get(request.protocol)

    def admit(self, line: "_CountedConnection", peer: object) -> bool:
        """Return whether there is room for a new connection."""
        asker = client_at(peer)
        if asker is not None and not self._make_room_of(asker):
            return False
        if len(self._here) >= self.most and not _cut_idle(self._here):
            line.is_kept = True
            if len(self._kept) >= KEPT:
                next(iter(self._kept)).cut()
        (self._kept if line.is_kept else self._here)[line] = None
        self._lines[line.speaker] = line
        if asker is not None:
            line.is_known = True
            self._assign_client(line, asker)
        return True

    def claim(self, line: "_CountedConnection", asker: str) -> bool:
        """Assign a connection to the client of its first request; return False if the client has too many."""
        if line.asker == asker:
            return True
        if not self._make_room_of(asker):
            return False
        self._assign_client(line, asker)
        return True

    def _make_room_of(self, asker: str) -> bool:
        return self.held_by(asker) < self.most_of_one or _cut_idle(self._of_asker[asker])

    def _assign_client(self, line: "_CountedConnection", asker: str) -> None:
        self._release_client(line)
        line.asker = asker
        self._of_asker.setdefault(asker, {})[line] = None

    def _release_client(self, line: "_CountedConnection") -> None:
        if line.asker is not None and (others := self._of_asker.get(line.asker)) is not None:
            others.pop(line, None)
            if not others:
                del self._of_asker[line.asker]
        line.asker = None

    def begin(self, line: "_CountedConnection") -> None:
        line.is_busy = True
        if line in self._here:
            self._here.move_to_end(line)

    def follow(self, line: "_CountedConnection") -> bool:
        """Count a connection as a followed page until that ends; return False if there are too many."""
        if line in self._here and len(self._followed) < self.most_followed:
            del self._here[line]
            self._followed[line] = None
        return line in self._followed

    def end(self, line: "_CountedConnection") -> None:
        """Mark a connection's request as answered."""
        line.is_busy = False
        if line in self._followed:
            del self._followed[line]
            self._here[line] = None
        if line in self._here:
            self._here.move_to_end(line)

    def put_off(self, line: "_CountedConnection") -> bool:
        """Count a connection as put off, so that it takes no other's place; return False if there are too many."""
        if line not in self._here or len(self._put_off) >= self.most_put_off:
            return False
        del self._here[line]
        self._put_off[line] = None
        if not line.is_known:
            self._release_client(line)
        return True

    def take_back(self, line: "_CountedConnection") -> None:
        if line in self._put_off:
            del self._put_off[line]
            self._here[line] = None

    def forget(self, line: "_CountedConnection") -> None:
        """Forget a closed connection."""
        self._here.pop(line, None)
        self._put_off.pop(line, None)
        self._kept.pop(line, None)
        self._followed.pop(line, None)
        self._lines.pop(line.speaker, None)
        self._release_client(line)


def _cut_idle(lines: "OrderedDict[_CountedConnection, None] | dict[_CountedConnection, None]") -> bool:
    """Close the first connection without a request; return False if there is none."""
    idle = next((line for line in lines if not line.is_busy), None)
    if idle is not None:
        idle.cut()
    return idle is not None


class _CountedConnection(asyncio.Protocol):
    """One connection, spoken to by aiohttp's own protocol and counted from its first moment to its last."""

    def __init__(self, connections: Connections, speaker: web.RequestHandler) -> None:
        self.speaker = speaker
        self.asker: str | None = None
        self.is_busy = self.is_kept = self.is_known = self._is_in = False
        self.gone: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._connections = connections
        self._transport: asyncio.Transport | None = None

    def cut(self) -> None:
        self._connections.forget(self)
        if self._transport is not None:
            self._transport.abort()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._is_in = self._connections.admit(self, transport.get_extra_info("peername"))
        if self._is_in:
            self.speaker.connection_made(transport)
        else:
            transport.abort()

    def connection_lost(self, exc: BaseException | None) -> None:
        self._connections.forget(self)
        if not self.gone.done():
            self.gone.set_result(None)
        if self._is_in:
            self.speaker.connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self._is_in:
            self.speaker.data_received(data)

    def eof_received(self) -> None:
        if self._is_in:
            self.speaker.eof_received()

    def pause_writing(self) -> None:
        self.speaker.pause_writing()

    def resume_writing(self) -> None:
        self.speaker.resume_writing()


CONNECTIONS_KEY = web.AppKey("connections", Connections)
_Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


@web.middleware
async def keep_pace(request: web.Request, handler: _Handler) -> web.StreamResponse:
    """Enforce the limits as the outermost handler: excess is refused before its body is read, the rest is timed to the
    end.
    """
    connections = request.app[CONNECTIONS_KEY]
    line = connections.line_of(request)
    refused = _refuse(request, connections, line)
    if refused is not None:
        return await _put_off(request, refused, connections, line)
    if line is None:
        return await _answer_in_time(request, handler, connections.patience_s)
    connections.begin(line)
    try:
        if _is_followed(request) and not connections.follow(line):
            return await _put_off(request, _say_slowly(request, 429), connections, line)
        return await _answer_in_time(request, handler, connections.patience_s)
    finally:
        connections.end(line)


async def _put_off(
    request: web.Request, refused: web.Response, connections: Connections, line: _CountedConnection | None
) -> web.Response:
    if line is None or not connections.put_off(line):
        refused.force_close()
        return refused
    try:
        await asyncio.wait([line.gone], timeout=connections.put_off_s)
        if not request.content.is_eof():
            refused.force_close()
            with suppress(ConnectionError):
                await refused.prepare(request)
                await refused.write_eof()
            await asyncio.wait([line.gone], timeout=IDLE_S)
        return refused
    finally:
        connections.take_back(line)


def _is_followed(request: web.Request) -> bool:
    """Return whether the request is the websocket of an open page."""
    return request.path.endswith("/live")


async def _answer_in_time(request: web.Request, handler: _Handler, patience_s: float) -> web.StreamResponse:
    if _is_followed(request):
        return await handler(request)
    response = None
    try:
        async with asyncio.timeout(patience_s):
            response = await handler(request)
            if not isinstance(response, web.FileResponse):  # sent when it is prepared, so it needs no memory
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


def _refuse(request: web.Request, connections: Connections, line: _CountedConnection | None) -> web.Response | None:
    """Return the refusal of a client that asks for too much; None for others."""
    if request.path == HEALTH:
        return None
    asker = _client_of_line(request)
    if line is not None and (line.is_kept or not connections.claim(line, asker)):
        return _say_slowly(request, 503 if line.is_kept else 429)
    is_free = request.path in lounge_of(request).for_machines
    return None if is_free or _may(request, asker) else _say_slowly(request, 429)


def _client_of_line(request: web.Request) -> str:
    """Return the key of the limits. A person in a platform's app has their own, because all come from its proxy's
    addresses.
    """
    session = frames_of(request).of(request)
    return f"frame {session.key}" if session is not None else client_of(request)


def _may(request: web.Request, asker: str) -> bool:
    lounge = lounge_of(request)
    if request.method in ("GET", "HEAD"):
        return lounge.asked.spend(asker, SMALL if request.path.startswith(("/static/", "/cards/")) else 1.0)
    return lounge.sent.spend(asker) and lounge.sent_bytes.spend(asker, min(announced_bytes(request), LARGEST_BODY))


def _say_slowly(request: web.Request, status: int) -> web.Response:
    """Return the cheapest refusal, without a page."""
    said = say(FAST, language_of(request))
    if request.path.endswith("/press"):
        return web.json_response({"texts": [said], "refused": True}, status=status)
    return web.Response(text=f"{said}\n", status=status, headers={"Retry-After": "1"})


def make_runner(app: web.Application, idle_s: float = IDLE_S) -> web.AppRunner:
    """Return a runner whose connections close after `idle_s` without data."""
    return web.AppRunner(
        app,
        access_log=None,
        handle_signals=False,
        keepalive_timeout=idle_s,
        lingering_time=_LINGER_S,
        shutdown_timeout=1.0,
    )


async def listen(runner: web.AppRunner, connections: Connections, host: str, port: int) -> asyncio.Server:
    """Listen. Raises OSError, also for a lack of open files."""
    server = runner.server
    assert server is not None
    room = system.raise_open_limit(_MOST_FILES) - (system.count_open() or 0) - _OWN_FILES - KEPT
    if room < 1:
        raise OSError(errno.EMFILE, "")
    connections.share(room)
    loop = asyncio.get_running_loop()
    return await loop.create_server(lambda: _CountedConnection(connections, server()), host, port, backlog=BACKLOG)
