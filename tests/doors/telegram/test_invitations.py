"""A link that brings a friend to a table: he presses Start, is told where it is, and may play there."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.doors.telegram.house import House, people
from tests.telegram_server import BotApiServer, VirtualClock


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with BotApiServer(clock=VirtualClock()) as api:
        opened = await House.open(api, tmp_path)
        yield opened
        await opened.close()


async def test_a_start_link_brings_a_friend_to_a_private_table(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Venezia", [bea], [anna])
    await anna.starts()
    for line in ("/table open caribbean", "/table private on", "/table invite"):
        await anna.says(group, line)
        await house.wait(20)
    told = anna.private.last_message.text
    assert "Hand this to one person" in told
    (link,) = (word for word in told.split() if "start=accept_" in word)
    code = link.rpartition("_")[2]
    assert not any(code in message.text for message in group.messages), "in the group nobody reads it"
    await bea.says(group, "/bet 50")
    await house.wait(20)
    assert not house.table_at(group).bets, "she is not invited"
    await bea.starts(link.partition("start=")[2])
    await house.wait(20)
    told = bea.private.last_message.text
    assert told.startswith("You are invited to table 1 of Venezia, Caribbean Stud.")
    assert "https://t.me/c/" in told
    await bea.says(group, "/bet 50")
    await house.wait(20)
    assert len(house.table_at(group).bets) == 1
