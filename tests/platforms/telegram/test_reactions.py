"""Reactions to a big win on the table's message, until the next bet."""

from pathlib import Path

import pytest

from tests.platforms.telegram.house import House, people
from tests.servers.telegram import BotApiServer, VirtualClock


async def test_a_big_win_is_cheered_until_the_next_bet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.platforms.common.reactions.BIG", 0.01)  # any winner
    async with BotApiServer(clock=VirtualClock()) as api:
        house = await House.open(api, tmp_path)
        (anna,) = people(house, "Anna")
        group = house.server.supergroup("Venezia", [], [anna])
        for line in ("/table open caribbean", "/table set cheers on"):
            await anna.says(group, line)
            await house.wait(10)
        for _hand in range(12):
            await anna.says(group, "/bet 10")
            await house.wait(30)
            await anna.says(group, "/raise")
            await house.wait(20)
            if house.post_at(group).reactions:
                break
        assert house.post_at(group).reactions == ["🎉"]
        await anna.says(group, "/bet 10")
        await house.wait(20)
        assert house.post_at(group).reactions == []
        await house.close()
