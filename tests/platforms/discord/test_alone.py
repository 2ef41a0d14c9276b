"""The casino in a separate process against a Discord on the loopback: uploads, refusals, slow answers, lost
connections.
"""

import asyncio
import os
import sqlite3
import sys

import pytest

from storage.sqlite import FILE
from tests.servers.discord import DiscordServer
from tests.some import some

CALLBACK = "POST /interactions/{interaction_id}/{interaction_token}/callback"
EDIT = "PATCH /channels/{channel_id}/messages/{message_id}"
PNG = b"\x89PNG\r\n\x1a\n"


class Alone:
    """The server, the bot's process, a guild and a channel with a table."""

    def __init__(self, folder):
        self.folder, self.server = folder, DiscordServer()

    async def start(self, game):
        await self.server.start()
        self.guild = self.server.guild("Venezia")
        await self.spawn()
        await self.server.ready()
        self.channel = self.guild.text_channel(game)
        await some(self.guild.owner).slash(self.channel, "table open", game=game)
        await self.server.message(self.channel, "Place your bets")

    async def spawn(self, dealt="first"):
        settings = {"DEALT": dealt, "RIDOTTO_WEB": "off", "RIDOTTO_DATA": str(self.folder), "RIDOTTO_LOG": "error"}
        env = {name: value for name, value in os.environ.items() if not name.startswith("RIDOTTO_")}
        self.process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.dealt", env=env | settings | self.server.env, stdout=asyncio.subprocess.DEVNULL
        )

    async def stop(self):
        self.process.terminate()
        assert await self.process.wait() == 0
        await self.server.stop()


@pytest.fixture
async def alone(tmp_path):
    alone = Alone(tmp_path / "data")
    await alone.start("caribbean")
    yield alone
    await alone.stop()
    alone.server.assert_clean()


@pytest.mark.slow
async def test_a_rate_limit_with_via_is_waited_out(alone):
    server, channel = alone.server, alone.channel
    server.rate_limit(EDIT, 0.5, times=2)
    anna = alone.guild.member("Anna")
    await anna.slash(channel, "bet", amount="50")
    await server.message(channel, "Anna")
    assert [call.status for call in server.calls_of(EDIT)][:3] == [429, 429, 200]


@pytest.mark.slow
async def test_a_busy_writer_is_waited_for_with_a_deferred_answer(alone):
    """Discord drops interactions after three seconds: the answer is deferred while the store is locked."""
    anna, before = alone.guild.member("Anna"), len(alone.server.calls_of(CALLBACK))
    with sqlite3.connect(alone.folder / FILE, isolation_level=None) as books:
        books.execute("BEGIN IMMEDIATE")
        betting = asyncio.ensure_future(anna.slash(alone.channel, "bet", amount="50"))
        await alone.server.until(lambda: len(alone.server.calls_of(CALLBACK)) > before)
        books.execute("ROLLBACK")
    books.close()
    answer = await betting
    assert "950" in answer.text
    assert some(answer.answered_after_s) > 1.0
    assert alone.server.calls_of("PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original")


@pytest.mark.slow
@pytest.mark.timeout(240)
async def test_a_house_that_is_killed_comes_back_with_six_shards_and_nobody_folds(alone):
    """The sixth shard is connected after 25 s, later than the table's clock would have run out."""
    server = alone.server
    server.shards = 6
    guild = server.guild("Genova", shard=5)
    server.shards = 1
    channel, anna, bruno = guild.text_channel("caribbean"), guild.member("Anna"), guild.member("Bruno")
    await guild.owner.slash(channel, "table open", game="caribbean")
    await guild.owner.slash(channel, "table set", setting="pace", value="fast", reason="quick")
    for member in (anna, bruno):
        await member.slash(channel, "bet", amount="100")
        await member.slash(channel, "ready")
    await server.message(channel, "waiting for")
    alone.process.kill()
    await alone.process.wait()
    server.shards = 6
    await alone.spawn()
    await server.until(lambda: server.is_connected)
    for member in (anna, bruno):
        assert "You raised: 200." in (await member.slash(channel, "raise")).text
    assert await server.message(channel, "Place your bets")


# How to join the next hand at each game's table, and what the answer becomes when the hand is dealt.
BETS = {
    "caribbean": ("bet", {"amount": "50"}, "Raise (100)"),
    "uth": ("bet", {"amount": "50"}, "Check"),
    "paiju": ("bet", {"amount": "50", "spot": "south"}, "**"),
    "blackjack": ("bet", {"amount": "50"}, "## "),
    "stud": ("buyin", {"amount": "320"}, "## "),
}


@pytest.mark.slow
async def test_private_answers_that_a_killed_house_had_shown_follow_the_hand(alone):
    """Each player's message becomes their cards in each game, though no one presses after the kill."""
    server, guild = alone.server, alone.guild
    anna, bruno = guild.member("Anna"), guild.member("Bruno")
    answers = []
    for game, (verb, options, becomes) in BETS.items():
        channel = alone.channel if game == "caribbean" else guild.text_channel(game)
        if channel is not alone.channel:
            await guild.owner.slash(channel, "table open", game=game)
        for member in (bruno, anna):
            answers.append((await member.slash(channel, verb, **options), becomes))
    alone.process.kill()
    await alone.process.wait()
    assert not [answer.text for answer, becomes in answers if becomes in answer.text]
    await alone.spawn("second")
    for answer, becomes in answers:
        await server.until(lambda answer=answer, becomes=becomes: becomes in answer.text)
