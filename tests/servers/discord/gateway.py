"""Discord's gateway: one websocket a shard, sessions that can be resumed, events in order."""

from __future__ import annotations

import asyncio
import json
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import aiohttp
from aiohttp import web

if TYPE_CHECKING:
    from tests.servers.discord.server import DiscordServer
    from tests.servers.discord.things import Guild

DISPATCH, HEARTBEAT, IDENTIFY, PRESENCE, RESUME, RECONNECT = 0, 1, 2, 3, 6, 7
INVALID_SESSION, HELLO, HEARTBEAT_ACK = 9, 10, 11
NOT_AUTHENTICATED, AUTHENTICATION_FAILED, DISALLOWED_INTENTS = 4003, 4004, 4014
GUILDS = 1
PRIVILEGED = 1 << 1 | 1 << 8 | 1 << 15

Json = dict[str, Any]


class Socket:
    """One connection, compressed as its address requests."""

    def __init__(self, request: web.Request, response: web.WebSocketResponse, compress: str) -> None:
        self.request, self.response = request, response
        self.stream = zlib.compressobj() if compress == "zlib-stream" else None
        self._queue: asyncio.Queue[bytes | str | None] = asyncio.Queue()
        self._writer = asyncio.create_task(self._write())

    def send(self, payload: Json) -> None:
        """Send in order and without waiting: two presses at one instant leave together."""
        said = json.dumps({"t": None, "s": None, "d": None} | payload)
        if self.stream is None:
            self._queue.put_nowait(said)
        else:
            self._queue.put_nowait(self.stream.compress(said.encode()) + self.stream.flush(zlib.Z_SYNC_FLUSH))

    async def close(self, code: int) -> None:
        self._queue.put_nowait(None)
        await self._writer
        await self.response.close(code=code)

    def cut(self) -> None:
        """Break the connection without a close."""
        if self.request.transport is not None:
            self.request.transport.abort()

    def stop(self) -> None:
        self._writer.cancel()

    async def _write(self) -> None:
        while (said := await self._queue.get()) is not None:
            try:
                await (self.response.send_str(said) if isinstance(said, str) else self.response.send_bytes(said))
            except ConnectionError:
                return


@dataclass(eq=False)
class Session:
    id: str
    shard: int
    shards: int
    intents: int
    socket: Socket | None = field(default=None, repr=False)
    number: int = 0
    events: list[Json] = field(default_factory=list, repr=False)

    def dispatch(self, event: str, data: Json) -> None:
        self.number += 1
        said = {"op": DISPATCH, "t": event, "s": self.number, "d": data}
        self.events.append(said)
        if self.socket is not None:
            self.socket.send(said)

    def wants(self, intent: int, guild: Guild | None) -> bool:
        shard = 0 if guild is None else (guild.id >> 22) % self.shards
        return shard == self.shard and (intent == 0 or bool(self.intents & intent))


class Gateway:
    def __init__(self, server: DiscordServer) -> None:
        self.server = server
        self.sessions: list[Session] = []
        # What clients did, for tests: ("identify", session), ("resume", session), ("refused", code).
        self.visits: list[tuple[str, Any]] = []
        self.is_shut = False
        # Shards that must wait for their READY: a bot of many connects them one after the other.
        self.held: set[int] = set()
        self.acknowledges = True
        self._sockets: set[Socket] = set()

    @property
    def connected(self) -> list[Session]:
        return [session for session in self.sessions if session.socket is not None]

    def publish(self, event: str, data: Json, guild: Guild | None, intent: int = GUILDS) -> None:
        """Send an event to every session that has this guild and its intent; a disconnected session gets it on
        resume.
        """
        if guild is not None and not guild.has_bot and event != "GUILD_DELETE":
            return
        for session in self.sessions:
            if session.wants(intent, guild):
                session.dispatch(event, data)

    async def disconnect(self, resume: bool = True, code: int | None = None) -> None:
        """Disconnect every client: politely (RECONNECT, or INVALID_SESSION), or with a close code or just 1006."""
        for session in self.connected:
            socket, session.socket = session.socket, None
            assert socket is not None
            if code is None:
                socket.send({"op": RECONNECT} if resume else {"op": INVALID_SESSION, "d": False})
            elif code == 1006:
                socket.cut()
        if not resume:
            self.sessions.clear()
        if code is not None and code != 1006:
            await asyncio.gather(*(socket.close(code) for socket in list(self._sockets)))

    async def close(self) -> None:
        self.sessions.clear()
        await asyncio.gather(*(socket.close(1001) for socket in list(self._sockets)))

    async def visit(self, request: web.Request) -> web.StreamResponse:
        """Serve the websocket from HELLO until one side closes."""
        compress = request.query.get("compress", "")
        if self.is_shut:
            return web.Response(status=503)
        if compress not in ("", "zlib-stream"):
            return web.json_response({"message": f"no {compress} here: only zlib-stream"}, status=400)
        response = web.WebSocketResponse(max_msg_size=4096)
        await response.prepare(request)
        socket = Socket(request, response, compress)
        self._sockets.add(socket)
        socket.send({"op": HELLO, "d": {"heartbeat_interval": int(self.server.heartbeat_s * 1000)}})
        try:
            await self._listen(socket)
        finally:
            self._sockets.discard(socket)
            socket.stop()
            for session in self.sessions:
                if session.socket is socket:
                    session.socket = None
            self.server.changed()
        return response

    async def _listen(self, socket: Socket) -> None:
        async for message in socket.response:
            if message.type is not aiohttp.WSMsgType.TEXT:
                continue
            said = json.loads(message.data)
            if said["op"] == HEARTBEAT and self.acknowledges:
                socket.send({"op": HEARTBEAT_ACK})
            elif said["op"] == IDENTIFY:
                await self._identify(socket, said["d"])
            elif said["op"] == RESUME:
                await self._resume(socket, said["d"])
            self.server.changed()

    async def _refuse(self, socket: Socket, code: int) -> None:
        self.visits.append(("refused", code))
        await socket.close(code)

    async def _identify(self, socket: Socket, asked: Json) -> None:
        if asked["token"] != self.server.token:
            return await self._refuse(socket, AUTHENTICATION_FAILED)
        if asked["intents"] & PRIVILEGED & ~self.server.privileged_intents:
            return await self._refuse(socket, DISALLOWED_INTENTS)
        shard, shards = asked.get("shard", (0, 1))
        while shard in self.held:
            await asyncio.sleep(0.01)
        # The client that was this shard before and hung up is not coming back: mostly a killed process.
        self.sessions = [s for s in self.sessions if s.shard != shard or s.socket is not None]
        session = Session(f"session-{self.server.new_id()}", shard, shards, asked["intents"], socket)
        self.sessions.append(session)
        self.visits.append(("identify", session))
        guilds = [g for g in self.server.guilds.values() if g.has_bot and session.wants(GUILDS, g)]
        session.dispatch("READY", self._ready(session, guilds))
        for guild in guilds:
            session.dispatch("GUILD_CREATE", guild.gateway_payload())

    def _ready(self, session: Session, guilds: list[Guild]) -> Json:
        return {
            "v": 10,
            "user": self.server.bot.payload() | {"verified": True, "mfa_enabled": True, "email": None},
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in guilds],
            "session_id": session.id,
            "resume_gateway_url": self.server.gateway_url,
            "shard": [session.shard, session.shards],
            "application": {"id": str(self.server.application_id), "flags": 0},
            "private_channels": [],
            "relationships": [],
            "session_type": "normal",
        }

    async def _resume(self, socket: Socket, asked: Json) -> None:
        if asked["token"] != self.server.token:
            return await self._refuse(socket, AUTHENTICATION_FAILED)
        session = next((s for s in self.sessions if s.id == asked["session_id"]), None)
        if session is None or asked["seq"] > session.number:
            self.visits.append(("refused", INVALID_SESSION))
            return socket.send({"op": INVALID_SESSION, "d": False})
        session.socket = socket
        self.visits.append(("resume", session))
        for missed in session.events[asked["seq"] :]:
            socket.send(missed)
        session.dispatch("RESUMED", {})
        return None
