"""One casino in two places: a Discord channel and a Telegram group play the same hand at the same table.

The house is a process of its own, with both platforms on the loopback.
"""

import asyncio
import itertools
import os
import re
import sqlite3
import sys
from contextlib import closing

import pytest

from storage.sqlite import FILE
from tests.patience import PATIENCE_S
from tests.servers.discord import DiscordServer
from tests.servers.telegram import BotApiServer, SystemClock
from tests.some import some

pytestmark = pytest.mark.slow


@pytest.fixture
async def both(tmp_path):
    async with BotApiServer(clock=SystemClock()) as telegram, DiscordServer() as discord:
        guild = discord.guild("Venezia")
        settings = {
            "RIDOTTO_WEB": "off",
            "RIDOTTO_DATA": str(tmp_path / "data"),
            "RIDOTTO_TELEGRAM_TOKEN": telegram.token,
            "RIDOTTO_TELEGRAM_API": telegram.base_url,
        }
        env = {name: value for name, value in os.environ.items() if not name.startswith("RIDOTTO_")}
        house = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.dealt", env=env | settings | discord.env, stdout=-3, stderr=-3
        )
        await discord.ready()
        yield discord, guild, telegram, tmp_path / "data" / FILE
        house.terminate()
        assert await asyncio.wait_for(house.wait(), PATIENCE_S) == 0


async def share(discord, guild, telegram, game):
    """A channel with a table of the game, and a group that joins its casino and shows the same table."""
    channel = guild.text_channel(game)
    await guild.owner.slash(channel, "table open", game=game)
    await discord.message(channel, "Place your bets")
    answer = await guild.owner.slash(channel, "house code")
    code = some(re.search(r"code is ([\w-]+)", answer.text))[1]
    anna = telegram.user("Anna")
    group = telegram.group("Salotto", admins=[anna])
    await anna.asks(group, "/setup")
    await says_yes(anna, group, "/table close the channel's table shall stand here")
    await says_yes(anna, group, f"/house join {code}")
    await anna.says(group, "/table mirror 1")
    await telegram.until(lambda: group.messages and "Place your bets" in shown(group), 10)
    return channel, group, anna


async def says_yes(person, group, line):
    question = await person.asks(group, line)
    await person.presses(question, "Read")
    await person.server.until(lambda: any(button.text == "Yes" for button in question.buttons), 10)
    await person.presses(question, "Yes")


def players_paid(books):
    """How many people the finished hands of the house have results for."""
    with closing(sqlite3.connect(books)) as read:
        return read.execute("SELECT count(DISTINCT player) FROM results").fetchone()[0]


async def both_ready(discord, anna, group, bea, channel):
    """Nobody waits for more bets, when the typed one is shown."""
    await discord.message(channel, "Anna")
    await anna.says(group, "/ready")
    await bea.slash(channel, "ready")


def shown(group):
    return "\n".join(message.text or message.caption or "" for message in group.messages)


async def test_a_paiju_coup_is_played_across_both(both):
    discord, guild, telegram, books = both
    channel, group, anna = await share(discord, guild, telegram, "paiju")
    bea = guild.member("Bea")
    assert "980" in (await bea.slash(channel, "bet", amount="20", spot="south")).text
    await anna.says(group, "/bet west 30")
    await both_ready(discord, anna, group, bea, channel)
    await discord.message(channel, "Anna")
    await telegram.until(lambda: "Bea" in shown(group))
    paid = re.compile(r"Bank: \d+")
    await telegram.until(lambda: paid.search(shown(group)))
    table = await discord.message(channel, "Bank: ")
    assert some(paid.search(table.text))[0] in shown(group)
    assert players_paid(books) == 2


async def test_a_black_jack_hand_is_played_across_both(both):
    discord, guild, telegram, books = both
    channel, group, anna = await share(discord, guild, telegram, "blackjack")
    bea = guild.member("Bea")
    await bea.slash(channel, "bet", amount="20", box=1)
    await anna.says(group, "/bet 2 30")
    await both_ready(discord, anna, group, bea, channel)
    await discord.message(channel, "Anna")
    await telegram.until(lambda: "Bea" in shown(group))
    await discord.message(channel, "Dealer")
    for word in itertools.cycle(("decline", "stand")):  # an ace asks for insurance first (BJ10)
        if players_paid(books) == 2:
            break
        await bea.slash(channel, word)
        await anna.says(group, f"/{word}")
        await asyncio.sleep(1.5)
    await telegram.until(lambda: "Bea" in shown(group) and re.search(r"Dealer: (\d+|Black Jack)", shown(group)))
