"""Open the house: books, pit, lounge; say where it is; close it in good order.

The exit status is 0 after SIGTERM or SIGINT, 1 where the house cannot open or the books cannot be written any more,
2 for a wrong setting.
"""

import asyncio
import gc
import logging
import os
import secrets
import signal
import sys
from contextlib import AsyncExitStack
from functools import partial

from aiohttp import web

from bot.config import Address, BadSetting, Config, read_config
from bot.guests import keep_company
from bot.logs import set_up_logs
from bot.on_web.app import make_app
from bot.on_web.connections import CONNECTIONS_KEY, listen, make_runner
from bot.on_web.live import Live
from bot.on_web.lounge import Lounge
from bot.pictures.worker import Renderer
from bot.pit import Pit
from bot.texts import Text, say
from storage.database import Books, BooksError

FINE, FAILED, BAD = 0, 1, 2
CLOSING = Text("The house closes for a moment: your hand and your chips wait for you.")
_log = logging.getLogger("ridotto")


class _CannotOpen(Exception):
    """What keeps the house shut, in one line."""


def main(data: str | None = None, guests: int | None = None) -> int:
    try:
        config = read_config(data=data, guests=guests)
        check_platforms(config)
    except BadSetting as fault:
        return _complain(str(fault), BAD)
    # The books hold the seeds of hands that are being played.
    os.umask(0o077)
    set_up_logs(config.log, (config.discord_token, config.telegram_token, config.web_password))
    try:
        books = Books(config.data)
    except BooksError as fault:
        return _complain(str(fault), FAILED)
    try:
        return asyncio.run(_keep_open(config, books))
    except _CannotOpen as fault:
        return _complain(str(fault), FAILED)
    finally:
        books.close()


def check_platforms(config: Config) -> None:
    """A house without a door is none."""
    if config.telegram_webhook is not None and config.web is None:
        raise BadSetting("RIDOTTO_TELEGRAM_WEBHOOK needs RIDOTTO_WEB, where Telegram's calls come in.")
    if config.web is None and config.discord_token is None and config.telegram_token is None:
        raise BadSetting("RIDOTTO_WEB is off and no token is set: there is nothing to open.")


async def _keep_open(config: Config, books: Books) -> int:
    loop = asyncio.get_running_loop()
    closing: asyncio.Future[int] = loop.create_future()

    def close(status: int) -> None:
        if not closing.done():
            closing.set_result(status)

    live = Live()

    def stop_for_good(fault: BaseException) -> None:
        """What is not on disk was not said, and nothing more will be."""
        loop.call_soon_threadsafe(close, FAILED)

    pit = Pit(books, language=config.language, on_fatal=stop_for_good)
    lounge = Lounge(
        pit, live, password=config.web_password, language=config.language, operator_token=secrets.token_urlsafe(24)
    )
    async with AsyncExitStack() as stack:
        renderer = lounge.renderer
        stack.callback(renderer.close)
        telegram = _Telegram(config) if config.telegram_token else None
        if config.web is not None:
            app = make_app(lounge)
            if telegram is not None:
                telegram.add_webhook(app)
            runner = make_runner(app)
            await runner.setup()
            stack.push_async_callback(runner.cleanup)
            server, address = await _listen(runner, app, config.web)
            stack.callback(server.close)
        pit.on_change = lounge.mark
        pit.start()
        # The libraries and the house stay: a full collection would stop the loop for 50 ms to look through them.
        gc.collect()
        gc.freeze()
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(number, close, FINE)
        if config.web is not None:
            company = asyncio.ensure_future(keep_company(lounge, config.guests))
            stack.callback(company.cancel)
            _say_where(address, lounge)
        if telegram is not None:
            telegram.open(pit, renderer)
            lounge.platforms["telegram"] = telegram.line.is_connected
        if config.discord_token is not None:
            from bot.on_discord.bot import discord_open, is_connected

            token, api = config.discord_token, config.discord_api
            client = await stack.enter_async_context(
                discord_open(pit, token, api, closing, paint=renderer.render, paint_hand=renderer.render_hand)
            )
            lounge.platforms["discord"] = partial(is_connected, client)
        status = await closing
        if telegram is not None:
            await telegram.close()
        await _close(lounge)
    return status


class _Telegram:
    """Beside the lounge, on the same loop. Imported only by a house that has a token for it."""

    def __init__(self, config: Config) -> None:
        from bot.on_telegram.serving import Line, Webhook

        self.line = Line()
        assert config.telegram_token is not None
        self._config, self._token = config, config.telegram_token
        self._webhook = Webhook(self._token) if config.telegram_webhook else None
        self._serving: asyncio.Task[None] | None = None

    def add_webhook(self, app: web.Application) -> None:
        from bot.on_telegram.serving import PATH

        if self._webhook is not None:
            app.router.add_post(PATH, self._webhook.take)

    def open(self, pit: Pit, renderer: Renderer) -> None:
        from bot.on_telegram.serving import keep_serving

        config = self._config
        serving = keep_serving(
            pit,
            self._token,
            api=config.telegram_api,
            address=config.telegram_webhook,
            webhook=self._webhook,
            paint=renderer.render,
            paint_hand=renderer.render_hand,
            line=self.line,
        )
        self._serving = asyncio.ensure_future(serving)

    async def close(self) -> None:
        """No new commands from there; what it has said stays said."""
        if self._serving is not None:
            self._serving.cancel()
            await asyncio.wait({self._serving}, timeout=2.0)


async def _listen(runner: web.AppRunner, app: web.Application, address: Address) -> tuple[asyncio.Server, Address]:
    """What listens, and where; port 0 takes any free one."""
    try:
        server = await listen(runner, app[CONNECTIONS_KEY], address.host, address.port)
    except OSError as fault:
        # What the loop says names all addresses it tried; the reason stands at its end.
        reason = os.strerror(fault.errno) if fault.errno and fault.errno > 0 else "there is no such address"
        raise _CannotOpen(f"RIDOTTO_WEB {address.host}:{address.port} cannot be used: {reason}.") from None
    return server, Address(address.host, server.sockets[0].getsockname()[1])


def _say_where(address: Address, lounge: Lounge) -> None:
    print(f"The lounge is open: {address.url}/", flush=True)
    print(f"Operator, once: {address.url}/operator/{lounge.operator_token}", flush=True)
    _log.info("ready")


async def _close(lounge: Lounge) -> None:
    """No new commands; what has arrived is finished and said; hands under way stay in the books."""
    _log.info("closing")
    lounge.is_closing = True
    await lounge.live.tell([say(CLOSING, lounge.language)])
    await asyncio.to_thread(lounge.pit.stop, 2.5)
    await lounge.live.close()


def _complain(sentence: str, status: int) -> int:
    print(f"ridotto: {sentence}", file=sys.stderr)
    return status
