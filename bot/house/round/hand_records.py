"""How the books keep a hand: its record without its moves and its seed, which have a place of their own, the lines of
its entries in the log of its casino, and a seal.

What was dealt before there were promises is a record of version 1, with marks that its game may have set beside it
(`Hooks.deeds`). It is read, and played to its end; nothing is dealt so any more.

The seal is a digest over the seed and what is kept, as it is written. It proves nothing to a stranger, who has the
commit for that; it tells `ridotto doctor` whether a deal is still what was written.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from bot.house.hooks import HOOKS
from bot.house.log_proofs import log_of_record
from bot.house.state.table import Waits
from engine.fairness.beacon import Round
from engine.fairness.promise import Promise, commit_to
from engine.fairness.record import Record, make_dropped
from engine.games import GAMES
from engine.shuffler import commit
from storage.questions import hands, logs
from storage.rows import HandRow, MoveRow
from storage.store import Reader

NO_DEAL = "{}"
# Behind all else that is kept, however it was spaced.
_SEAL = re.compile(r',\s?"seal":\s?"([0-9a-f]{16})"}\Z')
_NOT_KEPT = ("moves", "seed")


class Promised(msgspec.Struct):
    """Of what is kept of a hand: what it is dealt by, the lines of its entries, its round or for which it waits."""

    promise: dict[str, Any] | None = None
    lines: tuple[int, ...] = ()
    waits: Waits | None = None
    beacon: dict[str, Any] | None = None

    @property
    def round(self) -> Round | None:
        return Round(**self.beacon) if self.beacon is not None else None


load_promise = msgspec.json.Decoder(Promised).decode


class Deal(NamedTuple):
    """What a hand was dealt by, whatever its version."""

    game: str
    rules: int
    stakes: Sequence[Mapping[str, Any]]


def known_rules(books: Reader, ids: Iterable[int]) -> set[int]:
    """Which of them were dealt under rules that are here: those can be left for later."""
    dealt = hands.rules_of_hands(books, ids)
    return {id for id, game, rules in dealt if game in GAMES and rules is not None and GAMES[game].knows(rules)}


def dump_promise(promise: Promise, lines: Sequence[int], seed: bytes) -> str:
    """Betting is open; `lines` is where the promise stands in its log."""
    return seal({"v": 2, "promise": promise, "lines": lines}, seed)


def dump_record(record: Record, lines: Sequence[int], seed: bytes) -> str:
    """Cards were dealt. `lines` are those of commit, close and, where it is over, payment."""
    return seal({**_without_hidden(record), "lines": lines}, seed)


def dump_waiting(record: Record, lines: Sequence[int], waits: Waits, seed: bytes) -> str:
    """Bets are closed, and the round is not there. `lines` are those of commit and close."""
    return seal({**_without_hidden(record), "lines": lines, "waits": waits}, seed)


def _without_hidden(record: Record) -> dict[str, Any]:
    kept = {name: value for name, value in record.items() if name not in _NOT_KEPT}
    return {**kept, "cuts": record["seed"]["cuts"]}


def dump_dropped(promise: Promise, lines: Sequence[int], seed: bytes, why: str) -> str:
    """Nothing was dealt by it. `lines` are those of commit and opening."""
    return seal({"v": 2, "promise": promise, "void": why, "lines": lines}, seed)


def dump_version_1(row: HandRow, jackpot: int | None) -> str:
    """The deal of a hand of version 1 that ends now: what its prizes were counted on came to it."""
    record = json.loads(row.deal)
    del record["seal"]
    return seal(record | ({} if jackpot is None else {"jackpot": jackpot}), row.seed)


def seal(kept: Mapping[str, Any], seed: bytes) -> str:
    """What is kept of a hand, with its seal."""
    text = msgspec.json.encode(kept).decode()
    return f'{text[:-1]},"seal":"{_seal(text, seed)}"}}'


def promise_of(row: HandRow) -> Promise | None:
    """What the hand was, or will be, dealt by; None of version 1."""
    return load_promised(row.deal)[0]


def load_promised(deal: str) -> tuple[Promise | None, tuple[int, ...]]:
    """The same, and the lines of its entries, of what is kept of a hand."""
    kept = load_promise(deal)
    return kept.promise, kept.lines


def load_deal(row: HandRow) -> Deal | None:
    """None before the cards."""
    record = _load(row)
    if "stakes" not in record or "waits" in record:
        return None
    terms = record.get("promise", record)
    return Deal(terms["game"], terms["rules"], record["stakes"])


def _load(row: HandRow) -> dict[str, Any]:
    record: dict[str, Any] = json.loads(row.deal)
    record.pop("seal", None)
    if "v" not in record and record and row.game in HOOKS:
        deeds = HOOKS[row.game].deeds
        deeds.read(record)
        record = {name: value for name, value in record.items() if name not in deeds.marks}
    return record


def hidden_for(row: HandRow) -> float:
    """Seconds after its end until a hand may be read."""
    record = json.loads(row.deal)
    if "v" in record:
        return 0.0 if "void" in record and "stakes" not in record else 3600.0 * int(record["promise"]["opens"])
    return HOOKS[row.game].deeds.hidden_s(record) if row.game in HOOKS else 0.0


def read_record(books: Reader, hand_id: int) -> Record | None:
    """The record of a hand as storage has it, seed and all, without its log; None where nothing was dealt or dropped
    yet."""
    row = hands.hand(books, hand_id)
    return None if row is None else record_of(row, hands.moves_of_hand(books, hand_id))


def record_of(row: HandRow, moves: Iterable[MoveRow]) -> Record | None:
    """The same of rows that were read."""
    kept = _load(row)
    if "v" not in kept:
        return _version_1(row, kept, moves) if kept else None
    if "waits" in kept:
        return None
    if "stakes" not in kept:
        return make_dropped(kept["promise"], row.seed, kept["void"]) if "void" in kept else None
    record = {name: value for name, value in kept.items() if name not in ("cuts", "lines")}
    # Of a hand that counts for nothing the moves count for nothing.
    played = [] if "void" in kept else [one.move for one in moves]
    return record | {"seed": {"server": row.seed.hex(), "cuts": kept["cuts"]}, "moves": played}


def record_as_closed(row: HandRow) -> Record | None:
    """What is known of a hand since its bets were closed, dealt or not; None before that, and of version 1. It is for
    who finds it void: moves, round and payment are left out."""
    kept = _load(row)
    if "v" not in kept or "stakes" not in kept or "void" in kept:
        return None
    record = {name: value for name, value in kept.items() if name not in ("cuts", "lines", "waits", "beacon", "paid")}
    return record | {"seed": {"server": row.seed.hex(), "cuts": kept["cuts"]}}


def proven(books: Reader, row: HandRow) -> Record | None:
    """The same with its log, as anybody checks it: the entries of this hand, proven in the newest head that is signed.
    Without one, before a head covers them, and of a hand of version 1.
    """
    record = record_of(row, hands.moves_of_hand(books, row.id))
    promise, lines = load_promised(row.deal)
    if record is None or promise is None:
        return record
    kept = logs.log(books, int(promise["casino"]), promise["log"])
    log = log_of_record(books, kept, lines) if kept is not None else None
    return record if log is None else record | {"log": log}


def _version_1(row: HandRow, kept: dict[str, Any], moves: Iterable[MoveRow]) -> Record:
    seed = {"server": row.seed.hex(), **kept["seed"]}
    return {"hand": str(row.id), "commit": commit(row.seed), **kept, "seed": seed, "moves": [one.move for one in moves]}


def commit_of(row: HandRow) -> str:
    """What was shown of its seed before the first bet."""
    promise = promise_of(row)
    return commit(row.seed) if promise is None else commit_to(promise)


def is_as_written(row: HandRow) -> bool:
    """Whether the seal still fits what stands there: nobody has changed a deal or its seed."""
    said = _SEAL.search(row.deal)
    if said is None:
        return row.deal == NO_DEAL
    return said[1] == _seal(row.deal[: said.start()] + "}", row.seed)


def _seal(text: str, seed: bytes) -> str:
    return hashlib.sha256(seed + text.encode()).hexdigest()[:16]
