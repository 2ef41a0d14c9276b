"""Rules of a table for everyone at it: one card with all its settings and their history.

Law: nothing on it is for inspectors alone, and everything is read from the table and from the audit log.
"""

import re
from typing import Any

from bot.core.commands import acts
from bot.core.commands.registry import Request
from bot.core.commands.table_options import known_at, option_called, usual_at, values_at
from bot.core.state.table import Table
from bot.texts import Text
from bot.texts.games import GAME_TEXTS
from bot.texts.options import say_option, say_other
from bot.texts.times import write_time
from engine.felt import Word
from storage.questions.audit import changes_at_table
from storage.rows import AuditRow

# As many as fit into an answer, more than a table has in a season.
MOST_CHANGES = 20


def say_whose(game: str, table: Table | None) -> Text:
    """Write whose options are shown: a table's, or a game's defaults."""
    if table is not None:
        return Text(
            "{game} at table {number}. For its settings use `/rules table`.",
            game=Word(game),
            number=str(table.number),
        )
    return Text("{game} with default settings. At a table, `/rules table` shows its own.", game=Word(game))


def card(table: Table, options: Any) -> tuple[Text, ...]:
    """Write every option and setting in force as a sentence, those that differ from the usual ones first and marked.

    `options` are the table's own with those of its casino.
    """
    values, usual = values_at(table, options), usual_at(table)
    known = known_at(table.game)
    other = {name: one for name, one in known.items() if values[name] != usual[name]}
    head = Text("Table {number}: {game}. Its settings:", number=str(table.number), game=Word(table.game))
    marked = [say_other(one, values[name], usual[name]) for name, one in other.items()]
    plain = [say_option(one, values[name]) for name, one in known.items() if name not in other]
    return (head, *marked, *plain, Text("Who changed what, and when: `/rules changes`."))


def changes(request: Request, table: Table) -> tuple[Text, ...]:
    """List the latest changes of the table's settings and of the casino's options for its game, newest first."""
    kept = GAME_TEXTS[table.game].kept_by_casino if table.game in GAME_TEXTS else ()
    rows = changes_at_table(request.transaction.books, table.casino, table.number, kept, MOST_CHANGES)
    head = Text("Changes to table {number}, latest first:", number=str(table.number))
    if not rows:
        return (Text("Nothing has been changed at table {number}.", number=str(table.number)),)
    return (head, *(_say_change(request, row) for row in rows))


def _say_change(request: Request, row: AuditRow) -> Text:
    when = write_time(row.at)
    who = request.name_of(row.who) if row.who else "Ridotto"
    if row.act == "table open":
        return Text("{when} UTC · opened by {who}: {after}", when=when, who=who, after=acts.say_opened(row.after))
    told = acts.tell_act(row, request.name_of).values
    name = re.sub(r"^table \d+ ", "", row.subject)
    known = option_called(name) if name != row.subject else None
    values: dict[str, object] = {
        "option": known.label if known is not None else told["subject"],
        "before": told["before"],
        "after": told["after"],
    }
    return Text("{when} UTC · {who}: {option}: {before} → {after}", when=when, who=who, **values)
