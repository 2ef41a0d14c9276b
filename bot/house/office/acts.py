"""What the audit log says of an act, for whoever reads it: names instead of numbers, amounts in chips, and the command
that takes the act back, where it has an opposite.

A command says here, once, how its entries are read. What the log keeps stays as it was written.
"""

import re
from collections.abc import Callable, Collection, Mapping
from typing import NamedTuple

from bot.house.office.table_options import known_at
from bot.house.speech.command import Refused
from bot.house.speech.offers import typed
from bot.house.speech.options import parse_option
from bot.house.state.table import Table
from bot.texts import Text, say_value
from bot.texts.languages import SOURCE
from bot.texts.times import write_time
from engine.felt import Amount
from storage.rows import AuditRow

_PLAYER = re.compile(r"\bplayer (\d+)\b")
_NUMBER = re.compile(r"-?[0-9]+")
_IDS = re.compile(r"\[[0-9, ]*\]")
_BACK = re.compile(r"([0-9]+) back\b")


class Undo(NamedTuple):
    """The command that takes an act back: at the casino's table of that number, or anywhere in the casino. A reason
    goes behind it.
    """

    verb: str
    args: tuple[str, ...] = ()
    table: int | None = None


class Reader(NamedTuple):
    """Who reads: what players are called, which tables the casino has by number, and the reader's language."""

    name_of: Callable[[int], str]
    tables: Mapping[int, Table]
    language: str


class Kind(NamedTuple):
    """How entries of an act are read: `amounts` says of a subject which of `before` and `after` are minor units."""

    undo: Callable[[AuditRow, Reader], Undo | None] = lambda row, reader: None
    amounts: Callable[[str], Collection[str]] = lambda subject: ()


ACTS: dict[str, Kind] = {}
BOTH = ("before", "after")


def both(subject: str) -> Collection[str]:
    """Amounts, whatever it is about."""
    return BOTH


def tell_act(row: AuditRow, name_of: Callable[[int], str]) -> Text:
    """One line of the log; its values stand in the columns of a page too."""
    kind = ACTS.get(row.act, Kind())
    amounts = kind.amounts(row.subject)
    return Text(
        "{when} UTC · {who}: {act}, {subject} ({reason}) {before} → {after}",
        "",
        when=write_time(row.at),
        who=name_of(row.who) if row.who else "Ridotto",
        act=row.act,
        subject=_PLAYER.sub(lambda found: name_of(int(found[1])), row.subject),
        reason=row.reason or "–",
        before=_write(row.before, name_of, is_amount="before" in amounts),
        after=_write(row.after, name_of, is_amount="after" in amounts),
    )


def _write(value: str, name_of: Callable[[int], str], *, is_amount: bool) -> object:
    if is_amount and _NUMBER.fullmatch(value):
        return Amount(int(value))
    if _IDS.fullmatch(value):
        return ", ".join(name_of(int(id)) for id in re.findall("[0-9]+", value)) or "–"
    return _BACK.sub(lambda found: f"{say_value(Amount(int(found[1])), SOURCE)} back", value) or "–"


def undo_of(row: AuditRow, reader: Reader) -> Undo | None:
    """What takes it back; None for what nothing takes back, such as a hand that is void."""
    return ACTS.get(row.act, Kind()).undo(row, reader)


def is_set(row: AuditRow) -> bool:
    """Whether it changed a value: what it was before can be set again."""
    return bool(row.before) and row.before != row.after


def player_in(row: AuditRow) -> int | None:
    """Whom it is about."""
    found = _PLAYER.search(row.subject)
    return int(found[1]) if found else None


def quoted(name: str) -> str:
    """As one argument, whatever it is made of."""
    return f'"{name}"'


def _of_table(verb: str) -> Kind:
    def undo(row: AuditRow, reader: Reader) -> Undo | None:
        found = re.fullmatch(r"table (\d+)", row.subject)
        table = reader.tables.get(int(found[1])) if found else None
        return None if table is None or table.status == "closed" else Undo(verb, (), table.number)

    return Kind(undo)


def _of_player(verb: str) -> Kind:
    def undo(row: AuditRow, reader: Reader) -> Undo | None:
        player = player_in(row)
        return Undo(verb, (quoted(reader.name_of(player)),)) if player is not None else None

    return Kind(undo)


def _of_chips(verb: str) -> Kind:
    def undo(row: AuditRow, reader: Reader) -> Undo | None:
        player, moved = player_in(row), _moved(row)
        return Undo(verb, (quoted(reader.name_of(player)), typed(abs(moved)))) if player is not None and moved else None

    return Kind(undo, both)


def _moved(row: AuditRow) -> int:
    values = [int(value) if _NUMBER.fullmatch(value) else 0 for value in (row.before, row.after)]
    return values[1] - values[0]


def _undo_adjustment(row: AuditRow, reader: Reader) -> Undo | None:
    found, player, moved = re.search(r"\bhand (\d+) ", row.subject), player_in(row), _moved(row)
    if found is None or player is None or not moved:
        return None
    amount = f"-{typed(moved)}" if moved > 0 else typed(-moved)
    return Undo("adjust", (found[1], quoted(reader.name_of(player)), amount))


def _undo_setting(row: AuditRow, reader: Reader) -> Undo | None:
    """The log has a value as the language of the source writes it, and the command is typed in the reader's."""
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
        "table open": _of_table("table close"),
        "table pause": _of_table("table resume"),
        "table resume": _of_table("table pause"),
        "table set": Kind(_undo_setting),
        "ban": _of_player("unban"),
        "unban": _of_player("ban"),
        "inspector add": _of_player("inspector remove"),
        "inspector remove": _of_player("inspector add"),
        "grant": _of_chips("take"),
        "take": _of_chips("grant"),
        "adjust": Kind(_undo_adjustment, both),
    }
)
