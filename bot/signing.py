"""The key with which this machine signs the logs of the casinos. Books on a server know one key alone.

With another key every log would begin anew, and bets on the tables would go back: a machine that has another one opens
nothing.
"""

import os

from bot.config import Config
from bot.doors.kit.door import CannotOpen
from bot.house.state.lounge import LOUNGE
from engine.fairness import ed25519
from storage import house_key
from storage.questions.logs import log
from storage.restored import wings_to_begin
from storage.rows import ALL_WINGS, wing_of
from storage.store import Reader


def find_key(config: Config) -> bytes | None:
    """Return the key in the data folder, or the one that follows from the secret; None where there is neither. Raises
    BooksError."""
    file = config.data / house_key.FILE
    if file.exists():
        return house_key.read(file)
    return house_key.derive(config.secret) if config.secret is not None else None


def check_key(config: Config, key: bytes | None, books: Reader) -> bool:
    """Return whether the books have a log that tells. Raises CannotOpen where another key than `key` has signed it.

    `--new-key` is an answer to that. Restored books begin their logs anew whatever key there is.
    """
    newest = log(books, LOUNGE)
    if newest is None:
        return False
    is_signed_by_us = key is not None and newest.house == ed25519.public_key(key).hex()
    if is_signed_by_us or config.new_key or wing_of(LOUNGE) in wings_to_begin(books, ALL_WINGS):
        return True
    raise CannotOpen(
        f"The newest log of these books is signed by another key: copy {house_key.FILE} from the data folder of the "
        f"machine that signed it into {config.data}, or, if that machine has had a RIDOTTO_SECRET since its first "
        "start, set RIDOTTO_SECRET to the same value here. Only if that key is lost for good: `ridotto run --new-key` "
        "begins new logs and returns all open bets."
    )


def take_key(config: Config, books: Reader) -> bytes:
    """Return the key for open books, kept in the data folder from now on. Raises CannotOpen, BooksError."""
    key = find_key(config)
    check_key(config, key, books)
    return house_key.take(config.data, os.urandom if key is None else lambda _count: key)
