"""Pictures of private hands on Telegram, which come to their owner alone; text never waits for them."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.view import Screen
from bot.view.pictures import hand_picture, picture
from tests.platforms.telegram.house import (
    House,
    ask_for_direct_cards,
    button,
    choose,
    deal,
    open_house,
    people,
    place_bets,
    play_on,
    set_up,
)
from tests.servers.telegram import Chat, Message, User


async def paint(screen: Screen, language: str) -> bytes | None:
    return picture(screen, language)


async def paint_hand(screen: Screen, language: str) -> bytes | None:
    return hand_picture(screen, language)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    async with open_house(tmp_path, paint=paint, paint_hand=paint_hand) as opened:
        yield opened


async def deal_directly(house: House, game: str = "caribbean") -> tuple[Chat, User, User, Message]:
    """Deal a hand in a group; Bea's cards come into her private chat too."""
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.group("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna, game)
    await anna.says(group, "/table set pace slow to look at pictures")
    await ask_for_direct_cards(house, bea)
    await place_bets(house, group, [anna, bea], game)
    await house.wait(22)
    return group, anna, bea, bea.private.last_message


def hand_of(house: House, user: User) -> set[bytes]:
    """Return all pictures painted of this person's hands."""
    player = house.app.context.player_of(user.id)
    return {one for one, owners in house.hands_painted.items() if owners == {player}}


async def test_a_direct_message_is_a_photo_of_the_hand_with_the_words_as_its_caption(house: House) -> None:
    _group, _anna, bea, direct = await deal_directly(house)
    assert direct.photo is not None
    assert direct.photo.data in hand_of(house, bea)
    assert "You hold" in direct.caption
    assert any(b.text.startswith("Raise") for b in direct.buttons)


@pytest.mark.parametrize("game", ["caribbean", "uth"])
async def test_the_photo_moves_on_with_the_hand_in_one_message(house: House, game: str) -> None:
    group, anna, bea, direct = await deal_directly(house, game)
    before = direct.photo
    await play_on(house, group, [anna, bea])
    await house.wait(6)
    assert direct.caption.startswith("Bea "), "what became of it"
    assert not direct.buttons
    assert direct.photo is not None
    assert direct.photo is not before, "without the choices, which are over"
    mine = [message for message in bea.private.messages if message.photo]
    assert mine == [direct]
    assert house.hands_seen >= 2


async def test_an_exchange_turns_the_card_in_the_photo_and_costs_one_edit_of_it(house: House) -> None:
    group, anna, bea, direct = await deal_directly(house)
    await bea.presses(direct, button(direct, "⇄ 2"))
    await anna.presses(group, "Fold")
    await house.wait(3)
    edits = house.server.calls_of(bea.private, "editMessageMedia")
    assert direct.photo is not None
    assert direct.photo.data in hand_of(house, bea)
    assert len({shown.photo for shown in house.server.shown if shown.message is direct}) == len(edits) + 1


async def test_nobody_else_ever_sees_the_picture_of_a_hand(house: House) -> None:
    group, anna, bea, _direct = await deal_directly(house)
    await house.wait(5)
    for user in (anna, bea):
        await user.presses(group, "My cards")
        await house.wait(9)
    await play_on(house, group, [anna, bea])
    await house.wait(5)
    assert house.hands_seen >= 3, "the watch for leaks has seen hands"
    public = {shown.photo for shown in house.server.shown if shown.photo and shown.to is None and shown.chat is group}
    assert public
    assert not public & set(house.hands_painted)
    assert not {shown.photo for shown in house.server.everything_sent_to(anna)} & hand_of(house, bea)
    assert not {shown.photo for shown in house.server.everything_sent_to(bea)} & hand_of(house, anna)


async def test_the_alert_stays_words(house: House) -> None:
    group, _anna, bea, _direct = await deal_directly(house)
    alert = await bea.presses(group, "My cards")
    assert alert is not None
    assert "You hold" in alert.text


async def test_words_do_not_wait_for_a_late_picture_which_follows(tmp_path: Path) -> None:
    drawn = asyncio.Event()

    async def slowly(screen: Screen, language: str) -> bytes | None:
        await drawn.wait()
        return hand_picture(screen, language)

    async with open_house(tmp_path, paint_hand=slowly) as house:
        group, anna, bea, _none = await deal_directly(house)
        await house.server.until(lambda: "You hold" in bea.private.last_message.text)
        direct = bea.private.last_message
        assert direct.photo is None
        drawn.set()
        await house.settled()
        await house.wait(6)
        assert direct.photo is not None
        assert "You hold" in direct.caption
        await play_on(house, group, [anna, bea])
        await house.wait(4)
        assert [message for message in bea.private.messages if message.text.startswith("Bea ")] == [direct]


async def test_a_renderer_that_fails_is_logged_once_and_leaves_words(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async def fail(screen: Screen, language: str) -> bytes | None:
        raise ValueError("no ink")

    async with open_house(tmp_path, paint_hand=fail) as house:
        group, anna, bea, direct = await deal_directly(house)
        assert direct.photo is None
        await play_on(house, group, [anna, bea])
        await house.wait(4)
        assert direct.text.startswith("Bea ")
        assert len([line for line in caplog.records if "a picture failed" in line.message]) == 1


@pytest.mark.parametrize("is_lost", [False, True])
async def test_a_picture_that_telegram_has_goes_by_its_id_and_one_that_it_lost_anew(
    house: House, is_lost: bool
) -> None:
    group, _anna, bea, direct = await deal_directly(house)
    if is_lost:
        house.server.forget_files()
    house.app.direct._shown.clear()  # as if it had not been sent: the same hand is sent once more
    house.app.direct.handle_change(house.table_at(group).id)
    await house.wait(3)
    assert len(house.server.calls_of(bea.private, "sendPhoto")[-1].uploads) == is_lost
    again = bea.private.last_message
    assert again is not direct
    assert again.photo is not None
    assert direct.photo is not None
    assert again.photo.data == direct.photo.data


async def test_a_table_whose_picture_telegram_lost_is_posted_all_the_same(house: House) -> None:
    group, anna, _bea = await deal(house)
    house.server.forget_files()
    await anna.says(group, "/setup")
    await house.wait(8)
    assert house.post_at(group).photo is not None
    assert not house.post_at(group).deleted


async def whispered_to(house: House, user: User, group: Chat) -> list[Message]:
    await house.wait(8)
    return [message for message in user.sees(group) if message.receiver is user]


async def test_an_ephemeral_message_is_a_photo_where_the_server_has_shown_that_it_takes_one(house: House) -> None:
    group, anna, bea = await deal(house)
    await house.wait(8)
    await anna.presses(group, "My cards")
    [first] = await whispered_to(house, anna, group)
    assert first.photo is None, "the first of all: an upload needs a new message"
    await bea.presses(group, "My cards")
    [hers] = await whispered_to(house, bea, group)
    assert hers.photo is not None
    assert hers.photo.data in hand_of(house, bea)
    assert "You hold" in hers.caption
    assert not [message for message in anna.sees(group) if message.receiver is bea]
    await bea.presses(hers, button(hers, "Raise"))
    await choose(house, group, anna)
    await house.wait(6)
    assert hers.deleted, "the hand is over"


async def test_a_hand_that_moved_on_is_sent_anew_for_ephemeral_edits_take_no_uploads(house: House) -> None:
    group, anna, bea = await deal(house)
    await house.wait(8)
    await anna.presses(group, "My cards")
    await house.wait(8)
    await bea.presses(group, "My cards")
    [before] = await whispered_to(house, bea, group)
    await bea.presses(group, "⇄ 2 (10)")
    await anna.presses(group, "Fold")
    await house.wait(8)
    await bea.presses(group, "My cards")
    [after] = await whispered_to(house, bea, group)
    assert before.deleted
    assert after.photo is not None
    assert before.photo is not None
    assert after.photo.data != before.photo.data
    await bea.presses(group, "My cards")
    assert await whispered_to(house, bea, group) == [after], "the same again costs nothing"


async def test_an_ephemeral_photo_is_edited_where_telegram_has_the_new_picture(house: House) -> None:
    """Telegram has the picture, because the direct message was sent first."""
    group, anna, bea, direct = await deal_directly(house)
    await house.wait(4)
    await anna.presses(group, "My cards")
    await house.wait(9)
    await bea.presses(group, "My cards")
    [whispered] = await whispered_to(house, bea, group)
    await bea.presses(direct, button(direct, "⇄ 2"))
    await house.wait(3)
    await anna.says(group, "/fold")
    await house.wait(9)
    await bea.presses(group, "My cards")
    assert await whispered_to(house, bea, group) == [whispered]
    assert whispered.photo is not None
    assert direct.photo is not None
    assert whispered.photo.file_id == direct.photo.file_id
    assert house.server.calls_of(group, "editEphemeralMessageMedia")


async def test_a_server_that_refuses_ephemeral_photos_whispers_words(house: House) -> None:
    group, anna, bea = await deal(house)
    await house.wait(8)
    await anna.presses(group, "My cards")
    await house.wait(8)
    house.server.fail("sendPhoto", 400, "Bad Request: not enough rights to send photos to the chat", chat=group)
    await bea.presses(group, "My cards")
    [hers] = await whispered_to(house, bea, group)
    assert hers.photo is None
    assert "You hold" in hers.text
