"""Places where the bot lacks rights: it names them and how to grant them, and archived threads wake."""

import pytest

from bot.platforms.discord.permissions import NAMES
from tests.platforms.discord.house import EDIT, POST
from tests.servers.discord.things import ANNOUNCEMENT, FORUM

PAUSED = "until an inspector resumes it"
WENT_WRONG = "Something went wrong"


@pytest.fixture
def venezia(house):
    return house.server.guild("Venezia")


@pytest.fixture
async def thread(house, venezia):
    """A table in a thread, with a player who has been there."""
    thread = venezia.text_channel("lobby").thread("side table")
    await house.table_in(thread)
    await house.server.quiet()
    return thread


def refused(house):
    return [call for call in house.server.calls if call.status == 403]


@pytest.mark.slow
async def test_a_table_in_an_archived_thread_wakes_when_somebody_bets(house, venezia, thread):
    first, anna = thread.last, venezia.member("Anna")
    thread.archive()
    answer = await anna.presses(first, "ante 50")
    assert "950" in answer.text
    shown = await house.shown(thread, "Anna")
    assert shown is not first
    assert not thread.is_archived
    await house.until(lambda: not first.buttons)
    assert "10 more" in (await anna.presses(shown, "ante 10")).text
    assert [call.answer["code"] for call in house.server.calls if call.status == 400] == [50083]
    assert house.table(thread).status == "open"


LOCKED = "A moderator locked this thread. Try again once it is unlocked."


@pytest.mark.parametrize("may_manage", [True, False])
async def test_a_thread_that_a_moderator_locked_is_not_opened_again(house, venezia, thread, may_manage):
    """The bot may have the right to manage threads, but a moderator's lock stands."""
    anna = venezia.member("Anna")
    if not may_manage:
        venezia.take("manage_threads")
    await anna.slash(thread, "bet", amount="50")
    thread.archive(is_locked=True)
    await house.until(lambda: house.table(thread).status == "paused")
    assert house.chips(anna) == 1000_00
    for _press in range(2):
        assert (await anna.presses(thread.last, "ante 50")).text == LOCKED
        assert (await anna.slash(thread, "bet", amount="50")).text == LOCKED
    await house.server.quiet()
    assert thread.is_archived
    thread.archive(False)
    await house.until(lambda: house.table(thread).status == "open")
    assert "950" in (await anna.presses(thread.last, "ante 50")).text
    await house.shown(thread, "Anna")


async def test_a_lock_that_the_gateway_did_not_tell_of_holds_too(house, venezia, thread):
    anna = venezia.member("Anna")
    await anna.slash(thread, "bet", amount="50")
    await house.server.quiet()
    thread.is_archived = thread.is_locked = True
    await house.pass_time(21)  # the deal has to be shown
    await house.until(lambda: house.table(thread).status == "paused")
    await house.server.quiet()
    assert thread.is_archived
    assert house.table(thread).round.hand is not None, "it was dealt, and waits"


async def test_a_table_goes_on_in_a_channel_that_becomes_one_for_announcements(house, venezia):
    channel, anna = venezia.text_channel("news"), venezia.member("Anna")
    await house.table_in(channel)
    channel.type = ANNOUNCEMENT
    channel.changed()
    assert "950" in (await anna.presses(channel.last, "ante 50")).text
    assert house.table(channel).round.bets


@pytest.mark.parametrize("how", ["locked", "of another type"])
async def test_a_hand_whose_place_takes_no_messages_is_finished_in_a_direct_message(house, venezia, thread, how):
    anna = venezia.member("Anna")
    place = thread if how == "locked" else thread.parent
    if how != "locked":
        await house.table_in(place)
    await anna.slash(place, "bet", amount="50")
    await house.pass_time(21)
    await house.until(lambda: house.table(place).round.hand is not None)
    table = house.table(place).id
    if how == "locked":
        thread.archive(is_locked=True)
    else:
        place.type = FORUM
        place.changed()
        house.client.tables.handle_change(table)
        await house.pass_time(31)  # the next edit
    await house.until(lambda: house.table(place).lost is not None)
    await house.until(lambda: anna.direct.messages)
    told = anna.direct.last
    assert "Finish your hand here." in told.text
    shown = await anna.presses(told, "My cards")
    assert "high card" in shown.text or "pair" in shown.text or "You hold" in shown.text
    await anna.slash(anna.direct, "fold")
    await house.until(lambda: house.writer.state.tables[table].round.hand is None)


@pytest.mark.slow
@pytest.mark.parametrize("denied", ["view_channel", "send_messages", "attach_files"])
async def test_a_table_that_cannot_be_shown_is_not_opened_and_the_permission_is_named(house, venezia, denied):
    channel = venezia.text_channel("paiju")
    channel.take(denied)
    asked = await venezia.owner.slash(channel, "table open", game="paiju")
    assert f"I can't post here. I'm missing: {NAMES[denied]}." in asked.text
    assert "Allow it for Ridotto under Edit Channel > Permissions" in asked.text
    assert channel.messages == []
    assert refused(house) == []
    channel.give(denied)
    await house.table_in(channel, "paiju")


@pytest.mark.slow
@pytest.mark.parametrize("denied", ["view_channel", "send_messages", "attach_files"])
async def test_at_a_table_that_lost_a_permission_everybody_is_told_which(house, venezia, denied):
    channel = venezia.text_channel("caribbean")
    await house.table_in(channel)
    anna = venezia.member("Anna")
    await house.server.quiet()
    channel.take(denied)
    await house.until(lambda: house.table(channel).status == "paused")
    for member, command, options in (
        (anna, "bet", {"amount": "50"}),
        (venezia.owner, "bet", {"amount": "50"}),
        (venezia.owner, "table resume", {"reason": "why not"}),
    ):
        answer = await member.slash(channel, command, **options)
        assert f"I can't post here. I'm missing: {NAMES[denied]}." in answer.text
    assert len(refused(house)) <= 1  # the pause is shown wherever possible
    channel.give(denied)
    await house.until(lambda: house.table(channel).status == "open")
    assert "950" in (await anna.slash(channel, "bet", amount="50")).text


@pytest.mark.slow
async def test_a_channel_that_refuses_without_a_word_is_not_tried_at_each_press(house, venezia):
    channel = venezia.text_channel("caribbean")
    await house.table_in(channel)
    members = [venezia.member(f"P{number}") for number in range(12)]
    await house.server.quiet()
    for route in (EDIT, POST):
        house.server.fail(
            route, 403, times=None, body={"message": "Missing Permissions", "code": 50013}, channel=channel
        )
    for member in members:
        answer = await member.slash(channel, "bet", amount="50")
        assert PAUSED not in answer.text
        await house.server.quiet(0.05)
    assert house.table(channel).round.bets == ()
    assert house.chips(members[0]) == 1000_00
    # Each new attempt costs two calls: the table resumes, and is lost again.
    assert len(refused(house)) <= 6
    house.server.heal()
    await house.pass_time(16)
    assert "950" in (await members[0].slash(channel, "bet", amount="50")).text
    await house.shown(channel, "P0")


@pytest.mark.slow
@pytest.mark.parametrize("denied", NAMES)
async def test_setup_names_each_permission_that_the_server_denies(house, venezia, denied):
    lobby = venezia.text_channel("lobby")
    venezia.take_from_all(denied)
    asked = await venezia.owner.slash(lobby, "setup")
    given = "Allow it under Server Settings > Roles > Ridotto > Permissions."
    assert f"I'm missing {NAMES[denied]} on this server. {given}" in asked.text
    assert WENT_WRONG not in asked.text


async def test_setup_says_what_discord_says_when_it_refuses_all_the_same(house, venezia):
    body = {"message": "Missing Permissions", "code": 50013}
    house.server.fail("POST /guilds/{guild_id}/channels", 403, body=body)
    asked = await venezia.owner.slash(venezia.text_channel("lobby"), "setup")
    assert "Discord says: Missing Permissions. Check Ridotto's permissions" in asked.text


async def test_where_only_the_commands_were_added_setup_says_so(house, venezia):
    lobby = venezia.text_channel("lobby")
    venezia.remove_bot()
    venezia.has_commands = True
    await house.until(lambda: house.client.get_guild(venezia.id) is None)
    asked = await venezia.owner.slash(lobby, "setup")
    assert "Only Ridotto's commands were added" in asked.text


async def test_a_command_in_a_sentence_can_be_pressed_and_is_told_by_the_readers_own_name(house):
    """A mention shows its English name in every language, and a translated one does nothing (discord-api-docs
    #5518).
    """
    guild = house.server.guild("Venezia")
    lobby = guild.text_channel("lobby")
    ids = {one["name"]: one["id"] for one in house.server.commands}
    for locale, own in (("en-US", ""), ("it", " (/tavoli)"), ("de", " (/tische)")):
        said = (await guild.member("Anna", locale=locale).slash(lobby, "help")).text
        assert f"</tables:{ids['tables']}>{own}" in said, said
    told = (await guild.owner.slash(lobby, "bet", amount="10")).text
    assert f"</table open:{ids['table']}>" in told, told


async def test_a_name_makes_no_command_that_can_be_pressed(house):
    guild = house.server.guild("Venezia")
    lobby = guild.text_channel("lobby")
    await guild.member("</bet:1> /balance").slash(lobby, "daily")
    said = (await guild.owner.slash(lobby, "leaderboard")).text
    assert "</bet" not in said
    assert "</balance" not in said


async def test_the_help_is_turned_in_place_and_is_complete_for_inspectors(house):
    guild = house.server.guild("Venezia")
    lobby = guild.text_channel("lobby")
    menu = await guild.owner.slash(lobby, "help")
    first = menu.message
    said, label = [], "Inspectors"
    for _page in range(9):
        await guild.owner.presses(first, label)
        said.append(first.text)
        assert len(first.text) < 3900
        assert "…" not in first.text
        label = next(one["label"] for one in first.buttons if one["label"].startswith("More"))
        if label.startswith("More: 1 of"):
            break
    for command in ("ban", "unban", "adjust", "audit", "export", "setup", "inspector remove", "meter confirm"):
        assert f"</{command}:" in "\n".join(said), command
