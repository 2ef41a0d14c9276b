"""The lounge as an installable web app: its name, and what works without a network and what never does."""

import asyncio
import io
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from PIL import Image

from bot.platforms.web import installed
from bot.platforms.web.push import Push
from bot.texts import LANGUAGES
from tests.bot.open_house import TABLE, OpenHouse, open_house
from tests.patience import PATIENCE_S, STEP_S, until

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page

STATIC = Path(installed.__file__).parent / "static"


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    async with open_house(tmp_path, push=lambda lounge: Push(lounge, "https://casino.example.org")) as house:
        yield house


@pytest.mark.parametrize("language", LANGUAGES)
async def test_the_manifest_says_what_is_installed_in_the_readers_language(house: OpenHouse, language: str) -> None:
    browser = await house.browser()
    answer = await browser.get(f"{installed.MANIFEST}?lang={language}")
    assert answer.content_type == "application/manifest+json"
    told = await answer.json(content_type=None)
    assert (told["name"], told["lang"], told["start_url"], told["display"]) == ("Ridotto", language, "/", "standalone")
    assert told["theme_color"] in (STATIC / "ridotto.css").read_text()
    assert told["background_color"] in (STATIC / "ridotto.css").read_text()
    for icon in told["icons"]:
        picture = await browser.get(icon["src"])
        assert (picture.status, picture.content_type) == (200, icon["type"])
        if icon["type"] == "image/png":
            assert "{}x{}".format(*Image.open(io.BytesIO(await picture.read())).size) == icon["sizes"]


async def test_who_is_locked_out_reads_nothing_there_but_what_is_everybodys(tmp_path: Path) -> None:
    async with open_house(tmp_path, password="sesame-sesame") as house:
        browser = await house.browser()
        for path in (installed.MANIFEST, installed.WORKER, f"{installed.OFFLINE}?lang=it"):
            answer = await browser.get(path, allow_redirects=False)
            assert answer.status == 200, path
        assert "casinò" in await answer.text()


async def test_the_worker_is_another_one_when_what_it_keeps_is(house: OpenHouse, monkeypatch: Any) -> None:
    browser = await house.browser()

    async def version(language: str) -> str:
        text = await (await browser.get(f"{installed.WORKER}?lang={language}")).text()
        found = re.match(r'const VERSION = "([0-9a-f]{16})", PAGE = "/offline\?lang=([a-z]+)";', text)
        assert found is not None
        assert found[2] == language
        return found[1]

    english = await version("en")
    assert english == await version("en") != await version("de")
    monkeypatch.setattr(installed, "_KEPT", (*installed._KEPT, "line.js"))
    assert await version("en") != english


def test_the_worker_keeps_what_its_version_is_made_of() -> None:
    named = re.findall(r'"/static/([a-z.]+)"', (STATIC / "worker.js").read_text().split("];")[0])
    assert tuple(named) == installed._KEPT


@pytest.fixture
async def context(browser: "Browser") -> "AsyncIterator[BrowserContext]":
    made = await browser.new_context(locale="en-GB", permissions=["notifications"])
    made.set_default_timeout(PATIENCE_S * 1000)
    yield made
    await made.close()


async def enter(context: "BrowserContext", house: OpenHouse) -> "Page":
    page = await context.new_page()
    await page.goto(house.url)
    await page.get_by_label("Pick a name").fill("Anna")
    await page.get_by_role("button", name="Come in").click()
    await page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    await page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    return page


KEPT = """async () => {
  const kept = await Promise.all((await caches.keys()).map(async (name) => (await caches.open(name)).keys()));
  return kept.flat().map((one) => one.url);
}"""


@pytest.mark.browser
async def test_a_browser_may_install_it(context: "BrowserContext", house: OpenHouse) -> None:
    page = await enter(context, house)
    chromium = await context.new_cdp_session(page)
    manifest = await chromium.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert json.loads(manifest["data"])["name"] == "Ridotto"
    # In a private window, which installs nothing, only that is reported.
    faults = (await chromium.send("Page.getInstallabilityErrors"))["installabilityErrors"]
    assert {one["errorId"] for one in faults} <= {"in-incognito"}


@pytest.mark.browser
async def test_a_lost_network_has_its_page_and_what_comes_back_goes_on_where_it_was(
    context: "BrowserContext", house: OpenHouse
) -> None:
    page = await enter(context, house)
    await page.locator(f'a[href$="{TABLE}"]').click()
    await page.locator('.mine [data-key="bet ante 10"]').wait_for()
    await page.close()
    await context.set_offline(True)
    page = await context.new_page()
    address = f"{house.url}/p/anna-1{TABLE}"
    await page.goto(address)
    await page.get_by_text("The casino cannot be reached").wait_for()
    assert await page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(241, 235, 219)"
    await context.set_offline(False)
    await page.locator('.mine [data-key="bet ante 10"]').wait_for()
    assert page.url == address


@pytest.mark.browser
async def test_nothing_of_a_player_is_ever_kept(context: "BrowserContext", house: OpenHouse) -> None:
    page = await enter(context, house)
    for path in (TABLE, "/history", "/account", "/"):
        await page.goto(f"{house.url}/p/anna-1{path}")
    kept = await page.evaluate(KEPT)
    assert {one.removeprefix(house.url) for one in kept} == {
        "/offline?lang=en", *(f"/static/{name}" for name in installed._KEPT),
    }  # fmt: skip
    html = await page.evaluate("async () => (await (await caches.match('/offline?lang=en')).text())")
    assert "Anna" not in html
    assert "/p/" not in html


NOTIFICATION = """async () => {
  const registration = await navigator.serviceWorker.ready;
  const [one] = await registration.getNotifications();
  return one ? { title: one.title, body: one.body, tag: one.tag, url: one.data } : null;
}"""


@pytest.mark.browser
async def test_a_turn_is_shown_by_the_browser_and_leads_to_its_table(
    context: "BrowserContext", house: OpenHouse
) -> None:
    page = await enter(context, house)
    chromium = await context.new_cdp_session(page)
    came: list[dict[str, Any]] = []
    chromium.on("ServiceWorker.workerRegistrationUpdated", lambda said: came.extend(said["registrations"]))
    await chromium.send("ServiceWorker.enable")
    await page.evaluate("navigator.serviceWorker.ready.then(() => 0)")
    await until(lambda: came)
    told = {"title": "It's your turn.", "body": "Caribbean Stud", "tag": "a table", "url": f"/p/anna-1{TABLE}"}
    message = {"origin": house.url, "registrationId": came[0]["registrationId"], "data": json.dumps(told)}
    # Chromium drops a message without a word while it has not stored the worker yet, which a busy disk delays.
    async with asyncio.timeout(PATIENCE_S):
        while not (shown := await page.evaluate(NOTIFICATION)):
            await chromium.send("ServiceWorker.deliverPushMessage", message)
            await asyncio.sleep(STEP_S)
    assert shown == told


@pytest.mark.browser
async def test_it_is_asked_for_by_a_press_and_where_the_browser_can(
    context: "BrowserContext", house: OpenHouse
) -> None:
    """The browser has no push service here; test_push.py tests the rest."""
    page = await enter(context, house)
    wish = page.get_by_role("button", name="Tell me when it is my turn")
    await wish.wait_for()
    assert await wish.get_attribute("aria-pressed") == "false"
    await wish.click()
    await page.locator("[data-push] [role=status]:not(:empty)").wait_for()
