"""Contrast of texts and printed lines on a table against the real pixels behind them.

A page is photographed as it is, without its texts, and without its printed lines: differing pixels are the glyphs, and
the second picture shows what is behind them, gradients, cards and chips included. WCAG requires 4.5 for text (1.4.3), 3
for large text and graphics (1.4.11), and nothing for disabled controls.
"""

import io
import json
from collections.abc import Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import pytest
from PIL import Image, ImageChops, ImageFilter

from bot.core.state.plays import PLAYS
from tests.exhibits import exhibits
from tests.lounge_gallery import lounge_section
from tests.tiers import sample_games

if TYPE_CHECKING:
    from playwright.async_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.outside]
SCREENS = ((1280, 720), (380, 800), (320, 640))
Scheme = Literal["dark", "light"]
TEXT, LARGE, GRAPHIC = 4.5, 3.0, 3.0
# Share of a glyph's pixels that may be worse: a line that crosses it, a pixel at the edge of a chip.
STRAY = 0.02
# All readable texts on the page: each line with its colour, how much of it is visible, and its size.
TEXTS = """() => {
  const found = [];
  const common = (a, b) => {
    const left = Math.max(a.left, b.left), top = Math.max(a.top, b.top);
    const right = Math.min(a.right, b.right), bottom = Math.min(a.bottom, b.bottom);
    return new DOMRect(left, top, Math.max(0, right - left), Math.max(0, bottom - top));
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const parent = node.parentElement;
    if (!node.data.trim() || !parent.checkVisibility({ visibilityProperty: true })) continue;
    if (parent.closest("script, style, [aria-disabled=true], :disabled, .unseen, .skip")) continue;
    const { color, fontSize, fontWeight } = getComputedStyle(parent);
    let shows = 1;
    for (let one = parent; one; one = one.parentElement) shows *= Number(getComputedStyle(one).opacity);
    const range = document.createRange();
    range.selectNodeContents(node);
    const size = parseFloat(fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(fontWeight) >= 700);
    const name = `${parent.closest("[class]")?.className} “${node.data.trim().slice(0, 30)}”`;
    const isPrint = parent.closest(".motto") !== null;
    let clip = new DOMRect(0, 0, innerWidth, innerHeight);
    for (let one = parent; one !== document.body; one = one.parentElement) {
      if (getComputedStyle(one).overflow !== "visible") clip = common(clip, one.getBoundingClientRect());
    }
    for (const line of range.getClientRects()) {
      const { left, top, right, bottom, width, height } = common(clip, line);
      if (width < 2 || height < line.height - 1) continue; // it is cut where a list scrolls
      const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
      if (there?.contains(parent) || parent.contains(there)) {
        found.push({ name, color, shows, isLarge: isLarge || isPrint, box: [left, top, right, bottom] });
      }
    }
  }
  return found;
}"""
# Lines printed on the felt, and a style that removes them: the gold frame, those of its places, and the frame of the
# player in turn.
LINES = {
    ".at::before": "outline-color",
    ".place": "border-color",
    ".area": "border-color",
    ".seat.is-turn": "border-color",
}
LINES_OF = """([selector, property]) => {
  const [own, pseudo] = selector.split("::");
  const kind = property === "outline-color" ? "outline" : "borderTop";
  return [...document.querySelectorAll(own)].filter((one) => one.checkVisibility()).flatMap((one) => {
    const style = getComputedStyle(one, pseudo && `::${pseudo}`);
    const isThere = style[`${kind}Style`] !== "none" && !(pseudo && style.content === "none");
    const { left, top, right, height } = one.getBoundingClientRect();
    const bottom = top + (pseudo ? parseFloat(style.height) : height); // the felt ends above the dock
    const name = `the line of ${one.className}`;
    const drawn = { name, color: style[`${kind}Color`], shows: 1, isLarge: true, box: [left, top, right, bottom] };
    return isThere ? [drawn] : [];
  });
}"""
NO_TEXTS = """*, *::before, *::after {
  -webkit-text-fill-color: transparent !important;
  text-decoration-color: transparent !important;
  text-shadow: none !important;
}"""
SHOW = """async ([style, html]) => {
  document.head.innerHTML = `<style>${style}</style>`;
  document.body.replaceWith(new DOMParser().parseFromString(html, "text/html").body);
  await Promise.all([...document.images].map((one) => one.decode()));
}"""
Colour = tuple[int, int, int]


class Seen(NamedTuple):
    """One line of a text, or one printed line, with its lowest contrast."""

    name: str
    contrast: float
    least: float


def light_of(colour: Sequence[float]) -> float:
    """Return the relative luminance (WCAG)."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (one / 255 for one in colour)
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: Sequence[float], other: Sequence[float]) -> float:
    darker, lighter = sorted((light_of(one), light_of(other)))
    return (lighter + 0.05) / (darker + 0.05)


def parse_colour(css: str) -> tuple[Colour, float]:
    """Parse `rgb(1, 2, 3)` or `rgba(1, 2, 3, 0.5)`."""
    red, green, blue, *alpha = (float(one) for one in css.partition("(")[2].rstrip(")").split(","))
    return (round(red), round(green), round(blue)), (alpha or [1.0])[0]


def over(colour: Sequence[int], alpha: float, behind: Sequence[int]) -> tuple[float, ...]:
    return tuple(alpha * one + (1 - alpha) * other for one, other in zip(colour, behind, strict=True))


def measure(shown: Iterable[dict[str, Any]], page: Image.Image, bare: Image.Image) -> list[Seen]:
    """Measure the contrast of each text; a covered one, or one outside of the screen, changes no pixel and is
    skipped.
    """
    found = []
    for one in shown:
        left, top, right, bottom = one["box"]
        box = (max(0, int(left)), max(0, int(top)), min(page.width, int(right) + 1), min(page.height, int(bottom) + 1))
        if box[0] >= box[2] or box[1] >= box[3]:
            continue
        behind = bare.crop(box)
        changed = ImageChops.difference(page.crop(box), behind).convert("L").point(lambda value: 255 * (value > 0))
        glyphs = changed.filter(ImageFilter.MaxFilter(3))
        pixels = Image.composite(behind.convert("RGBA"), Image.new("RGBA", behind.size, 0), glyphs)
        colours = [(n, rgba[:3]) for n, rgba in pixels.getcolors(1 << 20) or () if isinstance(rgba, tuple) and rgba[3]]
        if colours:
            colour, alpha = parse_colour(one["color"])
            stands = sorted((contrast(over(colour, alpha * one["shows"], rgb), rgb), n) for n, rgb in colours)
            found.append(Seen(one["name"], worst_of(stands), LARGE if one["isLarge"] else TEXT))
    return found


def worst_of(stands: list[tuple[float, int]]) -> float:
    """Return the lowest contrast except for stray pixels; `stands` is sorted (contrast, number of pixels)."""
    left = STRAY * sum(many for _contrast, many in stands)
    for value, many in stands:
        left -= many
        if left < 0:
            return value
    return stands[-1][0]


async def picture(page: "Page", style: str = "") -> Image.Image:
    return Image.open(io.BytesIO(await page.screenshot(caret="initial", style=style))).convert("RGB")


async def look(page: "Page") -> list[Seen]:
    """Return all texts and printed lines of the page with their contrast."""
    bare = await picture(page, NO_TEXTS)
    seen = measure(await page.evaluate(TEXTS), await picture(page), bare)
    for line in LINES.items():
        if lines := await page.evaluate(LINES_OF, line):
            selector, of = line
            seen += measure(
                lines, bare, await picture(page, f"{NO_TEXTS} {selector} {{ {of}: transparent !important; }}")
            )
    return seen


@cache
def drawn() -> tuple[str, dict[tuple[str, str], str]]:
    """The style sheet, and {(game, phase): a page}, as laid out by the gallery."""
    stored = json.loads(lounge_section().partition('id="lounge">')[2].partition("</script>")[0])
    names = [(one.game, one.phase) for one in exhibits(3)]
    found = {}
    for name, html in zip(names, stored["pages"], strict=True):
        for card, plugin in stored["faces"].items():
            html = html.replace(f'data-face="{card}"', f'src="{plugin}"')
        found[name] = html
    return stored["style"], found


async def look_through(browser: "Browser", game: str, phases: list[str], scheme: Scheme) -> dict[str, list[str]]:
    """Return {what is too faint: in which phases, on which screens}."""
    faint = dict[str, list[str]]()
    style, pages = drawn()
    for width, height in SCREENS:
        context = await browser.new_context(
            viewport={"width": width, "height": height}, reduced_motion="reduce", color_scheme=scheme
        )
        page = await context.new_page()
        for phase in phases:
            await page.evaluate(SHOW, [style + STILL, pages[game, phase]])
            seen = await look(page)
            assert len(seen) > 5, phase
            for one in seen:
                if one.contrast < one.least:
                    faint.setdefault(f"{one.name}: {one.contrast:.2f}", []).append(f"{phase}, {width}")
        await context.close()
    return faint


STILL = """*, *::before, *::after {
  animation: none !important;
  transition: none !important;
  pointer-events: auto !important;
}"""


def phases_of(game: str) -> list[str]:
    return [phase for played, phase in drawn()[1] if played == game]


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("game", sample_games("caribbean", "stud"))
async def test_each_text_and_print_stands_out(browser: "Browser", game: str, scheme: Scheme) -> None:
    """The first and last choice of a hand are checked; the last shows most."""
    phases = phases_of(game)
    choices = [phase for phase in phases if phase.startswith("choice")]
    assert await look_through(browser, game, [one for one in phases if one not in choices[1:-1]], scheme) == {}


@pytest.mark.exhaustive
@pytest.mark.parametrize("scheme", ["dark", "light"])
@pytest.mark.parametrize("game", PLAYS)
async def test_each_text_and_print_of_each_choice_stands_out(browser: "Browser", game: str, scheme: Scheme) -> None:
    assert await look_through(browser, game, phases_of(game), scheme) == {}
