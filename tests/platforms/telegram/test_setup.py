"""The panel of a group in its administrator's private chat, and each right with each command that needs it."""

import pytest

from bot.core.state.plays import PLAYS
from bot.texts import GAME_NAMES
from tests.platforms.telegram.house import House, asks, people
from tests.servers.telegram import Chat, Message, User

MAY_NOT_WRITE = "I can't write in Salotto. Allow it under Group settings > Permissions, or make me an administrator."
WRONG = ("is open", "open for bets again", "went wrong", "until an inspector resumes it")


async def panel_of(house: House, who: User, group: Chat) -> Message:
    """Open the group's panel by its link."""
    number = house.app.context.notes.chats[group.id].number
    await who.starts(f"setup_{number}")
    await house.wait(3)
    return who.private.last_message


def chosen(panel: Message) -> list[str]:
    return [one.text.removeprefix("✓ ") for one in panel.buttons if one.text.startswith("✓ ")]


async def chooses(house: House, who: User, panel: Message, label: str) -> None:
    await who.presses(panel, label)
    await house.wait(240)


async def test_the_group_leads_to_the_panel_and_only_an_administrator_sees_it(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna], bot=None)
    await group.adds_bot(anna)
    await house.wait(3)
    greeting = group.messages[0]
    await anna.presses(greeting, "Set up")
    await house.wait(3)
    number = house.app.context.notes.chats[group.id].number
    links = [one["url"] for row in (greeting.markup or {})["inline_keyboard"] for one in row if "url" in one]
    assert links == [f"https://t.me/{house.server.bot.username}?start=setup_{number}"]
    assert (await panel_of(house, bea, group)).text == "Only inspectors can do that."
    panel = await panel_of(house, anna, group)
    assert "All permissions are in place." in panel.text
    assert chosen(panel) == ["English", "Caribbean Stud", "Normal: 30 seconds per decision"]
    data = next(one.data for one in panel.buttons if one.text == "Italiano")
    await bea.starts()
    await house.wait(3)
    assert "Only inspectors can do that." in [message.text for message in bea.private.messages]
    assert data is not None


async def test_the_first_typed_setup_leads_to_the_panel_too(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
    await anna.says(group, "/setup")
    await house.wait(20)
    assert house.table_at(group).status == "open"
    number = house.app.context.notes.chats[group.id].number
    rows = [row for one in group.messages for row in (one.markup or {}).get("inline_keyboard", ())]
    links = [one["url"] for row in rows for one in row if "url" in one]
    assert f"https://t.me/{house.server.bot.username}?start=setup_{number}" in links


async def test_language_pace_and_game_of_a_plain_group_are_chosen_by_pressing(house: House) -> None:
    (anna,) = people(house, "Anna")
    group = house.server.supergroup("Salotto", admins=[anna])
    await anna.says(group, "/setup")
    await house.wait(5)
    panel = await panel_of(house, anna, group)
    for label in ("Italiano", "Slow: 90 seconds per decision", GAME_NAMES["paiju"]):
        await chooses(house, anna, panel, label)
    table = house.table_at(group)
    assert (table.game, table.status) == ("paiju", "open")
    assert (table.settings.language, table.settings.pace) == ("it", "slow")
    assert chosen(panel) == ["Italiano", GAME_NAMES["paiju"], "Slow: 90 seconds per decision"]


async def test_a_forum_has_the_topics_that_are_wished_and_keeps_those_that_were(house: House) -> None:
    (anna,) = people(house, "Anna")
    forum = house.server.forum("Ridotto", admins=[anna], bot="administrator")
    await anna.says(forum, "/setup")
    await house.wait(240)
    panel, before = await panel_of(house, anna, forum), set(forum.topics)
    await chooses(house, anna, panel, f"✓ {GAME_NAMES['stud']}")
    open_now = {one.game for topic in forum.topics.values() if (one := house.table_at(topic)).status == "open"}
    assert open_now == set(PLAYS) - {"stud"}
    await anna.says(forum, "/setup")
    await house.wait(60)
    assert set(forum.topics) == before
    await chooses(house, anna, panel, GAME_NAMES["stud"])
    assert set(forum.topics) == before
    assert {house.table_at(topic).game for topic in forum.topics.values()} == set(PLAYS)


async def test_a_forum_that_two_set_up_at_once_has_a_topic_for_each_game(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.forum("Salotto", admins=[anna, bea], bot="administrator")
    for admin in (anna, bea):
        await admin.says(group, "/setup")
    await house.wait(240)
    names = [topic.name for topic in group.topics.values() if topic.name in GAME_NAMES.values()]
    assert sorted(names) == sorted(GAME_NAMES[game] for game in PLAYS)


async def test_each_right_that_is_missing_is_a_sentence_and_try_again_mends(house: House) -> None:
    (anna,) = people(house, "Anna")
    forum = house.server.forum("Ridotto", admins=[anna], bot="member")
    alert = await asks(house, anna, forum, "/setup")
    assert alert is not None
    assert forum.topics == {}
    panel = await panel_of(house, anna, forum)
    said = "I need the permission Manage topics in Ridotto: Group settings > Administrators > Ridotto."
    assert said in panel.text
    assert "I'm not an administrator of Ridotto" in panel.text
    assert "privacy mode" in panel.text
    assert "All permissions are in place" not in panel.text
    await forum.promotes_bot(anna, "can_manage_topics")
    await chooses(house, anna, panel, "Try again")
    assert said not in panel.text
    assert "I can't delete messages in Ridotto" in panel.text
    assert "All permissions are in place." in panel.text
    assert {house.table_at(topic).game for topic in forum.topics.values()} == set(PLAYS)
    await forum.promotes_bot(anna)
    again = await panel_of(house, anna, forum)
    assert again.text.splitlines()[0] == "All permissions are in place."
    assert len(again.text.splitlines()) == 2, "that all is there, and what may be chosen"


async def test_a_group_without_the_bot_has_no_panel(house: House) -> None:
    (anna,) = people(house, "Anna")
    group = house.server.supergroup("Salotto", admins=[anna])
    await anna.says(group, "/setup")
    await house.wait(5)
    await group.removes_bot(anna)
    await house.wait(2)
    assert (await panel_of(house, anna, group)).text.startswith("I'm not in that group")


@pytest.mark.parametrize("right", ["write", "topics"])
async def test_the_button_of_the_greeting_names_what_is_missing(house: House, right: str) -> None:
    (anna,) = people(house, "Anna")
    make = house.server.forum if right == "topics" else house.server.supergroup
    group = make("Salotto", admins=[anna], bot=None)
    await group.adds_bot(anna)
    await house.wait(3)
    greeting = next(message for message in group.messages if message.sender is house.server.bot)
    if right == "write":
        await group.mutes_bot(anna)
    if right == "topics":
        await anna.presses(greeting, "Set up")
        await house.wait(5)
        told = group.last_message.text
    else:
        alert = await anna.presses(greeting, "Set up")
        assert alert is not None
        told = alert.text
    topics = "I need the permission Manage topics in Salotto: Group settings > Administrators > Ridotto."
    assert told == (MAY_NOT_WRITE if right == "write" else topics)
    assert not [
        address
        for address in house.app.context.addresses_in(house.app.context.notes.chats[group.id])
        if house.app.context.table_at(address)
    ]


@pytest.mark.parametrize("kind", ["restricted", "silent"])
async def test_at_a_table_that_cannot_be_written_to_each_press_says_so(house: House, kind: str) -> None:
    anna, bea = people(house, "Anna", "Bea")
    make = house.server.supergroup if kind == "restricted" else house.server.group
    group = make("Salotto", members=[bea], admins=[anna])
    await anna.says(group, "/setup")
    await house.wait(5)
    post = house.post_at(group)
    await group.mutes_bot(anna)
    await house.wait(1)
    for who in (bea, anna):
        for label in [one.text for one in post.buttons if one.text.startswith("ante") or one.text == "Sit"]:
            alert = await who.presses(post, label)
            await house.wait(5)
            assert alert is not None
            assert not [words for words in WRONG if words in alert.text], alert
    alert = await bea.presses(post, next(one.text for one in post.buttons if one.text.startswith("ante")))
    assert alert is not None
    assert alert.text == MAY_NOT_WRITE
    await anna.starts()
    await house.wait(5)
    for line in ("/table resume why not", "/table open paiju", "/setup", "/table"):
        before = len(anna.private.messages)
        await anna.says(group, line)
        await house.wait(5)
        said = [one.text for one in anna.private.messages[before:] if one.sender is house.server.bot]
        assert said == [alert.text], line
    assert house.table_at(group).game == "caribbean"
    await group.unmutes_bot(anna)
    await house.wait(2)
    await anna.presses(post, next(one.text for one in post.buttons if one.text.startswith("ante")))
    await house.wait(5)
    assert house.table_at(group).status == "open"


async def test_in_a_topic_that_could_not_be_written_to_a_press_says_who_helps_and_looks_again(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    forum = house.server.forum("Ridotto", members=[bea], admins=[anna], bot="administrator")
    await anna.says(forum, "/setup")
    await house.wait(240)
    topic = next(one for one in forum.topics.values() if house.table_at(one).game == "caribbean")
    context = house.app.context
    await context.tend("lose", f"{context.notes.chats[forum.id].address}:{topic.id}")
    post = house.post_at(topic)
    ante = next(one.text for one in post.buttons if one.text.startswith("ante"))
    alert = await bea.presses(post, ante)
    assert alert is not None
    assert alert.text.startswith("I can't write in this topic")
    await house.wait(10)
    assert house.table_at(topic).status == "open"
    assert (await bea.presses(house.post_at(topic), ante)) is not None
    assert house.table_at(topic).round.bets
