"""Buttons of the settings: what each says, what has to be typed first, and the page that follows an act."""

from collections.abc import Sequence

from bot.core.commands.command import Choice
from bot.core.commands.pages import turn_pages
from bot.core.commands.picks import parse_pick
from bot.core.commands.registry import CommandSpec, Request
from bot.core.commands.table_options import MANNERS
from bot.texts import Text

SETTINGS = "settings"
# A page of a list must fit a phone and the button limits of every platform.
ROWS = 8
TABLES, TABLE, OPTIONS, OPTION, VOID, PICK = "tables", "table", "options", "option", "void", "pick"
PEOPLE, PERSON, HANDS = "people", "person", "hands"
JACKPOT, RULES, SHARING, LOG, KINDS = "jackpot", "rules", "sharing", "log", "kinds"
# Separates the command of a page from the search words.
SEARCH = "?"
WHY = Text("Reason, recorded in the audit log")
_AMOUNT = Text("Enter the amount and the reason, for example: 500 contest prize")
_VALUE = Text("Enter the new value and the reason, for example: 20 busy evening")
ASK_NAME = Text("Enter a part of the player's name.")
_ASKS = {
    SETTINGS: ASK_NAME,
    "grant": _AMOUNT,
    "take": _AMOUNT,
    "adjust": Text(
        "Enter the amount and the reason, for example: 50 wrong limit. With a minus, the player pays the bank."
    ),
    "tournament schedule": Text("Enter the game and the start as HH:MM in UTC."),
    "tournament postpone": Text("Enter the new start as HH:MM in UTC and the reason, for example: 21:30 football"),
    "meter set": _VALUE,
    "house set": _VALUE,
    "house join": Text("Enter the code that you were given by an inspector of the other casino."),
}
_ASK_CASINO = Text("Enter the new name in quotes and the reason, for example: “The Ridotto” we moved")
HOME = Text("« Settings")


def asks_of(verb: str, args: Sequence[str]) -> Text:
    """Return what must be typed before a button of these pages can submit its command."""
    if verb == "table set":
        name = args[0] if args else ""
        return WHY if len(args) > 1 else Text("Enter the new value.") if name in MANNERS else _VALUE
    if verb == "meter set" and len(args) > 1:
        return WHY
    return _ASK_CASINO if (verb, *args) == ("house set", "name") else _ASKS.get(verb, WHY)


def page_after(verb: str, args: Sequence[str], table: int) -> tuple[str, ...]:
    """Return the page that follows an act; `table` is the id of the table where it was done, or 0."""
    if verb == "table set" and args:
        return (OPTION, str(table), args[0])
    if table or verb.startswith("table "):
        return (TABLE, str(table)) if table else (TABLES,)
    if verb.startswith("meter "):
        return (JACKPOT,)
    picked = next((one for one in map(parse_pick, args) if one is not None), None)
    if picked is not None and picked.player:
        return (PERSON, str(picked.player))
    if verb in ("house set", "house reset"):
        return (RULES,)
    return (SHARING,) if verb.startswith("house ") else (LOG,) if verb == "export" else ()


def turn_to(label: Text, *args: str) -> Choice:
    """Return a button that turns to another page; without words, to the first one."""
    return Choice(label, SETTINGS, args, True)


def turn_home() -> Choice:
    """Return the button that leads to the first page."""
    return turn_to(HOME)


def turn_list(page: int, *before: str, has_more: bool, rest: Sequence[str] = ()) -> tuple[Choice, ...]:
    """Return buttons to the pages of a list before and after this one."""
    return turn_pages(SETTINGS, page, has_more=has_more, before=before, rest=tuple(rest))


def fill_in(label: Text, verb: str, *args: str, at: int = 0) -> Choice:
    """Return a button that submits a command once the rest of it is typed."""
    return Choice(label, verb, args, at=at, asks=asks_of(verb, args))


def act(request: Request, name: str, *args: str, at: int = 0) -> Choice:
    """Return a button that submits a command, with the command's label; it asks for a required reason."""
    verb = request.verbs[name]
    needs_words = verb.usage.endswith("REASON") or name == "house join"
    return fill_in(label_of(verb), name, *args, at=at) if needs_words else Choice(label_of(verb), name, args, at=at)


def label_of(verb: CommandSpec) -> Text:
    """Return the label of a button that submits a command."""
    return verb.button or verb.help
