"""The lounge in a browser, as a window on the tables of a linked person's communities."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import WSServerHandshakeError

from bot.core.casinos.places import internal_command_of
from bot.core.commands.command import Answer, Command, Who
from bot.core.state.place import Place
from bot.platforms.common.context import new_key
from tests.bot.open_house import TABLE, OpenHouse, Player, open_house

HERE = Place("discord", "1")


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    """A lounge and a Discord server, “The Bar”, with a table of its own."""
    async with open_house(tmp_path) as house:
        await tell(house, internal_command_of(new_key("web"), HERE, "arrive", "The Bar", "en"))
        assert not (await say(house, "insp", "table open", "caribbean")).refused
        yield house


async def tell(house: OpenHouse, command: Command) -> Answer:
    return await asyncio.wrap_future(house.writer.submit(command))


async def say(house: OpenHouse, name: str, verb: str, *args: str, sure: bool = False) -> Answer:
    """Submit a command on Discord."""
    who = Who("discord", name, name, inspector=name == "insp")
    return await tell(house, Command(new_key("web"), who, HERE, verb, args, confirmed=sure))


def table_of(house: OpenHouse) -> int:
    return house.writer.state.places[HERE].table_id or 0


async def enter_linked(house: OpenHouse) -> Player:
    """Return a member of the server who linked their account in the lounge and got an address there."""
    player = await house.enter("Anna")
    (code,) = (str(text).split()[3].rstrip(".") for text in (await say(house, "anna", "link")).texts)
    press = {"key": "link-00000", "line": f"/link {code}", "confirmed": True}
    said = await (await player.client.post(f"{player.base}/press", json=press)).json()
    assert not said["refused"], said
    known = house.writer.state.players[house.writer.state.identities["discord", "anna"]]
    return Player(house, player.client, f"/p/{known.own_name.lower()}-{known.id}")


async def test_a_linked_person_sees_their_communitys_tables_in_the_lobby_and_plays_there(house: OpenHouse) -> None:
    anna = await enter_linked(house)
    lobby = await anna.page()
    assert "Tables of The Bar" in lobby
    id = table_of(house)
    assert f'href="./table/{id}"' in lobby
    # The lounge must not share its public picture.
    assert "to share" not in await anna.page(f"/table/{id}")
    assert "to share" in await anna.page(TABLE)
    assert not (await anna.press("bet", "50", table=id))["refused"]
    async with anna.client.ws_connect(f"{anna.base}/table/{id}/live") as socket:
        parts = (await socket.receive_json())["parts"]
        assert "950" in parts["mine"] + parts["status"] + parts["felt"]
        await say(house, "bea", "bet", "20")
        assert "bea" in str(await socket.receive_json())
    assert {bet.total for bet in house.table(id).round.bets} == {5000, 2000}
    answer = await anna.client.get(f"/table/{id}")
    assert answer.status == 404


async def test_nobody_else_sees_them(house: OpenHouse) -> None:
    await say(house, "bob", "balance")
    bob = await house.enter("Bob")
    id = table_of(house)
    assert "The Bar" not in await bob.page()
    await bob.page(f"/table/{id}", status=404)
    said = await bob.press("bet", "50", table=id)
    assert (said["status"], said["refused"]) == (404, True)
    with pytest.raises(WSServerHandshakeError):
        await bob.watch(id)


async def test_after_a_restart_the_first_look_finds_them_too(tmp_path: Path) -> None:
    async with open_house(tmp_path) as house:
        await tell(house, internal_command_of(new_key("web"), HERE, "arrive", "The Bar", "en"))
        await say(house, "insp", "table open", "uth")
        anna = await enter_linked(house)
        cookies = {cookie.key: cookie.value for cookie in anna.client.session.cookie_jar}
    async with open_house(tmp_path) as house:
        browser = await house.browser()
        headers = {"Cookie": "; ".join(f"{key}={value}" for key, value in cookies.items())}
        answer = await browser.get(f"{anna.base}/table/{table_of(house)}", headers=headers)
        assert answer.status == 200


async def test_their_books_in_the_communitys_casino_are_read_in_the_lounge_too(house: OpenHouse) -> None:
    anna = await enter_linked(house)
    await say(house, "anna", "bet", "70", "jackpot")
    await say(house, "anna", "takeback")
    await say(house, "bruno", "balance")
    there = f"?casino={house.table(table_of(house)).casino}"
    assert "The Bar" in await anna.page("/statement")
    assert "71" not in await anna.page("/statement")
    assert "-71" in (told := await anna.page(f"/statement{there}"))
    assert f"/statistics{there}" in told
    assert "bruno" in await anna.page(f"/leaderboard{there}")
    assert "bruno" not in await anna.page("/leaderboard")
    for path in ("/statistics", "/history", "/jackpot"):
        await anna.page(f"{path}{there}")


@pytest.mark.parametrize("wanted", ["2", "99", "x", "-1", "%00"])
async def test_who_is_in_no_community_reads_the_lounges_books_whatever_they_ask_for(
    house: OpenHouse, wanted: str
) -> None:
    bob = await house.enter("Bob")
    html = await bob.page(f"/leaderboard?casino={wanted}")
    assert "The Bar" not in html
    assert "Bob" in html
