"""Each missing right with each command that needs it: the answer is its sentence, and nothing is done."""

import itertools

import pytest

from bot.platforms.discord.permissions import NAMES, NEEDED_FOR_TABLES

# Commands that show a table, or bet at a shown one; by whom and where: at a table, or without one.
AT_A_TABLE = {
    "bet": {"amount": "50"},
    "rebet": {},
    "ready": {},
    "sit": {},
    "takeback": {},
    "table-here": {},
    "table resume": {"reason": "why not"},
}
WHERE_NONE_IS = {"table open": {"game": "paiju"}, "table mirror": {"number": "1"}}
DENIED = sorted(NEEDED_FOR_TABLES)
SAYS_WRONGLY = ("is open", "open for bets again", "went wrong", "until an inspector resumes it", "Ready", "shown here")


def is_told(answer, denied):
    """Check that the answer names this missing right and where to grant it, and no other."""
    assert f"I can't post here. I'm missing: {NAMES[denied]}." in answer.text, answer
    assert "Allow it for Ridotto under Edit Channel > Permissions, then try again." in answer.text
    assert answer.is_ephemeral
    assert not [words for words in SAYS_WRONGLY if words in answer.text], answer


@pytest.mark.slow
@pytest.mark.parametrize("denied", DENIED)
async def test_at_a_table_that_cannot_be_shown_each_command_names_what_is_missing(house, denied):
    guild = house.server.guild("Venezia")
    channel = guild.text_channel("caribbean")
    await house.table_in(channel)
    await house.server.quiet()
    channel.take(denied)
    await house.until(lambda: house.table(channel).status == "paused")
    for command, options in AT_A_TABLE.items():
        is_told(await guild.owner.slash(channel, command, **options), denied)
    for button in channel.last.buttons if channel.messages and denied != "view_channel" else ():
        if button["label"].startswith("ante"):
            is_told(await guild.owner.presses(channel.last, button["label"]), denied)
    assert house.chips(guild.owner) == 1000_00


@pytest.mark.slow
@pytest.mark.parametrize(("denied", "command"), [*itertools.product(DENIED, WHERE_NONE_IS)])
async def test_where_a_table_could_not_be_shown_none_is_opened(house, denied, command):
    guild = house.server.guild("Venezia")
    await house.table_in(guild.text_channel("caribbean"))
    channel = guild.text_channel("paiju")
    channel.take(denied)
    is_told(await guild.owner.slash(channel, command, **WHERE_NONE_IS[command]), denied)
    assert house.house.place("discord", str(channel.id)) is None
    assert not [call for call in house.server.calls if call.status == 403]


def has_right(house, guild, right):
    """Return whether the bot has this right on the server, as far as it knows; None if the server is not known yet."""
    found = house.client.get_guild(guild.id)
    return None if found is None else getattr(found.me.guild_permissions, right)


@pytest.mark.slow
@pytest.mark.parametrize("denied", NAMES)
async def test_setup_makes_nothing_that_could_not_be_shown(house, denied):
    guild = house.server.guild("Venezia")
    lobby = guild.text_channel("lobby")
    guild.take_from_all(denied)
    await house.until(lambda: has_right(house, guild, denied) is False)
    told = await guild.owner.slash(lobby, "setup")
    await house.server.quiet()
    assert f"I'm missing {NAMES[denied]} on this server. Allow it under Server Settings > Roles > Ridotto" in told.text
    assert "Something went wrong" not in told.text
    is_needed = denied in NEEDED_FOR_TABLES or denied == "manage_channels"
    assert (len(guild.channels) == 1) is is_needed
    if is_needed:
        guild.give(denied)
        await house.until(lambda: has_right(house, guild, denied))
        await guild.owner.presses(told, "Try again")
        await house.server.quiet()
        assert "All permissions are in place." in told.text
        assert len(guild.channels) > 1
