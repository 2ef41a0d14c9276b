"""A practice hand in Telegram: one message in the private chat, with its picture, edited by each press."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.view import Screen
from bot.view.pictures import picture
from tests.platforms.telegram.house import House, asks, people, set_up
from tests.servers.telegram import BotApiServer, Message, User, VirtualClock
from tests.some import some


async def paint(screen: Screen, language: str) -> bytes | None:
    return picture(screen, language)


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A casino without checks for leaks, because its cards belong to no table (tests/games has those checks)."""
    async with BotApiServer(clock=VirtualClock()) as api:
        opened = await House.open(api, tmp_path, paint=paint)
        yield opened
        await opened.close()


async def press(house: House, user: User, message: Message, label: str) -> None:
    await user.presses(message, next(one.text for one in message.buttons if one.text.startswith(label)))
    await house.wait(5)


async def test_it_goes_on_in_one_message_with_the_picture_of_the_table(house: House) -> None:
    (anna,) = people(house, "Anna")
    await anna.starts()
    await house.wait(2)
    begins = await asks(house, anna, anna.private, "/learn uth")
    assert begins.photo is not None
    assert begins.caption.startswith("Ultimate Texas Hold'em: a first hand\nA practice hand: the chips don't count.")
    before = begins.photo.data
    await press(house, anna, begins, "ante 10")
    assert "Best: Check." in begins.caption
    assert some(begins.photo).data != before
    await press(house, anna, begins, "★ Check")
    await press(house, anna, begins, "★ Play 2×")
    assert "play pays 1 to 1 +" in begins.caption
    assert [message for message in anna.private.messages if message.photo] == [begins]
    await press(house, anna, begins, "Next game")
    assert anna.private.last_message is not begins, "another hand stands below the one that was played"
    assert anna.private.last_message.caption.startswith("Paiju: a first hand")


async def test_whoever_presses_start_is_led_to_it(house: House) -> None:
    (anna,) = people(house, "Anna")
    await anna.starts()
    await house.wait(2)
    welcome = anna.private.last_message
    await press(house, anna, welcome, "First hand")
    assert "The ante is your bet before the cards" in anna.private.last_message.caption
    assert "Welcome to Ridotto" in welcome.text, "what was pressed for it stays"


async def test_in_a_group_it_is_offered_in_the_private_chat(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna)
    offer = await asks(house, bea, group, "/learn stud")
    assert offer.text == "I'll deal you a first hand in our private chat."
    await bea.presses(offer, "First hand")
    await house.wait(5)
    assert bea.private.last_message.caption.startswith("7 Card Stud Hi/Lo: a first hand")
    assert all("aces" not in (message.text or message.caption or "") for message in group.messages)


async def test_a_deal_of_the_day_is_one_message_in_the_private_chat(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna)
    offer = await asks(house, bea, group, "/deal caribbean")
    assert offer.text == "You play the deal of the day in our private chat."
    await bea.presses(offer, "Play")
    await house.wait(5)
    begins = bea.private.last_message
    assert begins.caption.startswith("Caribbean Stud: deal of the day ")
    await press(house, bea, begins, "Bet 50")
    played = bea.private.last_message
    assert "Hand 1 of 10. Chips: 950." in played.caption
    await press(house, bea, played, "Fold")
    assert bea.private.last_message is played
    assert "Hand 2 of 10. Chips: 950." in played.caption
    assert all("Chips: 950" not in (message.text or message.caption or "") for message in group.messages)


async def test_an_old_button_of_a_hand_that_goes_otherwise_now_is_a_sentence(house: House) -> None:
    (anna,) = people(house, "Anna")
    await anna.starts()
    await house.wait(2)
    begins = await asks(house, anna, anna.private, "/learn caribbean")
    alert = some(await anna.presses(begins, "v|learn|caribbean ante stand|", stale=True))
    assert "is not possible in this practice hand" in alert.text
    assert "The ante is your bet" in begins.caption, "and the message stands as it was"
