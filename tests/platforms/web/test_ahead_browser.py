"""Choices before the turn, in a real browser: made half a second after it comes, never if the offer has changed."""

from typing import TYPE_CHECKING

import pytest

from tests.bot.open_house import OpenHouse, Player
from tests.core.conftest import BLACKJACK, STUD
from tests.patience import until
from tests.platforms.web.test_table_layout import FAULTS, SCREENS, sit_before
from tests.some import some

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]
REST_MS = 500
# The position of the choice about to be made, which is shown for half a second only.
DUE = """() => new MutationObserver(() => {
  const due = document.querySelector(".choices .is-due")?.getBoundingClientRect();
  if (due) window.dueAt = [due.x, due.y, due.width, due.height];
}).observe(document.querySelector(".mine"), { subtree: true, attributes: true, childList: true })"""


async def wait_for_her_turn(
    browser: "Browser", house: OpenHouse, screen: tuple[int, int] = SCREENS[1]
) -> tuple["Page", Player, Player]:
    """Wait for Anna's turn at Black Jack, after Bea's box; return (Anna's page, Anna, Bea)."""
    anna, bea = [await house.enter(name) for name in ("Anna", "Bea")]
    page = await sit_before(browser, house, anna, "blackjack", screen)
    await bea.press("bet", "3", "20", table=BLACKJACK)
    await anna.press("bet", "5", "20", table=BLACKJACK)
    await house.wait(21)
    await page.locator(".aheads button").first.wait_for()
    return page, anna, bea


@pytest.mark.parametrize("screen", [SCREENS[0], SCREENS[1], SCREENS[2], SCREENS[4]])
async def test_BJ10_a_wish_stands_in_the_place_of_its_move_and_is_done_when_the_turn_comes(
    browser: "Browser", house: OpenHouse, screen: tuple[int, int]
) -> None:
    page, _anna, bea = await wait_for_her_turn(browser, house, screen)
    assert await page.evaluate(FAULTS) == []
    wish = page.locator(".aheads .in-stand")
    assert (await wish.inner_text()).startswith("Stand on ")
    where = some(await wish.bounding_box())
    await page.evaluate(DUE)
    await wish.click()
    await page.locator('.aheads [aria-pressed="true"]').wait_for()
    assert await page.evaluate(FAULTS) == []
    await bea.press("stand", table=BLACKJACK)
    await page.locator(".paid").wait_for()
    assert await page.evaluate("dueAt") == [where["x"], where["y"], where["width"], where["height"]]
    assert house.table(BLACKJACK).round.hand is None
    await page.context.close()


@pytest.mark.parametrize("how", ["press", "key", "Escape", "untick"])
async def test_what_was_wished_for_is_taken_back_until_it_is_done(
    browser: "Browser", house: OpenHouse, how: str
) -> None:
    page, _anna, bea = await wait_for_her_turn(browser, house)
    wish = page.locator(".aheads .in-stand")
    await wish.click()
    if how == "untick":
        await page.wait_for_timeout(REST_MS)
        await wish.click()
        assert await page.locator('.aheads [aria-pressed="true"]').count() == 0
    await bea.press("stand", table=BLACKJACK)
    stand = page.locator(".choices .in-stand")
    await stand.wait_for()
    if how == "press":
        await stand.click(force=True)
    elif how != "untick":
        await page.keyboard.press("s" if how == "key" else "Escape")
    await page.wait_for_timeout(3 * REST_MS)
    assert house.table(BLACKJACK).round.hand is not None, "it is hers to choose"
    assert await page.locator(".is-due").count() == 0
    await page.context.close()


async def test_SH8_a_wish_goes_with_its_price(browser: "Browser", house: OpenHouse) -> None:
    """A player who chose to call 5 does not call a raise."""
    people = [await house.enter(name) for name in ("Anna", "Bea", "Cleo")]
    pages = {one.id: await sit_before(browser, house, one, "stud", SCREENS[1]) for one in people}
    for one in people:
        assert not (await one.press("buyin", "320", table=STUD))["refused"]
    await house.wait(21)
    asked = await turn_of(house, people)
    owing = min((one for one in people if one is not asked), key=lambda one: put_in(house, one))
    page = pages[owing.id]
    wish = page.locator(".aheads .in-call")
    await wish.click()
    await page.locator('.aheads [aria-pressed="true"]').wait_for()
    said = await wish.inner_text()
    await asked.press("complete", table=STUD)
    await page.locator(".aheads, .choices").first.wait_for()
    await page.wait_for_timeout(3 * REST_MS)
    assert await page.locator('.aheads [aria-pressed="true"], .is-due').count() == 0
    assert said != await page.locator(".in-call").first.inner_text()
    assert "call" not in [move.word for move in some(house.table(STUD).round.hand).moves]
    for shown in pages.values():
        await shown.context.close()


def put_in(house: OpenHouse, player: Player) -> int:
    """Return the player's stake, by which the bring-in differs from players who owe the call."""
    table = house.table(STUD)
    return sum(sum(some(table.round.hand).wagered()[seat].values()) for seat in table.seats_played_by(player.id))


async def turn_of(house: OpenHouse, people: list[Player]) -> Player:
    """Return whose turn it is, once the pages have opened the cuts that they sealed."""
    hand = some(await until(lambda: house.table(STUD).round.hand))
    owners = house.table(STUD).owners()
    return next(one for one in people if one.id == owners[next(iter(hand.asks))])
