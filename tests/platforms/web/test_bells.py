"""The bell of a full table in the lounge: one notice of a free seat, on the pages of the one who asked."""

import asyncio
from html import unescape
from typing import Any

import pytest

from bot.platforms.web import press
from tests.bot.open_house import TABLE, OpenHouse, Player
from tests.patience import PATIENCE_S, until

BELL, STOP = "Tell me when a seat is free", "Stop waiting"
PROMISE = "This page tells you once when a seat is free, as long as the lounge stays open or may notify you."


@pytest.fixture
async def people(house: OpenHouse) -> list[Player]:
    """The players of a full table."""
    found = [await house.enter(f"Player {number}") for number in range(1, 8)]
    for one in found:
        assert not (await one.press("sit"))["refused"]
    return found


async def next_notice(socket: Any) -> dict[str, Any]:
    while "notice" not in (message := await asyncio.wait_for(socket.receive_json(), PATIENCE_S)):
        pass
    found: dict[str, Any] = message
    return found


async def test_a_full_table_offers_the_next_one_and_a_bell_that_rings_once(
    house: OpenHouse, people: list[Player]
) -> None:
    cleo, dora = await house.enter("Cleo"), await house.enter("Dora")
    refused = await cleo.press("bet", "50")
    way, bell = refused["choices"]
    assert (way["label"].endswith(": 7 free"), bell["label"]) == (True, BELL)
    assert await cleo.page(way["go"].removeprefix(cleo.base))
    shown = unescape(await cleo.page(TABLE))
    assert (BELL in shown, way["label"] in shown) == (True, True)
    assert BELL not in unescape(await people[0].page(TABLE)), "who has a seat needs none"
    async with await cleo.watch() as socket, await dora.watch():
        assert (await cleo.press(bell["verb"], *bell["args"]))["texts"] == [PROMISE]
        assert not (await dora.press(bell["verb"], *bell["args"]))["refused"]
        assert STOP in unescape(await cleo.page(TABLE))
        assert not (await people[2].press("leave"))["refused"]
        told = await next_notice(socket)
        assert told["notice"] == f"Cleo: a seat is free at table {house.table().number}."
        assert told["choices"] == [{"label": "To the table", "go": f"{cleo.base}{TABLE}"}]
        assert house.table().notify == {"seat": (dora.id,)}
        assert not (await dora.press("sit"))["refused"]
        assert house.table().notify == {}, "who sits waits no more"


async def test_a_bell_is_taken_back_and_ends_with_the_last_page(
    house: OpenHouse, people: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    cleo = await house.enter("Cleo")
    async with await cleo.watch():
        assert not (await cleo.press("notify", "seat"))["refused"]
        assert not (await cleo.press("notify", "off"))["refused"]
        assert house.table().notify == {}
        assert not (await cleo.press("notify", "seat"))["refused"]
    await until(lambda: not house.lounge.live.has_page(cleo.id))
    assert not (await people[0].press("bet", "50"))["refused"]
    assert house.table().notify == {"seat": (cleo.id,)}, "the page may only be loading again"
    monkeypatch.setattr(press, "GONE_S", 0.0)
    assert not (await people[1].press("bet", "50"))["refused"]
    await until(lambda: not house.table().notify)


async def test_the_seat_of_an_absent_player_is_free_for_those_who_wait(
    house: OpenHouse, people: list[Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bea, *_others = people
    async with await anna.watch():
        pass
    cleo = await house.enter("Cleo")
    async with await cleo.watch() as socket:
        assert (await cleo.press("notify", "seat"))["texts"] == [PROMISE]
        await until(lambda: not house.lounge.live.has_page(anna.id))
        monkeypatch.setattr(press, "GONE_S", 0.0)
        assert not (await bea.press("bet", "50"))["refused"]
        assert "a seat is free" in (await next_notice(socket))["notice"]
    assert house.table().seat_of(anna.id) is None
