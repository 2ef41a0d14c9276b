"""From being added to a server to the first dealt hand; what the bot finds when it is added again."""

import pytest

from bot.house.play import PLAYS
from tests.doors.discord.house import opened


@pytest.fixture
async def house(tmp_path, monkeypatch):
    async with opened(tmp_path / "data", monkeypatch) as house:
        yield house
        house.server.assert_clean()


async def goes_and_comes(house, guild):
    await house.until(lambda: house.client.get_guild(guild.id) is not None)
    guild.remove_bot()
    await house.until(lambda: house.client.get_guild(guild.id) is None)
    guild.add_bot()
    await house.until(lambda: house.client.get_guild(guild.id) is not None)


async def added(house, locale="en-US"):
    """A server with a channel that the bot is added to: the server, and the message that greets it."""
    guild = house.server.guild("Venezia", locale=locale)
    guild.owner.locale = locale
    lobby = guild.text_channel("lobby")
    await goes_and_comes(house, guild)
    await house.until(lambda: bool(lobby.messages))
    return guild, lobby.messages[-1]


@pytest.mark.parametrize(
    ("locale", "sets_up", "ready"),
    [("en-US", "Set up", "Ready"), ("it", "Prepara", "Pronto"), ("de", "Einrichten", "Fertig")],
)
async def test_from_the_greeting_to_the_first_hand_in_three_presses_and_no_typed_word(house, locale, sets_up, ready):
    guild, greeting = await added(house, locale)
    assert [one["label"] for one in greeting.buttons] == [sets_up]
    refused = await guild.member("Bea").presses(greeting, sets_up)
    assert refused.text == "That is for inspectors."
    told = await guild.owner.presses(greeting, sets_up)
    assert told.is_ephemeral
    channel = guild.channel("caribbean-stud")
    assert channel.mention in told.text
    assert channel.topic
    await house.until(lambda: bool(channel.messages and channel.messages[-1].buttons))
    table = channel.messages[-1]
    assert table.text.count("Fate il vostro gioco") == 1, "the dealer calls once, in his own language"
    await guild.owner.presses(table, next(one["label"] for one in table.buttons if one["label"].endswith(" 10")))
    await house.until(lambda: any(ready in str(one["label"]) for one in table.buttons))
    await house.pass_time(6)
    await guild.owner.presses(table, next(one["label"] for one in table.buttons if ready in str(one["label"])))
    await house.until(lambda: house.table(channel).play is not None)


async def test_who_is_removed_and_added_again_finds_its_own_channels(house):
    guild, greeting = await added(house)
    await guild.owner.presses(greeting, "Set up")
    await house.server.quiet()
    before = {channel.id for channel in house.server.channels.values() if channel.guild is guild}
    await goes_and_comes(house, guild)
    await guild.owner.slash(guild.channel("lobby"), "setup")
    await house.server.quiet()
    assert {channel.id for channel in house.server.channels.values() if channel.guild is guild} == before
    here = [house.table(channel) for channel in guild.channels if house.house.place("discord", str(channel.id))]
    assert sorted(table.game for table in here if table.status == "open") == sorted(PLAYS)


async def test_a_table_of_before_it_was_removed_is_folded_at_the_first_press(house):
    guild, greeting = await added(house)
    await guild.owner.presses(greeting, "Set up")
    await house.server.quiet()
    old = guild.channel("caribbean-stud").last
    await goes_and_comes(house, guild)
    told = await guild.owner.presses(old, next(one["label"] for one in old.buttons if one["label"].endswith(" 10")))
    assert told.text == "That table is not here any more."
    await house.until(lambda: old.buttons == [])
    assert old.text == told.text
