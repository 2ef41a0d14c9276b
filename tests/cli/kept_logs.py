"""A log in a store, written as a casino writes it, with hands that no one played there."""

from bot.core.casinos.log_heads import sign
from bot.core.state.transaction import State, Transaction
from engine.fairness.ed25519 import public_key
from storage.rows import CasinoRow
from storage.store import Books
from tests.engine.fairness.writing import Writing, an_evening
from tests.storage.drafts import write

SECRET = bytes(32)
KEY = public_key(SECRET).hex()
CASINO = 2
# Players as the log names them.
NAMES = {"anna": "p1", "bea": "p2", "carlo": "p3"}


def keep_an_evening(books: Books) -> Writing:
    """Store a casino with a log and its heads; return what was written, in memory."""
    write(books, CasinoRow(CASINO, "Venice", "{}", 0.0))
    return append_an_evening(State(books, key=KEY), CASINO)


def append_an_evening(house: State, casino: int) -> Writing:
    """Append to the first log of a casino."""
    written = an_evening(casino=str(casino), secret=SECRET, names=NAMES)
    transaction = Transaction(house)
    for event in written.events[1:]:
        if "sign" in event:
            transaction.put(sign(SECRET, transaction.log_of(casino), event["sign"]))
        else:
            transaction.log(casino, event)
    assert isinstance(house.books, Books)
    house.books.write(transaction)
    house.publish(transaction)
    return written
