"""Delays of any length: in the end the present state is shown."""

import pytest

from tests.platforms.telegram.house import House, button, deal, people, place_bets, set_up
from tests.platforms.telegram.test_admin import MORE, opened, turn
from tests.platforms.telegram.test_setup import panel_of
from tests.servers.telegram import Chat

EDITS = ("editMessageText", "editMessageCaption", "editMessageMedia")


def slow_edits(house: House, chat: Chat | None, seconds: float = 3.0, times: int = 1) -> None:
    for method in EDITS:
        house.server.slow(method, seconds, times=times, chat=chat)


async def test_a_call_takes_20_to_150_ms_of_the_clock(house: House) -> None:
    (anna,) = people(house, "Anna")
    group = house.server.group("Salotto", admins=[anna])
    post = await set_up(house, group, anna)
    took = []
    for _press in range(40):
        await house.wait(2)
        before = house.clock.now()
        await house.app.bot.get_chat(group.id)
        took.append(house.clock.now() - before)
    assert min(took) >= 0.0199
    assert 0.149 <= max(took) <= 0.151
    assert post is house.post_at(group)


async def test_a_bet_while_an_edit_is_on_its_way_is_shown_after_it(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
    post = await set_up(house, group, anna)
    slow_edits(house, group)
    for who in (anna, bea, anna):
        assert await who.presses(post, button(post, "ante 10"))
    await house.wait(15)
    assert "Anna" in post.text
    assert "20" in next(line for line in post.text.splitlines() if "Anna" in line)
    assert "Bea" in post.text


async def test_ready_as_the_last_player_shows_the_cards(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna], bot="administrator")
    post = await set_up(house, group, anna)
    await place_bets(house, group, [anna, bea], "caribbean")
    await house.wait(3)
    slow_edits(house, group)
    presses = [who.press(post, button(post, "Ready")) for who in (anna, bea)]
    assert all([await press.answered() for press in presses])
    await house.wait(10)
    assert house.table_at(group).round.hand is not None
    labels = [one.text for one in post.buttons]
    assert "My cards" in labels
    assert "Fold" in labels
    assert [label for label in labels if label.startswith("Raise")]


async def test_a_move_while_the_tables_edit_is_on_its_way_is_shown(house: House) -> None:
    group, anna, bea = await deal(house)
    post = house.post_at(group)
    slow_edits(house, group)
    presses = [who.press(post, button(post, "Fold")) for who in (anna, bea)]
    assert all([await press.answered() for press in presses])
    await house.wait(15)
    assert house.table_at(group).round.hand is None
    assert "ante 10" in [one.text for one in house.post_at(group).buttons]


async def test_the_later_of_two_presses_in_the_settings_is_shown(house: House) -> None:
    (anna,) = people(house, "Anna")
    group = await opened(house, admin=anna)
    panel = await turn(house, anna, await panel_of(house, anna, group), MORE)
    house.server.slow("getChatMember", 1.0)
    first, second = anna.press(panel, "Jackpot"), anna.press(panel, "Tables")
    await house.wait(3)
    assert first.answer.done()
    assert second.answer.done()
    await house.wait(3)
    assert panel.buttons[0].text.startswith("1: Caribbean Stud")


@pytest.mark.parametrize("line", ["/balance", "/table close enough"])
async def test_an_answer_is_read_before_telegram_has_told_its_number(house: House, line: str) -> None:
    (anna,) = people(house, "Anna")
    group = house.server.group("Salotto", admins=[anna])
    await set_up(house, group, anna)
    await house.wait(10)
    house.server.slow("sendMessage", 4.0)
    await anna.says(group, line)
    await house.wait(1)
    message = group.messages[-1]
    alert = await anna.presses(message, "Read")
    assert alert is not None
    assert "not for you" not in alert.text
    await house.wait(8)
    assert message.deleted or "Yes" in [one.text for one in message.buttons]
