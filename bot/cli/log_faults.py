"""Faults of the casino logs in the books: compared with their own trees and heads, and with the hands. One sentence a
fault, for the doctor.

Everything that a stranger can find in a log is found here too (bot.verifier), except a seed that was revealed late:
the books of a casino that was down for a day are in order.
"""

import json
from collections.abc import Iterator
from contextlib import closing
from typing import Any

from bot.core.rounds.hand_records import record_of
from bot.core.rounds.log_proofs import published
from bot.core.rounds.posted_sums import find_unposted
from bot.verifier.faults import Faults, Spool
from bot.verifier.log_state import LogState
from engine.fairness.canonical import Unreadable, digest, encode_known, parse
from engine.fairness.commitment import NO_GAME, hash_seed
from engine.fairness.log import is_signed
from engine.fairness.merkle import grow, root_of
from storage.questions import hands, logs
from storage.rows import HandRow, LogEntryRow, LogHeadRow, LogRow
from storage.store import Reader


def examine_logs(books: Reader) -> Iterator[str]:
    """Every fault of every log, and of hands that do not stand in one as they should."""
    for log in logs.logs(books):
        name = f"Log {log.number} of casino {log.casino}"
        yield from (f"{name}: {fault}." for fault in _examine(books, log))
    for hand in hands.committed_hands(books):
        yield from (f"Hand {hand.id}: {fault}." for fault in _examine_hand(books, hand))


def _examine(books: Reader, log: LogRow) -> Iterator[str]:
    with closing(Spool()) as dropped, closing(Spool()) as voided:
        identity = (log.house, str(log.casino), log.number)
        state = LogState(Faults(), dropped, voided, identity=identity, forgives_lateness=True)
        yield from _follow(books, log, state)
        # A game that is not installed is no fault of the books; whoever installs it finds its commitments again.
        found = (fault for fault in state.faults.tell(0) if not str(fault["why"]).startswith(NO_GAME))
        yield from (f"entry {fault['index']}: {fault['why']}" for fault in found)


def _follow(books: Reader, log: LogRow, state: LogState) -> Iterator[str]:
    """Entries and heads in step: each head when the tree has its size."""
    peaks: tuple[bytes, ...] = ()
    size, heads = 0, logs.heads(books, log.casino, log.number)
    head, is_ended = next(heads, None), False
    for row in logs.entry_rows(books, log.casino, log.number):
        if row.number != size:
            yield f"entry {size} is missing"
            return
        entry = _read(row)
        if entry is None:
            yield f"entry {size} does not match its hash"
            return
        peaks, completed = grow(size, peaks, row.entry.encode())
        if row.nodes != b"".join(completed):
            yield f"entry {size}: its tree nodes are wrong"
        state.take(size, entry)
        is_ended = is_ended or entry["k"] == "end"
        if entry["k"] == "commit":
            yield from (f"entry {size}: {fault}" for fault in _hand_of(books, entry["promise"]))
        size += 1
        while head is not None and head.size == size:
            if head.root != root_of(peaks):
                yield f"its tree head of {size} entries has a different root"
            head = next(heads, None)
    if not size:
        yield "it has no entry"
    if head is not None:
        yield f"a tree head covers {head.size} entries, but there are {size}"
    if bool(log.joined) is not is_ended:
        yield "it has ended but continues" if is_ended else "it continues but is marked as ended"
    yield from _examine_signature(log, logs.newest_head(books, log.casino, log.number))


def _read(row: LogEntryRow) -> dict[str, Any] | None:
    try:
        entry = parse(row.entry)
    except Unreadable:
        return None
    return entry if isinstance(entry, dict) and encode_known(entry) == row.entry.encode() else None


def _examine_signature(log: LogRow, head: LogHeadRow | None) -> Iterator[str]:
    """Check the signature of the newest head alone: each takes some milliseconds."""
    if head is not None:
        said = published(log.house, head)
        if not is_signed(said["head"], said["signature"]):
            yield f"its tree head of {head.size} entries is not signed by the casino"


def _hand_of(books: Reader, commitment: dict[str, Any]) -> Iterator[str]:
    """Check that the hand of a commitment is in the books, with its seed."""
    name = commitment["hand"]
    hand = hands.hand(books, int(name)) if name.isascii() and name.isdigit() else None
    if hand is None:
        yield f"it commits hand {name}, which is not in the books"
    elif hash_seed(hand.seed) != commitment["seed"]:
        yield f"hand {name} has a different seed than committed"


def _examine_hand(books: Reader, hand: HandRow) -> Iterator[str]:
    """Check that the entries that a committed hand names are its own."""
    try:
        kept = json.loads(hand.deal)
        commitment, lines = kept["promise"], kept["lines"]
        at = int(commitment["casino"]), int(commitment["log"])
        found = [json.loads(entry) for line in lines for entry in logs.entries(books, *at, line, line + 1)]
    except (ValueError, TypeError, KeyError):
        yield "its place in the log cannot be read"
        return
    kinds = [entry.get("k") if isinstance(entry, dict) else None for entry in found]
    if len(found) != len(lines) or kinds[:1] != ["commit"] or found[0].get("promise") != commitment:
        yield "its commitment is not where it should be in the log"
        return
    course = _WITH_CUTS if "seals" in kept else _COURSE
    if kinds not in ([*course[: len(kinds)]], _DROPPED):
        yield f"its entries in the log are {', '.join(map(str, kinds))}"
    elif hand.status == "over" and kinds != course:
        yield "it is over, but its payout is not in the log"
    elif kinds == course:
        yield from _examine_payment(books, hand, found[-1])


def _examine_payment(books: Reader, hand: HandRow, entry: dict[str, Any]) -> Iterator[str]:
    """Compare the hand and the payment in the log with those in the books."""
    record = record_of(hand, hands.moves_of_hand(books, hand.id))
    if record is None or digest(record) != entry["record"]:
        yield "its payout in the log was computed from a different record"
    elif bool(entry["void"]) is not (hand.status == "void"):
        yield f"it is {hand.status}, but its payout in the log says otherwise"
    elif hand.status == "over":
        yield from find_unposted(books, hand.id, record) or ()


_COURSE = ["commit", "close", "paid"]
_WITH_CUTS = ["commit", "close", "cuts", "paid"]
_DROPPED = ["commit", "open"]
