"""Transactions for a store alone: rows and balances without the rules."""

from storage.ledger import Draft
from storage.rows import CasinoRow, HandRow, TableRow


def draft_on(books, *rows, **balances):
    draft = Draft(books)
    for row in rows:
        draft.put(row)
    draft.balances |= {name.replace("_", ":"): amount for name, amount in balances.items()}
    return draft


def with_a_hand(books, **balances):
    casino, table = CasinoRow(1, "Lounge", "{}", 0.0), TableRow(1, 1, "caribbean", "open", "{}")
    hand = HandRow(7, 1, 1, "caribbean", "betting", b"seed", "{}", 0.0, None)
    return draft_on(books, casino, table, hand, **balances)


def write(books, *rows, **balances):
    books.write(draft_on(books, *rows, **balances))


def post(draft, debit, credit, amount, event="bet 1", hand=7):
    draft.post(debit, credit, amount, "bet", 1.0, hand, event)
    return draft
