"""Two houses on the books of one server: a wing goes to the other one, and with it what shows its tables in chats."""

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from aiohttp import ClientSession

from bot.doors.kit.desk import Desk
from bot.doors.telegram.frames import MiniApp
from bot.doors.web.app import make_app
from bot.doors.web.live import Live
from bot.doors.web.lounge import Lounge
from bot.house.speech.command import Command, Who
from bot.house.state.place import Place
from storage.rows import WINGS, wing_of
from tests.bot.open_house import Server
from tests.doors.telegram.house import House, people, place_bets, set_up
from tests.postgres_server import Schemas
from tests.stores import Postgres
from tests.telegram_server import BotApiServer, Chat, Message, User, VirtualClock
from tests.telegram_server.mini_app import init_data

pytestmark = [pytest.mark.outside, pytest.mark.slow]


@asynccontextmanager
async def two_houses(schemas: Schemas, folder: Path) -> AsyncIterator[tuple[House, House]]:
    """The first keeps all, and hears what people say; the second keeps nothing yet."""
    stores = Postgres(schemas)
    store = stores.of(folder)
    async with BotApiServer(clock=VirtualClock()) as api:
        one = await House.open(api, folder, books=store.open())
        two = await House.open(api, folder, books=store.open(wings=frozenset()), polls=False)
        try:
            yield one, two
        finally:
            await two.close()
            await one.close()
    stores.end()


async def a_bet_lies_there(house: House) -> tuple[Chat, User]:
    """A group with a table, and somebody in it who has not bet yet."""
    anna, bea = people(house, "Anna", "Bea")
    group = house.server.supergroup("Salotto", members=[bea], admins=[anna])
    await set_up(house, group, anna)
    await place_bets(house, group, [anna], "caribbean")
    await house.wait(10)
    return group, bea


async def hand_over(house: House, to: House, group: Chat, hears: House) -> None:
    """The wing of a group's table."""
    wing = frozenset({wing_of(house.table_at(group).casino)})
    house.pit.give_wings(wing)
    await hears.wait(10)
    assert not shows(house, group)
    to.pit.take_wings(WINGS)
    await hears.wait(10)


def shows(house: House, group: Chat) -> bool:
    """Whether it has anything of it at hand."""
    desk = house.app.desk
    address = desk.notes.chats[group.id].address
    return address in desk.notes.posts or address in house.app.tables._shown or desk.table_at(address) is not None


async def says(house: House, who: User, group: Chat, verb: str, *args: str) -> None:
    """As what another house hears comes over a lane."""
    place = Place("telegram", house.app.desk.notes.chats[group.id].address)
    command = Command(f"{verb} {args}", Who("telegram", str(who.id), who.first_name), place, verb, args)
    assert not house.pit.submit(command).result(0).refused


def of_the_bot(house: House, group: Chat) -> list[Message]:
    """All that it has posted, deleted or not."""
    return [message for message in group.all_messages if message.sender is house.server.bot]


async def test_a_wing_that_goes_to_another_house_and_back_takes_its_message_along(
    schemas: Schemas, tmp_path: Path
) -> None:
    async with two_houses(schemas, tmp_path) as (one, two):
        group, bea = await a_bet_lies_there(one)
        post, posted = one.post_at(group), len(of_the_bot(one, group))
        await hand_over(one, two, group, one)
        assert two.post_at(group) is post, "the chat that it had not met, and the message that it had not posted"
        before = post.text
        await says(two, bea, group, "bet", "25")
        await one.wait(10)
        assert post.text != before
        assert "Bea" in post.text
        two.pit.tick()
        await one.wait(30)
        assert two.table_at(group).play is not None, "its clock goes on there"
        hand, playing = two.table_at(group).hand_id, post.text
        await hand_over(two, one, group, one)
        assert one.post_at(group) is post
        assert one.table_at(group).hand_id == hand
        await one.wait(120)
        assert one.table_at(group).hand_id != hand
        assert post.text != playing
        shown = [message for message in of_the_bot(one, group)[posted:] if message.buttons]
        assert shown == [], "it was edited, and never posted anew"


async def test_an_app_is_told_which_table_another_house_keeps_and_let_in_there(
    schemas: Schemas, tmp_path: Path
) -> None:
    async with two_houses(schemas, tmp_path) as (one, two), AsyncExitStack() as stack:
        group, bea = await a_bet_lies_there(one)
        await says(one, bea, group, "balance")
        table = one.table_at(group).id
        addresses = [await stack.enter_async_context(lounge_of(house)) for house in (one, two)]
        web = await stack.enter_async_context(ClientSession())

        async def prove(at: int, path: str = "") -> dict[str, Any]:
            shown = init_data(one.server.token, bea.id, "Bea", at_s=one.clock.now(), start=f"t{table}")
            answer = await web.post(f"{addresses[at]}/frame/telegram/prove{path}", json={"data": shown})
            told: dict[str, Any] = await answer.json()
            return told

        async def looks(at: int, said: dict[str, Any]) -> int:
            headers = {"Authorization": f"Bearer {said['token']}"}
            return (await web.get(f"{addresses[at]}{said['go']}", headers=headers)).status

        first = await prove(0)
        assert await looks(0, first) == 200
        await hand_over(one, two, group, one)
        assert await looks(0, first) == 401, "its session went with the table"
        assert await prove(0) == {"at": table}
        assert await looks(1, await prove(1, f"?table={table}")) == 200


@asynccontextmanager
async def lounge_of(house: House) -> AsyncIterator[str]:
    """As apps reach it."""
    app = MiniApp(house.server.token, Desk(house.pit, "telegram"), house.clock.now, lambda: house.app.desk)
    lounge = Lounge(house.pit, Live(), password="a password", frames=[app.host], public_url="https://casino.example")
    server = Server(make_app(lounge))
    await server.start_server()
    try:
        yield str(server.make_url("")).rstrip("/")
    finally:
        await lounge.live.close()
        await server.close()
        lounge.renderer.close()


async def test_what_reaches_a_chat_when_its_table_is_another_houses_already_is_deleted(
    schemas: Schemas, tmp_path: Path
) -> None:
    async with two_houses(schemas, tmp_path) as (one, two):
        group, _bea = await a_bet_lies_there(one)
        post, posted = one.post_at(group), len(of_the_bot(one, group))
        one.server.slow("sendMessage", 5, chat=group)
        one.app.tables.bring_down(one.app.desk.notes.chats[group.id].address)
        await one.wait(2)
        (late,) = of_the_bot(one, group)[posted:]
        assert not late.deleted
        await hand_over(one, two, group, one)
        assert late.deleted
        assert two.post_at(group) is post


async def test_two_houses_divide_the_calls_of_their_bot_by_what_each_needs(schemas: Schemas, tmp_path: Path) -> None:
    """However much each has to say, Telegram is asked thirty times a second at most, and refuses nothing."""
    async with two_houses(schemas, tmp_path) as (one, two):
        (anna,) = people(one, "Anna")
        for number in range(120):
            one.server.supergroup(f"Group {number}", admins=[anna])
        one.pit.give_wings(frozenset(range(WINGS // 2)))
        two.pit.take_wings(WINGS)
        await comes_to(one, two, lambda left, right: left == right == 0.5)
        say_everywhere(one)
        await comes_to(one, two, lambda left, right: left > 0.8 and right > 0.1)
        await is_quiet(one, two)
        say_everywhere(one, two)
        await comes_to(one, two, lambda left, right: left == pytest.approx(0.5) and right == pytest.approx(0.5))
        await is_quiet(one, two)
        assert not [call for call in one.server.calls if call.error_code == 429]
        two.pit.give_wings(two.pit.books.wings)
        await one.wait(1)
        one.pit.take_wings(WINGS)
        await comes_to(one, two, lambda left, right: left > 0.95)


async def comes_to(one: House, two: House, holds: Callable[[float, float], bool]) -> None:
    """As time goes on; at no moment do they have more than the whole and what is left to who has nothing."""
    found = list[tuple[float, float]]()
    while not found or not holds(*found[-1]):
        assert len(found) < 300, found
        await one.wait(0.2)
        found.append((one.app.desk.outbox.part, two.app.desk.outbox.part))
        assert sum(found[-1]) <= 1 + 1 / WINGS + 1e-9, found


async def is_quiet(*houses: House) -> None:
    while not all(house.app.desk.outbox.is_idle for house in houses):
        await houses[0].wait(0.2)


def say_everywhere(*houses: House) -> None:
    for chat in list(houses[0].server.chats):
        for house in houses:
            house.app.desk.outbox.put(chat, "said", partial(say, house, chat), is_group=False)


async def say(house: House, chat: int) -> None:
    await house.app.bot.send_message(chat, "said")
