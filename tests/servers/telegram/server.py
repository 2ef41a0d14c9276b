"""The loopback Bot API server: HTTP in front, the test world behind, every call recorded."""

import asyncio
import contextlib
import itertools
import json
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Self

from aiohttp import web
from aiohttp.multipart import BodyPartReader

from tests.latency import usual_way_s
from tests.patience import PATIENCE_S
from tests.servers.telegram.clock import Clock, VirtualClock
from tests.servers.telegram.faults import Fault, Faults
from tests.servers.telegram.limits import Flood, Limits
from tests.servers.telegram.methods import EPHEMERAL, METHODS, menu_of
from tests.servers.telegram.pictures import Album
from tests.servers.telegram.refusal import Refusal
from tests.servers.telegram.text import Entity, utf16_slice
from tests.servers.telegram.updates import Updates, Webhook
from tests.servers.telegram.world import (
    GONE,
    ICON_COLOR,
    RIGHTS,
    Alert,
    Chat,
    Json,
    Message,
    Place,
    Press,
    Shown,
    Topic,
    User,
    chat_and_topic,
)

TOKEN = "123456789:AAHtest-token-of-the-loopback-server"
# After this many turns of the loop only running calls are left.
IDLE_TURNS = 20


@dataclass
class Call:
    """One request of the bot: its decoded parameters, and the answer (None: the connection broke).

    `by_webhook`: it was the answer to an update, whose result is not reported to the bot.
    """

    time: float
    method: str
    parameters: Json = field(default_factory=dict)
    uploads: dict[str, bytes] = field(default_factory=dict, repr=False)
    chat: Chat | None = None
    spent: bool = False  # it counted for the flood limits
    answer: Json | None = None
    by_webhook: bool = False

    @property
    def ok(self) -> bool:
        return bool(self.answer and self.answer["ok"])

    @property
    def error_code(self) -> int | None:
        return (self.answer or {}).get("error_code")

    @property
    def description(self) -> str:
        return str((self.answer or {}).get("description", ""))


class BotApiServer:
    """Telegram as one bot sees it, on 127.0.0.1 and a free port, in the loop that starts it.

    `bot_api` is its version: before 10.2 ephemeral parameters are ignored and their methods are unknown; 10.2 accepts
    them only as parameters of their own. `limits=None` lifts the flood limits. `at_once` updates go to a webhook
    concurrently; one at a time keeps their order, which Telegram does not. A call takes `way_s`, half of it before it
    is carried out and half after. A virtual clock moves by itself while calls are under way and nothing else is to do.
    Leaving `async with` (or `stop`) fails the test if the bot sent anything that the Bot API does not know.
    """

    def __init__(
        self,
        token: str = TOKEN,
        *,
        clock: Clock | None = None,
        bot_api: str = "10.3",
        username: str = "ridotto_test_bot",
        limits: Limits | None = Limits(),  # noqa: B008 (frozen)
        privacy: bool = True,
        strict: bool = True,
        ephemeral_counts: bool = True,
        query_lifetime_s: float = 30.0,
        at_once: int = 1,
        main_web_app: bool = False,
        way_s: Callable[[int], float] = usual_way_s,
    ) -> None:
        self.token, self.way_s = token, way_s
        self.clock = clock or VirtualClock()
        self.version = tuple(int(part) for part in bot_api.split("."))
        self.bot = User(self, int(token.partition(":")[0]), "Ridotto", username, is_bot=True)
        self.privacy, self.strict, self.at_once = privacy, strict, at_once
        # Whether BotFather has a main Mini App; the button beside the field in private chats.
        self.main_web_app, self.menu_button = main_web_app, {"type": "default"}
        self.ephemeral_to_lose = 0
        self.ephemeral_counts, self.query_lifetime_s = ephemeral_counts, query_lifetime_s
        self.users: dict[int, User] = {self.bot.id: self.bot}
        self.chats: dict[int, Chat] = {}
        self.migrated: dict[int, Chat] = {}
        self.menus: dict[tuple[str, int, int, str], list[Json]] = {}
        self.presses: dict[str, Press] = {}
        self.calls: list[Call] = []
        self.impatient: list[Call] = []
        self.complaints: list[str] = []
        self.shown: list[Shown] = []
        self.album = Album()
        self.flood = Flood(limits)
        self.faults = Faults()
        self.updates = Updates()
        self.call = Call(0, "")
        self.port = 0
        self._holds: dict[int, float] = {}
        self._numbers = itertools.count(1)
        self._ephemeral_ids = itertools.count(29_000_001)
        self._in_flight = 0
        self._call_numbers = itertools.count(1)
        self._on_way = 0
        self._has_left = asyncio.Event()
        self._mover: asyncio.Task[None] | None = None
        # Answers that are held back on purpose.
        self.resting = 0
        self._last_activity = 0.0
        self._activity = asyncio.Event()
        self._down = ""
        self._is_up = asyncio.Event()
        self._is_up.set()
        self._runner: web.AppRunner | None = None
        self._site: web.TCPSite | None = None
        self._deliverer: asyncio.Task[None] | None = None
        from tests.servers.telegram import models  # takes seconds to import: only for tests that need a server

        self._models = models

    async def start(self) -> Self:
        app = web.Application(client_max_size=60 * 1024 * 1024)
        app.router.add_route("*", "/bot{token}/{method}", self._handle)
        app.router.add_get("/file/bot{token}/{path:.+}", self._download)
        self._runner = web.AppRunner(app, access_log=None, handler_cancellation=True, shutdown_timeout=0.2)
        await self._runner.setup()
        self._site = web.TCPSite(self._runner, "127.0.0.1", self.port)
        await self._site.start()
        self.port = self._runner.addresses[0][1]
        self._deliverer = asyncio.create_task(self._deliver())
        if isinstance(self.clock, VirtualClock):
            self._mover = asyncio.create_task(self._move(self.clock))
        return self

    async def _move(self, clock: VirtualClock) -> None:
        """Move the clock while calls are under way and nothing else is to do."""
        while True:
            await self._has_left.wait()
            idle = 0
            while idle < IDLE_TURNS:
                seen = self._last_activity
                await asyncio.sleep(0)
                idle = idle + 1 if self._in_flight == self._on_way and seen == self._last_activity else 0
            if self._on_way:
                clock.wake_next()
            else:
                self._has_left.clear()

    async def _travel(self, seconds: float) -> None:
        if not seconds:
            return
        self._on_way += 1
        self._has_left.set()
        self._note_activity()
        try:
            await self.clock.sleep(seconds)
        finally:
            self._on_way -= 1

    async def _deliver(self) -> None:
        await self.updates.deliver_for_ever(lambda: self.now, self._execute, self.at_once)

    async def stop(self) -> None:
        """Close, and fail if anything was sent that the Bot API does not know."""
        await self._close()
        self.check()

    async def _close(self) -> None:
        self._is_up.set()
        self.updates.close()
        for task in (self._deliverer, self._mover):
            if task:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        if self._runner:
            await self._runner.cleanup()

    def check(self) -> None:
        """Check that nothing unknown or malformed was sent so far; `complaints.clear()` resets the list."""
        assert not (self.strict and self.complaints), "\n".join(self.complaints)

    async def __aenter__(self) -> Self:
        return await self.start()

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        await self._close()
        if kind is None:
            self.check()

    @property
    def base_url(self) -> str:
        """Return the address for `ApplicationBuilder().base_url(...)` and RIDOTTO_TELEGRAM_API."""
        return f"http://127.0.0.1:{self.port}/bot"

    @property
    def base_file_url(self) -> str:
        return f"http://127.0.0.1:{self.port}/file/bot"

    @property
    def now(self) -> float:
        return self.clock.now()

    def user(self, name: str, *, language: str | None = "en", username: str | None = None) -> User:
        user = User(self, 500_000_000 + next(self._numbers), name, username, language)
        self.users[user.id] = user
        return user

    def group(self, title: str, members: Iterable[User] = (), admins: Iterable[User] = (), **options: Any) -> Chat:
        """Return a plain group owned by the first administrator. The bot is a member already: `bot=` None, "member",
        "administrator" (all rights), or the names of its rights.
        """
        return self._new_chat("group", title, members, admins, **options)

    def supergroup(self, title: str, members: Iterable[User] = (), admins: Iterable[User] = (), **options: Any) -> Chat:
        return self._new_chat("supergroup", title, members, admins, **options)

    def forum(self, title: str, members: Iterable[User] = (), admins: Iterable[User] = (), **options: Any) -> Chat:
        chat = self._new_chat("supergroup", title, members, admins, **options)
        chat.is_forum = True
        return chat

    def _new_chat(
        self,
        kind: str,
        title: str,
        members: Iterable[User],
        admins: Iterable[User],
        bot: str | Iterable[str] | None = "member",
        username: str | None = None,
    ) -> Chat:
        number = next(self._numbers)
        chat_id = -(400_000_000 + number) if kind == "group" else -(1_002_000_000_000 + number)
        chat = self.chats[chat_id] = Chat(self, chat_id, kind, title, username=username)
        for user in members:
            chat.set_member(user, "member")
        for index, user in enumerate(admins):
            chat.set_member(user, "administrator" if index else "creator", frozenset(RIGHTS))
        if bot is not None:
            named = isinstance(bot, str)
            rights = frozenset(RIGHTS if bot == "administrator" else () if named else bot)
            chat.set_member(self.bot, "member" if bot == "member" else "administrator", rights)
        return chat

    def private_chat(self, user: User) -> Chat:
        if user.id not in self.chats:
            chat = self.chats[user.id] = Chat(self, user.id, "private", user.first_name, user)
            chat.set_member(user, "member")
            chat.set_member(self.bot, "member")
        return self.chats[user.id]

    def chat_by_id(self, chat_id: Any) -> Chat | None:
        if isinstance(chat_id, str) and chat_id.startswith("@"):
            return next((chat for chat in self.chats.values() if chat.username == chat_id[1:]), None)
        try:
            number = int(chat_id)
        except (TypeError, ValueError):
            return None
        if number in self.users and number != self.bot.id:
            return self.private_chat(self.users[number])
        return self.chats.get(number)

    def find_message(self, chat: Chat, message_id: int) -> Message | None:
        found = (m for m in chat.all_messages if m.id == message_id and m.receiver is None)
        message = next(found, None) if message_id else None
        return None if message is None or message.deleted else message

    def next_message_id(self, chat: Chat) -> int:
        """Return the next message id: a supergroup counts its own, other chats share the bot's counter."""
        if chat.type != "supergroup":
            return 1000 + next(self._numbers)
        chat.last_id = max(chat.last_id, 1) + 1  # 1 is the General topic
        return chat.last_id

    def next_ephemeral_id(self) -> int:
        return next(self._ephemeral_ids)

    def mentioned(self, text: str, entity: Entity) -> User | None:
        if entity["type"] == "text_mention":
            return self.users.get(entity["user"]["id"])
        if entity["type"] == "text_link" and entity["url"].startswith("tg://user?id="):
            number = entity["url"].removeprefix("tg://user?id=")
            return self.users.get(int(number)) if number.isdigit() else None
        if entity["type"] == "mention":
            name = utf16_slice(text, entity["offset"], entity["length"]).removeprefix("@")
            return next((user for user in self.users.values() if user.username == name), None)
        return None

    def user_wrote(self, message: Message) -> None:
        message.chat.all_messages.append(message)
        if self.bot_receives(message):
            self.add_update("message", message.as_json())

    def bot_receives(self, message: Message) -> bool:
        """Return whether the bot gets a message in privacy mode: commands, mentions, replies and notices, unless it
        administers.
        """
        if not message.chat.in_group:
            return True
        if message.chat.bot_member.status in GONE:
            return False
        if message.chat.bot_member.is_admin or not self.privacy or message.service:
            return True
        answered = message.reply_to or (message.topic.first if message.topic else None)
        to_bot = answered is not None and answered.sender is self.bot
        return to_bot or self._is_command(message) or self.bot in message.mentions

    def _is_command(self, message: Message) -> bool:
        commands = [text.partition("@")[2] for text in message.entity_texts("bot_command")]
        return any(name in ("", self.bot.username) for name in commands)

    def user_pressed(self, user: User, message: Message, data: str) -> Press:
        query = str(8_000_000_000_000_000 + next(self._numbers))
        answer: asyncio.Future[Alert | None] = asyncio.get_running_loop().create_future()
        press = self.presses[query] = Press(query, user, message.chat, data, self.now, answer)
        # A press on a deleted message arrives without its content, dated 0.
        gone = {"chat": message.chat.as_json(), "message_id": message.id, "date": 0}
        payload = {"id": query, "from": user.as_json(), "chat_instance": str(message.chat.id), "data": data}
        self.add_update("callback_query", payload | {"message": gone if message.deleted else message.as_json()})
        return press

    def answer_press(self, press: Press, text: str, show_alert: bool) -> None:
        alert = Alert(text, show_alert) if text else None
        press.answer.set_result(alert)
        if alert:
            self.shown.append(Shown(self.now, "alert", press.chat, press.user, text))

    def service_message(self, chat: Chat, by: User, *, topic: Topic | None = None, **service: Any) -> Message:
        message = Message(chat, self.next_message_id(chat), self.now, by, topic=topic, service=service)
        chat.all_messages.append(message)
        if by is not self.bot and self.bot_receives(message):
            self.add_update("message", message.as_json())
        return message

    def bot_membership_changed(
        self, chat: Chat, by: User, status: str, rights: frozenset[str] = frozenset(), muted: bool = False
    ) -> None:
        old = chat.bot_member.as_json()
        if status in GONE and chat.type == "group" and by is not self.bot:
            self.service_message(chat, by, left_chat_member=self.bot.as_json())
        chat.set_member(self.bot, status, rights, muted)
        self._membership_update("my_chat_member", chat, by, old, chat.bot_member.as_json())

    def member_changed(self, chat: Chat, by: User, user: User, status: str, rights: Iterable[str] = ()) -> None:
        old = chat.members[user.id].as_json()
        chat.set_member(user, status, frozenset(rights))
        if chat.bot_member.is_admin:
            self._membership_update("chat_member", chat, by, old, chat.members[user.id].as_json())

    def private_membership_changed(self, user: User, old: str, new: str) -> None:
        bot, chat = self.bot.as_json(), self.private_chat(user)
        states = [{"user": bot, "status": s} | ({"until_date": 0} if s == "kicked" else {}) for s in (old, new)]
        self._membership_update("my_chat_member", chat, user, *states)

    def _membership_update(self, kind: str, chat: Chat, by: User, old: Json, new: Json) -> None:
        change = {"chat": chat.as_json(), "from": by.as_json(), "date": int(self.now)}
        self.add_update(kind, change | {"old_chat_member": old, "new_chat_member": new})

    def migrate(self, chat: Chat, by: User, forum: bool) -> int:
        old_id, new_id = chat.id, -(1_002_000_000_000 + next(self._numbers))
        notice = Message(chat, self.next_message_id(chat), self.now, by, service={"migrate_to_chat_id": new_id})
        self.add_update("message", notice.as_json())
        del self.chats[old_id]
        chat.id, chat.type, chat.is_forum, chat.all_messages = new_id, "supergroup", forum, []
        self.chats[new_id] = self.migrated[old_id] = chat
        self.service_message(chat, by, migrate_from_chat_id=old_id)
        return old_id

    def create_topic(self, chat: Chat, maker: User, name: str) -> Topic:
        created = {"forum_topic_created": {"name": name, "icon_color": ICON_COLOR}}
        first = Message(chat, self.next_message_id(chat), self.now, maker, service=created)
        topic = first.topic = chat.topics[first.id] = Topic(chat, first.id, name, maker, first)
        chat.all_messages.append(first)
        if maker is self.bot:
            self.show_topic(topic)
        elif self.bot_receives(first):
            self.add_update("message", first.as_json())
        return topic

    def add_update(self, kind: str, payload: Json) -> None:
        if update := self.updates.add(kind, json.loads(json.dumps(payload))):
            self._models.check_update(update)
        self._note_activity()

    def show(self, message: Message, kind: str) -> None:
        photo = message.photo.data if message.photo else None
        buttons = tuple(message.buttons)
        shown = Shown(self.now, kind, message.chat, message.receiver, message.text, photo, buttons, message)
        self.shown.append(shown)

    def show_topic(self, topic: Topic) -> None:
        self.shown.append(Shown(self.now, "topic", topic.chat, None, topic.name))

    def what_user_sees(self, user: User, where: Place) -> list[Message]:
        chat, topic = chat_and_topic(where)
        there = (m for m in chat.all_messages if topic is None or m.topic is topic)
        return [m for m in there if not m.deleted and not m.service and user.can_see(m)]

    def everything_sent_to(self, user: User) -> list[Shown]:
        """Return everything the bot ever let this user see: all versions of messages, deleted ones too, alerts,
        ephemeral and direct messages, and public ones in any chat that they were ever in.
        """
        return [s for s in self.shown if s.to is user or (s.to is None and user.id in s.chat.ever_members)]

    def menu_of(self, user: User, chat: Chat) -> list[str]:
        """Return the commands that Telegram offers this user here."""
        return menu_of(self, user, chat)

    def calls_of(self, where: Place, *methods: str) -> list[Call]:
        """Return the calls in a chat (all topics included) or a topic, of these methods if any are named."""
        chat, topic = chat_and_topic(where)
        return [
            call
            for call in self.calls
            if call.chat is chat
            and (not methods or call.method in methods)
            and (topic is None or self._topic_id_of(call) == topic.id)
        ]

    def _topic_id_of(self, call: Call) -> int | None:
        if "message_thread_id" in call.parameters:
            return int(call.parameters["message_thread_id"])
        assert call.chat
        message_id = call.parameters.get("message_id")
        message = next((m for m in call.chat.all_messages if m.id and m.id == message_id), None)
        return message.topic.id if message and message.topic else None

    def spent_in(self, where: Place, since: float = 0.0) -> int:
        """Return how many messages and edits counted for the flood limits."""
        return sum(call.spent and call.time >= since for call in self.calls_of(where))

    async def until(self, condition: Callable[[], Any], what: str = "") -> Any:
        """Wait (real time) until the condition holds, and return its value; a failing assertion counts as not yet."""
        deadline, why = time.monotonic() + PATIENCE_S, "it never held"
        while True:
            activity = self._activity
            try:
                if value := condition():
                    return value
            except AssertionError as error:
                why = str(error)
            if time.monotonic() > deadline:
                last = "\n".join(f"  {c.method} {c.parameters} -> {c.answer}"[:400] for c in self.calls[-5:])
                raise AssertionError(f"waited {PATIENCE_S:g} s for {what or condition}: {why}\nlast calls:\n{last}")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(activity.wait(), 0.05)

    async def settled(self, quiet: float = 0.02) -> None:
        """Wait (real time) until every update is confirmed, no call is under way and nothing happened for a moment."""
        start = self._last_activity = time.monotonic()
        while not self._is_quiet(quiet):
            assert time.monotonic() - start < PATIENCE_S, "the bot does not settle"
            await asyncio.sleep(quiet / 4)

    def _is_quiet(self, quiet: float) -> bool:
        still = not self._in_flight and time.monotonic() - self._last_activity > quiet
        return still and self.updates.is_taken

    async def advance(self, seconds: float) -> None:
        """Move the virtual clock; calls of each sleeper that wakes are answered before time goes on."""
        assert isinstance(self.clock, VirtualClock), "only a virtual clock can be moved"
        await self.clock.advance(seconds, self.settled)
        self._note_activity()

    def _note_activity(self) -> None:
        self._last_activity = time.monotonic()
        self._activity.set()
        self._activity = asyncio.Event()

    def complain(self, complaint: str) -> None:
        self.complaints.append(complaint)

    def fail(
        self,
        method: str | None = None,
        error_code: int = 500,
        description: str = "",
        *,
        times: int = 1,
        chat: Chat | None = None,
        **parameters: Any,
    ) -> Fault:
        """Answer the next calls with an error, without effect: `fail("sendPhoto", 429, retry_after=7)`."""
        if error_code == 429 and not description:
            description = f"retry after {parameters['retry_after']}"
        return self._script("fail", method, times, chat, error_code, description, parameters)

    def slow(self, method: str | None, seconds: float, *, times: int = 1, chat: Chat | None = None) -> Fault:
        """Carry out calls at once, and answer later by the server's clock, which must be moved if virtual."""
        fault = self._script("slow", method, times, chat)
        fault.seconds = seconds
        return fault

    def drop_connection(
        self, method: str | None = None, *, times: int = 1, chat: Chat | None = None, done: bool = False
    ) -> Fault:
        """Break the connection without an answer; `done=True`: after the call has taken effect."""
        return self._script("drop_after" if done else "drop", method, times, chat)

    def cut_answer(self, method: str | None = None, *, times: int = 1, chat: Chat | None = None) -> Fault:
        """Break the connection in the middle of the answer; the call has taken effect."""
        return self._script("cut", method, times, chat)

    def _script(self, kind: str, method: str | None, times: int, chat: Chat | None, *rest: Any) -> Fault:
        self.faults.append(fault := Fault(kind, method, times, chat, *rest))
        return fault

    async def go_down(self, how: str = "refused") -> None:
        """Fail all calls and polls until `come_back`: connections are refused, a proxy says 502, or no answer comes
        ("silent"). Updates wait for the bot.
        """
        assert how in ("refused", "502", "silent")
        self._down = how
        self._is_up.clear()
        self.updates.wake("down")
        if how == "refused":
            assert self._site
            await self._site.stop()

    async def come_back(self) -> None:
        assert self._runner
        if self._down == "refused":
            self._site = web.TCPSite(self._runner, "127.0.0.1", self.port)
            await self._site.start()
        self._down = ""
        self._is_up.set()

    def limit_rate(self, chat: Chat | None, seconds: float = 30) -> None:
        """Answer 429 to every message and edit in this chat, or in all, for a while."""
        for one in self.chats.values() if chat is None else (chat,):
            self.flood.limited_until[one.id] = self.now + seconds

    def double_updates(self, times: int = 1) -> None:
        """Send the next updates twice, the second time after they were confirmed."""
        self.updates.to_double += times

    def lose_updates(self, times: int = 1) -> None:
        """Drop the next updates; `updates.lost` keeps them."""
        self.updates.to_lose += times

    def forget_files(self) -> None:
        """Invalidate all file ids."""
        self.album.forget()

    def allow(self, kinds: list[str] | None) -> None:
        if kinds is not None:
            self.updates.allowed = list(kinds)

    def set_webhook(self, webhook: Webhook | None) -> None:
        self.updates.webhook = webhook
        self.updates.wake("news")

    async def _handle(self, request: web.Request) -> web.StreamResponse:
        if request.match_info["token"] != self.token:
            return _response(Refusal(401).as_answer())
        if self._down:
            return await self._out_of_reach(request)
        method = request.match_info["method"]
        try:
            raw, uploads = await _body(request)
        except ValueError:
            self.complain(f"{method}: the body is no JSON object")
            return _response(Refusal(400, "can't parse request body").as_answer())
        if method.lower() == "getupdates":
            return await self._get_updates(request, raw)
        way_s = self.way_s(next(self._call_numbers))
        self._in_flight += 1
        try:
            await self._travel(way_s / 2)
            call = Call(self.now, _canonical(self._models.MODELS, method), raw, uploads, self._chat_of(raw))
            self.calls.append(call)
            return await self._respond(request, call, way_s / 2)
        finally:
            self._in_flight -= 1
            self._note_activity()

    async def _out_of_reach(self, request: web.Request) -> web.StreamResponse:
        if self._down == "502":
            return web.Response(status=502, text="<html><h1>502 Bad Gateway</h1></html>", content_type="text/html")
        if self._down == "silent":
            await self._is_up.wait()
        return _drop(request)

    async def _respond(self, request: web.Request, call: Call, way_s: float) -> web.StreamResponse:
        if self.faults.next(call.method, call.chat, "drop"):
            return _drop(request)
        fault = self.faults.next(call.method, call.chat, "fail")
        answer = _scripted(fault) if fault else self._answer(call)
        self._keep_hold(call, answer)
        self._note_activity()
        if slow := self.faults.next(call.method, call.chat, "slow"):
            self._in_flight -= 1  # it waits for the clock, which must not wait for it
            self.resting += 1
            try:
                await self.clock.sleep(slow.seconds)
            finally:
                self.resting -= 1
                self._in_flight += 1
        else:
            await self._travel(way_s)
        if self.faults.next(call.method, call.chat, "drop_after"):
            return _drop(request)
        if self.faults.next(call.method, call.chat, "cut"):
            return await _cut(request, answer)
        call.answer = answer
        return _response(answer)

    def _answer(self, call: Call) -> Json:
        """Carry out one call to its end, as `self.call`."""
        self.call = call
        try:
            result = self._perform(call)
            self._models.check_answer(call.method, result)
        except Refusal as refusal:
            return refusal.as_answer()
        except Exception as error:
            self.complain(f"the test server broke over {call.method}: {error!r}")
            raise
        return {"ok": True, "result": result}

    def _perform(self, call: Call) -> Any:
        name = call.method.lower()
        if name not in self._models.MODELS:
            self.complain(f"unknown method {call.method}")
            raise Refusal(404, "method not found")
        if name in EPHEMERAL and self.version < (10, 2):
            raise Refusal(404, "method not found")
        call.parameters = self._models.read_parameters(name, self._with_files(call), self.complaints)
        if name not in METHODS:
            self.complain(f"the test server has no {call.method}")
            raise Refusal(400, f"the test server has no {call.method}")
        return METHODS[name](self, call.parameters)

    def _with_files(self, call: Call) -> Json:
        """Add the files; one under a parameter's own name is that parameter."""
        known = self._models.MODELS[call.method.lower()].model_fields
        return {name: f"attach://{name}" for name in call.uploads if name in known} | call.parameters

    def _chat_of(self, raw: Json) -> Chat | None:
        if (press := self.presses.get(str(raw.get("callback_query_id")))) is not None:
            return press.chat
        return self.chat_by_id(raw["chat_id"]) if "chat_id" in raw else None

    def _keep_hold(self, call: Call, answer: Json) -> None:
        """Remember how long a chat was told to wait, and calls that did not wait."""
        if call.chat is None:
            return
        flooded = answer.get("error_code") == 429
        if (call.spent or flooded) and self._holds.get(call.chat.id, 0) > self.now:
            self.impatient.append(call)
        if flooded:
            self._holds[call.chat.id] = self.now + answer.get("parameters", {}).get("retry_after", 0)

    async def _get_updates(self, request: web.Request, raw: Json) -> web.StreamResponse:
        try:
            p = self._models.read_parameters("getUpdates", raw, self.complaints)
            self.allow(p.get("allowed_updates"))
            if self.faults.next("getUpdates", None, "drop"):
                return _drop(request)
            if fault := self.faults.next("getUpdates", None, "fail"):
                return _response(_scripted(fault))
            limit = min(max(p.get("limit", 100), 1), 100)
            batch = await self.updates.poll(p.get("offset", 0), limit, p.get("timeout", 0))
            if self._down:
                return _drop(request)
        except Refusal as refusal:
            return _response(refusal.as_answer())
        self._note_activity()
        if batch and self.faults.next("getUpdates", None, "cut", "drop_after"):
            return await _cut(request, {"ok": True, "result": batch})
        return _response({"ok": True, "result": batch})

    def _execute(self, body: bytes, kind: str) -> None:
        """Carry out a call in a webhook's answer; Telegram does not report its result."""
        if (given := self._read_answer(body, kind)) is None:
            return
        method = given.pop("method")
        call = Call(self.now, _canonical(self._models.MODELS, method), given, {}, self._chat_of(given), by_webhook=True)
        self.calls.append(call)
        fault = self.faults.next(call.method, call.chat, "fail")
        call.answer = _scripted(fault) if fault else self._answer(call)
        self._keep_hold(call, call.answer)
        self._note_activity()

    def _read_answer(self, body: bytes, kind: str) -> Json | None:
        """Return the call in a webhook's answer; None if Telegram would ignore it, which is a complaint here."""
        try:
            given = json.loads(body) if kind == "application/json" else None
        except ValueError:
            given = None
        if not isinstance(given, dict) or not isinstance(given.get("method"), str):
            self.complain(f"no call is read out of a webhook's answer ({kind}): {body[:100]!r}")
            return None
        name = given["method"].lower()
        if name in ("setwebhook", "deletewebhook", "close", "logout") or name.startswith("get"):
            self.complain(f"{given['method']} is no call for a webhook's answer")
            return None
        return {name: value for name, value in given.items() if value is not None}

    async def _download(self, request: web.Request) -> web.StreamResponse:
        file_id = request.match_info["path"].removeprefix("photos/").removesuffix(".png")
        if request.match_info["token"] != self.token or file_id not in self.album.by_id:
            return _response(Refusal(404).as_answer())
        return web.Response(body=self.album.by_id[file_id].data, content_type="application/octet-stream")


def _canonical(models: dict[str, Any], method: str) -> str:
    """Return the documented name of a method, which may be written in any case."""
    model = models.get(method.lower())
    return model.__api_method__ if model else method


async def _body(request: web.Request) -> tuple[Json, dict[str, bytes]]:
    """Return parameters and files, from the query, JSON, a form or a multipart body."""
    raw: Json = dict(request.query)
    uploads: dict[str, bytes] = {}
    if request.content_type == "application/json":
        given = json.loads(await request.read() or b"{}")
        if not isinstance(given, dict):
            raise ValueError("no object")
        raw |= {name: value for name, value in given.items() if value is not None}
    elif request.content_type == "application/x-www-form-urlencoded":
        raw |= {name: str(value) for name, value in (await request.post()).items()}
    elif request.content_type == "multipart/form-data":
        async for part in await request.multipart():
            assert isinstance(part, BodyPartReader)
            data = bytes(await part.read(decode=True))
            if part.filename is None:
                raw[part.name or ""] = data.decode()
            else:
                uploads[part.name or ""] = data
    return raw, uploads


def _scripted(fault: Fault) -> Json:
    return Refusal(fault.error_code, fault.description or "", **(fault.parameters or {})).as_answer()


def _response(answer: Json) -> web.Response:
    return web.json_response(answer, status=answer.get("error_code", 200))


def _drop(request: web.Request) -> web.Response:
    if request.transport:
        request.transport.abort()
    return web.Response()


async def _cut(request: web.Request, answer: Json) -> web.StreamResponse:
    body = json.dumps(answer).encode()
    response = web.StreamResponse(headers={"Content-Type": "application/json", "Content-Length": str(len(body))})
    await response.prepare(request)
    await response.write(body[: len(body) // 2])
    if request.transport:
        request.transport.close()
    return response
