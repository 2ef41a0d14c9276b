"""Presses in a real browser: at most one move each, whatever changes meanwhile, and labels that are true.

A clumsy person presses everything twice, 50 to 450 ms apart. The page's clock is the test's, so that pauses are exact;
a longer run uses the real clock.
"""

import asyncio
import json
import os
import random
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from bot.core.commands.stages import STAGES
from bot.core.state.plays import PLAYS
from bot.core.state.table import Table
from bot.platforms.web.table import TableView
from tests.bot.open_house import OpenHouse, Player, open_house
from tests.core.conftest import BLACKJACK, BUY_IN, TABLES
from tests.disk import on_disk
from tests.exhibits import exhibits
from tests.patience import PATIENCE_S
from tests.tiers import sample_games

if TYPE_CHECKING:
    from playwright.async_api import Browser, Locator, Page

pytestmark = pytest.mark.browser
SHORTEST_MS, LONGEST_MS, RESTED_MS = 50, 450, 600
# How soon seals.js asks again for the proof of a close.
AGAIN_MS = 400
# Hands of all games in the longest run, the seeds of its pages, and when a player gets more chips or tops up.
HANDS, ALL_YEAR, POOR, LOW = int(os.environ.get("RIDOTTO_HANDS", "10000")), (10, 11), 1_000_000, 40_000
SIZES = ({"width": 1280, "height": 720}, {"width": 380, "height": 800})
# The rival's bets and cheapest choices.
RIVAL_BETS = {"blackjack": ("7", "10"), "paiju": ("west", "5")}
EASY = ("check", "call", "stand", "decline", "bring-in", "fold")
# Messages pushed to the page, messages that it sends, and times of presses, by the page's own clock.
WATCH = """
window.pushed = {};
window.pressed = [];
const Socket = WebSocket;
window.WebSocket = class extends Socket {
  constructor(address) {
    super(address);
    this.addEventListener("message", ({ data }) => Object.assign(pushed, JSON.parse(data).parts));
  }
  send() {} // how long an answer takes: by a clock that runs ahead it would ask more often than the house hears
};
window.posts = window.underway = 0;
const send = fetch;
window.fetch = async (...request) => {
  const body = request[1]?.body ? JSON.parse(request[1].body) : {};
  // The page seals and opens cuts, and asks for proofs, without a press.
  if (!body.key || ["seal", "open-cut"].includes(body.verb)) return send(...request);
  window.sent = body;
  posts += 1;
  underway += 1;
  try {
    const answer = await send(...request);
    await answer.clone().text();
    return answer;
  } finally {
    underway -= 1;
  }
};
addEventListener("click", (event) => pressed.push(event.timeStamp), true);
window.happened = [];
for (const kind of ["focusin", "mousedown", "click"]) {
  const nameOf = ({ dataset, tagName }) => dataset?.key ?? tagName;
  const keep = ({ target, timeStamp }) => happened.push(`${timeStamp} ${kind} ${nameOf(target)}`);
  addEventListener(kind, keep, true);
}
"""
ONE_CLOCK = 'Object.defineProperty(Event.prototype, "timeStamp", { get: () => performance.now() });'
FOCUS = """() => {
  const { tagName, dataset } = document.activeElement;
  return { tag: tagName, move: "press" in dataset ? dataset.key : "" };
}"""
PLACES = """() => {
  const row = document.querySelector(".choices")?.getBoundingClientRect();
  const buttons = [...document.querySelectorAll(".choices button")].filter((button) => button.checkVisibility());
  return buttons.map((button) => {
    const { left, top, width, height } = button.getBoundingClientRect();
    return [button.dataset.key, left + width / 2 - row.left, top + height / 2 - row.top, width / 2, height / 2];
  });
}"""


@dataclass
class Clumsy:
    """A person who presses everything twice; `check` tests after each pair that at most one thing was done."""

    house: OpenHouse
    page: "Page"
    me: Player
    rival: Player
    table_id: int
    rng: random.Random
    by_real_time: bool
    posts: int = 0
    acted: int = 0
    judged: int = 0
    places: dict[str, tuple[float, float, float, float]] = field(default_factory=dict)

    @property
    def table(self) -> Table:
        return self.house.table(self.table_id)

    async def pause(self, ms: int) -> None:
        if self.by_real_time:
            await self.page.wait_for_timeout(ms)
        else:
            await self.page.evaluate("hear()")  # heartbeats use real time, and this clock may run ahead of it
            await self.page.clock.run_for(ms)

    async def see(self) -> None:
        """Wait until the press is answered and the page shows the present table."""
        give_up_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < give_up_s:
            self.posts, underway = await self.page.evaluate("() => [posts, underway]")
            if self.table.awaits_cuts:
                underway += 1
                if not self.by_real_time:
                    await self.page.clock.run_for(AGAIN_MS)
            html = "" if underway else await self.me.page(f"/table/{self.table_id}")
            pushed = await self.page.evaluate("() => Object.values(pushed)")
            if pushed and all(part in html for part in pushed):
                return
            await asyncio.sleep(0.01)
        raise AssertionError("the page does not show the table as it is")

    def books(self) -> tuple[int, int]:
        """Return the number of moves, and that of the player's bets and stacks, from the store."""
        path = on_disk(self.house.writer.state.books).path
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as books:
            moves = "SELECT count(*) FROM moves WHERE move NOT LIKE '% timeout'"
            bets = """SELECT count(*) FROM postings
                      WHERE debit = ? AND (event LIKE 'bet %' OR why IN ('buy in', 'top up'))"""
            return books.execute(moves).fetchone()[0], books.execute(bets, (f"player:1:{self.me.id}",)).fetchone()[0]

    async def go_on(self) -> None:
        """Let the rival choose; bets are dealt sooner or later."""
        for _ in range(20):
            hand = self.table.round.hand
            seats = hand.asks if hand is not None else ()
            asked = next((seat for seat in seats if self.table.owners()[seat] == self.rival.id), None)
            if hand is None or asked is None:
                break
            words = [offer.word for offer in hand.asks[asked]]
            await self.rival.press(next(word for word in EASY if word in words), table=self.table_id)
        is_in = bool(self.table.bets_of(self.me.id)) or self.table.game in BUY_IN
        if self.table.round.hand is None and is_in and self.rng.random() < 0.6:
            await self.house.wait(21)

    async def make_room(self) -> None:
        """Let someone else bet, so that the felt grows."""
        if self.table.round.hand is None and self.table.game not in BUY_IN:
            await self.rival.press("bet", *RIVAL_BETS.get(self.table.game, ("10",)), table=self.table_id)

    async def target(self) -> "Locator | None":
        """Return the preferred button: a move before a chip, a chip before others; for cards only the lifted one."""
        cards = self.page.locator("[data-lift]")
        if (count := await cards.count()) and self.rng.random() < 0.5:
            await cards.nth(self.rng.randrange(count)).click(force=True)
            await self.pause(RESTED_MS)
        for where, chance in (
            # A choice made ahead is submitted later, without a press.
            (":is(.choices, .answers) button:not([data-ahead]):visible", 0.9),
            (".target[data-press]:visible", 0.6),
            (".at button[data-press]:visible", 1),
        ):
            count = await self.page.locator(where).count()
            if count and self.rng.random() < chance:
                return self.page.locator(where).nth(self.rng.randrange(count))
        return None

    async def press_twice(self, target: "Locator") -> None:
        ms, by_key = self.rng.randint(SHORTEST_MS, LONGEST_MS), self.rng.random() < 0.5
        answered_after = self.rng.randint(0, ms)
        await target.evaluate("node => node.scrollIntoViewIfNeeded()")  # scrolled now, because it may be drawn again
        box = await target.bounding_box()
        assert box is not None
        await target.focus()
        before, books, last = self.posts, self.books(), self.table.last_bets.get(self.me.id, ())
        was = await self.page.evaluate(FOCUS)

        async def press() -> None:
            if by_key:
                await self.page.keyboard.press("Enter")
            else:
                await self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

        await self.page.evaluate("() => (pressed.length = happened.length = 0)")
        await press()
        await self.pause(answered_after)
        if self.rng.random() < 0.3:
            await self.make_room()
        if not self.by_real_time:
            await self.see()
        await self.pause(ms - answered_after)
        await press()
        await self.pause(RESTED_MS)
        await self.see()
        await self.check(before, books, len(last), was)
        await self.say_yes()

    async def say_yes(self) -> None:
        """Confirm where the page asks again."""
        again = self.page.locator("[data-armed]")
        if await again.count():
            before = self.posts
            await again.click()
            await self.pause(RESTED_MS)
            await self.see()
            assert self.posts == before + 1
            self.acted += 1

    async def press_late(self, target: "Locator") -> None:
        """Press like someone who decided before the table changed under their finger."""
        await target.evaluate("node => node.scrollIntoViewIfNeeded()")  # scrolled now, because it may be drawn again
        meant = json.loads(
            await target.evaluate("({ dataset: { verb, args, fresh } }) => JSON.stringify([verb, args, fresh])")
        )
        box = await target.bounding_box()
        assert box is not None
        if self.table.round.hand is None and self.table.bets_of(self.me.id):
            await self.house.wait(21)
        else:
            await self.make_room()
        await self.see()
        posts = self.posts
        await self.pause(self.rng.randint(SHORTEST_MS, LONGEST_MS))
        await self.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        await self.see()
        if self.posts > posts:
            sent = await self.page.evaluate("() => sent")
            assert [sent["verb"], json.dumps(sent["args"]), sent["fresh"]] == meant
        await self.pause(RESTED_MS)
        await self.see()
        if await self.page.locator("dialog").is_visible():
            await self.page.keyboard.press("Escape")

    async def check(self, posts: int, books: tuple[int, int], rebets: int, was: dict[str, str]) -> None:
        at: list[float] = await self.page.evaluate("() => pressed")
        await self.check_focus(was)
        if self.by_real_time and max(at, default=0.0) - min(at, default=0.0) > LONGEST_MS:
            return  # the machine was too slow: that was no double click
        self.judged += 1
        self.acted += self.posts - posts
        moves, bets = (now - then for now, then in zip(self.books(), books, strict=True))
        assert self.posts - posts <= 1
        assert moves + bets <= max(1, rebets)
        assert not (moves and bets)

    async def check_focus(self, was: dict[str, str]) -> None:
        now = await self.page.evaluate(FOCUS)
        assert now["tag"] != "BODY"
        fell = "the focus fell on something that may be pressed"
        assert now["move"] in ("", was["move"]), (fell, await self.page.evaluate("happened"))
        if await self.page.locator("dialog").is_visible():
            await self.page.keyboard.press("Escape")
            assert (await self.page.evaluate(FOCUS))["move"] in ("", was["move"])
            assert (await self.page.evaluate(FOCUS))["tag"] != "BODY"

    async def check_places(self) -> None:
        """Check that each choice has a position of its own; insurance is one at any price, and so are choices that are
        never offered together.
        """
        slots = STAGES[self.table.game].moves.slots

        def slot(key: str) -> str:
            verb, _, word = key.strip().partition(" ")
            return "insure" if verb == "insure" else slots.get(f"{verb}-{word}", slots.get(verb, key))

        for key, x, y, w, h in await self.page.evaluate(PLACES):
            for other, (left, top, wide, high) in self.places.items():
                apart = abs(x - left) >= max(w, wide) or abs(y - top) >= max(h, high)
                is_same = slot(other) == slot(key)
                assert is_same or apart, f"{key} stands where {other} stood"
            self.places[key] = (x, y, w, h)


@asynccontextmanager
async def rich_house(folder: Path) -> AsyncIterator[OpenHouse]:
    async with open_house(folder) as house:
        for rule, value in (("start", "100000"), ("give_after_hours", "0"), ("give_a_day", "100000")):
            answer = await house.submit("house set", rule, value, "tests")
            assert not answer.refused, answer
        yield house


@pytest.fixture
async def house(tmp_path: Path) -> AsyncIterator[OpenHouse]:
    async with rich_house(tmp_path) as house:
        yield house


async def meet(browser: "Browser", house: OpenHouse, game: str, seed: int = 0, *, by_real_time: bool = False) -> Clumsy:
    rng = random.Random(f"{game} {seed}")
    me, rival = await house.enter("Anna"), await house.enter("Bea")
    if game in BUY_IN:
        assert not (await rival.press(*BUY_IN[game].split(), table=TABLES[game]))["refused"]
    context = await browser.new_context(viewport=rng.choice(SIZES) if seed else SIZES[0], locale="en-GB")  # type: ignore[arg-type]
    jar = me.client.session.cookie_jar
    await context.add_cookies([{"name": one.key, "value": one.value, "url": house.url} for one in jar])
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    if not by_real_time:
        await page.clock.install()
        # Before a page is open: after a minute asleep it would consider its connection lost.
        await page.clock.pause_at(time.time() + 60)
        await context.add_init_script(ONE_CLOCK)
    await context.add_init_script(WATCH)
    found = Clumsy(house, page, me, rival, TABLES[game], rng, by_real_time)
    await page.goto(f"{house.url}{me.base}/table/{TABLES[game]}")
    await found.see()
    await found.pause(RESTED_MS)
    return found


async def press_on(clumsy: Clumsy, pairs: int) -> None:
    while clumsy.judged < pairs:
        await press_once_more(clumsy)
    await clumsy.page.context.close()


async def press_once_more(clumsy: Clumsy) -> None:
    await clumsy.go_on()
    await clumsy.see()
    await clumsy.pause(RESTED_MS)
    await clumsy.check_places()
    target = await clumsy.target()
    if target is None:  # others are in turn, or no one
        await clumsy.house.wait(31)
    elif clumsy.rng.random() < 0.25:
        await clumsy.press_late(target)
    else:
        await clumsy.press_twice(target)


@pytest.mark.slow
@pytest.mark.parametrize("game", sample_games("caribbean", "stud"))
async def test_two_presses_in_a_row_are_one(browser: "Browser", house: OpenHouse, game: str) -> None:
    clumsy = await meet(browser, house, game, 1)
    await press_on(clumsy, 6)
    assert clumsy.acted >= 3


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(2, 4))
@pytest.mark.parametrize("game", PLAYS)
async def test_two_presses_in_a_row_are_one_all_day(browser: "Browser", house: OpenHouse, game: str, seed: int) -> None:
    clumsy = await meet(browser, house, game, seed)
    await press_on(clumsy, 30)
    assert clumsy.acted >= 15


@pytest.mark.slow
# Pairs that a busy machine has separated do not count.
@pytest.mark.parametrize("game", sample_games("caribbean"))
async def test_two_presses_in_a_row_are_one_by_the_real_clock(browser: "Browser", house: OpenHouse, game: str) -> None:
    clumsy = await meet(browser, house, game, 5, by_real_time=True)
    await press_on(clumsy, 12)
    assert clumsy.acted >= 4


async def click(clumsy: Clumsy, key: str) -> None:
    """Click as a hand does, even if the button is disabled."""
    await clumsy.page.locator(f'.at [data-key="{key}"]').first.click(force=True)
    await clumsy.see()


async def focus_of(clumsy: Clumsy) -> str:
    now = await clumsy.page.evaluate(FOCUS)
    return str(now["move"] or now["tag"])


async def deal(clumsy: Clumsy, *bet: str) -> None:
    await clumsy.me.press("bet", *bet, table=clumsy.table_id)
    await clumsy.house.wait(21)
    await clumsy.see()


@pytest.mark.slow
@pytest.mark.parametrize("by_key", [False, True])
async def test_a_second_chip_is_laid_at_a_humans_pace(browser: "Browser", house: OpenHouse, by_key: bool) -> None:
    anna = await meet(browser, house, "caribbean")
    chip = anna.page.locator('.mine [data-key="bet ante 10"]')
    await chip.focus()

    async def press() -> int:
        await (anna.page.keyboard.press("Enter") if by_key else chip.click(force=True))
        await anna.see()
        return anna.table.round.bets[0].total

    assert await press() == 1000
    await anna.pause(LONGEST_MS)
    assert await press() == 1000
    await anna.page.locator(".said.shows", has_text="Two presses within half a second count as one").wait_for()
    await anna.pause(RESTED_MS)
    assert await press() == 2000
    await anna.page.context.close()


@pytest.mark.slow
async def test_a_choice_that_came_just_now_waits_and_says_so(browser: "Browser", house: OpenHouse) -> None:
    anna = await meet(browser, house, "uth")
    await deal(anna, "5")
    check = anna.page.locator('.mine [data-key="check "]')
    assert await check.get_attribute("aria-disabled") == "true"
    await click(anna, "check ")
    await anna.page.locator(".said.shows", has_text="This has just changed").wait_for()
    assert anna.books()[0] == 0
    await anna.pause(RESTED_MS)
    assert await check.get_attribute("aria-disabled") is None
    await click(anna, "check ")
    assert anna.books()[0] == 1
    assert await check.get_attribute("aria-disabled") == "true", "the flop's check is not the one before"
    await anna.page.context.close()


@pytest.mark.slow
async def test_a_key_that_is_held_down_is_one_press(browser: "Browser", house: OpenHouse) -> None:
    anna = await meet(browser, house, "caribbean")
    await anna.page.locator('.mine [data-key="bet ante 10"]').focus()
    for _ in range(4):
        await anna.page.keyboard.down("Enter")
        await anna.pause(RESTED_MS)
    await anna.page.keyboard.up("Enter")
    await anna.see()
    assert anna.table.round.bets[0].total == 1000
    await anna.page.context.close()


@pytest.mark.slow
async def test_a_line_that_is_sent_twice_in_a_breath_is_sent_once(browser: "Browser", house: OpenHouse) -> None:
    anna = await meet(browser, house, "caribbean")
    await anna.page.keyboard.press("/")
    await anna.page.locator("#line").fill("/bet 10")
    await anna.page.keyboard.press("Enter")
    await anna.pause(LONGEST_MS)
    await anna.page.keyboard.press("Enter")
    await anna.see()
    assert anna.table.round.bets[0].total == 1000
    await anna.page.context.close()


@pytest.mark.slow
async def test_a_question_is_not_answered_by_the_enter_that_asked_it(browser: "Browser", house: OpenHouse) -> None:
    await house.submit("house set", "start", "1000", "tests")
    anna = await meet(browser, house, "caribbean")
    yes = anna.page.get_by_role("button", name="Yes, do it")
    await anna.page.keyboard.press("/")
    await anna.page.locator("#line").fill("/bet 600")
    await anna.page.keyboard.press("Enter")
    await yes.wait_for()
    await anna.pause(LONGEST_MS)
    await anna.page.keyboard.press("Enter")
    await yes.click(force=True)
    await anna.see()
    assert not anna.table.round.bets
    await anna.pause(RESTED_MS)
    assert (await anna.page.evaluate("document.activeElement.textContent")) == "No"
    await yes.click()
    await anna.page.locator(".wallet", has_text="400").wait_for()
    await anna.page.context.close()


@pytest.mark.slow
async def test_CS5_an_exchange_is_a_card_that_is_lifted_and_a_press_elsewhere(
    browser: "Browser", house: OpenHouse
) -> None:
    anna = await meet(browser, house, "caribbean")
    await anna.rival.press("bet", "10")
    await deal(anna, "10")
    await anna.pause(RESTED_MS)
    shown = anna.page.locator(".by-card button:visible")
    assert await shown.count() == 0
    for lifted in ("2", "3", "3"):
        await anna.page.locator(f'[data-key="lift {lifted}"]').click(force=True)
        await anna.pause(RESTED_MS)
    assert await shown.count() == 0, "it was put down"
    await anna.page.keyboard.press("2")
    assert await shown.inner_text() == "Exchange card 2 (10)"
    await anna.pause(LONGEST_MS)
    await anna.page.keyboard.press("e")
    assert anna.books()[0] == 0, "what has just come to stand there rests"
    await anna.pause(RESTED_MS)
    await anna.page.keyboard.press("e")
    await anna.see()
    assert anna.books()[0] == 1
    assert await anna.page.locator(".mine").get_by_label(", being exchanged").count() == 1
    await anna.page.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("how", ["second press", "hold", "time", "Escape"])
async def test_CS8_an_ante_that_leaves_too_little_is_asked_for_again_where_it_was_pressed(
    browser: "Browser", house: OpenHouse, how: str
) -> None:
    """The ante is 50 of 100 chips; holding its button skips the question."""
    await house.submit("house set", "start", "100", "tests")
    anna = await meet(browser, house, "caribbean")
    chip = anna.page.locator('.mine [data-key="bet ante 50"]')
    await anna.page.keyboard.press("2")
    await anna.pause(RESTED_MS)
    if how == "hold":
        await chip.hover()
        await anna.page.mouse.down()
        await anna.pause(700)
        await anna.page.mouse.up()
    else:
        await chip.click()
        await anna.page.locator('[data-key="bet ante 50"][data-armed="Again?"]').wait_for()
        await anna.page.locator("#said", has_text="could not afford").wait_for()
        assert await anna.page.locator("dialog[open]").count() == 0
        await anna.pause(LONGEST_MS)
        await chip.click(force=True)
        await anna.see()
        assert not anna.table.round.bets, "a double click is no second press"
    if how == "time":
        await anna.pause(5000)
        await anna.page.locator("[data-armed]").wait_for(state="detached")
    elif how == "Escape":
        await anna.page.keyboard.press("Escape")
        assert await anna.page.locator("[data-armed]").count() == 0
    elif how == "second press":
        await anna.pause(RESTED_MS)
        await chip.click()
    is_made = how in ("second press", "hold")
    if is_made:
        await anna.page.locator(".wallet", has_text="50").wait_for()
    assert bool(anna.table.round.bets) == is_made
    await anna.page.context.close()


@pytest.mark.slow
async def test_SH1_a_stack_is_asked_for_again_where_it_was_pressed(browser: "Browser", house: OpenHouse) -> None:
    anna = await meet(browser, house, "stud")
    await anna.pause(RESTED_MS)
    await anna.page.locator('.others [data-verb="buyin"]:not([data-ask])').click()
    asked = anna.page.locator('.others [data-armed="Again?"]')
    await asked.wait_for()
    await anna.page.locator("#said", has_text="Buy in for 320?").wait_for()
    assert anna.table.seat_of(anna.me.id) is None
    await anna.pause(RESTED_MS)
    await asked.click()
    await anna.see()
    assert anna.table.seat_of(anna.me.id) is not None
    await anna.page.context.close()


@pytest.mark.slow
@pytest.mark.parametrize(("game", "bet"), [("caribbean", ("10",)), ("uth", ("5",))])
async def test_the_focus_stays_or_lies_where_enter_does_nothing(
    browser: "Browser", house: OpenHouse, game: str, bet: tuple[str, ...]
) -> None:
    anna = await meet(browser, house, game)
    chip = f"bet ante {bet[0]}"
    for _hand in range(2):
        await anna.page.keyboard.press("1")  # the slip of the last hand makes room
        await anna.pause(RESTED_MS)
        await anna.page.locator(f'.mine [data-key="{chip}"]').focus()
        await anna.page.keyboard.press("Enter")
        await anna.see()
        assert await focus_of(anna) == chip, "other buttons came and went, this one stayed"
        await anna.pause(RESTED_MS)
        await anna.page.locator('.mine [data-key="ready "]').focus()
        await anna.page.keyboard.press("Enter")
        await anna.house.wait(21)
        await anna.see()
        assert await focus_of(anna) == "DIV"
        await anna.pause(RESTED_MS)
        posts, moves = anna.posts, anna.books()[0]
        await anna.page.keyboard.press("Enter")
        await anna.see()
        assert anna.posts == posts
        await anna.pause(RESTED_MS)
        await anna.page.locator('.mine [data-key^="play"], .mine [data-key="fold "]').first.focus()
        await anna.page.keyboard.press("Enter")
        await anna.see()
        assert anna.books()[0] == moves + 1
        assert await focus_of(anna) == "DIV"
        await anna.pause(RESTED_MS)
    await anna.page.context.close()


async def test_who_puts_the_answer_away_keeps_their_focus(browser: "Browser", house: OpenHouse) -> None:
    anna = await meet(browser, house, "caribbean")
    await anna.page.locator('.mine [data-key="bet ante 10"]').focus()
    await anna.page.keyboard.press("Enter")
    await anna.page.locator(".said.shows").click()
    assert await focus_of(anna) == "bet ante 10"
    await anna.page.context.close()


BESIDE = """() => {
  const found = [];
  for (let x = 2; x < innerWidth; x += 20) {
    for (let y = 2; y < innerHeight; y += 10) {
      const there = document.elementFromPoint(x, y);
      if (!there.closest("[tabindex], button, a, summary, input")) found.push([x, y, there.tagName]);
    }
  }
  return found;
}"""


@pytest.mark.parametrize("size", SIZES)
async def test_who_presses_beside_every_button_has_their_focus_somewhere(
    browser: "Browser", house: OpenHouse, size: dict[str, int]
) -> None:
    anna = await meet(browser, house, "stud")
    await anna.page.set_viewport_size(size)  # type: ignore[arg-type]
    assert await anna.page.evaluate(BESIDE) == []
    await anna.page.locator(".headline h1").click()
    assert await focus_of(anna) == "HEADER"
    await anna.page.context.close()


NAMES = """() => [...document.querySelectorAll("main button")].filter((button) => button.offsetParent).map((button) => {
  const name = button.getAttribute("aria-label") ?? "";
  return [button.innerText.replace(/\\s+/g, " ").trim(), name.replace(/\\s+/g, " ").trim()];
})"""


@pytest.mark.slow
@pytest.mark.parametrize("game", PLAYS)
async def test_a_button_is_called_what_it_says(browser: "Browser", house: OpenHouse, game: str) -> None:
    anna = await meet(browser, house, game)
    first = {**BUY_IN, "paiju": "bet west 5"}.get(game, "bet 10").split()
    for press in (None, first):
        if press:
            await anna.me.press(*press, table=anna.table_id)
            await anna.see()
        names = await anna.page.evaluate(NAMES)
        assert len(names) > 8 or press
        assert [(said, name) for said, name in names if name and said not in name] == []
        assert len({name for _said, name in names if name}) == sum(bool(name) for _said, name in names)
    await anna.page.context.close()


async def test_UT2_a_chip_has_the_price_with_the_blind_that_follows(browser: "Browser", house: OpenHouse) -> None:
    anna = await meet(browser, house, "uth")
    assert (await anna.page.locator('.mine [data-key="bet ante 5"]').inner_text()).strip() == "+10"
    await anna.page.context.close()


@pytest.mark.slow
async def test_BJ3_boxes_are_told_apart_in_words(browser: "Browser", house: OpenHouse) -> None:
    anna = await meet(browser, house, "blackjack")
    for box in "123":
        await anna.me.press("bet", box, "10", table=BLACKJACK)
    await anna.see()
    assert await anna.page.get_by_role("button", name="main 10 · Box 2").count() == 1
    await anna.page.locator(".rail button", has_text="admiral").first.click(force=True)
    assert await anna.page.get_by_role("button", name="main 10 · Box 2").count() == 0
    assert await anna.page.get_by_role("button", name="admiral 10 · Box 2").count() == 1
    await house.wait(21)
    await anna.see()
    piles = await anna.page.locator(".mine .pile .whose").all_inner_texts()
    assert piles == ["Box 1", "Box 2", "Box 3"]
    while anna.table.round.hand is not None:
        asked = next(iter(anna.table.round.hand.asks))
        for said in await anna.page.locator(".mine .choices button").all_inner_texts():
            assert said.endswith(f" · Box {asked[0]}")
        await anna.me.press(
            "decline" if await anna.page.get_by_text("No insurance").count() else "stand", table=BLACKJACK
        )
        await anna.see()
    assert await anna.page.locator(".paid .whose").all_inner_texts() == piles
    await anna.page.context.close()


async def test_SH1_every_free_seat_says_what_it_takes(browser: "Browser", house: OpenHouse) -> None:
    anna = await meet(browser, house, "stud")
    seat = anna.page.get_by_role("button", name="Buy in: 320 · Seat 3")
    await seat.click(force=True)
    await anna.pause(RESTED_MS)
    await seat.click(force=True)
    await anna.see()
    assert house.writer.state.balance(f"stack:{TABLES['stud']}:{anna.me.id}") == 32000
    await anna.page.locator(".said.shows", has_text="Seat 3, stack 320.").wait_for()
    await anna.page.context.close()


@pytest.mark.parametrize("game", PLAYS)
def test_every_button_has_a_place_of_its_own(game: str) -> None:
    """The style sheet has a position for every button that a table of this game may offer."""
    offered = {"choices": set[str](), "others": set[str](), "aside": set[str]()}
    for exhibit in exhibits(seed=3):
        if exhibit.game == game:
            view = TableView(exhibit.own, "", None)
            for row, buttons in (("choices", view.choices), ("others", view.others), ("aside", view.aside)):
                offered[row] |= {place for place, _button in buttons}
    assert offered["others"]
    assert offered["aside"]
    stages = STAGES[game]
    for row, laid in (("choices", stages.moves), ("others", stages.others), ("aside", stages.aside)):
        assert offered[row] <= laid.slots.keys(), (game, row)
