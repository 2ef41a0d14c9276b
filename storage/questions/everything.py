"""Questions about the whole of the books, for examinations and comparisons."""

from typing import NamedTuple

from storage.store import Reader


class Counts(NamedTuple):
    """Numbers of accounts, postings and hands."""

    accounts: int
    postings: int
    hands: int


def counts(books: Reader) -> Counts:
    """Count accounts, postings and hands."""
    return Counts(*(int(books._select(f"SELECT count(*) FROM {name}")[0][0]) for name in Counts._fields))
