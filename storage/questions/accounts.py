"""Questions about accounts: what they hold, what they held over time, and what they come to together."""

from collections.abc import Collection, Iterator, Sequence
from itertools import accumulate
from string import ascii_lowercase
from typing import NamedTuple

from storage import ledger
from storage.store import Reader


class Reading(NamedTuple):
    """Joint balance of accounts from `at` on."""

    at: float
    holds: int


class Total(NamedTuple):
    """Number of accounts of a kind and their joint balance."""

    kind: str
    accounts: int
    holds: int


def totals_by_kind(books: Reader) -> list[Total]:
    """Return the kinds of accounts ("player", "bank"), each with its sum; all sums together are zero."""
    kind = f"substr(name, 1, length(name) - length(ltrim(name, '{ascii_lowercase}')))"
    return [Total(*row) for row in books._select(f"SELECT {kind}, count(*), sum(balance) FROM accounts GROUP BY 1")]


def balances_of(books: Reader, accounts: Collection[str]) -> dict[str, int]:
    """Return the balances of those accounts that have postings."""
    marks = ", ".join("?" * len(accounts))
    return dict(books._select(f"SELECT name, balance FROM accounts WHERE name IN ({marks})", *accounts))


def nonzero_balances(books: Reader, kind: str = "") -> dict[str, int]:
    """Return all balances other than 0, of all accounts or of one kind."""
    sql = "SELECT name, balance FROM accounts WHERE name LIKE ? AND balance <> 0 ORDER BY name"
    return dict(books._select(sql, f"{kind}:%" if kind else "%"))


def _wallets_of(casino: int) -> tuple[str, str]:
    """Return the range of names of a casino's wallets, the second one excluded."""
    first = ledger.wallet(casino, 0).removesuffix("0")
    return first, first[:-1] + chr(ord(first[-1]) + 1)


def sum_of_wallets(books: Reader, casino: int) -> int:
    """Return the sum of all wallets of a casino."""
    sql = "SELECT coalesce(sum(balance), 0) FROM accounts WHERE name >= ? AND name < ?"
    return int(books._select(sql, *_wallets_of(casino))[0][0])


def richest_wallets(books: Reader, casino: int, most: int) -> list[tuple[int, int]]:
    """Return (player, chips) of the richest members. The one query that reads every member's wallet."""
    first, end = _wallets_of(casino)
    sql = "SELECT name, balance FROM accounts WHERE name >= ? AND name < ? ORDER BY balance DESC LIMIT ?"
    return [(int(name.removeprefix(first)), int(chips)) for name, chips in books._select(sql, first, end, most)]


def balance_history(books: Reader, accounts: Sequence[str], most: int) -> list[Reading]:
    """Return the readings of accounts together, oldest first: all of them, or the last in each of `most` equal times.

    Postings between two of the accounts cancel out. A peak between two readings is not seen.
    """
    moments = list(_ends(books, accounts))
    if not moments:
        return []
    first, length = min(moments), max(max(moments) - min(moments), 0.001)
    slot = books._whole(f"{books._least}({books._greatest}(at - ?, 0.0) * ? / ?, ?)")
    marks = ", ".join("?" * len(accounts))
    sql = f"""
        SELECT max(at), sum(amount) FROM (
            SELECT {slot} AS slot, max(at) AS at, sum(amount) AS amount
            FROM postings WHERE credit IN ({marks}) GROUP BY 1
            UNION ALL SELECT {slot}, max(at), -sum(amount) FROM postings WHERE debit IN ({marks}) GROUP BY 1) AS moved
        GROUP BY slot ORDER BY slot"""
    slots = (first, most, length, most - 1, *accounts)
    rows = books._select(sql, *slots, *slots)
    return [Reading(at, holds) for (at, _), holds in zip(rows, accumulate(moved for _, moved in rows), strict=True)]


def _ends(books: Reader, accounts: Sequence[str]) -> Iterator[float]:
    """Yield the times of each account's first and last posting, from the indexes alone."""
    for account in accounts:
        for side in ("debit", "credit"):
            for order in ("ASC", "DESC"):
                sql = f"SELECT at FROM postings WHERE {side} = ? ORDER BY id {order} LIMIT 1"
                yield from (at for (at,) in books._select(sql, account))
