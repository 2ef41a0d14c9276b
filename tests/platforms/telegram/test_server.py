"""The loopback Bot API server itself: through the real python-telegram-bot, and raw HTTP where that cannot."""

import asyncio
import contextlib
import json
import os
import struct
import subprocess
import sys
import zlib
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from telegram import (
    Bot,
    BotCommand,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    ForceReply,
    InlineKeyboardButton,
    InlineKeyboardMarkup,
    InputMediaPhoto,
    Update,
)
from telegram.error import (
    BadRequest,
    ChatMigrated,
    Conflict,
    EndPointNotFound,
    Forbidden,
    NetworkError,
    RetryAfter,
    TelegramError,
)
from telegram.ext import (
    Application,
    ApplicationBuilder,
    CallbackQueryHandler,
    CommandHandler,
    ContextTypes,
    TypeHandler,
    filters,
)
from telegram.request import HTTPXRequest

from tests.patience import PATIENCE_S
from tests.servers.telegram import Alert, BotApiServer, Limits, SystemClock, VirtualClock
from tests.servers.telegram.text import formatted

App = Application[Any, Any, Any, Any, Any, Any]
Context = ContextTypes.DEFAULT_TYPE
ROOT = Path(__file__).parent.parent.parent.parent


def keyboard(*names: str) -> InlineKeyboardMarkup:
    return InlineKeyboardMarkup([[InlineKeyboardButton(name, callback_data=name.lower()) for name in names]])


def png(width: int = 8, height: int = 8, shade: int = 0) -> bytes:
    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = (b"\0" + bytes([shade]) * width) * height
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@pytest.fixture(autouse=True)
def _waits_as_timedelta(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without it python-telegram-bot warns at every RetryAfter that it makes."""
    monkeypatch.setenv("PTB_TIMEDELTA", "1")


@pytest.fixture
async def server() -> AsyncIterator[BotApiServer]:
    async with BotApiServer(clock=VirtualClock()) as running:
        yield running


@contextlib.asynccontextmanager
async def bot_of(server: BotApiServer) -> AsyncIterator[Bot]:
    """Only the sending half of a bot."""
    async with application(server).bot as bot:
        yield bot


@pytest.fixture
async def bot(server: BotApiServer) -> AsyncIterator[Bot]:
    async with bot_of(server) as ready:
        yield ready


def plain_http() -> HTTPXRequest:
    """To read the certificates of the world takes longer than most tests."""
    return HTTPXRequest(connection_pool_size=64, httpx_kwargs={"verify": False})


def application(server: BotApiServer) -> App:
    builder = ApplicationBuilder().token(server.token).request(plain_http()).get_updates_request(plain_http())
    return builder.base_url(server.base_url).base_file_url(server.base_file_url).concurrent_updates(True).build()


@contextlib.asynccontextmanager
async def polling(server: BotApiServer, **options: Any) -> AsyncIterator[App]:
    """A little bot: it answers /bet and presses, and keeps every update that it got."""
    app = application(server)
    app.bot_data["seen"] = []
    app.add_handler(TypeHandler(Update, keep), group=-1)
    app.add_handler(CommandHandler("bet", bet, filters=filters.UpdateType.MESSAGE))
    app.add_handler(CommandHandler("start", start))
    app.add_handler(CallbackQueryHandler(pressed))
    async with app:
        await app.start()
        assert app.updater
        await app.updater.start_polling(poll_interval=0, allowed_updates=Update.ALL_TYPES, **options)
        yield app
        await app.updater.stop()
        await app.stop()


async def keep(update: Update, context: Context) -> None:
    context.bot_data["seen"].append(update)


async def bet(update: Update, context: Context) -> None:
    assert update.message
    await update.message.reply_text(f"You bet {' '.join(context.args or [])}", reply_markup=keyboard("My cards", "Go"))


async def start(update: Update, context: Context) -> None:
    assert update.message
    await update.message.reply_text(f"Started with {context.args}")


async def pressed(update: Update, context: Context) -> None:
    query = update.callback_query
    assert query
    if query.data == "my cards":
        await query.answer("A♠ K♠", show_alert=True)
    else:
        await query.answer()


async def raw(server: BotApiServer, method: str, token: str | None = None, **request: Any) -> tuple[int, Any]:
    url = f"{server.base_url}{token or server.token}/{method}"
    async with aiohttp.ClientSession() as session, session.post(url, **request) as response:
        return response.status, await response.json()


def seconds(wait: RetryAfter) -> float:
    assert isinstance(wait.retry_after, timedelta)
    return wait.retry_after.total_seconds()


@contextlib.contextmanager
def refused(kind: type[TelegramError], words: str) -> Iterator[None]:
    """With these words; python-telegram-bot writes the first letter large and some codes small."""
    with pytest.raises(kind) as refusal:
        yield
    assert words.lower() in str(refusal.value).lower()


async def until_seen(app: App, kind: str, count: int = 1) -> list[Any]:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            found = [value for update in app.bot_data["seen"] if (value := getattr(update, kind))]
            if len(found) >= count:
                return found
            await asyncio.sleep(0.005)


# A conversation


async def test_a_command_and_a_press_go_through_a_real_polling_bot(server: BotApiServer) -> None:
    anna, bea = server.user("Anna", language="it"), server.user("Bea")
    group = server.group("Salotto", members=[bea], admins=[anna])
    async with polling(server):
        answer = await anna.asks(group, "/bet 50 jackpot")
        assert (answer.text, answer.reply_to and answer.reply_to.text) == ("You bet 50 jackpot", "/bet 50 jackpot")
        assert await bea.presses(answer, "My cards") == Alert("A♠ K♠", show_alert=True)
        assert await bea.presses(group, "go") is None
        with pytest.raises(AssertionError, match=r"My cards.*Go"):
            await bea.presses(group, "Fold")
    assert [m.text for m in anna.sees(group)] == ["/bet 50 jackpot", "You bet 50 jackpot"]
    assert [s.text for s in server.everything_sent_to(bea)] == ["You bet 50 jackpot", "A♠ K♠"]
    assert [s.text for s in server.everything_sent_to(anna)] == ["You bet 50 jackpot"]
    assert [call.method for call in server.calls_of(group)] == [
        "sendMessage",
        "answerCallbackQuery",
        "answerCallbackQuery",
    ]
    assert server.spent_in(group) == 1


async def test_updates_are_real_messages_on_the_virtual_clock(server: BotApiServer) -> None:
    anna = server.user("Anna", language="it")
    group = server.group("Salotto", admins=[anna])
    async with polling(server) as app:
        await server.advance(100)
        said = await anna.says(group, "🂡 /bet@ridotto_test_bot 50")
        await anna.edits(said, "/bet 60")
        (message,) = await until_seen(app, "message")
        (edited,) = await until_seen(app, "edited_message")
    assert message.date.timestamp() == int(server.now)
    assert (message.chat.type, message.chat.title, message.from_user.language_code) == ("group", "Salotto", "it")
    (command,) = message.entities
    assert (command.offset, command.length) == (3, 21)  # the card is two units of UTF-16
    assert message.parse_entity(command) == "/bet@ridotto_test_bot"
    assert (edited.text, edited.message_id) == ("/bet 60", message.message_id)
    assert not server.calls_of(group)


async def test_privacy_mode_keeps_what_is_not_for_the_bot(server: BotApiServer) -> None:
    anna = server.user("Anna")
    group = server.group("Salotto", admins=[anna])
    async with polling(server) as app:
        answer = await anna.asks(group, "/bet 1")
        for text in ("good evening", "/bet@other_bot 2", "@ridotto_test_bot hello", "/last"):
            await anna.says(group, text)
        await anna.says(group, "fifty", reply_to=answer)
        seen = [message.text for message in await until_seen(app, "message", 4)]
        assert seen == ["/bet 1", "@ridotto_test_bot hello", "/last", "fifty"]
        await group.promotes_bot(anna)
        await anna.says(group, "good evening")
        assert (await until_seen(app, "message", 5))[-1].text == "good evening"


async def test_a_deep_link_opens_the_private_chat_and_a_block_closes_it(server: BotApiServer) -> None:
    anna = server.user("Anna")
    group = server.group("Salotto", admins=[anna])
    async with polling(server) as app:
        with refused(Forbidden, "bot can't initiate conversation with a user"):
            await app.bot.send_message(anna.id, "Good evening")
        link = InlineKeyboardMarkup([[InlineKeyboardButton("Open", url="https://t.me/ridotto_test_bot?start=cards")]])
        await app.bot.send_message(group.id, "Your cards by direct message?", reply_markup=link)
        await anna.presses(group, "Open")
        await server.until(lambda: anna.private.last_message.text == "Started with ['cards']")
        await anna.blocks()
        with refused(Forbidden, "bot was blocked by the user"):
            await app.bot.send_message(anna.id, "Good evening")
        (change,) = await until_seen(app, "my_chat_member")
        assert (change.chat.type, change.new_chat_member.status) == ("private", "kicked")
        await anna.starts()
        await server.until(lambda: len(anna.private.messages) == 4)


async def test_an_anonymous_admin_arrives_as_the_group(server: BotApiServer) -> None:
    anna = server.user("Anna")
    group = server.supergroup("Salotto", admins=[anna])
    async with polling(server) as app:
        await anna.says(group, "/bet 5", anonymous=True)
        (message,) = await until_seen(app, "message")
        assert (message.from_user.id, message.sender_chat.id) == (1087968824, group.id)
        assert (await app.bot.get_chat_member(group.id, 1087968824)).status == "left"


# Sending and editing


async def test_a_table_is_a_photo_that_is_edited(server: BotApiServer, bot: Bot) -> None:
    anna = server.user("Anna")
    group = server.group("Salotto", admins=[anna])
    sent = await bot.send_photo(
        group.id, png(640, 400), "<b>Place</b> &lt;bets&gt;", parse_mode="HTML", reply_markup=keyboard("Bet")
    )
    table = group.last_message
    assert (table.caption, table.photo and table.photo.data) == ("Place <bets>", png(640, 400))
    assert (sent.caption_entities[0].type, sent.caption_entities[0].length) == ("bold", 5)
    assert [(size.width, size.height) for size in sent.photo] == [(320, 200), (640, 400)]

    media = InputMediaPhoto(png(640, 400, shade=9), caption="Nulla va più")
    await bot.edit_message_media(media, group.id, table.id, reply_markup=keyboard("My cards"))
    await bot.edit_message_caption(group.id, table.id, caption="Rien ne va plus")
    assert (table.caption, table.buttons, table.edits) == ("Rien ne va plus", [], 2)
    await server.advance(1)
    await bot.edit_message_reply_markup(group.id, table.id, reply_markup=keyboard("Bet", "Rebet"))
    assert [button.data for button in table.buttons] == ["bet", "rebet"]
    with refused(BadRequest, "there is no text in the message to edit"):
        await bot.edit_message_text("words", group.id, table.id)
    versions = [shown.text for shown in server.everything_sent_to(anna)]
    assert versions == ["Place <bets>", "Nulla va più", "Rien ne va plus", "Rien ne va plus"]


async def test_pictures_are_kept_under_their_file_ids(server: BotApiServer, bot: Bot) -> None:
    group = server.group("Salotto")
    sent = await bot.send_photo(group.id, png())
    again = await bot.send_photo(group.id, sent.photo[-1].file_id)
    assert again.photo[-1].file_unique_id == sent.photo[-1].file_unique_id
    file = await bot.get_file(sent.photo[-1].file_id)
    assert bytes(await file.download_as_bytearray()) == png()
    for broken, refusal in ((b"", "file must be non-empty"), (b"no picture", "IMAGE_PROCESS_FAILED")):
        with refused(BadRequest, refusal):
            await bot.send_photo(group.id, broken)
    with refused(BadRequest, "PHOTO_INVALID_DIMENSIONS"):
        await bot.send_photo(group.id, png(300, 8))
    server.forget_files()
    with refused(BadRequest, "wrong file identifier"):
        await bot.send_photo(group.id, sent.photo[-1].file_id)


LIMITS = [
    ({"text": "x" * 4097}, "message is too long"),
    ({"text": " "}, "message text is empty"),
    ({"text": "<b>x</i>", "parse_mode": "HTML"}, 'Unmatched end tag at byte offset 4, expected "</b>", found "</i>"'),
    ({"text": "à<b>x", "parse_mode": "HTML"}, 'Can\'t find end tag corresponding to start tag "b"'),
    ({"text": "à < b", "parse_mode": "HTML"}, 'Unsupported start tag "" at byte offset 3'),
    ({"text": "<table>x</table>", "parse_mode": "HTML"}, 'Unsupported start tag "table" at byte offset 0'),
    ({"text": "x</b>", "parse_mode": "HTML"}, "Unexpected end tag at byte offset 1"),
    ({"text": "x", "message_thread_id": 1}, "message thread not found"),
    ({"text": "x", "reply_to_message_id": 77}, "message to be replied not found"),
    ({"text": "x", "chat_id": -4}, "chat not found"),
]


@pytest.mark.parametrize(("wrong", "refusal"), LIMITS, ids=[refusal for _, refusal in LIMITS])
async def test_what_telegram_refuses_to_send(server: BotApiServer, bot: Bot, wrong: Any, refusal: str) -> None:
    group = server.group("Salotto")
    with refused(BadRequest, refusal):
        await bot.send_message(**({"chat_id": group.id} | wrong))
    assert not group.messages
    assert not server.spent_in(group)


async def test_lengths_are_counted_after_the_markup(server: BotApiServer, bot: Bot) -> None:
    group = server.group("Salotto", bot="administrator")
    await bot.send_photo(group.id, png(), "<b>" + "x" * 1024 + "</b>", parse_mode="HTML")
    with refused(BadRequest, "message caption is too long"):
        await bot.send_photo(group.id, png(), "x" * 1025)
    await bot.send_message(group.id, "x")
    with refused(BadRequest, "message_too_long"):
        await bot.edit_message_text("x" * 4097, group.id, group.last_message.id)


async def test_button_data_has_64_bytes_not_characters(server: BotApiServer, bot: Bot) -> None:
    group = server.group("Salotto")

    def button(data: str) -> InlineKeyboardMarkup:
        return InlineKeyboardMarkup([[InlineKeyboardButton("Ace", callback_data=data)]])

    await bot.send_message(group.id, "fits", reply_markup=button("x" * 64))
    with refused(BadRequest, "button_data_invalid"):
        await bot.send_message(group.id, "x", reply_markup=button("♠" * 22))
    for row, refusal in (([{"text": "Ace"}], "Text buttons are unallowed"), ([{"text": " ", "url": "x"}], "non-empty")):
        _, answer = await raw(
            server, "sendMessage", json={"chat_id": group.id, "text": "x", "reply_markup": {"inline_keyboard": [row]}}
        )
        assert refusal in answer["description"]


async def test_what_cannot_be_edited(server: BotApiServer, bot: Bot) -> None:
    anna = server.user("Anna")
    group = server.group("Salotto", admins=[anna])
    forced = await bot.send_message(group.id, "How much?", reply_markup=ForceReply())
    hers = await anna.says(group, "/bet 5")
    table = await bot.send_message(group.id, "Table", reply_markup=keyboard("Bet"))
    for message_id in (forced.id, hers.id):
        with refused(BadRequest, "message can't be edited"):
            await bot.edit_message_text("x", group.id, message_id)
    await server.advance(10)
    with refused(BadRequest, "message is not modified"):
        await bot.edit_message_text("Table", group.id, table.id, reply_markup=keyboard("Bet"))
    await anna.deletes(group.last_message)
    with refused(BadRequest, "message to edit not found"):
        await bot.edit_message_text("x", group.id, table.id)
    with refused(BadRequest, "message to delete not found"):
        await bot.delete_message(group.id, table.id)
    with refused(BadRequest, "message can't be deleted"):
        await bot.delete_message(group.id, hers.id)
    await bot.delete_message(group.id, forced.id)


HTML = [
    ("  🂡 <b>a<i>b</i></b> &amp; &lt;", "🂡 ab & <", [("bold", 3, 2), ("italic", 4, 1)]),
    ('<a href="https://x.org">link</a>', "link", [("text_link", 0, 4)]),
    (
        '<span class="tg-spoiler">x</span> /bet@ridotto_bot',
        "x /bet@ridotto_bot",
        [("spoiler", 0, 1), ("bot_command", 2, 16)],
    ),
    ('<pre><code class="language-py">x</code></pre>', "x", [("pre", 0, 1)]),
    (
        "<b> </b>x > y &nbsp; <blockquote expandable>z</blockquote>\n",
        "x > y &nbsp; z",
        [("expandable_blockquote", 13, 1)],
    ),
]


@pytest.mark.parametrize(("source", "plain", "entities"), HTML)
def test_markup_becomes_entities_in_utf16_units(source: str, plain: str, entities: list[Any]) -> None:
    text, found = formatted(source, "HTML", None)
    assert (text, [(e["type"], e["offset"], e["length"]) for e in found]) == (plain, entities)


async def test_a_mention_by_link_names_the_user(server: BotApiServer, bot: Bot) -> None:
    anna = server.user("Anna")
    group = server.group("Salotto", admins=[anna])
    sent = await bot.send_message(group.id, f'<a href="tg://user?id={anna.id}">Anna</a>, your turn', "HTML")
    assert sent.entities[0].type == "text_mention"
    assert group.last_message.mentions == [anna]


async def test_all_three_bodies_say_the_same(server: BotApiServer) -> None:
    group = server.group("Salotto")
    markup = {"inline_keyboard": [[{"text": "Bet", "callback_data": "bet"}]]}
    fields = {"chat_id": str(group.id), "text": "x", "reply_markup": json.dumps(markup)}
    multipart = aiohttp.FormData(fields, default_to_multipart=True)
    for body in ({"json": fields | {"reply_markup": markup}}, {"data": fields}, {"data": multipart}):
        status, answer = await raw(server, "SENDmessage", **body)
        assert (status, answer["result"]["reply_markup"]) == (200, markup)
    assert [call.method for call in server.calls] == ["sendMessage"] * 3


async def test_error_bodies(server: BotApiServer) -> None:
    wrong = {"ok": False, "error_code": 400, "description": "Bad Request: chat not found"}
    assert await raw(server, "sendMessage", json={"chat_id": 5, "text": "x"}) == (400, wrong)
    unauthorized = {"ok": False, "error_code": 401, "description": "Unauthorized"}
    assert await raw(server, "getMe", token="1:no") == (401, unauthorized)
    unknown = {"ok": False, "error_code": 404, "description": "Not Found: method not found"}
    assert await raw(server, "dealCards") == (404, unknown)
    assert await raw(server, "sendMessage", json={"text": "x"}) == (
        400,
        {"ok": False, "error_code": 400, "description": "Bad Request: chat_id is empty"},
    )
    assert len(server.complaints) == 2  # the unknown method, the missing parameter
    server.complaints.clear()


async def test_what_the_api_does_not_know_fails_the_test() -> None:
    server = await BotApiServer(clock=VirtualClock()).start()
    group = server.group("Salotto")
    markup = {"inline_keyboard": [[{"text": "Bet", "callback_data": "bet", "colour": "red"}]]}
    body = {"chat_id": group.id, "text": "x", "parse": "HTML", "reply_markup": markup}
    status, _ = await raw(server, "sendMessage", json=body)
    assert (status, group.last_message.text) == (200, "x")  # Telegram ignores it, too
    with pytest.raises(AssertionError, match=r"colour(.|\n)*unknown parse"):
        await server.stop()


# Buttons


async def test_a_press_is_answered_once_in_time_and_in_200_characters(server: BotApiServer, bot: Bot) -> None:
    anna = server.user("Anna")
    group = server.group("Salotto", admins=[anna])
    await bot.send_message(group.id, "Table", reply_markup=keyboard("My cards"))
    press = anna.press(group, "My cards")
    with refused(BadRequest, "message_too_long"):
        await bot.answer_callback_query(press.id, "x" * 201)
    await bot.answer_callback_query(press.id, "x" * 200, show_alert=True)
    assert await press.answered() == Alert("x" * 200, show_alert=True)
    old = anna.press(group, "My cards")
    await server.advance(31)
    for query in (press.id, old.id, "5"):
        with refused(BadRequest, "query is too old"):
            await bot.answer_callback_query(query)
    with pytest.raises(AssertionError, match="never answered"):
        await old.answered(timeout=0.01)


async def test_a_stale_press_and_one_on_a_deleted_message(server: BotApiServer) -> None:
    anna = server.user("Anna")
    group = server.group("Salotto", admins=[anna])
    async with polling(server) as app:
        table = await anna.asks(group, "/bet 5")
        assert await anna.presses(table, "old", stale=True) is None
        await anna.deletes(table)
        await anna.presses(table, "my cards", stale=True)
        first, second = await until_seen(app, "callback_query", 2)
    assert (first.data, first.message.text) == ("old", "You bet 5")
    assert (second.message.message_id, second.message.is_accessible) == (table.id, False)


# Ephemeral messages


def to_one(user: Any, press: Any = None) -> dict[str, Any]:
    receiver = {"receiver_user_id": user.id} | ({"callback_query_id": press.id} if press else {})
    return {"ephemeral_message_parameters": receiver}


async def test_an_ephemeral_message_is_seen_by_one_member(server: BotApiServer, bot: Bot) -> None:
    anna, bea = server.user("Anna"), server.user("Bea")
    group = server.group("Salotto", members=[bea], admins=[anna])
    await bot.send_message(group.id, "Table", reply_markup=keyboard("My cards"))
    press = bea.press(group, "My cards")
    sent = await bot.send_photo(group.id, png(), "A♠ K♠", reply_markup=keyboard("Fold"), api_kwargs=to_one(bea, press))
    assert (sent.message_id, sent.api_kwargs["receiver_user"]["id"]) == (0, bea.id)
    cards = {"receiver_user_id": bea.id, "ephemeral_message_id": sent.api_kwargs["ephemeral_message_id"]}
    assert [m.text for m in bea.sees(group)] == ["Table", "A♠ K♠"]
    assert [m.text for m in anna.sees(group)] == ["Table"]
    assert "A♠ K♠" not in [shown.text for shown in server.everything_sent_to(anna)]
    fold = bea.press(group, "Fold")
    assert (
        server.updates.queue[-1]["callback_query"]["message"]["ephemeral_message_id"] == cards["ephemeral_message_id"]
    )
    await bot.answer_callback_query(fold.id)

    await server.advance(60)
    where = {"chat_id": group.id} | cards
    await bot.do_api_request("editEphemeralMessageCaption", where | {"caption": "Folded"})
    assert (bea.sees(group)[-1].text, bea.sees(group)[-1].buttons) == ("Folded", [])
    known = InputMediaPhoto(sent.photo[-1].file_id, caption="Again")
    await bot.do_api_request("editEphemeralMessageMedia", where | {"media": known})
    with refused(BadRequest, "can't upload files"):
        await bot.do_api_request("editEphemeralMessageMedia", where | {"media": InputMediaPhoto(png(9, 9))})
    with refused(BadRequest, "message to edit not found"):
        await bot.do_api_request("editEphemeralMessageCaption", where | {"receiver_user_id": anna.id, "caption": "x"})
    await bot.do_api_request("deleteEphemeralMessage", where)
    assert [m.text for m in bea.sees(group)] == ["Table"]


async def test_the_delivery_of_an_ephemeral_message_is_not_guaranteed(server: BotApiServer, bot: Bot) -> None:
    anna = server.user("Anna")
    group = server.group("Salotto", admins=[anna], bot="administrator")
    server.lose_ephemeral()
    for text in ("lost", "seen"):
        sent = await bot.send_message(group.id, text, api_kwargs=to_one(anna))
        assert sent.api_kwargs["ephemeral_message_id"]
    assert [m.text for m in anna.sees(group)] == ["seen"]


async def test_an_ephemeral_edit_takes_1024_characters_only(server: BotApiServer, bot: Bot) -> None:
    anna = server.user("Anna")
    group = server.group("Salotto", admins=[anna], bot="administrator")
    sent = await bot.send_message(group.id, "x" * 2000, api_kwargs=to_one(anna))
    where = {"chat_id": group.id, "receiver_user_id": anna.id} | {
        "ephemeral_message_id": sent.api_kwargs["ephemeral_message_id"]
    }
    await bot.do_api_request("editEphemeralMessageText", where | {"text": "x" * 1024})
    with refused(BadRequest, "message_too_long"):
        await bot.do_api_request("editEphemeralMessageText", where | {"text": "x" * 1025})


async def test_who_may_send_ephemeral_messages_and_when(server: BotApiServer, bot: Bot) -> None:
    anna, stranger = server.user("Anna"), server.user("Stranger")
    group = server.group("Salotto", admins=[anna])
    await anna.starts()
    await bot.send_message(group.id, "Table", reply_markup=keyboard("My cards"))
    with refused(BadRequest, "chat_admin_required"):
        await bot.send_message(group.id, "x", api_kwargs=to_one(anna))
    press = anna.press(group, "My cards")
    await server.advance(16)
    with refused(BadRequest, "query is too old"):
        await bot.send_message(group.id, "x", api_kwargs=to_one(anna, press))
    with refused(BadRequest, "user_not_participant"):
        await bot.send_message(group.id, "x", api_kwargs=to_one(stranger))
    with refused(BadRequest, "only to groups"):
        await bot.send_message(anna.id, "x", api_kwargs=to_one(anna))
    await group.promotes_bot(anna)
    await bot.send_message(group.id, "x", api_kwargs=to_one(anna))
    assert anna.sees(group)[-1].receiver is anna


@pytest.mark.parametrize(("version", "methods_known", "old_form"), [("10.0", False, False), ("10.2", True, True)])
async def test_an_older_server_ignores_the_parameter(version: str, methods_known: bool, old_form: bool) -> None:
    async with BotApiServer(clock=VirtualClock(), bot_api=version) as server, bot_of(server) as bot:
        anna = server.user("Anna")
        group = server.group("Salotto", admins=[anna], bot="administrator")
        where = {"chat_id": group.id, "receiver_user_id": anna.id, "ephemeral_message_id": 1}
        with pytest.raises(BadRequest if methods_known else EndPointNotFound):
            await bot.do_api_request("deleteEphemeralMessage", where)
        sent = await bot.send_message(group.id, "A♠ K♠", api_kwargs=to_one(anna))
        assert ("ephemeral_message_id" in sent.api_kwargs, group.last_message.text) == (False, "A♠ K♠")
        sent = await bot.send_message(group.id, "Q♠ J♠", api_kwargs={"receiver_user_id": anna.id})
        assert ("ephemeral_message_id" in sent.api_kwargs) == old_form


# Topics, members, migration


async def test_topics(server: BotApiServer) -> None:
    anna = server.user("Anna")
    forum = server.forum("Casino", admins=[anna])
    other = await forum.topic("Chatter")
    async with polling(server) as app:
        bot = app.bot
        with refused(BadRequest, "not enough rights to create a topic"):
            await bot.create_forum_topic(forum.id, "Paiju")
        await forum.promotes_bot(anna, "can_manage_topics")
        created = await bot.create_forum_topic(forum.id, "Paiju")
        paiju = forum.topics[created.message_thread_id]
        answer = await anna.asks(paiju, "/bet 5")
        assert answer.topic is paiju
        messages = await until_seen(app, "message", 1)
        said = messages[-1]
        assert (said.message_thread_id, said.is_topic_message) == (paiju.id, True)
        assert (said.reply_to_message.message_id, said.reply_to_message.from_user.id) == (paiju.id, bot.id)
        assert (paiju.messages, other.messages) == ([answer.reply_to, answer], [])

        await bot.edit_message_text("edited", forum.id, answer.id)
        assert [c.method for c in server.calls_of(paiju)] == ["sendMessage", "editMessageText"]
        await bot.edit_forum_topic(forum.id, paiju.id, "Paiju 2")
        await bot.close_forum_topic(forum.id, paiju.id)
        with refused(BadRequest, "topic_not_modified"):
            await bot.close_forum_topic(forum.id, paiju.id)
        await forum.demotes_bot(anna)
        await other.closes(anna)
        with refused(BadRequest, "topic_closed"):
            await bot.send_message(forum.id, "x", message_thread_id=other.id)
        await other.is_deleted()
        for thread in (other.id, 1, 999):
            with refused(BadRequest, "message thread not found"):
                await bot.send_message(forum.id, "x", message_thread_id=thread)
        await forum.promotes_bot(anna)
        await bot.delete_forum_topic(forum.id, paiju.id)
        with refused(BadRequest, "message to edit not found"):
            await bot.edit_message_text("again", forum.id, answer.id)
        with refused(BadRequest, "the chat is not a forum"):
            await bot.create_forum_topic(server.group("Plain").id, "x")


async def test_members_and_their_standing(server: BotApiServer, bot: Bot) -> None:
    anna, bea, carlo = (server.user(name) for name in ("Anna", "Bea", "Carlo"))
    group = server.group("Salotto", members=[carlo], admins=[anna, bea], bot=["can_pin_messages"])
    standing = [(await bot.get_chat_member(group.id, user.id)).status for user in (anna, bea, carlo)]
    assert standing == ["creator", "administrator", "member"]
    admins = await bot.get_chat_administrators(group.id)
    assert {member.user.id for member in admins} == {anna.id, bea.id, bot.id}
    assert await bot.get_chat_member_count(group.id) == 4
    permissions = (await bot.get_chat(group.id)).permissions
    assert permissions
    assert permissions.can_send_messages
    await bot.send_message(group.id, "Table")
    await bot.pin_chat_message(group.id, group.last_message.id)
    await bot.send_chat_action(group.id, "typing")
    with refused(BadRequest, "participant_id_invalid"):
        await bot.get_chat_member(group.id, 5)
    await carlo.leaves(group)
    assert (await bot.get_chat_member(group.id, carlo.id)).status == "left"
    await bot.leave_chat(group.id)
    with refused(Forbidden, "bot is not a member of the group chat"):
        await bot.get_chat(group.id)


async def test_the_bot_comes_is_promoted_muted_and_removed(server: BotApiServer) -> None:
    anna = server.user("Anna")
    group = server.supergroup("Salotto", admins=[anna], bot=None)
    async with polling(server) as app:
        await group.adds_bot(anna)
        await group.promotes_bot(anna, "can_delete_messages")
        await group.mutes_bot(anna)
        with refused(BadRequest, "not enough rights to send text messages to the chat"):
            await app.bot.send_message(group.id, "x")
        with refused(BadRequest, "not enough rights to send photos to the chat"):
            await app.bot.send_photo(group.id, png())
        await group.removes_bot(anna)
        with refused(Forbidden, "bot was kicked from the supergroup chat"):
            await app.bot.send_message(group.id, "x")
        changes = await until_seen(app, "my_chat_member", 4)
        states = [change.new_chat_member.status for change in changes]
        assert states == ["member", "administrator", "restricted", "kicked"]
        assert changes[0].old_chat_member.status == "left"
        plain = server.group("Plain", admins=[anna])
        await plain.mutes_bot(anna)
        with refused(BadRequest, "not enough rights to send text messages"):
            await app.bot.send_message(plain.id, "x")


async def test_a_group_that_becomes_a_supergroup_changes_its_id(server: BotApiServer) -> None:
    anna = server.user("Anna")
    group = server.group("Salotto", admins=[anna])
    async with polling(server) as app:
        table = await anna.asks(group, "/bet 5")
        old_id = await group.becomes_supergroup(anna, forum=True)
        with pytest.raises(ChatMigrated) as moved:
            await app.bot.edit_message_text("x", old_id, table.id)
        assert moved.value.new_chat_id == group.id
        away, arrived = (await until_seen(app, "message", 3))[1:]
        assert (away.chat.id, away.migrate_to_chat_id) == (old_id, group.id)
        assert (arrived.chat.id, arrived.migrate_from_chat_id) == (group.id, old_id)
        with refused(BadRequest, "message to edit not found"):
            await app.bot.edit_message_text("x", group.id, table.id)
        assert (await anna.asks(group, "/bet 6")).chat is group


async def test_menus_by_scope_and_language(server: BotApiServer, bot: Bot) -> None:
    anna, bea = server.user("Anna", language="it"), server.user("Bea")
    group = server.group("Salotto", members=[bea], admins=[anna])
    await bot.set_my_commands([BotCommand("help", "Help")])
    await bot.set_my_commands([BotCommand("bet", "Bet")], BotCommandScopeAllGroupChats())
    await bot.set_my_commands([BotCommand("punta", "Punta")], BotCommandScopeAllGroupChats(), language_code="it")
    await bot.set_my_commands([BotCommand("setup", "Set up")], BotCommandScopeAllChatAdministrators())
    await bot.set_my_commands([BotCommand("daily", "Chips")], BotCommandScopeAllPrivateChats())
    assert [server.menu_of(user, group) for user in (anna, bea)] == [["setup"], ["bet"]]
    assert server.menu_of(anna, anna.private) == ["daily"]
    await bot.delete_my_commands(BotCommandScopeAllChatAdministrators())
    assert server.menu_of(anna, group) == ["punta"]
    assert [c.command for c in await bot.get_my_commands(BotCommandScopeAllGroupChats())] == ["bet"]
    for command, description in (("città", "x"), ("bet", " ")):
        wrong = {"commands": [{"command": command, "description": description}]}
        status, _ = await raw(server, "setMyCommands", json=wrong)
        assert status == 400
    await bot.set_my_description("A casino for chats.")


# Limits and faults


async def test_a_group_takes_twenty_messages_and_edits_a_minute_in_all_its_topics(
    server: BotApiServer, bot: Bot
) -> None:
    anna = server.user("Anna")
    forum = server.forum("Casino", admins=[anna])
    topics = [await forum.topic(name) for name in ("Paiju", "Caribbean")]
    for number in range(20):
        if number % 2:
            await bot.edit_message_text(f"{number}", forum.id, forum.last_message.id)
        else:
            await bot.send_message(forum.id, f"{number}", message_thread_id=topics[number % 4 // 2].id)
        await server.advance(1)
    with pytest.raises(RetryAfter) as wait:
        await bot.edit_message_text("x", forum.id, forum.last_message.id)
    assert seconds(wait.value) == 40
    assert server.spent_in(forum) == 20
    with pytest.raises(RetryAfter):
        await bot.send_message(forum.id, "too soon")
    assert [call.method for call in server.impatient] == ["sendMessage"]
    await server.advance(40)
    await bot.send_message(forum.id, "now")


async def test_a_chat_takes_one_a_second_with_a_burst_of_three_and_all_take_thirty(
    bot: Bot, server: BotApiServer
) -> None:
    groups = [server.group(f"Salotto {number}") for number in range(31)]
    for _ in range(3):
        await bot.send_message(groups[0].id, "x")
    with pytest.raises(RetryAfter) as wait:
        await bot.send_message(groups[0].id, "x")
    assert seconds(wait.value) == 1
    await asyncio.gather(*(bot.send_message(group.id, "x") for group in groups[1:28]))
    with pytest.raises(RetryAfter):
        await bot.send_message(groups[29].id, "x")
    await server.advance(1)
    await bot.send_message(groups[29].id, "x")


async def test_a_storm_over_one_chat_leaves_the_others_alone(server: BotApiServer, bot: Bot) -> None:
    one, other = server.group("One"), server.group("Other")
    server.storm(one, 30)
    await server.advance(10)
    with pytest.raises(RetryAfter) as wait:
        await bot.send_message(one.id, "x")
    assert seconds(wait.value) == 20
    await bot.send_message(other.id, "x")
    await server.advance(20)
    await bot.send_message(one.id, "x")


async def test_scripted_errors_and_broken_connections(server: BotApiServer, bot: Bot) -> None:
    group, other = server.group("Salotto"), server.group("Other")
    server.fail("sendPhoto", 500, times=2, chat=group)
    await bot.send_photo(other.id, png())
    for _ in range(2):
        with pytest.raises(NetworkError):
            await bot.send_photo(group.id, png())
    await bot.send_photo(group.id, png())
    server.fail("sendMessage", 429, retry_after=7)
    with pytest.raises(RetryAfter):
        await bot.send_message(group.id, "x")
    server.drop_connection("sendMessage")
    with pytest.raises(NetworkError):
        await bot.send_message(other.id, "never came")
    server.drop_connection("sendMessage", done=True)
    with pytest.raises(NetworkError):
        await bot.send_message(other.id, "came, and nobody was told")
    server.cut_answer("sendMessage")
    with pytest.raises(NetworkError):
        await bot.send_message(other.id, "came as well")
    assert [m.text for m in other.messages[1:]] == ["came, and nobody was told", "came as well"]


async def test_a_slow_answer_waits_for_the_virtual_clock(server: BotApiServer, bot: Bot) -> None:
    group = server.group("Salotto")
    server.slow("sendMessage", 3)
    sending = asyncio.create_task(bot.send_message(group.id, "x"))
    await server.until(lambda: group.last_message)
    await server.advance(2)
    assert not sending.done()
    await server.advance(1)
    assert (await sending).text == "x"


async def test_updates_are_doubled_or_lost(server: BotApiServer) -> None:
    anna = server.user("Anna")
    group = server.group("Salotto", admins=[anna])
    async with polling(server) as app:
        server.double_updates()
        await anna.says(group, "/bet 1")
        await until_seen(app, "message", 2)
        server.lose_updates()
        await anna.says(group, "/bet 2")
        await anna.says(group, "/bet 3")
        seen = await until_seen(app, "message", 3)
        assert [message.text for message in seen] == ["/bet 1", "/bet 1", "/bet 3"]
        ids = [update.update_id for update in app.bot_data["seen"]]
        assert ids[0] == ids[1]
        assert server.updates.lost[0]["message"]["text"] == "/bet 2"


# How updates come


async def test_updates_wait_for_a_bot_that_is_down(server: BotApiServer) -> None:
    anna = server.user("Anna")
    group = server.group("Salotto", admins=[anna])
    async with polling(server):
        table = await anna.asks(group, "/bet 1")
    press = anna.press(table, "Go")
    await server.advance(5)
    async with polling(server):
        assert await press.answered() is None


async def test_polls_confirm_by_offset_and_end_each_other(server: BotApiServer) -> None:
    anna = server.user("Anna")
    first = asyncio.create_task(raw(server, "getUpdates", data={"timeout": "10"}))
    await server.until(lambda: server.updates.polls == 1)
    second = asyncio.create_task(raw(server, "getUpdates", json={"timeout": 10}))
    status, answer = await first
    assert (status, answer["description"]) == (
        409,
        "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    )
    await anna.starts()
    _, answer = await second
    (update,) = answer["result"]
    _, again = await raw(server, "getUpdates", json={"offset": update["update_id"]})
    assert again["result"] == [update]
    _, after = await raw(server, "getUpdates", json={"offset": update["update_id"] + 1})
    assert after["result"] == []


@pytest.mark.slow
async def test_a_second_bot_is_a_conflict(server: BotApiServer) -> None:
    conflicts: list[Any] = []
    async with polling(server, timeout=10, error_callback=conflicts.append):
        await server.until(lambda: server.updates.polls)
        await raw(server, "getUpdates", json={"timeout": 0})
        await server.until(lambda: conflicts)
    assert isinstance(conflicts[0], Conflict)


async def test_only_allowed_updates_come(server: BotApiServer) -> None:
    anna, bea = server.user("Anna"), server.user("Bea")
    group = server.group("Salotto", members=[bea], admins=[anna], bot="administrator")
    await group.promotes(bea, by=anna)
    assert not server.updates.queue  # chat_member comes on request only
    await raw(server, "getUpdates", json={"allowed_updates": ["chat_member"]})
    await group.demotes(bea, by=anna)
    await anna.says(group, "/bet 5")
    assert [list(update)[1] for update in server.updates.queue] == ["chat_member"]


async def test_a_webhook_with_its_secret_is_tried_again_until_taken(server: BotApiServer) -> None:
    anna, taken = server.user("Anna"), []
    statuses = iter([500, 200, 200])
    app = application(server)
    app.add_handler(CommandHandler("start", start))

    async def receive(request: web.Request) -> web.Response:
        assert request.headers["X-Telegram-Bot-Api-Secret-Token"] == "house-secret"
        body = await request.json()
        if (status := next(statuses)) == 200:
            taken.append(body["update_id"])
            await app.process_update(Update.de_json(body, app.bot))
        return web.Response(status=status)

    async with app, served(receive) as url:
        await app.bot.set_webhook(url, secret_token="house-secret", allowed_updates=["message"])
        with refused(Conflict, "can't use getUpdates method while webhook is active"):
            await app.bot.get_updates()
        await anna.asks(anna.private, "/start hello")
        info = await app.bot.get_webhook_info()
        assert (info.url, info.pending_update_count) == (url, 0)
        assert "500 Internal Server Error" in str(info.last_error_message)
        server.double_updates()
        statuses = iter([200, 200])
        await anna.says(anna.private, "/start again")
        await server.until(lambda: len(taken) == 3)
        assert taken[1] == taken[2]
        await app.bot.delete_webhook()
        assert (await app.bot.get_webhook_info()).url == ""
        with refused(BadRequest, "bad webhook"):
            await app.bot.set_webhook("http://example.org/")


async def test_a_webhook_may_answer_with_a_call_and_hears_nothing_of_it(server: BotApiServer) -> None:
    anna = server.user("Anna")
    answer: dict[str, Any] = {}

    async def receive(request: web.Request) -> web.Response:
        query = (await request.json())["callback_query"]["id"]
        return web.json_response({"callback_query_id": query, **answer})

    async with bot_of(server) as bot, served(receive) as url:
        group = server.group("Salotto", members=[anna])
        await bot.send_message(group.id, "table", reply_markup=keyboard("Go"))
        await bot.set_webhook(url, allowed_updates=["callback_query"])
        answer |= {"method": "AnswerCallbackQuery", "text": "A♠", "show_alert": True}
        assert await anna.presses(group, "go") == Alert("A♠", show_alert=True)
        call = server.calls[-1]
        assert (call.method, call.by_webhook, call.ok) == ("answerCallbackQuery", True, True)
        answer["text"] = "x" * 201
        anna.press(group, "go")
        await server.until(lambda: server.calls[-1].error_code == 400)
        assert not server.complaints, "what is refused is the bot's own business"
        for wrong in ({"method": "getMe"}, {"method": 5}, {"method": "answerCallbackQuery", "color": "red"}):
            answer = dict(wrong)
            anna.press(group, "go")
            await server.until(lambda: server.complaints)
            server.complaints.clear()


@contextlib.asynccontextmanager
async def served(handler: Any) -> AsyncIterator[str]:
    site = web.Application()
    site.router.add_post("/hook", handler)
    runner = web.AppRunner(site)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    try:
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/hook"
    finally:
        await runner.cleanup()


OTHER_PROCESS = """
import sys
from telegram.ext import ApplicationBuilder, CommandHandler

async def bet(update, context):
    await update.message.reply_text("from afar")

app = ApplicationBuilder().token(sys.argv[1]).base_url(sys.argv[2]).build()
app.add_handler(CommandHandler("bet", bet))
app.run_polling(poll_interval=0)
"""


async def test_a_bot_in_a_process_of_its_own() -> None:
    async with BotApiServer(clock=SystemClock()) as server:
        anna = server.user("Anna")
        group = server.group("Salotto", admins=[anna])
        command = [sys.executable, "-c", OTHER_PROCESS, server.token, server.base_url]
        bot = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=os.fspath(ROOT))
        try:
            answer = await anna.asks(group, "/bet 5")
        finally:
            bot.terminate()
            _, errors = await asyncio.to_thread(bot.communicate, timeout=PATIENCE_S)
        assert answer.text == "from afar", errors


async def test_no_limits_if_none_are_wanted() -> None:
    async with BotApiServer(limits=None) as server, bot_of(server) as bot:
        group = server.group("Salotto")
        for number in range(25):
            await bot.send_message(group.id, str(number))
    async with BotApiServer(limits=Limits(group_per_minute=1)) as server, bot_of(server) as bot:
        group = server.group("Salotto")
        await bot.send_message(group.id, "x")
        with pytest.raises(RetryAfter):
            await bot.send_message(group.id, "x")
