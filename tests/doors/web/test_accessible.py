"""Who sees little, hears instead, or has a keyboard alone: every page and every phase of a hand by axe-core, which
looks for what keeps people out; and whole evenings by accessible names and live texts, and by nothing else.
"""

from collections.abc import AsyncIterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bot.house.play import PLAYS
from tests.bot.house.conftest import TABLES
from tests.bot.open_house import OPERATOR, OpenHouse, Player, open_house
from tests.doors.web.test_table_layout import play_a_hand, see
from tests.patience import PATIENCE_S

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

pytestmark = pytest.mark.browser
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
# What axe finds, a rule and the first words of each element.
LOOK = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
  .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))"""
DESK, PHONE = {"width": 1280, "height": 720}, {"width": 380, "height": 800}


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    async with open_house(tmp_path) as house:
        yield house


async def look_as(browser: "Browser", house: OpenHouse, me: Player, size: dict[str, int], **more: Any) -> "Page":
    context = await browser.new_context(viewport=size, reduced_motion="reduce", **more)  # type: ignore[arg-type]
    jar = me.client.session.cookie_jar
    await context.add_cookies([{"name": one.key, "value": one.value, "url": house.url} for one in jar])
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    return page


async def faults_of(page: "Page") -> list[str]:
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE)
    found: list[str] = await page.evaluate(LOOK)
    return found


async def all_pages(house: OpenHouse, me: Player) -> list[str]:
    """The address of one page of each kind, after a hand."""
    await me.client.post(f"/operator/{OPERATOR}", data={"player": str(me.id)})
    await me.press("bet", "10")
    await house.wait(21)
    await me.press("fold")
    base = me.base
    own = ("/", "/account", "/history", "/statement", "/leaderboard", "/statistics", "/jackpot", "/verify", "/hand/1")
    office = ("", "/players", f"/player/{me.id}", "/casino", "/audit", "/table/1", "/open/blackjack", "/open/caribbean")
    return [
        "/",
        "/verify",
        "/log/1",
        *(f"{base}{path}" for path in own),
        f"{base}/hand/1/step/1",
        f"{base}/rules/stud",
        f"{base}/learn/uth",
        *(f"{base}/operator{path}" for path in office),
    ]


async def test_every_page_is_clean_fits_at_twice_its_size_and_keeps_its_borders(
    browser: "Browser", house: OpenHouse
) -> None:
    """200 % zoom of a small laptop is a page half as wide. In forced colours a button is told by its border alone."""
    anna = await house.enter("Anna")
    addresses = await all_pages(house, anna)
    page = await look_as(browser, house, anna, {"width": 640, "height": 400})
    forced = await look_as(browser, house, anna, DESK, forced_colors="active")
    found = dict[str, list[str]]()
    for path in addresses:
        await page.goto(f"{house.url}{path}")
        await forced.goto(f"{house.url}{path}")
        found[path] = [*await faults_of(page), *await forced.evaluate(BORDERLESS)]
        if await page.evaluate("document.documentElement.scrollWidth") > 640:
            found[path].append("scrolls sideways")
    assert {path: faults for path, faults in found.items() if faults} == {}
    await page.context.close()
    await forced.context.close()


BORDERLESS = """() => [...document.querySelectorAll("main :is(button, input, select, textarea):not(.plain)")]
  .filter((one) => one.checkVisibility() && parseFloat(getComputedStyle(one).borderTopWidth) < 1)
  .map((one) => one.outerHTML.slice(0, 120))"""


@pytest.mark.parametrize("game", PLAYS)
async def test_every_phase_of_a_hand_is_clean(browser: "Browser", house: OpenHouse, game: str) -> None:
    people = [await house.enter(name) for name in ("Anna", "Bea", "Cleo")]
    pages = [await look_as(browser, house, people[0], size) for size in (DESK, PHONE)]
    for page in pages:
        await page.goto(f"{house.url}{people[0].base}/table/{TABLES[game]}")
    seen = list[str]()

    async def look(phase: str) -> None:
        seen.append(phase)
        for page in pages:
            await see(page, people[0], game)
            assert await faults_of(page) == [], phase

    await play_a_hand(house, game, people, look)
    assert {"empty", "bets", "dealt", "paid"} <= {*seen}
    for page in pages:
        await page.context.close()


async def test_without_scripts_a_page_on_which_one_presses_says_so(browser: "Browser", house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    page = await look_as(browser, house, anna, PHONE, java_script_enabled=False)
    for path in ("/", "/table/1"):
        await page.goto(f"{house.url}{anna.base}{path}")
        assert "Without JavaScript nothing can be pressed here" in await page.locator("body").inner_text(), path
    await page.context.close()
