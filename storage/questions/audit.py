"""Questions about acts: who did what in a casino, and why."""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from storage.confusables import fold
from storage.rows import AuditRow
from storage.store import Reader

READ_AT_ONCE = 500


class Act(NamedTuple):
    """An entry of the log, and its number in it."""

    id: int
    row: AuditRow


def latest_acts(
    books: Reader,
    casino: int,
    most: int,
    *,
    kind: str = "",
    players: Collection[int] = (),
    words: str = "",
    table: int | None = None,
    until: float | None = None,
    skip: int = 0,
) -> list[Act]:
    """Return the latest acts in a casino, latest first, without the first `skip`: of a kind ("meter" includes "meter
    reset"), by or about a player under any number, containing these words, at that table, before that time.
    """
    where, values = "WHERE casino = ?", list[object]([casino])
    if kind:
        where += " AND (act = ? OR substr(act, 1, ?) = ?)"
        values += [kind, len(kind) + 1, f"{kind} "]
    if players:
        where += f""" AND ({" OR ".join(["who = ? OR subject || ' ' LIKE ?"] * len(players))})"""
        values += [value for id in players for value in (id, f"%player {id} %")]
    if table is not None:
        where += " AND subject || ' ' LIKE ?"
        values.append(f"table {table} %")
    if until is not None:
        where += " AND at < ?"
        values.append(until)
    if words:
        return _with_words(books, where, values, words, most, skip)
    return _acts(books, where, values, most, skip)


def _acts(books: Reader, where: str, values: Sequence[object], most: int, skip: int) -> list[Act]:
    sql = f"SELECT id, {', '.join(AuditRow._fields)} FROM audit {where} ORDER BY id DESC LIMIT ? OFFSET ?"
    return [Act(id, AuditRow(*row)) for id, *row in books._select(sql, *values, most, skip)]


def _with_words(books: Reader, where: str, values: Sequence[object], words: str, most: int, skip: int) -> list[Act]:
    """Return acts that contain `words` in any case: folding is done here, because stores fold different letters."""
    found, wanted, seen = list[Act](), fold(words), 0
    while len(found) < skip + most:
        acts = _acts(books, where, values, READ_AT_ONCE, seen)
        seen += len(acts)
        found += [one for one in acts if wanted in fold(f"{one.row.act} {one.row.subject} {one.row.reason}")]
        if len(acts) < READ_AT_ONCE:
            break
    return found[skip : skip + most]


def like(words: str) -> str:
    """Return a pattern for `LIKE ? ESCAPE '!'` that finds these words anywhere, with any signs in them."""
    escaped = re.sub("([!%_])", r"!\1", words)
    return f"%{escaped}%"


def acts_taken_back(books: Reader, casino: int, since: int) -> set[int]:
    """Return the acts that were undone by acts after that number: these have `undo 12` as their reason."""
    sql = "SELECT reason FROM audit WHERE casino = ? AND id > ? AND reason LIKE 'undo %'"
    reasons = (reason.removeprefix("undo ") for (reason,) in books._select(sql, casino, since))
    return {int(reason) for reason in reasons if reason.isascii() and reason.isdigit() and len(reason) < 19}


def kinds_of_acts(books: Reader, casino: int) -> set[str]:
    """Return all kinds of acts in a casino's audit log."""
    return {act for (act,) in books._select("SELECT DISTINCT act FROM audit WHERE casino = ?", casino)}


def acts_of_casino(books: Reader, casino: int, since: float, until: float, most: int) -> list[AuditRow]:
    """Return the latest acts in one casino in a period, both ends included, the oldest first."""
    sql = "WHERE casino = ? AND at BETWEEN ? AND ? ORDER BY id DESC LIMIT ?"
    return books._rows(AuditRow, sql, casino, since, until, most)[::-1]


def changes_at_table(books: Reader, casino: int, number: int, kept: Collection[str], most: int) -> list[AuditRow]:
    """Return the latest changes of a table's settings, the latest first.

    They are the options that it was opened with, each that was set, and those called `kept`, which the casino sets for
    all its tables.
    """
    where = "act = 'table open' AND subject = ? OR act = 'table set' AND subject LIKE ?"
    values: list[object] = [f"table {number}", f"table {number} %"]
    for name in kept:
        where += " OR act LIKE ? AND (subject = ? OR subject LIKE ?)"
        values += ["% set", name, f"{name} %"]
    return books._rows(AuditRow, f"WHERE casino = ? AND ({where}) ORDER BY id DESC LIMIT ?", casino, *values, most)
