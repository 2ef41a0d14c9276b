"""One rate limiter for all calls of the bot: many busy tables get no 429, and the latest state is drawn."""

import asyncio
import os
import sys
from contextlib import asynccontextmanager

import pytest

from bot.platforms.common.budget import Bucket, Rank
from bot.platforms.discord.calls import Calls
from tests.platforms.discord.house import EDIT, opened

APART = ("/interactions/", "/webhooks/")


@pytest.fixture
async def house(tmp_path, monkeypatch):
    """A casino with seventeen calls a second, on a Discord that takes twenty."""
    async with opened(tmp_path / "data", monkeypatch, calls=Calls(17, 2, 20)) as house:
        house.server.limit_all(20)
        house.guild = house.server.guild("Venezia")
        yield house
        house.server.assert_clean()


async def rooms(house, many):
    """Open tables with a player each as owner; one owner of all would be too fast."""
    members = [house.guild.member(f"P{number}", permissions="manage_guild") for number in range(many)]
    channels = [house.guild.text_channel(f"room-{number}") for number in range(many)]
    for member, channel in zip(members, channels, strict=True):
        await member.slash(channel, "table open", game="caribbean")
    await house.until(lambda: all(channel.messages for channel in channels))
    await house.server.quiet()
    return list(zip(members, channels, strict=True))


def counted(server, since=0):
    return [call for call in server.calls[since:] if not call.path.startswith(APART)]


def busiest_second(calls):
    """Return the most calls in any window of a second, by arrival."""
    times = [call.at_s for call in calls]
    return max(sum(begin <= at < begin + 1.0 for at in times) for begin in times)


@pytest.mark.slow
async def test_busy_tables_draw_no_429_and_all_are_shown(house):
    tables = await rooms(house, 16)
    since, held = len(house.server.calls), house.server.hold(EDIT)
    for _bet in range(3):
        await asyncio.gather(*(member.slash(channel, "bet", amount="10") for member, channel in tables))
    held.stop()
    for member, channel in tables:
        await house.shown(channel, f"**{member.name}** · ante 30")
    made = counted(house.server, since)
    assert {call.status for call in made} == {200}
    # Of three waiting changes one is drawn.
    assert len([call for call in made if call.route == EDIT]) < 3 * len(tables)


@pytest.mark.slow
async def test_a_new_turn_is_shown_before_a_chip_that_waited_longer(house):
    (anna, here), *others = await rooms(house, 8)
    await anna.slash(here, "bet", amount="10")
    await house.server.quiet()
    calls, since = house.client.calls, len(house.server.calls)
    calls.budget.bucket.block_until(asyncio.get_running_loop().time() + 60)
    await asyncio.gather(*(member.slash(channel, "bet", amount="10") for member, channel in others))
    await house.until(lambda: len(calls.budget) == len(others))
    await house.pass_time(house.left(here))
    await house.until(lambda: len(calls.budget) == 1 + len(others))
    assert counted(house.server, since) == []
    calls.budget.bucket = Bucket(17)
    calls.enqueue("wake", Rank.BOARD, calls.answered)
    for member, channel in others:
        await house.shown(channel, f"**{member.name}** · ante 10")
    assert next(call.channel_id for call in counted(house.server, since)) == here.id


@pytest.mark.slow
async def test_after_an_outage_they_do_not_all_come_at_once(house):
    tables = await rooms(house, 24)
    house.server.answer_within_s = 3.0  # as Discord's own
    house.server.fail("*", 503, times=None)
    betting = [asyncio.ensure_future(member.slash(channel, "bet", amount="10")) for member, channel in tables]
    await house.until(lambda: house.is_away() and all(house.table(channel).round.bets for _member, channel in tables))
    since = len(house.server.calls)
    house.server.faults.clear()
    for member, channel in tables:
        await house.shown(channel, f"**{member.name}** · ante 10")
    made = counted(house.server, since)
    assert busiest_second(made) <= 20
    assert 429 not in {call.status for call in made}
    await asyncio.gather(*betting)
    house.server.unanswered.clear()


@pytest.mark.slow
async def test_what_the_library_calls_by_itself_is_counted_too(house):
    channels = [house.guild.text_channel(f"room-{number}") for number in range(40)]
    began = asyncio.get_running_loop().time()
    await asyncio.gather(*(house.client.http.get_channel(channel.id) for channel in channels))
    assert asyncio.get_running_loop().time() - began >= (40 - 2) / 17 - 0.1
    assert busiest_second(counted(house.server)) <= 20


@pytest.mark.slow
async def test_when_discord_says_that_the_bot_is_too_fast_nothing_goes_until_it_may(house):
    (anna, here), (bruno, there) = await rooms(house, 2)
    house.server.rate_limit(EDIT, 3.0, is_global=True)
    await anna.slash(here, "bet", amount="10")
    await house.until(lambda: any(call.status == 429 for call in house.server.calls))
    refused = next(call for call in house.server.calls if call.status == 429)
    await house.server.answered()
    since = len(house.server.calls)
    answer = await bruno.slash(there, "bet", amount="10")
    assert not counted(house.server, since), "answers to presses go apart"
    assert "990" in answer.text
    await house.shown(there, f"**{bruno.name}** · ante 10")
    await house.shown(here, f"**{anna.name}** · ante 10")
    assert min(call.at_s for call in counted(house.server, since)) - refused.at_s >= 3.0


def shows(channel, words):
    """Return what the table shows; one that is far behind has no message yet."""
    return bool(channel.messages) and words in channel.last.text


@asynccontextmanager
async def running(server, folder):
    """A casino in a separate process."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("RIDOTTO_")}
    env |= {"RIDOTTO_WEB": "off", "RIDOTTO_DATA": str(folder), "RIDOTTO_LOG": "error"} | server.env
    quiet = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(sys.executable, "-m", "tests.dealt", env=env, stdout=quiet)
    try:
        await server.ready()
        yield
    finally:
        process.terminate()
        assert await process.wait() == 0
