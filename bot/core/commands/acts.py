"""Entries of the audit log in words: names instead of numbers, amounts in chips, and the command that undoes an act, if
there is one.

Each command declares here how its entries are read. The log itself stays as it was written.
"""

import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from bot.core.commands.command import Refused
from bot.core.commands.offers import typed
from bot.core.commands.options import parse_option
from bot.core.commands.picks import pick_player
from bot.core.commands.table_options import known_at, option_called, say_kept
from bot.core.state.table import Table
from bot.texts import Text, say_value
from bot.texts.languages import SOURCE
from bot.texts.times import write_time
from engine.felt import Amount
from storage.rows import AuditRow

_PLAYER = re.compile(r"\bplayer (\d+)\b")
_NUMBER = re.compile(r"-?[0-9]+")
_IDS = re.compile(r"\[[0-9, ]*\]")
_TABLE = re.compile(r"table (\d+)")
_SETTING = re.compile(r"table (\d+) (\w+)")
_BACK = re.compile(r"([0-9]+) back\b")
NO_ACTS = Text("No entries yet.")


class Undo(NamedTuple):
    """The command that takes an act back: at the casino's table of that number, or anywhere in the casino. A reason
    goes behind it.
    """

    verb: str
    args: tuple[str, ...] = ()
    table: int | None = None


class AuditReader(NamedTuple):
    """Reader of the audit log: names of players, the casino's tables by number, and the reader's language."""

    name_of: Callable[[int], str]
    tables: Mapping[int, Table]
    language: str


class Kind(NamedTuple):
    """Reading of an act's entries.

    undo     the command that undoes it
    amounts  whether `before` and `after` are minor units, by the subject
    label    the act in words
    about    name of the subject, if it is the key of a rule or an option
    """

    undo: Callable[[AuditRow, AuditReader], Undo | None] = lambda row, reader: None
    amounts: Callable[[str], Collection[str]] = lambda subject: ()
    label: Text | None = None
    about: Callable[[str], object] | None = None


ACTS: dict[str, Kind] = {}
BOTH = ("before", "after")


def both(subject: str) -> Collection[str]:
    """Return the columns that are amounts for acts where both are, whatever their subject."""
    return BOTH


def tell_act(row: AuditRow, name_of: Callable[[int], str]) -> Text:
    """Write one line of the audit log; a page also shows its values in columns."""
    kind = ACTS.get(row.act, Kind())
    amounts = kind.amounts(row.subject)
    values: dict[str, object] = {
        "when": write_time(row.at),
        "who": name_of(row.who) if row.who else "Ridotto",
        "act": kind.label or row.act,
        "subject": _say_subject(row, kind, name_of),
        "reason": row.reason,
        "before": _say_side(row, row.before, name_of, is_amount="before" in amounts),
        "after": _say_side(row, row.after, name_of, is_amount="after" in amounts),
    }
    moved = [Text("{before} → {after}", **values)] if row.before else [values["after"]] if row.after else []
    values["what"] = [values["act"], *([values["subject"]] if values["subject"] else []), *moved]
    if row.reason:
        return Text("{when} UTC · {who}: {what} ({reason})", **values)
    return Text("{when} UTC · {who}: {what}", **values)


def _say_subject(row: AuditRow, kind: Kind, name_of: Callable[[int], str]) -> object:
    if kind.about is not None:
        return kind.about(row.subject)
    if found := _SETTING.fullmatch(row.subject) if row.act == "table set" else None:
        option = option_called(found[2])
        called = option.label if option is not None else found[2]
        return Text("table {number}, {option}", number=found[1], option=called)
    if found := _TABLE.fullmatch(row.subject):
        return Text("table {number}", number=found[1])
    return _PLAYER.sub(lambda found: name_of(int(found[1])), "" if row.subject == "casino" else row.subject)


def _say_side(row: AuditRow, value: str, name_of: Callable[[int], str], *, is_amount: bool) -> object:
    if row.act == "table open":
        return say_opened(value)
    if found := _SETTING.fullmatch(row.subject) if row.act == "table set" else None:
        return say_kept(found[2], value)
    return _write(value, name_of, is_amount=is_amount)


def say_opened(after: str) -> object:
    """Write the options with which a table was opened, as the log keeps them: `minimum 20, pace slow`."""
    said: list[object] = []
    for one in filter(None, after.split(", ")):
        name, _space, value = one.partition(" ")
        option = option_called(name)
        if option is None:
            said.append(one)
        else:
            said.append(Text("{option}: {value}", option=option.label, value=say_kept(name, value)))
    return said or "–"


def _write(value: str, name_of: Callable[[int], str], *, is_amount: bool) -> object:
    if is_amount and _NUMBER.fullmatch(value):
        return Amount(int(value))
    if _IDS.fullmatch(value):
        return ", ".join(name_of(int(id)) for id in re.findall("[0-9]+", value)) or "–"
    return _BACK.sub(lambda found: f"{say_value(Amount(int(found[1])), SOURCE)} back", value) or "–"


def undo_of(row: AuditRow, reader: AuditReader) -> Undo | None:
    """Return the command that undoes an act; None if nothing does, as for a void hand."""
    return ACTS.get(row.act, Kind()).undo(row, reader)


def is_set(row: AuditRow) -> bool:
    """Check whether an act changed a value whose old value can be set again."""
    return bool(row.before) and row.before != row.after


def player_in(row: AuditRow) -> int | None:
    """Return the player whom an act concerns, or None."""
    found = _PLAYER.search(row.subject)
    return int(found[1]) if found else None


def quoted(name: str) -> str:
    """Quote a name, so that it is one argument."""
    return f'"{name}"'


def _of_table(verb: str, label: Text) -> Kind:
    def undo(row: AuditRow, reader: AuditReader) -> Undo | None:
        found = _TABLE.fullmatch(row.subject)
        table = reader.tables.get(int(found[1])) if found else None
        return None if table is None or table.status == "closed" else Undo(verb, (), table.number)

    return Kind(undo, label=label)


def _of_player(verb: str, label: Text) -> Kind:
    def undo(row: AuditRow, reader: AuditReader) -> Undo | None:
        player = player_in(row)
        return Undo(verb, (pick_player(player),)) if player is not None else None

    return Kind(undo, label=label)


def _of_chips(verb: str, label: Text) -> Kind:
    def undo(row: AuditRow, reader: AuditReader) -> Undo | None:
        player, moved = player_in(row), _moved(row)
        return Undo(verb, (pick_player(player), typed(abs(moved)))) if player is not None and moved else None

    return Kind(undo, both, label)


def _say_days(subject: str) -> Text:
    return Text("{n} day", "{n} days", n=int(subject))


def _moved(row: AuditRow) -> int:
    values = [int(value) if _NUMBER.fullmatch(value) else 0 for value in (row.before, row.after)]
    return values[1] - values[0]


def _undo_adjustment(row: AuditRow, reader: AuditReader) -> Undo | None:
    found, player, moved = re.search(r"\bhand (\d+) ", row.subject), player_in(row), _moved(row)
    if found is None or player is None or not moved:
        return None
    amount = f"-{typed(moved)}" if moved > 0 else typed(-moved)
    return Undo("adjust", (found[1], pick_player(player), amount))


def _undo_setting(row: AuditRow, reader: AuditReader) -> Undo | None:
    """Return the command that sets the former value again, or None.

    The log keeps values in the language of the source, the command is typed in the reader's.
    """
    found = re.fullmatch(r"table (\d+) (\w+)", row.subject)
    table = reader.tables.get(int(found[1])) if found else None
    option = known_at(table.game).get(found[2]) if found and table is not None else None
    if found is None or table is None or option is None or table.status == "closed" or not is_set(row):
        return None
    try:
        value = parse_option("", option.unit, row.before, SOURCE)
    except Refused:
        return None
    return Undo("table set", (found[2], quoted(say_value(option.unit.write(value), reader.language))), table.number)


ACTS.update(
    {
        "table open": _of_table("table close", Text("Table opened")),
        "table close": Kind(label=Text("Table closed")),
        "table pause": _of_table("table resume", Text("Table paused")),
        "table resume": _of_table("table pause", Text("Table resumed")),
        "table set": Kind(_undo_setting, label=Text("Setting changed")),
        "table mirror": Kind(label=Text("Table linked to another channel")),
        "table private": Kind(label=Text("Private table")),
        "table invite": Kind(label=Text("Invitation")),
        "table turner": Kind(label=Text("Player chosen to reveal cards")),
        "table refuse": Kind(label=Text("Banned from holding boxes")),
        "tournament schedule": Kind(label=Text("Tournament announced")),
        "tournament postpone": Kind(label=Text("Tournament postponed")),
        "tournament cancel": Kind(label=Text("Tournament cancelled")),
        "tournament remove": Kind(label=Text("Player removed from a tournament")),
        "void": Kind(label=Text("Hand voided")),
        "noncoup": Kind(label=Text("Non-betting coup")),
        "ban": _of_player("unban", Text("Player banned")),
        "unban": _of_player("ban", Text("Ban lifted")),
        "name reset": Kind(label=Text("Name reset")),
        "inspector add": _of_player("inspector remove", Text("Inspector added")),
        "inspector remove": _of_player("inspector add", Text("Inspector removed")),
        "inspector role": Kind(label=Text("Inspector role")),
        "language": Kind(label=Text("Language")),
        "grant": _of_chips("take", Text("Chips given")),
        "take": _of_chips("grant", Text("Chips taken")),
        "adjust": Kind(_undo_adjustment, both, Text("Hand corrected")),
        "house code": Kind(label=Text("Join code made")),
        "house join": Kind(label=Text("Casino joined")),
        "house leave": Kind(label=Text("Casino left")),
        "house reset": Kind(label=Text("New season")),
        "export": Kind(label=Text("Records exported"), about=_say_days),
    }
)
