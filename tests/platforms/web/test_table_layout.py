"""A table fits one screen: in every phase of a hand everything needed to play is inside of it.

The fast part plays each game on the narrowest phone and in landscape; the slow part on all screens, in German and in a
language of accents.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from bot.core.state.plays import PLAYS
from bot.texts import Text, say
from bot.texts.languages import add_language, remove_language
from tests import pseudo
from tests.bot.open_house import OpenHouse, Player
from tests.browser import lay
from tests.core.conftest import BUY_IN, TABLES
from tests.patience import PATIENCE_S
from tests.tiers import sample_games

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

pytestmark = pytest.mark.browser
# The seventh is a laptop's at 200 % zoom, the last are windows of an app beside a chat.
SCREENS = (
    (320, 568),
    (390, 844),
    (844, 390),
    (768, 1024),
    (1280, 720),
    (2560, 1440),
    (640, 360),
    (1100, 700),
    (1000, 600),
)
# Bets of three people, and their cheapest choices in turn.
BETS = {
    "blackjack": (("bet", "3", "20"), ("bet", "4", "20"), ("bet", "5", "20")),
    "paiju": (("bet", "south", "5"), ("bet", "west", "5"), ("bet", "north", "10")),
    "puntobanco": (("bet", "punto", "20"), ("bet", "banco", "20"), ("bet", "punto", "10")),
    "roulette": (("bet", "17", "20"), ("bet", "17-20", "20"), ("bet", "red", "10")),
    **{game: (tuple(said.split()),) * 3 for game, said in BUY_IN.items()},
}
EASY = ("check", "call", "bring-in", "raise", "stand", "decline", "fold")
# Faults of the page's layout: nothing scrolls, nothing needed is outside or cut, every target is 44 px wide and high,
# and none is covered.
FAULTS = """() => {
  const found = [];
  const box = (node) => node.getBoundingClientRect();
  const isIn = (a, b) =>
    a.left >= b.left - 1 && a.top >= b.top - 1 && a.right <= b.right + 1 && a.bottom <= b.bottom + 1;
  // The places of a board upright scroll on a low screen.
  const isScrolledOut = (one) => one.closest(".cell") && !isIn(box(one), box(one.closest(".cells")));
  const seen = (selector) => [...document.querySelectorAll(selector)].filter((one) =>
    one.checkVisibility({ visibilityProperty: true }) && !one.closest(".part-side, .menu .bar, dialog")
    && !isScrolledOut(one));
  const name = (node) => node.dataset.key ?? node.className;
  const { scrollWidth, scrollHeight } = document.documentElement;
  if (scrollWidth > innerWidth || scrollHeight > innerHeight) found.push("the page scrolls");
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const zones = ".house, .own, .spot, .seat, .area, .choices, .aheads, .others, .answers";
  for (const node of seen(".clock, .wallet, .head h1, .card, .dock button, .areas button, .seats button, " + zones)) {
    if (!isIn(box(node), screen)) found.push(`${name(node)} lies outside of the screen`);
  }
  for (const card of seen(".house .card, .own .card, .seat .card")) {
    const zone = card.closest(".house, .own, .seat");
    if (!isIn(box(card), box(zone))) found.push(`${name(card)} lies outside of ${name(zone)}`);
  }
  for (const one of seen(".house .card, .own .card, .spot, .paid")) {
    for (const tag of seen(".seats > .seat").filter((tag) => !tag.closest(".areas ~ .seats"))) {
      const [a, b] = [box(one), box(tag)];
      const isApart = a.left >= b.right - 1 || b.left >= a.right - 1 || a.top >= b.bottom - 1 || b.top >= a.bottom - 1;
      if (!isApart) found.push(`${name(one)} lies over ${name(tag)}`);
    }
  }
  for (const beside of seen(".house :is(.pot, .dice)")) {
    for (const card of seen(".house .card")) {
      if (box(card).right > box(beside).left + 1) found.push(`${name(card)} lies over ${name(beside)}`);
    }
  }
  for (const zone of seen(zones)) {
    const isCut = zone.scrollHeight > zone.clientHeight + 2 || zone.scrollWidth > zone.clientWidth + 2;
    if (isCut && !zone.closest(".areas ~ .seats")) found.push(`${name(zone)} is cut`);
  }
  const targets = seen(".head :is(button, summary), :is(.dock, .own, .print, .areas, .seats) button");
  for (const target of targets) {
    const { left, top, right, bottom, width, height } = box(target);
    // Fourteen columns of a board have no more room on a phone across; upright a split is half as wide as a number.
    const isAcross = innerWidth > innerHeight;
    const least = !target.closest(".cell") ? 43.9 : isAcross ? 19.9 : target.closest(".on-split") ? 29.9 : 33.9;
    if (width < least || height < least) found.push(`${name(target)} is ${width} x ${height}`);
    if (target.scrollWidth > target.clientWidth + 1 || target.scrollHeight > target.clientHeight + 1) {
      found.push(`the words of ${name(target)} are cut`);
    }
    const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!target.contains(there)) found.push(`${name(target)} lies under ${there?.className}`);
    for (const other of targets) {
      const by = box(other);
      const isApart = left >= by.right - 1 || by.left >= right - 1 || top >= by.bottom - 1 || by.top >= bottom - 1;
      if (other !== target && !isApart) found.push(`${name(target)} lies over ${name(other)}`);
    }
  }
  return [...new Set(found)];
}"""
# The longest description of a hand at Paiju stands at every position.
DESCRIBE = """(longest) => document.querySelectorAll(".for-areas .house .worth").forEach((one) => {
  one.textContent = longest;
})"""
# Faults of a payment: the viewer's result is large, everyone else's is at their seat, and an area has won or lost.
UNPAID = """() => {
  const found = [];
  const nets = [...document.querySelectorAll(".own .paid .net")].filter((one) => one.checkVisibility());
  if (nets.length !== 1 || parseFloat(getComputedStyle(nets[0]).fontSize) < 32) found.push("no large result");
  for (const seat of document.querySelectorAll(".seats > .seat:not(.is-free, .is-viewer)")) {
    const net = seat.querySelector(".net");
    if (!net?.checkVisibility({ visibilityProperty: true })) found.push(`${seat.dataset.key} has no result`);
  }
  for (const area of document.querySelectorAll(".area")) {
    if (!area.matches(".win, .lose, .push")) found.push(`${area.dataset.key} is neither lit nor dimmed`);
  }
  for (const bet of document.querySelectorAll(".cell > .plaque")) {
    const isGrey = getComputedStyle(bet).backgroundColor === "rgb(143, 140, 132)";
    if (isGrey === bet.parentElement.matches(".win, .push")) found.push(`${bet.title} is neither lit nor dimmed`);
  }
  return found;
}"""
# Each key that is shown, and what it does.
MARKS = """() => [...document.querySelectorAll(".shows-keys [aria-keyshortcuts]")]
  .map((one) => [
    one.dataset.verb ?? one.dataset.chip ?? `card ${one.dataset.lift}`,
    getComputedStyle(one, "::after").content,
  ])"""
# Positions of the buttons that stay the same from hand to hand.
STANDING = """() => Object.fromEntries([...document.querySelectorAll(".dock button")]
  .filter((one) => one.checkVisibility())
  .map((one) => {
    const { left, top } = one.getBoundingClientRect();
    const [verb] = [...one.classList].filter((name) => name.startsWith("in-"));
    return [verb ?? one.dataset.key, [left, top]];
  }))"""
LONGEST = Text("{score}, listed pair", score=12)
Presenter = Callable[[str], Awaitable[None]]


async def sit_before(browser: "Browser", house: OpenHouse, me: Player, game: str, screen: tuple[int, int]) -> "Page":
    width, height = screen
    context = await browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
    jar = me.client.session.cookie_jar
    await context.add_cookies([{"name": one.key, "value": one.value, "url": house.url} for one in jar])
    page = await context.new_page()
    page.set_default_timeout(PATIENCE_S * 1000)
    await page.goto(f"{house.url}{me.base}/table/{TABLES[game]}")
    await page.locator(".at:not([data-loading])").wait_for()
    return page


async def see(page: "Page", me: Player, game: str) -> None:
    """Wait until the page shows the present table."""
    html = await me.page(f"/table/{TABLES[game]}")
    await page.wait_for_function(
        """(html) => {
          const wanted = new DOMParser().parseFromString(html, "text/html");
          const keyed = (doc) => [...doc.querySelectorAll("[data-part] [data-key]")];
          const keys = (doc) => keyed(doc).map((one) => one.dataset.key).join();
          return keys(wanted) === keys(document);
        }""",
        arg=html,
    )


async def play_a_hand(house: OpenHouse, game: str, people: list[Player], look: Presenter) -> None:
    """Play from an empty table to the payment and the next bets; call `look` after each step."""
    table = TABLES[game]
    await look("empty")
    for one, bet in zip(people, BETS.get(game, (("bet", "20"),) * 3), strict=True):
        assert not (await one.press(*bet, table=table))["refused"]
    await look("bets")
    await house.wait(21)
    await look("dealt")
    while (play := house.table(table).round.hand) is not None:
        seat = next(iter(play.asks), None)
        asked = next((one for one in people if seat and one.id == house.table(table).owners()[seat]), None)
        if asked is None or seat is None:
            await house.wait(31)
            continue
        words = [offer.word for offer in play.asks[seat]]
        word = next(word for word in (*EASY, *words) if word in words)
        await asked.press(word, *(["1"] if word == "play" else []), table=table)
        if asked is people[0]:
            await look(f"after {word}")
    await look("paid")


async def check_layout(
    browser: "Browser", house: OpenHouse, game: str, screens: tuple[tuple[int, int], ...], language: str = "en"
) -> None:
    people = [await house.enter(name) for name in ("Anna", "Bea", "Cleo")]
    assert not (await people[0].press("language", language))["refused"]
    pages = [await sit_before(browser, house, people[0], game, screen) for screen in screens]
    places: list[dict[str, Any]] = [{} for _page in pages]
    seen = set()

    async def look(phase: str) -> None:
        seen.add(phase)
        for page, screen, places_here in zip(pages, screens, places, strict=True):
            await see(page, people[0], game)
            if phase == "paid":  # on a slow machine eight seconds may have passed, and it is gone
                await page.evaluate("document.querySelector('.at').classList.add('has-slip')")
                await page.locator(".own .paid .net").wait_for()
            if game == "paiju":
                await page.evaluate(DESCRIBE, say(LONGEST, language))
            assert await page.evaluate(FAULTS) == [], f"{game} {screen} {phase}"
            if phase == "paid":
                assert await page.evaluate(UNPAID) == [], f"{game} {screen}"
            for verb, (x, y) in (await page.evaluate(STANDING)).items():
                was_x, was_y = places_here.setdefault(verb, (x, y))
                assert max(abs(x - was_x), abs(y - was_y)) <= 4, f"{game} {screen} {phase}: {verb} has moved"

    await play_a_hand(house, game, people, look)
    assert {"empty", "bets", "dealt", "paid"} <= seen
    assert all(places)
    for page in pages:
        await page.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("game", PLAYS)
async def test_a_hand_is_played_on_one_screen(browser: "Browser", house: OpenHouse, game: str) -> None:
    await check_layout(browser, house, game, (SCREENS[0], SCREENS[2]))


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", PLAYS)
async def test_a_hand_is_played_on_one_screen_whatever_its_size(
    browser: "Browser", house: OpenHouse, game: str
) -> None:
    await check_layout(browser, house, game, SCREENS)


@pytest.mark.slow
@pytest.mark.parametrize("game", sample_games("caribbean", "stud"))
@pytest.mark.parametrize("language", ["de", pseudo.NAME])
async def test_longer_words_fit_too(
    browser: "Browser", house: OpenHouse, tmp_path: Path, game: str, language: str
) -> None:
    """German has the longest words; the other language has brackets and accents on everything."""
    added = add_language(pseudo.write_language(tmp_path / "texts"))
    try:
        await check_layout(browser, house, game, (SCREENS[0], SCREENS[2]), language)
    finally:
        remove_language(added)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "de"])
async def test_a_lifted_card_and_what_is_asked_again_fit(browser: "Browser", house: OpenHouse, language: str) -> None:
    """An ante of 50 of 100 chips must be confirmed, then each card is lifted, on all screens."""
    await house.submit("house set", "start", "100", "tests")
    anna = await house.enter("Anna")
    assert not (await anna.press("language", language))["refused"]
    pages = [await sit_before(browser, house, anna, "caribbean", screen) for screen in SCREENS]
    for page in pages:
        await lay(page, "bet ante 50")
        await page.locator("[data-armed]").wait_for()
        assert await page.evaluate(FAULTS) == []
    await anna.press("bet", "10")
    await house.wait(21)
    for page in pages:
        for card in range(1, 6):
            await page.locator(f'[data-lift="{card}"]').click()
            await page.locator(f'[data-key="exchange {card}"]').wait_for()
            assert await page.evaluate(FAULTS) == []
        await page.context.close()


@pytest.mark.slow
async def test_BJ10_insurance_is_answered_on_the_felt(browser: "Browser", house: OpenHouse) -> None:
    """No is at the left and has a key; nothing else moves."""
    anna, table = await house.enter("Anna"), TABLES["blackjack"]
    while not is_insurance(house):  # before a page is open: each would seal a cut of every deck
        assert not (await anna.press("bet", "3", "20", table=table))["refused"]
        await house.wait(21)
        while house.table(table).round.hand is not None and not is_insurance(house):
            await anna.press("stand", table=table)
    pages = [await sit_before(browser, house, anna, "blackjack", screen) for screen in SCREENS]
    for page in pages:
        await see(page, anna, "blackjack")
        assert await page.evaluate(FAULTS) == []
        places = await page.locator(".print .answers button").evaluate_all(
            "(all) => all.map((one) => [one.getBoundingClientRect().left, one.textContent])"
        )
        words = [said for _left, said in sorted(places)]
        assert words[0] == "No insurance"
        assert all("Insure" in said for said in words[1:])
        assert await page.locator(".choices").count() == 0
    await (
        pages[4]
        .locator(".answers [data-args*='decline'], .answers [data-verb='decline']:not([aria-disabled])")
        .wait_for()
    )
    await pages[4].keyboard.press("n")
    await pages[4].locator(".answers").wait_for(state="detached")
    assert not is_insurance(house)
    for page in pages:
        await page.context.close()


def is_insurance(house: OpenHouse) -> bool:
    play = house.table(TABLES["blackjack"]).round.hand
    return play is not None and any(offer.word == "decline" for offers in play.asks.values() for offer in offers)


@pytest.mark.slow
async def test_keys_do_what_their_place_does(browser: "Browser", house: OpenHouse) -> None:
    """Inside a field they type letters."""
    anna = await house.enter("Anna")
    page = await sit_before(browser, house, anna, "caribbean", SCREENS[4])
    await page.locator(".spots button:visible:not([aria-disabled])").first.wait_for()
    await page.keyboard.press("m")
    await page.locator("#asked:focus").wait_for()
    assert await page.locator("#asked").evaluate("(field) => field.inputMode") == "decimal", "a phone shows numbers"
    await page.keyboard.press("Escape")
    await page.locator("#asked").wait_for(state="hidden")
    await page.keyboard.press("b")
    await page.locator(".wallet", has_text="990").wait_for()
    await house.wait(21)
    await page.locator(".choices .gives-up:not([aria-disabled])").wait_for()
    await page.keyboard.press("f")
    await page.locator(".paid").wait_for()
    assert house.table().round.hand is None
    await page.keyboard.press("/")
    assert await page.evaluate("document.activeElement.id") == "line"
    await page.keyboard.type("f123")
    assert await page.locator("#line").input_value() == "/f123"
    await page.context.close()


@pytest.mark.slow
async def test_a_board_takes_the_chip_on_numbers_and_between_those_of_the_chosen_kind(
    browser: "Browser", house: OpenHouse
) -> None:
    """Bet 25 on 17-20, on 17 and on each of the orphelins, on a phone; a corner is no target while splits are."""
    anna, table = await house.enter("Anna"), TABLES["roulette"]
    page = await sit_before(browser, house, anna, "roulette", SCREENS[1])
    await page.locator('[data-chip="2"]:is(button)').click()
    await page.locator('.kinds [value="split"]').check()
    assert not await page.locator('[data-key="bet 16-20"]').is_visible()
    await lay(page, "bet 17-20")
    await page.locator(".wallet", has_text="975").wait_for()
    await page.locator('.kinds [value=""]').check()
    await lay(page, "bet 17")
    await page.locator(".wallet", has_text="950").wait_for()
    assert await page.locator(".plaque.has-mine").all_inner_texts() == ["25", "25"]
    assert house.table(table).round.bets[0].spots == {"17": 2500, "17-20": 2500}
    await page.locator('.kinds [value="announced"]').check()
    assert await page.evaluate(FAULTS) == []
    await lay(page, "bet orphelins 25")
    await page.locator(".wallet", has_text="825").wait_for()
    assert house.table(table).round.bets[0].spots["17-20"] == 5000
    assert await page.locator(".aside", has_text="orphelins").count() == 0
    await page.context.close()


@pytest.mark.slow
async def test_the_chip_in_the_hand_says_what_a_place_takes(browser: "Browser", house: OpenHouse) -> None:
    anna = await house.enter("Anna")
    page = await sit_before(browser, house, anna, "puntobanco", SCREENS[1])
    await page.locator(".area.banco button:visible:not([aria-disabled])").wait_for()
    await page.keyboard.press("2")
    await page.locator('.rail button[aria-pressed="true"]', has_text="25").wait_for()
    await page.locator(".area.banco button:visible").click()
    await page.locator(".area.banco.has-mine").wait_for()
    assert house.table(TABLES["puntobanco"]).round.bets[0].total == 2500
    assert await page.locator(".area.banco button:visible").inner_text() == "Bet here\n+25", "it stays in the hand"
    await page.context.close()


@pytest.mark.slow
@pytest.mark.parametrize("screen", [SCREENS[0], SCREENS[2], SCREENS[4]])
async def test_who_bets_beside_one_on_areas_is_named(
    browser: "Browser", house: OpenHouse, screen: tuple[int, int]
) -> None:
    people = [await house.enter(name) for name in ("Anna", "Bea", "Cleo")]
    page = await sit_before(browser, house, people[0], "puntobanco", screen)
    for one in people:
        await one.press("bet", "banco", "20", table=TABLES["puntobanco"])
    await see(page, people[0], "puntobanco")
    shown = await page.locator(".seats .seat:visible .person b").evaluate_all(
        """(names) => names.filter((name) => {
          const { left, top, right, bottom } = name.getBoundingClientRect();
          const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          return name.closest(".seat").contains(there);
        }).map((name) => name.textContent)"""
    )
    assert shown == ["Bea", "Cleo"]
    await page.context.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "first", "arrow", "second"),
    [("puntobanco", "punto", "ArrowRight", "banco"), ("paiju", "south", "ArrowDown", "south-west")],
)
async def test_B_lays_the_chip_in_the_hand_on_the_marked_spot(
    browser: "Browser", house: OpenHouse, game: str, first: str, arrow: str, second: str
) -> None:
    """The first spot, then the one to which an arrow moved the focus, then the last one used."""
    anna = await house.enter("Anna")
    page = await sit_before(browser, house, anna, game, SCREENS[1])
    await page.locator(f".area.{first} button:visible:not([aria-disabled])").wait_for()
    for wanted in ({first: 500}, {first: 500, second: 500}, {first: 500, second: 1000}):
        await page.keyboard.press("b")
        await page.locator(".wallet", has_text=f"{(100_000 - sum(wanted.values())) // 100}").wait_for()
        assert dict(house.table(TABLES[game]).round.bets[0].spots) == wanted
        if len(wanted) == 1:
            await page.locator(f".area.{first} button:visible").focus()
            await page.keyboard.press(arrow)
            assert await page.locator(f".area.{second} button:focus").count() == 1
        await page.wait_for_timeout(600)
    await page.context.close()


async def test_a_slip_lies_on_the_spots_until_a_chip_is_taken(browser: "Browser", house: OpenHouse) -> None:
    """The spots then rest half a second; Rebet works meanwhile."""
    anna = await house.enter("Anna")
    page = await sit_before(browser, house, anna, "caribbean", SCREENS[1])
    await lay(page, "bet ante 10")
    await page.locator(".spot.has-mine", has_text="10").wait_for()
    await house.wait(21)
    await page.locator('[data-key="fold "]').wait_for()  # dealt, once the page has opened its cut
    await anna.press("fold")
    await page.locator(".paid:visible").wait_for()
    assert await page.locator(".spots:visible").count() == 0
    await page.locator('.rail [data-chip="2"]').evaluate(
        """(chip) => {
          chip.click();
          window.rests = document.querySelector('[data-key="bet ante 50"]').ariaDisabled;
        }"""
    )
    await page.locator(".spots:visible").wait_for()
    assert await page.locator(".paid:visible").count() == 0
    assert await page.evaluate("window.rests") == "true"
    await lay(page, "bet ante 50")
    await page.locator(".spot.has-mine", has_text="50").wait_for()
    await house.wait(21)
    await page.locator('[data-key="fold "]').wait_for()  # dealt, once the page has opened its cut
    await anna.press("fold")
    await page.locator(".paid:visible").wait_for()
    await page.locator('.others [data-verb="rebet"]:not([aria-disabled])').click()
    await page.locator(".spot.has-mine:visible", has_text="50").wait_for()
    await page.context.close()
