"""What somebody shows to everybody on Discord: one message in his channel, and who may not is told so."""

import asyncio
import json

import pytest

from bot.view.pictures import Renderer
from engine.fairness.log import is_signed
from tests.platforms.discord.house import opened


@pytest.fixture
async def house(tmp_path, monkeypatch):
    renderer = Renderer(late_s=20.0)
    async with opened(tmp_path / "data", monkeypatch, paint_poster=renderer.render_poster) as house:
        yield house
        house.server.assert_clean()
    renderer.close()


async def played(house):
    guild = house.server.guild("Venezia")
    channel, anna, bea = guild.text_channel("salotto"), guild.member("Anna"), guild.member("Bea")
    await house.table_in(channel)
    await house.deal(channel, anna, bea)
    await anna.slash(channel, "raise")
    await bea.slash(channel, "fold")
    await house.server.until(lambda: house.table(channel).play is None)
    return channel, anna, bea


async def test_a_finished_hand_is_one_message_for_everybody(house):
    channel, anna, bea = await played(house)
    before = len(channel.messages)
    answer = await anna.slash(channel, "share")
    assert answer.text == "Shared with everyone here."
    number = house.table(channel).last_hand
    shown = await house.server.message(channel, f"Anna shows hand {number} of Caribbean Stud")
    assert list(shown.files) == [f"hand-{number}.png"]
    assert f"Verify hand {number}" in shown.labels
    assert len(channel.messages) == before + 1
    record = await bea.presses(shown, f"Verify hand {number}")
    assert f"Record of hand {number}" in record.text
    hidden = house.table(channel).last.cards("2")["2"]
    assert not any(card in shown.text for card in hidden), "Bea has folded"


async def test_who_has_shared_a_hand_and_who_manages_the_server_may_remove_the_post(house):
    channel, anna, bea = await played(house)
    for who, remover in ((anna, anna), (bea, channel.guild.owner)):
        await who.slash(channel, "share")
        shown = await house.server.message(channel, f"{who.name} shows hand")
        other = bea if who is anna else anna
        refused = await other.presses(shown, "Remove post")
        assert refused.text == "Only the player who shared this, or an inspector, can remove it."
        assert shown in channel.messages
        assert (await remover.presses(shown, "Remove post")).text == "Post removed."
        assert shown not in channel.messages


async def test_move_by_move_it_is_an_animation(house):
    channel, anna, _bea = await played(house)
    number = house.table(channel).last_hand
    await anna.slash(channel, "share", hand=number, format="replay")
    shown = await house.server.message(channel, f"Anna shows hand {number}")
    (file,) = shown.files.values()
    assert file.startswith(b"GIF89a")
    assert len(file) <= 30 * 1024


async def test_nobody_fills_the_channel(house):
    channel, anna, bea = await played(house)
    told = [(await who.slash(channel, "share")).text for who in (anna, bea, anna)]
    assert told[:2] == ["Shared with everyone here."] * 2
    assert told[2] == "Something was shared here just now. Try again in a minute."
    assert len([message for message in channel.messages if message.files]) == 2


async def test_who_did_not_play_shows_nothing(house):
    channel, _anna, _bea = await played(house)
    before = len(channel.messages)
    cleo = channel.guild.member("Cleo")
    answer = await cleo.slash(channel, "share", hand=house.table(channel).last_hand)
    assert "You did not play hand" in answer.text
    assert len(channel.messages) == before


@pytest.mark.slow
async def test_the_day_is_told_at_its_hour_and_once(house):
    channel, _anna, _bea = await played(house)
    await channel.guild.owner.slash(channel, "table set", setting="recap", value="22")
    recaps, day_s = house.client.teller.recaps, 86400
    await recaps.tick()
    before = len(channel.messages)
    await house.pass_time((22 * 3600 - house.server.now_s()) % day_s - 5)
    await recaps.tick()
    assert len(channel.messages) == before, "not before its hour"
    await house.pass_time(10)
    await recaps.tick()
    shown = await house.server.message(channel, "The day at table")
    assert list(shown.files) == ["recap.png"]
    before = len(channel.messages)
    await recaps.tick()
    await house.restart()
    await house.client.teller.recaps.tick()
    await house.pass_time(3600)
    await house.client.teller.recaps.tick()
    assert len(channel.messages) == before, "once"


@pytest.mark.slow
async def test_the_head_of_the_log_is_told_once_a_day_in_full_and_stays(house):
    channel, _anna, _bea = await played(house)
    second = channel.guild.text_channel("altro")
    await house.table_in(second)
    told = lambda place: [one for one in place.messages if "newest head of this casino's log" in one.text]  # noqa: E731
    await sign_heads(house)
    await house.client.teller.daily_heads.tick()
    await house.pass_time(86400 - 60)
    await house.client.teller.daily_heads.tick()
    assert told(channel) == [], "not in the first day"
    await house.pass_time(120)
    await house.client.teller.daily_heads.tick()
    await house.until(lambda: told(channel))
    (message,) = told(channel)
    published = json.loads(message.text.partition("```json\n")[2].partition("\n```")[0])
    assert is_signed(published["head"], published["signature"])
    casino = house.table(channel).casino
    assert (published["head"]["casino"], published["head"]["size"]) == (str(casino), house.house.head_of(casino).size)
    await house.client.teller.daily_heads.tick()
    await house.restart()
    await house.client.teller.daily_heads.tick()
    assert told(channel) == [message], "once, and it is not edited"
    assert told(second) == [], "one for the whole server"


async def test_of_a_log_that_has_not_grown_nothing_new_is_told(house):
    channel, anna, bea = await played(house)
    casino = house.table(channel).casino
    sizes = []
    for day in range(4):
        await sign_heads(house)
        await house.client.teller.daily_heads.tick()
        sizes.append(house.house.head_of(casino).size)
        if day == 2:
            for who in (anna, bea):
                await who.slash(channel, "bet", amount="50")
        await house.pass_time(86400)
    assert sizes[0] == sizes[1] == sizes[2] < sizes[3]
    told = [one.text for one in channel.messages if "newest head of this casino's log" in one.text]
    assert len(told) == 2
    assert [f'"size":{size},' in text for size, text in zip((sizes[1], sizes[3]), told, strict=True)] == [True, True]


async def sign_heads(house):
    await asyncio.to_thread(house.writer.heads.sign)
    await house.pass_time(1)


async def test_who_asked_for_it_is_told_of_a_free_seat_with_one_mention(house):
    guild = house.server.guild("Venezia")
    channel, (anna, bea, cleo) = guild.text_channel("salotto"), (guild.member(name) for name in ("Anna", "Bea", "Cleo"))
    await house.table_in(channel)
    await guild.owner.slash(channel, "table set", setting="seats", value="2", reason="small")
    for member in (anna, bea):
        await member.slash(channel, "sit")
    assert "told once" in (await cleo.slash(channel, "notify", about="seat")).text
    await bea.slash(channel, "leave")
    told = await house.server.message(channel, "a seat is free at table")
    assert [user.id for user in told.pinged] == [cleo.id]
    before = len(channel.messages)
    await anna.slash(channel, "leave")
    await anna.slash(channel, "sit")
    await house.server.until(lambda: house.house.tables[house.table(channel).id].notify == {})
    assert len(channel.messages) == before
