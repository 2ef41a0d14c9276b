"""Sealed cuts drawn, sealed and opened by a table's page in a real browser, without asking the player."""

import asyncio
import json
from typing import Any

import pytest

from engine.fairness.seals import seal
from tests.bot.open_house import OpenHouse
from tests.patience import until
from tests.platforms.web.test_lounge_browser import PHONE, Visit, visit
from tests.platforms.web.test_mark_browser import mark_of
from tests.some import some

pytestmark = [pytest.mark.browser, pytest.mark.slow]
__all__ = ["visit"]
STORED = """() => Object.entries(localStorage)
  .filter(([key]) => key.startsWith("seal ")).map(([, value]) => JSON.parse(value))"""


async def bet(anna: Visit, house: OpenHouse) -> str:
    """Bet on Caribbean and wait until the seal stands; return the number of the hand."""
    hand = str(house.table().round.hand_id)
    await anna.press("bet ante 10")
    await until(lambda: house.table().round.seals)
    return hand


async def stored_by(page: Any) -> list[Any]:
    found: list[Any] = await page.evaluate(STORED)
    return found


async def fold(anna: Visit) -> None:
    await anna.page.locator('.mine [data-key="fold "]').wait_for()
    await anna.page.wait_for_timeout(600)
    await anna.press("fold ")
    await anna.page.locator(".paid").wait_for()


async def record_of(anna: Visit, hand: str) -> dict[str, Any]:
    record: dict[str, Any] = await anna.page.evaluate(
        "hand => fetch(`${document.body.dataset.base}/hand/${hand}/record`).then((answer) => answer.json())", hand
    )
    return record


async def test_a_page_helps_to_shuffle_and_says_so(visit: Any, house: OpenHouse) -> None:
    anna = await visit(**PHONE)
    await anna.enter("Anna")
    hand = await bet(anna, house)
    (stored,) = await anna.page.evaluate(STORED)
    assert {"house", "casino", "log", "table", "commit", "player", "cut", "seal"} <= stored.keys()
    assert stored["seal"] == seal(stored["cut"])
    assert [one for _player, one in house.table().round.seals] == [stored["seal"]]
    assert stored["cut"] not in await anna.page.content()
    await house.wait(21)
    await fold(anna)
    record = await record_of(anna, hand)
    assert (record["seals"], record["seed"]["cuts"]) == ([stored["seal"]], [stored["cut"]])
    assert "unopened" not in record
    assert await mark_of(anna, hand) == f"Hand {hand}: You helped shuffle this deck"
    await anna.page.locator("#checked a").click()
    row = anna.page.locator('#remembered [data-check="sealed"]')
    await row.wait_for()
    assert await row.get_attribute("data-said") == "ok"
    await anna.shoot("sealed-cut")


async def test_two_tabs_seal_once_and_a_page_opened_later_can_open(visit: Any, house: OpenHouse) -> None:
    anna = await visit(**PHONE)
    await anna.enter("Anna")
    other = await anna.page.context.new_page()
    await other.goto(anna.page.url)
    hand = await bet(anna, house)
    await asyncio.sleep(1)
    assert len(house.table().round.seals) == 1
    (stored,) = await other.evaluate(STORED)
    await anna.page.close()
    await house.wait(21)
    played = await until(lambda: house.table().round.hand)
    assert some(some(played).deal.seed).cuts == (stored["cut"],)
    assert hand


async def hold_seals_back(page: Any) -> asyncio.Event:
    """Hold back the seals that a page sends, until the event is set."""
    may_go = asyncio.Event()

    async def hold_back(route: Any) -> None:
        if '"verb":"seal"' in (route.request.post_data or ""):
            await may_go.wait()
        await route.continue_()

    await page.route("**/press", hold_back)
    return may_go


async def test_of_two_devices_the_first_seal_stands_and_its_device_alone_opens(visit: Any, house: OpenHouse) -> None:
    """Both devices draw a cut, and the second one's seal comes too late: it is discarded there, and its refusal
    does not bring it back."""
    anna = await visit(**PHONE)
    await anna.enter("Anna")
    device = await anna.page.context.browser.new_context()
    await device.add_cookies(await anna.page.context.cookies())
    other = await device.new_page()
    first_may_go, second_may_go = await hold_seals_back(anna.page), await hold_seals_back(other)
    await other.goto(anna.page.url)
    await other.locator(".at").wait_for()
    await anna.press("bet ante 10")
    for page in (anna.page, other):
        await page.wait_for_function(f"() => ({STORED})().length === 1")
    (first,), (second,) = await stored_by(anna.page), await stored_by(other)
    assert first["seal"] != second["seal"]
    first_may_go.set()
    await other.wait_for_function(f"() => ({STORED})().length === 0")
    async with other.expect_response("**/press") as answered:
        second_may_go.set()
    assert (await (await answered.value).json())["refused"]
    await other.evaluate("() => fetch('/healthz')")  # the refusal has been read by then
    assert await stored_by(other) == []
    assert [seal for _player, seal in house.table().round.seals] == [first["seal"]]
    await house.wait(21)
    played = await until(lambda: house.table().round.hand)
    assert some(some(played).deal.seed).cuts == (first["cut"],)
    await device.close()


async def test_a_closed_page_delays_the_hand_by_five_seconds_and_is_told_so_plainly(
    visit: Any, house: OpenHouse
) -> None:
    anna = await visit(**PHONE)
    await anna.enter("Anna")
    hand, address = await bet(anna, house), anna.page.url
    await anna.page.goto("about:blank")
    await house.wait(21)
    assert house.table().awaits_cuts
    await house.wait(6)
    await until(lambda: house.table().round.hand)
    await anna.page.goto(address)
    await fold(anna)
    assert "unopened" in await record_of(anna, hand)
    assert "did not open its sealed cut in time" in await mark_of(anna, hand)
    assert await anna.page.locator("#checked.wrong").count() == 0


async def test_a_cut_that_was_opened_and_is_called_unopened_is_red_until_it_is_dismissed(
    visit: Any, house: OpenHouse
) -> None:
    anna = await visit(**PHONE)
    await anna.enter("Anna")

    async def answer(route: Any) -> None:
        really = await route.fetch()
        played = await really.json()
        record = played["record"]
        record["unopened"] = record["seals"]
        record.pop("log", None)
        await route.fulfill(response=really, json=played)

    await anna.page.route("**/hand/*/played", answer)
    await bet(anna, house)
    await house.wait(21)
    await fold(anna)
    await anna.page.locator("#checked.wrong", has_text="Your sealed cut is missing").wait_for()
    await anna.page.unroute("**/hand/*/played")
    await anna.page.reload()
    await anna.page.locator("#checked.wrong", has_text="Your sealed cut is missing").wait_for()
    await anna.page.locator("#checked .dismiss").click()
    await anna.page.reload()
    await anna.page.locator("#fair").wait_for(state="attached")
    assert await anna.page.locator("#checked.wrong").count() == 0


async def test_who_cuts_in_words_before_the_bet_seals_nothing(visit: Any, house: OpenHouse) -> None:
    anna = await visit(**PHONE)
    await anna.enter("Anna")
    await anna.turn_drawer("Table")
    await anna.page.locator("#line").fill("/cut hearts")
    await anna.page.keyboard.press("Enter")
    await anna.page.locator("[data-cutter]").wait_for(state="attached")
    await anna.turn_drawer()
    await anna.press("bet ante 10")
    await until(lambda: house.table().round.bets)
    await asyncio.sleep(1)
    assert house.table().round.seals == ()
    assert json.loads(await anna.page.locator("#fair").get_attribute("data-seals")) == {}
