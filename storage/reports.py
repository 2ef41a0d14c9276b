"""What the books tell over time: the course of accounts, a player's results; few rows, however many postings.

Reads only, and for whoever is not the writer: the database makes the sums, off the pit's thread.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

from storage import ledger
from storage.database import Reader
from storage.rows import ResultRow

DAY_S = 86400
_WIN = "player, game, returned - wagered AS win FROM results"


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


class Win(NamedTuple):
    """What one hand brought a person more than it cost him."""

    player: int
    name: str
    game: str
    amount: int
    is_hidden: bool


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
    sql = f"""SELECT game, sum(hands), sum(wagered), sum(returned), max(best) FROM sums
              WHERE player IN ({", ".join("?" * len(players))}) AND casino = ? GROUP BY game ORDER BY game"""
    return [GameResults(*row) for row in books.select(sql, *players, casino)]


def latest_results(books: Reader, casino: int, players: Sequence[int], most: int, skip: int = 0) -> list[ResultRow]:
    """One person's results in a casino, the latest first: read from the end, however many there are."""
    ends = [
        "SELECT * FROM (SELECT hand, player FROM results WHERE player = ? AND casino = ?"
        f" ORDER BY at DESC, hand DESC LIMIT {most + skip})"
    ] * len(players)
    sql = f"""JOIN ({" UNION ALL ".join(ends)}) USING (hand, player)
              ORDER BY at DESC, hand DESC LIMIT {most} OFFSET {skip}"""
    return books.rows(ResultRow, sql, *(value for player in players for value in (player, casino)))


def biggest_wins(books: Reader, casino: int, most: int, since: float | None = None) -> list[Win]:
    """The biggest single hands, of all time or since then (a week back at most); by indexes, never by all hands."""
    top = "ORDER BY returned - wagered DESC LIMIT ?"
    if since is None:
        wins = f"SELECT {_WIN} INDEXED BY wins_by_size WHERE casino = ? AND returned > wagered {top}"
        values: list[object] = [casino, most]
    else:
        day = f"""SELECT * FROM (SELECT {_WIN} INDEXED BY wins_by_day WHERE casino = ? AND returned > wagered
                  AND CAST(at / 86400 AS INTEGER) = ? AND at >= ? {top})"""
        wins, first = " UNION ALL ".join([day] * 8), int(since // DAY_S)
        values = [value for number in range(first, first + 8) for value in (casino, number, since, most)]
    sql = f"""SELECT players.id, players.name, won.game, won.win, json_extract(players.state, '$.hidden') IS NOT NULL
              FROM ({wins}) AS won
              JOIN players AS played ON played.id = won.player
              JOIN players ON players.id = coalesce(json_extract(played.state, '$.merged'), played.id)
              ORDER BY won.win DESC LIMIT ?"""
    return [Win(*row) for row in books.select(sql, *values, most)]


def richest_wallets(books: Reader, casino: int, most: int) -> list[tuple[int, int]]:
    """(player, chips) of the richest: the one report that looks at every member, in the order in which they lie."""
    first = ledger.wallet(casino, 0).removesuffix("0")
    sql = "SELECT name, balance FROM accounts WHERE name >= ? AND name < ? ORDER BY balance DESC LIMIT ?"
    rows = books.select(sql, first, first[:-1] + chr(ord(first[-1]) + 1), most)
    return [(int(name.removeprefix(first)), int(chips)) for name, chips in rows]
