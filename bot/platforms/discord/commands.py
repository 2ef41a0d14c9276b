"""Slash commands made from the registry: one for each verb, in every language, inspectors' apart from players'."""

import inspect
from typing import Any, NamedTuple

import discord
from discord import app_commands
from discord.http import Route

from bot.core.commands.registry import CommandFlag, CommandSpec
from bot.platforms.common.context import language_of
from bot.platforms.common.press import Press
from bot.platforms.discord.answers import Answers
from bot.platforms.discord.names import CommandField, inspected, know_commands, know_fields, name_in, named_commands
from bot.platforms.discord.options import CommandOption, args_of, options_for, suggest
from bot.platforms.discord.presses import guarded
from bot.platforms.discord.replies import Interaction
from bot.texts import Text, say
from bot.texts.languages import SOURCE

INSPECTS = discord.Permissions(manage_guild=True)
# A table needs the bot in its server. Private questions can be installed by users too.
INSTALLS = app_commands.AppInstallationType(guild=True, user=False)
BY_PEOPLE = app_commands.AppInstallationType(guild=True, user=True)
_FOR_PEOPLE = ("chips", "knowing", "me")
LONGEST_HELP = 100
# The command that opens an application's Activity. Discord creates it and refuses lists of commands without it.
ENTRY_POINT = 4
# Fields of a command that Discord returns and does not accept.
_TOLD = {"application_id", "version", "guild_id", "dm_permission", "name_localized", "description_localized"}
# What the groups of commands are for.
_GROUPS = {
    "table": Text("Tables: open, close, set"),
    "meter": Text("The progressive jackpot"),
    "inspector": Text("Who is an inspector"),
    "house": Text("The casino itself"),
    "casino": Text("This casino and the others you have joined"),
}


def add_commands(tree: app_commands.CommandTree[Any], answers: Answers) -> None:
    """Add a slash command for each verb; verbs of two words become subcommands of a group."""
    know_fields({verb.name: [_field(one) for one in options_for(verb)] for _group, _name, verb in named_commands()})
    groups: dict[str, app_commands.Group] = {}
    for group, name, verb in named_commands():
        if name == "setup":
            continue  # it has an option of Discord's own (bot.platforms.discord.places)
        if not group:
            tree.add_command(_command(verb, name, answers))
            continue
        if group not in groups:
            groups[group] = _group(group, inspects=group in inspected())
            tree.add_command(groups[group])
        groups[group].add_command(_command(verb, name, answers))


def _field(option: CommandOption) -> CommandField:
    return CommandField(option.name, option.kind is int, option.choices, option.before)


def group_help(name: str) -> Text:
    """Return the description of a group of commands, by its first word."""
    return _GROUPS.get(name) or (Text("For inspectors") if name in inspected() else Text("For players"))


def _group(name: str, *, inspects: bool) -> app_commands.Group:
    permissions = INSPECTS if inspects else None
    return app_commands.Group(
        name=name,
        description=_locale(group_help(name)),
        default_permissions=permissions,
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=False, private_channel=False),
    )


class Registered(NamedTuple):
    """The number of registered commands, and whether Activities are on (one of the commands opens them)."""

    number: int
    has_entry_point: bool


async def register(tree: app_commands.CommandTree[Any], application: int) -> Registered:
    """Replace the registered commands by ours, keeping an Activity's."""
    http = tree.client.http
    where = Route("GET", "/applications/{application_id}/commands", application_id=application)
    there = await http.request(where, params={"with_localizations": "true"})
    payload: list[Any] = [_known(command) for command in there if command["type"] == ENTRY_POINT]
    translator = tree.translator
    assert translator is not None
    for command in tree.get_commands():
        # Contexts say where a command may be used; this field is their predecessor.
        payload.append(_without(await command.get_translated_payload(tree, translator), {"dm_permission"}))
    registered = await http.bulk_upsert_global_commands(application, payload)
    know_commands([dict(one) for one in registered])
    return Registered(len(registered), any(one["type"] == ENTRY_POINT for one in there))


def _known(command: dict[str, Any]) -> dict[str, Any]:
    """Return a registered command as it must stay: with its id, name and handler."""
    kept = _without(command, _TOLD)
    permissions = kept.get("default_member_permissions")
    return kept | {"default_member_permissions": None if permissions is None else int(permissions)}


def _without(command: dict[str, Any], names: set[str]) -> dict[str, Any]:
    return {name: value for name, value in command.items() if name not in names}


def _command(verb: CommandSpec, name: str, answers: Answers) -> app_commands.Command[Any, ..., None]:
    options = options_for(verb)

    async def callback(interaction: Interaction, **given: Any) -> None:
        press = Press("verb", verb.name, args_of(options, given))
        people = tuple(answers.vouch_for(one) for one in given.values() if isinstance(one, discord.Member))
        await guarded(answers, interaction, lambda: answers.handle_press(interaction, press, people))

    callback.__signature__ = _signature(options)  # type: ignore[attr-defined]
    callback.__name__ = name.replace("-", "_")
    _describe(callback, options, answers)
    is_private = CommandFlag.PRIVATE in verb.flags
    is_for_people = is_private and verb.group in _FOR_PEOPLE and CommandFlag.POSTS not in verb.flags
    command: app_commands.Command[Any, ..., None] = app_commands.Command(
        name=app_commands.locale_str(name, verb=verb.name),
        description=_locale(verb.help),
        callback=callback,
        allowed_contexts=app_commands.AppCommandContext(
            guild=True, dm_channel=is_private, private_channel=is_for_people
        ),
        allowed_installs=BY_PEOPLE if is_for_people else INSTALLS,
    )
    if verb.group == "inspectors" and name == verb.name.replace(" ", "-"):
        command.default_permissions = INSPECTS
    return command


def _signature(options: tuple[CommandOption, ...]) -> inspect.Signature:
    """Return the signature from which the library reads the options."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction)
    others = []
    for option in options:
        default = inspect.Parameter.empty if option.is_required else None
        kind = _annotation(option) if option.is_required else _annotation(option) | None
        others.append(inspect.Parameter(option.name, keyword, annotation=kind, default=default))
    return inspect.Signature([first, *others])


def _annotation(option: CommandOption) -> Any:
    if option.least is None and option.most is None:
        return option.kind
    return app_commands.Range[option.kind, option.least, option.most]


def _describe(callback: Any, options: tuple[CommandOption, ...], answers: Answers) -> None:
    app_commands.describe(**{option.name: _locale(option.help) for option in options})(callback)
    for option in options:
        if option.choices:
            choices = [
                app_commands.Choice(name=app_commands.locale_str(one, word=True), value=one) for one in option.choices
            ]
            app_commands.choices(**{option.name: choices})(callback)
        if option.suggests:
            app_commands.autocomplete(**{option.name: _autocomplete(option, answers)})(callback)


def _autocomplete(option: CommandOption, answers: Answers) -> Any:
    async def complete(interaction: Interaction, current: Any) -> list[app_commands.Choice[Any]]:
        return await suggest(answers, interaction, option, str(current))

    return complete


def _locale(text: Text) -> app_commands.locale_str:
    return app_commands.locale_str(say(text, SOURCE)[:LONGEST_HELP], text=text)


class Translator(app_commands.Translator):
    """Names, descriptions and choices from the catalogue, where a command's name is `/bet`."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        """Translate a string for the library; None keeps the English."""
        language = language_of(str(locale))
        if language == SOURCE:
            return None
        place = app_commands.TranslationContextLocation
        if context.location in (place.command_name, place.group_name, place.parameter_name):
            return name_in(string.message, language)
        text = string.extras.get("text") or Text(string.message)
        said = say(text, language)[:LONGEST_HELP]
        return said if said and said != string.message else None
