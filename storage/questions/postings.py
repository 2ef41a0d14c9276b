"""Questions about postings: what moved between accounts, of a hand, of a casino, of a wallet."""

from collections.abc import Sequence

from storage.rows import PostingRow
from storage.store import Reader


def postings_of_hand(books: Reader, id: int) -> list[PostingRow]:
    """Return the postings of a hand, in order."""
    return books._rows(PostingRow, "WHERE hand = ? ORDER BY id", id)


def postings_of_open_hands(books: Reader) -> list[PostingRow]:
    """Return the postings of all hands that are not over, in order."""
    return books._rows(
        PostingRow, "WHERE hand IN (SELECT id FROM hands WHERE status IN ('betting', 'playing')) ORDER BY id"
    )


def events_of_hands(books: Reader, ids: Sequence[int], beginning: str) -> list[tuple[int, str]]:
    """Return (hand, event) of postings in these hands whose events have this beginning; a few hundred at a time."""
    where = f"hand IN ({', '.join('?' * len(ids))}) AND substr(event, 1, ?) = ?"
    sql = f"SELECT hand, event FROM postings WHERE {where} ORDER BY id"
    return [(int(hand), event) for hand, event in books._select(sql, *ids, len(beginning), beginning)] if ids else []


def postings_into(books: Reader, account: str) -> list[PostingRow]:
    """Return all postings that credited an account, in order."""
    return books._rows(PostingRow, "WHERE credit = ? ORDER BY id", account)


def latest_postings(
    books: Reader,
    accounts: Sequence[str],
    most: int,
    skip: int = 0,
    *,
    hand: int | None = None,
    before: float | None = None,
) -> list[PostingRow]:
    """Return the latest postings in and out of a group of accounts, from the ends of their indexes, the latest first:
    of one hand, or before a moment.

    Postings between two of the accounts are left out.
    """
    marks, last = ", ".join("?" * len(accounts)), f"ORDER BY id DESC LIMIT {most + skip}"
    wanted: dict[str, object] = {"hand = ?": hand, "at < ?": before}
    wanted = {asked: value for asked, value in wanted.items() if value is not None}
    also = "".join(f" AND {asked}" for asked in wanted)
    sides = [
        f"SELECT * FROM (SELECT id FROM postings WHERE {mine} = ? AND {others} NOT IN ({marks}){also} {last}) AS ends"
        for mine, others in (("debit", "credit"), ("credit", "debit"))
        for _account in accounts
    ]
    where = f"WHERE id IN ({' UNION ALL '.join(sides)}) ORDER BY id DESC LIMIT {most} OFFSET {skip}"
    values = [value for _side in range(2) for account in accounts for value in (account, *accounts, *wanted.values())]
    return books._rows(PostingRow, where, *values)


def postings_of_casino(books: Reader, casino: int, since: float, until: float, most: int) -> list[PostingRow]:
    """Return the latest postings of one casino in a period, both ends included, the oldest first."""
    latest = "BETWEEN ? AND ? ORDER BY at DESC LIMIT ?"
    named = f"SELECT id FROM postings WHERE {books._named_casino} = ? AND at {latest}"
    # Movements between stacks and stakes are posted before their hand is closed. Hands first, each by its own postings:
    # "+" keeps SQLite from scanning the stacks of all casinos.
    unnamed = f"""SELECT postings.id FROM hands {books._join_after} postings ON postings.hand = hands.id
                  WHERE hands.casino = ? AND (closed >= ? OR closed IS NULL)
                  AND {books._named_casino} IS NULL AND +at {latest}"""
    both = f"SELECT * FROM ({named}) AS named UNION ALL SELECT * FROM ({unnamed}) AS unnamed"
    sql = f"WHERE id IN ({both}) ORDER BY id DESC LIMIT ?"
    return books._rows(PostingRow, sql, casino, since, until, most, casino, since, since, until, most, most)[::-1]
