"""The calls of our own functions that a bet costs in the event loop, until it is drawn in the channel."""

import asyncio
import sys
from collections import Counter
from pathlib import Path

import pytest

import bot
from bot.core.commands.command import Command, Who
from bot.core.state.place import Place

ROOT = Path(bot.__file__).parents[1]
OURS = tuple(f"{ROOT / package}/" for package in ("bot", "engine", "storage"))
MOST = 600


@pytest.mark.long
async def test_a_bet_is_drawn_in_few_calls(house):
    """The table is shown in the channel, and one player has a private panel there."""
    guild = house.server.guild("Venezia")
    anna, bea = guild.member("Anna", permissions="manage_guild"), guild.member("Bea")
    channel = guild.text_channel("table")
    await house.table_in(channel)
    await anna.slash(channel, "bet", amount="10")
    calls: Counter[str] = Counter()

    async def bet():
        who, at = Who("discord", str(bea.id), "Bea"), Place("discord", str(channel.id))
        command = Command(f"bet {house.server.new_id()}", who, at, "bet", ("10",))
        assert not (await asyncio.wrap_future(house.writer.submit(command))).refused

    def count(frame, event, _about):
        if event == "call" and frame.f_code.co_filename.startswith(OURS):
            calls[frame.f_code.co_qualname] += 1

    await bet()
    await house.shown(channel, "**Bea** · ante 10")
    await house.server.quiet()
    counted = []
    for staked in (20, 30, 40):  # the fewest of three: what is late has calls of its own
        calls.clear()
        sys.setprofile(count)
        try:
            await bet()
            await house.shown(channel, f"**Bea** · ante {staked}")
            await house.server.quiet()
        finally:
            sys.setprofile(None)
        counted.append(calls.copy())
    fewest = min(counted, key=Counter.total)
    assert 100 < fewest.total() <= MOST, fewest.most_common(20)
