"""Motion and sound at a table, in a real browser: in order, never in the way, and off when switched off."""

from typing import TYPE_CHECKING, Any

import pytest

from tests.bot.open_house import TABLE, OpenHouse
from tests.patience import PATIENCE_S

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]
# Records animations and sounds, and lets them happen.
NOTES = """
window.moved = []; window.tones = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  moved.push({ kind: this.className, is_button: this.matches("button"), text: this.textContent,
    moves: frames.some((frame) => "transform" in frame), properties: [...new Set(frames.flatMap(Object.keys))],
    delay: options.delay });
  return animate.call(this, frames, options);
};
const make = AudioContext.prototype.createOscillator;
AudioContext.prototype.createOscillator = function () { tones += 1; return make.call(this); };
"""


async def sit(browser: "Browser", house: OpenHouse, **more: Any) -> "Page":
    context = await browser.new_context(locale="en-GB", **more)
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    await page.add_init_script(NOTES)
    await page.goto(f"{house.url}/")
    await page.get_by_label("Pick a name").fill("Anna")
    await page.get_by_role("button", name="Come in").click()
    await page.locator(f'a[href$="{TABLE}"]').click()
    await page.locator(".felt").wait_for()
    await page.locator("#lag", has_text=" ms").wait_for()
    return page


async def play_a_hand(page: "Page", house: OpenHouse) -> list[dict[str, Any]]:
    """Play a hand and return the motions of the deal; those of the payment are added to the page's notes."""
    await page.get_by_role("tab", name="Table").click()
    await page.locator("#line").fill("bet 20")
    await page.locator("#line").press("Enter")
    await page.locator(".wallet", has_text="980").wait_for()
    await page.evaluate("moved.length = 0")
    await house.wait(21)
    await page.locator(".mine.my-turn").wait_for()
    dealt: list[dict[str, Any]] = await page.evaluate("moved.splice(0)")
    await page.locator('.choices [data-verb="raise"]:not([aria-disabled])').click()
    await page.locator(".paid").wait_for()
    return dealt


async def test_cards_come_one_after_another_and_nothing_that_is_pressed_moves(
    browser: "Browser", house: OpenHouse
) -> None:
    page = await sit(browser, house)
    dealt = await play_a_hand(page, house)
    hers, bank = ([one for one in dealt if one["is_button"] is is_own] for is_own in (True, False))
    assert (len(hers), len(bank)) == (5, 5), "her own to press, once, and the dealer's"
    assert [one["delay"] for one in hers] == sorted({one["delay"] for one in hers})
    assert max(one["delay"] for one in hers) < min(one["delay"] for one in bank), "the dealer's come last (CS4)"
    assert not [one for one in dealt if one["is_button"] and one["moves"]]
    paid = await page.evaluate("moved")
    assert {name for one in (*dealt, *paid) for name in one["properties"]} <= {"opacity", "transform", "offset"}
    assert [one for one in paid if "net" in one["kind"]], "the outcome comes after the cards and sums"
    last = max(one["delay"] for one in paid)
    assert all(one["delay"] == last for one in paid if "net" in one["kind"] or one["kind"] == "now")
    assert await page.evaluate("tones") == 0, "sound is off until it is switched on"
    await page.keyboard.press("Shift")
    assert await page.evaluate("moving.length") == 0, "a key shows the end"
    await page.context.close()


async def test_who_wants_no_motion_sees_everything_at_its_place(browser: "Browser", house: OpenHouse) -> None:
    page = await sit(browser, house, reduced_motion="reduce")
    assert await play_a_hand(page, house) == []
    assert await page.evaluate("moved") == []
    await page.context.close()


async def test_motion_and_sound_have_switches_that_a_browser_keeps(browser: "Browser", house: OpenHouse) -> None:
    page = await sit(browser, house)
    await page.get_by_label("Menu").click()
    await page.get_by_role("button", name="Motion").click()
    await page.get_by_role("button", name="Sound and vibration").click()
    assert await page.evaluate("tones") == 2, "it is heard how it sounds"
    await page.reload()
    await page.locator("#lag", has_text=" ms").wait_for()
    assert await play_a_hand(page, house) == []
    assert await page.evaluate("tones") > 0
    await page.context.close()
