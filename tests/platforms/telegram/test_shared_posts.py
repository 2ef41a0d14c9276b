"""Shared posts in Telegram: one message in the group, with a link to the hand's record."""

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.view.pictures import Renderer
from engine.fairness.log import is_signed
from tests.platforms.telegram.house import House, people
from tests.servers.telegram import BotApiServer, Chat, Message, User, VirtualClock


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    renderer = Renderer(late_s=20.0)
    async with BotApiServer(clock=VirtualClock()) as api:
        opened = await House.open(api, tmp_path, paint_shared_post=renderer.render_shared_post)
        opened.watch_for_leaks()
        yield opened
        await opened.close()
        assert not opened.leaks
    renderer.close()


async def played(house: House) -> tuple[Chat, User, User]:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Venezia", [bea], [anna])
    for who, line in ((anna, "/table open caribbean"), (anna, "/bet 50"), (bea, "/bet 50")):
        await who.says(group, line)
        await house.wait(5)
    await house.wait(25)
    await anna.says(group, "/raise")
    await bea.says(group, "/fold")
    await house.wait(15)
    assert house.table_at(group).last_hand
    return group, anna, bea


async def shows(house: House, group: Chat) -> Message:
    """Wait for the shared post, which is drawn in a thread outside the virtual clock."""
    for _try in range(200):
        if " shows " in group.last_message.text:
            return group.last_message
        await asyncio.sleep(0.02)
        await house.wait(1)
    raise AssertionError(group.last_message)


async def test_a_finished_hand_is_one_message_for_everybody(house: House) -> None:
    group, anna, _bea = await played(house)
    number, before = house.table_at(group).last_hand, len(group.messages)
    await anna.says(group, "/share")
    shown = await shows(house, group)
    assert shown.caption.startswith(f"Anna shows hand {number} of Caribbean Stud: ")
    assert shown.photo is not None
    assert [button.url or button.text for button in shown.buttons] == [
        f"https://t.me/{house.server.bot.username}?start=verify_{number}",
        "Remove post",
    ]
    assert len(group.messages) == before + 2, "what she said, and what is shown"


async def test_who_has_shared_a_hand_and_an_inspector_may_remove_the_post(house: House) -> None:
    group, anna, bea = await played(house)
    for who, other in ((bea, None), (anna, bea)):
        await who.says(group, "/share")
        shown = await shows(house, group)
        if other is not None:
            alert = await other.presses(shown, "Remove post")
            assert alert is not None
            assert alert.text == "Only the player who shared this, or an inspector, can remove it."
            assert not shown.deleted
        alert = await anna.presses(shown, "Remove post")
        assert alert is not None
        assert alert.text == "Post removed."
        assert shown.deleted
        await house.wait(65)


async def test_a_button_of_the_table_shows_the_last_hand(house: House) -> None:
    group, _anna, bea = await played(house)
    asked = await bea.presses(house.post_at(group), "Share")
    assert asked is not None
    assert (asked.text, asked.show_alert) == ("Press again to post this for everyone here.", True)
    alert = await bea.presses(house.post_at(group), "Share")
    assert alert is not None
    assert alert.text == "Shared with everyone here."
    assert "Bea shows hand" in (await shows(house, group)).caption


async def test_where_pictures_are_not_allowed_the_words_stand(house: House) -> None:
    group, anna, _bea = await played(house)
    house.server.fail("sendPhoto", 400, "not enough rights to send photos to the chat")
    await anna.says(group, "/share")
    shown = await shows(house, group)
    assert "Anna shows hand" in shown.text
    assert "Dealer" in shown.text


@pytest.mark.slow
async def test_nobody_fills_the_group(house: House) -> None:
    group, anna, bea = await played(house)
    for who in (anna, bea, anna):
        await who.says(group, "/share")
        await house.wait(5)
    await shows(house, group)
    await asyncio.sleep(0.2)
    await house.wait(60)
    assert len([message for message in group.messages if "shows hand" in message.text]) == 2


async def test_the_day_is_told_at_its_hour_and_once(house: House) -> None:
    group, anna, _bea = await played(house)
    await anna.says(group, "/table set recap 22")
    await house.wait(120)
    before = len([message for message in group.messages if "The day at table" in message.text])
    await house.wait((22 * 3600 - house.clock.now()) % 86400 - 30)
    assert before == len([message for message in group.messages if "The day at table" in message.text]) == 0
    for _minute in range(10):
        await house.wait(60)
        await asyncio.sleep(0.05)
    shown = [message for message in group.messages if "The day at table" in message.text]
    assert len(shown) == 1
    assert shown[0].photo is not None


@pytest.mark.slow
async def test_the_head_of_the_log_is_told_once_a_day_in_full_and_wakes_nobody(house: House) -> None:
    group, _anna, _bea = await played(house)
    await asyncio.to_thread(house.writer.heads.sign)
    await house.wait(120)
    told = lambda: [one for one in group.messages if "newest signed tree head of this casino's log" in one.text]  # noqa: E731
    for _hour in range(23):
        await house.wait(3600)
    assert told() == [], "not in the first day"
    for _minute in range(70):
        await house.wait(60)
        await asyncio.sleep(0.01)
    (message,) = told()
    published = json.loads(message.text.partition("\n")[2])
    assert is_signed(published["head"], published["signature"])
    assert published["head"]["casino"] == str(house.table_at(group).casino)
    assert message.silent


async def test_who_asked_for_it_is_told_that_many_play_with_one_mention(house: House) -> None:
    anna, bea, cleo, dora = people(house, "Anna", "Bea", "Cleo", "Dora")
    group = house.server.supergroup("Venezia", [bea, cleo, dora], [anna])
    for who, line in ((anna, "/table open caribbean"), (dora, "/notify hot")):
        await who.says(group, line)
        await house.wait(10)
    for _hand in range(2):
        for who in (anna, bea, cleo):
            await who.says(group, "/bet 50")
            await house.wait(5)
        await house.wait(40)
        for who in (anna, bea, cleo):
            await who.says(group, "/fold")
            await house.wait(5)
        await house.wait(40)
    told = [message for message in group.messages if "is busy" in message.text]
    assert len(told) == 1
    assert told[0].mentions == [dora]


async def test_who_was_told_of_a_seat_is_not_mentioned_once_more_in_the_hand_that_they_join(house: House) -> None:
    anna, bea, cleo = people(house, "Anna", "Bea", "Cleo")
    group = house.server.supergroup("Venezia", [bea, cleo], [anna])
    opened = [(anna, "/table open caribbean seats 2"), (anna, "/sit"), (bea, "/sit"), (cleo, "/notify seat")]
    for who, line in (*opened, (bea, "/leave")):
        await who.says(group, line)
        await house.wait(10)
    for who in (cleo, anna):
        await who.says(group, "/bet 50")
    await house.wait(21)  # the deal
    await house.wait(17)  # half of their clock is over
    assert house.table_at(group).round.hand is not None, "both are waited for"
    said = [shown.message for shown in house.server.shown if shown.kind == "message" and shown.message is not None]
    assert [one.mentions for one in said if one.mentions] == [[cleo], [anna]]
