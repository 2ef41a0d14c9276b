"""Confusable names: names with the same skeleton would be taken for each other. Knows no player and no books.

A skeleton is that of UTS 39 (Unicode Security Mechanisms), with case folded. The table beside this file is Unicode's
own; skeletons are stored in the books, so that a newer table needs a migration that rewrites them. People are found
by these skeletons too, in every store alike: a store compares them by their bytes.
"""

import unicodedata
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

# Default_Ignorable_Code_Point of Unicode 17: what is drawn as nothing at all.
_IGNORABLE = (
    (0x00AD, 0x00AD),
    (0x034F, 0x034F),
    (0x061C, 0x061C),
    (0x115F, 0x1160),
    (0x17B4, 0x17B5),
    (0x180B, 0x180F),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x206F),
    (0x3164, 0x3164),
    (0xFE00, 0xFE0F),
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),
    (0x1D173, 0x1D17A),
    (0xE0000, 0xE0FFF),
)
# Characters drawn as an empty space although they are none: a braille pattern without dots, a note without a head.
_BLANK = ("\u2800", "\U0001d159")


class Skeletons(NamedTuple):
    """The two skeletons of a name: of its letters in lower case, and as they are (I is mistaken for l)."""

    look: str
    capitals: str


@lru_cache(maxsize=4096)
def skeletons_of(name: str) -> Skeletons:
    """Return the skeletons of a name: two names that share one are taken for each other."""
    plain = unicodedata.normalize("NFKC", name)
    return Skeletons(_skeleton(plain.casefold()).casefold(), _skeleton(plain).casefold())


def fold(text: str) -> str:
    """Return a text as it compares with others, whatever its case and however its letters are composed."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def is_visible(character: str) -> bool:
    """Return whether a character is visible; False for ignorable, blank, control and unassigned ones."""
    if ord(character) in _shown_as() and _shown_as()[ord(character)] is None:
        return False
    return character not in _BLANK and unicodedata.category(character)[0] not in "CZ"


def _skeleton(text: str) -> str:
    shown = unicodedata.normalize("NFD", text).translate(_shown_as())
    return unicodedata.normalize("NFD", shown)


@lru_cache(maxsize=1)
def _shown_as() -> dict[int, str | None]:
    """Return what each code point is mistaken for; None for those that are ignored."""
    shown: dict[int, str | None] = {}
    for line in Path(__file__).with_name("confusables.txt").read_text("ascii").splitlines():
        to, _semicolon, those = line.partition(";")
        if not line.startswith("#"):
            shown |= dict.fromkeys((int(one, 16) for one in those.split()), _text(to))
    for first, last in _IGNORABLE:
        shown |= dict.fromkeys(range(first, last + 1))
    return shown


def _text(code_points: str) -> str:
    return "".join(chr(int(one, 16)) for one in code_points.split())
