"""Forms of the operator's console, from the usage of commands in the registry and from a game's options.

A form submits exactly the command that one would have typed.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from bot.core.command_list import VERBS
from bot.core.commands.registry import Trait, Verb
from bot.core.commands.table_options import options_at, settings_at
from bot.core.state.plays import PLAYS
from bot.core.state.table import Settings
from bot.texts import Text, say_value
from bot.texts.options import BasisPoints, Chips, ChipsEach, Count, Flag, OneOf, Option, Pays, Unit
from engine.felt import Amount, Word
from engine.games import GAMES

_REASON = "REASON"
_FIELDS: Mapping[str, Text] = {
    "PLAYER": Text("The player"),
    "AMOUNT": Text("50, 2.5, 1k, half, max, all"),
    "HAND": Text("The number of the hand"),
    "SEAT": Text("A seat or a box"),
    "POSITION": Text("The cards to reveal"),
    "VALUE": Text("The new value"),
    "CODE": Text("The code you received"),
    "DAYS": Text("Number of days"),
}
# A player's and a hand's place, and questions, which pages answer.
_ELSEWHERE = ("table open", "table set", "table mirror", "void", "ban", "unban", "audit", "settings")
# Arguments that may have several words, and are quoted then.
_QUOTED = ("PLAYER", "VALUE", "SEAT")


class Field(NamedTuple):
    """A field. `name`: its label; `word`: typed before the value, and only if the value was changed."""

    name: str
    hint: object = ""
    value: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    least: str = ""
    most: str = ""
    word: str = ""
    is_quoted: bool = False
    is_required: bool = True


class Form(NamedTuple):
    """A form. `first`: the words before those of its fields; `label` of its button; `takes_reason`: a reason is
    required.
    """

    verb: str
    help: object
    first: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    label: object = Text("Do it")
    takes_reason: bool = False


def forms_of(name: str, first: tuple[str, ...] = (), label: object = Text("Do it")) -> Iterator[Form]:
    """Return a form for each use of the command; `first` are arguments that the page knows. The page asks for
    reasons.
    """
    verb = VERBS[name]
    for usage in verb.usage.split(" | "):
        fields, is_optional = list[Field](), False
        for word in usage.split()[len(first) :]:
            is_optional = is_optional or word.startswith("[")
            if (named := word.strip("[]")) != _REASON:
                fields.append(_field_of(named)._replace(is_required=not is_optional))
            is_optional = is_optional and not word.endswith("]")
        yield Form(name, verb.help, first, tuple(fields), label, usage.endswith(f" {_REASON}") or usage == _REASON)


def _field_of(word: str) -> Field:
    """Return a field for `AMOUNT`, or names such as `coin|four`."""
    choices = tuple((name, name.replace("_", " ")) for name in word.split("|")) if "|" in word else ()
    hint = Text("What to set") if choices else _FIELDS.get(word, "")
    return Field(word.lower() if not choices else "", hint, choices=choices, is_quoted=word in _QUOTED)


def forms_for_casino() -> list[Form]:
    """Return the forms for the casino as a whole: the founders' commands, except those about players."""
    founders = [verb for verb in _inspectors() if verb.traits & Trait.FOUNDERS]
    return [form for verb in founders if not verb.usage.startswith("PLAYER") for form in forms_of(verb.name)]


def forms_for_table(game: str) -> list[Form]:
    """Return the forms for a table of this game, without commands that have their own place or belong to other
    games.
    """
    there = [verb for verb in _inspectors() if not verb.traits & Trait.FOUNDERS and verb.name not in _ELSEWHERE]
    named = [verb for verb in there if verb.usage and not verb.name.startswith("house ")]
    own = [verb for verb in named if verb.game in ("", game)]
    return [form for verb in own for form in forms_of(verb.name)]


def _inspectors() -> list[Verb]:
    return [verb for verb in VERBS.values() if verb.group == "inspectors"]


def form_to_open(game: str, language: str) -> Form:
    """Return a form of each setting and option of a new table with its default; unchanged ones are left out."""
    usual = {
        **vars(Settings()),
        **vars(GAMES[game].parse_options({})),
        "seats": PLAYS[game].seats,
        "language": language,
    }
    known = _known_at(game)
    fields = tuple(_field_for(option, usual[name], language)._replace(word=name) for name, option in known.items())
    return Form("table open", Text("Open a table here"), (game,), fields, Text("Open the table"))


def forms_to_set(game: str, values: Mapping[str, Any], language: str) -> list[Form]:
    """Return a form for each setting and option of a table, with its present value."""
    return [
        Form("table set", option.means, (name,), (_field_for(option, values[name], language),), Text("Set"))
        for name, option in _known_at(game).items()
    ]


def means_of(game: str) -> dict[str, Text]:
    """Return {setting or option: its sentence} of all that a table of the game can set."""
    return {name: option.means for name, option in _known_at(game).items()}


def _known_at(game: str) -> dict[str, Option]:
    return {**settings_at(game), **options_at(game)}


def _field_for(option: Option, value: object, language: str) -> Field:
    unit, shown = option.unit, say_value(option.label, language)
    written = say_value(unit.write(value), language)
    field = Field(shown, _limits(unit), written, is_quoted=isinstance(unit, ChipsEach))
    match unit:
        case Count(least, most):
            return field._replace(value=str(value), least=str(least), most=str(most))
        case BasisPoints():
            return field._replace(is_quoted=True)
        case Flag():
            named = {"on": say_value(Word("on"), language), "off": say_value(Word("off"), language)}
            return field._replace(value="on" if value else "off", choices=tuple(named.items()))
        case OneOf(values):
            choices = tuple((str(one), say_value(unit.write(one), language)) for one in values)
            return field._replace(value=str(value), choices=choices)
        case _:
            return field


def _limits(unit: Unit) -> object:
    match unit:
        case Chips():
            return Text("chips")
        case Count(least, most):
            return Text("{least} to {most}", least=least, most=most)
        case BasisPoints(least, most):
            return Text("{least} to {most} %", least=Amount(least), most=Amount(most))
        case Pays():
            return Text("for example {such}", such="3:2")
        case ChipsEach(names=names):
            return Text("for example {such}", such=unit.write(dict.fromkeys(names, 5000)))
        case _:
            return ""
