"""The app in a person's own account: in private chats, and in servers without the bot."""

import pytest

from tests.servers.discord import Impossible

PUT = "PUT /applications/{application_id}/commands"

FOR_PEOPLE = ("balance", "daily", "odds", "rules", "paytable", "learn", "help", "statement", "language", "pause")
FOR_TABLES = ("bet", "raise", "table", "setup", "share", "tables-here", "sit", "casino")


@pytest.fixture
async def elsewhere(house):
    """A server without the bot."""
    guild = house.server.guild("Altrove")
    await house.until(lambda: house.client.get_guild(guild.id) is not None)
    guild.remove_bot()
    await house.until(lambda: house.client.get_guild(guild.id) is None)
    return guild


async def test_what_makes_sense_in_private_can_be_installed_by_people(house):
    sent = {command["name"]: command for command in house.server.calls_of(PUT)[-1].json}
    for name in FOR_PEOPLE:
        assert (sent[name]["integration_types"], sent[name]["contexts"]) == ([0, 1], [0, 1, 2]), name
    for name in sent.keys() & set(FOR_TABLES):
        assert sent[name]["integration_types"] == [0], name
        assert 2 not in sent[name]["contexts"], name


async def test_where_the_bot_is_not_it_answers_in_private_for_the_casino_played_last(house, elsewhere):
    venice = house.server.guild("Venezia")
    channel, anna = venice.text_channel("tables"), venice.member("Anna")
    await house.table_in(channel)
    await anna.slash(channel, "bet", amount="50")
    anna.user.has_installed = True
    visitor = elsewhere.member("Anna", permissions=1 << 5)
    visitor.user = anna.user
    lobby = elsewhere.text_channel("lobby")
    answer = await visitor.slash(lobby, "balance")
    assert answer.is_ephemeral
    assert "950" in answer.text
    assert (await visitor.slash(lobby, "learn", game="caribbean")).is_ephemeral
    assert house.house.place("discord", f"guild:{elsewhere.id}") is None, "nobody opened a casino there"
    with pytest.raises(Impossible):
        await visitor.slash(lobby, "bet", amount="50")
    assert not lobby.messages


async def test_who_has_never_played_is_told_where_to_begin(house, elsewhere):
    cleo = elsewhere.member("Cleo")
    cleo.user.has_installed = True
    answer = await cleo.slash(elsewhere.text_channel("lobby"), "balance")
    assert answer.is_ephemeral
    assert answer.text == "Play at a table in a server or group first; then your chips answer here, too."


async def test_where_the_bot_is_an_installed_command_is_the_servers_own(house):
    guild = house.server.guild("Venezia")
    channel, anna = guild.text_channel("tables"), guild.member("Anna")
    anna.user.has_installed = True
    await house.table_in(channel)
    assert "950" in (await anna.slash(channel, "bet", amount="50")).text
    assert "950" in (await anna.slash(channel, "balance")).text
    assert "950" in (await anna.slash(anna.direct, "balance")).text
