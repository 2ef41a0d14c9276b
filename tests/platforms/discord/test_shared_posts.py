"""Shared posts on Discord: one message in the channel, and refusals."""

import pytest

from bot.view.pictures import Renderer
from tests.platforms.discord.house import opened


@pytest.fixture
async def house(tmp_path, monkeypatch):
    renderer = Renderer(late_s=20.0)
    async with opened(tmp_path / "data", monkeypatch, paint_shared_post=renderer.render_shared_post) as house:
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
    await house.server.until(lambda: house.table(channel).round.hand is None)
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
    assert told[2] == "Something was just shared here. Try again in a minute."
    assert len([message for message in channel.messages if message.files]) == 2


async def test_who_did_not_play_shows_nothing(house):
    channel, _anna, _bea = await played(house)
    before = len(channel.messages)
    cleo = channel.guild.member("Cleo")
    answer = await cleo.slash(channel, "share", hand=house.table(channel).last_hand)
    assert "You did not play hand" in answer.text
    assert len(channel.messages) == before


async def test_who_asked_for_it_is_told_of_a_free_seat_with_one_mention(house):
    guild = house.server.guild("Venezia")
    channel, (anna, bea, cleo) = guild.text_channel("salotto"), (guild.member(name) for name in ("Anna", "Bea", "Cleo"))
    await house.table_in(channel)
    await guild.owner.slash(channel, "table set", setting="seats", value="2", reason="small")
    for member in (anna, bea):
        await member.slash(channel, "sit")
    assert "one message here" in (await cleo.slash(channel, "notify", about="seat")).text
    await bea.slash(channel, "leave")
    told = await house.server.message(channel, "a seat is free at table")
    assert [user.id for user in told.pinged] == [cleo.id]
    before = len(channel.messages)
    await anna.slash(channel, "leave")
    await anna.slash(channel, "sit")
    await house.server.until(lambda: house.house.tables[house.table(channel).id].notify == {})
    assert len(channel.messages) == before
