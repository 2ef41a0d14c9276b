"""Forms of the operator's console, from the usage of commands in the registry and from a game's options.

A form submits exactly the command that one would have typed.
"""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from bot.core.admin.setting_buttons import label_of
from bot.core.admin.setting_tables import label_with_value
from bot.core.admin.settings import list_meter_options
from bot.core.casinos.sharing import RULES, rules_of
from bot.core.command_list import CHAT_COMMANDS
from bot.core.commands.registry import CommandFlag, CommandSpec
from bot.core.commands.table_options import MANNERS, options_at, settings_at
from bot.core.state.plays import PLAYS
from bot.core.state.table import Settings, Table
from bot.core.state.values import Casino
from bot.texts import Text, say_value
from bot.texts.options import BasisPoints, Chips, ChipsEach, Count, Flag, OneOf, Option, Pays, Unit
from engine.felt import Amount, Word
from engine.games import GAMES

_REASON = "REASON"
_FIELDS: Mapping[str, tuple[Text, object]] = {
    "PLAYER": (Text("Player"), Text("Type a part of the name, then choose.")),
    "AMOUNT": (Text("Amount"), Text("50, 2.5, 1k, half, max, all")),
    "HAND": (Text("Hand"), Text("The number of the hand")),
    "SEAT": (Text("Seat or box"), ""),
    "POSITION": (Text("Cards to turn"), ""),
    "VALUE": (Text("New value"), ""),
    "CODE": (Text("Join code"), ""),
    "DAYS": (Text("Days"), ""),
}
# A player's and a hand's place, and questions, which pages answer.
_ELSEWHERE = ("table open", "table set", "table mirror", "void", "ban", "unban", "name reset", "audit", "settings")
# Arguments that may have several words, and are quoted then.
_QUOTED = ("PLAYER", "VALUE", "SEAT")


class FormField(NamedTuple):
    """A field. `name`: its label; `word`: typed before the value, and only if the value was changed; `picks`: a player,
    who is searched for by name.
    """

    name: object
    hint: object = ""
    value: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    least: str = ""
    most: str = ""
    word: str = ""
    is_quoted: bool = False
    is_required: bool = True
    picks: bool = False


class Form(NamedTuple):
    """A form. `first`: the words before those of its fields; `label` of its button; `takes_reason`: a reason is
    required. `shows`: what it would change, and what that is now. `harms`: it looks dangerous.
    """

    verb: str
    help: object
    first: tuple[str, ...] = ()
    fields: tuple[FormField, ...] = ()
    label: object = ""
    takes_reason: bool = False
    shows: object = ""
    harms: bool = False


def forms_of(name: str, first: tuple[str, ...] = ()) -> Iterator[Form]:
    """Return a form for each use of the command; `first` are arguments that the page knows. The page asks for
    reasons.
    """
    verb = CHAT_COMMANDS[name]
    label = label_of(verb)
    for usage in verb.usage.split(" | "):
        fields, is_optional = list[FormField](), False
        for word in usage.split()[len(first) :]:
            is_optional = is_optional or word.startswith("[")
            if (named := word.strip("[]")) != _REASON:
                fields.append(_field_of(named)._replace(is_required=not is_optional))
            is_optional = is_optional and not word.endswith("]")
        takes_reason, harms = usage.endswith(f" {_REASON}") or usage == _REASON, CommandFlag.HARMS in verb.flags
        yield Form(name, verb.help, first, tuple(fields), label, takes_reason, harms=harms)


def _field_of(word: str) -> FormField:
    """Return the field of an argument, such as `AMOUNT`."""
    name, hint = _FIELDS.get(word, (word.lower(), ""))
    return FormField(name, hint, is_quoted=word in _QUOTED, picks=word == "PLAYER")


def forms_for_jackpot(casino: Casino, language: str) -> list[Form]:
    """Return forms for the meter and its wins, then one for each of its options with the present value."""
    options = [
        _form_to_change("meter set", name, option, value, language)
        for name, (option, value) in list_meter_options(casino).items()
    ]
    acts = [form for verb in _inspectors() if verb.name.startswith("meter ") for form in forms_of(verb.name)]
    return [
        *(form for form in acts if form.fields and not any("|" in str(field.name) for field in form.fields)),
        *options,
    ]


def forms_for_rules(casino: Casino, language: str) -> list[Form]:
    """Return a form for each house rule with its present value, then for the join code and the end of a season."""
    rules = [
        Form(
            "house set",
            Text("0 switches it off.") if isinstance(value, Amount) else "",
            (name,),
            (FormField(say_value(RULES[name], language), "", say_value(value, language)),),
            Text("Change"),
            takes_reason=True,
            shows=Text("{option}: {value}", option=RULES[name], value=value),
        )
        for name, value in rules_of(casino).items()
    ]
    name = FormField(say_value(RULES["name"], language), "", casino.name, is_quoted=True)
    renamed = Form("house set", "", ("name",), (name,), Text("Rename the casino"), takes_reason=True)
    return [*rules, renamed, *forms_of("house code"), *forms_of("house reset")]


def forms_for_table(table: Table) -> list[Form]:
    """Return the forms that change something at a table as it is now, but for those that have their own place."""
    there = [verb for verb in _inspectors() if not verb.flags & CommandFlag.FOUNDERS and verb.name not in _ELSEWHERE]
    named = [verb for verb in there if verb.usage and not verb.name.startswith("house ")]
    own = [verb for verb in named if verb.game in ("", table.game) and _does_something(verb.name, table)]
    return [form for verb in own for form in _forms_here(verb, table)]


def _does_something(name: str, table: Table) -> bool:
    """Check whether a command of inspectors can change anything at a table as it is now."""
    if name.startswith("tournament "):
        return table.tournament is not None
    if name == "table turner":
        return bool(PLAYS[table.game].reveals.steps)
    return name != ("table pause" if table.status == "paused" else "table resume")


def _forms_here(verb: CommandSpec, table: Table) -> Iterator[Form]:
    if verb.name != "table private":
        yield from forms_of(verb.name)
    elif table.invited is None:
        yield Form(verb.name, verb.help, ("on",), label=Text("For invited players only"))
    else:
        yield Form(verb.name, verb.help, ("off",), label=Text("Open to everyone"))


def _inspectors() -> list[CommandSpec]:
    return [verb for verb in CHAT_COMMANDS.values() if verb.group == "inspectors"]


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
    """Return a form for each setting and option that has an effect at a table, with its present value."""
    return [
        _form_to_change("table set", name, option, values[name], language)
        for name, option in _known_at(game).items()
        if option.is_needed(values)
    ]


def _form_to_change(verb: str, name: str, option: Option, value: object, language: str) -> Form:
    """Return the form of one option, with its present value."""
    field, shows = _field_for(option, value, language), label_with_value(option, value)
    takes_reason = verb != "table set" or name not in MANNERS
    return Form(verb, option.means, (name,), (field,), Text("Change"), takes_reason, shows)


def means_of(game: str) -> dict[str, Text]:
    """Return {setting or option: its sentence} of all that a table of the game can set."""
    return {name: option.means for name, option in _known_at(game).items()}


def _known_at(game: str) -> dict[str, Option]:
    return {**settings_at(game), **options_at(game)}


def _field_for(option: Option, value: object, language: str) -> FormField:
    unit, shown = option.unit, say_value(option.label, language)
    written = say_value(unit.write(value), language)
    field = FormField(shown, _limits(unit), written, is_quoted=isinstance(unit, ChipsEach))
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
