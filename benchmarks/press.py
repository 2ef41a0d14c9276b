"""Measure the cost of a press in our own code, compared with the library's for the same update.

Ours: reading the button's code, the command, the store, the private answer (Discord: the player's own panel with its
buttons; Telegram: an alert), and the table's message, once for all presses at a table. The library's: parsing its text,
making its objects, finding and calling the handler, which does nothing. Network traffic is left out on both sides. It
goes by turns, as in production: the library delivers a batch, which is then handled, written, answered and shown. So
both begin after the process has slept, in single presses for as long as the disk took: the processor's caches are cold
then, and everything after costs twice its usual time. Medians; CPU time, and wall-clock time, which includes the wait
for the disk.
"""

import asyncio
import json
import time
from collections.abc import Callable, Sequence
from copy import deepcopy
from statistics import median
from typing import Any, NamedTuple, Protocol

import discord
from discord import ui
from telegram import Update
from telegram.ext import Application, CallbackQueryHandler

from benchmarks.crowd import Client, crowd_at, open_tables, seats_for, temporary_house
from bot.core.commands.command import Answer, Command
from bot.core.state.place import Place
from bot.core.state.transaction import State
from bot.core.writer import Writer
from bot.memory import settle
from bot.platforms.common.press import Press, dump_press, load_press
from bot.platforms.discord.codes import read_press
from bot.platforms.discord.connectivity import PLATFORM as DISCORD
from bot.platforms.discord.drawing import panel_view, table_view
from bot.platforms.telegram.context import PLATFORM as TELEGRAM
from bot.platforms.telegram.drawing import caption, fit_alert, keyboard
from bot.texts import say
from bot.view.build import private_screen, screen

BATCHES = (1, 100)
PRESSES, ROUNDS = 1000, 5
MOST_CAPTION = 1024
_TOKEN = "123456789:AAHa-token-that-nobody-has-given-out"
_SNOWFLAKE = 1_400_000_000_000_000_000


class Measure(NamedTuple):
    """Microseconds of one press; `ratio` of ours to the library's.

    ..._us     CPU: the parts of ours, their sum, the library's
    ..._wall_us  wall-clock time
    """

    platform: str
    batch: int
    parse_us: float
    handling_us: float
    books_us: float
    answer_us: float
    screen_us: float
    ours_us: float
    library_us: float
    ratio: float
    books_wall_us: float
    ours_wall_us: float
    library_wall_us: float
    wall_ratio: float


class Library(Protocol):
    """A platform's library with a handler that does nothing."""

    def write(self, number: int) -> str:
        """Return a press as the platform sends it."""

    async def take(self, updates: Sequence[str]) -> None:
        """Deliver the updates and wait until the handler has been called for each."""


class Platform(NamedTuple):
    """A platform; `write(table, verb, args)` returns the code of a button, `library(data)` takes such presses."""

    name: str
    write: Callable[[int, str, tuple[str, ...]], str]
    parse: Callable[[str], tuple[str, tuple[str, ...]]]
    answer: Callable[[State, int, int, Answer], object]
    show: Callable[[State, int], object]
    library: Callable[[str], Library]


class Spent(NamedTuple):
    """Seconds of CPU and on the wall."""

    cpu: float
    wall: float

    @classmethod
    def now(cls) -> "Spent":
        return cls(time.process_time(), time.perf_counter())

    def since(self, before: "Spent") -> "Spent":
        return Spent(self.cpu - before.cpu, self.wall - before.wall)


class Turn(NamedTuple):
    """The cost of a batch, part by part."""

    library: Spent
    parse: Spent
    handling: Spent
    books: Spent
    answer: Spent
    screen: Spent


def measure_presses(presses: int = PRESSES, count: int = ROUNDS) -> list[Measure]:
    """Measure `presses` of each kind in each of `count` rounds, by turns."""
    platforms = (
        Platform(DISCORD, _write_discord, _parse_discord, _answer_discord, _show_discord, _DiscordAlone),
        Platform(TELEGRAM, _write_telegram, _parse_telegram, _answer_telegram, _show_telegram, _TelegramAlone),
    )
    found: dict[tuple[Platform, int], list[Turn]] = {
        (platform, batch): [] for platform in platforms for batch in BATCHES
    }
    for _round in range(count):
        for (platform, batch), turns in found.items():
            turns.append(asyncio.run(_measure(platform, batch, max(2, presses // batch))))
    return [_sum_up(*kind, turns) for kind, turns in found.items()]


async def _measure(platform: Platform, batch: int, times: int) -> Turn:
    """Return the cost of a press, by parts, in this many batches of bets. Taking them back in between is not counted,
    nor is the first batch, in which everyone is new.
    """
    library = platform.library(platform.write(1, "bet", ("10",)))
    turns = []
    with temporary_house() as writer:
        crowd = crowd_at(open_tables(writer, seats_for(batch)), batch)
        settle()
        for number in range(2 * times + 2):
            turn = await _press(writer, platform, library, crowd)
            if number % 2 == 0 and number:
                turns.append(turn)
    return Turn(*(_per_press(parts, batch) for parts in zip(*turns, strict=True)))


def _per_press(parts: Sequence[Spent], batch: int) -> Spent:
    presses = batch * len(parts)
    return Spent(sum(one.cpu for one in parts) / presses, sum(one.wall for one in parts) / presses)


def _sum_up(platform: Platform, batch: int, turns: Sequence[Turn]) -> Measure:
    columns = list(zip(*turns, strict=True))
    library, *ours = (round(median(one.cpu for one in column) * 1e6, 1) for column in columns)
    library_wall, *walls = (round(median(one.wall for one in column) * 1e6, 1) for column in columns)
    parse, handling, books, answer, shown = ours
    all_of_it, wall = round(sum(ours), 1), round(sum(walls), 1)
    return Measure(
        platform.name,
        batch,
        parse,
        handling,
        books,
        answer,
        shown,
        all_of_it,
        library,
        round(all_of_it / library, 2),
        walls[Turn._fields.index("books") - 1],
        wall,
        library_wall,
        round(wall / library_wall, 2),
    )


async def _press(writer: Writer, platform: Platform, library: Library, crowd: Sequence[Client]) -> Turn:
    state = writer.state
    wanted = [client.next() for client in crowd]
    tables = [state.places[command.place].table_id or 0 for command in wanted]
    codes = [platform.write(table, one.verb, one.args) for table, one in zip(tables, wanted, strict=True)]
    updates = [library.write(number) for number in range(len(wanted))]
    begun = Spent.now()
    await library.take(updates)
    told = Spent.now()
    commands = []
    for code, one in zip(codes, wanted, strict=True):
        verb, args = platform.parse(code)
        commands.append(Command(one.key, one.who, Place(*one.place), verb, args))
    parsed = Spent.now()
    batch = writer.handling.work_out(commands, time.time())
    worked = Spent.now()
    writer.books.write(batch.transaction)
    written = Spent.now()
    writer.handling.publish(batch)
    published = Spent.now()
    for table, one, answer in zip(tables, wanted, batch.answers, strict=True):
        assert not answer.refused, answer
        platform.answer(state, table, state.identities[one.who.platform, one.who.account], answer)
    answered = Spent.now()
    for table in set(tables):
        platform.show(state, table)
    shown = Spent.now()
    on_paper, publishing = worked.since(parsed), published.since(written)
    return Turn(
        told.since(begun),
        parsed.since(told),
        Spent(on_paper.cpu + publishing.cpu, on_paper.wall + publishing.wall),
        written.since(worked),
        answered.since(published),
        shown.since(answered),
    )


def _write_discord(table: int, verb: str, args: tuple[str, ...]) -> str:
    return dump_press(Press("verb", verb, args, "", table))


def _parse_discord(custom_id: str) -> tuple[str, tuple[str, ...]]:
    press = read_press(custom_id)
    assert press is not None
    return press.verb, press.args


def _answer_discord(state: State, table: int, player: int, answer: Answer) -> None:
    shown = private_screen(state, state.tables[table], player, time.time())
    panel_view(shown, answer.texts, "en")


def _show_discord(state: State, table: int) -> list[dict[str, Any]]:
    return table_view(screen(state, state.tables[table], None, time.time()), "en").parts


class _Nothing(ui.Button[ui.LayoutView]):
    """A button that the library finds by its code, the cheapest way for it."""

    taken = 0

    async def callback(self, _interaction: discord.Interaction[Any]) -> None:
        self.taken += 1


class _DiscordAlone:
    def __init__(self, custom_id: str) -> None:
        client = discord.Client(intents=discord.Intents(guilds=True), max_messages=None)
        self._custom_id, self._button = custom_id, _Nothing(custom_id=custom_id)
        view = ui.LayoutView(timeout=None)
        view.add_item(ui.ActionRow(self._button))
        client.add_view(view)
        self._state = client._connection
        # Normally set when the connection to Discord opens.
        me: Any = {"id": str(_SNOWFLAKE + 3), "username": "ridotto", "discriminator": "0", "avatar": None, "bot": True}
        self._state.user = discord.ClientUser(state=self._state, data=me)
        self._parts = _components(custom_id)

    def write(self, number: int) -> str:
        return json.dumps(told_press(self._custom_id, number, self._parts))

    async def take(self, updates: Sequence[str]) -> None:
        for number, update in enumerate(updates, start=self._button.taken + 1):
            self._state.parse_interaction_create(discord.utils._from_json(update))
            while self._button.taken < number:
                await asyncio.sleep(0)


def told_press(custom_id: str, number: int, parts: list[dict[str, Any]]) -> dict[str, Any]:
    """Return a press of a button of a table's message, as Discord sends it."""
    user = {"id": str(_SNOWFLAKE + 1), "username": "anna", "global_name": "Anna", "discriminator": "0", "avatar": None}
    channel = {"id": str(_SNOWFLAKE + 2), "type": 0, "name": "a-table", "position": 0, "permissions": str(2**50 - 1)}
    with_roles: dict[str, Any] = {
        "roles": [],
        "nick": None,
        "joined_at": "2026-01-01T00:00:00+00:00",
        "flags": 0,
        "pending": False,
    }
    return {
        "id": str(_SNOWFLAKE + 100 + number),
        "application_id": str(_SNOWFLAKE + 3),
        "type": 3,
        "token": "a-token",
        "version": 1,
        "data": {"custom_id": custom_id, "component_type": 2, "id": 6},
        "channel_id": channel["id"],
        "channel": channel,
        "guild_id": str(_SNOWFLAKE + 4),
        "guild": {"id": str(_SNOWFLAKE + 4), "locale": "en-US", "features": []},
        "guild_locale": "en-US",
        "locale": "en-US",
        "app_permissions": str(2**50 - 1),
        "entitlements": [],
        "authorizing_integration_owners": {"0": str(_SNOWFLAKE + 4)},
        "context": 0,
        "attachment_size_limit": 10485760,
        "member": {**with_roles, "user": user, "permissions": str(2**50 - 1), "deaf": False, "mute": False},
        "message": {
            "id": str(_SNOWFLAKE + 5),
            "type": 0,
            "channel_id": channel["id"],
            "author": {**user, "bot": True},
            "content": "",
            "timestamp": "2026-01-01T00:00:00+00:00",
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": [],
            "embeds": [],
            "components": parts,
            "pinned": False,
            "flags": 1 << 15,
        },
    }


def _components(custom_id: str) -> list[dict[str, Any]]:
    """Return the message of an empty table, with one button of that code, as numbered by Discord."""
    with temporary_house() as writer:
        parts = deepcopy(_show_discord(writer.state, 1))
    numbers = iter(range(1, 1000))

    def number(part: dict[str, Any]) -> None:
        part["id"] = next(numbers)
        for inner in part.get("components", []):
            number(inner)

    for part in parts:
        number(part)
    rows = [inner for part in parts for inner in part["components"] if inner["type"] == 1]
    rows[0]["components"][0] |= {"custom_id": custom_id, "id": 6}
    return parts


def _write_telegram(_table: int, verb: str, args: tuple[str, ...]) -> str:
    return dump_press(Press("verb", verb, args))


def _parse_telegram(data: str) -> tuple[str, tuple[str, ...]]:
    press = load_press(data)
    assert press is not None
    return press.verb, press.args


def _answer_telegram(_state: State, _table: int, _player: int, answer: Answer) -> None:
    fit_alert([say(text, "en") for text in answer.texts])


def _show_telegram(state: State, table: int) -> None:
    shown = screen(state, state.tables[table], None, time.time())
    caption(shown, "en", MOST_CAPTION)
    keyboard(shown, "en", "ridotto_bot", [])


class _TelegramAlone:
    def __init__(self, data: str) -> None:
        self._data, self._taken = data, 0
        self._app = Application.builder().token(_TOKEN).updater(None).build()
        # `initialize` would otherwise ask Telegram for the bot's identity.
        self._app._initialized = True
        self._app.add_handler(CallbackQueryHandler(self._note))

    async def _note(self, _update: Update, _context: object) -> None:
        self._taken += 1

    def write(self, number: int) -> str:
        return json.dumps(_click(self._data, number))

    async def take(self, updates: Sequence[str]) -> None:
        before = self._taken
        for update in updates:
            await self._app.process_update(Update.de_json(json.loads(update), self._app.bot))
        assert self._taken - before == len(updates)


def _click(data: str, number: int) -> dict[str, Any]:
    """Return a press of a button under a table's picture in a group, as Telegram sends it."""
    me = {"id": 123456789, "is_bot": True, "first_name": "Ridotto", "username": "ridotto_bot"}
    anna = {"id": 5000, "is_bot": False, "first_name": "Anna", "username": "anna", "language_code": "en"}
    picture = {"file_id": "a-file", "file_unique_id": "a", "width": 960, "height": 640, "file_size": 40000}
    keyboard = [[{"text": f"{10 * n}", "callback_data": data} for n in (1, 5, 10)] for _row in range(4)]
    return {
        "update_id": 1000 + number,
        "callback_query": {
            "id": str(10**15 + number),
            "from": anna,
            "chat_instance": "4711",
            "data": data,
            "message": {
                "message_id": 7,
                "date": 1780000000,
                "edit_date": 1780000060,
                "from": me,
                "chat": {"id": -1001000000001, "type": "supergroup", "title": "Salotto"},
                "photo": [picture],
                "caption": "A table with a name of its own, table 1",
                "reply_markup": {"inline_keyboard": keyboard},
            },
        },
    }
