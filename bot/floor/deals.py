"""How the books keep a deal: the record without its moves and its seed, which have a place of their own, and a seal.

Stud: also how many hours after the hand it may be read, as the table had it at the deal (option `reveal_after`).

The seal is a digest over both. It proves nothing to a stranger, who has the commit for that; it tells `ridotto doctor`
whether a deal is still what was written.
"""

import hashlib
import json
from typing import Any

from engine.felt import Deal
from engine.record import write_record
from storage.rows import HandRow

NO_DEAL = "{}"
REVEAL_AFTER = 24


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
