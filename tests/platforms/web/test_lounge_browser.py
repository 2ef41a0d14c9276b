"""The lounge in a real browser: two people, one hand; a keyboard alone; a phone."""

import asyncio
import os
import re
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bot.core.state.plays import PLAYS
from tests.bot.open_house import OPERATOR, OpenHouse
from tests.browser import lay
from tests.patience import PATIENCE_S

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.slow]
PHONE = {"width": 380, "height": 760}
DESK = {"width": 1280, "height": 860}
SHOTS = os.environ.get("RIDOTTO_SCREENSHOTS")


# Requests by a service worker bypass those that a test delays or answers itself.
NO_WORKER = 'Object.defineProperty(Navigator.prototype, "serviceWorker", { get: () => undefined });'


class Visit:
    """A person's own browser window, with the errors it reported."""

    def __init__(self, page: "Page", url: str) -> None:
        self.page, self.url, self.complaints = page, url, list[str]()
        page.set_default_timeout(PATIENCE_S * 1000)
        page.on(
            "console", lambda said: self.complaints.append(said.text) if said.type in ("error", "warning") else None
        )
        page.on("pageerror", lambda fault: self.complaints.append(str(fault)))

    async def enter(self, name: str, table: int = 1) -> None:
        await self.page.goto(f"{self.url}/")
        await self.page.get_by_label("Pick a name").fill(name)
        await self.page.get_by_role("button", name="Come in").click()
        await self.page.locator(f'a[href$="/table/{table}"]').click()
        await self.page.locator(".felt").wait_for()
        await self.page.wait_for_load_state("domcontentloaded")  # its scripts are loaded, so no press is lost

    async def press(self, key: str) -> None:
        if key.startswith("bet "):
            await lay(self.page, key)
            return
        await self.page.locator(f'[data-key="{key}"]').first.click()

    async def exchange(self, card: int) -> None:
        """Lift the card, then press its choice once it has rested."""
        await self.press(f"lift {card}")
        await self.page.locator(f'[data-key="exchange {card}"]:not([aria-disabled])').click()

    async def turn_drawer(self, tab: str = "") -> None:
        """Open or close the drawer of a phone; on a wide screen its content is beside the felt."""
        size = self.page.viewport_size
        if size is not None and size["width"] < 1000:
            await self.page.locator("[data-drawer]").click()
        if tab:
            await self.page.get_by_role("tab", name=tab).click()

    async def mine(self) -> str:
        return await self.page.locator(".mine").inner_text()

    async def own_cards(self) -> list[str]:
        """Return the names of the own cards for screen readers; the price of an exchange may follow."""
        named = await self.page.locator(".mine .hand").aria_snapshot()
        return re.findall(r"(\w+ of \w+)", named)

    async def shoot(self, name: str) -> None:
        if SHOTS:
            await self.page.screenshot(path=Path(SHOTS) / f"{name}.png", full_page=True)

    async def width(self) -> int:
        return int(await self.page.evaluate("document.documentElement.scrollWidth"))


@pytest.fixture
async def visit(browser: "Browser", house: OpenHouse) -> AsyncIterator[Any]:
    visits: list[Visit] = []

    async def begin(**size: int) -> Visit:
        context = await browser.new_context(viewport=size or DESK, locale="en-GB")  # type: ignore[arg-type]
        await context.add_init_script(NO_WORKER)
        visits.append(Visit(await context.new_page(), house.url))
        return visits[-1]

    yield begin
    for one in visits:
        await one.page.context.close()
    assert [complaint for one in visits for complaint in one.complaints] == []


async def test_two_people_play_a_hand(visit: Any, house: OpenHouse) -> None:
    anna, bea = await visit(), await visit(**PHONE)
    await anna.enter("Anna")
    await bea.enter("Bea")
    await anna.press("bet ante 50")
    await anna.press("bet jackpot")
    await bea.press("bet ante 10")
    await anna.page.locator(".seat", has_text="Bea").get_by_text("10", exact=True).wait_for()
    await anna.shoot("bets")
    await house.wait(21)

    # Each sees their own five cards, the other's backs, and one card of the dealer's.
    await anna.page.locator(".mine.my-turn").wait_for()
    await bea.page.locator(".mine.my-turn").wait_for()
    before = await anna.own_cards()
    assert len(set(before)) == 5
    assert await anna.page.locator(".seat:not(.is-viewer) .card.back").count() == 5
    assert await anna.page.locator(".house .card.back").count() == 4
    await anna.shoot("cards")
    await bea.shoot("cards-phone")
    assert await bea.width() == PHONE["width"]

    # A card that is lifted may be exchanged; the others stay.
    await anna.exchange(2)
    await anna.page.locator('[data-key="exchange 2"][data-armed]:not([aria-disabled])').click()
    await anna.page.locator('[data-key="exchange 2"]').wait_for(state="detached")
    assert "Your new card 2 comes" in await anna.mine()
    assert await anna.page.locator(".mine .card.leaves").count() == 1
    await bea.press("raise ")
    await anna.page.get_by_text(": waiting for").first.wait_for(state="detached")
    await anna.page.locator('.mine [data-key="raise "]').wait_for()
    after = await anna.own_cards()
    assert [one for i, one in enumerate(after) if i != 1] == [one for i, one in enumerate(before) if i != 1]
    assert after[1] != before[1]
    await anna.press("fold ")

    # Payment, with the reason and the clause of each.
    await anna.page.locator(".paid").wait_for()
    results = await anna.page.locator(".results").inner_text()
    assert "exchange fee" in results
    assert "ante lost by folding" in results
    assert "jackpot given up by the exchange" in results
    assert "▼ -101" in await anna.mine()
    assert re.search(r"[▲▼=] ", await bea.page.locator(".paid .net").inner_text())
    await anna.shoot("paid")
    await bea.shoot("paid-phone")
    assert await bea.width() == PHONE["width"]

    await anna.page.get_by_label("Menu").click()
    await anna.page.get_by_role("button", name="Italiano").click()
    await anna.page.get_by_text("Il tuo portafoglio:").wait_for()
    assert await anna.page.locator("html").get_attribute("lang") == "it"


async def test_a_line_is_typed_when_the_page_can_send_it(visit: Any, house: OpenHouse) -> None:
    """The browser would submit the form to a wrong address before."""
    anna = await visit()
    await anna.enter("Anna")
    may_come = asyncio.Event()

    async def hold_back(route: Any) -> None:
        await may_come.wait()
        await route.continue_()

    await anna.page.route("**/lounge.js", hold_back)
    await anna.page.reload(wait_until="commit")
    assert await anna.page.locator("#line").is_disabled()
    may_come.set()
    await anna.turn_drawer("Table")
    await anna.page.locator("#line").fill("/balance")
    await anna.page.keyboard.press("Enter")
    await anna.page.locator(".said.shows", has_text="1,000").wait_for()


async def test_what_is_being_typed_survives_a_change(visit: Any, house: OpenHouse) -> None:
    anna, bea = await visit(), await visit()
    await anna.enter("Anna")
    await bea.enter("Bea")
    await anna.turn_drawer("Table")
    await anna.page.locator("#line").fill("/bet 5")
    await bea.press("bet ante 10")
    await anna.page.locator(".seat", has_text="Bea").wait_for()
    assert await anna.page.locator("#line").input_value() == "/bet 5"
    assert await anna.page.evaluate("document.activeElement.id") == "line"


async def test_a_refusal_is_told_to_the_one_who_pressed(visit: Any, house: OpenHouse) -> None:
    anna, bea = await visit(), await visit()
    await anna.enter("Anna")
    await bea.enter("Bea")
    await anna.turn_drawer("Table")
    await anna.page.locator("#line").fill("/bet 7")
    await anna.page.keyboard.press("Enter")
    await anna.page.locator(".said.refused.shows").wait_for()
    assert await bea.page.locator(".said.shows").count() == 0


async def test_every_page_fits_a_phone(visit: Any, house: OpenHouse) -> None:
    anna = await visit(**PHONE)
    await anna.enter("Anna")
    base = await anna.page.locator("body").get_attribute("data-base")
    await anna.page.goto(f"{house.url}/operator/{OPERATOR}")
    await anna.page.get_by_role("button", name="Anna").click()
    pages = [
        "/",
        *(f"/table/{n}" for n in house.writer.state.tables),
        "/history",
        "/statement",
        "/leaderboard",
        "/verify",
        "/operator",
    ]
    for path in [*pages, *(f"/rules/{game}" for game in PLAYS)]:
        await anna.page.goto(f"{house.url}{base}{path}")
        assert await anna.width() == PHONE["width"], path


# Positions of everything that can be pressed (a card being dealt is still on its way); and a list of animations to
# stop.
PLACES = """() => [...document.querySelectorAll("main button, main a, main input")]
  .filter((node) => node.checkVisibility())
  .map((node) => {
    const [[x, y], name] = [spotOf(node), node.dataset.key ?? node.textContent];
    return [name, x + scrollX, y + scrollY, node.offsetWidth, node.offsetHeight].join(" ");
  })"""
RESTED = """() => {
  window.rested = [];
  new MutationObserver((changes) => {
    for (const { target } of changes) if (target.hasAttribute("aria-disabled")) rested.push(target.dataset.key);
  }).observe(document.body, { subtree: true, attributes: true, attributeFilter: ["aria-disabled"] });
}"""


@pytest.fixture
def held_up(house: OpenHouse) -> threading.Event:
    """Delay all computation of odds until the returned event is set."""
    may, count = threading.Event(), house.writer.count

    def count_then(function: Any, *args: Any) -> Any:
        assert may.wait(PATIENCE_S)
        return count(function, *args)

    house.writer.count = count_then
    return may


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
async def test_figures_come_to_stand_beside_the_choices_and_nothing_moves(
    visit: Any, house: OpenHouse, held_up: threading.Event, size: dict[str, int]
) -> None:
    anna = await visit(**size)
    await anna.enter("Anna")
    await anna.turn_drawer("Odds")
    switch = anna.page.get_by_role("button", name="Show odds")
    assert await switch.get_attribute("aria-pressed") == "false"
    before = await anna.page.evaluate(PLACES)
    await switch.click()
    await anna.page.locator('[data-key="odds-switch"][aria-pressed="true"]').wait_for()
    assert await anna.page.evaluate(PLACES) == before
    await anna.page.wait_for_timeout(600)
    await anna.turn_drawer()
    await anna.press("bet ante 50")
    await house.wait(21)
    await anna.page.locator(".mine.my-turn").wait_for()
    await anna.page.locator('.mine button:not([aria-disabled]) >> text="Fold"').wait_for()

    before = await anna.page.evaluate(PLACES)
    assert await anna.page.locator(".odds").count() == 0
    await anna.page.evaluate(RESTED)
    held_up.set()
    await anna.page.locator(".choices .odds").first.wait_for()
    assert await anna.page.evaluate(PLACES) == before
    assert await anna.page.evaluate("rested") == []
    assert await anna.page.locator(".odds:visible").count() == 7
    await anna.shoot(f"odds-{size['width']}")
    assert await anna.width() == size["width"]

    # Each figure is visible beside its button, and is read with it.
    (fold,) = [one for one in house.writer.coaching.worths(house.table(), 1) if one.said.verb == "fold"]
    assert fold.worth == -5000
    named = await anna.page.locator('.choices [data-key="fold "]').aria_snapshot()
    assert "Fold . Worth -50" in named.replace("Fold.", "Fold .")
    assert await anna.page.locator(".odds .unseen", has_text="the best choice").count() == 1
    for card in range(1, 6):
        assert "Worth " in await anna.page.locator(f'[data-key="lift {card}"]').aria_snapshot()

    # A figure belongs to one decision: with the next one it disappears until the new one is computed.
    held_up.clear()
    await anna.exchange(2)
    await anna.page.locator('[data-key="exchange 2"]').wait_for(state="detached")
    assert await anna.page.locator(".odds").count() == 0
    held_up.set()
    await anna.page.locator(".choices .odds").first.wait_for()
    assert await anna.page.locator(".odds").count() == 2
    await anna.turn_drawer()
    await switch.click()
    await anna.page.locator('[data-key="odds-switch"][aria-pressed="false"]').wait_for()
    assert await anna.page.locator(".odds").count() == 0


@pytest.mark.parametrize("size", [DESK, PHONE], ids=["desk", "phone"])
async def test_the_dearest_choice_of_a_hand_comes_to_its_player_alone_and_nothing_moves(
    visit: Any, house: OpenHouse, held_up: threading.Event, size: dict[str, int]
) -> None:
    anna, bea = await visit(**size), await visit()
    await anna.enter("Anna")
    await bea.enter("Bea")
    await anna.press("bet ante 50")
    await house.wait(21)
    await anna.page.locator(".mine.my-turn").wait_for()
    await anna.exchange(1)
    await anna.page.locator('[data-key="exchange 1"]').wait_for(state="detached")
    await anna.page.locator(".mine.my-turn").wait_for()
    await anna.press("fold ")
    await anna.page.locator(".paid").wait_for()
    await anna.page.locator(".mine .target:not([aria-disabled])").first.wait_for()
    await anna.page.locator("#checked a").wait_for()
    assert await anna.page.locator(".dearest").inner_text() == ""
    before = await anna.page.evaluate(PLACES)
    await anna.page.evaluate(RESTED)
    held_up.set()
    await anna.page.locator(".dearest", has_text="On average").wait_for()
    assert await anna.page.evaluate(PLACES) == before
    assert await anna.page.evaluate("rested") == []
    await anna.shoot(f"dearest-{size['width']}")
    assert "On average" not in await bea.page.locator("body").inner_text()


async def test_a_confirmation_goes_with_the_stage_that_it_was_about(visit: Any, house: OpenHouse) -> None:
    """A confirmation of a move disappears when the hand is paid, that of a bet when the cards are dealt."""
    anna, bea = await visit(), await visit()
    await anna.enter("Anna")
    await bea.enter("Bea")
    confirmed = anna.page.locator(".said.shows")
    await anna.press("bet ante 10")
    await confirmed.wait_for()
    await bea.press("bet ante 10")
    await anna.page.locator(".seat", has_text="Bea").get_by_text("10", exact=True).wait_for()
    assert await confirmed.count() == 1, "the other's bet changes nothing about it"
    await anna.page.clock.install()  # from here on no answer disappears by its own timer
    await house.wait(21)
    await anna.page.locator(".mine.my-turn").wait_for()
    await confirmed.wait_for(state="detached")
    await anna.page.clock.run_for(600)
    await anna.press("raise ")
    await anna.page.locator(".said.shows", has_text="Bea").wait_for()
    await bea.press("fold ")
    await anna.page.locator(".paid").wait_for()
    await confirmed.wait_for(state="detached")
