"""Settings of a table: those of every table, those of its game's tables, and the game's options.

Law: one place reads, checks and writes them, for `/table set`, `/table open` and a table's card.
"""

from collections.abc import Sequence
from contextlib import suppress
from difflib import get_close_matches
from typing import Any, NamedTuple

from bot.core.commands.command import Refused
from bot.core.commands.options import parse_option, take_value
from bot.core.commands.words import find_word
from bot.core.state.plays import PLAYS
from bot.core.state.table import PACES, Settings, Table
from bot.texts import LANGUAGES, Text
from bot.texts.games import GAME_TEXTS
from bot.texts.languages import SOURCE
from bot.texts.options import Count, Flag, OneOf, Option
from engine.errors import Illegal
from engine.games import GAMES

_PACES = (Text("fast"), Text("normal"), Text("slow"), Text("correspondence"))
_LANGUAGES = tuple(Text("{name}", name=name) for name in LANGUAGES.values())
_HOURS = ("off", *map(str, range(24)))
_RECAPS = (Text("off"), *(Text("{hour}:00 UTC", hour=hour) for hour in _HOURS[1:]))
MANNERS = {
    "pace": Option(OneOf(tuple(PACES), _PACES), Text("Time per decision."), Text("Time to decide")),
    "betting_s": Option(Count(5, 300), Text("Seconds for betting."), Text("Betting time")),
    "language": Option(OneOf(tuple(LANGUAGES), _LANGUAGES), Text("The language of the table."), Text("Language")),
    "coach": Option(
        Flag(),
        Text("Allow odds here: /odds, next to the buttons, and after the hand."),
        Text("Coach"),
    ),
    "recap": Option(
        OneOf(_HOURS, _RECAPS),
        Text("The hour (UTC) of the daily recap picture, or off."),
        Text("Daily recap"),
    ),
    "cheers": Option(
        Flag(), Text("Add a reaction to the table's message for a big win."), Text("Reactions to big wins")
    ),
    "mentions": Option(Flag(), Text("Mention players when it is their turn, once per hand."), Text("Turn mentions")),
}
"""Settings of every table that need no reason, because they take nothing from players."""
BEACON = Option(Flag(), Text("Deal hands with a round of the beacon, if this server uses it."), Text("Beacon"))
WITNESS = Option(
    Flag(),
    Text("With the beacon, post “no more bets” as a separate message with the root of the log."),
    Text("“No more bets” message"),
)
EVERY_TABLE = ("seats", "beacon", "witness", *MANNERS)


class Change(NamedTuple):
    """A setting or an option of the game that was named, and what it is now."""

    name: str
    option: Option
    value: Any

    def write(self) -> object:
        return self.option.unit.write(self.value)


def settings_at(game: str) -> dict[str, Option]:
    """Return the settings of a table of the game, in the order of `Settings`."""
    seats = Option(Count(1, PLAYS[game].seats), Text("Seats at this table."), Text("Seats"))
    has = {"seats": seats, "beacon": BEACON, "witness": WITNESS, **MANNERS, **GAME_TEXTS[game].settings}
    return {name: has[name] for name in vars(Settings()) if name in has}


def options_at(game: str) -> dict[str, Option]:
    """Return the game's options that a table sets itself, without those that the casino keeps for all its tables."""
    texts = GAME_TEXTS[game]
    return {name: option for name, option in texts.options.items() if name not in texts.kept_by_casino}


def set_option(table: Table, name: str, text: str, language: str) -> tuple[Table, Change]:
    """Return the table with an option changed; the rules check the whole. Raises Refused."""
    known = {**settings_at(table.game), **options_at(table.game)}
    change = _parse(table.game, find_word(name, known) or name, text, language)
    return _check(_apply_change(table, change), [change]), change


def set_options(table: Table, words: Sequence[str], language: str) -> tuple[Table, list[Change], str]:
    """Return the table with the leading settings applied, the changes, and the rest, a reason. Raises Refused.

    For example `seats 5 pace slow for two of us`: the settings are checked together.
    """
    known, changes, start = {**settings_at(table.game), **options_at(table.game)}, list[Change](), 0
    while start < len(words) and (name := find_word(words[start], known)) is not None:
        if start + 1 == len(words):
            raise Refused("Enter the option and its value, for example: minimum 20.")
        text, end = take_value(words, start + 1)
        changes.append(_parse(table.game, name, text, language))
        table, start = _apply_change(table, changes[-1]), end
    _check_reason(words[start:], language)
    return _check(table, changes), changes, " ".join(words[start:])


def _parse(game: str, name: str, text: str, language: str) -> Change:
    if (setting := settings_at(game).get(name)) is not None:
        return Change(name, setting, parse_option(setting.label, setting.unit, text, language))
    option = options_at(game).get(name)
    if option is None:
        raise Refused("This table has no option called {name}.", name=name[:40])
    return Change(name, option, parse_option(option.label, option.unit, text, language))


def _apply_change(table: Table, change: Change) -> Table:
    if change.name in settings_at(table.game):
        return table.change(settings=Settings(**{**vars(table.settings), change.name: change.value}))
    return table.change(options={**table.options, change.name: change.value})


def _check(table: Table, changes: Sequence[Change]) -> Table:
    try:
        values = vars(GAMES[table.game].parse_options(table.options))
    except Illegal as fault:
        raise Refused(fault.template, fault.clause, **fault.values) from None
    for change in changes:
        if not change.option.is_needed(values):
            needed = options_at(table.game)[change.option.needs].label
            raise Refused(
                "{option} has no effect without {needed}. Set {needed} first.",
                option=change.option.label,
                needed=needed,
            )
    return table


def value_at(table: Table, name: str) -> object:
    """Return the present value of a setting."""
    return {**_settings_of(table), **vars(GAMES[table.game].parse_options(table.options))}[name]


def _check_reason(words: Sequence[str], language: str) -> None:
    """Refuse a reason that begins with (nearly) an option of another game and a value that would fit it."""
    every: dict[str, list[Option]] = {}
    for game in PLAYS:
        for name, one in {**settings_at(game), **GAME_TEXTS[game].options}.items():
            every.setdefault(name, []).append(one)
    for name in get_close_matches(words[0].lower(), every, 1, 0.8) if len(words) > 1 else ():
        if any(_fits(option, take_value(words, 1)[0], language) for option in every[name]):
            raise Refused("This table has no option called {name}.", name=words[0][:40])


def _fits(option: Option, text: str, language: str) -> bool:
    try:
        parse_option("", option.unit, text, language)
    except Refused:
        return False
    return True


def known_at(game: str) -> dict[str, Option]:
    """Return all that is in force at a table of the game: settings, then options, the casino's included."""
    return {**settings_at(game), **GAME_TEXTS[game].options}


def option_called(name: str) -> Option | None:
    """Return the setting or option of that key, from the first game that has one; None if none has."""
    every = (known_at(game).get(name) for game in PLAYS)
    return next((option for option in every if option is not None), None)


def say_kept(name: str, text: str) -> object:
    """Write a setting's value from the audit log in any language; as it is where it cannot be parsed."""
    option = option_called(name)
    with suppress(Refused):
        if option is not None and text:
            return option.unit.write(parse_option("", option.unit, text, SOURCE))
    return text or "–"


def values_at(table: Table, options: object) -> dict[str, Any]:
    """Return all present values; `options` are the table's own and those of the casino."""
    return {**_settings_of(table), **vars(options)}


def usual_at(table: Table) -> dict[str, Any]:
    """Return the default values at a table of the game. The default language is that of the table's place."""
    own = {"seats": table.plays.seats, "language": table.settings.language}
    return {**vars(Settings()), **own, **vars(GAMES[table.game].parse_options({}))}


def _settings_of(table: Table) -> dict[str, Any]:
    """Return the settings, with the game's number of seats if none is set."""
    return {**vars(table.settings), "seats": table.settings.seats or table.plays.seats}
