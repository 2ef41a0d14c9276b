"""`ridotto bench press`: what a press costs in our own code, beside what the library takes for the same update.

Ours: the button's code read, the floor, the books, the private answer (Discord: the player's own panel with its
buttons; Telegram: an alert), and the table's message, once for all who pressed at a table. The library's: its text
parsed, its objects made, the handler found and called, which does nothing. What goes out over the network is left out
on both sides. CPU time by turns in one run, medians; ours in batches as the pit takes them.
"""

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Sequence
from copy import deepcopy
from statistics import median
from typing import Any, NamedTuple

import discord
from discord import ui
from telegram import Update
from telegram.ext import Application, CallbackQueryHandler

from bot.doors.discord.codes import read_press
from bot.doors.discord.drawing import panel_view, table_view
from bot.doors.discord.line import PLATFORM as DISCORD
from bot.doors.kit.press import Press, dump_press, load_press
from bot.doors.telegram.desk import PLATFORM as TELEGRAM
from bot.doors.telegram.drawing import caption, fit_alert, keyboard
from bot.house.pit import Pit
from bot.house.speech.command import Answer, Command, Place
from bot.house.state.house import House
from bot.texts import say
from bot.tools.bench.crowd import crowd_at, open_tables, seats_for, temporary_house
from bot.view.build import private_screen, screen

BATCHES = (1, 100)
PRESSES, ROUNDS = 1000, 5
MOST_CAPTION = 1024
_TOKEN = "123456789:AAHa-token-that-nobody-has-given-out"
_SNOWFLAKE = 1_400_000_000_000_000_000


class Measure(NamedTuple):
    """CPU microseconds of one press; `ratio` of ours to the library's."""

    platform: str
    batch: int
    parse_us: float
    floor_us: float
    books_us: float
    answer_us: float
    screen_us: float
    ours_us: float
    library_us: float
    ratio: float


class Platform(NamedTuple):
    """`write(table, verb, args)` is what stands behind a button; `library(data)` hands such an update in."""

    name: str
    write: Callable[[int, str, tuple[str, ...]], str]
    parse: Callable[[str], tuple[str, tuple[str, ...]]]
    answer: Callable[[House, int, int, Answer], object]
    show: Callable[[House, int], object]
    library: Callable[[str, int], Awaitable[float]]


def measure_presses(presses: int = PRESSES, count: int = ROUNDS) -> list[Measure]:
    """`presses` of each kind in each of `count` rounds."""
    return asyncio.run(_measure(presses, count))


async def _measure(presses: int, count: int) -> list[Measure]:
    rows = []
    for platform in (
        Platform(DISCORD, _write_discord, _parse_discord, _answer_discord, _show_discord, _discord_alone),
        Platform(TELEGRAM, _write_telegram, _parse_telegram, _answer_telegram, _show_telegram, _telegram_alone),
    ):
        for batch in BATCHES:
            rounds = [
                (
                    *_ours(platform, batch, presses // 2),
                    await platform.library(platform.write(1, "bet", ("10",)), presses),
                )
                for _round in range(count)
            ]
            parse, floor, books, answer, shown, library = (
                round(median(column), 1) for column in zip(*rounds, strict=True)
            )
            ours = round(parse + floor + books + answer + shown, 1)
            ratio = round(ours / library, 2)
            rows.append(Measure(platform.name, batch, parse, floor, books, answer, shown, ours, library, ratio))
    return rows


def _ours(platform: Platform, batch: int, presses: int) -> tuple[float, float, float, float, float]:
    """Microseconds of a bet to parse, on the floor, in the books, to answer and to show; it is taken back between."""
    spent = [0.0] * 5
    with temporary_house() as pit:
        crowd = crowd_at(open_tables(pit, seats_for(batch)), batch)
        for number in range(2 * max(2, presses // batch)):
            plain = [client.next() for client in crowd]
            seconds = _press(pit, platform, plain)
            if number % 2 == 0:
                spent = [before + now for before, now in zip(spent, seconds, strict=True)]
        parse, floor, books, answer, shown = (one / (batch * max(2, presses // batch)) * 1e6 for one in spent)
        return parse, floor, books, answer, shown


def _press(pit: Pit, platform: Platform, wanted: Sequence[Command]) -> tuple[float, float, float, float, float]:
    house = pit.floor.house
    tables = [house.places[command.place].table_id or 0 for command in wanted]
    codes = [platform.write(table, one.verb, one.args) for table, one in zip(tables, wanted, strict=True)]
    begun = time.process_time()
    commands = []
    for code, one in zip(codes, wanted, strict=True):
        verb, args = platform.parse(code)
        commands.append(Command(one.key, one.who, Place(*one.place), verb, args))
    parsed = time.process_time()
    batch = pit.floor.work(commands, time.time())
    worked = time.process_time()
    pit.books.write(batch.paper)
    written = time.process_time()
    pit.floor.publish(batch)
    published = time.process_time()
    for table, one, answer in zip(tables, wanted, batch.answers, strict=True):
        assert not answer.refused, answer
        platform.answer(house, table, house.identities[one.who.platform, one.who.account], answer)
    answered = time.process_time()
    for table in set(tables):
        platform.show(house, table)
    shown = time.process_time()
    floor = worked - parsed + published - written
    return parsed - begun, floor, written - worked, answered - published, shown - answered


# Discord


def _write_discord(table: int, verb: str, args: tuple[str, ...]) -> str:
    return dump_press(Press("verb", verb, args, "", table))


def _parse_discord(custom_id: str) -> tuple[str, tuple[str, ...]]:
    press = read_press(custom_id)
    assert press is not None
    return press.verb, press.args


def _answer_discord(house: House, table: int, player: int, answer: Answer) -> None:
    shown = private_screen(house, house.tables[table], player, time.time())
    panel_view(shown, answer.texts, "en")


def _show_discord(house: House, table: int) -> list[dict[str, Any]]:
    return table_view(screen(house, house.tables[table], None, time.time()), "en").parts


class _Nothing(ui.Button[ui.LayoutView]):
    """Known to the library by its code, which is the cheapest for it."""

    taken = 0

    async def callback(self, _interaction: discord.Interaction[Any]) -> None:
        self.taken += 1


async def _discord_alone(custom_id: str, presses: int) -> float:
    client = discord.Client(intents=discord.Intents(guilds=True), max_messages=None)
    button, view = _Nothing(custom_id=custom_id), ui.LayoutView(timeout=None)
    view.add_item(ui.ActionRow(button))
    client.add_view(view)
    state = client._connection
    # Who we are is otherwise told when the line to Discord opens.
    me: Any = {"id": str(_SNOWFLAKE + 3), "username": "ridotto", "discriminator": "0", "avatar": None, "bot": True}
    state.user = discord.ClientUser(state=state, data=me)
    parts = _components(custom_id)
    updates = [json.dumps(_interaction(custom_id, number, parts)) for number in range(presses)]
    begun = time.process_time()
    for number, update in enumerate(updates, start=1):
        state.parse_interaction_create(discord.utils._from_json(update))
        while button.taken < number:
            await asyncio.sleep(0)
    return (time.process_time() - begun) / presses * 1e6


def _interaction(custom_id: str, number: int, parts: list[dict[str, Any]]) -> dict[str, Any]:
    """A press of one button of a table's message, as Discord tells it."""
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
    """The message of an empty table, one of its buttons with that code; Discord has numbered all that is in it."""
    with temporary_house() as pit:
        parts = deepcopy(_show_discord(pit.floor.house, 1))
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


# Telegram


def _write_telegram(_table: int, verb: str, args: tuple[str, ...]) -> str:
    return dump_press(Press("verb", verb, args))


def _parse_telegram(data: str) -> tuple[str, tuple[str, ...]]:
    press = load_press(data)
    assert press is not None
    return press.verb, press.args


def _answer_telegram(_house: House, _table: int, _player: int, answer: Answer) -> None:
    fit_alert([say(text, "en") for text in answer.texts])


def _show_telegram(house: House, table: int) -> None:
    shown = screen(house, house.tables[table], None, time.time())
    caption(shown, "en", MOST_CAPTION)
    keyboard(shown, "en", "ridotto_bot", [])


async def _telegram_alone(data: str, presses: int) -> float:
    app = Application.builder().token(_TOKEN).updater(None).build()
    # What `initialize` does besides asks Telegram who we are.
    app._initialized = True
    taken = 0

    async def take(_update: Update, _context: object) -> None:
        nonlocal taken
        taken += 1

    app.add_handler(CallbackQueryHandler(take))
    updates = [json.dumps(_click(data, number)) for number in range(presses)]
    begun = time.process_time()
    for update in updates:
        await app.process_update(Update.de_json(json.loads(update), app.bot))
    spent = time.process_time() - begun
    assert taken == presses
    return spent / presses * 1e6


def _click(data: str, number: int) -> dict[str, Any]:
    """A press of a button under a table's picture in a group, as Telegram tells it."""
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
