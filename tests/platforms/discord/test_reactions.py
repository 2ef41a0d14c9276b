"""Reactions to a big win on the table's message, where allowed, until the next bet."""

import pytest

from tests.platforms.discord.house import opened


@pytest.mark.slow
@pytest.mark.parametrize("is_allowed", [True, False])
async def test_a_big_win_is_cheered_until_the_next_bet(tmp_path, monkeypatch, is_allowed):
    monkeypatch.setattr("bot.platforms.common.reactions.BIG", 0.01)  # any winner
    async with opened(tmp_path / "data", monkeypatch) as house:
        guild = house.server.guild("Venezia")
        channel, anna = guild.text_channel("salotto"), guild.member("Anna")
        if is_allowed:
            channel.give("add_reactions")
        message = await house.table_in(channel)
        await guild.owner.slash(channel, "table set", setting="cheers", value="on")
        for _hand in range(12):
            await anna.slash(channel, "bet", amount="10")
            await house.pass_time(house.left(channel))
            await house.server.until(lambda: house.table(channel).round.hand is not None)
            await anna.slash(channel, "raise")
            await house.server.until(lambda: house.table(channel).round.hand is None)
            if house.client.teller.reactions._standing:
                break
        assert house.client.teller.reactions._standing, "nobody has won"
        if is_allowed:
            await house.server.until(lambda: message.reactions == {"🎉"})
        await anna.slash(channel, "bet", amount="10")
        await house.server.until(lambda: not message.reactions)
        house.server.assert_clean()
