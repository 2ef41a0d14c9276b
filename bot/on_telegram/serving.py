"""Run it in a house: long polling, or a webhook through the house's own web server."""

import asyncio
import hashlib
import hmac
import json
import logging
import secrets
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from aiohttp import web
from telegram import Update
from telegram.error import InvalidToken, TelegramError
from telegram.ext import Application, ApplicationBuilder

from bot.counters import PLATFORMS
from bot.floor.command import Place
from bot.floor.places import errand_of
from bot.on_telegram.app import UPDATES, Croupier, configure
from bot.on_telegram.desk import PLATFORM
from bot.on_telegram.painting import Paint
from bot.on_telegram.pulse import EVERYWHERE, Pulse
from bot.pit import Pit

PATH = "/telegram"
CONNECTIONS = 64
FIRST_WAIT_S, LONGEST_WAIT_S = 2.0, 60.0
LARGEST_UPDATE = 1024 * 1024
# The library's longest pause between two polls that failed, and some more.
QUIET_S = 40.0
# Slow is better than twice: what is not answered in time may be said again.
READ_S = 20.0
HEADER = "X-Telegram-Bot-Api-Secret-Token"
_log = logging.getLogger("ridotto.telegram")
App = Application[Any, Any, Any, Any, Any, Any]


class Line:
    """Whether Telegram can be reached: it was, and nothing has failed since within the longest pause."""

    def __init__(self) -> None:
        self.pulse: Pulse | None = None
        self._is_open = False
        self._failed = -QUIET_S

    def open(self) -> None:
        self._is_open = True

    def close(self) -> None:
        self._is_open = False

    def note(self, fault: TelegramError) -> None:
        """Polling goes on by itself, with growing pauses."""
        self._failed = time.monotonic()
        PLATFORMS[PLATFORM].failed += 1
        _log.warning("telegram cannot be reached: %s", type(fault).__name__)
        if self.pulse is not None:
            self.pulse.note(fault)

    def is_connected(self) -> bool:
        is_away = self.pulse is not None and self.pulse.is_away
        return self._is_open and not is_away and time.monotonic() - self._failed >= QUIET_S


class Webhook:
    """Takes updates at PATH once an Application listens; a request without the secret token is nobody's."""

    def __init__(self, token: str) -> None:
        self.secret = hashlib.sha256(f"ridotto webhook {token}".encode()).hexdigest()
        self._app: App | None = None

    def listen(self, app: App | None) -> None:
        self._app = app

    async def take(self, request: web.Request) -> web.Response:
        said = request.headers.get(HEADER, "")
        if not hmac.compare_digest(said.encode("utf-8", "replace"), self.secret.encode()):
            raise web.HTTPForbidden(text="")
        if self._app is None:
            raise web.HTTPServiceUnavailable(text="")  # Telegram sends it again
        try:
            data = json.loads(await request.clone(client_max_size=LARGEST_UPDATE).read())
            update = Update.de_json(data, self._app.bot)
        except ConnectionError:
            raise  # who sent it has gone
        except Exception as fault:
            # The library reads what it takes for granted. A second time would be no better, and what fails comes again.
            _log.warning("an update could not be read: %s", type(fault).__name__)
            return web.Response()
        if update is not None:
            await self._app.update_queue.put(update)
        return web.Response()


@asynccontextmanager
async def serve(
    pit: Pit,
    token: str,
    *,
    api: str | None = None,
    address: str | None = None,
    webhook: Webhook | None = None,
    paint: Paint | None = None,
    paint_hand: Paint | None = None,
    line: Line | None = None,
) -> AsyncIterator[App]:
    """`api` is the Bot API's address, `address` the public one of this house, where `webhook` takes updates."""
    line = line or Line()
    # httpx writes every address into its log, and the token stands in it; updates are other people's words.
    for name in ("httpx", "httpcore", "telegram"):
        logging.getLogger(name).setLevel(logging.WARNING)
    app = configure(_builder(token, api), pit, paint=paint, paint_hand=paint_hand)
    assert isinstance(app, Croupier)
    async with app, _started(app, webhook):
        assert app.updater is not None
        line.pulse = app.pulse
        if webhook is not None and address is not None:
            webhook.listen(app)
            await app.bot.set_webhook(
                f"{address}{PATH}", allowed_updates=UPDATES, secret_token=webhook.secret, max_connections=40
            )
        else:
            await app.updater.start_polling(allowed_updates=UPDATES, bootstrap_retries=-1, error_callback=line.note)
        _log.info("telegram: @%s", app.bot.username)
        line.open()
        try:
            yield app
        finally:
            line.close()


@asynccontextmanager
async def _started(app: Croupier, webhook: Webhook | None) -> AsyncIterator[None]:
    """However it goes on, what was started is stopped: the next try begins anew."""
    await app.start()
    try:
        yield
    finally:
        if webhook is not None:
            webhook.listen(None)
        if app.updater is not None and app.updater.running:
            await app.updater.stop()
        await app.stop()


def _builder(token: str, api: str | None) -> "ApplicationBuilder[Any, Any, Any, Any, Any, Any]":
    builder = (
        ApplicationBuilder().token(token).connection_pool_size(CONNECTIONS).pool_timeout(30.0).read_timeout(READ_S)
    )
    if api is not None:
        root = api.rstrip("/").removesuffix("/bot")
        builder = builder.base_url(f"{root}/bot").base_file_url(f"{root}/file/bot")
    return builder


async def keep_serving(
    pit: Pit,
    token: str,
    *,
    api: str | None = None,
    address: str | None = None,
    webhook: Webhook | None = None,
    paint: Paint | None = None,
    paint_hand: Paint | None = None,
    line: Line | None = None,
) -> None:
    """Until it is cancelled. A Telegram that cannot be reached keeps nobody else waiting; it is tried again."""
    wait = FIRST_WAIT_S
    while True:
        # Clocks of the hands that the books brought back stand until somebody can press again.
        pit.submit(errand_of(f"tg:house:{secrets.token_hex(12)}", Place(PLATFORM, EVERYWHERE), "away"))
        try:
            async with serve(
                pit,
                token,
                api=api,
                address=address,
                webhook=webhook,
                paint=paint,
                paint_hand=paint_hand,
                line=line,
            ):
                await asyncio.Event().wait()
        except InvalidToken:
            _log.critical("Telegram refuses the token of RIDOTTO_TELEGRAM_TOKEN: get it anew from BotFather.")
            return
        except TelegramError as fault:
            _log.warning("telegram cannot be reached, next try in %.0f s: %s", wait, type(fault).__name__)
            await asyncio.sleep(wait)
            wait = min(2 * wait, LONGEST_WAIT_S)
