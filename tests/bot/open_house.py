"""A whole casino for tests: real store, writer and web server, and a clock that the test can move."""

import asyncio
import itertools
import random
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from aiohttp import ClientWebSocketResponse, CookieJar, DummyCookieJar, WSMessage, web
from aiohttp.test_utils import TestClient, TestServer
from msgspec import structs

from bot.core.commands.command import Answer, Command, Who
from bot.core.commands.counting import here
from bot.core.state.lounge import LOBBY
from bot.core.state.table import Table, Unread
from bot.core.writer import Beacon, Writer
from bot.platforms.common.allowance import Allowance
from bot.platforms.common.context import new_key
from bot.platforms.common.frames import FrameHost
from bot.platforms.web.app import make_app
from bot.platforms.web.connections import make_runner
from bot.platforms.web.live import Live
from bot.platforms.web.lounge import Lounge
from bot.platforms.web.operator_link import make_link
from bot.platforms.web.push import PUSH_KEY, Push
from bot.platforms.web.sessions import TRIED
from storage.sqlite import SqliteBooks
from tests.core.conftest import CARIBBEAN
from tests.some import some

# The table page used by tests that name none: the first Caribbean table.
TABLE = f"/table/{CARIBBEAN}"
OPERATOR = "the-operator-token-of-the-tests"
# Budgets use real time, which a fast machine would exceed: a test about one sets its own.
_BUDGETS = ("presses", "pages", "asked", "sent", "sent_bytes")


class Server(TestServer):
    """A server that runs the lounge as in production. The library's own one cancels requests of clients that leave, and
    may lose a file that is just being opened.
    """

    async def _make_runner(self, **_more: Any) -> web.AppRunner:
        return make_runner(self.app)


class Page(ClientWebSocketResponse):
    """A page that skips heartbeats, which come at their own time."""

    async def receive(self, timeout: float | None = None) -> WSMessage:
        while (said := await super().receive(timeout)).data == "{}":
            pass
        return said


@dataclass
class OpenHouse:
    lounge: Lounge
    server: TestServer
    ahead: list[float]
    clients: list[TestClient[Any, Any]] = field(default_factory=list)

    @property
    def writer(self) -> Writer:
        assert isinstance(self.lounge.writer, Writer)
        return self.lounge.writer

    @property
    def url(self) -> str:
        return str(self.server.make_url("")).rstrip("/")

    def table(self, id: int = CARIBBEAN) -> Table:
        return some(self.writer.state.table(id))

    def forget_hands(self, id: int = CARIBBEAN) -> None:
        """Forget the table's hands, as if the process had just started and not read them yet."""
        table = self.table(id)
        unread = Unread(table.round.hand_id if table.round.hand is not None else None, table.last_hand)
        self.writer.state.tables[id] = structs.replace(
            table, last=None, unread=unread, round=structs.replace(table.round, hand=None)
        )

    async def browser(self, *, keeps_cookies: bool | None = True) -> "TestClient[Any, Any]":
        """Return a separate browser with its own cookies; it has shown that it keeps them, or with None has yet to."""
        jar = CookieJar(unsafe=True) if keeps_cookies is not False else DummyCookieJar()
        client: TestClient[Any, Any] = TestClient(self.server, cookie_jar=jar, ws_response_class=Page)
        if keeps_cookies:
            jar.update_cookies({TRIED: "1"}, client.make_url("/"))
        self.clients.append(client)
        return client

    async def enter(self, name: str, **headers: str) -> "Player":
        client = await self.browser()
        answer = await client.post("/sign-in", data={"name": name}, headers=headers)
        assert answer.status == 200, await answer.text()
        return Player(self, client, answer.url.path.rstrip("/"))

    async def wait(self, seconds: float) -> None:
        """Move the clock and let the writer check it."""
        self.ahead[0] += seconds
        await self.submit("tables")

    async def submit(self, verb: str, *args: str) -> Answer:
        command = Command(
            new_key("test"), Who("test", "clockmaker", "Clockmaker", inspector=True), LOBBY, verb, args, "", True
        )
        return await asyncio.wrap_future(self.writer.submit(command))


@dataclass
class Player:
    house: OpenHouse
    client: "TestClient[Any, Any]"
    base: str
    numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    @property
    def id(self) -> int:
        return int(self.base.rpartition("-")[2])

    @property
    def chips(self) -> int:
        return self.house.writer.state.balance(f"player:1:{self.id}")

    async def page(self, path: str = "/", status: int = 200) -> str:
        answer = await self.client.get(f"{self.base}{path}")
        assert answer.status == status, (path, answer.status)
        return await answer.text()

    async def press(self, verb: str, *args: str, table: int = CARIBBEAN, **more: Any) -> dict[str, Any]:
        press = {"key": f"press-{next(self.numbers):06}", "verb": verb, "args": list(args), **more}
        answer = await self.client.post(f"{self.base}/table/{table}/press", json=press)
        said: dict[str, Any] = await answer.json()
        return {**said, "status": answer.status}

    async def type(self, line: str, table: int = CARIBBEAN) -> dict[str, Any]:
        press = {"key": f"typed-{next(self.numbers):06}", "line": line}
        said: dict[str, Any] = await (await self.client.post(f"{self.base}/table/{table}/press", json=press)).json()
        return said

    async def watch(self, table: int = CARIBBEAN) -> ClientWebSocketResponse:
        return await self.client.ws_connect(f"{self.base}/table/{table}/live")


@asynccontextmanager
async def open_house(
    folder: Path,
    *,
    password: str | None = None,
    beacon: Beacon | None = None,
    began: float | None = None,
    frames: Callable[[Writer], Sequence[FrameHost]] = lambda writer: (),
    public_url: str | None = None,
    push: Callable[[Lounge], Push] | None = None,
) -> AsyncIterator[OpenHouse]:
    """Open a casino with a lounge. `began`: its clock starts there and moves only by `wait`. `frames`: platforms whose
    apps show its tables, at `public_url`. `push`: makes the sender of turn notices.
    """
    books, ahead, live = SqliteBooks(folder), [0.0], Live()

    def clock() -> float:
        return (time.time() if began is None else began) + ahead[0]

    writer = Writer(books, clock=clock, entropy=random.Random(5).randbytes, count=here, secret=bytes(32), beacon=beacon)
    lounge = Lounge(
        writer, live, password=password, sign_ins=Allowance(10, 0.0), frames=frames(writer), public_url=public_url
    )
    for budget in _BUDGETS:
        setattr(lounge, budget, Allowance(10**9, 10.0**9))
    make_link(lounge.folder, writer.clock(), OPERATOR)
    writer.subscribe(lounge.mark)
    writer.start()
    app = make_app(lounge)
    if push is not None:
        app[PUSH_KEY] = push(lounge)
        lounge.subscribers.append(app[PUSH_KEY].handle_change)
    end = lounge.start_notifying()
    server = Server(app)
    await server.start_server()
    house = OpenHouse(lounge, server, ahead)
    try:
        yield house
    finally:
        end()
        await lounge.close()
        if push is not None:
            await app[PUSH_KEY].close()
        await live.close()
        for client in house.clients:
            await client.close()
        await server.close()
        lounge.renderer.close()
        writer.stop()
        books.close()
