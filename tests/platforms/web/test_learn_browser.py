"""A practice hand on the table's page, by keyboard: a bubble points at the next press, and all is on one screen."""

from typing import TYPE_CHECKING

import pytest

from bot.core.commands.first_hand import FIRST_HANDS
from tests.bot.open_house import OpenHouse
from tests.patience import PATIENCE_S
from tests.platforms.web.test_table_layout import FAULTS

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]
SCREENS = ((1100, 700), (844, 390), (390, 844), (1280, 720))
# Faults of the bubble: it is on the screen, points at one thing, and covers nothing that is pressed or held in hand.
BUBBLE = """() => {
  const found = [];
  const bubble = document.querySelector(".bubble");
  const [next] = document.querySelectorAll("[data-next]");
  if (!bubble?.dataset.side || !next) return ["no bubble"];
  const [at, to] = [bubble, next].map((node) => node.getBoundingClientRect());
  if (at.left < 0 || at.top < 0 || at.right > innerWidth || at.bottom > innerHeight) found.push("it lies outside");
  const tip = getComputedStyle(bubble, "::after");
  const [x, y] = [at.left + parseFloat(tip.left), at.top + parseFloat(tip.top)];
  const [beside, above] = [Math.max(to.left - x, x - to.right), Math.max(to.top - y, y - to.bottom)];
  const isBefore = Math.min(beside, above) <= 0 && Math.max(beside, above) <= 120;
  if (!isBefore) found.push(`it does not point at ${next.textContent}`);
  for (const one of document.querySelectorAll("[data-press], .ways a, .own .card, .part-side")) {
    const { left, top, right, bottom } = one.getBoundingClientRect();
    const isApart = at.left >= right || left >= at.right || at.top >= bottom || top >= at.bottom;
    if (!isApart && one.checkVisibility()) found.push(`it covers ${one.dataset.key ?? one.className}`);
  }
  return found;
}"""
# A page learns its new size with the next frame.
RESIZED = """([width, height]) => new Promise((done) => {
  const see = () => requestAnimationFrame(innerWidth === width && innerHeight === height ? done : see);
  requestAnimationFrame(see);
})"""
# A player's keyboard action: the button's key, otherwise Enter on it.
KEY = """(next) => next.getAttribute("aria-keyshortcuts")?.toLowerCase() ?? (next.matches(".target") ? "b" : "")"""


async def find_faults(page: "Page") -> list[str]:
    found = []
    for width, height in SCREENS:
        await page.set_viewport_size({"width": width, "height": height})
        await page.evaluate(RESIZED, [width, height])
        found += [f"{width}: {one}" for one in [*await page.evaluate(FAULTS), *await page.evaluate(BUBBLE)]]
    return found


@pytest.mark.parametrize("game", FIRST_HANDS)
async def test_a_stranger_plays_a_first_hand_at_the_table_itself(
    browser: "Browser", house: OpenHouse, game: str
) -> None:
    page = await browser.new_page(viewport={"width": 1280, "height": 720}, reduced_motion="reduce")
    page.set_default_timeout(PATIENCE_S * 1000)
    wrong: list[str] = []
    page.on("pageerror", lambda fault: wrong.append(str(fault)))
    await page.goto(f"{house.url}/learn/{game}")
    faults: list[str] = []
    while True:
        next_one = page.locator("[data-next]:not([aria-disabled])")
        await next_one.wait_for()
        faults += [f"{page.url}: {fault}" for fault in await find_faults(page)]
        if await next_one.evaluate("(next) => next.matches('a')"):
            break
        before = page.url
        if key := await next_one.evaluate(KEY):
            await page.keyboard.press(key)
        else:
            await next_one.press("Enter")
        await page.wait_for_function("(before) => location.href !== before", arg=before)
    assert faults == []
    assert wrong == []
    assert await page.locator(".own .paid .net").is_visible()
    assert (await page.locator(".own .paid .net").inner_text()).startswith("▲")
    assert not house.writer.state.players
    await page.context.close()
