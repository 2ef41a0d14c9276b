"""Characters that the one font has, in drawing order: other scripts, emoji and right-to-left text included.

Characters that the font lacks are spelled in Latin letters by their Unicode names, else left out or marked.
"""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from itertools import groupby
from pathlib import Path

from PIL import ImageFont

_FILE = Path(__file__).parent / "fonts" / "DejaVuSansCondensed-Bold.ttf"
# Stands for a letter that can be neither drawn nor spelled.
MARK = "◇"
_SPELLED = ("HIRAGANA LETTER ", "KATAKANA LETTER ", "HANGUL SYLLABLE ")
_LONGEST = 300


@lru_cache(maxsize=64)
def font(size: int) -> ImageFont.FreeTypeFont:
    """Return the font, laid out by Pillow alone, so that text has the same pixels on every machine."""
    return ImageFont.truetype(str(_FILE), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=8192)
def width_of(text: str, size: int) -> int:
    """Return the width of a line at this size, in pixels."""
    return round(font(size).getlength(text))


@lru_cache(maxsize=4096)
def clean(text: str) -> str:
    """Return the text as it can be drawn from left to right; "" if none of it can."""
    known = unicodedata.normalize("NFKC", text[:_LONGEST])
    spelled = " ".join("".join(_drawable(known)).split())
    if not any(character.isprintable() and character not in (MARK, " ") for character in spelled):
        return ""
    return _in_visual_order(_shaped(spelled))


def _drawable(text: str) -> Iterable[str]:
    for character in text:
        kind = unicodedata.category(character)
        if kind.startswith("Z") or character in "\t\n\r":
            yield " "
        elif kind[0] in "CM":
            continue  # controls, joiners, and marks that belong to no composed letter
        elif _has_glyph(character):
            yield character
        elif kind.startswith("L"):
            yield _spell(character)


def _spell(character: str) -> str:
    name = unicodedata.name(character, "")
    start = next((start for start in _SPELLED if name.startswith(start)), None)
    return name.removeprefix(start).rpartition(" ")[2].lower() if start else MARK


@lru_cache(maxsize=4096)
def _has_glyph(character: str) -> bool:
    return bytes(font(20).getmask(character)) != bytes(font(20).getmask("\U0010ffff"))


def _presentation_forms() -> dict[tuple[str, str], str]:
    """Return {(form, letters): character} from Unicode's own decompositions."""
    forms = {}
    for code in range(0xFE80, 0xFEFD):
        form, _, letters = unicodedata.decomposition(chr(code)).partition(" ")
        forms[form, "".join(chr(int(letter, 16)) for letter in letters.split())] = chr(code)
    return forms


_FORMS = _presentation_forms()


def _shaped(text: str) -> str:
    """Return joined Arabic letters, lam and alef as one."""
    letters = _with_ligatures(text)
    shaped = []
    for at, letter in enumerate(letters):
        before = at > 0 and ("<initial>", letters[at - 1]) in _FORMS and ("<final>", letter) in _FORMS
        after = at + 1 < len(letters) and ("<final>", letters[at + 1]) in _FORMS and ("<initial>", letter) in _FORMS
        form = {(True, True): "<medial>", (True, False): "<final>", (False, True): "<initial>"}.get((before, after))
        shaped.append(_FORMS.get((form or "<isolated>", letter), letter))
    return "".join(shaped)


def _with_ligatures(text: str) -> list[str]:
    letters: list[str] = []
    for letter in text:
        if letters and ("<isolated>", letters[-1] + letter) in _FORMS:
            letters[-1] += letter
        else:
            letters.append(letter)
    return letters


def _in_visual_order(text: str) -> str:
    """Return the runs of each direction side by side; neutral characters follow their neighbours."""
    directions = _directions(text)
    if "R" not in directions:
        return text
    runs = [
        (way, "".join(character for _, character in run))
        for way, run in groupby(zip(directions, text, strict=True), key=lambda pair: pair[0])
    ]
    if directions[0] == "R":
        runs.reverse()
    return "".join(_mirrored(run) if way == "R" else run for way, run in runs)


def _directions(text: str) -> list[str]:
    kinds = [unicodedata.bidirectional(character) for character in text]
    strong = ["R" if kind in ("R", "AL") else "L" if kind in ("L", "EN", "AN") else "" for kind in kinds]
    base = next((way for way in strong if way), "L")
    for at, way in enumerate(strong):
        if not way:
            before = strong[at - 1] if at else base
            after = next((later for later in strong[at:] if later), base)
            strong[at] = before if before == after else base
    return strong


def _mirrored(run: str) -> str:
    return "".join("()[]<>{}"["()[]<>{}".index(c) ^ 1] if c in "()[]<>{}" else c for c in reversed(run))


# Parts that may be left out at the end: from a comma, or from a hyphen between cards.
_PARTS = re.compile(r"(?:, |-)[^,-]+$")


@lru_cache(maxsize=8192)
def fitted_by_parts(text: str, width: int, size: int, least: int) -> tuple[str, int]:
    """Fit a text like `fitted`, but drop parts that do not fit: "two pair" without its ranks."""
    while width_of(text, least) > width and (left_out := _PARTS.search(text)):
        text = text[: left_out.start()]
    return fitted(text, width, size, least)


@lru_cache(maxsize=8192)
def fitted(text: str, width: int, size: int, least: int) -> tuple[str, int]:
    """Return the text and a size at which it fits; at the least size it is cut with dots."""
    for smaller in range(size, least - 1, -1):
        if width_of(text, smaller) <= width:
            return text, smaller
    kept = text
    while kept and width_of(kept + "…", least) > width:
        kept = kept[:-1]
    return kept.rstrip() + "…", least
