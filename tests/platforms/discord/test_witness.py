"""“No more bets” as a separate message on Discord, before the round for which the cards wait."""

import time

import pytest

from engine.fairness.beacon import time_of
from tests.core.rounds import Rounds, made_up
from tests.platforms.discord.house import opened

SILENT = 1 << 12


@pytest.fixture
async def house(tmp_path, monkeypatch):
    """An opened casino whose clock moves only with the test, so that no round comes unasked."""
    async with opened(tmp_path / "data", monkeypatch, stands_at_s=time.time(), beacon=Rounds()) as house:
        yield house
        house.server.assert_clean()


def told(channel):
    return [one for one in channel.messages if "No more bets on hand" in one.text]


async def closed(house, channel):
    """Bet and wait until bets are closed."""
    await house.table_in(channel)
    await bets(house, channel)


async def bets(house, channel):
    await channel.guild.member("Anna").slash(channel, "bet", amount="50")
    await house.pass_time(house.left(channel))
    assert house.table(channel).phase == "waiting"


async def deal(house, channel):
    """Deliver the round at its time, once the casino asks for it: a head covers the close then."""
    number = house.table(channel).round.waits.round
    await house.until(lambda: number in house.writer.schedule.rounds_to_come)
    await house.pass_time(time_of(number) - house.server.now_s())
    house.writer.take_round(made_up(number))
    await house.until(lambda: house.table(channel).round.hand is not None)


async def settled(house, channel):
    """Wait until the table shows the cards, which it requested after all other messages."""
    await house.shown(channel, "waiting for")


async def test_fairness_3_the_close_is_a_message_of_its_own_that_stays_and_wakes_nobody(house):
    channel = house.server.guild("Venezia").text_channel("salotto")
    await closed(house, channel)
    await house.until(lambda: told(channel))
    table, (message,) = house.table(channel), told(channel)
    head = house.house.head_of(table.casino)
    assert head.size > table.round.lines[-1]
    assert f"hand {table.round.hand_id}." in message.text
    assert f"round {table.round.waits.round} of quicknet" in message.text
    assert f"log {head.log} has {head.size} entries" in message.text
    assert f"\n{head.root.hex()[:32]}\n" in message.text
    assert message.flags & SILENT
    assert message.at_s < time_of(table.round.waits.round)
    await deal(house, channel)
    await settled(house, channel)
    assert told(channel) == [message]
    assert (message.edits, message.is_deleted) == (0, False)


async def test_fairness_3_without_the_option_the_close_is_no_message_of_its_own(house):
    channel = house.server.guild("Venezia").text_channel("salotto")
    await house.table_in(channel)
    answer = await channel.guild.owner.slash(channel, "table set", setting="witness", value="off", reason="too many")
    assert "→ off" in answer.text
    await bets(house, channel)
    await deal(house, channel)
    await settled(house, channel)
    assert told(channel) == []
