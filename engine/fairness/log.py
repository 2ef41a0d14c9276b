"""A casino's append-only log: its entries and its heads.

Deterministic, and without I/O: seed, salt and time are arguments.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise

from engine.fairness import ed25519, shape
from engine.fairness.canonical import JSON, digest, encode
from engine.fairness.commitment import Commitment, check_commitment
from engine.fairness.shape import Wrong

Entry = dict[str, JSON]
Head = dict[str, JSON]

_is_digest = shape.is_hex(64)
_HEAD: Mapping[str, shape.Check] = {
    "house": _is_digest,
    "casino": shape.is_text,
    "log": shape.is_positive,
    "size": shape.is_number,
    "root": _is_digest,
    "at": shape.is_number,
}
_METER: Mapping[str, shape.Check] = {"before": shape.is_number, "after": shape.is_number}


def _is_object(value: JSON) -> bool:
    return isinstance(value, dict)


def _is_any_text(value: JSON) -> bool:
    return isinstance(value, str)


def is_digests(value: JSON) -> bool:
    """Return whether it is a list of hashes in hex, in any order."""
    return isinstance(value, list) and all(map(_is_digest, value))


# Keys and values of each kind of entry, besides "k" and "at", which all of them have.
_ENTRIES: dict[str, dict[str, shape.Check]] = {
    "begin": {"log": shape.is_positive, "after": _is_object, "why": shape.is_text},
    "commit": {"promise": _is_object},
    "close": {
        "commit": _is_digest,
        "start": shape.is_number,
        "cuts": _is_digest,
        "bets": _is_digest,
        "round": shape.is_number,
    },
    "cuts": {
        "commit": _is_digest,
        "start": shape.is_number,
        "cuts": _is_digest,
        "unopened": is_digests,
        "round": shape.is_number,
    },
    "paid": {
        "commit": _is_digest,
        "start": shape.is_number,
        "next": shape.is_number,
        "void": _is_any_text,
        "record": _is_digest,
        "meter": _is_object,
    },
    "meter": {"before": shape.is_number, "after": shape.is_number, "why": shape.is_text},
    "open": {"commit": _is_digest, "seed": _is_digest, "why": _is_any_text},
    "end": {"to": shape.is_text},
}
_SHAPES = {kind: {"k": _is_any_text, **keys, "at": shape.is_number} for kind, keys in _ENTRIES.items()}
_CLOSE_WITH_SEALS = _SHAPES["close"] | {"seals": is_digests}


# Entries. Their content is checked when they are appended.


def begin(log: int, after: Head, why: str, at: int) -> Entry:
    """Make the first entry of a log. `after`: the last known head of the log before it, {} for log 1 alone."""
    return {"k": "begin", "log": log, "after": after, "why": why, "at": at}


def committed(commitment: Commitment, at: int) -> Entry:
    """Make the entry that opens betting."""
    return {"k": "commit", "promise": commitment, "at": at}


def closed(
    commit: str,
    *,
    start: int,
    cuts: Sequence[str],
    salt: str,
    stakes: Sequence[JSON],
    round: int,
    at: int,
    seals: Sequence[str] = (),
) -> Entry:
    """Make the entry that closes the bets. `stakes` as the record will have them.

    `round` is 0 without a beacon, and with seals. `cuts` are the public ones, or all that were mixed in the later hands
    of a shoe.
    """
    return {
        "k": "close",
        "commit": commit,
        "start": start,
        "cuts": digest(list(cuts)),
        "bets": hash_bets(salt, stakes),
        "round": round,
        **({"seals": sorted(seals)} if seals else {}),
        "at": at,
    }


def unsealed(commit: str, *, start: int, cuts: Sequence[str], unopened: Sequence[str], round: int, at: int) -> Entry:
    """Make the entry after sealed cuts are open or have missed their time.

    `cuts` are all that are mixed; `round` is 0 without a beacon.
    """
    return {
        "k": "cuts",
        "commit": commit,
        "start": start,
        "cuts": digest(list(cuts)),
        "unopened": sorted(unopened),
        "round": round,
        "at": at,
    }


def paid(commit: str, record: Mapping[str, JSON], *, next: int, void: str, meter: Mapping[str, int], at: int) -> Entry:
    """Make the entry of a hand that is over or void.

    `next`: where the next hand of a shoe starts, else 0; `meter` is {} where no meter counts.
    """
    return {
        "k": "paid",
        "commit": commit,
        "start": record["start"],
        "next": next,
        "void": void,
        "record": hash_record(record),
        "meter": dict(meter),
        "at": at,
    }


def moved(meter: Mapping[str, int], why: str, at: int) -> Entry:
    """Make the entry of an inspector's change of the meter between hands: {"before", "after"} and the reason given."""
    return {"k": "meter", **meter, "why": why, "at": at}


def opened(commit: str, server: bytes, why: str, at: int) -> Entry:
    """Make the entry that shows a seed; `why` where no hand was dealt from it."""
    return {"k": "open", "commit": commit, "seed": server.hex(), "why": why, "at": at}


def ended(to: str, at: int) -> Entry:
    """Make the last entry of a casino that joined another."""
    return {"k": "end", "to": to, "at": at}


def hash_bets(salt: str, stakes: Sequence[JSON]) -> str:
    """Return the hex H(C({"salt": s, "stakes": [...]})), which only holders of the salt can check."""
    return digest({"salt": salt, "stakes": list(stakes)})


def hash_record(record: Mapping[str, JSON]) -> str:
    """Return the hex hash H(C(record without "log"))."""
    return digest({name: value for name, value in record.items() if name != "log"})


def check_form(entry: JSON) -> str:
    """Check the keys and types of an entry and return its kind; nested values are not checked. Raises Wrong."""
    kind = entry.get("k") if isinstance(entry, dict) else None
    keys = _SHAPES.get(kind) if isinstance(kind, str) else None
    if keys is None:
        raise Wrong(f"{shape.quote(kind)} is no kind of entry" if isinstance(entry, dict) else "an entry is an object")
    if kind == "close" and "seals" in entry:
        keys = _CLOSE_WITH_SEALS
    shape.check_keys(entry, keys, f"a {kind} entry")
    return str(kind)


def check_entry(entry: JSON) -> None:
    """Check an entry: kind, keys, values, and the content of `begin`, a commitment, seals and a meter. Raises Wrong."""
    kind = check_form(entry)
    if kind == "commit":
        check_commitment(entry["promise"])
    elif kind == "paid" and entry["meter"]:
        shape.check_keys(entry["meter"], _METER, "the meter")
    elif kind == "begin":
        _check_begin(entry)
    elif kind == "close" and "seals" in entry:
        check_ascending(entry["seals"], "the seals")
        if not entry["seals"]:
            raise Wrong("a close without seals does not name them")
    elif kind == "cuts":
        check_ascending(entry["unopened"], "the unopened seals")


def check_ascending(digests: Sequence[str], what: str) -> None:
    """Check that values ascend without repetition. Raises Wrong."""
    if any(one >= other for one, other in pairwise(digests)):
        raise Wrong(f"{what} do not ascend, or one is there twice")


def _check_begin(entry: Entry) -> None:
    number, after = entry["log"], entry["after"]
    if (number == 1) != (after == {}):
        raise Wrong("log 1 comes after no other, and every other log after a head of the one before")
    if after:
        check_head(after)
        if after["log"] != number - 1:
            raise Wrong(f"log {number} comes after a head of log {number - 1} and not of log {after['log']}")
        if after["at"] > entry["at"]:
            raise Wrong("it begins before the head that it comes after")


def check_head(head: JSON) -> None:
    """Check the form of a tree head. Raises Wrong."""
    shape.check_keys(head, _HEAD, "the head")


def is_signed(head: Head, signature: JSON) -> bool:
    """Check that the casino named in the head has signed it."""
    if not shape.is_hex(128)(signature):
        return False
    return ed25519.verify(bytes.fromhex(head["house"]), encode(head), bytes.fromhex(signature))
