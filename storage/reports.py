"""What the books tell over time: the course of accounts, a player's results; few rows, however many postings.

Reads only, and for whoever is not the writer: the database makes the sums, off the pit's thread.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from storage.database import Reader


class Reading(NamedTuple):
    """What accounts held together from `at` on."""

    at: float
    holds: int


class GameResults(NamedTuple):
    """A player's hands of one game; `best` is the most that one hand won, below zero where all of them lost."""

    game: str
    hands: int
    wagered: int
    returned: int
    best: int


def course(books: Reader, accounts: Sequence[str], most: int) -> list[Reading]:
    """The readings of accounts together, oldest first: all of them, or those at the ends of `most` equal times.

    What moves between two of the accounts leaves no trace. A peak between two readings is not seen.
    """
    moments = list(_ends(books, accounts))
    if not moments:
        return []
    first, length = min(moments), max(max(moments) - min(moments), 0.001)
    slot = "CAST(min(max(at - ?, 0.0) * ? / ?, ?) AS INTEGER)"
    marks = ", ".join("?" * len(accounts))
    sql = f"""
        SELECT max(at), sum(amount) FROM (
            SELECT {slot} AS slot, max(at) AS at, sum(amount) AS amount
            FROM postings WHERE credit IN ({marks}) GROUP BY 1
            UNION ALL SELECT {slot}, max(at), -sum(amount) FROM postings WHERE debit IN ({marks}) GROUP BY 1)
        GROUP BY slot ORDER BY slot"""
    slots = (first, most, length, most - 1, *accounts)
    rows = books.select(sql, *slots, *slots)
    return [Reading(at, holds) for (at, _), holds in zip(rows, accumulate(moved for _, moved in rows), strict=True)]


def _ends(books: Reader, accounts: Sequence[str]) -> Iterator[float]:
    """When each account first and last gave and took, by the indexes alone."""
    for account in accounts:
        for side in ("debit", "credit"):
            for order in ("ASC", "DESC"):
                sql = f"SELECT at FROM postings WHERE {side} = ? ORDER BY id {order} LIMIT 1"
                yield from (at for (at,) in books.select(sql, account))


def results_by_game(books: Reader, casino: int, players: Sequence[int]) -> list[GameResults]:
    """One row for each game that was played; `players` are the numbers of one person."""
    sql = f"""SELECT game, count(*), sum(wagered), sum(returned), max(returned - wagered) FROM results
              WHERE player IN ({", ".join("?" * len(players))}) AND casino = ? GROUP BY game ORDER BY game"""
    return [GameResults(*row) for row in books.select(sql, *players, casino)]
