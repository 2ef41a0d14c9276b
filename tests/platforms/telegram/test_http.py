"""HTTP requests to Telegram as python-telegram-bot sees them, against a server that breaks in every way."""

import asyncio
import base64
import gc
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from typing import Any

import pytest
from aiohttp import BodyPartReader, web
from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup, InputMediaPhoto
from telegram.error import BadRequest, InvalidToken, NetworkError, RetryAfter, TelegramError, TimedOut

from bot.platforms.telegram.http import Http, may_have_arrived

TOKEN = "123456789:AAH-a-token"
Answer = Callable[[web.Request], Awaitable[web.StreamResponse]]
ME = {"id": 1, "is_bot": True, "first_name": "Ridotto", "username": "ridotto_bot"}


@asynccontextmanager
async def answering(answer: Answer) -> AsyncIterator[str]:
    """Serve this answer to every request; yield the address."""
    app = web.Application()
    app.router.add_route("*", "/{path:.*}", answer)
    runner = web.AppRunner(app, shutdown_timeout=0.1, handler_cancellation=True)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/bot"
    finally:
        await runner.cleanup()


@asynccontextmanager
async def bot_at(address: str, way: Http) -> AsyncIterator[Bot]:
    """A bot that has not asked for its identity."""
    bot = Bot(TOKEN, base_url=address, request=way, get_updates_request=Http(1))
    async with way:
        yield bot


def says(result: object, status: int = 200, **more: object) -> web.Response:
    return web.json_response({"ok": status == 200, "result": result, **more}, status=status)


async def _be_silent(request: web.Request) -> web.Response:
    await asyncio.sleep(20)
    return web.Response()


async def fault_of(address: str, way: Http, **patience: Any) -> TelegramError:
    async with bot_at(address, way) as bot:
        with pytest.raises(TelegramError) as caught:
            await bot.get_me(**patience)
    assert TOKEN not in str(caught.value)
    return caught.value


@pytest.fixture
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)


pytestmark = pytest.mark.usefixtures("_no_proxy")


async def test_parameters_go_as_json_and_say_what_the_library_means() -> None:
    heard: dict[str, Any] = {}

    async def note(request: web.Request) -> web.Response:
        heard.update(kind=request.content_type, agent=request.headers["User-Agent"], **await request.json())
        chat = {"id": 5, "type": "private"}
        return says({"message_id": 1, "date": 1, "chat": chat})

    markup = InlineKeyboardMarkup([[InlineKeyboardButton("♠ è", callback_data="a")]])
    async with answering(note) as address, bot_at(address, Http(4)) as bot:
        await bot.send_message(5, "Più & <b>", reply_markup=markup, disable_notification=True)
    assert heard.pop("agent").startswith("python-telegram-bot v")
    assert heard == {
        "kind": "application/json",
        "chat_id": 5,
        "text": "Più & <b>",
        "disable_notification": True,
        "reply_markup": {"inline_keyboard": [[{"text": "♠ è", "callback_data": "a"}]]},
    }


async def test_files_go_as_a_form_under_the_names_that_the_parameters_call_them() -> None:
    heard: dict[str, Any] = {}

    async def note(request: web.Request) -> web.Response:
        async for part in await request.multipart():
            assert isinstance(part, BodyPartReader)
            heard[str(part.name)] = (part.filename, part.headers.get("Content-Type"), bytes(await part.read()))
        return says(True)

    picture = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
    async with answering(note) as address, bot_at(address, Http(4)) as bot:
        await bot.edit_message_media(InputMediaPhoto(picture, caption="è"), chat_id=-5, message_id=7)
    media = json.loads(heard.pop("media")[2])
    assert heard.pop("chat_id")[2] == b"-5"
    assert heard.pop("message_id")[2] == b"7"
    assert media == {"type": "photo", "media": media["media"], "caption": "è"}
    name, kind, data = heard.pop(media["media"].removeprefix("attach://"))
    assert (bool(name), kind, data) == (True, "application/octet-stream", picture)
    assert not heard


async def test_answers_are_read_and_refusals_are_the_librarys() -> None:
    answers = iter(
        (
            says(ME),
            says(None, 400, description="Bad Request: no"),
            says(None, 429, parameters={"retry_after": 3}),
            says(None, 404, description="Not Found"),
            web.Response(status=502, text="<html>no JSON</html>"),
            web.Response(status=302, headers={"Location": "http://127.0.0.1:1/"}),
            web.Response(text="no JSON"),
            web.Response(body=b'{"ok": true, "result": {"id": 1, "is_bot": true, "first_name": "\xff"}}'),
        )
    )

    async def answer(request: web.Request) -> web.Response:
        return next(answers)

    async with answering(answer) as address, bot_at(address, Http(4)) as bot:
        assert (await bot.get_me()).username == "ridotto_bot"
        for kind in (BadRequest, RetryAfter, InvalidToken, NetworkError, NetworkError):
            with pytest.raises(kind) as caught:
                await bot.get_me()
            assert not may_have_arrived(caught.value), "it was answered"
        with pytest.raises(TelegramError, match="Invalid server response"):
            await bot.get_me()
        assert (await bot.get_me()).first_name == "\ufffd"


async def test_a_line_that_breaks_may_have_carried_the_call() -> None:
    async def drop(request: web.Request) -> web.Response:
        assert request.transport is not None
        request.transport.abort()
        return web.Response()

    async def cut(request: web.Request) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Length": "100"})
        await response.prepare(request)
        await response.write(b'{"ok"')
        assert request.transport is not None
        request.transport.close()
        return response

    for answer in (drop, cut):
        async with answering(answer) as address:
            fault = await fault_of(address, Http(4))
        assert type(fault) is NetworkError, fault
        assert fault.__cause__ is not None
        assert may_have_arrived(fault)


async def test_an_answer_that_does_not_come_may_have_been_carried_out() -> None:
    async with answering(_be_silent) as address:
        for fault in (
            await fault_of(address, Http(4, read_s=0.05)),
            await fault_of(address, Http(4), read_timeout=0.05),
        ):
            assert type(fault) is TimedOut
            assert may_have_arrived(fault)


async def test_what_nobody_takes_was_not_asked() -> None:
    async with answering(_be_silent) as address:
        pass
    fault = await fault_of(address, Http(4))
    assert type(fault) is NetworkError
    assert "ClientConnectorError" in str(fault)
    assert not may_have_arrived(fault)


async def test_without_a_free_connection_nothing_was_asked() -> None:
    async with answering(_be_silent) as address, bot_at(address, Http(1, connect_s=0.05, pool_s=0.05)) as bot:
        first = asyncio.ensure_future(bot.get_me())
        await asyncio.sleep(0.02)
        with pytest.raises(TimedOut) as caught:
            await bot.get_me()
        assert not may_have_arrived(caught.value)
        first.cancel()
        with suppress(asyncio.CancelledError):
            await first


async def test_a_proxy_of_the_environment_is_used(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    async def forward(request: web.Request) -> web.Response:
        asked.append((request.raw_path, request.headers.get("Proxy-Authorization")))
        return says(ME)

    async with answering(forward) as proxy:
        known = proxy.removesuffix("/bot").replace("//", "//anna:secret@")
        monkeypatch.setenv("ALL_PROXY", known)
        async with bot_at("http://telegram.invalid/bot", Http(4)) as bot:
            await bot.get_me()
        monkeypatch.setenv("NO_PROXY", "telegram.invalid")
        fault = await fault_of("http://telegram.invalid/bot", Http(4))
    assert not may_have_arrived(fault)
    signed = "Basic " + base64.b64encode(b"anna:secret").decode()
    assert asked == [(f"http://telegram.invalid/bot{TOKEN}/getMe", signed)]


async def test_a_proxy_that_is_away_or_refuses_has_carried_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    async def refuse(request: web.Request) -> web.Response:
        return web.Response(status=403)

    async with answering(refuse) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", proxy.removesuffix("/bot"))
        refused = await fault_of("https://telegram.invalid/bot", Http(4))
    away = await fault_of("https://telegram.invalid/bot", Http(4))
    for fault in (refused, away):
        assert type(fault) is NetworkError
        assert not may_have_arrived(fault)


async def test_connections_are_kept_until_the_end_and_no_longer() -> None:
    ports = set()

    async def note(request: web.Request) -> web.Response:
        assert request.transport is not None
        ports.add(request.transport.get_extra_info("peername")[1])
        return says(ME)

    way = Http(4)
    async with answering(note) as address:
        async with bot_at(address, way) as bot:
            for _call in range(5):
                await bot.get_me()
        assert len(ports) == 1
        with pytest.raises(RuntimeError, match="not initialized"):
            await way.do_request(address, "GET")
        async with bot_at(address, way) as bot:
            await bot.get_me()
        assert len(ports) == 2
    gc.collect()  # an open session would warn, and warnings are errors


def test_of_a_message_that_comes_back_the_library_makes_no_objects_that_nobody_reads() -> None:
    sizes = [{"file_id": "small"}, {"file_id": "whole"}]
    own = {"message_id": 7, "caption": "A table", "photo": sizes}
    message = own | {"reply_markup": {"inline_keyboard": [[]]}, "caption_entities": [{"type": "bold"}]}
    pressed = {"id": "5", "data": "v|bet||", "message": message}
    update = {"update_id": 1, "callback_query": pressed}
    typed = {"update_id": 2, "message": {"message_id": 8, "text": "/bet", "reply_to_message": own}}
    left = own | {"photo": sizes[-1:]}
    for result, expected in (
        ([update, typed], [update | {"callback_query": pressed | {"message": left}}, typed]),
        (message, left),
        (True, True),
        ({"id": 1, "is_bot": True}, {"id": 1, "is_bot": True}),
        (["what", None], ["what", None]),
    ):
        payload = json.dumps({"ok": True, "result": result}).encode()
        assert Http.parse_json_payload(payload) == {"ok": True, "result": expected}
