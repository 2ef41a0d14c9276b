"""Errors of the books: what the schema refuses is a bug of the caller, everything else is a fault of the store.

BooksError    they cannot be opened or copied: nothing was begun
RowsRefused   a draft breaks the schema: a bug of the caller; the books are intact and others are served
BooksGone     open books do not read or write: not the caller's bug, and the casino stops
LeaseLost     ... because another process has them now
"""

from collections.abc import Sequence


class BooksError(Exception):
    """The books cannot be opened or copied; the sentence says why and what to do."""


class RowsRefused(Exception):
    """The schema refuses a row, or a value fits into no column. Nothing of the batch was written."""


class BooksGone(BaseException):
    """A failed read or write of the store; the sentence explains it and gives advice.

    No `except Exception` catches it, so that it is not handled as a bug that voids a hand: the process ends, and
    everything acknowledged is on the disk.
    """


class LeaseLost(BooksGone):
    """Another process has opened these books: this one stops, and says nothing more."""


def why_unknown(where: str, applied: Sequence[str], known: Sequence[str]) -> str | None:
    """Return why books with these steps of the schema cannot be opened here, and what to do; None: they can be."""
    if not applied or applied[0] != known[0]:
        return (
            f"{where} was written before Ridotto 1.0, and no release can open it. Move it aside and start with new "
            "books, or use the commit that wrote it."
        )
    if newer := [name for name in applied if name not in known]:
        return f"{where} was written by a newer Ridotto ({newer[-1]}): use that version, or restore a backup."
    return None
