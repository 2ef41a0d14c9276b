"""“No more bets” as a separate message in a group, before the round for which the cards wait."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from engine.fairness.beacon import time_of
from tests.core.rounds import Rounds, made_up
from tests.patience import until
from tests.platforms.telegram.house import House, people
from tests.servers.telegram import BotApiServer, Chat, Message, User, VirtualClock
from tests.some import some


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with BotApiServer(clock=VirtualClock()) as api:
        opened = await House.open(api, tmp_path, beacon=Rounds())
        opened.watch_for_leaks()
        yield opened
        await opened.close()
        assert not opened.leaks


async def opened_table(house: House) -> tuple[Chat, User]:
    (anna,) = people(house, "Anna")
    group = house.server.supergroup("Venezia", [], [anna])
    await anna.says(group, "/table open caribbean")
    await house.wait(30)
    return group, anna


async def bets_close(house: House, group: Chat, anna: User) -> None:
    await anna.says(group, "/bet 50")
    await house.wait(1)
    await house.wait(some(house.table_at(group).round.deadline) - house.clock.now())
    assert house.table_at(group).phase == "waiting"


async def deal(house: House, group: Chat) -> None:
    """Deliver the round at its time, once the casino asks for it: a head covers the close then."""
    number = house.table_at(group).round.waits.round
    await until(lambda: number in house.writer.schedule.rounds_to_come)
    await house.wait(time_of(number) - house.clock.now())
    house.writer.take_round(made_up(number))
    await house.wait(30)
    assert house.table_at(group).round.waits is None


def told(group: Chat) -> list[Message]:
    return [one for one in group.messages if "No more bets on hand" in one.text]


async def test_fairness_3_the_close_is_a_message_of_its_own_that_stays_and_wakes_nobody(house: House) -> None:
    group, anna = await opened_table(house)
    await bets_close(house, group, anna)
    table = house.table_at(group)
    await house.wait(time_of(table.round.waits.round) - house.clock.now() - 0.5)
    (message,) = told(group)
    head = some(house.writer.state.head_of(table.casino))
    assert head.size > table.round.lines[-1]
    assert f"hand {table.round.hand_id}." in message.text
    assert f"round {table.round.waits.round} of quicknet" in message.text
    assert f"log {head.log} has {head.size} entries" in message.text
    assert message.text.endswith(f"\n{head.root.hex()[:32]}")
    assert message.silent
    text = message.text
    await deal(house, group)
    assert [one.text for one in told(group)] == [text]


async def test_fairness_3_after_a_restart_it_is_not_told_again(house: House) -> None:
    group, anna = await opened_table(house)
    await bets_close(house, group, anna)
    await house.wait(1)
    assert len(told(group)) == 1
    await house.close()
    await house.reopen(beacon=Rounds())
    assert house.table_at(group).phase == "waiting"
    await deal(house, group)
    assert len(told(group)) == 1


async def test_fairness_3_what_telegram_does_not_take_before_the_round_is_not_told_later(house: House) -> None:
    group, anna = await opened_table(house)
    await anna.says(group, "/bet 50")
    await house.wait(1)
    await house.wait(some(house.table_at(group).round.deadline) - house.clock.now() - 0.1)
    house.server.fail("sendMessage", 429, retry_after=7)
    await house.wait(0.2)
    waits = house.table_at(group).round.waits
    await house.wait(30)
    assert house.clock.now() > time_of(waits.round) + 7
    assert told(group) == []


async def test_without_the_option_nothing_is_told(house: House) -> None:
    group, anna = await opened_table(house)
    await anna.says(group, "/table set witness off too many messages")
    await house.wait(30)
    await bets_close(house, group, anna)
    await house.wait(30)
    assert told(group) == []
