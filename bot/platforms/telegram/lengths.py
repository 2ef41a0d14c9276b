"""Limits of Telegram for translations: lengths of menus, labels and alerts, and the language codes of menus.

Longer texts would be cut; `ridotto texts check` finds them beforehand.
"""

import re
from collections.abc import Iterable, Iterator

from bot.platforms.telegram.context import PLATFORM
from bot.platforms.telegram.drawing import ALERT, LONGEST_LABEL, length
from bot.platforms.telegram.menus import LONGEST_HELP, MEMBERS, helps_of
from bot.texts import say
from bot.texts.catalogues import translate
from bot.texts.languages import KNOWN
from bot.texts.template import sentences
from bot.view import Button

# Calls whose sentences answer a press in one alert.
_ALERTS = ("Refused", "Illegal", "IllegalDeal", "IllegalMove", "check", "argument", "answer_with")
# Assumed length of a number or a name.
_VALUE = "x" * 8


def misfits(language: str, buttons: Iterable[Button]) -> Iterator[str]:
    """Yield a sentence for each code, name or text that does not fit; `buttons` are those that tables may show."""
    for code in KNOWN[language].codes.get(PLATFORM, ()):
        if not re.fullmatch("[a-z]{2}", code):
            yield f"{code!r} is not a two-letter code, which a menu needs"
    measured = {(one, most) for one, most in _measured(buttons, language) if length(one) > most}
    yield from (f"“{said}” has {length(said)} characters, {most} at most" for said, most in sorted(measured))


def _measured(buttons: Iterable[Button], language: str) -> Iterator[tuple[str, int]]:
    """Yield (sentence, its maximum length)."""
    yield from ((help, LONGEST_HELP) for help in helps_of((*MEMBERS, "inspectors"), language).values())
    yield from ((say(button.label, language), LONGEST_LABEL) for button in buttons)
    for one in sentences():
        if one.call in _ALERTS and length(_filled(one.template)) <= ALERT:
            yield _filled(translate(one.template, language)), ALERT


def _filled(template: str) -> str:
    return re.sub(r"\{\w+\}", _VALUE, template)
