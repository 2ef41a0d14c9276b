"""Accessibility: every page and every phase of a hand by axe-core; and whole evenings by accessible names and live
texts alone.
"""

import asyncio
import os
import re
import time
from collections.abc import AsyncIterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bot.core.state.plays import PLAYS
from storage import ledger
from tests.bot.open_house import OPERATOR, TABLE, OpenHouse, Player, open_house
from tests.core.conftest import BUY_IN, TABLES
from tests.patience import PATIENCE_S
from tests.platforms.web.test_table_layout import play_a_hand, see
from tests.tiers import sample_games

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

pytestmark = pytest.mark.browser
# How many hands an evening has: fifty take some six minutes a game.
LISTENED = int(os.environ.get("LISTENED", "8"))
AXE = files("axe_playwright_python").joinpath("axe.min.js").read_text("utf-8")
# What axe finds, a rule and the first words of each element.
PRESENTER = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
  .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`))"""
DESK, PHONE = {"width": 1280, "height": 720}, {"width": 380, "height": 800}


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
    found: list[str] = await page.evaluate(PRESENTER)
    return found


async def all_pages(house: OpenHouse, me: Player) -> list[str]:
    """Return the address of one page of each kind, after a hand."""
    await me.client.post(f"/operator/{OPERATOR}", data={"player": str(me.id)})
    await me.press("bet", "10")
    await house.wait(21)
    await me.press("fold")
    base = me.base
    own = ("/", "/account", "/history", "/statement", "/leaderboard", "/statistics", "/jackpot", "/verify", "/hand/1")
    office = ("", "/players", f"/player/{me.id}", "/casino", "/audit", TABLE, "/open/blackjack", "/open/caribbean")
    return [
        "/",
        "/verify",
        "/log/1",
        *(f"{base}{path}" for path in own),
        f"{base}/hand/1/step/1",
        f"{base}/rules/stud",
        f"{base}/learn/uth",
        f"{base}/learn/roulette",
        f"{base}/deal/caribbean",
        f"{base}/deal/blackjack",
        *(f"{base}/operator{path}" for path in office),
    ]


@pytest.mark.slow
async def test_every_page_is_clean_fits_at_twice_its_size_and_keeps_its_borders(
    browser: "Browser", house: OpenHouse
) -> None:
    """A page half as wide is 200 % zoom of a small laptop. In forced colours a button shows only by its border."""
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
  .filter((one) => one.checkVisibility({ checkOpacity: true }) && parseFloat(getComputedStyle(one).borderTopWidth) < 1)
  .map((one) => one.outerHTML.slice(0, 120))"""


@pytest.mark.slow
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
    for path in ("/", TABLE):
        await page.goto(f"{house.url}{anna.base}{path}")
        assert "The buttons here need JavaScript" in await page.locator("body").inner_text(), path
    chip = page.locator(".rail button").first
    assert await chip.evaluate("(chip) => getComputedStyle(chip).opacity") == "0.5"
    await page.context.close()


# Spoken text as by a screen reader: everything that appears in a live region.
EARS = """
window.heard = [];
addEventListener("DOMContentLoaded", () => {
  for (const place of document.querySelectorAll("[aria-live], [role=status], [role=alert]")) {
    const hear = () => place.innerText.trim() && heard.push(place.innerText.trim());
    new MutationObserver(hear).observe(place, { childList: true, subtree: true, characterData: true });
  }
});
"""
NAMED = re.compile(r"- '?(\w+) \"((?:[^\"\\]|\\.)*)\"")
OUTCOME = re.compile(r"^You (?:(win|lose) ([0-9,.]+)|are even)$", re.MULTILINE)
TURN = re.compile(r"^Your turn: (.+)$")
# Buttons that the listener seeks to bet, and those chosen in turn, in this order.
BETS = {
    "caribbean": r"ante 10\b",
    "uth": r"Bet 10\b",
    "paiju": r"south 5\b",
    "blackjack": r"main 10 · Box 1",
    "stud": r"Buy in: 320",
    "holdem": r"Buy in: 100",
    "puntobanco": r"punto 5\b",
    "roulette": r"^17, Bet here",
}
MOVES = ("Check", "Call", "Bring-in", "Raise", "Stand", "No", "Decline", "Play 1", "Fold")
MOST_TABS = 120


class Listener:
    """A person at a keyboard who cannot see the page: they know the focused name and the spoken texts."""

    def __init__(self, page: "Page") -> None:
        self.page, self.heard = page, list[str]()

    async def hear(self) -> list[str]:
        """Return the new spoken texts, and check that the focus was not lost."""
        new: list[str] = await self.page.evaluate("heard.splice(0)")
        self.heard += new
        return new

    async def hear_until(self, wanted: re.Pattern[str], since: int) -> str:
        """Wait for a spoken text with these words since then; return it."""
        give_up = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up:
            await self.hear()
            assert await self.page.evaluate("document.activeElement !== document.body"), "the focus is lost"
            for text in self.heard[since:]:
                if wanted.search(text):
                    return text
            await asyncio.sleep(0.05)
        raise AssertionError(f"never heard: {wanted.pattern}; but {self.heard[since:]}")

    async def name(self) -> str:
        """Return the name of the focused button; "" past the page's end."""
        if await self.page.evaluate("document.activeElement === document.body"):
            return ""
        found = NAMED.match(await self.page.locator(":focus").aria_snapshot())
        return found[2] if found and found[1] == "button" else ""

    async def go_to(self, wanted: str) -> str:
        """Press Tab until a button's name begins so; return the name."""
        known = list[str]()
        for _ in range(MOST_TABS):
            await self.page.keyboard.press("Tab")
            known.append(await self.name())
            if known[-1] and re.match(wanted, known[-1]):
                return known[-1]
        raise AssertionError(f"no {wanted} among {known}")

    async def press(self) -> None:
        """Press Enter, again if the page says that it was too soon."""
        await asyncio.sleep(0.6)
        since = len(self.heard)
        await self.page.keyboard.press("Enter")
        await asyncio.sleep(0.1)
        if any("press again" in text.lower() for text in await self.hear()):
            await asyncio.sleep(0.6)
            await self.page.keyboard.press("Enter")
        assert await self.page.evaluate("document.activeElement !== document.body"), self.heard[since:]

    async def play_a_hand(self, game: str, *, is_first: bool) -> int:
        """Play from the bet to the spoken result; return it in minor units."""
        since = len(self.heard)
        if game not in BUY_IN or is_first:  # between players the next hand comes by itself
            await self.page.keyboard.press("1")  # the first chip in hand, before which the last slip gives way
            await self.go_to(BETS[game])
            await self.press()
        if game not in BUY_IN:
            await self.go_to("Ready")
            await self.press()
        while True:
            said = await self.hear_until(re.compile(f"{OUTCOME.pattern}|{TURN.pattern}", re.MULTILINE), since)
            since = self.heard.index(said, since) + 1
            if (turn := TURN.match(said)) is None:
                break
            offered = turn[1].split(", ")
            move = next(one for word in MOVES for one in offered if one.startswith(word))
            await self.go_to(re.escape(move))
            await self.press()
        found = OUTCOME.search(said)
        assert found is not None
        amount = round(float(found[2].replace(",", "")) * 100) if found[1] else 0
        return -amount if found[1] == "lose" else amount


async def keep_company(house: OpenHouse, table: int, rival: Player, wanted: asyncio.Event) -> None:
    """Play one hand against the listener whenever it is wanted, in games for several players."""
    while True:
        await asyncio.sleep(0.05)
        at = house.table(table)
        if at.round.hand is not None:
            wanted.clear()
        seats = [seat for seat in (at.round.hand.asks if at.round.hand else ()) if at.owners()[seat] == rival.id]
        if seats and at.round.hand is not None:
            words = [offer.word for offer in at.round.hand.asks[seats[0]]]
            move = next(word for word in ("check", "call", "bring-in", "fold") if word in words)
            await rival.press(move, table=table)
        elif at.round.hand is None and len(at.seats) > 1 and wanted.is_set():
            await house.wait(1)


@pytest.fixture
async def running(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    """Open a casino whose clock runs by itself."""
    async with open_house(tmp_path) as opened:
        yield opened


async def listen_through(browser: "Browser", house: OpenHouse, game: str, hands: int) -> None:
    anna, bea, table = await house.enter("Anna"), await house.enter("Bea"), TABLES[game]
    page = await look_as(browser, house, anna, DESK, locale="en-GB")
    await page.add_init_script(EARS)
    await page.goto(f"{house.url}{anna.base}/table/{table}")
    company, wanted = None, asyncio.Event()
    if game in BUY_IN:
        assert not (await bea.press(*BUY_IN[game].split(), table=table))["refused"]
        company = asyncio.ensure_future(keep_company(house, table, bea, wanted))
    listener = Listener(page)
    had, heard = wealth(house, anna, table), 0
    for hand in range(hands):
        wanted.set()
        heard += await listener.play_a_hand(game, is_first=hand == 0)
        assert wealth(house, anna, table) - had == heard, "what is heard is what it paid"
    if company is not None:
        company.cancel()
    await page.context.close()


def wealth(house: OpenHouse, one: Player, table: int) -> int:
    """Return the player's chips, in the wallet and at the table."""
    return one.chips + house.writer.state.balance(ledger.stack(table, one.id))


@pytest.mark.slow
@pytest.mark.parametrize("game", sample_games("caribbean", "stud"))
async def test_hands_are_played_by_keyboard_and_ear_alone(browser: "Browser", running: OpenHouse, game: str) -> None:
    await listen_through(browser, running, game, 2)


@pytest.mark.exhaustive
@pytest.mark.timeout(1800)  # the listener waits half a second before each press, as the page requires
@pytest.mark.parametrize("game", PLAYS)
async def test_an_evening_is_played_by_keyboard_and_ear_alone(
    browser: "Browser", running: OpenHouse, game: str
) -> None:
    await listen_through(browser, running, game, LISTENED)
