"""Questions about acts: who did what in a casino, and why."""

from collections.abc import Collection

from storage.rows import AuditRow
from storage.store import Reader


def latest_acts(books: Reader, casino: int, most: int, kind: str = "", players: Collection[int] = ()) -> list[AuditRow]:
    """The latest acts in a casino, the latest first: of a kind ("meter" is "meter reset" too), by or about a player
    under any of his numbers.
    """
    where, values = "WHERE casino = ?", list[object]([casino])
    if kind:
        where += " AND (act = ? OR substr(act, 1, ?) = ?)"
        values += [kind, len(kind) + 1, f"{kind} "]
    if players:
        where += f""" AND ({" OR ".join(["who = ? OR subject || ' ' LIKE ?"] * len(players))})"""
        values += [value for id in players for value in (id, f"%player {id} %")]
    return books._rows(AuditRow, f"{where} ORDER BY id DESC LIMIT ?", *values, most)


def kinds_of_acts(books: Reader, casino: int) -> set[str]:
    """Which kinds of acts a casino has ever seen."""
    return {act for (act,) in books._select("SELECT DISTINCT act FROM audit WHERE casino = ?", casino)}


def acts_of_casino(books: Reader, casino: int, since: float, until: float, most: int) -> list[AuditRow]:
    """The latest acts in one casino in a period, both ends included; the oldest of them first."""
    sql = "WHERE casino = ? AND at BETWEEN ? AND ? ORDER BY id DESC LIMIT ?"
    return books._rows(AuditRow, sql, casino, since, until, most)[::-1]


def changes_at_table(books: Reader, casino: int, number: int, kept: Collection[str], most: int) -> list[AuditRow]:
    """The latest changes of what the casino's table of this number has set, the latest first: with which options it was
    opened, each that was set, and those called `kept`, which the casino sets for all its tables.
    """
    where = "act = 'table open' AND subject = ? OR act = 'table set' AND subject LIKE ?"
    values: list[object] = [f"table {number}", f"table {number} %"]
    for name in kept:
        where += " OR act LIKE ? AND (subject = ? OR subject LIKE ?)"
        values += ["% set", name, f"{name} %"]
    return books._rows(AuditRow, f"WHERE casino = ? AND ({where}) ORDER BY id DESC LIMIT ?", casino, *values, most)
