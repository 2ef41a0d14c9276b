"""The arguments of commands on Discord: types, ranges, and suggestions while typing."""

import re
from typing import Any, NamedTuple

import discord
from discord import app_commands

from bot.core.command_list import CHAT_COMMANDS
from bot.core.commands.naming import is_quoted
from bot.core.commands.offers import typed
from bot.core.commands.picks import pick_account, without_picks
from bot.core.commands.registry import CommandSpec
from bot.core.rounds.betting import options_of, seats_of
from bot.core.rounds.daily_deals import daily_games
from bot.core.rounds.reveals import is_known
from bot.core.state.plays import PLAYS, Seating
from bot.core.state.table import Settings, Table
from bot.platforms.discord.answers import Answers
from bot.platforms.discord.replies import Interaction
from bot.texts import LANGUAGES, Text, say, say_card, title_of
from bot.texts.folding import fold
from bot.view.parts import chip_amounts
from engine.felt import Word

MOST = 25


class CommandOption(NamedTuple):
    """An option of a slash command. `kind`: str, int or discord.User. `choices` are all values; `suggests` names a
    suggestion.

    `before` is typed before the value where the command needs it: `loss 100`, `#12`.
    """

    name: str
    help: Text
    kind: Any = str
    choices: tuple[str, ...] = ()
    suggests: str = ""
    least: int | None = None
    most: int | None = None
    is_required: bool = True
    before: str = ""


_KNOWN = {
    option.name: option
    for option in (
        CommandOption("amount", Text("50, 2.5, 1k, half, max, all"), suggests="amounts", most=40),
        CommandOption("seat", Text("A seat or a box"), int, suggests="seats", least=1, most=60),
        CommandOption("position", Text("The card, counted from the left"), int, suggests="cards", least=1, most=5),
        CommandOption("times", Text("How many times the ante"), int, suggests="times", least=1, most=100),
        CommandOption("game", Text("The game"), choices=tuple(PLAYS)),
        CommandOption("player", Text("The player"), discord.User),
        CommandOption("reason", Text("Reason, for the audit log"), most=200),
        CommandOption("hand", Text("The number of the hand"), int, least=1, most=10**11),
        CommandOption("page", Text("The page, from 1"), int, least=1, most=10**6),
        CommandOption("setting", Text("What to set"), suggests="settings"),
        CommandOption("value", Text("The new value"), most=100),
        CommandOption("text", Text("Your text"), most=64),
        CommandOption("time", Text("Start in universal time, such as 20:00"), most=5),
        CommandOption("players", Text("The number of players"), int, least=2, most=200),
        CommandOption("code", Text("The code you received"), most=40),
        CommandOption("number", Text("The number of the table, or off"), suggests="tables", most=10),
        CommandOption("days", Text("Number of days"), int, least=1, most=3650),
        CommandOption("season", Text("month, 2026-11, week, a past season, or hide"), most=20),
    )
}
_SPOTS = CommandOption("spot", Text("Which bet"), suggests="spots", is_required=False)
_SWITCH = CommandOption("switch", Text("On or off"), choices=("on", "off"), is_required=False)
_DAY = CommandOption("day", Text("Show up to this date, such as 2026-11-24"), most=10, is_required=False)
_DAILY_GAME = _KNOWN["game"]._replace(choices=tuple(daily_games()))
# Usages that are sentences, or words that mean something else.
_SPECIAL: dict[str, tuple[CommandOption, ...]] = {
    "bet": (
        CommandOption("box", Text("A box"), int, suggests="seats", least=1, most=7, is_required=False),
        _SPOTS,
        _KNOWN["amount"],
    ),
    "squeeze": (CommandOption("area", Text("The cards to reveal"), suggests="turns", is_required=False),),
    "language": (
        CommandOption("language", Text("Your language"), choices=tuple(LANGUAGES.values()), is_required=False),
    ),
    "coach": (CommandOption("when", Text("When odds are shown"), choices=("on", "after", "off"), is_required=False),),
    "notify": (CommandOption("about", Text("Notifications"), choices=("seat", "hot", "off"), is_required=False),),
    "statement": (
        CommandOption("page", Text("The page, from 1, or csv for all"), most=10, is_required=False),
        _DAY,
        _KNOWN["hand"]._replace(is_required=False, before="#"),
    ),
    "history": (
        _KNOWN["page"]._replace(is_required=False),
        _KNOWN["game"]._replace(is_required=False),
        _DAY,
    ),
    "pause": (
        CommandOption("days", Text("Take a break of this many days"), int, least=1, most=3650, is_required=False),
        CommandOption(
            "loss", Text("Most you want to lose per day, in chips"), most=20, is_required=False, before="loss "
        ),
        CommandOption(
            "minutes", Text("Longest you want to play per day"), int, least=1, is_required=False, before="minutes "
        ),
        CommandOption("lift", Text("A limit to remove"), choices=("loss", "minutes"), is_required=False, before="off "),
        CommandOption("reminders", Text("Turn hourly reminders on or off"), choices=("quiet",), is_required=False),
    ),
    "casino choose": (
        CommandOption("casino", Text("The casino: its number in the list, or its name"), most=200, is_required=False),
    ),
    "review": (CommandOption("span", Text("A number of hands, session or month"), most=10, is_required=False),),
    "help": (CommandOption("command", Text("A command or a game"), suggests="commands", most=40, is_required=False),),
    "paytable": (_KNOWN["game"]._replace(is_required=False),),
    "learn": (_KNOWN["game"]._replace(is_required=False),),
    "deal": (_DAILY_GAME._replace(is_required=False),),
    "deal play": (_DAILY_GAME, CommandOption("text", Text("bet 50, or a move such as raise"), most=40)),
    "deal results": (_DAILY_GAME._replace(is_required=False), _DAY),
    "verify": (
        _KNOWN["hand"]._replace(is_required=False),
        CommandOption("download", Text("The file that checks a record"), choices=("file",), is_required=False),
    ),
    "share": (
        _KNOWN["hand"]._replace(is_required=False),
        CommandOption("format", Text("Move by move"), choices=("replay",), is_required=False),
    ),
    "rules": (
        CommandOption(
            "game",
            Text("A game, this table's settings, or changes to them"),
            choices=(*PLAYS, "table", "changes"),
            is_required=False,
        ),
        CommandOption("clause", Text("A clause, such as G5"), most=10, is_required=False),
    ),
    "table turner": (
        CommandOption("area", Text("The cards to reveal"), suggests="turns"),
        _KNOWN["player"],
        _KNOWN["reason"]._replace(is_required=False),
    ),
    "void": (
        _KNOWN["hand"],
        CommandOption("seat", Text("One seat only, such as 2"), most=40, is_required=False),
        _KNOWN["reason"],
    ),
    "audit": (
        _KNOWN["player"]._replace(is_required=False),
        CommandOption("kind", Text("Kind of action"), most=40, is_required=False),
    ),
    "standing": (CommandOption("order", Text("Your standing order, or off"), suggests="orders", is_required=False),),
}


def options_for(verb: CommandSpec) -> tuple[CommandOption, ...]:
    """Return the options of a command by its usage in the registry; an unknown form becomes one line of words."""
    if verb.name in _SPECIAL:
        return _SPECIAL[verb.name]
    if verb.usage == "on|off":
        return (_SWITCH,)
    if re.fullmatch(r"[a-z]+(\|[a-z]+)+", verb.usage):
        return (CommandOption("choice", Text("One of these"), choices=tuple(verb.usage.split("|")), is_required=False),)
    found: list[CommandOption] = []
    is_optional = False
    # Of several usages the last one has names.
    for word in verb.usage.split(" | ")[-1].replace(" ...", "").split():
        is_optional = is_optional or word.startswith("[")
        option = _option_of(word.strip("[]"))
        if option is None:
            return (CommandOption("arguments", Text("{usage}", usage=verb.usage), most=200, is_required=False),)
        found.append(option._replace(is_required=not is_optional))
        is_optional = is_optional and not word.endswith("]")
    return tuple(found)


def _option_of(word: str) -> CommandOption | None:
    """Return an option for `AMOUNT`, `NUMBER|off`, or names such as `coin|four`."""
    names = word.split("|")
    if names == ["on", "off"]:
        return _SWITCH
    if all(name.islower() for name in names):
        return _KNOWN["setting"]._replace(choices=tuple(names), suggests="")
    values = [name.lower() for name in names if name.isupper()]
    return _KNOWN.get(values[0]) if len(values) == 1 else None


def args_of(options: tuple[CommandOption, ...], given: dict[str, Any]) -> tuple[str, ...]:
    """Return the words of the command in the order of its usage, whatever the order of the given options."""
    words: list[str] = []
    for option in options:
        value = given.get(option.name)
        if value is None:
            continue
        if option.kind is discord.User:
            words.append(pick_account(value.id))
            continue
        said = without_picks(str(value))
        if option.name in ("text", "reason"):
            words.append(said)
        elif option.name == "value" and given.get("setting") == "name":
            words.append(said if is_quoted(said) else f'"{said}"')
        elif option.name == "seat" and " " in said:
            words.append(f'"{said}"')
        else:
            words += f"{option.before}{said}".split()
    return tuple(words)


async def suggest(answers: Answers, interaction: Interaction, option: CommandOption, current: str) -> list[Any]:
    """Return at most 25 suggestions that fit the typed text; they are shown privately."""
    table = answers.context.table_at(str(interaction.channel_id))
    player, language = answers.player_of(interaction), answers.language(interaction)
    found = _SUGGESTIONS[option.suggests](answers, table, player, language)
    wanted = fold(current)
    fitting = [(name, value) for name, value in found if fold(str(value)).startswith(wanted) or wanted in fold(name)]
    return [
        app_commands.Choice(name=name[:100], value=int(value) if option.kind is int else str(value))
        for name, value in fitting[:MOST]
    ]


Found = list[tuple[str, str | int]]


def _amounts(answers: Answers, table: Table | None, player: int | None, language: str) -> Found:
    words: Found = [(word, word) for word in ("min", "half", "max", "all")]
    if table is None or table.plays.seating is Seating.STACKS:
        return words
    options = options_of(answers.state, table)
    return [(typed(amount), typed(amount)) for amount in chip_amounts(options.minimum, options.maximum)] + words


def _seats(answers: Answers, table: Table | None, player: int | None, language: str) -> Found:
    """Suggest free seats, and on boxes those where bets behind are possible (BJ3)."""
    if table is None:
        return []
    seats, behind_holders = range(1, seats_of(table) + 1), table.plays.seating is Seating.BOXES
    return [(str(seat), seat) for seat in seats if seat not in table.seats or behind_holders]


def _cards(answers: Answers, table: Table | None, player: int | None, language: str) -> Found:
    """Suggest the player's own cards, by position (CS6)."""
    if table is None or table.round.hand is None or player is None:
        return []
    seats = answers.context.screen(table, player).seats
    own = next((seat.piles[0].cards for seat in seats if seat.is_viewer and seat.piles), ())
    return [(f"{position}: {say_card(card)}", position) for position, card in enumerate(own, start=1)]


def _times(answers: Answers, table: Table | None, player: int | None, language: str) -> Found:
    """Suggest the bets that are possible now (UT4 to UT6)."""
    if table is None or table.round.hand is None or player is None:
        return []
    mine = table.seats_played_by(player)
    offers = [offer for seat in mine for offer in table.round.hand.asks.get(seat, ()) if offer.argument.isdigit()]
    return [(f"{offer.argument} ×", int(offer.argument)) for offer in offers]


def _turns(answers: Answers, table: Table | None, player: int | None, language: str) -> Found:
    """Suggest the cards that players can reveal now."""
    turning = [one for one in table.round.turning if is_known(table, one)] if table is not None else ()
    return [(say(Text("{spot}", spot=Word(spot)), language), spot) for spot in turning]


def _spots(answers: Answers, table: Table | None, player: int | None, language: str) -> Found:
    spots = (*table.rules.spots, *table.plays.announced) if table is not None else ()
    return [(say(Text("{spot}", spot=Word(spot)), language), spot) for spot in spots]


def _tables(answers: Answers, table: Table | None, player: int | None, language: str) -> Found:
    """Suggest the casino's tables, by number."""
    home = answers.state.seen_last[player].casino if player is not None else None
    open_tables = answers.context.tables(home) if home is not None else []
    return [(f"{one.number}: {one.rules.name}", str(one.number)) for one in open_tables]


def _orders(answers: Answers, table: Table | None, player: int | None, language: str) -> Found:
    """Suggest the standing orders of this table's game (CS10, UT17, BJ6)."""
    orders = table.plays.orders if table is not None else {}
    return [(name, name) for name in (*orders, "off")]


def _commands(answers: Answers, table: Table | None, player: int | None, language: str) -> Found:
    """Suggest games and commands, each of which has a page of help."""
    return [*((title_of(game), game) for game in PLAYS), *((f"/{name}", name) for name in CHAT_COMMANDS)]


def _settings(answers: Answers, table: Table | None, player: int | None, language: str) -> Found:
    names = [*vars(Settings())]
    if table is not None:
        names += [*vars(table.rules.parse_options(table.options))]
    return [(name, name) for name in names]


_SUGGESTIONS = {
    "amounts": _amounts,
    "seats": _seats,
    "cards": _cards,
    "times": _times,
    "spots": _spots,
    "turns": _turns,
    "commands": _commands,
    "settings": _settings,
    "orders": _orders,
    "tables": _tables,
}
