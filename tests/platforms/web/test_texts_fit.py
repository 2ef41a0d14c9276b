"""Texts of a table: none is cut off, covered, or broken inside a word, on any screen, in any phase of any game."""

import json
from functools import cache
from typing import TYPE_CHECKING, Any

import pytest

from bot.core.state.plays import PLAYS
from bot.platforms.web.verify import mark_words
from bot.texts import Text, say
from tests.bot.open_house import OpenHouse
from tests.exhibits import exhibits
from tests.lounge_gallery import draw_page, table_style

if TYPE_CHECKING:
    from playwright.async_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.outside]
# Two phones upright, one in landscape, a window on a laptop, and a small laptop.
SCREENS = ((320, 568), (390, 844), (844, 390), (1100, 700), (1280, 720))
LANGUAGES = ("en", "de", "it")
# The longest description of a hand at Paiju stands at every position.
LONGEST = Text("{score}, listed pair", score=12)
STILL = """*, *::before, *::after {
  animation: none !important;
  transition: none !important;
  pointer-events: auto !important;
}"""
# Including what the page's scripts add: the browser's findings, and the number of spectators.
SHOW = """([html, mark, longest]) => {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  document.documentElement.lang = fresh.documentElement.lang;
  document.body.replaceWith(fresh.body);
  document.querySelector(".part-side").insertAdjacentHTML("beforebegin",
    `<div class="checks"><p class="checked" id="checked">${mark}</p><p class="checked figure" id="watch"></p></div>`);
  for (const one of document.querySelectorAll(".for-areas .house .worth")) one.textContent = longest;
}"""
# Every line of a text is inside the screen and of everything that clips it; nothing covers it; a word is on one line. A
# player's name may end in dots. Scrollable content is not cut off.
FAULTS = """() => {
  const found = [];
  const lines = [];
  const range = document.createRange();
  const hides = ({ backgroundColor, backgroundImage, opacity }, node) => opacity !== "0" &&
    (node.matches("img, .card") || backgroundImage !== "none" || parseFloat(backgroundColor.split(",")[3] ?? 1) > 0.2);
  const scrolls = (node) => /auto|scroll/.test(getComputedStyle(node).overflow);
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    const text = node.data.trim();
    if (!text || !parent.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    if (parent.closest("script, style, .bar nav, .unseen, .skip, .part-side, .menu .bar, dialog, bdi, .card")) continue;
    if (getComputedStyle(parent).clipPath !== "none") continue;
    const name = `${parent.closest("[class]")?.className} “${text}”`;
    for (const word of node.data.matchAll(/[^\\s–/·-]+/g)) {
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const tops = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (tops.size > 1) found.push(`${name}: ${word[0]} is broken`);
    }
    range.selectNodeContents(node);
    const { top: first } = range.getBoundingClientRect();
    for (const { left, top, right, bottom, width, height } of range.getClientRects()) {
      if (width < 2) continue;
      let isGone = false;
      const cut = [];
      for (let one = parent; one !== document.body; one = one.parentElement) {
        if (getComputedStyle(one).overflow === "visible") continue;
        const box = one.getBoundingClientRect();
        const spare = Math.max(2, height * 0.2);
        if (one.matches(".print") && first > box.bottom - spare) isGone = true; // a print that has no room goes whole
        if (left < box.left - 1 || right > box.right + 1 || top < box.top - spare || bottom > box.bottom + spare) {
          isGone ||= scrolls(one);
          cut.push(`${name} is cut by ${one.className}`);
        }
        if (isGone) break;
      }
      if (isGone) continue;
      if (left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1) cut.push(`${name} is outside`);
      found.push(...cut);
      const columns = [left + 2, (left + right) / 2, right - 2];
      for (const [x, y] of columns.flatMap((x) => [0.3, 0.7].map((at) => [x, top + height * at]))) {
        const stack = document.elementsFromPoint(x, y);
        const own = stack.findIndex((one) => one.contains(parent) || parent.contains(one));
        const over = stack.slice(0, Math.max(0, own));
        const cover = over.find((one) => hides(getComputedStyle(one), one));
        if (cover) found.push(`${name} is covered by ${cover.className}`);
      }
      const line = { name, left: left + 1, right: right - 1, top: top + height * 0.2, bottom: bottom - height * 0.2 };
      for (const other of lines) {
        const isBeside = other.left >= line.right || line.left >= other.right;
        const isApart = isBeside || other.top >= line.bottom || line.top >= other.bottom;
        if (!isApart && other.name !== name) found.push(`${name} lies over ${other.name}`);
      }
      lines.push(line);
    }
  }
  return [...new Set(found)];
}"""


@cache
def drawn(language: str) -> dict[str, dict[str, str]]:
    """Return {game: {phase: its page}}."""
    found: dict[str, dict[str, str]] = {}
    for one in exhibits(3):
        found.setdefault(one.game, {})[one.phase] = draw_page(one, language)
    return found


def mark_of(language: str) -> str:
    """Return the mark of a hand that the viewer helped to shuffle, as the page's script writes it."""
    words = json.loads(json.dumps(mark_words(language)))
    return f'<a><span class="of-hand">{words["hand"].replace("%", "1234")}: </span>{words["helped"]}</a>'


@pytest.mark.slow
@pytest.mark.parametrize("screen", SCREENS)
@pytest.mark.parametrize("game", PLAYS)
async def test_no_text_of_a_table_is_cut_covered_or_broken(
    browser: "Browser", game: str, screen: tuple[int, int]
) -> None:
    faults: dict[str, list[str]] = {}
    width, height = screen
    page = await browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
    await page.add_style_tag(content=f"{table_style()} {STILL}")
    for language in LANGUAGES:
        more = [mark_of(language), say(LONGEST, language)]
        for phase, html in drawn(language)[game].items():
            await page.evaluate(SHOW, [html, *more])
            for fault in await page.evaluate(FAULTS):
                faults.setdefault(fault, []).append(f"{phase}, {language}")
    await page.close()
    assert faults == {}


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
async def test_no_text_of_the_lobby_is_cut_covered_or_broken(
    browser: "Browser", house: OpenHouse, language: str
) -> None:
    anna = await house.enter("Anna")
    assert not (await anna.press("language", language))["refused"]
    context = await browser.new_context(viewport={"width": 320, "height": 568}, reduced_motion="reduce")
    jar = anna.client.session.cookie_jar
    await context.add_cookies([{"name": one.key, "value": one.value, "url": house.url} for one in jar])
    page = await context.new_page()
    await page.goto(f"{house.url}{anna.base}/")
    found: list[Any] = await page.evaluate(FAULTS)
    below = [one for one in found if not one.endswith("is outside")]  # the list of tables scrolls
    assert below == []
    assert await page.evaluate("document.documentElement.scrollWidth") == 320
    await context.close()
