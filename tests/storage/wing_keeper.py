"""A process that keeps a wing of books on a server, writes in it, and may take what becomes free.

    python -m tests.storage.wing_keeper ADDRESS FOLDER TERM_S CASINO [takes]

Of each casino that it keeps it says `CASINO NUMBER` when so many chips are in its one wallet.
"""

import sys
from pathlib import Path

from storage.address import parse_address
from storage.postgres import PostgresStore
from storage.rows import WINGS, AnswerRow, PostingRow, wing_of
from storage.store import Books, opened
from tests.storage.drafts import draft_on

CASINOS = (2, 3)


def main(address: str, folder: str, term_s: str, first: str, *takes: str) -> None:
    store = PostgresStore(parse_address(address), Path(folder), float(term_s))
    with opened(store, frozenset({wing_of(int(first))})) as books:
        while True:
            if takes:
                books.take_wings(WINGS)
            for casino in CASINOS:
                if wing_of(casino) in books.wings:
                    print(casino, add(books, casino), flush=True)


def add(books: Books, casino: int) -> int:
    """One chip, under a key of its own."""
    wallet, bank = f"player:{casino}:1", f"bank:{casino}"
    number = books.balance(wallet) + 1
    key = f"{casino}.{number}"
    draft = draft_on(books, AnswerRow(key, "[]", 0.0), PostingRow(0.0, bank, wallet, 1, key, None, None))
    draft.balances |= {wallet: number, bank: -number}
    books.write(draft)
    return number


if __name__ == "__main__":
    main(*sys.argv[1:])
