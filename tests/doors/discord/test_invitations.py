"""A code that brings a friend to a table on Discord: he types it anywhere in the server, and is told the channel."""

import re

from tests.doors.discord.house import opened


async def test_a_code_brings_a_friend_to_a_private_table(tmp_path, monkeypatch):
    async with opened(tmp_path / "data", monkeypatch) as house:
        guild = house.server.guild("Venezia")
        channel, other, bea = guild.text_channel("salotto"), guild.text_channel("altrove"), guild.member("Bea")
        await house.table_in(channel)
        await guild.owner.slash(channel, "table private", option="on")
        assert "for invited players" in (await bea.slash(channel, "bet", amount="50")).text
        answer = await guild.owner.slash(channel, "table invite")
        (code,) = re.findall(r"[0-9]+-[A-Z2-7]{16}", answer.text)
        assert not any(code in str(sight.text) for sight in house.server.everything_sent_to(bea))
        told = (await bea.slash(other, "accept", code=code)).text
        assert "You are invited to table 1 of Venezia" in told
        assert f"<#{channel.id}>" in told
        assert "950" in (await bea.slash(channel, "bet", amount="50")).text
        house.server.assert_clean()
