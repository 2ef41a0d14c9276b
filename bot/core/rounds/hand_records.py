"""Stored form of a hand: its record without its moves and its seed, which are stored separately, the lines of its
entries in the log of its casino, and a seal.

The seal is a digest of the seed and the stored text. It proves nothing to a stranger, who has the commitment for that;
it tells `ridotto doctor` whether a deal is still as it was written.
"""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec

from bot.core.rounds.log_proofs import log_of_record
from bot.core.state.table import AwaitedRound
from engine.fairness.beacon import BeaconRound
from engine.fairness.commitment import Commitment, commit_to
from engine.fairness.record import Record, make_dropped
from engine.games import GAMES
from storage.questions import hands, logs
from storage.rows import HandRow, MoveRow
from storage.store import Reader

# The seal is the last key of the stored text.
_SEAL = re.compile(r',"seal":"([0-9a-f]{16})"}\Z')
_NOT_KEPT = ("moves", "seed")


class Committed(msgspec.Struct):
    """Stored part of a hand: its commitment, the lines of its entries, and its round or the one that it waits for."""

    commitment: dict[str, Any] | None = msgspec.field(default=None, name="promise")
    lines: tuple[int, ...] = ()
    waits: AwaitedRound | None = None
    beacon: dict[str, Any] | None = None

    @property
    def round(self) -> BeaconRound | None:
        return BeaconRound(**self.beacon) if self.beacon is not None else None


load_committed = msgspec.json.Decoder(Committed).decode


class DealTerms(NamedTuple):
    """The terms of a hand that was dealt."""

    game: str
    rules: int
    stakes: Sequence[Mapping[str, Any]]


def known_rules(books: Reader, ids: Iterable[int]) -> set[int]:
    """Return the hands that were dealt under rules which are installed: those can be read later."""
    dealt = hands.rules_of_hands(books, ids)
    return {id for id, game, rules in dealt if game in GAMES and rules is not None and GAMES[game].knows(rules)}


def dump_commitment(commitment: Commitment, lines: Sequence[int], seed: bytes) -> str:
    """Write the row of a hand that takes bets; `lines` has the place of its commitment in the log."""
    return seal({"v": 2, "promise": commitment, "lines": lines}, seed)


def dump_record(record: Record, lines: Sequence[int], seed: bytes) -> str:
    """Write the row of a dealt hand; `lines` are those of commit, close and, when it is over, payment."""
    return seal({**_without_hidden(record), "lines": lines}, seed)


def dump_waiting(record: Record, lines: Sequence[int], waits: AwaitedRound, seed: bytes) -> str:
    """Write the row of a hand that waits for its round; `lines` are those of commit and close."""
    return seal({**_without_hidden(record), "lines": lines, "waits": waits}, seed)


def _without_hidden(record: Record) -> dict[str, Any]:
    kept = {name: value for name, value in record.items() if name not in _NOT_KEPT}
    return {**kept, "cuts": record["seed"]["cuts"]}


def dump_dropped(commitment: Commitment, lines: Sequence[int], seed: bytes, why: str) -> str:
    """Write a hand that was never dealt. `lines` are those of commitment and opening."""
    return seal({"v": 2, "promise": commitment, "void": why, "lines": lines}, seed)


def seal(kept: Mapping[str, Any], seed: bytes) -> str:
    """Write the stored form of a hand, with its seal."""
    text = msgspec.json.encode(kept).decode()
    return f'{text[:-1]},"seal":"{_seal(text, seed)}"}}'


def commitment_of(row: HandRow) -> Commitment:
    """Return the commitment that the hand was, or will be, dealt by. Raises ValueError where the row names none."""
    commitment = load_committed(row.deal).commitment
    if commitment is None:
        raise ValueError(f"hand {row.id} names no promise")
    return commitment


def load_commitment(deal: str) -> tuple[Commitment | None, tuple[int, ...]]:
    """Return the commitment that a stored deal names, if it can be read, and the lines of its entries in the log."""
    kept = load_committed(deal)
    return kept.commitment, kept.lines


def load_deal(row: HandRow) -> DealTerms | None:
    """Read the deal of a hand; None before the deal."""
    record = _load(row)
    if "stakes" not in record or "waits" in record:
        return None
    terms = record["promise"]
    return DealTerms(terms["game"], terms["rules"], record["stakes"])


def _load(row: HandRow) -> dict[str, Any]:
    record: dict[str, Any] = msgspec.json.decode(row.deal)
    record.pop("seal", None)
    return record


def hidden_for(row: HandRow) -> float:
    """Return how long a hand stays hidden after its end, in seconds."""
    record = _load(row)
    return 0.0 if "void" in record and "stakes" not in record else 3600.0 * int(record["promise"]["opens"])


def read_record(books: Reader, hand_id: int) -> Record | None:
    """Read the record of a hand from storage, with its seed and without its log.

    None where nothing was dealt or dropped yet.
    """
    row = hands.hand(books, hand_id)
    return None if row is None else record_of(row, hands.moves_of_hand(books, hand_id))


def record_of(row: HandRow, moves: Iterable[MoveRow]) -> Record | None:
    """Return the record of a hand from its rows; None where nothing was dealt or dropped yet."""
    kept = _load(row)
    if "waits" in kept:
        return None
    if "stakes" not in kept:
        return make_dropped(kept["promise"], row.seed, kept["void"]) if "void" in kept else None
    record = {name: value for name, value in kept.items() if name not in ("cuts", "lines")}
    # A void hand's moves do not count.
    played = [] if "void" in kept else [one.move for one in moves]
    return record | {"seed": {"server": row.seed.hex(), "cuts": kept["cuts"]}, "moves": played}


def record_as_closed(row: HandRow) -> Record | None:
    """Return what is known of a hand since its bets were closed, dealt or not; None before that. For voiding it: moves,
    round and payment are left out."""
    kept = _load(row)
    if "stakes" not in kept or "void" in kept:
        return None
    record = {name: value for name, value in kept.items() if name not in ("cuts", "lines", "waits", "beacon", "paid")}
    return record | {"seed": {"server": row.seed.hex(), "cuts": kept["cuts"]}}


def proven(books: Reader, row: HandRow) -> Record | None:
    """Return the same record with its log, as anybody checks it: the entries of this hand, proven in the newest signed
    head; without a log until a head covers them.
    """
    record = record_of(row, hands.moves_of_hand(books, row.id))
    commitment, lines = load_commitment(row.deal)
    if record is None or commitment is None:
        return record
    kept = logs.log(books, int(commitment["casino"]), commitment["log"])
    log = log_of_record(books, kept, lines) if kept is not None else None
    return record if log is None else record | {"log": log}


def commit_of(row: HandRow) -> str:
    """Return the commit that was shown before the first bet."""
    return commit_to(commitment_of(row))


def is_as_written(row: HandRow) -> bool:
    """Check whether the seal matches: neither the deal nor its seed was changed."""
    said = _SEAL.search(row.deal)
    return said is not None and said[1] == _seal(row.deal[: said.start()] + "}", row.seed)


def _seal(text: str, seed: bytes) -> str:
    return hashlib.sha256(seed + text.encode()).hexdigest()[:16]
