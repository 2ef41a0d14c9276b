"""The panel of /setup: missing rights in a sentence each, choices by pressing, and repair."""

import pytest

from bot.core.state.plays import PLAYS
from bot.platforms.discord.permissions import NAMES


@pytest.fixture
async def panel(house):
    """A server after setup, and the owner's panel."""
    guild = house.server.guild("Venezia")
    told = await guild.owner.slash(guild.text_channel("lobby"), "setup")
    await house.server.quiet()
    return told


def select_of(panel, field):
    return next(one for one in panel.message.selects if one["custom_id"].startswith(f"s|{field}|"))


def picked(panel, field):
    return [one["value"] for one in select_of(panel, field)["options"] if one.get("default")]


async def chooses(panel, field, *values):
    """Choose in the panel, and wait until it shows the result."""
    server = panel.channel.server
    await panel.channel.guild.owner.selects(panel, select_of(panel, field)["custom_id"], *values)
    await server.quiet()


def open_tables(house, guild):
    here = [one.id for one in guild.channels if (row := house.house.place("discord", str(one.id))) and row.table_id]
    tables = [house.house.table(house.house.place("discord", str(id)).table_id) for id in here]
    return {table.game: table for table in tables if table.status == "open"}


@pytest.mark.slow
async def test_the_panel_is_private_and_shows_what_there_is(house, panel):
    guild = panel.channel.guild
    assert panel.is_ephemeral
    assert "All permissions are in place." in panel.text
    assert all(guild.channel(name).mention in panel.text for name in ("caribbean-stud", "black-jack"))
    assert (picked(panel, "language"), picked(panel, "pace")) == (["en"], ["normal"])
    assert picked(panel, "games") == list(PLAYS)


@pytest.mark.slow
async def test_language_and_pace_are_chosen_for_every_table_and_for_those_to_come(house, panel):
    guild = panel.channel.guild
    await chooses(panel, "language", "it")
    await chooses(panel, "pace", "slow")
    tables = open_tables(house, guild)
    assert len(tables) == len(PLAYS)
    assert {(one.settings.language, one.settings.pace) for one in tables.values()} == {("it", "slow")}
    assert (picked(panel, "language"), picked(panel, "pace")) == (["it"], ["slow"])
    guild.channel("paiju").delete()
    await house.until(lambda: "paiju" not in open_tables(house, guild))
    await guild.owner.slash(guild.channel("lobby"), "setup")
    made = open_tables(house, guild)["paiju"].settings
    assert (made.language, made.pace) == ("it", "slow")


@pytest.mark.slow
async def test_games_that_are_not_wished_close_and_stay_closed_until_they_are(house, panel):
    guild = panel.channel.guild
    await chooses(panel, "games", "caribbean", "uth")
    assert set(open_tables(house, guild)) == {"caribbean", "uth"}
    await guild.owner.slash(guild.channel("lobby"), "setup")
    assert set(open_tables(house, guild)) == {"caribbean", "uth"}
    before = {one.id for one in guild.channels}
    assert picked(panel, "games") == ["caribbean", "uth"]
    await chooses(panel, "games", *PLAYS)
    assert set(open_tables(house, guild)) == set(PLAYS)
    assert {one.id for one in guild.channels} == before


@pytest.mark.slow
async def test_a_role_is_chosen_and_taken_back_and_the_panel_says_so(house, panel):
    guild = panel.channel.guild
    role = guild.role("Croupiers")
    bea = guild.member("Bea")
    bea.roles.append(role)
    await chooses(panel, "role", role)
    assert "Everyone with the role Croupiers is now an inspector." in panel.text
    assert "Server Settings > Integrations" in panel.text
    lobby = guild.channel("lobby")
    assert (await bea.slash(lobby, "setup", unseen=True)).message.selects
    await chooses(panel, "role")
    assert "There is no inspector role any more." in panel.text
    assert (await bea.slash(lobby, "setup", unseen=True)).text.startswith("Only server managers")


@pytest.mark.slow
@pytest.mark.parametrize("denied", [name for name in NAMES if name != "manage_channels"])
async def test_what_a_channel_denies_is_named_with_the_channel_and_try_again_mends(house, panel, denied):
    guild = panel.channel.guild
    channel = guild.channel("paiju")
    if denied == "send_messages_in_threads":
        channel = guild.channel("lobby")
        await house.table_in(channel.thread("side table"), "paiju")
    channel.take(denied)
    await house.server.quiet()
    told = await guild.owner.slash(guild.channel("lobby"), "setup")
    said = f"I'm missing {NAMES[denied]} in {channel.mention}. Allow it for Ridotto under Edit Channel > Permissions."
    assert said in told.text
    is_needed = denied in ("view_channel", "send_messages", "attach_files", "send_messages_in_threads")
    assert ("All permissions are in place" in told.text) is not is_needed
    channel.give(denied)
    await house.server.quiet()
    if is_needed:
        again = await guild.owner.presses(told, "Try again")
        await house.server.quiet()
        assert again.failure is None
        assert said not in told.text
        assert "All permissions are in place" in told.text


@pytest.mark.slow
async def test_a_channel_that_was_renamed_and_moved_is_found_when_the_bot_comes_back(house, panel):
    guild = panel.channel.guild
    channel = guild.channel("paiju")
    channel.name, channel.parent = "dominoes", None
    channel.changed()
    before = {one.id for one in guild.channels}
    guild.remove_bot()
    await house.until(lambda: house.client.get_guild(guild.id) is None)
    guild.add_bot()
    await house.until(lambda: house.client.get_guild(guild.id) is not None)
    await guild.owner.slash(guild.channel("lobby"), "setup")
    await house.server.quiet()
    assert {one.id for one in guild.channels} == before
    assert house.table(channel).game == "paiju"
