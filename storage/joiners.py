"""Invisible characters that some scripts need, and their valid places in a name (UAX 31, section 2.3)."""

import unicodedata

from storage.confusables import is_visible

_APART, _TOGETHER, _AS_EMOJI = "\u200c", "\u200d", "\ufe0f"
_JOINERS = (_APART, _TOGETHER, _AS_EMOJI)
_VIRAMA = 9  # the combining class
# Scripts whose letters join the next one, and those of their letters that never do.
_JOINING = ("ARABIC LETTER ", "SYRIAC LETTER ", "NKO LETTER ", "MONGOLIAN LETTER ", "MANDAIC LETTER ", "ADLAM ")
_ENDING = ("ALEF", "DAL", "THAL", "DDAL", "REH", "ZAIN", "JEH", "RREH", "WAW", "TEH MARBUTA", "HAMZA", "DALATH", "RISH")


def is_joiner(character: str) -> bool:
    """Check whether a character is a joiner."""
    return character in _JOINERS


def is_seen(name: str, at: int) -> bool:
    """Check whether the character at `at` is visible, or changes how its neighbours look."""
    character = name[at]
    if character not in _JOINERS:
        return is_visible(character)
    before, after = name[at - 1 : at], name[at + 1 : at + 2]
    if not before:
        return False
    if character == _AS_EMOJI:
        return _is_picture(before)
    if unicodedata.combining(before) == _VIRAMA:
        return character == _TOGETHER or unicodedata.category(after or " ")[0] == "L"
    if character == _TOGETHER:
        start = at - 1
        while start > 0 and (name[start] == _AS_EMOJI or unicodedata.category(name[start]) == "Sk"):
            start -= 1
        return _is_picture(name[start]) and bool(after) and _is_picture(after)
    return _joins_next(_last_letter(name[:at])) and _joins(after)


def _is_picture(character: str) -> bool:
    return unicodedata.category(character) == "So"


def _last_letter(text: str) -> str:
    """Return the last letter, without the marks above and below it."""
    letters = text.rstrip("".join({one for one in text if unicodedata.category(one) == "Mn"}))
    return letters[-1:]


def _joins(letter: str) -> bool:
    return bool(letter) and unicodedata.name(letter, "").startswith(_JOINING)


def _joins_next(letter: str) -> bool:
    if not _joins(letter):
        return False
    said = unicodedata.name(letter).partition("LETTER ")[2]
    return not any(said == one or said.startswith(f"{one} ") for one in _ENDING)
