"""Open table: a link under a group's table, a button of the app in private chats, in the menu, in lists."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from tests.platforms.telegram.house import House, ask_for_direct_cards, open_house, people
from tests.servers.telegram import BotApiServer, Message

SITE = "https://casino.example"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[House]:
    """A casino with a public address, whose Mini App BotFather knows."""
    async with open_house(tmp_path, main_web_app=True, of={"public_url": SITE}) as opened:
        yield opened


def buttons(message: Message, text: str = "Open table") -> list[dict[str, Any]]:
    rows = (message.markup or {}).get("inline_keyboard", [])
    return [button for row in rows for button in row if button["text"] == text]


async def test_the_table_of_a_group_has_a_link_that_opens_it(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
    await anna.says(group, "/table open caribbean")
    await house.wait(5)
    (button,) = buttons(house.post_at(group))
    link = f"https://t.me/{house.server.bot.username}?startapp=t{house.table_at(group).id}"
    assert button == {"text": "Open table", "url": link}
    await bea.says(group, "/balance")
    await bea.starts()
    await bea.says(bea.private, "/tables")
    await house.wait(5)
    assert link in bea.private.last_message.text


async def test_a_hand_in_the_private_chat_has_a_button_of_the_app_and_so_has_the_menu(house: House) -> None:
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
    await anna.says(group, "/table open caribbean")
    await house.wait(5)
    await ask_for_direct_cards(house, bea)
    await bea.says(group, "/bet 10")
    await house.wait(60)
    found = [one for message in bea.private.messages for one in buttons(message)]
    page = f"{SITE}/frame/telegram"
    assert {"text": "Open table", "web_app": {"url": f"{page}?table=t{house.table_at(group).id}"}} in found
    assert house.server.menu_button == {
        "type": "web_app",
        "text": "Open table",
        "web_app": {"url": page},
    }


async def test_setup_says_nothing_of_the_hosts_settings(tmp_path: Path) -> None:
    """A group's administrator cannot change them; the operator reads them in the log."""
    for more in ({}, {"of": {"public_url": SITE}}, {"of": {"public_url": SITE}, "main_web_app": True}):
        async with open_house(tmp_path / str(len(more)), **more) as house:
            (anna,) = people(house, "Anna")
            group = house.server.supergroup("Salotto", admins=[anna])
            await anna.says(group, "/setup")
            await house.wait(20)
            number = house.app.context.notes.chats[group.id].number
            await anna.starts(f"setup_{number}")
            await house.wait(3)
            panel = anna.private.last_message.text
            assert not [word for word in ("RIDOTTO_", "BotFather", " app") if word in panel]
            assert bool(buttons(house.post_at(group))) == ("main_web_app" in more)


async def test_without_an_app_nothing_leads_to_one(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        (anna,) = people(house, "Anna")
        group = house.server.supergroup("Salotto", admins=[anna])
        await anna.says(group, "/table open caribbean")
        await house.wait(5)
        assert not buttons(house.post_at(group))
        assert house.server.menu_button == {"type": "default"}
        assert isinstance(house.server, BotApiServer)


async def test_the_menus_button_is_taken_back_when_the_house_has_no_address_any_more(tmp_path: Path) -> None:
    async with open_house(tmp_path, of={"public_url": SITE}) as house:
        assert house.server.menu_button["type"] == "web_app"
        await house.close()
        await house.reopen()
        assert house.server.menu_button == {"type": "default"}


async def test_a_button_that_is_none_of_ours_stays(tmp_path: Path) -> None:
    other: dict[str, Any] = {"type": "web_app", "text": "Our site", "web_app": {"url": "https://club.example/news"}}
    async with open_house(tmp_path) as house:
        house.server.menu_button = dict(other)
        await house.close()
        await house.reopen()
        assert house.server.menu_button == other
