"""Many tables on one platform of the loopback with people who press, for benchmarks.platforms.

They press buttons on the platform's messages and know nothing else.
"""

import asyncio
import random
import re
import socket
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from bot.core.rounds.playing import MOVES
from tests.servers import discord as discord_server
from tests.servers import telegram as telegram_server

# Names that are no part of any other word at a table.
NAMES = ("Ludmilla", "Quirino", "Zoraide")
PLAYED = {"bet", "rebet", "ready", "cards", "buyin", *MOVES}
TABLES_A_SERVER = 10
DISCORD_CALLS_A_SECOND = 50
# Number of updates that Telegram sends to a webhook at once by default.
WEBHOOK_LINES = 40
SET_UP_AT_ONCE = 40
PATIENCE_S, QUIET_S = 60.0, 2.0
# What does something at once, as it is written behind a button: the kind, the table, the verb.
_CODE = re.compile(r"[vbm]\d*\|([a-z -]+)\|")
_LIES_THERE = re.compile(r"\. [\d.,]+ left\.")


def is_played(code: str) -> bool:
    """Return whether the button is a bet, a move, *Ready* or *My cards*."""
    found = _CODE.match(code)
    return found is not None and found[1] in PLAYED


@dataclass(eq=False)
class Pressed:
    """One press. `answered` is the time of its answer, None before it.

    `is_new`: the player's name was not at the table; `is_in`: the answer confirms the bet.
    """

    table: int
    name: str
    at: float
    is_new: bool
    answered: float | None = None
    is_in: bool = False

    def hear(self, at: float, text: str) -> None:
        self.answered, self.is_in = at, bool(_LIES_THERE.search(text))


class Version(NamedTuple):
    """The content of a table's message from `at` on."""

    at: float
    text: str


class Calls(NamedTuple):
    """Calls so far: messages and edits, with the number of pictures; 429s; other refusals, by call and the platform's
    text.
    """

    shown: int
    pictures: int
    limited: int
    refused: Mapping[str, int]


class Town(Protocol):
    """A platform's server with its tables and people; times are Unix seconds."""

    async def __aenter__(self) -> "Town": ...

    async def __aexit__(self, *_: object) -> None: ...

    def settings(self) -> dict[str, str]:
        """Return the settings of a casino on this platform."""

    async def set_up(self, quiet_s: float) -> None:
        """Open a table in each place, after the casino has opened. Raises TimeoutError if that fails."""

    def press(self, chance: random.Random) -> Pressed | None:
        """Let a person press an available button; None if there is none now."""

    def calls(self) -> Calls:
        """Return the calls so far."""

    def versions(self) -> dict[int, list[Version]]:
        """Return {table: the contents of its messages, the oldest first}."""


@dataclass(eq=False)
class Group:
    """A Telegram group with its people, the first of whom administers it."""

    chat: Any
    game: str
    people: Sequence[Any]

    def buttons(self) -> list[tuple[Any, str]]:
        """Return (message, data) of the game buttons."""
        return [
            (message, button.data)
            for message in self.chat.messages
            if message.markup is not None
            for button in message.buttons
            if button.data is not None and is_played(button.data)
        ]


class Telegram:
    """Groups with one table each."""

    def __init__(self, tables: int, games: Sequence[str], *, webhook: bool = False) -> None:
        server = telegram_server
        # What is measured is the bot: calls take no time on their way.
        self.server = server.BotApiServer(clock=server.SystemClock(), at_once=WEBHOOK_LINES, way_s=lambda number: 0.0)
        self._webhook = _free_port() if webhook else None
        self._opening: list[Group] = []
        self._groups = [self._group(number, games[number % len(games)]) for number in range(tables)]

    def _group(self, number: int, game: str) -> Group:
        people = [self.server.user(name) for name in NAMES]
        return Group(self.server.supergroup(f"Group {number}", people[1:], people[:1]), game, people)

    async def __aenter__(self) -> "Telegram":
        await self.server.__aenter__()
        return self

    async def __aexit__(self, *what: Any) -> None:
        await self.server.__aexit__(*what)

    def settings(self) -> dict[str, str]:
        """Return the settings for polling, or for a webhook at the casino's address, which is called without TLS
        here.
        """
        found = {"RIDOTTO_TELEGRAM_TOKEN": self.server.token, "RIDOTTO_TELEGRAM_API": self.server.base_url}
        if self._webhook is None:
            return found
        there = f"127.0.0.1:{self._webhook}"
        return found | {"RIDOTTO_WEB": there, "RIDOTTO_TELEGRAM_WEBHOOK": f"https://{there}"}

    async def set_up(self, quiet_s: float) -> None:
        """Open a table in each group, a few at a time, and wait until the casino is quiet."""
        await _until(self._is_listening, "the house listens to Telegram")
        for group in self._groups:
            await group.people[0].says(group.chat, f"/table open {group.game}")
            self._opening.append(group)
            await _until(lambda: self._still_opening() < SET_UP_AT_ONCE, "tables are opened")
        await _until(lambda: not self._still_opening(), "all tables are open")
        await _until_quiet(lambda: self.calls().shown, quiet_s)

    def _is_listening(self) -> bool:
        webhook = self.server.updates.webhook
        if self._webhook is None:
            return bool(self.server.updates.polls)
        if webhook is not None:  # Telegram calls a proxy with TLS; the casino has none
            webhook.url = webhook.url.replace("https", "http")
        return webhook is not None

    def _still_opening(self) -> int:
        self._opening = [group for group in self._opening if not group.buttons()]
        return len(self._opening)

    def press(self, chance: random.Random) -> Pressed | None:
        """Let a person press a game button at a random table; None if there is none now."""
        number = chance.randrange(len(self._groups))
        group = self._groups[number]
        person, there = chance.choice(group.people), group.buttons()
        if not there:
            return None
        message, data = chance.choice(there)
        done = Pressed(number, person.first_name, time.time(), person.first_name not in message.text)
        press = self.server.user_pressed(person, message, data)
        press.answer.add_done_callback(lambda answer: done.hear(time.time(), _words(answer.result())))
        return done

    def calls(self) -> Calls:
        """Return the answered calls."""
        made = [call for call in self.server.calls if call.answer is not None]
        wrong = [call for call in made if not call.ok]
        pictures = sum(bool(call.uploads) for call in made if call.spent)
        refused = Counter(f"{call.method}: {call.description}" for call in wrong if call.error_code != 429)
        return Calls(sum(call.spent for call in made), pictures, len(wrong) - refused.total(), refused)

    def versions(self) -> dict[int, list[Version]]:
        """Return {table: the contents of its message, and their times}."""
        number_of = {group.chat: number for number, group in enumerate(self._groups)}
        seen = [one for one in self.server.shown if one.kind in ("message", "edit") and one.to is None]
        # The answer to a typed command is no table: it has no game buttons.
        tables = {id(one.message) for one in seen if any(is_played(button.data or "") for button in one.buttons)}
        found: dict[int, list[Version]] = defaultdict(list)
        for shown in seen:
            if shown.chat in number_of and id(shown.message) in tables:
                found[number_of[shown.chat]].append(Version(shown.time, shown.text))
        return found


def _words(alert: Any) -> str:
    return "" if alert is None else str(alert.text)


@dataclass(eq=False)
class Room:
    """A Discord channel with its people."""

    channel: Any
    game: str
    people: Sequence[Any]

    def buttons(self) -> list[tuple[Any, str, str]]:
        """Return (message, custom_id, value) of the game buttons; the value is that of a choice, "" for a button."""
        return [(message, *found) for message in self.channel.messages[-3:] for found in _playable(message)]


def _playable(message: Any) -> Iterator[tuple[str, str]]:
    for button in message.buttons:
        if not button.get("disabled") and is_played(button.get("custom_id", "")):
            yield button["custom_id"], ""
    for select in message.selects:
        if not select.get("disabled"):
            values = (option["value"] for option in select.get("options", ()))
            yield from ((select["custom_id"], value) for value in values if is_played(value))


class Discord:
    """Channels with one table each, ten in a server, under the bot's limit of fifty calls a second."""

    def __init__(self, tables: int, games: Sequence[str]) -> None:
        self.server = discord_server.DiscordServer()
        self.server.checks_one_in = 20
        self.server.limit_all(DISCORD_CALLS_A_SECOND)
        self._rooms: list[Room] = []
        self._tasks: set[asyncio.Task[None]] = set()
        for number in range(tables):
            if number % TABLES_A_SERVER == 0:
                guild = self.server.guild(f"Server {number // TABLES_A_SERVER}")
            people = [guild.member(name) for name in NAMES]
            self._rooms.append(Room(guild.text_channel(f"table-{number}"), games[number % len(games)], people))

    async def __aenter__(self) -> "Discord":
        await self.server.start()
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.server.stop()

    def settings(self) -> dict[str, str]:
        """The token and the address of its API."""
        return dict(self.server.env)

    async def set_up(self, quiet_s: float) -> None:
        """Open a table in each channel, in waves, because an owner who opens many at once is slowed down."""
        await self.server.ready()
        # A person who opens many tables must pause after ten.
        waves = [self._rooms[first::TABLES_A_SERVER] for first in range(TABLES_A_SERVER)]
        for wave in waves:
            for first in range(0, len(wave), SET_UP_AT_ONCE):
                await asyncio.gather(*(self._open(room) for room in wave[first : first + SET_UP_AT_ONCE]))
        await _until(lambda: all(room.buttons() for room in self._rooms), "all tables are open")
        await _until_quiet(lambda: self.calls().shown, quiet_s)

    async def _open(self, room: Room) -> None:
        await room.channel.guild.owner.slash(room.channel, "table open", game=room.game)

    def press(self, chance: random.Random) -> Pressed | None:
        """Let a person press a game button at a random table; None if there is none now."""
        number = chance.randrange(len(self._rooms))
        room = self._rooms[number]
        person, there = chance.choice(room.people), room.buttons()
        if not there:
            return None
        message, button, value = chance.choice(there)
        done = Pressed(number, person.name, time.time(), person.name not in message.text)
        task = asyncio.ensure_future(_press(person, message, button, value, done))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return done

    def calls(self) -> Calls:
        """Return the calls of channels; answers to interactions are not counted as shown."""
        own = [call for call in self.server.calls if "/messages" in call.template and "channel_id" in call.ids]
        shown = [call for call in own if call.method in ("POST", "PATCH") and call.status == 200]
        wrong = [call for call in self.server.calls if (call.status or 0) >= 400]
        refused = Counter(f"{call.route}: {_said_of(call)}" for call in wrong if call.status != 429)
        limited = len(wrong) - refused.total()
        return Calls(len(shown), sum(bool(call.files) for call in shown), limited, refused)

    def versions(self) -> dict[int, list[Version]]:
        """Return {table: the contents of its message, and their times}."""
        number_of = {room.channel.id: number for number, room in enumerate(self._rooms)}
        found: dict[int, list[Version]] = defaultdict(list)
        for delivery in self.server.deliveries:
            if delivery.kind in ("message", "edit") and delivery.reader is None and delivery.channel.id in number_of:
                found[number_of[delivery.channel.id]].append(Version(delivery.at_s, delivery.text))
        return found


def _said_of(call: Any) -> str:
    """Return Discord's error code with its text."""
    told = call.answer if isinstance(call.answer, dict) else {}
    return f"{call.status} {told.get('code', '')} {told.get('message', '')}".strip()


async def _press(person: Any, message: Any, button: str, value: str, done: Pressed) -> None:
    # The message may have changed since the person reached for the button.
    if value:
        pressed = await person.selects(message, button, value, stale=True)
    else:
        pressed = await person.presses(message, button, stale=True)
    if pressed.answered_after_s is not None:
        done.hear(pressed.at_s + pressed.answered_after_s, pressed.text)


def bet_ages(pressed: Sequence[Pressed], versions: Mapping[int, Sequence[Version]], end: float) -> list[float]:
    """Return how long each newcomer's bet was missing on the table after its answer; up to `end` if it still is."""
    found = []
    for press in pressed:
        if press.is_new and press.is_in and press.answered is not None:
            said = (one.at for one in versions.get(press.table, ()) if one.at >= press.at and press.name in one.text)
            found.append(max(0.0, next(said, end) - press.answered))
    return sorted(found)


async def _until(holds: Callable[[], bool], what: str) -> None:
    give_up = time.monotonic() + PATIENCE_S
    while not holds():
        if time.monotonic() > give_up:
            raise TimeoutError(f"not within {PATIENCE_S:g} s: {what}")
        await asyncio.sleep(0.02)


async def _until_quiet(count: Callable[[], int], quiet_s: float) -> None:
    """Wait until the count has not changed for a while."""
    before = -1
    while (now := count()) != before:
        before = now
        await asyncio.sleep(quiet_s)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
