"""One table in three windows: the chat, and the same table in a frame of the platform's own page, in a real browser."""

import json
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bot.core.writer import Writer
from bot.platforms.common.allowance import Allowance
from bot.platforms.common.context import PlatformContext
from bot.platforms.common.frames import FrameHost
from bot.platforms.discord.frames import Activity
from bot.platforms.telegram.frames import MiniApp
from bot.platforms.web.app import make_app
from bot.platforms.web.live import Live
from bot.platforms.web.lounge import Lounge
from engine.fairness.seals import seal
from tests.bot.open_house import Server
from tests.frame_hosts import SITE, Hosts, open_hosts
from tests.patience import PATIENCE_S, until
from tests.platforms.discord.house import opened
from tests.platforms.telegram.house import CARD, House, open_house, people
from tests.servers.telegram import Chat, User
from tests.servers.telegram.mini_app import init_data

if TYPE_CHECKING:
    from playwright.async_api import Browser, Frame, Page

pytestmark = pytest.mark.browser
PHONE, WINDOW, TILE = (390, 640), (1100, 700), (300, 200)
CLOSING = "web_app_setup_closing_behavior"
FLOATING, FOCUSED, PIP, GRID = (480, 330), 0, 1, 2
LAYOUT = """(mode) => say([1, { cmd: "DISPATCH", evt: "ACTIVITY_LAYOUT_MODE_UPDATE", nonce: null,
  data: { layout_mode: mode } }])"""
TOPS = "all => all.filter((one) => one.checkVisibility()).map((one) => Math.round(one.getBoundingClientRect().top))"
SUITS = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}
# Anything outside of the screen, and anything that scrolls.
OUTSIDE = """() => [...document.querySelectorAll(".dock button, .own .card, .clock")]
  .filter((one) => one.checkVisibility())
  .filter((one) => { const at = one.getBoundingClientRect();
    return at.left < -1 || at.top < -1 || at.right > innerWidth + 1 || at.bottom > innerHeight + 1; })
  .map((one) => one.outerHTML.slice(0, 80))"""


@asynccontextmanager
async def serve(writer: Writer, hosts: list[FrameHost]) -> AsyncIterator[str]:
    """Serve the lounge of that casino, behind a password as at a public address."""
    lounge = Lounge(writer, Live(), password="a password", frames=hosts, public_url=SITE)
    lounge.presses = Allowance(10**9, 10.0**9)
    ends = writer.subscribe(lounge.mark)
    server = Server(make_app(lounge))
    await server.start_server()
    try:
        yield str(server.make_url("")).rstrip("/")
    finally:
        ends()
        await lounge.live.close()
        await server.close()
        lounge.renderer.close()


@dataclass
class Window:
    """A frame in the app's page. `stream`: everything its websocket and its requests have brought."""

    page: "Page"
    complaints: list[str] = field(default_factory=list)
    stream: list[str] = field(default_factory=list)

    @property
    def frame(self) -> "Frame":
        return self.page.frames[1]

    async def shows(self, selector: str) -> Any:
        return await self.frame.wait_for_selector(selector, timeout=PATIENCE_S * 1000)

    async def cards(self) -> list[str]:
        """Return the viewer's own cards, as `As`."""
        found: list[str] = await self.frame.eval_on_selector_all(
            ".own .card img", "all => all.map(({ src }) => src.match(/([^/]+)[.]svg$/)[1])"
        )
        return found

    async def heard(self) -> list[Any]:
        found: list[Any] = await self.page.evaluate("window.heard")
        return found


async def show(browser: "Browser", address: str, size: tuple[int, int] = PHONE) -> Window:
    context = await browser.new_context(viewport={"width": size[0], "height": size[1]}, ignore_https_errors=True)
    window = Window(await context.new_page())
    window.page.on("console", lambda said: window.complaints.append(said.text) if said.type == "error" else None)
    window.page.on("pageerror", lambda fault: window.complaints.append(str(fault)))
    window.page.on(
        "websocket", lambda line: line.on("framereceived", lambda message: window.stream.append(str(message)))
    )
    await window.page.goto(address)
    return window


@dataclass
class Salotto:
    house: House
    hosts: Hosts
    browser: "Browser"
    group: Chat
    anna: User
    bea: User
    cara: User

    @property
    def table(self) -> Any:
        return self.house.table_at(self.group)

    async def window(self, user: User, size: tuple[int, int] = PHONE) -> Window:
        """Open the table by the user's button Open table."""
        now = self.house.clock.now()
        data = init_data(self.house.server.token, user.id, user.first_name, at_s=now, start=f"t{self.table.id}")
        return await show(self.browser, self.hosts.telegram(data), size)

    async def deals(self) -> None:
        await self.bea.says(self.group, "/bet 10")
        await self.house.wait(60)
        assert self.table.round.hand is not None


@pytest.fixture
async def salotto(tmp_path: Path) -> AsyncIterator[Salotto]:
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(open_house(tmp_path, main_web_app=True, of={"public_url": SITE}))
        app = MiniApp(
            house.server.token, PlatformContext(house.writer, "telegram"), house.clock.now, lambda: house.app.context
        )
        address = await stack.enter_async_context(serve(house.writer, [app.host]))
        hosts, browser = await stack.enter_async_context(open_hosts(tmp_path, address))
        anna, bea, cara = people(house, "Anna", "Bea", "Cara")
        group = house.server.supergroup("Salotto", members=[bea, cara], admins=[anna])
        await anna.says(group, "/table open caribbean")
        await house.wait(5)
        yield Salotto(house, hosts, browser, group, anna, bea, cara)


@pytest.mark.slow
async def test_a_bet_of_the_group_lies_in_the_frame_and_a_raise_of_the_frame_in_the_group(salotto: Salotto) -> None:
    house, bea = salotto.house, salotto.bea
    await bea.presses(house.post_at(salotto.group), "ante 10")
    await house.wait(3)
    began = time.monotonic()
    window = await salotto.window(bea)
    await window.shows(".own .chip-on")
    print(f"\nfrom the tap to the table: {time.monotonic() - began:.2f} s")
    assert "990" in await window.frame.inner_text(".wallet")
    await house.wait(60)
    await window.shows('.choices [data-verb="raise"]')
    alert = await bea.presses(house.post_at(salotto.group), "My cards")
    assert alert is not None
    shown = [f"{card[:-1].replace('T', '10')}{SUITS[card[-1]]}" for card in await window.cards()]
    assert sorted(shown) == sorted(CARD.findall(alert.text)[:5])
    await window.frame.wait_for_selector('[data-verb="raise"]:not([aria-disabled])')
    await window.frame.click('[data-verb="raise"]')
    await until(lambda: salotto.table.round.hand is None)
    await house.wait(5)
    assert "Bea" in house.post_at(salotto.group).text
    assert "raise" in [move.word for move in salotto.table.last.moves]
    await window.frame.wait_for_selector(".choices", state="detached")
    said = [json.loads(one) for one in await window.heard()]
    assert [one["eventType"] for one in said[:2]] == ["web_app_ready", "web_app_expand"]
    asks = [one["eventData"]["need_confirmation"] for one in said if one["eventType"] == CLOSING]
    assert asks[0], "closing asks once more while it is hers to decide"
    assert not asks[-1], "and only then"
    assert window.complaints == []


@pytest.mark.slow
async def test_a_hand_is_played_in_an_activity_and_seen_in_the_channel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page's address is that of Discord's proxy; it greets its app, which asks for a code."""
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(opened(tmp_path / "data", monkeypatch, unset=None))
        house.server.enable_activities()
        await house.restart()
        channel = house.server.guild("Venezia").text_channel("tables")
        bea = channel.guild.member("Bea")
        message = await house.table_in(channel)
        activity = Activity(house.client, house.server.client_secret)
        stack.push_async_callback(activity.close)
        address = await stack.enter_async_context(serve(house.writer, [activity.host]))
        hosts, browser = await stack.enter_async_context(
            open_hosts(tmp_path, address, application=house.server.application_id)
        )
        launched = await bea.presses(message, "Open table")
        hosts.codes.append(bea.authorizes())
        window = await show(browser, hosts.discord(launched.instance), WINDOW)
        await window.shows(".at")
        answer = await bea.slash(channel, "bet", amount="50")
        assert "950" in answer.text
        await window.shows('.wallet:has-text("950")')
        await house.pass_time(house.left(channel))
        await window.shows('.choices [data-verb="raise"]:not([aria-disabled])')
        await is_a_tile_when_discord_says_so(window)
        await window.frame.click('[data-verb="raise"]')
        await house.until(lambda: house.table(channel).round.hand is None)
        assert [move.word for move in house.table(channel).last.moves] == ["raise"]
        says_what_discords_own_library_would(await window.heard(), str(house.server.application_id))
        assert not [path for path in hosts.asked if "code" in path]
        assert await window.page.context.cookies() == []
        assert window.complaints == []


async def seals_and_opens(window: Window, table: Callable[[], Any], close: Callable[[], Awaitable[Any]]) -> None:
    """Bet in the frame, close bets, and check that its page has sealed a cut and opened it: it is in the deck."""
    await window.shows('.mine [data-key="bet ante 10"]:not([aria-disabled])')
    await window.frame.click('.mine [data-key="bet ante 10"]')
    await until(lambda: table().round.bets)
    await until(lambda: table().round.seals)
    ((_player, sealed),) = table().round.seals
    await close()
    dealt = await until(lambda: table().round.hand)
    (cut,) = dealt.deal.seed.cuts
    assert seal(cut) == sealed


@pytest.mark.slow
async def test_fairness_4a_the_mini_app_seals_a_cut_and_opens_it(salotto: Salotto) -> None:
    house = salotto.house
    window = await salotto.window(salotto.bea)
    await seals_and_opens(
        window, lambda: salotto.table, lambda: house.wait(salotto.table.round.deadline - house.clock.now())
    )
    assert window.complaints == []


@pytest.mark.slow
async def test_fairness_4a_the_activity_seals_a_cut_and_opens_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with AsyncExitStack() as stack:
        house = await stack.enter_async_context(opened(tmp_path / "data", monkeypatch, unset=None))
        house.server.enable_activities()
        await house.restart()
        channel = house.server.guild("Venezia").text_channel("tables")
        bea, message = channel.guild.member("Bea"), await house.table_in(channel)
        activity = Activity(house.client, house.server.client_secret)
        stack.push_async_callback(activity.close)
        address = await stack.enter_async_context(serve(house.writer, [activity.host]))
        hosts, browser = await stack.enter_async_context(
            open_hosts(tmp_path, address, application=house.server.application_id)
        )
        launched = await bea.presses(message, "Open table")
        hosts.codes.append(bea.authorizes())
        window = await show(browser, hosts.discord(launched.instance), WINDOW)
        await window.shows(".at")
        await seals_and_opens(window, lambda: house.table(channel), lambda: house.pass_time(house.left(channel)))
        assert window.complaints == []


def says_what_discords_own_library_would(heard: list[Any], client: str) -> None:
    """Check that it posts word for word what @discord/embedded-app-sdk 2.5.0 posts for `ready`, `authorize`,
    `subscribe`, `setOrientationLockState` and `setConfig`, except its own version and the names of its requests.
    """
    locks = {"lock_state": 1, "picture_in_picture_lock_state": 3, "grid_lock_state": 3}
    code = {"client_id": client, "response_type": "code", "state": "", "prompt": "none", "scope": ["identify"]}
    begins = [
        [0, {"v": 1, "encoding": "json", "client_id": client, "frame_id": "0e2c"}],
        [1, {"cmd": "AUTHORIZE", "args": code}],
        [1, {"cmd": "SUBSCRIBE", "evt": "ACTIVITY_LAYOUT_MODE_UPDATE"}],
        [1, {"cmd": "SUBSCRIBE", "evt": "ORIENTATION_UPDATE"}],
        [1, {"cmd": "SET_ORIENTATION_LOCK_STATE", "args": locks}],
    ]
    turns = [[1, {"cmd": "SET_CONFIG", "args": {"use_interactive_pip": mine}}] for mine in (True, False)]
    names = [said["nonce"] for kind, said in heard if kind == 1]
    assert len(set(names)) == len(names)
    said = [[kind, {key: value for key, value in what.items() if key != "nonce"}] for kind, what in heard]
    assert [one for one in said if one not in turns] == begins
    assert turns[0] in said


async def is_a_tile_when_discord_says_so(window: Window) -> None:
    """Check the tile: picture in picture and the grid may be larger than a tile; they show own cards and one row of
    buttons.
    """
    for mode in (PIP, GRID):
        await window.page.set_viewport_size({"width": FLOATING[0], "height": FLOATING[1]})
        await window.page.evaluate(LAYOUT, mode)
        await window.shows("html.as-tile")
        assert await window.frame.evaluate(OUTSIDE) == []
        assert await window.frame.locator(".own .card:visible").count() == 5
        assert len(set(await window.frame.eval_on_selector_all(".choices button", TOPS))) == 1
        await window.page.set_viewport_size({"width": WINDOW[0], "height": WINDOW[1]})
        await window.page.evaluate(LAYOUT, FOCUSED)
        await window.shows("html:not(.as-tile)")


@pytest.mark.slow
async def test_what_telegram_told_stands_nowhere_and_the_token_in_no_address(salotto: Salotto) -> None:
    window = await salotto.window(salotto.bea)
    await window.shows(".at")
    assert await window.frame.evaluate("location.href") == f"{SITE}/frame/telegram"
    assert await window.frame.evaluate("document.cookie") == ""
    assert not [asked for asked in salotto.hosts.asked if re.search(r"hash|tgWebApp|[A-Za-z0-9_-]{43}", asked)]
    assert await window.page.context.cookies() == []
    assert window.complaints == []


@pytest.mark.slow
async def test_a_host_that_lies_is_shown_one_sentence(salotto: Salotto) -> None:
    zoe = salotto.house.server.user("Zoe")
    window = await salotto.window(zoe)
    await window.shows('#opening:has-text("own community")')
    now = salotto.house.clock.now()
    forged = init_data("1:another", salotto.bea.id, at_s=now, start=f"t{salotto.table.id}")
    liar = await show(salotto.browser, salotto.hosts.telegram(forged))
    await liar.shows('#opening:has-text("open the table again")')


@pytest.mark.slow
async def test_a_token_that_is_lost_is_had_again_without_a_word(salotto: Salotto) -> None:
    """Another node owns the store by now, and knows no earlier session."""
    window = await salotto.window(salotto.bea)
    await window.shows(".at")
    again = await salotto.window(salotto.bea)
    await again.shows(".at")
    await until(lambda: len(salotto.hosts.asked) > 0)
    await window.frame.wait_for_selector('[data-chip="1"]')
    await salotto.deals()
    await window.shows('.choices [data-verb="raise"]')


async def test_who_administers_the_group_runs_it_from_the_menu_of_the_table(salotto: Salotto) -> None:
    """Forms and filters in sheets over the table: a table paused, a player banned, both found and undone."""
    window = await salotto.window(salotto.anna)
    frame, told = window.frame, set[tuple[str, Any]]()

    def listen(line: Any) -> None:
        line.on("framesent", lambda data: told.add((line.url.rpartition("/operator/")[2], data)))

    window.page.on("websocket", listen)

    async def follow(link: str, heading: str) -> None:
        await frame.locator(".sheet").last.get_by_role("link", name=link).first.click()
        await frame.locator(".sheet").last.get_by_role("heading", name=heading).wait_for()

    await window.shows(".at")
    await frame.locator(".menu summary").click()
    await frame.get_by_role("link", name="Operator").click()
    await frame.locator(".sheet").get_by_role("heading", name="Operator").wait_for()
    players = frame.locator(".sheet tr", has_text="Caribbean Stud").locator("td:nth-child(4)")
    assert await players.inner_text() == "0"
    await salotto.bea.says(salotto.group, "/bet 10")
    await players.get_by_text("1", exact=True).wait_for()  # by itself, while it is looked at
    assert ("live", "away") in told, "whether they look is told by the table's own line"
    await follow(str(salotto.table.number), "Caribbean Stud")
    sheet = frame.locator(".sheet").last
    await salotto.bea.says(salotto.group, "/takeback")
    await sheet.locator('[data-part="stands"] td', has_text=re.compile("^0$")).wait_for()
    await sheet.locator("#reason").fill("a check")
    paused = sheet.locator("details", has=frame.locator("[data-verb='table pause']"))
    await paused.locator("summary").click()
    await paused.get_by_role("button").click()
    await sheet.locator(".said.shows").wait_for()
    await until(lambda: salotto.table.status == "paused")
    await sheet.locator('[data-part="stands"]', has_text="paused").wait_for()
    await follow("Everything done here", "Audit")
    await frame.locator(".sheet").last.locator("li", has_text="table pause").get_by_role("button", name="Undo").click()
    await until(lambda: salotto.table.status == "open")
    await frame.locator(".sheet").last.locator("em", has_text="undone").wait_for()
    await frame.locator(".sheet").last.get_by_label("Words").fill("nobody said this")
    await frame.locator(".sheet").last.get_by_role("button", name="Show").click()
    await frame.locator(".sheet").last.get_by_text("No entries match").wait_for()
    while await frame.locator(".sheet").count():
        await frame.locator(".sheet .back").last.click()
    assert await frame.locator(".at > .said").count() == 1, "answers are at the table again"
    assert window.complaints == []


async def test_nobody_else_finds_a_way_to_the_console(salotto: Salotto) -> None:
    window = await salotto.window(salotto.bea)
    await window.shows(".at")
    await window.frame.locator(".menu summary").click()
    await window.frame.get_by_role("link", name="History").wait_for()
    assert await window.frame.get_by_role("link", name="Operator").count() == 0
