"""The secret with which a casino signs its logs. It is kept with its books, so that every process that opens them signs
with the same one; it is in no log, no error and no export, and in a backup only where that was asked for.
"""

from collections.abc import Callable

from storage.ledger import Draft
from storage.rows import SigningKeyRow
from storage.store import Books, Reader

BYTES = 32


def find_signing_key(books: Reader) -> bytes | None:
    """Return the key, or None where the books have none yet."""
    row = books._first(SigningKeyRow, "")
    return row.secret if row is not None else None


def take_signing_key(books: Books, entropy: Callable[[int], bytes]) -> bytes:
    """Return the key of open books, which is made when they are opened for the first time."""
    key = find_signing_key(books)
    if key is None:
        key = entropy(BYTES)
        draft = Draft(books)
        draft.put(SigningKeyRow(1, key))
        books.write(draft)
    return key
