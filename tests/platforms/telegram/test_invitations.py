"""Invitation links: a friend presses Start, is told where the table is, and may play there."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.platforms.telegram.house import House, people
from tests.servers.telegram import BotApiServer, VirtualClock


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
    assert "Give this to one person" in told
    (link,) = (word for word in told.split() if "start=accept_" in word)
    code = link.rpartition("_")[2]
    assert not any(code in message.text for message in group.messages), "in the group nobody reads it"
    await bea.says(group, "/bet 50")
    await house.wait(20)
    assert not house.table_at(group).round.bets, "she is not invited"
    await bea.starts(link.partition("start=")[2])
    await house.wait(20)
    told = bea.private.last_message.text
    assert told.startswith("You are invited to table 1 of Venezia, Caribbean Stud.")
    assert "https://t.me/c/" in told
    await bea.says(group, "/bet 50")
    await house.wait(20)
    assert len(house.table_at(group).round.bets) == 1


@pytest.mark.parametrize("kind", ["admin", "member", "closed", "public"])
async def test_who_is_not_in_the_group_is_told_so_and_comes_in_where_there_is_a_way(house: House, kind: str) -> None:
    anna, bea = people(house, "Anna", "Bea")
    public = {"username": "salotto_di_venezia"} if kind == "public" else {}
    bot = "member" if kind in ("member", "public") else "administrator"
    group = house.server.supergroup("Venezia", [], [anna], bot=bot, **public)
    group.invites = kind != "closed"
    await anna.starts()
    for line in ("/table open caribbean", "/invite"):
        await anna.says(group, line)
        await house.wait(20)
    payload = next(word for word in anna.private.last_message.text.split() if "start=accept_" in word).partition(
        "start="
    )[2]
    await bea.starts(payload)
    await house.wait(5)
    told = bea.private.last_message.text
    assert told.startswith("You are invited to table 1 of Venezia, Caribbean Stud.")
    if kind == "public":
        assert "Join with https://t.me/salotto_di_venezia." in told
    elif kind == "admin":
        (link,) = group.links
        assert f"You are not in that group yet. Join with {link}." in told
        await bea.comes_by(group, link)
        assert not group.links, "it was for one person"
        await bea.says(group, "/bet 50")
        await house.wait(20)
        assert len(house.table_at(group).round.bets) == 1
    else:
        assert "You are not in that group yet. Ask the player who invited you to add you." in told
        assert not group.links
