"""What a house does for the others on its books, at an address of its own: their commands are answered, and people who
came to them are taken in. Whoever cannot prove that he is one of them is let out again.
"""

import asyncio
import logging
from asyncio import StreamReader, StreamWriter
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from contextlib import suppress

import msgspec

from bot.config import Address
from bot.house.pit import Pit
from bot.house.speech.command import FAULT, Answer
from bot.house.state.house import Elsewhere
from bot.lanes.answers import Asked, read_asked, write_done, write_lack, write_told
from bot.lanes.people import Accept, serve_far
from bot.lanes.wire import LARGEST, LaneLost, NotLetIn, Wire, let_in
from storage.faults import BooksGone

COMMANDS, PEOPLE, RELEASE, WISH = b"commands", b"people ", b"release", b"wish "
# Who has not proved himself yet: others wait in the socket.
MOST_STRANGERS = 64
_log = logging.getLogger("ridotto.lanes")


class Wish(msgspec.Struct):
    """For wings that another house keeps: these, for a command that needs them; or at most so many of what it has above
    its fair share."""

    most: int = 0
    of: tuple[int, ...] = ()


class Host:
    """Belongs to an event loop. `accept` makes what speaks with a browser; None: nobody is taken in. `give` hands out
    wings; None: it keeps what it has. `end` closes this house in good order, so that others go on."""

    def __init__(self, pit: Pit, secret: bytes, end: Callable[[], None]) -> None:
        self._pit, self._secret, self._end = pit, secret, end
        self.accept: Accept | None = None
        # By door, what another house has been brought for it: whether it is done.
        self.takes: dict[str, Callable[[str], Awaitable[bool]]] = {}
        self.give: Callable[[Wish], Awaitable[frozenset[int]]] | None = None
        self._server: asyncio.Server | None = None
        self._here: set[asyncio.Task[None]] = set()
        self._strangers = 0
        self._said = False

    async def open(self, address: Address) -> str:
        """Port 0 takes any free one. Answers with the lane, as other houses are told of it. Raises OSError."""
        self._server = await asyncio.start_server(self._welcome, address.host, address.port)
        port = self._server.sockets[0].getsockname()[1]
        return f"[{address.host}]:{port}" if ":" in address.host else f"{address.host}:{port}"

    async def close(self) -> None:
        """Whoever still waits asks again, under the same key, whoever keeps the books then."""
        if self._server is not None:
            self._server.close()
        for task in [*self._here]:
            task.cancel()
        await asyncio.gather(*self._here, return_exceptions=True)

    async def _welcome(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._here.add(task)
        try:
            with suppress(LaneLost, asyncio.CancelledError):
                await self._serve(reader, writer)
        finally:
            self._here.discard(task)
            writer.close()

    async def _serve(self, reader: StreamReader, writer: StreamWriter) -> None:
        if self._strangers >= MOST_STRANGERS:
            return
        self._strangers += 1
        try:
            wire = await let_in(reader, writer, self._secret)
        except NotLetIn as refused:
            if not self._said:
                self._said = True
                _log.warning("%s", refused)
            return
        finally:
            self._strangers -= 1
        wanted = await wire.read()
        if wanted == COMMANDS:
            await self._answer_all(wire)
        elif wanted.startswith(PEOPLE) and self.accept is not None:
            host, _space, port = wanted.removeprefix(PEOPLE).decode().rpartition(" ")
            await serve_far(wire, (host, int(port)), self.accept)
        elif wanted.startswith(WISH):
            with suppress(msgspec.MsgspecError, BooksGone):
                wish = msgspec.json.decode(wanted.removeprefix(WISH), type=Wish)
                given = await self.give(wish) if self.give is not None else frozenset()
                wire.write(msgspec.json.encode(given))
                await wire.drain()
        elif wanted == RELEASE:
            _log.info("asked to hand over what this house keeps")
            wire.write(RELEASE)
            await wire.drain()
            self._end()

    async def _answer_all(self, wire: Wire) -> None:
        loop = asyncio.get_running_loop()
        while True:
            try:
                asked = read_asked(await wire.read())
            except msgspec.MsgspecError:
                _log.error("another house of another version has sent what cannot be read")
                return

            if asked.command is None:
                self._takes_on(wire, asked)
                await wire.drain()
                continue

            def tell(answered: "Future[Answer]", asked: Asked = asked) -> None:
                with suppress(RuntimeError):  # the loop is closed: nobody is there to be told
                    loop.call_soon_threadsafe(_tell, wire, asked, answered)

            self._pit.submit_here(asked.command, asked.wing).add_done_callback(tell)
            await wire.drain()

    def _takes_on(self, wire: Wire, asked: Asked) -> None:
        take = self.takes.get(asked.door)

        async def see_to() -> None:
            done = await take(asked.update) if take is not None else False
            wire.write(write_done(asked.number, done=done))

        task = asyncio.ensure_future(see_to())
        self._here.add(task)
        task.add_done_callback(self._here.discard)


def _tell(wire: Wire, asked: Asked, answered: "Future[Answer]") -> None:
    try:
        frame = write_told(asked.number, answered.result())
    except Elsewhere as lack:
        frame = write_lack(asked.number, lack.wing)
    wire.write(frame if len(frame) <= LARGEST else write_told(asked.number, FAULT))
