"""The lounge's platform: where it listens, the announcement of its address, and its house players."""

import asyncio
import logging
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager

from aiohttp import web

from bot.config import ALL, Address, Config
from bot.core.state.lounge import PLATFORM
from bot.platforms.common.guests import keep_company
from bot.platforms.common.platform import CannotOpen, Opening
from bot.platforms.common.sentences import CLOSING
from bot.platforms.web.app import make_app
from bot.platforms.web.connections import CONNECTIONS_KEY, Connections, listen, make_runner
from bot.platforms.web.live import Live
from bot.platforms.web.lounge import METRICS, Lounge
from bot.platforms.web.monitoring import health_of_waiting, metrics_of_waiting
from bot.platforms.web.operator_link import make_link
from bot.platforms.web.push import PUSH_KEY, Push, is_installed
from bot.texts import say

_log = logging.getLogger("ridotto.web")


class WebPlatform:
    """The lounge, its server and its house players."""

    name = PLATFORM
    routes: Sequence[web.RouteDef] = ()

    def __init__(self, opening: Opening) -> None:
        self._opening = opening
        self._stack = AsyncExitStack()

    async def open(self) -> None:
        """Listen, and announce the address."""
        config, writer, stack = self._opening.config, self._opening.writer, self._stack
        assert config.web is not None
        lounge = self.lounge = Lounge(
            writer,
            Live(),
            password=config.web_password,
            language=config.language,
            renderer=self._opening.renderer,
            platforms=self._opening.opened,
            routes=[route for platform in self._opening.platforms for route in platform.routes],
            beacon=self._opening.beacon,
            frames=self._opening.frames,
            public_url=config.public_url,
            frees_seats=config.role == ALL,
        )
        app = make_app(lounge)
        if config.public_url is not None and config.role == ALL and is_installed():
            push = app[PUSH_KEY] = Push(lounge, config.public_url)
            stack.push_async_callback(push.close)
            lounge.subscribers.append(push.handle_change)
        stack.callback(lounge.start_notifying())
        runner = make_runner(app)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        server, address = await _listen(runner, app, config.web)
        stack.callback(server.close)
        stack.callback(writer.subscribe(lounge.mark))
        company = asyncio.ensure_future(keep_company(lounge, config.guests))
        stack.callback(company.cancel)
        _say_where(address, lounge)

    def is_contested(self) -> bool:
        return False

    def is_connected(self) -> bool:
        return True

    async def drain(self) -> None:
        self.lounge.is_closing = True
        await self.lounge.live.tell_everyone(say(CLOSING, self.lounge.language))

    async def close(self) -> None:
        await self.lounge.live.close()
        await self._stack.aclose()


make_platform = WebPlatform


@contextmanager
def stand_in(config: Config) -> Iterator[None]:
    """Answer 503 at the lounge's address while the process waits for its store. Raises CannotOpen.

    There is no event loop yet, so it runs in a thread.
    """
    loop = asyncio.new_event_loop()
    server, runner = loop.run_until_complete(_listen_alone(config))
    thread = threading.Thread(target=loop.run_forever, name="stand-in", daemon=True)
    thread.start()
    try:
        yield
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        server.close()
        loop.run_until_complete(runner.cleanup())
        loop.close()


async def _listen_alone(config: Config) -> tuple[asyncio.Server, web.AppRunner]:
    assert config.web is not None
    app = web.Application()
    app[CONNECTIONS_KEY] = Connections()
    app.router.add_get(METRICS, metrics_of_waiting)
    app.router.add_route("*", "/{path:.*}", health_of_waiting)
    runner = make_runner(app)
    await runner.setup()
    server, _address = await _listen(runner, app, config.web)
    return server, runner


async def _listen(runner: web.AppRunner, app: web.Application, address: Address) -> tuple[asyncio.Server, Address]:
    """Listen, and return the server and its address; port 0 takes any free one."""
    try:
        server = await listen(runner, app[CONNECTIONS_KEY], address.host, address.port)
    except OSError as fault:
        # The loop's message names all addresses it tried; the reason comes last.
        reason = os.strerror(fault.errno) if fault.errno and fault.errno > 0 else "this machine has no such address"
        raise CannotOpen(f"RIDOTTO_WEB {address.host}:{address.port} cannot be used: {reason}.") from None
    return server, Address(address.host, server.sockets[0].getsockname()[1])


def _say_where(address: Address, lounge: Lounge) -> None:
    _print_line(f"The lounge is open: {address.url}/")
    if lounge.casino.state.inspectors:
        _print_line("To become an inspector, run: ridotto operator")
    else:
        token = make_link(lounge.folder, lounge.writer.clock())
        _print_line(f"Operator link, works once within 15 minutes: {address.url}/operator/{token}")


def _print_line(line: str) -> None:
    """Print a line on standard output; a failure is logged, because the casino is open anyway."""
    try:
        print(line, flush=True)
    except OSError as fault:
        _log.warning("standard output cannot be written (%s); start messages are lost", fault.strerror)
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
