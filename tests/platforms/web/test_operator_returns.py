"""Expected and actual returns on the operator's page: as the command prints them, and without waiting."""

import asyncio
import threading
from pathlib import Path
from random import Random
from typing import Any

from bot.core.commands.counting import CountFault, here
from bot.platforms.web import returns
from bot.platforms.web.returns import KEPT_S, RETURNS_KEY
from tests.bot.open_house import OPERATOR, OpenHouse, Player, open_house
from tests.core.conftest import TABLES, House
from tests.laid import lay_hands, loses
from tests.patience import PATIENCE_S


def lay(folder: Path, hands: int) -> None:
    """Insert hands: égalité and punto at one table, by a dealer who drops every third win; and one of pairs."""
    house, chance = House(folder), Random("looks")
    bets = [{"punto": 500}]
    lay_hands(house, "puntobanco", hands, bets, takes=lambda hand: loses(hand) or chance.random() < 2 / 3)
    lay_hands(house, "puntobanco", 2, [{"pair-punto": 500}], options={"commission": 400})
    house.close()


async def operator(house: OpenHouse) -> Player:
    house.writer.count = here  # no process
    anna = await house.enter("Anna")
    await anna.client.post(f"/operator/{OPERATOR}", data={"player": str(anna.id)})
    kept = house.server.app[RETURNS_KEY]
    assert kept.counting is not None
    await kept.counting
    kept.found = None
    return anna


async def counted(house: OpenHouse, player: Player) -> str:
    """Return the page once its figures are computed."""
    await player.page("/operator")
    task = house.server.app[RETURNS_KEY].counting
    assert task is not None
    await asyncio.wait_for(task, PATIENCE_S)
    return await player.page("/operator")


async def test_the_page_shows_each_bet_beside_what_it_is_worth_and_which_is_out(tmp_path: Path) -> None:
    lay(tmp_path, 400)
    async with open_house(tmp_path) as house:
        html = await counted(house, await operator(house))
        assert "The latest 402 hands, counted" in html
        assert f"Table {TABLES['puntobanco']}" in html
        assert "commission: 4 %" in html
        (punto,) = [row for row in html.split("<tr") if ">punto<" in row]
        assert "<strong>out</strong>" in punto
        assert "98.76 %" in punto
        (pair,) = [row for row in html.split("<tr") if ">pair-punto<" in row]
        assert "too few to judge" in pair


async def test_nobody_waits_for_it_and_it_is_counted_once_an_hour(tmp_path: Path, monkeypatch: Any) -> None:
    lay(tmp_path, 3)
    async with open_house(tmp_path) as house:
        anna, go_on, times = await operator(house), threading.Event(), 0

        def count(function: Any, *args: Any) -> Any:
            nonlocal times
            times += 1
            assert go_on.wait(30)
            return function(*args)

        house.writer.count = count
        kept = house.server.app[RETURNS_KEY]
        for _ in range(3):
            assert "Still calculating. Try again in a minute." in await anna.page("/operator")
            assert not (await anna.press("bet", "50"))["refused"], "the house goes on meanwhile"
        go_on.set()
        assert kept.counting is not None
        await kept.counting
        assert "The latest 5 hands, counted" in await anna.page("/operator")
        before = times
        await house.wait(KEPT_S - 10)
        await anna.page("/operator")
        assert kept.counting.done()
        await house.wait(20)
        assert "The latest 5 hands, counted" in await anna.page("/operator"), "what is old is shown until it is new"
        await kept.counting
        assert times > before


async def test_what_cannot_be_counted_is_said_and_counted_again(tmp_path: Path) -> None:
    lay(tmp_path, 3)
    async with open_house(tmp_path) as house:
        anna = await operator(house)
        await counted(house, anna)

        def fail(function: Any, *args: Any) -> Any:
            raise CountFault("no answer")

        kept = house.server.app[RETURNS_KEY]
        kept.found, house.writer.count = None, fail
        assert "This could not be calculated just now" in await counted(house, anna)
        assert kept.counting is not None
        await kept.counting  # reading it restarted the count, in vain
        house.writer.count = here
        assert "The latest 5 hands, counted" in await counted(house, anna)


async def test_a_house_that_closes_does_not_count_to_the_end(tmp_path: Path) -> None:
    lay(tmp_path, 120)
    async with open_house(tmp_path) as house:
        anna = await operator(house)
        portions = 0

        def count(function: Any, *args: Any) -> Any:
            nonlocal portions
            portions += 1
            house.lounge.is_closing = True
            return function(*args)

        kept = house.server.app[RETURNS_KEY]
        house.writer.count = count
        await anna.page("/operator")
        assert kept.counting is not None
        await kept.counting
        assert (portions, kept.has_failed) == (1, True)


def test_a_hand_that_is_not_finite_is_written() -> None:
    assert returns.errors(float("inf")) == "–"
