"""Limits that Discord sets for translations: names of commands, lengths of descriptions, choices and labels.

Longer texts would be cut and invalid names left in English; `ridotto texts check` finds both beforehand.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator

import discord

from bot.platforms.discord.commands import LONGEST_HELP, group_help
from bot.platforms.discord.components import LONGEST_CHOICE, LONGEST_LABEL
from bot.platforms.discord.connectivity import PLATFORM
from bot.platforms.discord.names import is_name, named_commands, translated_name
from bot.platforms.discord.options import options_for
from bot.platforms.discord.presses import LONGEST_DESCRIPTION
from bot.platforms.discord.presses import LONGEST_LABEL as LONGEST_QUESTION
from bot.texts import Text, say
from bot.texts.languages import KNOWN
from bot.view import Button


def misfits(language: str, buttons: Iterable[Button]) -> Iterator[str]:
    """Yield a sentence for each code, name or text that does not fit; `buttons` are those that tables may show."""
    known = {str(locale) for locale in discord.Locale}
    yield from (f"{code!r} is not a locale" for code in KNOWN[language].codes.get(PLATFORM, ()) if code not in known)
    yield from _wrong_names(language)
    measured = {(one, most) for one, most in _measured(buttons, language) if len(one) > most}
    yield from (f"“{said}” has {len(said)} characters, {most} at most" for said, most in sorted(measured))


def _wrong_names(language: str) -> Iterator[str]:
    for name in sorted({name for names in _levels() for name in names}):
        if not is_name(said := translated_name(name, language)):
            yield f"“{said}”, for /{name}, is no name: 1 to 32 letters, digits, - and _"
    for names in _levels():
        by_name = defaultdict[str, list[str]](list)
        for name in names:
            by_name[translated_name(name, language)].append(name)
        yield from (f"“{said}” is {' and '.join(sorted(those))}" for said, those in by_name.items() if len(those) > 1)


def _levels() -> Iterator[tuple[str, ...]]:
    """Yield names that must differ from one another: commands and groups, those of a group, the arguments of each."""
    yield ("inspectors",)
    groups = defaultdict[str, dict[str, None]](dict, {"": {"setup": None}})
    for group, name, verb in named_commands():
        groups[""][group or name] = None
        if group:
            groups[group][name] = None
        yield tuple(option.name for option in options_for(verb))
    yield from map(tuple, groups.values())


def _measured(buttons: Iterable[Button], language: str) -> Iterator[tuple[str, int]]:
    """Yield (sentence, its maximum length)."""
    for group, _name, verb in named_commands():
        helps = [verb.help, *(option.help for option in options_for(verb)), *([group_help(group)] if group else [])]
        yield from ((say(help, language), LONGEST_HELP) for help in helps)
        choices = [one for option in options_for(verb) for one in option.choices]
        yield from ((say(Text(one), language), LONGEST_CHOICE) for one in choices)
    for button in buttons:
        yield say(button.label, language), LONGEST_QUESTION if button.ask else LONGEST_LABEL
        if button.ask:
            yield say(button.ask, language), LONGEST_DESCRIPTION
