"""Pages of tables whose wing goes to another house: they are closed, and whoever looks at others notices nothing."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import ClientWebSocketResponse, WSMsgType

from bot.house.state.house import Holding
from tests.bot.house.conftest import CARIBBEAN, LINKED
from tests.bot.open_house import OpenHouse, open_house
from tests.patience import PATIENCE_S


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    async with open_house(tmp_path) as house:
        yield house


async def comes(page: ClientWebSocketResponse) -> WSMsgType:
    return (await asyncio.wait_for(page.receive(), PATIENCE_S)).type


async def test_whose_page_shows_a_table_that_goes_connects_again(house: OpenHouse) -> None:
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    gone, stays = await anna.watch(CARIBBEAN), await bea.watch(LINKED)
    assert (await comes(gone), await comes(stays)) == (WSMsgType.TEXT, WSMsgType.TEXT)
    house.lounge.unmark(Holding(frozenset({CARIBBEAN}), ()))
    assert await comes(gone) is WSMsgType.CLOSE
    assert gone.close_code == 1001, "it comes again by itself"
    await bea.press("bet", "10", table=LINKED)
    assert await comes(stays) is WSMsgType.TEXT


async def test_a_page_of_a_table_that_is_not_here_any_more_keeps_no_other_from_being_told(house: OpenHouse) -> None:
    """Their meter is one, and the page is about to be closed."""
    anna, bea = await house.enter("Anna"), await house.enter("Bea")
    gone, stays = await anna.watch(CARIBBEAN), await bea.watch(LINKED)
    assert (await comes(gone), await comes(stays)) == (WSMsgType.TEXT, WSMsgType.TEXT)
    del house.pit.floor.house.tables[CARIBBEAN]
    await bea.press("bet", "10", table=LINKED)
    assert await comes(stays) is WSMsgType.TEXT
    # What the coach has counted for it is told when it is counted.
    house.lounge.mark({CARIBBEAN, LINKED})
    assert await comes(stays) is WSMsgType.TEXT
    await gone.close()
