"""The Telegram platform: polling, or a webhook at the web server."""

import asyncio
import hashlib
import hmac
import json
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any

from aiohttp import web
from telegram import Update
from telegram.error import InvalidToken, TelegramError
from telegram.ext import Application, ApplicationBuilder

from bot.core.access import Access
from bot.platforms.common.context import PlatformContext
from bot.platforms.common.frames import NO_ADDRESS, page_of
from bot.platforms.common.platform import Opening
from bot.platforms.common.shared_posts import PaintSharedPost
from bot.platforms.telegram.app import UPDATES, Croupier, configure
from bot.platforms.telegram.connectivity import TelegramConnectivity
from bot.platforms.telegram.context import PLATFORM, TelegramContext
from bot.platforms.telegram.frames import MiniApp
from bot.platforms.telegram.http import Http, lighten
from bot.platforms.telegram.intake import subject_of
from bot.platforms.telegram.messages import Paint
from bot.platforms.telegram.sending import SystemClock

PATH = "/telegram"
CONNECTIONS = 64
FIRST_WAIT_S, LONGEST_WAIT_S = 2.0, 60.0
LARGEST_UPDATE = 1024 * 1024
# Slow is better than twice: an unanswered call may be sent again.
READ_S = 20.0
HEADER = "X-Telegram-Bot-Api-Secret-Token"
_log = logging.getLogger("ridotto.telegram")
App = Application[Any, Any, Any, Any, Any, Any]


class Webhook:
    """The webhook. Accepts updates at PATH while an Application listens, and only with the secret token.

    200 means done and on disk, and may contain the answer to a press. After anything else, or no answer, Telegram sends
    the update again.
    """

    def __init__(self, token: str) -> None:
        self.secret = hashlib.sha256(f"ridotto webhook {token}".encode()).hexdigest()
        self._app: Croupier | None = None

    def listen(self, app: Croupier | None) -> None:
        self._app = app

    async def handle_request(self, request: web.Request) -> web.Response:
        """Answer 200 when the update is on disk, 403 without the secret, 503 without room, so that it comes again."""
        said = request.headers.get(HEADER, "")
        if not hmac.compare_digest(said.encode("utf-8", "replace"), self.secret.encode()):
            raise web.HTTPForbidden(text="")
        app = self._app
        if app is None:
            raise web.HTTPServiceUnavailable(text="")  # Telegram sends it again
        try:
            data = json.loads(await request.clone(client_max_size=LARGEST_UPDATE).read())
            lighten(data)
            update = Update.de_json(data, app.bot)
        except ConnectionError:
            raise  # the client has disconnected
        except Exception as fault:
            # The library reads required fields. A retry would not help, and a failed update comes again.
            _log.warning("an update could not be read: %s", type(fault).__name__)
            return web.Response()
        if update is None:
            return web.Response()
        outcome, is_new = app.intake.register_update(
            update.update_id, lambda: app.connectivity.is_prompt and _is_open(request), subject=subject_of(update)
        )
        if is_new:
            await app.update_queue.put(update)
        if not await asyncio.shield(outcome):
            raise web.HTTPServiceUnavailable(text="")  # Telegram keeps it for us
        answer = app.intake.answer_of(update.update_id) if is_new else None
        return web.Response(body=answer, content_type="application/json") if answer else web.Response()


def _is_open(request: web.Request) -> bool:
    return request.transport is not None and not request.transport.is_closing()


@dataclass
class TelegramConnection:
    """The connection to Telegram: `api` is the Bot API's address.

    `address` is the public address at which `webhook` accepts updates; without both, updates are polled.
    """

    writer: Access
    token: str
    api: str | None = None
    address: str | None = None
    webhook: Webhook | None = None
    paint: Paint | None = None
    paint_hand: Paint | None = None
    paint_shared_post: PaintSharedPost | None = None
    public_url: str | None = None

    def __post_init__(self) -> None:
        self.connectivity = TelegramConnectivity(self.writer, SystemClock())
        self._app: Croupier | None = None

    @property
    def context(self) -> TelegramContext | None:
        """Return the platform context, or None while there is no bot."""
        return self._app.context if self._app is not None else None

    def is_connected(self) -> bool:
        return self.connectivity.is_connected

    @asynccontextmanager
    async def serve(self) -> AsyncIterator[App]:
        """Start polling or the webhook. Raises TelegramError if that fails."""
        logging.getLogger("telegram").setLevel(logging.WARNING)  # updates contain other people's words
        async with AsyncExitStack() as stack:
            # The long poll has its own connection, and one for its last call. The library closes neither if its first
            # call fails.
            calls = await stack.enter_async_context(Http(CONNECTIONS, read_s=READ_S, pool_s=30.0))
            polls = await stack.enter_async_context(Http(2))
            builder = _builder(self.token, self.api).request(calls).get_updates_request(polls)
            app = configure(
                builder,
                self.writer,
                paint=self.paint,
                paint_hand=self.paint_hand,
                paint_shared_post=self.paint_shared_post,
                connectivity=self.connectivity,
                public_url=self.public_url,
            )
            assert isinstance(app, Croupier)
            await stack.enter_async_context(app)
            await stack.enter_async_context(_started(app, self.webhook))
            await stack.enter_async_context(self._listening(app))
            self._app = app
            stack.callback(self._lose)
            _log.info("telegram: @%s", app.bot.username)
            if self.public_url is None:
                _log.info("telegram: %s", NO_ADDRESS)
            elif not app.bot.bot.has_main_web_app:
                address = page_of(self.public_url, PLATFORM)
                _log.info(
                    "telegram: tables of groups do not open in an app yet; register %s with BotFather "
                    "(docs/host/apps.md)",
                    address,
                )
            yield app

    @asynccontextmanager
    async def _listening(self, app: Croupier) -> AsyncIterator[None]:
        if self.webhook is not None and self.address is not None:
            self.webhook.listen(app)
            await app.bot.set_webhook(
                f"{self.address}{PATH}", allowed_updates=UPDATES, secret_token=self.webhook.secret, max_connections=40
            )
            self.connectivity.settle((await app.bot.get_webhook_info()).pending_update_count)
            self.connectivity.open()
            yield
            return
        assert app.updater is not None
        await app.updater.start_polling(
            allowed_updates=UPDATES, bootstrap_retries=-1, error_callback=self.connectivity.note_poll
        )
        self.connectivity.open()
        yield

    def _lose(self) -> None:
        self._app = None

    async def keep_running(self) -> None:
        """Keep the bot running until cancelled. An unreachable Telegram is retried and delays nothing else."""
        wait = FIRST_WAIT_S
        while True:
            # Clocks of restored hands pause until presses can arrive again.
            self.connectivity.shut()
            try:
                async with self.serve():
                    await asyncio.Event().wait()
            except InvalidToken:
                _log.critical("Telegram refuses RIDOTTO_TELEGRAM_TOKEN; get a new token from BotFather.")
                return
            except TelegramError as fault:
                _log.warning("telegram cannot be reached, next try in %.0f s: %s", wait, type(fault).__name__)
                await asyncio.sleep(wait)
                wait = min(2 * wait, LONGEST_WAIT_S)


@asynccontextmanager
async def _started(app: Croupier, webhook: Webhook | None) -> AsyncIterator[None]:
    """Start the application, and stop it in any case, so that the next try starts afresh."""
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
    builder = ApplicationBuilder().token(token)
    if api is not None:
        root = api.rstrip("/").removesuffix("/bot")
        builder = builder.base_url(f"{root}/bot").base_file_url(f"{root}/file/bot")
    return builder


class TelegramPlatform:
    """The Telegram platform: one bot for all chats, retried until it can be opened."""

    name = PLATFORM

    def __init__(self, opening: Opening) -> None:
        config, renderer = opening.config, opening.renderer
        assert config.telegram_token is not None
        self._webhook = Webhook(config.telegram_token) if config.telegram_webhook else None
        self._connection = TelegramConnection(
            opening.writer,
            config.telegram_token,
            config.telegram_api,
            config.telegram_webhook,
            self._webhook,
            renderer.render,
            renderer.render_hand,
            renderer.render_shared_post,
            config.public_url,
        )
        if config.public_url is not None:
            rooms = PlatformContext(opening.writer, PLATFORM)
            app = MiniApp(config.telegram_token, rooms, opening.writer.clock, lambda: self._connection.context)
            opening.frames.append(app.host)
        self._serving: asyncio.Task[None] | None = None

    @property
    def routes(self) -> Sequence[web.RouteDef]:
        return [web.post(PATH, self._webhook.handle_request)] if self._webhook is not None else []

    async def open(self) -> None:
        """Open without waiting for Telegram."""
        self._serving = asyncio.ensure_future(self._connection.keep_running())

    def is_connected(self) -> bool:
        return self._connection.is_connected()

    def is_contested(self) -> bool:
        return self._connection.connectivity.is_contested

    async def drain(self) -> None:
        """Stop polling or serving; notices already sent stay."""
        if self._serving is not None:
            self._serving.cancel()
            await asyncio.wait({self._serving}, timeout=2.0)

    async def close(self) -> None:
        """Do nothing: `drain` has ended it while the writer ran."""


make_platform = TelegramPlatform
