"""A casino with Telegram, in the test's own loop: real python-telegram-bot against the loopback server."""

import asyncio
import os
import random
import re
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import pytest
from telegram.ext import ApplicationBuilder

from bot.core.casinos.places import internal_command_of
from bot.core.commands.command import Answer, Command
from bot.core.commands.counting import here
from bot.core.front import Front
from bot.core.state.place import Place
from bot.core.state.plays import PLAYS
from bot.core.state.table import owners_of
from bot.core.writer import Beacon, Writer
from bot.platforms.common.press import load_press
from bot.platforms.telegram import configure, tables
from bot.platforms.telegram.app import Croupier
from bot.platforms.telegram.drawing import TOAST, length
from bot.platforms.telegram.http import Http
from bot.platforms.telegram.sending import Outbox
from bot.texts import say_card
from bot.view import Screen
from storage.sqlite import SqliteBooks
from storage.store import Books, Store
from tests.patience import PATIENCE_S
from tests.platforms.dealer import Dealer
from tests.platforms.fronted import Fronted
from tests.servers.telegram import Alert, BotApiServer, Chat, Message, Topic, User, VirtualClock
from tests.some import some

CARD = re.compile(r"(?:10|[2-9JQKA])[♠♥♦♣]")
QUIET_TURNS = 40
FIRST_BETS = {"caribbean": "ante 10", "uth": "Bet 10", "paiju": "south", "blackjack": "Box {n}"}
# Order in which a move is chosen among several.
LIKED = ("check", "play", "stand", "decline", "call", "raise", "complete", "bring-in", "bet", "squeeze", "hit", "fold")


class CountedRequest(Http):
    """A request that counts calls under way, so that a test knows when the bot is done."""

    under_way = 0

    async def do_request(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        self.under_way += 1
        try:
            return await super().do_request(*args, **kwargs)
        finally:
            self.under_way -= 1


class InlineWriter(Writer):
    """A writer that runs each round in `submit`, so that nothing happens outside the virtual clock."""

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        # A front's commands come in another thread.
        self._one = threading.RLock()

    def submit(self, command: Command) -> Future[Answer]:
        answer: Future[Answer] = Future()
        with self._one:
            self.round([command], [answer])
        return answer

    def submit_from_loop(self, command: Command) -> asyncio.Future[Answer]:
        return asyncio.wrap_future(self.submit(command))

    def tick(self) -> None:
        with self._one:
            self.round([], [])


class Chance:
    """Randomness that deals the same hands whatever games are installed: all draws at the start count as one."""

    def __init__(self, seed: int) -> None:
        self._seed, self._random, self._has_drawn = seed, random.Random(seed), False

    def __call__(self, n: int) -> bytes:
        self._has_drawn = True
        return self._random.randbytes(n)

    def open(self) -> None:
        if self._has_drawn:
            self._random = random.Random(self._seed)
            self._random.randbytes(6 * 32)


@dataclass
class House:
    server: BotApiServer
    folder: Path
    clock: VirtualClock
    books: Books
    writer: InlineWriter
    app: Any
    requests: "CountedRequest"
    # Of a casino whose Telegram is served by a front.
    store: Store | None = None
    fronted: Fronted | None = None
    leaks: list[str] = field(default_factory=list)
    cards_said: int = 0
    # {picture of a hand: who may see it}.
    hands_painted: dict[bytes, set[int]] = field(default_factory=dict)
    hands_seen: int = 0

    @classmethod
    async def open(
        cls,
        server: BotApiServer,
        folder: Path,
        *,
        paint_hand: Any = None,
        read_timeout_s: float = PATIENCE_S,
        chance: int = 1638,
        dealer: Dealer | None = None,
        beacon: Beacon | None = None,
        books: Books | None = None,
        polls: bool = True,
        store: Store | None = None,
        **more: Any,
    ) -> Self:
        clock = server.clock
        assert isinstance(clock, VirtualClock)
        books = store.open() if store is not None else books or SqliteBooks(folder)
        entropy = Chance(chance)
        writer = InlineWriter(
            books, clock=clock.now, entropy=dealer or entropy, count=here, secret=bytes(32), beacon=beacon
        )
        entropy.open()
        fronted = Fronted(store, writer, clock.now, clock.now) if store is not None else None
        requests = CountedRequest(16, read_s=read_timeout_s)
        builder = ApplicationBuilder().token(server.token).base_url(server.base_url)
        builder = builder.base_file_url(server.base_file_url).request(requests).get_updates_request(Http(2))
        painted: dict[bytes, set[int]] = {}
        if paint_hand is not None:
            more["paint_hand"] = _noting(paint_hand, painted)
        app = configure(builder, fronted.front if fronted else writer, clock=clock, **more)
        assert isinstance(app, Croupier)
        await app.initialize()
        await app.start()
        house = cls(server, folder, clock, books, writer, app, requests, store, fronted, hands_painted=painted)
        if polls:
            await some(app.updater).start_polling(
                poll_interval=0, timeout=10, error_callback=app.connectivity.note_poll
            )
            await house.settled()
        return house

    async def reopen(self, beacon: Beacon | None = None) -> None:
        """Open the casino again on the same store, after `close`."""
        again = await House.open(self.server, self.folder, beacon=beacon, store=self.store)
        self.books, self.writer, self.app, self.requests = again.books, again.writer, again.app, again.requests
        self.fronted = again.fronted

    @property
    def access(self) -> Writer | Front:
        """Return what the platform has: the writer, or a front."""
        return self.fronted.front if self.fronted is not None else self.writer

    async def close(self) -> None:
        if self.app.updater.running:
            await self.app.updater.stop()
        await self.app.stop()
        await self.app.shutdown()
        if self.fronted is not None:
            await asyncio.to_thread(self.fronted.close)
        self.books.close()

    async def settled(self) -> None:
        """Wait until every update is confirmed, and neither bot nor server has work to do now."""
        turns = 0
        while turns < QUIET_TURNS:
            await asyncio.sleep(0)
            is_quiet = self.requests.under_way == self.server.resting and self.server._is_quiet(0.0)
            is_quiet &= self.fronted is None or not self.fronted.front.waiting
            turns = turns + 1 if is_quiet else 0
            if not is_quiet:
                await asyncio.sleep(0.0005)

    async def wait(self, seconds: float) -> None:
        """Let time pass: waiting messages are sent, clocks run out in time."""
        target = self.clock.now() + seconds
        while True:
            deadline = self.writer.schedule.next_deadline()
            until = target if deadline is None else min(target, max(deadline, self.clock.now()))
            await self.clock.advance(until - self.clock.now(), self.settled)
            self.writer.tick()
            if self.fronted is not None:
                await self._hear_changes(self.fronted)
            await self.settled()
            if until >= target:
                return

    async def _hear_changes(self, fronted: Fronted) -> None:
        """Wait until the front has heard of all changes: answers come after them."""
        last = internal_command_of(f"heard {time.monotonic()}", Place("nowhere", ""), "back")
        await asyncio.wrap_future(fronted.front.submit(last))

    def table_at(self, where: Chat | Topic) -> Any:
        """Return the table of a chat or topic, as published."""
        context = self.app.context
        chat, thread = (where.chat, where.id) if isinstance(where, Topic) else (where, None)
        address = context.notes.chats[chat.id].address + (f":{thread}" if thread else "")
        return context.table_at(address)

    def post_at(self, where: Chat | Topic) -> Message:
        """Return the message that shows the table of a chat or topic."""
        context = self.app.context
        chat, thread = (where.chat, where.id) if isinstance(where, Topic) else (where, None)
        address = context.notes.chats[chat.id].address + (f":{thread}" if thread else "")
        message = self.server.find_message(chat, context.notes.posts[address].message)
        assert message is not None
        return message

    def watch_for_leaks(self) -> None:
        """Check everything shown to anyone from now on against what the rules allow them to see."""
        show, answer = self.server.show, self.server.answer_press

        def checked_show(message: Message, kind: str) -> None:
            show(message, kind)
            self._check(message.text, message.receiver or message.chat.user)
            self._check_picture(message)

        def checked_answer(press: Any, text: str, show_alert: bool) -> None:
            assert show_alert or length(text) <= TOAST, f"nobody reads that in three seconds: {text!r}"
            answer(press, text, show_alert)
            self._check(text, press.user)

        self.server.show, self.server.answer_press = checked_show, checked_answer  # type: ignore[method-assign]

    def _check(self, text: str, to: User | None) -> None:
        said = set(CARD.findall(text))
        state = self.writer.state
        seen = {say_card(card) for id in list(state.tables) for card in self._open_to(state.table(id), to)}
        self.cards_said += len(said)
        self.leaks += [f"{to}: {card} in {text!r}" for card in said - seen]

    def _check_picture(self, message: Message) -> None:
        """Check that a picture of a hand is shown to its owner alone."""
        owners = self.hands_painted.get(message.photo.data) if message.photo else None
        if owners is not None:
            to = message.receiver or message.chat.user
            self.hands_seen += 1
            self.leaks += [] if to and self.app.context.player_of(to.id) in owners else [f"a hand was shown to {to}"]

    def _open_to(self, table: Any, to: User | None) -> Iterator[str]:
        player = self.app.context.player_of(to.id) if to is not None else None
        for hand in (table.round.hand, table.last):
            if hand is None:
                continue
            own = {key for key, owner in owners_of(hand).items() if owner == player}
            views = [hand.view(None)] + [
                [e for e in hand.view(key) if getattr(e, "to", getattr(e, "seat", "")) == key] for key in own
            ]
            for events in views:
                for event in events:
                    yield from getattr(event, "cards", ())
                    yield getattr(event, "card", "??")


def _noting(paint: Any, painted: dict[bytes, set[int]]) -> Any:
    async def noting(screen: Screen, language: str) -> bytes | None:
        picture: bytes | None = await paint(screen, language)
        if picture is not None:
            painted.setdefault(picture, set()).add(screen.viewer or 0)
        return picture

    return noting


@asynccontextmanager
async def open_house(
    folder: Path, *, of: Mapping[str, Any] | None = None, paint: Any = None, paint_hand: Any = None, **server: Any
) -> AsyncIterator[House]:
    """Open a casino; `of` are its options: how long it waits for an answer, its seed (the same in every run)."""
    async with BotApiServer(clock=VirtualClock(), **server) as api:
        house = await House.open(api, folder, paint=paint, paint_hand=paint_hand, **(of or {}))
        house.watch_for_leaks()
        try:
            yield house
        finally:
            await house.close()
        assert not house.leaks


def make_busy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave no group a call to spare from now on, as if other topics used them."""
    for spares in ("QUIET_GAP_S", "LATE_BETS_S"):
        monkeypatch.setattr(tables, spares, 3600.0)
    monkeypatch.setattr(Outbox, "is_quiet", lambda outbox, chat: False)


def people(house: House, *names: str) -> list[User]:
    return [house.server.user(name) for name in names]


async def asks(house: House, who: User, where: Chat | Topic, line: str) -> Message:
    """Type a line, and give the send queue time to answer."""
    seen = len(house.server.shown)
    await who.says(where, line)
    await house.wait(5)
    fresh = [shown.message for shown in house.server.shown[seen:] if shown.kind in ("message", "ephemeral")]
    return next(message for message in fresh if message is not None and who.can_see(message) and not message.deleted)


async def set_up(house: House, group: Chat, admin: User, game: str = "caribbean") -> Message:
    """Set up a plain group with a table of this game."""
    await admin.says(group, "/setup")
    await house.wait(5)
    if game != next(iter(PLAYS)):  # which it opens by itself
        await admin.says(group, f"/table open {game}")
        await house.wait(10)
    return house.post_at(group)


async def ask_for_direct_cards(house: House, player: User) -> Alert | None:
    await player.starts()
    await house.wait(2)
    return await player.presses(player.private, "Send my cards here")


def button(post: Message, begins: str) -> str:
    """Return the data of the button whose label begins so."""
    return next(str(b.data) for b in post.buttons if b.text.startswith(begins))


async def place_bets(house: House, where: Chat | Topic, players: list[User], game: str) -> None:
    post = house.post_at(where)
    for number, player in enumerate(players, start=1):
        alert = await player.presses(post, button(post, FIRST_BETS[game].format(n=number)))
        assert alert is not None, alert
        assert not alert.show_alert, alert


async def choose(house: House, where: Chat | Topic, player: User) -> Alert | None:
    """Press the player's preferred choice among those that the table offers."""
    post = house.post_at(where)
    moves = {
        press.verb: button
        for button in post.buttons
        if (press := load_press(button.data or "")) and press.verb in LIKED
    }
    verb = next(verb for verb in LIKED if verb in moves)
    return await player.presses(post, str(moves[verb].data))


async def play_on(house: House, where: Chat | Topic, players: list[User]) -> None:
    """Let each player in turn choose, until the hand is paid."""
    users = {house.app.context.player_of(user.id): user for user in players}
    for _ in range(200):
        table = house.table_at(where)
        if table.round.hand is None:
            return
        owners = table.owners()
        asked = [owners[key] for key in table.round.hand.asks] or list(table.round.turning.values())
        await choose(house, where, users[asked[0]])
        await house.wait(3.5)
    raise AssertionError("the hand does not end")


async def play_hand(house: House, where: Chat | Topic, players: list[User], game: str) -> int:
    """Play a hand from the first bet to the payment; return how many messages and edits it cost in the chat."""
    spent = house.server.spent_in(where)
    await place_bets(house, where, players, game)
    await house.wait(21)
    await play_on(house, where, players)
    await house.wait(4)
    return house.server.spent_in(where) - spent


async def deal(house: House, game: str = "caribbean", *, admin_bot: bool = False) -> tuple[Chat, User, User]:
    """Deal cards to two people in a group."""
    anna, bea = people(house, "Anna", "Bea")
    bot = "administrator" if admin_bot else "member"
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna], bot=bot)
    await set_up(house, group, anna, game)
    await place_bets(house, group, [anna, bea], game)
    await house.wait(21)
    assert house.table_at(group).round.hand is not None
    return group, anna, bea


async def start_process(server: BotApiServer, folder: Path, **settings: str) -> asyncio.subprocess.Process:
    settings = {"RIDOTTO_TELEGRAM_API": server.base_url, "RIDOTTO_WEB": "127.0.0.1:0", "RIDOTTO_GUESTS": "0"} | settings
    environment = {**os.environ, "RIDOTTO_TELEGRAM_TOKEN": server.token, **settings}
    return await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.dealt", "--data", str(folder), env=environment, stdout=-1, stderr=-1
    )


async def stop_process(process: asyncio.subprocess.Process) -> str:
    process.send_signal(signal.SIGTERM)
    said, complained = await asyncio.wait_for(process.communicate(), PATIENCE_S)
    assert process.returncode == 0, complained.decode()
    return (said + complained).decode()
