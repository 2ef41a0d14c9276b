"""Faults of the casino logs in the books: compared with their own trees and heads, and with the hands. One sentence a
fault, for the doctor.

Everything that a stranger can find in a log is found here too (bot.verifier), except a seed that was revealed late:
the books of a casino that was down for a day are in order.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from typing import Any, NamedTuple

import msgspec

from bot.core.rounds.daily_deals import as_hand
from bot.core.rounds.hand_records import commitment_of, record_of
from bot.core.rounds.log_proofs import published
from bot.core.rounds.posted_sums import find_unposted_rows
from bot.verifier.faults import Faults, Spool
from bot.verifier.log_state import LogState
from engine.fairness.canonical import LARGEST, Unreadable, digest, encode_known, parse
from engine.fairness.commitment import NO_GAME, hash_seed
from engine.fairness.log import is_signed
from engine.fairness.merkle import grow, root_of
from storage.questions import daily, hands, logs
from storage.questions.whole_hands import WholeHand, whole_hands
from storage.rows import HandRow, LogEntryRow, LogHeadRow, LogRow
from storage.store import Reader

# Number of hands read at once.
_AT_ONCE = 500


def examine_logs(books: Reader) -> Iterator[str]:
    """Yield every fault of every log, and of hands whose entries are missing or wrong."""
    yield from follow_logs(books)
    ids = hands.hand_numbers(books)
    for first in range(0, len(ids), _AT_ONCE):
        yield from examine_entries(books, whole_hands(books, ids[first : first + _AT_ONCE]))


def follow_logs(books: Reader) -> Iterator[str]:
    """Yield every fault of every log."""
    for log in logs.logs(books):
        name = f"Log {log.number} of casino {log.casino}"
        yield from (f"{name}: {fault}." for fault in _examine(books, log))


def examine_entries(books: Reader, wholes: Sequence[WholeHand]) -> Iterator[str]:
    """Yield every fault of the log entries of hands, a few hundred at a time."""
    named = {whole.hand.id: named for whole in wholes if (named := _read_named(whole.hand)) is not None}
    lines: dict[tuple[int, int], set[int]] = {}
    for one in named.values():
        lines.setdefault(one.log, set()).update(one.lines)
    entries = {log: logs.entries_at(books, *log, wanted) for log, wanted in lines.items()}
    for whole in wholes:
        id = whole.hand.id
        if id in named:
            faults = _examine_hand(whole, named[id], entries.get(named[id].log, {}))
            yield from (f"Hand {id}: {fault}." for fault in faults)


def _examine(books: Reader, log: LogRow) -> Iterator[str]:
    with closing(Spool()) as dropped, closing(Spool()) as voided:
        identity = (log.house, str(log.casino), log.number)
        state = LogState(Faults(), dropped, voided, identity=identity, forgives_lateness=True)
        commitments: dict[int, dict[str, Any]] = {}
        yield from _follow(books, log, state, commitments)
        yield from _find_uncommitted(books, commitments)
        # A missing game is no fault of the books; its commitments are checked again once it is installed.
        found = (fault for fault in state.faults.list_faults(0) if not str(fault["why"]).startswith(NO_GAME))
        yield from (f"entry {fault['index']}: {fault['why']}" for fault in found)


def _follow(books: Reader, log: LogRow, state: LogState, commitments: dict[int, dict[str, Any]]) -> Iterator[str]:
    """Yield the faults of entries and heads, read in step: each head when the tree has its size.

    At the end some `commitments` are left to be looked for in the books.
    """
    peaks: tuple[bytes, ...] = ()
    size, heads = 0, logs.heads(books, log.casino, log.number)
    head, is_ended = next(heads, None), False
    for row in logs.entry_rows(books, log.casino, log.number):
        if row.number != size:
            yield f"entry {size} is missing"
            return
        entry = _parse_entry(row)
        if entry is None:
            yield f"entry {size} does not match its hash"
            return
        peaks, completed = grow(size, peaks, row.entry.encode())
        if row.nodes != b"".join(completed):
            yield f"entry {size}: its tree nodes are wrong"
        state.process_entry(size, entry)
        is_ended = is_ended or entry["k"] == "end"
        if entry["k"] == "commit":
            commitments[size] = entry["promise"]
            if len(commitments) == _AT_ONCE:
                yield from _find_uncommitted(books, commitments)
                commitments.clear()
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


def _parse_entry(row: LogEntryRow) -> dict[str, Any] | None:
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


def _find_uncommitted(books: Reader, commitments: Mapping[int, dict[str, Any]]) -> Iterator[str]:
    """Check that the hands of commitments are in the books, with their seeds. `commitments` by line of the log."""
    ids = {line: int(name) for line, one in commitments.items() if (name := one["hand"]).isascii() and name.isdigit()}
    seeds = hands.seeds_of_hands(books, sorted({id for id in ids.values() if id <= LARGEST}))
    decks = {commitment_of(as_hand(row))["seed"]: row.seed for row in daily.deals(books)}
    for line, commitment in commitments.items():
        name = commitment["hand"]
        seed = seeds.get(ids[line]) if line in ids else decks.get(commitment["seed"])
        if seed is None:
            yield f"entry {line}: it commits hand {name}, which is not in the books"
        elif hash_seed(seed) != commitment["seed"]:
            yield f"entry {line}: hand {name} has a different seed than committed"


class _Named(NamedTuple):
    """Entries of a log that a committed hand names: the log's casino and number, and their lines."""

    commitment: dict[str, Any]
    log: tuple[int, int]
    lines: tuple[int, ...]
    has_seals: bool


def _read_named(hand: HandRow) -> _Named | None:
    """Read which entries a hand names. None without a commitment in a log; a deal that names none has no lines."""
    try:
        kept = msgspec.json.decode(hand.deal)
    except ValueError:
        return None
    if not isinstance(kept, dict) or kept.get("v") != 2:
        return None
    try:
        commitment = kept["promise"]
        log = int(commitment["casino"]), int(commitment["log"])
        return _Named(commitment, log, tuple(map(int, kept["lines"])), "seals" in kept)
    except (ValueError, TypeError, KeyError):
        return _Named({}, (0, 0), (), has_seals=False)


def _examine_hand(whole: WholeHand, named: _Named, entries: Mapping[int, str]) -> Iterator[str]:
    """Check that the entries that a committed hand names are its own."""
    hand, commitment, lines = whole.hand, named.commitment, named.lines
    try:
        found = [msgspec.json.decode(entries[line]) for line in lines if line in entries]
    except ValueError:
        commitment = {}
    if not commitment:
        yield "its place in the log cannot be read"
        return
    kinds = [entry.get("k") if isinstance(entry, dict) else None for entry in found]
    if len(found) != len(lines) or kinds[:1] != ["commit"] or found[0].get("promise") != commitment:
        yield "its commitment is not where it should be in the log"
        return
    course = _WITH_CUTS if named.has_seals else _COURSE
    if kinds not in ([*course[: len(kinds)]], _DROPPED):
        yield f"its entries in the log are {', '.join(map(str, kinds))}"
    elif hand.status == "over" and kinds != course:
        yield "it is over, but its payout is not in the log"
    elif kinds == course:
        yield from _examine_payment(whole, found[-1])


def _examine_payment(whole: WholeHand, entry: dict[str, Any]) -> Iterator[str]:
    """Compare the hand and the payment in the log with those in the books."""
    hand = whole.hand
    record = record_of(hand, whole.moves)
    if record is None or digest(record) != entry["record"]:
        yield "its payout in the log was computed from a different record"
    elif bool(entry["void"]) is not (hand.status == "void"):
        yield f"it is {hand.status}, but its payout in the log says otherwise"
    elif hand.status == "over":
        yield from find_unposted_rows(whole.postings, whole.results, record) or ()


_COURSE = ["commit", "close", "paid"]
_WITH_CUTS = ["commit", "close", "cuts", "paid"]
_DROPPED = ["commit", "open"]
