"""How the books keep a deal: the record without its moves and its seed, which have a place of their own, and a seal.

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


def dump_deal(deal: Deal) -> str:
    assert deal.seed is not None
    record = write_record(deal, [])
    del record["seed"]["server"], record["moves"]
    return json.dumps({**record, "seal": _seal(record, deal.seed.server)})


def load_deal(row: HandRow) -> dict[str, Any] | None:
    """The record as far as the deal goes, without the server seed; None before the cards."""
    if row.deal == NO_DEAL:
        return None
    record: dict[str, Any] = json.loads(row.deal)
    record.pop("seal", None)
    return record


def is_as_written(row: HandRow) -> bool:
    record = json.loads(row.deal)
    return row.deal == NO_DEAL or record.pop("seal", None) == _seal(record, row.seed)


def _seal(record: dict[str, Any], seed: bytes) -> str:
    return hashlib.sha256(seed + json.dumps(record).encode()).hexdigest()[:16]
