"""Questions about the logs of casinos: which there are, how far they have come, and their entries."""

import json
from collections.abc import Collection, Iterator
from typing import Any

from storage.rows import LogEntryRow, LogHeadRow, LogRow
from storage.store import Reader

NODE_BYTES = 32
_AT_ONCE = 500
# The column that numbers the rows of a log.
_AFTER = "WHERE casino = ? AND log = ? AND {0} > ? ORDER BY {0} LIMIT ?"


def log(books: Reader, casino: int, number: int | None = None) -> LogRow | None:
    """Return the log of that number, or the casino's latest; None where there is none."""
    if number is None:
        return books._first(LogRow, "WHERE casino = ? ORDER BY number DESC", casino)
    return books._first(LogRow, "WHERE casino = ? AND number = ?", casino, number)


def logs(books: Reader) -> list[LogRow]:
    """Return all logs of all casinos, in order."""
    return books._rows(LogRow, "ORDER BY casino, number")


def logs_of_casino(books: Reader, casino: int, most: int) -> list[LogRow]:
    """Return the logs of a casino, the last one first."""
    return books._rows(LogRow, "WHERE casino = ? ORDER BY number DESC LIMIT ?", casino, most)


def size_of_log(books: Reader, casino: int, number: int) -> int:
    """Count the entries of a log."""
    sql = "SELECT number FROM log_entries WHERE casino = ? AND log = ? ORDER BY number DESC LIMIT 1"
    last = books._select(sql, casino, number)
    return int(last[0][0]) + 1 if last else 0


def time_of_entry(books: Reader, casino: int, number: int, index: int) -> int:
    """Return the time of an entry, as the entry has it."""
    (entry,) = entries(books, casino, number, index, index + 1)
    said: dict[str, Any] = json.loads(entry)
    return int(said["at"])


def entries(books: Reader, casino: int, number: int, begin: int, end: int) -> list[str]:
    """Return the entries from `begin` up to `end`, excluded."""
    sql = """SELECT entry FROM log_entries WHERE casino = ? AND log = ? AND number >= ? AND number < ?
             ORDER BY number"""
    return [str(entry) for (entry,) in books._select(sql, casino, number, begin, end)]


def entries_at(books: Reader, casino: int, number: int, lines: Collection[int]) -> dict[int, str]:
    """Return the entry of each of these lines of a log that exists."""
    wanted, found = sorted(lines), dict[int, str]()
    for first in range(0, len(wanted), _AT_ONCE):
        some = wanted[first : first + _AT_ONCE]
        sql = f"""SELECT number, entry FROM log_entries
                  WHERE casino = ? AND log = ? AND number IN ({", ".join("?" * len(some))})"""
        found |= {int(line): str(entry) for line, entry in books._select(sql, casino, number, *some)}
    return found


def entry_rows(books: Reader, casino: int, number: int) -> Iterator[LogEntryRow]:
    """Yield all entries of a log, some at a time: it may be larger than memory."""
    last = -1
    while rows := books._rows(LogEntryRow, _AFTER.format("number"), casino, number, last, _AT_ONCE):
        yield from rows
        last = rows[-1].number


def nodes(books: Reader, casino: int, number: int, places: Collection[tuple[int, int]]) -> dict[tuple[int, int], bytes]:
    """Return the node of each (level, index) of the Merkle tree, stored with the entry that completed it."""
    wanted = sorted({last_below(level, index) for level, index in places})
    found: dict[int, bytes] = {}
    for first in range(0, len(wanted), _AT_ONCE):
        some = wanted[first : first + _AT_ONCE]
        sql = f"""SELECT number, nodes FROM log_entries
                  WHERE casino = ? AND log = ? AND number IN ({", ".join("?" * len(some))})"""
        found |= {int(entry): bytes(nodes) for entry, nodes in books._select(sql, casino, number, *some)}
    return {(level, index): _node_in(found[last_below(level, index)], level) for level, index in places}


def last_below(level: int, index: int) -> int:
    """Return the number of the entry that completes a node: the last leaf below it."""
    return (index + 1 << level) - 1


def _node_in(nodes: bytes, level: int) -> bytes:
    return nodes[NODE_BYTES * level : NODE_BYTES * (level + 1)]


def newest_head(books: Reader, casino: int, number: int) -> LogHeadRow | None:
    """Return the newest signed head of a log, or None."""
    return books._first(LogHeadRow, "WHERE casino = ? AND log = ? ORDER BY size DESC", casino, number)


def heads_of_sizes(books: Reader, casino: int, number: int, begin: int, end: int, most: int) -> list[LogHeadRow]:
    """Return the first `most` heads of a log with a size from `begin` up to `end`, excluded."""
    where = "WHERE casino = ? AND log = ? AND size >= ? AND size < ? ORDER BY size LIMIT ?"
    return books._rows(LogHeadRow, where, casino, number, begin, end, most)


def heads(books: Reader, casino: int, number: int) -> Iterator[LogHeadRow]:
    """Yield all signed heads of a log from the first on, some at a time."""
    last = -1
    while rows := books._rows(LogHeadRow, _AFTER.format("size"), casino, number, last, _AT_ONCE):
        yield from rows
        last = rows[-1].size
