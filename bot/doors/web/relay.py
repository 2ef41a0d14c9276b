"""The lounge's address of a house that does not keep what is asked for: people go on over a lane to the one that does,
and are served there as if they had come to it. Who asks how this one is, or finds no way on, is answered here.

A connection goes one way or the other by its first request.
"""

import asyncio
import logging
from collections.abc import Iterable
from contextlib import suppress
from typing import Protocol
from weakref import WeakSet

from bot.doors.web.connections import IDLE_S, MOST_CONNECTED
from bot.lanes.host import PEOPLE
from bot.lanes.people import HIGH, Accept
from bot.lanes.wire import LaneLost, NotLetIn, Wire, call

LONGEST_LINE = 8192
AGAIN_S = 0.05
# Who stays for want of a way on.
stranded: WeakSet[asyncio.Transport] = WeakSet()
_log = logging.getLogger("ridotto.web")


class Way(Protocol):
    """By the address that is asked for first: whether it surely stays here, or who else answers, None for nobody.
    `follow_s`: how long who answers is looked for again where he is not reached."""

    @property
    def follow_s(self) -> float: ...

    def stays(self, target: str) -> bool: ...

    async def find(self, target: str) -> str | None: ...


class ToKeeper:
    """Everything goes to the house that is open; `lane`, by which it is reached, may be set in any thread. `own` are
    the paths of which this house tells by itself."""

    follow_s = 0.0

    def __init__(self, own: Iterable[str]) -> None:
        self.lane: str | None = None
        self._own = frozenset(own)

    def stays(self, target: str) -> bool:
        return self.lane is None or target.partition("?")[0] in self._own

    async def find(self, target: str) -> str | None:
        return self.lane


class Relay:
    """Belongs to an event loop. `accept` makes what speaks with whoever stays here."""

    def __init__(self, secret: bytes | None, accept: Accept, way: Way) -> None:
        self.way = way
        self._secret, self._accept = secret, accept
        self._said: set[str] = set()
        self.relayed: set[asyncio.Task[None]] = set()

    def come(self) -> asyncio.Protocol:
        """Of somebody who comes."""
        return _Comer(self)

    def stay(self) -> asyncio.Protocol:
        """Of somebody who is answered here."""
        return self._accept()

    def stays(self, target: str) -> bool:
        """Whether it is answered here in any case."""
        return self._secret is None or len(self.relayed) >= MOST_CONNECTED or self.way.stays(target)

    async def call(self, target: str) -> Wire | None:
        """To the house that answers this; None: it is this one, or it cannot be reached, or does not let this one in,
        which is said once."""
        assert self._secret is not None
        until, refused = asyncio.get_running_loop().time() + self.way.follow_s, ""
        while not refused:
            lane = await self.way.find(target)
            if lane is None:
                return None
            try:
                return await call(lane, self._secret)
            except LaneLost:
                if asyncio.get_running_loop().time() >= until:
                    refused = f"the house that is open cannot be reached at {lane}: see RIDOTTO_ADDRESS there"
                await asyncio.sleep(AGAIN_S)
            except NotLetIn as fault:
                refused = str(fault)
        if refused not in self._said:
            self._said.add(refused)
            _log.warning("%s", refused)
        return None

    async def close(self) -> None:
        """Whoever is there comes again."""
        for task in [*self.relayed]:
            task.cancel()
        await asyncio.gather(*self.relayed, return_exceptions=True)


def _target_of(head: bytes) -> str:
    words = head.partition(b"\r\n")[0].split(b" ", 2)
    return words[1].decode("ascii", "replace") if len(words) > 1 else ""


class _Comer(asyncio.Protocol):
    """Until he has said what he wants; then his connection is another's, or its bytes go on."""

    def __init__(self, relay: Relay) -> None:
        self._relay = relay
        self._head = b""
        self._task: asyncio.Task[None] | None = None
        self._wire: Wire | None = None
        self._draining: asyncio.Task[None] | None = None
        self._may_write = asyncio.Event()
        self._may_write.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._clock = asyncio.get_running_loop().call_later(IDLE_S, transport.abort)

    def data_received(self, data: bytes) -> None:
        if self._wire is not None:
            self._pass_on(self._wire, data)
            return
        self._head += data
        if self._task is not None or (b"\r\n" not in self._head and len(self._head) < LONGEST_LINE):
            return
        self._clock.cancel()
        target = _target_of(self._head)
        if self._relay.stays(target):
            self._stay()
            return
        self._transport.pause_reading()
        self._task = asyncio.get_running_loop().create_task(self._go_on(target))
        self._relay.relayed.add(self._task)
        self._task.add_done_callback(self._relay.relayed.discard)

    def _stay(self) -> None:
        line = self._relay.stay()
        self._transport.set_protocol(line)
        line.connection_made(self._transport)
        line.data_received(self._head)
        self._transport.resume_reading()

    async def _go_on(self, target: str) -> None:
        wire = await self._relay.call(target)
        if self._transport.is_closing():
            if wire is not None:
                wire.close()
            return
        if wire is None:
            stranded.add(self._transport)
            self._stay()
            return
        host, port = self._transport.get_extra_info("peername")[:2]
        wire.write(PEOPLE + f"{host} {port}".encode())
        wire.write(self._head)
        self._wire = wire
        self._transport.resume_reading()
        try:
            with suppress(LaneLost):
                while data := await wire.read():
                    self._transport.write(data)
                    await self._may_write.wait()
        finally:
            wire.close()
            self._transport.close()

    def _pass_on(self, wire: Wire, data: bytes) -> None:
        wire.write(data)
        if self._draining is None and wire.writer.transport.get_write_buffer_size() > HIGH:
            self._transport.pause_reading()
            self._draining = asyncio.ensure_future(self._drain(wire))

    async def _drain(self, wire: Wire) -> None:
        with suppress(LaneLost):
            await wire.drain()
        self._draining = None
        if not self._transport.is_closing():
            self._transport.resume_reading()

    def connection_lost(self, exc: BaseException | None) -> None:
        self._clock.cancel()
        self._may_write.set()
        if self._wire is not None:
            self._wire.write(b"")
            self._wire.close()

    def pause_writing(self) -> None:
        self._may_write.clear()

    def resume_writing(self) -> None:
        self._may_write.set()
