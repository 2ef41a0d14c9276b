"""Invitation codes: a friend types one anywhere in the server and is told the channel."""

import re

import pytest

from tests.platforms.discord.house import opened


async def test_a_code_brings_a_friend_to_a_private_table(tmp_path, monkeypatch):
    async with opened(tmp_path / "data", monkeypatch) as house:
        guild = house.server.guild("Venezia")
        channel, other, bea = guild.text_channel("salotto"), guild.text_channel("altrove"), guild.member("Bea")
        await house.table_in(channel)
        await guild.owner.slash(channel, "table private", switch="on")
        assert "for invited players" in (await bea.slash(channel, "bet", amount="50")).text
        answer = await guild.owner.slash(channel, "table invite")
        (code,) = re.findall(r"[0-9]+-[A-Z2-7]{16}", answer.text)
        assert not any(code in str(delivery.text) for delivery in house.server.everything_sent_to(bea))
        told = (await bea.slash(other, "accept", code=code)).text
        assert "You are invited to table 1 of Venezia" in told
        assert f"<#{channel.id}>" in told
        assert "950" in (await bea.slash(channel, "bet", amount="50")).text
        house.server.assert_clean()


def codes(answer):
    return re.findall(r"[0-9]+-[A-Z2-7]{16}", answer.text), re.findall(r"https://discord\.gg/([\w-]+)", answer.text)


async def test_a_friend_from_outside_comes_in_by_the_link_and_plays_at_the_private_table(tmp_path, monkeypatch):
    async with opened(tmp_path / "data", monkeypatch) as house:
        guild, elsewhere = house.server.guild("Venezia"), house.server.guild("Padova")
        guild.give("create_instant_invite")
        channel, there, bea = guild.text_channel("salotto"), elsewhere.text_channel("lobby"), elsewhere.member("Bea")
        await house.table_in(channel)
        await guild.owner.slash(channel, "table private", switch="on")
        told = await guild.owner.slash(channel, "table invite")
        (code,), (link,) = codes(told)
        assert "can join with" in told.text
        told = await bea.slash(there, "accept", code=code)
        assert "You are invited to table 1 of Venezia" in told.text
        assert "You are not in that server yet. Ask the player who invited you" in told.text, (
            "not everybody may invite there"
        )
        inside = guild.comes_by(link, bea)
        assert "950" in (await inside.slash(channel, "bet", amount="50")).text
        assert not guild.invites, "it was for one person"
        house.server.assert_clean()


@pytest.mark.slow
async def test_where_everybody_may_invite_an_outsider_who_accepts_gets_the_link_themselves(tmp_path, monkeypatch):
    async with opened(tmp_path / "data", monkeypatch) as house:
        guild, elsewhere = house.server.guild("Venezia"), house.server.guild("Padova")
        guild.give("create_instant_invite")
        guild._set_role(guild.roles[guild.id], guild.roles[guild.id].permissions | 1)
        channel, there, bea = guild.text_channel("salotto"), elsewhere.text_channel("lobby"), elsewhere.member("Bea")
        await house.table_in(channel)
        await house.server.quiet()
        (code,), _links = codes(await guild.member("Anna").slash(channel, "invite"))
        told = await bea.slash(there, "accept", code=code)
        _codes, (link,) = codes(told)
        inside = guild.comes_by(link, bea)
        assert "950" in (await inside.slash(channel, "bet", amount="50")).text
        (code,), _links = codes(await guild.owner.slash(channel, "invite"))
        assert "not in that server" not in (await inside.slash(channel, "accept", code=code)).text
        (code,), _links = codes(await guild.owner.slash(channel, "invite"))
        assert "not in that server" not in (await bea.slash(there, "accept", code=code)).text, "she is by now"
        house.server.assert_clean()


@pytest.mark.slow
@pytest.mark.parametrize(("bot_may", "she_may"), [(False, True), (True, False), (False, False)])
async def test_no_link_is_made_for_who_may_not_invite_nor_where_the_bot_may_not(
    tmp_path, monkeypatch, bot_may, she_may
):
    async with opened(tmp_path / "data", monkeypatch) as house:
        guild = house.server.guild("Venezia")
        if bot_may:
            guild.give("create_instant_invite")
        channel, anna = guild.text_channel("salotto"), guild.member("Anna", permissions=int(she_may))
        await house.table_in(channel)
        await house.server.quiet()
        told = await anna.slash(channel, "invite")
        (_code,), links = codes(told)
        assert not links
        assert not guild.invites
        assert "also need an invitation to it" in told.text
        assert ("Allow me Create Invite here" in told.text) is (she_may and not bot_may)
        house.server.assert_clean()
