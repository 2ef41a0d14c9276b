"""A house with its Telegram side, in the test's own loop: real python-telegram-bot against the loopback server."""

import asyncio
import random
import re
from collections.abc import AsyncIterator, Iterator
from concurrent.futures import Future
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

from telegram.ext import ApplicationBuilder
from telegram.request import HTTPXRequest

from bot.floor.command import Command
from bot.floor.table import owners_of
from bot.on_telegram import configure
from bot.pit import Pit
from bot.texts import say_card
from storage.database import Books
from tests.telegram_server import BotApiServer, Chat, Message, Topic, User, VirtualClock

CARD = re.compile(r"(?:10|[2-9JQKA])[♠♥♦♣]")


QUIET_TURNS = 40


class CountedRequest(HTTPXRequest):
    """Knows how many calls are under way, so that a test need not guess when the bot is done."""

    under_way = 0

    async def do_request(self, *args: Any, **kwargs: Any) -> tuple[int, bytes]:
        self.under_way += 1
        try:
            return await super().do_request(*args, **kwargs)
        finally:
            self.under_way -= 1


class InlinePit(Pit):
    """A pit whose rounds are run by who submits: nothing happens behind the back of the virtual clock."""

    def submit(self, command: Command) -> Any:
        answer: Future[Any] = Future()
        self.round([command], [answer])
        return answer

    def tick(self) -> None:
        self.round([], [])


@dataclass
class House:
    server: BotApiServer
    folder: Path
    clock: VirtualClock
    books: Books
    pit: InlinePit
    app: Any
    requests: "CountedRequest"
    leaks: list[str] = field(default_factory=list)
    cards_said: int = 0

    @classmethod
    async def open(cls, server: BotApiServer, folder: Path, **more: Any) -> Self:
        clock = server.clock
        assert isinstance(clock, VirtualClock)
        books = Books(folder)
        pit = InlinePit(books, clock=clock.now, entropy=_entropy())
        requests = CountedRequest(connection_pool_size=16)
        builder = ApplicationBuilder().token(server.token).base_url(server.base_url)
        builder = builder.base_file_url(server.base_file_url).request(requests)
        app = configure(builder, pit, clock=clock, **more)
        await app.initialize()
        await app.start()
        await app.updater.start_polling(poll_interval=0, timeout=10)
        house = cls(server, folder, clock, books, pit, app, requests)
        await house.settled()
        return house

    async def reopen(self) -> None:
        """After `close`, on the same books."""
        again = await House.open(self.server, self.folder)
        self.books, self.pit, self.app, self.requests = again.books, again.pit, again.app, again.requests

    async def close(self) -> None:
        await self.app.updater.stop()
        await self.app.stop()
        await self.app.shutdown()
        self.books.close()

    async def settled(self) -> None:
        """Every update is taken, and neither the bot nor the server has anything left to do at this moment."""
        turns = 0
        while turns < QUIET_TURNS:
            await asyncio.sleep(0)
            is_quiet = not self.requests.under_way and self.server._is_quiet(0.0)
            turns = turns + 1 if is_quiet else 0
            if not is_quiet:
                await asyncio.sleep(0.0005)

    async def wait(self, seconds: float) -> None:
        """Let time go on: messages that wait are sent, clocks of the floor run out when they should."""
        target = self.clock.now() + seconds
        while True:
            deadline = self.pit.floor.next_deadline()
            until = target if deadline is None else min(target, max(deadline, self.clock.now()))
            await self.clock.advance(until - self.clock.now(), self.settled)
            self.pit.tick()
            await self.settled()
            if until >= target:
                return

    def table_at(self, where: Chat | Topic) -> Any:
        """The table of a chat or topic, as the floor has it."""
        desk = self.app.desk
        chat, thread = (where.chat, where.id) if isinstance(where, Topic) else (where, None)
        address = desk.notes.chats[chat.id].address + (f":{thread}" if thread else "")
        return desk.table_at(address)

    def post_at(self, where: Chat | Topic) -> Message:
        """The message that shows the table of a chat or topic."""
        desk = self.app.desk
        chat, thread = (where.chat, where.id) if isinstance(where, Topic) else (where, None)
        address = desk.notes.chats[chat.id].address + (f":{thread}" if thread else "")
        message = self.server.find_message(chat, desk.notes.posts[address].message)
        assert message is not None
        return message

    def watch_for_leaks(self) -> None:
        """From now on whatever is put before anybody's eyes is held against what the rules let him see then."""
        show, answer = self.server.show, self.server.answer_press

        def checked_show(message: Message, kind: str) -> None:
            show(message, kind)
            self._check(message.text, message.receiver or message.chat.user)

        def checked_answer(press: Any, text: str, show_alert: bool) -> None:
            answer(press, text, show_alert)
            self._check(text, press.user)

        self.server.show, self.server.answer_press = checked_show, checked_answer  # type: ignore[method-assign]

    def _check(self, text: str, to: User | None) -> None:
        said = set(CARD.findall(text))
        seen = {say_card(card) for table in self.pit.floor.house.tables.values() for card in self._open_to(table, to)}
        self.cards_said += len(said)
        self.leaks += [f"{to}: {card} in {text!r}" for card in said - seen]

    def _open_to(self, table: Any, to: User | None) -> Iterator[str]:
        player = self.app.desk.player_of(to.id) if to is not None else None
        for hand in (table.play, table.last):
            if hand is None:
                continue
            own = {key for key, owner in owners_of(hand).items() if owner == player}
            sights = [hand.view(None)] + [
                [e for e in hand.view(key) if getattr(e, "to", getattr(e, "seat", "")) == key] for key in own
            ]
            for events in sights:
                for event in events:
                    yield from getattr(event, "cards", ())
                    yield getattr(event, "card", "??")


def _entropy() -> Any:
    """The same chance in every run."""
    return random.Random(1638).randbytes


@asynccontextmanager
async def open_house(folder: Path, *, paint: Any = None, **server: Any) -> AsyncIterator[House]:
    async with BotApiServer(clock=VirtualClock(), **server) as api:
        house = await House.open(api, folder, paint=paint)
        house.watch_for_leaks()
        try:
            yield house
        finally:
            await house.close()
        assert not house.leaks
