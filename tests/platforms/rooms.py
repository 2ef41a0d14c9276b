"""A table on each platform, as people have it: what they see, press and type.

Every room is a whole casino with one platform, through the platform's real library and a test server on the loopback.
The scenes check the outcome; they know no platform.
"""

import asyncio
import json
import random
import re
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from bot.core.casinos.places import internal_command_of
from bot.core.commands.command import Answer, Command, Who
from bot.core.front import Front
from bot.core.state.place import Place
from bot.core.state.table import Table
from bot.core.writer import Writer
from bot.texts import say_card
from storage.store import Store
from tests.bot import open_house
from tests.patience import PATIENCE_S
from tests.platforms.discord import house as discord_house
from tests.platforms.telegram import house as telegram_house
from tests.servers.telegram import Alert, BotApiServer, VirtualClock
from tests.some import some

GAME = "caribbean"
# Discord, with presses and commands sent to the web server.
PEOPLE = ("Anna", "Bea")
_CARD = re.compile(r"(?:10|[2-9JQKA])[♠♥♦♣]")


class Room(ABC):
    """A table on one platform. `platform` and `address` name its place."""

    platform: str
    address: str
    chip = "ante 10"
    # The presses of a first hand, and the wording of its best choice.
    first_hand = ("ante 10", "★ Raise")
    best_choice = "Best: Raise (20)."

    @property
    @abstractmethod
    def writer(self) -> Writer | Front:
        """Return what the platform has: the writer, or a front."""

    @property
    def table(self) -> Table:
        row = self.writer.state.place(self.platform, self.address)
        assert row is not None
        assert row.table_id is not None
        return some(self.writer.state.table(row.table_id))

    @abstractmethod
    def account(self, name: str) -> str: ...

    def player(self, name: str) -> int:
        return some(self.writer.state.identity(self.platform, self.account(name)))

    def chips(self, name: str) -> int:
        return self.writer.state.balance(f"player:{self.table.casino}:{self.player(name)}")

    async def elsewhere(self, line: str, *, internal_command: bool = False) -> Answer:
        """Submit a command at a place of another platform and community."""
        name, *words = line.split()
        at, key = Place("elsewhere", "home"), f"elsewhere {line} {random.random()}"
        verb = " ".join(words[:2]) if words[0] in ("table", "house") else words[0]
        args = tuple(words[len(verb.split()) :])
        made = Command(key, Who("elsewhere", name, name, inspector=name == "insp"), at, verb, args, confirmed=True)
        return await self.submit(internal_command_of(key, at, verb, *args) if internal_command else made)

    async def submit(self, command: Command) -> Answer:
        return await asyncio.wrap_future(self.writer.submit(command))

    async def talks(self, name: str, lines: int) -> None:
        """Post this many messages to no one in particular."""
        pytest.skip("the table never sinks there: nobody talks in it")

    def stands(self) -> str:
        """Return the last message."""
        return ""

    def folded(self) -> list[str]:
        """Return the contents of messages that showed the table before."""
        return []

    @property
    def is_away(self) -> bool:
        return self._is_away(self.writer)

    def _is_away(self, writer: Writer | Front) -> bool:
        away = writer.state.away
        return any(away.get((self.platform, at)) is not None for at in ("", self.address))

    async def until(self, holds: Any, why: str = "") -> None:
        """Wait until a condition holds, else fail."""
        late = time.monotonic() + PATIENCE_S
        while not holds():
            assert time.monotonic() < late, why or f"it never came: {self.shown('Anna')}"
            await asyncio.sleep(0.01)
            await self.settle()

    async def settle(self) -> None:  # noqa: B027
        """Let pass the time that the platform needs to send what is due."""

    async def deal(self) -> None:
        """Let both bet, and wait for the cards."""
        for name in PEOPLE:
            await self.says(name, "bet", "50")
        await self.until(lambda: len(self.table.round.bets) == 2)
        await self.pass_time(25)
        await self.until(lambda: self.table.round.hand is not None)
        await self.until(lambda: self.has_moves("Anna"))

    @abstractmethod
    async def presses(self, name: str, button: str) -> str:
        """Press a visible button by the beginning of its label; return the answer."""

    @abstractmethod
    async def presses_again(self, name: str, button: str) -> str:
        """Press a button that was shown earlier and may be gone."""

    @abstractmethod
    async def says(self, name: str, verb: str, *args: str) -> str: ...

    async def reads(self, name: str, verb: str) -> str:
        """Return the private answer to a command."""
        return await self.says(name, verb)

    async def confirms(self, name: str, *, yes: bool) -> str:
        """Answer the last question."""
        return await self.presses(name, "Yes" if yes else "No")

    @abstractmethod
    async def looks_at_his_cards(self, name: str) -> str: ...

    async def learns(self, name: str, *buttons: str, begins: bool = True) -> list[str]:
        """Play a practice hand; return the texts after its first button and after each of these."""
        presses = ["First hand"] if begins else []
        return [await self.presses(name, button) for button in (*presses, *buttons)]

    @abstractmethod
    def buttons(self, name: str) -> list[str]:
        """Return the labels of the buttons that the player can press now."""

    def has_moves(self, name: str) -> bool:
        return any(label.startswith(("Raise", "Fold")) for label in self.buttons(name))

    @abstractmethod
    def shown(self, name: str) -> str:
        """Return what the table shows the player now."""

    @abstractmethod
    def everything(self, name: str) -> str:
        """Return everything that the player has ever seen."""

    def cards_in(self, text: str) -> set[str]:
        return set(_CARD.findall(text))

    @abstractmethod
    async def pass_time(self, seconds: float) -> None: ...

    @abstractmethod
    async def restart(self) -> None: ...

    @abstractmethod
    async def lose(self) -> None:
        """Cut the connection to the platform."""

    @abstractmethod
    async def find(self) -> None: ...


class ChatRoom(Room):
    """A room on a test server, which knows people by their ids."""

    house: Any
    people: dict[str, Any]

    @property
    def writer(self) -> Writer | Front:
        access: Writer | Front = self.house.access
        return access

    @property
    def is_away(self) -> bool:
        return self._is_away(self.house.writer)

    def account(self, name: str) -> str:
        return str(self.people[name].id)


class DiscordRoom(ChatRoom):
    platform = "discord"

    def __init__(self, house: Any) -> None:
        self.house = house
        guild = house.server.guild("Venezia")
        self.channel = guild.text_channel("salotto")
        self.people = {name: guild.member(name) for name in PEOPLE}
        self.address = str(self.channel.id)
        self.answers: dict[str, Any] = {}

    async def open(self) -> None:
        self.message = await self.house.table_in(self.channel, GAME)
        self.seen = {name: [self.message] for name in PEOPLE}

    def _found(self, name: str, button: str) -> tuple[Any, str]:
        own = self.answers.get(name)
        messages = [*([own.message] if own is not None and own.message is not None else []), self.message]
        return next((m, label) for m in messages for label in m.labels if label.startswith(button))

    async def presses(self, name: str, button: str) -> str:
        message, label = self._found(name, button)
        return await self._keep(name, await self.people[name].presses(message, label))

    async def presses_again(self, name: str, button: str) -> str:
        message, label = next(
            (message, one["label"])
            for message in reversed(self.seen[name])
            for version in self.house.server.versions(message)
            for one in _walk(version)
            if str(one.get("label", "")).startswith(button)
        )
        return await self._keep(name, await self.people[name].presses(message, label, stale=True))

    async def _keep(self, name: str, done: Any) -> str:
        self.answers[name] = done
        if done.message is not None and done.message not in self.seen[name]:
            self.seen[name].append(done.message)
        # The player's own panel may show the payment already, after it has shown their move.
        return "\n".join(dict.fromkeys([*done.told, done.text]))

    async def says(self, name: str, verb: str, *args: str) -> str:
        options: dict[str, Any] = {"days": int(args[0])} if verb == "pause" else {"amount": args[0]} if args else {}
        verb = verb.replace(" ", "-")
        return await self._keep(name, await self.people[name].slash(self.channel, verb, **options))

    async def talks(self, name: str, lines: int) -> None:
        for _line in range(lines):
            self.people[name].says(self.channel, "ciao")
        await self.house.until(lambda: self.house.client.context.below.count(self.address) >= lines)

    def stands(self) -> str:
        there = self.channel.messages
        self.message = next((one for one in reversed(there) if one.labels), self.message)
        return str(there[-1].text)

    def folded(self) -> list[str]:
        return [str(one.text) for one in self.channel.messages if "discord.com/channels" in str(one.text)]

    async def looks_at_his_cards(self, name: str) -> str:
        return await self.says(name, "cards")

    def buttons(self, name: str) -> list[str]:
        own = self.answers.get(name)
        private = own.message.labels if own is not None and own.message is not None else []
        return [*private, *self.message.labels]

    def shown(self, name: str) -> str:
        return str(self.message.text)

    def everything(self, name: str) -> str:
        return "\n".join(str(delivery.text) for delivery in self.house.server.everything_sent_to(self.people[name]))

    async def pass_time(self, seconds: float) -> None:
        await self.house.pass_time(seconds)

    async def restart(self) -> None:
        await self.house.restart()

    async def lose(self) -> None:
        self.house.soon_doubts()
        self.house.server.fail("*", 503, times=None)
        await self.house.server.disconnect()

    async def find(self) -> None:
        self.house.server.heal()


def _walk(part: Any) -> list[dict[str, Any]]:
    if isinstance(part, list):
        return [one for each in part for one in _walk(each)]
    if not isinstance(part, dict):
        return []
    return [part, *(one for value in part.values() for one in _walk(value))]


class TelegramRoom(ChatRoom):
    platform = "telegram"

    def __init__(self, house: Any) -> None:
        self.house = house
        self.people = {name: house.server.user(name) for name in PEOPLE}
        self.group = house.server.supergroup("Salotto", members=[self.people["Bea"]], admins=[self.people["Anna"]])
        self.heard: dict[str, list[str]] = {name: [] for name in PEOPLE}
        self.once: dict[str, str] = {}

    async def open(self) -> None:
        await telegram_house.set_up(self.house, self.group, self.people["Anna"], GAME)
        self.address = self.house.app.context.notes.chats[self.group.id].address

    async def settle(self) -> None:
        await self.house.wait(1)

    async def talks(self, name: str, lines: int) -> None:
        """Post messages; the bot reads none, but notices them by their numbers."""
        for _line in range(lines):
            await self.people[name].says(self.group, "ciao")
        await self.house.wait(5)

    def stands(self) -> str:
        return str(self.group.messages[-1].text)

    def folded(self) -> list[str]:
        return [str(one.text) for one in self.group.messages if "t.me/c/" in str(one.text)]

    @property
    def post(self) -> Any:
        return self.house.post_at(self.group)

    def _note(self) -> None:
        self.once |= {one.text: str(one.data) for one in self.post.buttons}

    async def presses(self, name: str, button: str) -> str:
        self._note()
        return await self._press(name, telegram_house.button(self.post, button))

    async def presses_again(self, name: str, button: str) -> str:
        data = next(data for label, data in self.once.items() if label.startswith(button))
        return await self._press(name, data, stale=True)

    async def _press(self, name: str, data: str, *, stale: bool = False) -> str:
        self._note()
        alert: Alert | None = await self.people[name].presses(self.post, data, stale=stale)
        self.heard[name].append(alert.text if alert is not None else "")
        await self.house.wait(5)
        self.pressed = data
        return self.heard[name][-1]

    async def says(self, name: str, verb: str, *args: str) -> str:
        self._note()
        seen = len(self.house.server.shown)
        await self.people[name].says(self.group, " ".join((f"/{verb}", *args)))
        await self.house.wait(5)
        fresh = [one.message for one in self.house.server.shown[seen:] if one.message is not None]
        answers = [m for m in fresh if self.people[name].can_see(m) and m is not self.post and not m.deleted]
        self.asked = answers[-1] if answers else None
        if self.asked is not None and any(one.text == "Read" for one in self.asked.buttons):
            alert = await self.people[name].presses(self.asked, "Read")
            await self.house.wait(5)
            return alert.text if alert is not None else ""
        return answers[-1].text if answers else ""

    async def confirms(self, name: str, *, yes: bool) -> str:
        assert self.asked is not None
        alert = await self.people[name].presses(self.asked, "Yes" if yes else "No")
        await self.house.wait(5)
        return alert.text if alert is not None else ""

    async def looks_at_his_cards(self, name: str) -> str:
        return await self.presses(name, "My cards")

    async def learns(self, name: str, *buttons: str, begins: bool = True) -> list[str]:
        """Play a practice hand in the private chat, to which the group's button leads."""
        user, told = self.people[name], []
        if begins:
            await user.presses(self.post, "First hand")
            await self.house.wait(5)
            told.append(user.sees(user.private)[-1].text)
        for button in buttons:
            message = user.sees(user.private)[-1]
            await user.presses(message, next(one.text for one in message.buttons if one.text.startswith(button)))
            await self.house.wait(5)
            told.append(user.sees(user.private)[-1].text)
        return told

    def buttons(self, name: str) -> list[str]:
        return [one.text for one in self.post.buttons]

    def shown(self, name: str) -> str:
        return str(self.post.text)

    def everything(self, name: str) -> str:
        to = self.people[name]
        messages = [one.message for one in self.house.server.shown if one.message and to.can_see(one.message)]
        return "\n".join([*(m.text for m in messages), *self.heard[name]])

    async def pass_time(self, seconds: float) -> None:
        await self.house.wait(seconds)

    async def restart(self) -> None:
        await self.house.close()
        await self.house.reopen()
        await self.house.settled()

    async def lose(self) -> None:
        await self.house.server.go_down()

    async def find(self) -> None:
        await self.house.server.come_back()


class LoungeRoom(Room):
    platform = "web"
    chip = "+10"
    first_hand = ("+10", "Raise")
    best_choice = "Raise (20) ★"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.people: dict[str, Any] = {}
        self.pages: dict[str, list[str]] = {name: [] for name in PEOPLE}
        self.once: dict[str, dict[str, Any]] = {}
        self.asked: dict[str, tuple[str, tuple[str, ...]]] = {}
        self.opening: Any = None

    async def open(self) -> None:
        await self._open()
        for name in PEOPLE:
            self.people[name] = await self.house.enter(name)
        tables = self.writer.state.tables.values()
        self.address = str(next(table.id for table in tables if table.game == GAME))
        await self.settle()

    async def _open(self) -> None:
        self.opening = open_house.open_house(self.folder)
        self.house = await self.opening.__aenter__()

    async def close(self) -> None:
        await self.opening.__aexit__(None, None, None)

    @property
    def writer(self) -> Writer:
        writer: Writer = self.house.writer
        return writer

    def account(self, name: str) -> str:
        player = self.people[name].id
        return next(
            account for (platform, account), id in self.writer.state.identities.items()
            if platform == "web" and id == player
        )  # fmt: skip

    async def settle(self) -> None:
        await asyncio.sleep(0.3)  # more frequent requests would be refused
        for name, player in self.people.items():
            page = await player.page(f"/table/{self.address}")
            self.pages[name].append(page)
            self.once |= dict(_buttons_of(page))

    async def presses(self, name: str, button: str) -> str:
        await self.settle()
        press = next(press for label, press in _buttons_of(self.pages[name][-1]) if label.startswith(button))
        return await self._press(name, press)

    async def presses_again(self, name: str, button: str) -> str:
        return await self._press(name, next(one for label, one in self.once.items() if label.startswith(button)))

    async def _press(self, name: str, press: dict[str, Any], **more: Any) -> str:
        verb, args = press["verb"], tuple(press["args"])
        return await self._hear(name, verb, args, fresh=press["fresh"], **more)

    async def _hear(self, name: str, verb: str, args: tuple[str, ...], **more: Any) -> str:
        said = await self.people[name].press(verb, *args, table=int(self.address), **more)
        assert said["status"] == 200, said
        self.asked[name] = (verb, args)
        self.pages[name].append("\n".join(said["texts"]))
        return self.pages[name][-1]

    async def says(self, name: str, verb: str, *args: str) -> str:
        return await self._hear(name, verb, args)

    async def confirms(self, name: str, *, yes: bool) -> str:
        """Answer the last question; a no stays on the page."""
        verb, args = self.asked[name]
        return await self._hear(name, verb, args, confirmed=True) if yes else ""

    async def looks_at_his_cards(self, name: str) -> str:
        await self.settle()
        return self.pages[name][-1]

    async def learns(self, name: str, *buttons: str, begins: bool = True) -> list[str]:
        """Play a practice hand; the address after a press has all presses."""
        player, told = self.people[name], []
        if begins:
            links = re.findall(r'<a[^>]* href="([^"]*)"[^>]*>(.*?)</a>', await player.page(f"/table/{self.address}"))
            way = next(way for way, text in links if _text_of(text).startswith("First hand"))
            self.learnt = unescape(way).removeprefix(player.base)
            told.append(_text_of(await player.page(self.learnt)))
        for button in buttons:
            page = await player.page(self.learnt)
            press = next(press for label, press in _buttons_of(page) if label.startswith(button))
            post = unescape(re.findall(r'data-post="([^"]*)"', page)[0])
            answer = await player.client.post(post, json={"key": "practice", **press})
            self.learnt = (await answer.json())["at"].removeprefix(player.base)
            told.append(_text_of(await player.page(self.learnt)))
        self.pages[name] += told
        return told

    def cards_in(self, text: str) -> set[str]:
        """Return the cards named by addresses of pictures."""
        return {say_card(card) for card in re.findall(r"/cards/[0-9a-f]+/([2-9TJQKA][shdc])\.svg", text)}

    def buttons(self, name: str) -> list[str]:
        return [label for label, _press in _buttons_of(self.pages[name][-1])]

    def shown(self, name: str) -> str:
        return _text_of(next(page for page in reversed(self.pages[name]) if "<html" in page))

    def everything(self, name: str) -> str:
        return "\n".join(self.pages[name])

    async def pass_time(self, seconds: float) -> None:
        await self.house.wait(seconds)
        await self.settle()

    async def restart(self) -> None:
        """Restart with the same browsers, on the same day."""
        ahead, before = self.house.ahead[0], dict(self.people)
        await self.close()
        await self._open()
        self.house.ahead[0] = ahead
        for name, player in before.items():
            client = await self.house.browser()
            for cookie in player.client.session.cookie_jar:
                client.session.cookie_jar.update_cookies({cookie.key: cookie.value})
            self.people[name] = open_house.Player(self.house, client, player.base, player.numbers)
        await self.settle()

    async def lose(self) -> None:
        pytest.skip("the lounge is the house itself: who cannot reach it cannot reach its clocks either")

    async def find(self) -> None: ...


_BUTTON = re.compile(r"<button[^>]*>.*?</button>", re.DOTALL)


def _buttons_of(page: str) -> list[tuple[str, dict[str, Any]]]:
    """Return (label, what the page sends) of a page's own buttons."""
    found = []
    for text in _BUTTON.findall(page):
        tag, attributes = text.partition(">")[0], dict(re.findall(r"data-([a-z]+)=[\"']([^\"']*)[\"']", text))
        if "verb" in attributes and "disabled" not in tag:
            args = json.loads(unescape(re.findall(r"data-args='([^']*)'", text)[0]))
            press = {"verb": attributes["verb"], "args": args, "fresh": attributes.get("fresh", "")}
            found.append((_text_of(text), press))
    return found


def _text_of(page: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


@asynccontextmanager
async def room_of(
    platform: str, folder: Path, monkeypatch: pytest.MonkeyPatch, store: Store | None = None
) -> AsyncIterator[Room]:
    """Open a room with a table, where both people have come. With a server's `store` a front serves the platform."""
    if platform == "discord":
        options = {"store": store, "has_front": True} if store is not None else {}
        async with discord_house.opened(folder, monkeypatch, **options) as house:
            discord = DiscordRoom(house)
            await discord.open()
            yield discord
    elif platform == "telegram":
        async with BotApiServer(clock=VirtualClock()) as api:
            there = await telegram_house.House.open(api, folder, store=store)
            telegram = TelegramRoom(there)
            await telegram.open()
            yield telegram
            await there.close()
    else:
        lounge = LoungeRoom(folder)
        await lounge.open()
        yield lounge
        await lounge.close()
