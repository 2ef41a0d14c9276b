"""One connection between two houses. Each proves by a challenge that it has the secret, which is never sent; every
frame then carries a tag that only these two could have made, for this place in this connection and this way.

What is said can be read on the way, as between a house and its PostgreSQL without TLS: lanes belong into a network of
one's own.
"""

import asyncio
import hashlib
import hmac
import secrets
from asyncio import StreamReader, StreamWriter

# Both ends are of one version; a newer one has another.
GREETING = b"ridotto lane 2\n"
NONCE, PROOF, TAG, LENGTH = 32, 32, 16, 4
# A table of values, the longest thing that is answered, has some five megabytes.
LARGEST = 16 * 1024 * 1024
# To be let in, the connection itself among it.
PATIENCE_S = 3.0
_LET_IN, _LET_OUT = b"in\n", b"no\n"


class LaneLost(Exception):
    """The connection has ended, or what came was not written by a house."""


class NotLetIn(Exception):
    """One sentence on why the house at the other end does not speak with this one."""


class Wire:
    """Frames, in their order. `end` is 0 for who has called, 1 for who was called."""

    def __init__(self, reader: StreamReader, writer: StreamWriter, key: bytes, end: int) -> None:
        self.writer = writer
        self._reader, self._key, self._end = reader, key, end
        self._sent = self._read = 0

    async def read(self) -> bytes:
        """The next frame. Raises LaneLost."""
        try:
            length = int.from_bytes(await self._reader.readexactly(LENGTH))
            if length > LARGEST:
                raise LaneLost
            tag = await self._reader.readexactly(TAG)
            frame = await self._reader.readexactly(length)
        except (OSError, EOFError):
            raise LaneLost from None
        if not hmac.compare_digest(tag, self._tag(1 - self._end, self._read, frame)):
            raise LaneLost
        self._read += 1
        return frame

    def write(self, frame: bytes) -> None:
        """At most LARGEST bytes; nothing where the connection has ended."""
        assert len(frame) <= LARGEST
        tag = self._tag(self._end, self._sent, frame)
        self._sent += 1
        if not self.writer.is_closing():
            self.writer.write(len(frame).to_bytes(LENGTH) + tag + frame)

    async def drain(self) -> None:
        """Until the other end has taken what was written. Raises LaneLost."""
        try:
            await self.writer.drain()
        except OSError:
            raise LaneLost from None

    def close(self) -> None:
        self.writer.close()

    def _tag(self, end: int, number: int, frame: bytes) -> bytes:
        return hmac.digest(self._key, bytes([end]) + number.to_bytes(8) + frame, hashlib.sha256)[:TAG]


async def call(lane: str, secret: bytes) -> Wire:
    """To the house at `lane`, which is host:port. Raises NotLetIn, LaneLost: nobody is there, or nobody in time."""
    host, _colon, port = lane.rpartition(":")
    writer = None
    try:
        async with asyncio.timeout(PATIENCE_S):
            reader, writer = await asyncio.open_connection(host.strip("[]"), int(port))
            return await _introduce(reader, writer, secret, lane)
    except (OSError, EOFError, ValueError):
        if writer is not None:
            writer.close()
        raise LaneLost from None
    except BaseException:
        if writer is not None:
            writer.close()
        raise


async def _introduce(reader: StreamReader, writer: StreamWriter, secret: bytes, lane: str) -> Wire:
    greeting = await reader.read(len(GREETING))
    if greeting and not GREETING.startswith(greeting):
        raise NotLetIn(f"At {lane} no house of this version answers: see RIDOTTO_ADDRESS there.")
    await _rest_of(reader, GREETING, greeting)
    theirs, ours = await reader.readexactly(NONCE), secrets.token_bytes(NONCE)
    writer.write(GREETING + ours + _prove(secret, b"calls", theirs, ours))
    if await reader.readexactly(len(_LET_IN)) != _LET_IN:
        raise NotLetIn(f"The house at {lane} has another RIDOTTO_SECRET: give all houses on these books the same one.")
    if not hmac.compare_digest(await reader.readexactly(PROOF), _prove(secret, b"answers", theirs, ours)):
        raise NotLetIn(f"Who answers at {lane} has not the houses' RIDOTTO_SECRET: see who listens there.")
    return Wire(reader, writer, _prove(secret, b"frames", theirs, ours), 0)


async def let_in(reader: StreamReader, writer: StreamWriter, secret: bytes) -> Wire:
    """Who has called, once he has proved himself. Raises NotLetIn, LaneLost; who calls closes the connection then."""
    ours = secrets.token_bytes(NONCE)
    try:
        async with asyncio.timeout(PATIENCE_S):
            writer.write(GREETING + ours)
            await _rest_of(reader, GREETING, b"")
            theirs, proof = await reader.readexactly(NONCE), await reader.readexactly(PROOF)
            if not hmac.compare_digest(proof, _prove(secret, b"calls", ours, theirs)):
                writer.write(_LET_OUT)
                await writer.drain()
                raise NotLetIn("Somebody with another RIDOTTO_SECRET has called: give all houses the same one.")
            writer.write(_LET_IN + _prove(secret, b"answers", ours, theirs))
            await writer.drain()
    except (OSError, EOFError):
        raise LaneLost from None
    return Wire(reader, writer, _prove(secret, b"frames", ours, theirs), 1)


async def _rest_of(reader: StreamReader, wanted: bytes, came: bytes) -> None:
    if came + await reader.readexactly(len(wanted) - len(came)) != wanted:
        raise LaneLost


def _prove(secret: bytes, what: bytes, of_called: bytes, of_caller: bytes) -> bytes:
    return hmac.digest(secret, what + of_called + of_caller, hashlib.sha256)
