"""How the books keep a deal: the record without its moves and its seed, which have a place of their own, and a seal.

A game may set marks of its own beside the record (`Hooks.deeds`).

The seal is a digest over both. It proves nothing to a stranger, who has the commit for that; it tells `ridotto doctor`
whether a deal is still what was written.
"""

import hashlib
import json
from collections.abc import Iterable
from typing import Any

from bot.house.hooks import HOOKS
from bot.house.state.table import Table
from engine.felt import Deal
from engine.games import GAMES
from engine.record import write_record
from engine.shuffler import commit
from storage.questions import hands
from storage.rows import HandRow, MoveRow
from storage.store import Reader

NO_DEAL = "{}"


def known_rules(books: Reader, ids: Iterable[int]) -> set[int]:
    """Which of them were dealt under rules that are here: those can be left for later."""
    dealt = hands.rules_of_hands(books, ids)
    return {id for id, game, rules in dealt if game in GAMES and rules is not None and GAMES[game].knows(rules)}


def dump_deal(deal: Deal, table: Table) -> str:
    """The deal as the books keep it: a record without its secret seed and moves, with a seal over both."""
    assert deal.seed is not None
    record = write_record(deal, [])
    del record["seed"]["server"], record["moves"]
    record |= HOOKS[deal.game].deeds.write(deal, table)
    return json.dumps({**record, "seal": _seal(record, deal.seed.server)})


def load_deal(row: HandRow) -> dict[str, Any] | None:
    """The record as far as the deal goes, without the server seed; None before the cards."""
    if row.deal == NO_DEAL:
        return None
    record: dict[str, Any] = json.loads(row.deal)
    del record["seal"]
    if row.game in HOOKS:
        deeds = HOOKS[row.game].deeds
        deeds.read(record)
        record = {name: value for name, value in record.items() if name not in deeds.marks}
    return record


def hidden_for(row: HandRow) -> float:
    """Seconds after its end until a hand may be read."""
    return HOOKS[row.game].deeds.hidden_s(json.loads(row.deal)) if row.game in HOOKS else 0.0


def read_record(books: Reader, hand_id: int, *, with_seed: bool) -> dict[str, Any] | None:
    """The record of a hand as storage has it, or None; the seed only for a hand that may be shown."""
    row = hands.hand(books, hand_id)
    return None if row is None else record_of(row, hands.moves_of_hand(books, hand_id), with_seed=with_seed)


def record_of(row: HandRow, moves: Iterable[MoveRow], *, with_seed: bool) -> dict[str, Any] | None:
    """The same of rows that were read; None before the cards."""
    deal = load_deal(row)
    if deal is None:
        return None
    record = {"hand": str(row.id), "commit": commit(row.seed), **deal, "moves": [one.move for one in moves]}
    if with_seed:
        record["seed"] = {"server": row.seed.hex(), **deal["seed"]}
    else:
        del record["seed"]
    return record


def is_as_written(row: HandRow) -> bool:
    """Whether the seal still fits what stands there: nobody has changed a deal or its seed."""
    record = json.loads(row.deal)
    return row.deal == NO_DEAL or record.pop("seal", None) == _seal(record, row.seed)


def _seal(record: dict[str, Any], seed: bytes) -> str:
    return hashlib.sha256(seed + json.dumps(record).encode()).hexdigest()[:16]
