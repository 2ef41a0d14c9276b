"""How the books keep a deal: the record without its moves and its seed, which have a place of their own, and a seal.

Stud: also how many hours after the hand it may be read, as the table had it at the deal (option `reveal_after`).

The seal is a digest over both. It proves nothing to a stranger, who has the commit for that; it tells `ridotto doctor`
whether a deal is still what was written.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Iterable
from typing import Any

from engine.felt import Deal
from engine.hand import GAMES, Hand
from engine.record import write_record
from storage.database import Reader
from storage.rows import HandRow

NO_DEAL = "{}"
REVEAL_AFTER = 24
_READ_AT_ONCE = 500
# Whoever looks first plays it again; the pit adds no move to a hand that another thread is reading.
_one_reads = threading.Lock()


class KeptHand(Hand):
    """A hand as the books keep it, played again when somebody looks at it for the first time: a house with thousands
    of them is open at once. Raises what `read` raises, for as long as it does.
    """

    __slots__ = ("_hand", "_read", "_table", "is_read")

    def __init__(self, read: Callable[[int, int], Hand], table: int, hand: int) -> None:
        self._read, self._table, self._hand = read, table, hand
        self.is_read = False

    def __getattr__(self, name: str) -> Any:
        """Comes only for what is not there yet."""
        if name not in Hand.__slots__:
            raise AttributeError(name)
        with _one_reads:
            if not self.is_read:
                found = self._read(self._table, self._hand)
                for slot in Hand.__slots__:
                    setattr(self, slot, getattr(found, slot))
                self.is_read = True
        return getattr(self, name)


def known_rules(books: Reader, hands: Iterable[int]) -> set[int]:
    """Which of them were dealt under rules that are here: those can be left for later."""
    wanted, known = sorted(hands), set[int]()
    for first in range(0, len(wanted), _READ_AT_ONCE):
        some = wanted[first : first + _READ_AT_ONCE]
        sql = f"""SELECT id, game, json_extract(deal, '$.rules') FROM hands
                  WHERE id IN ({", ".join("?" * len(some))}) AND json_valid(deal)"""
        known |= {id for id, game, rules in books.select(sql, *some) if game in GAMES and rules == GAMES[game].rules}
    return known


def dump_deal(deal: Deal, reveal_after: int) -> str:
    assert deal.seed is not None
    record = write_record(deal, [])
    del record["seed"]["server"], record["moves"]
    if deal.game == "stud":
        record["reveal_after"] = reveal_after
    return json.dumps({**record, "seal": _seal(record, deal.seed.server)})


def load_deal(row: HandRow) -> dict[str, Any] | None:
    """The record as far as the deal goes, without the server seed; None before the cards."""
    if row.deal == NO_DEAL:
        return None
    record: dict[str, Any] = json.loads(row.deal)
    record.pop("seal", None)
    record.pop("reveal_after", None)
    return record


def hidden_for(row: HandRow) -> float:
    """Seconds after its end until a hand may be read."""
    return 3600.0 * int(json.loads(row.deal).get("reveal_after", REVEAL_AFTER)) if row.game == "stud" else 0.0


def is_as_written(row: HandRow) -> bool:
    record = json.loads(row.deal)
    return row.deal == NO_DEAL or record.pop("seal", None) == _seal(record, row.seed)


def _seal(record: dict[str, Any], seed: bytes) -> str:
    return hashlib.sha256(seed + json.dumps(record).encode()).hexdigest()[:16]
