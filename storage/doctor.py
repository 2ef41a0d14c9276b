"""Checks of the books by themselves: sums, balances, keys, numbers. One sentence a fault; nothing is repaired.

Checks that need the rules are the bot's.
"""

from collections.abc import Iterator

from storage.rows import TABLES
from storage.store import Reader

# Keys of tables that are only appended to; the others name theirs in TABLES.
_APPENDED = {
    "accounts": "name",
    "answers": "key",
    "log_entries": "casino, log, number",
    "log_heads": "casino, log, size",
    "moves": "hand, number",
    "postings": "hand, event",
    "results": "hand, player",
    "sums": "player, casino, game",
}


def examine(books: Reader) -> Iterator[str]:
    """Yield every fault of the store, the ledger and the rows."""
    yield from books.faults_of_store()
    yield from _examine_keys(books)
    yield from _examine_postings(books)
    yield from _examine_balances(books)
    yield from _examine_hands(books)
    yield from _examine_sums(books)


def _examine_keys(books: Reader) -> Iterator[str]:
    keys = {table: ", ".join(kind._fields[:count]) for kind, (table, count) in TABLES.items() if count} | _APPENDED
    for table, names in keys.items():
        given = " AND ".join(f"{name} IS NOT NULL" for name in names.split(", "))
        doubled = f"SELECT {names}, count(*) FROM {table} WHERE {given} GROUP BY {names} HAVING count(*) > 1"
        for *key, count in books._select(doubled):
            yield f"{table} has {count} rows with the key {', '.join(map(str, key))}."


def _examine_postings(books: Reader) -> Iterator[str]:
    for id, why in books._select("SELECT id, why FROM postings WHERE debit = credit OR amount <= 0"):
        yield f"Posting {id} ({why}) moves nothing."
    stray = """SELECT id, amount, debit, credit FROM postings
               WHERE (debit LIKE 'hand:%' AND debit <> coalesce('hand:' || hand, ''))
                  OR (credit LIKE 'hand:%' AND credit <> coalesce('hand:' || hand, ''))"""
    for id, amount, debit, credit in books._select(stray):
        yield f"Posting {id} of {amount} from {debit} to {credit} belongs to another hand or to none."


def _examine_balances(books: Reader) -> Iterator[str]:
    ((total,),) = books._select("SELECT coalesce(sum(balance), 0) FROM accounts")
    if total:
        yield f"All accounts together hold {total}, which should be 0."
    differ = """SELECT name, sum(balance), sum(posted) FROM (
                    SELECT name, balance, 0 AS posted FROM accounts
                    UNION ALL SELECT credit, 0, amount FROM postings
                    UNION ALL SELECT debit, 0, -amount FROM postings) AS both_sides
                GROUP BY name HAVING sum(balance) <> sum(posted)"""
    for name, balance, posted in books._select(differ):
        yield f"Account {name} holds {balance}, but its postings add up to {posted}."
    owing = """SELECT name, balance FROM accounts WHERE balance < 0
               AND name NOT LIKE 'bank:%' AND name NOT LIKE 'mint:%' AND name NOT LIKE 'issue:%'"""
    for name, balance in books._select(owing):
        yield f"Account {name} is below zero: {balance}."
    left = """SELECT accounts.name, accounts.balance, coalesce(hands.status, 'not there') FROM accounts
              LEFT JOIN hands ON accounts.name = 'hand:' || hands.id
              WHERE accounts.name LIKE 'hand:%' AND accounts.balance <> 0
                AND coalesce(hands.status, '') NOT IN ('betting', 'playing')"""
    for name, balance, status in books._select(left):
        yield f"Account {name} still holds {balance}, but its hand is {status}."


def _examine_hands(books: Reader) -> Iterator[str]:
    gaps = """SELECT hand, count(*), min(number), max(number) FROM moves
              GROUP BY hand HAVING min(number) <> 0 OR max(number) <> count(*) - 1"""
    for hand, count, first, last in books._select(gaps):
        yield f"The moves of hand {hand} have gaps: {count} of them are numbered from {first} to {last}."
    for (hand,) in books._select("SELECT id FROM hands WHERE (closed IS NULL) <> (status IN ('betting', 'playing'))"):
        yield f"Hand {hand} is both closed and open."
    early = "SELECT DISTINCT hand FROM moves JOIN hands ON hands.id = moves.hand WHERE hands.status = 'betting'"
    for (hand,) in books._select(early):
        yield f"Hand {hand} has moves but no cards."
    several = """SELECT table_id, count(*) FROM hands WHERE status IN ('betting', 'playing')
                 GROUP BY table_id HAVING count(*) > 1"""
    for table, count in books._select(several):
        yield f"Table {table} has {count} open hands."


def _examine_sums(books: Reader) -> Iterator[str]:
    """Compare the stored sums with the real ones, by player, casino and game."""
    differ = """SELECT player, casino, game FROM (
                    SELECT player, casino, game, 1 AS kept, hands, wagered, returned, best FROM sums
                    UNION ALL SELECT player, casino, game, 0, count(*), sum(wagered), sum(returned),
                                     max(returned - wagered) FROM results GROUP BY player, casino, game) AS side_by_side
                GROUP BY player, casino, game
                HAVING sum(kept) <> 1 OR count(*) <> 2 OR min(hands) <> max(hands) OR min(best) <> max(best)
                    OR min(wagered) <> max(wagered) OR min(returned) <> max(returned)"""
    for player, casino, game in books._select(differ):
        yield f"The totals of player {player} at {game} in casino {casino} do not match the results."
