"""Slash commands made from the registry: one for each verb, in English and Italian, inspectors' apart from players'."""

import inspect
import re
from typing import Any

import discord
from discord import app_commands

from bot.floor.registry import VERBS, Verb
from bot.on_discord.answers import Answers, language_of
from bot.on_discord.options import Option, args_of, options_for, suggest
from bot.on_discord.panels import Interaction
from bot.on_discord.presses import guarded
from bot.texts import Text, say

# In a direct message: what concerns the person, and a hand that waits for its place (G10).
IN_PRIVATE = {"balance", "statement", "help", "cards", "raise", "fold", "exchange", "check", "play", "hit", "stand"}
IN_PRIVATE |= {"double", "split", "insure", "decline", "stay", "call", "complete", "bring-in", "bet"}
INSPECTS = discord.Permissions(manage_guild=True)
LONGEST_HELP = 100
_NAME = re.compile(r"[-_'\w]{1,32}")
# What they are called; a catalogue turns them into another language. What is not here keeps its English name.
NAMES = (
    *(Text("/bet"), Text("/rebet"), Text("/takeback"), Text("/ready"), Text("/cut"), Text("/sit"), Text("/leave")),
    *(Text("/cards"), Text("/raise"), Text("/fold"), Text("/exchange"), Text("/check"), Text("/play"), Text("/hit")),
    *(Text("/stand"), Text("/double"), Text("/split"), Text("/insure"), Text("/decline"), Text("/follow")),
    *(Text("/stay"), Text("/squeeze"), Text("/call"), Text("/complete"), Text("/bring-in"), Text("/buyin")),
    *(Text("/topup"), Text("/sitout"), Text("/back"), Text("/standing"), Text("/tables"), Text("/balance")),
    *(Text("/daily"), Text("/give"), Text("/statement"), Text("/leaderboard"), Text("/stats"), Text("/history")),
    *(Text("/rules"), Text("/paytable"), Text("/odds"), Text("/jackpot"), Text("/verify"), Text("/help")),
    *(Text("/language"), Text("/pause"), Text("/link"), Text("/unlink"), Text("/table"), Text("/meter")),
    *(Text("/inspector"), Text("/house"), Text("/setup"), Text("/void"), Text("/noncoup"), Text("/grant")),
    *(Text("/take"), Text("/adjust"), Text("/ban"), Text("/unban"), Text("/audit"), Text("/export")),
    *(Text("/open"), Text("/close"), Text("/resume"), Text("/set"), Text("/refuse"), Text("/mirror"), Text("/reset")),
    *(Text("/confirm"), Text("/reject"), Text("/add"), Text("/remove"), Text("/code"), Text("/join")),
    *(Text("/casino"), Text("/show"), Text("/choose")),
    # Their arguments.
    *(Text("/amount"), Text("/seat"), Text("/box"), Text("/spot"), Text("/position"), Text("/area"), Text("/times")),
    *(Text("/game"), Text("/player"), Text("/reason"), Text("/hand"), Text("/page"), Text("/command"), Text("/text")),
    *(Text("/option"), Text("/value"), Text("/choice"), Text("/number"), Text("/days"), Text("/season")),
    *(Text("/limit"), Text("/order"), Text("/inspectors"), Text("/kind")),
)
_NAMED = {text.template for text in NAMES}
# What the groups of commands are for.
_GROUPS = {
    "table": Text("Tables: open, close, set"),
    "meter": Text("The progressive jackpot"),
    "inspector": Text("Who is an inspector"),
    "house": Text("The casino itself"),
    "casino": Text("The casino here, and those you have been in"),
}


def add_commands(tree: app_commands.CommandTree[Any], answers: Answers) -> None:
    groups: dict[str, app_commands.Group] = {}
    inspected = {verb.name.partition(" ")[0] for verb in VERBS.values() if verb.group == "inspectors"}
    for verb in VERBS.values():
        group, _space, name = verb.name.partition(" ")
        if not name or (verb.group != "inspectors" and group in inspected):
            # Permissions cover a whole group: a player's verb stands apart from inspectors' of the same first word.
            tree.add_command(_command(verb, verb.name.replace(" ", "-"), answers))
            continue
        if group not in groups:
            groups[group] = _group(group, inspects=group in inspected)
            tree.add_command(groups[group])
        groups[group].add_command(_command(verb, name, answers))


def _group(name: str, *, inspects: bool) -> app_commands.Group:
    help = _GROUPS.get(name) or (Text("For inspectors") if inspects else Text("For players"))
    permissions = INSPECTS if inspects else None
    return app_commands.Group(name=name, description=_locale(help), default_permissions=permissions, guild_only=True)


def _command(verb: Verb, name: str, answers: Answers) -> app_commands.Command[Any, ..., None]:
    options = options_for(verb)

    async def callback(interaction: Interaction, **given: Any) -> None:
        await guarded(answers, interaction, lambda: answers.take(interaction, verb.name, args_of(options, given)))

    callback.__signature__ = _signature(options)  # type: ignore[attr-defined]
    callback.__name__ = name.replace("-", "_")
    _describe(callback, options, answers)
    is_private = verb.name in IN_PRIVATE
    command: app_commands.Command[Any, ..., None] = app_commands.Command(
        name=app_commands.locale_str(name, verb=verb.name),
        description=_locale(verb.help),
        callback=callback,
        allowed_contexts=app_commands.AppCommandContext(guild=True, dm_channel=is_private, private_channel=False),
        allowed_installs=app_commands.AppInstallationType(guild=True, user=False),
    )
    if verb.group == "inspectors" and " " not in verb.name:
        command.default_permissions = INSPECTS
    return command


def _signature(options: tuple[Option, ...]) -> inspect.Signature:
    """What the library reads the options from."""
    keyword = inspect.Parameter.KEYWORD_ONLY
    first = inspect.Parameter("interaction", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation=discord.Interaction)
    others = []
    for option in options:
        default = inspect.Parameter.empty if option.is_required else None
        kind = _annotation(option) if option.is_required else _annotation(option) | None
        others.append(inspect.Parameter(option.name, keyword, annotation=kind, default=default))
    return inspect.Signature([first, *others])


def _annotation(option: Option) -> Any:
    if option.least is None and option.most is None:
        return option.kind
    return app_commands.Range[option.kind, option.least, option.most]


def _describe(callback: Any, options: tuple[Option, ...], answers: Answers) -> None:
    app_commands.describe(**{option.name: _locale(option.help) for option in options})(callback)
    for option in options:
        if option.choices:
            choices = [
                app_commands.Choice(name=app_commands.locale_str(one, word=True), value=one) for one in option.choices
            ]
            app_commands.choices(**{option.name: choices})(callback)
        if option.suggests:
            app_commands.autocomplete(**{option.name: _autocomplete(option, answers)})(callback)


def _autocomplete(option: Option, answers: Answers) -> Any:
    async def complete(interaction: Interaction, current: Any) -> list[app_commands.Choice[Any]]:
        return await suggest(answers, interaction, option, str(current))

    return complete


def _locale(text: Text) -> app_commands.locale_str:
    return app_commands.locale_str(say(text, "en")[:LONGEST_HELP], text=text)


class Translator(app_commands.Translator):
    """Names, descriptions and choices from the catalogue. A command's name stands there as `/bet`."""

    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        language = language_of(locale)
        if language == "en":
            return None
        place = app_commands.TranslationContextLocation
        if context.location in (place.command_name, place.group_name, place.parameter_name):
            return _name_in(string.message, language)
        text = string.extras.get("text") or Text(string.message)
        said = say(text, language)[:LONGEST_HELP]
        return said if said and said != string.message else None


def _name_in(name: str, language: str) -> str | None:
    """Only what Discord takes as a name, and what is no name already."""
    if f"/{name}" not in _NAMED:
        return None
    said = say(Text(f"/{name}"), language).removeprefix("/").lower()
    return said if said != name and _NAME.fullmatch(said) else None
