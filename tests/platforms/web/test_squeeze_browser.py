"""Cards revealed by dragging, in a real browser: others see them bend and never the face below."""

from typing import TYPE_CHECKING

import pytest

from tests.bot.open_house import OpenHouse, Player
from tests.core.conftest import TABLES
from tests.patience import PATIENCE_S
from tests.platforms.web.test_table_layout import FAULTS, SCREENS
from tests.some import some

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PAIJU = TABLES["paiju"]
BENT = """() => [...document.querySelectorAll('[data-bends="south"]')]
  .map((card) => Number(card.style.getPropertyValue("--bend") || 0))"""
HEARD = """window.heard = [];
const Socket = WebSocket;
window.WebSocket = class extends Socket {
  constructor(address) { super(address); this.addEventListener("message", ({ data }) => heard.push(data)); }
};"""


async def open_page(browser: "Browser", house: OpenHouse, one: Player, screen: tuple[int, int]) -> "Page":
    context = await browser.new_context(viewport={"width": screen[0], "height": screen[1]})
    jar = one.client.session.cookie_jar
    await context.add_cookies([{"name": crumb.key, "value": crumb.value, "url": house.url} for crumb in jar])
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    await page.add_init_script(HEARD)
    await page.goto(f"{house.url}{one.base}/table/{PAIJU}")
    return page


async def begin(
    browser: "Browser", house: OpenHouse, screen: tuple[int, int] = SCREENS[1]
) -> tuple["Page", "Page", Player]:
    """Let Anna reveal south's cards while Bea watches; return (Anna's page, Bea's, Bea)."""
    anna, bea = [await house.enter(name) for name in ("Anna", "Bea")]
    pages = [await open_page(browser, house, one, screen) for one in (anna, bea)]
    await anna.press("squeeze", table=PAIJU)
    await anna.press("bet", "south", "10", table=PAIJU)
    await bea.press("bet", "south", "5", table=PAIJU)
    await house.wait(21)
    await pages[0].locator("[data-squeeze]").first.wait_for()
    await pages[1].locator("[data-bends]").first.wait_for()
    await pages[0].locator('.choices [data-verb="squeeze"]:not([aria-disabled])').wait_for()
    for page in pages:
        await page.wait_for_function("() => typeof bendCards === 'function'")
    return pages[0], pages[1], bea


async def drag(page: "Page", far: float) -> None:
    """Drag the first card of south by this share of the way that reveals it."""
    # A key skips running animations, because no one can grab a moving card.
    await page.keyboard.press("Shift")
    await page.wait_for_function("() => moving.length === 0")
    box = some(await page.locator("[data-squeeze]").first.bounding_box())
    x, y = box["x"] + box["width"] * 0.8, box["y"] + box["height"] * 0.8
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x, y + 2 * box["height"] * far, steps=8)


@pytest.mark.parametrize("screen", [SCREENS[0], SCREENS[2], SCREENS[4]])
async def test_PJ12_others_see_a_card_bend_and_never_its_face(
    browser: "Browser", house: OpenHouse, screen: tuple[int, int]
) -> None:
    anna, bea, _player = await begin(browser, house, screen)
    assert await anna.evaluate(FAULTS) == []
    cards = await anna.locator("[data-squeeze]").evaluate_all("(all) => all.map((one) => one.dataset.key)")
    assert len(cards) == 2
    await drag(anna, 0.5)
    await bea.wait_for_function(
        "() => Number(document.querySelector('[data-bends]').style.getPropertyValue('--bend')) > 0.3"
    )
    assert await anna.evaluate(FAULTS) == []
    await anna.mouse.up()
    await bea.wait_for_function(f"() => ({BENT})().every((by) => by === 0)")
    assert house.table(PAIJU).round.turning, "it was let go"
    assert await bea.locator('[data-bends="south"]:not(.back)').count() == 0
    heard = "".join(await bea.evaluate("heard"))
    assert '"bends":{"at":"south"' in heard
    assert not [card for card in cards if f'data-key=\\"{card}\\"' in heard]
    for page in (anna, bea):
        await page.context.close()


async def test_PJ12_past_a_threshold_it_is_turned(browser: "Browser", house: OpenHouse) -> None:
    anna, bea, _player = await begin(browser, house)
    await drag(anna, 1.0)
    await bea.locator(".paid").wait_for()
    assert not house.table(PAIJU).round.turning
    for page in (anna, bea):
        await page.context.close()


async def test_who_does_not_turn_them_bends_nothing_and_who_says_it_too_often_is_hung_up_on(
    browser: "Browser", house: OpenHouse
) -> None:
    anna, bea, player = await begin(browser, house)
    async with player.client.ws_connect(f"{player.base}/table/{PAIJU}/live") as socket:
        for _turn in range(10):
            await socket.send_str("bend south 50")
        await socket.send_str("?")
        while "echo" not in (await socket.receive()).data:
            pass
        assert set(await anna.evaluate(BENT)) == set(await bea.evaluate(BENT)) == {0}
        for _turn in range(40):
            await socket.send_str("bend south 50")
        while not (await socket.receive()).type.name.startswith("CLOS"):
            pass
    for page in (anna, bea):
        await page.context.close()
