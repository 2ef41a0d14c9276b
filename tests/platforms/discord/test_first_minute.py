"""First minutes in a server: from being added to the first dealt hand, and what is there when the bot is added
again.
"""

import pytest

from bot.core.state.plays import PLAYS

MANAGERS = "Only server managers can set up Ridotto: ask one of them to press Set up."


async def goes_and_comes(house, guild):
    await house.until(lambda: house.client.get_guild(guild.id) is not None)
    guild.remove_bot()
    await house.until(lambda: house.client.get_guild(guild.id) is None)
    guild.add_bot()
    await house.until(lambda: house.client.get_guild(guild.id) is not None)


async def added(house, locale="en-US"):
    """A server with a channel to which the bot is added; and its greeting."""
    guild = house.server.guild("Venezia", locale=locale)
    guild.owner.locale = locale
    lobby = guild.text_channel("lobby")
    await goes_and_comes(house, guild)
    await house.until(lambda: bool(lobby.messages))
    return guild, lobby.messages[-1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("locale", "sets_up", "ready"),
    [("en-US", "Set up", "Ready"), ("it", "Prepara", "Pronto"), ("de", "Einrichten", "Fertig")],
)
async def test_from_the_greeting_to_the_first_hand_in_three_presses_and_no_typed_word(house, locale, sets_up, ready):
    guild, greeting = await added(house, locale)
    assert [one["label"] for one in greeting.buttons] == [sets_up]
    refused = await guild.member("Bea").presses(greeting, sets_up)
    assert refused.text == MANAGERS
    assert len(refused.message.buttons) == 1, "a practice hand meanwhile"
    told = await guild.owner.presses(greeting, sets_up)
    assert told.is_ephemeral
    channel = guild.channel("caribbean-stud")
    assert channel.mention in told.text
    assert channel.topic
    await house.until(lambda: bool(channel.messages and channel.messages[-1].buttons))
    table = channel.messages[-1]
    assert table.text.count("Fate il vostro gioco") == 1, "the dealer calls once, in Italian"
    await guild.owner.presses(table, next(one["label"] for one in table.buttons if one["label"].endswith(" 10")))
    await house.until(lambda: any(ready in str(one["label"]) for one in table.buttons))
    await house.pass_time(6)
    await guild.owner.presses(table, next(one["label"] for one in table.buttons if ready in str(one["label"])))
    await house.until(lambda: house.table(channel).round.hand is not None)


async def test_the_greeting_leads_to_the_tables_once_they_are_there(house):
    guild, greeting = await added(house)
    assert greeting.text.startswith(f"Thanks for adding Ridotto! {len(PLAYS)} casino games with play chips")
    await guild.owner.presses(greeting, "Set up")
    await house.until(lambda: "Pick a table" in greeting.text)
    assert all(guild.channel(name).mention in greeting.text for name in ("caribbean-stud", "black-jack"))
    assert [one["label"] for one in greeting.buttons] == ["First hand", "Daily chips"]
    assert "practice" in (await guild.member("Bea").presses(greeting, "First hand")).text.lower()
    greeting.delete()
    await guild.owner.slash(guild.channel("lobby"), "setup")
    await house.server.quiet()
    assert guild.channel("lobby").messages == []


async def test_setting_up_ends_with_done(house):
    guild, greeting = await added(house)
    panel = await guild.owner.presses(greeting, "Set up")
    assert all(f"**{heading}**" in panel.text for heading in ("Table language", "Games", "Time per decision"))
    await guild.owner.presses(panel, "Done")
    await house.until(lambda: "Ridotto is set up." in panel.text)
    assert not panel.message.buttons
    assert not panel.message.selects
    assert guild.channel("paiju").mention in panel.text


async def test_what_is_missing_comes_first(house):
    guild, greeting = await added(house)
    guild.take_from_all("manage_channels")
    panel = await guild.owner.presses(greeting, "Set up")
    assert panel.text.startswith("I'm missing Manage Channels on this server.")
    assert "Done" not in [one["label"] for one in panel.message.buttons]
    assert "Set up" in [one["label"] for one in greeting.buttons], "there is nothing yet that it could lead to"


@pytest.mark.slow
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


@pytest.mark.slow
async def test_a_table_of_before_it_was_removed_is_folded_at_the_first_press(house):
    guild, greeting = await added(house)
    await guild.owner.presses(greeting, "Set up")
    await house.server.quiet()
    old = guild.channel("caribbean-stud").last
    await goes_and_comes(house, guild)
    told = await guild.owner.presses(old, next(one["label"] for one in old.buttons if one["label"].endswith(" 10")))
    assert told.text == "That table is gone."
    await house.until(lambda: old.buttons == [])
    assert old.text == told.text
