"""Tables in Telegram's app beside the chat: admission by membership of the group, private tables, and presses from both
at once.
"""

import asyncio
import itertools
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

import aiohttp
import pytest

from bot.platforms.common.context import PlatformContext
from bot.platforms.telegram.frames import MiniApp
from bot.platforms.web.frames import VOUCHED_S
from tests.frame_hosts import SITE
from tests.patience import STEP_S
from tests.platforms.telegram.house import House, open_house, people, place_bets
from tests.platforms.test_frames_browser import serve
from tests.servers.telegram import Chat, User
from tests.servers.telegram.mini_app import init_data

T = TypeVar("T")
# Delays of two presses.
LATE_S = (0.0, 0.002, 0.01)


@dataclass
class Apps:
    """A casino with its chats, and its pages in people's apps."""

    house: House
    client: aiohttp.ClientSession
    numbers: "itertools.count[int]" = field(default_factory=itertools.count)

    async def opens(self, user: User, table: int) -> dict[str, Any]:
        """Return the answer to the user's page."""
        now = self.house.clock.now()
        data = init_data(self.house.server.token, user.id, user.first_name, at_s=now, start=f"t{table}")
        async with self.client.post("/frame/telegram/prove", json={"data": data}) as answer:
            said: dict[str, Any] = await answer.json()
        assert (answer.status == 200) == ("token" in said), said
        return said

    async def refused(self, user: User, table: int) -> str:
        said = await self.opens(user, table)
        assert "token" not in said
        (text,) = said["texts"]
        return str(text)

    async def looks(self, page: dict[str, Any]) -> int:
        """Return the status of a request in the user's session."""
        async with self.client.get(page["go"], headers={"Authorization": f"Bearer {page['token']}"}) as answer:
            return answer.status

    async def press(self, page: dict[str, Any], verb: str, *args: str) -> dict[str, Any]:
        press = {"key": f"press-{next(self.numbers):06}", "verb": verb, "args": list(args)}
        headers = {"Authorization": f"Bearer {page['token']}"}
        async with self.client.post(f"{page['go']}/press", json=press, headers=headers) as answer:
            assert answer.status == 200
            said: dict[str, Any] = await answer.json()
        return said


@pytest.fixture
async def apps(tmp_path: Path) -> AsyncIterator[Apps]:
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(open_house(tmp_path, main_web_app=True, of={"public_url": SITE}))
        app = MiniApp(
            house.server.token, PlatformContext(house.writer, "telegram"), house.clock.now, lambda: house.app.context
        )
        address = await stack.enter_async_context(serve(house.writer, [app.host]))
        yield Apps(house, await stack.enter_async_context(aiohttp.ClientSession(address)))


async def group_with_table(apps: Apps, *members: User) -> tuple[Chat, User, int]:
    """Return (the group, its administrator, its table)."""
    (anna,) = people(apps.house, "Anna")
    group = apps.house.server.supergroup("Salotto", members=list(members), admins=[anna])
    await anna.says(group, "/table open caribbean")
    await apps.house.wait(5)
    return group, anna, apps.house.table_at(group).id


@pytest.mark.parametrize("status", ["left", "kicked"])
async def test_whoever_is_not_in_the_group_any_more_is_let_in_no_more(apps: Apps, status: str) -> None:
    bea, cara = people(apps.house, "Bea", "Cara")
    group, _anna, table = await group_with_table(apps, bea, cara)
    await bea.says(group, "/balance")
    await apps.house.wait(5)
    assert "token" in await apps.opens(bea, table)
    group.set_member(bea, status)
    assert "own community" in await apps.refused(bea, table)
    assert "token" in await apps.opens(cara, table), "she has never said a word there, and is a member"
    group.set_member(bea, "restricted")
    assert "token" in await apps.opens(bea, table)


async def test_whoever_leaves_the_group_is_shown_its_table_no_more(apps: Apps) -> None:
    """Membership is checked now and then; members and owners of private tables stay."""
    bea, cara = people(apps.house, "Bea", "Cara")
    group, _anna, table = await group_with_table(apps, bea, cara)
    beas, caras = await apps.opens(bea, table), await apps.opens(cara, table)
    assert await apps.looks(beas) == await apps.looks(caras) == 200
    group.set_member(bea, "left")
    await apps.house.wait(VOUCHED_S / 2)
    assert await apps.looks(beas) == 200
    await apps.house.wait(VOUCHED_S / 2 + 1)
    while await apps.looks(beas) == 200:
        await asyncio.sleep(STEP_S)
    assert await apps.looks(beas) == 401
    assert await apps.looks(caras) == 200


async def test_where_telegram_cannot_tell_the_books_decide(apps: Apps) -> None:
    bea, cara = people(apps.house, "Bea", "Cara")
    group, _anna, table = await group_with_table(apps, bea, cara)
    await bea.says(group, "/balance")
    await apps.house.wait(5)
    apps.house.server.fail("getChatMember", 400, "Bad Request: CHAT_ADMIN_REQUIRED", times=2)
    assert "token" in await apps.opens(bea, table)
    assert "own community" in await apps.refused(cara, table)


async def test_the_table_of_a_private_chat_opens_for_its_owner_alone(apps: Apps) -> None:
    bea, cara = people(apps.house, "Bea", "Cara")
    group, _anna, _table = await group_with_table(apps, bea, cara)
    for user in (bea, cara):
        await user.says(group, "/balance")
    await bea.starts()
    await bea.says(bea.private, "/setup caribbean")
    await apps.house.wait(3)
    own = apps.house.table_at(bea.private)
    page = await apps.opens(bea, own.id)
    said = await apps.press(page, "bet", "ante", "10")
    assert not said["refused"], said
    assert apps.house.table_at(bea.private).round.bets
    assert "own community" in await apps.refused(cara, own.id)


async def test_who_is_not_invited_looks_on_and_is_told_so_when_they_bet(apps: Apps) -> None:
    bea, cara, zoe = people(apps.house, "Bea", "Cara", "Zoe")
    group, anna, table = await group_with_table(apps, bea, cara)
    await anna.says(group, "/table private on")
    await apps.house.wait(5)
    owners, guests = await apps.opens(anna, table), await apps.opens(cara, table)
    assert not (await apps.press(owners, "bet", "ante", "10"))["refused"]
    said = await apps.press(guests, "bet", "ante", "10")
    assert said["refused"]
    assert "for invited players" in said["texts"][0]
    assert len(apps.house.table_at(group).round.bets) == 1
    assert "own community" in await apps.refused(zoe, table)


async def test_a_press_in_the_chat_and_one_in_the_app_at_once_are_one_raise(apps: Apps) -> None:
    """The press that comes a few milliseconds later is refused with a sentence."""
    (bea,) = people(apps.house, "Bea")
    group, _anna, table = await group_with_table(apps, bea)
    page = await apps.opens(bea, table)

    async def late(first_s: float, press: Awaitable[T]) -> T:
        await asyncio.sleep(first_s)
        return await press

    for app_s, chat_s in itertools.product(LATE_S, repeat=2):
        await place_bets(apps.house, group, [bea], "caribbean")
        await apps.house.wait(25)
        hand, post = apps.house.table_at(group).round.hand_id, apps.house.post_at(group)
        (data,) = (str(button.data) for button in post.buttons if button.text.startswith("Raise"))
        pressed, said = await asyncio.gather(
            late(chat_s, bea.presses(post, data, stale=True)), late(app_s, apps.press(page, "raise"))
        )
        await apps.house.wait(5)
        assert apps.house.table_at(group).last_hand == hand
        assert [move.word for move in apps.house.table_at(group).last.moves] == ["raise"]
        assert pressed is not None
        assert bool(said["refused"]) != pressed.show_alert, (pressed, said)
        assert said["texts"]
        assert pressed.text
        await apps.house.wait(30)
