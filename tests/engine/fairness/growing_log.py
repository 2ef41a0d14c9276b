"""A log that is written without books: it appends entries, signs heads and makes proofs; and records of its hands."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.fairness import ed25519
from engine.fairness.canonical import JSON, encode
from engine.fairness.commitment import Commitment
from engine.fairness.log import Entry, Head, check_entry
from engine.fairness.record import PAID, Record
from engine.fairness.shape import Wrong
from engine.record import play_record
from tests.engine.fairness.trees import GrowingTree


def sign_head(secret: bytes, head: Head) -> dict[str, JSON]:
    """Sign a head, and return it as it is published: {"head", "signature"}."""
    return {"head": head, "signature": ed25519.sign(secret, encode(head)).hex()}


class Appended(NamedTuple):
    """An entry as it is kept: its line in the log, from 0, and its leaf, which is C(entry)."""

    line: int
    leaf: bytes


class GrowingLog:
    """A log that can be written: it appends entries, signs heads and makes proofs.

    Only the form of entries and the order of their times are checked
    here, not their meaning: those who read a log judge it.
    """

    def __init__(self, secret: bytes, casino: str, number: int) -> None:
        self._secret = secret
        self.house = ed25519.public_key(secret).hex()
        self.casino = casino
        self.number = number
        self.tree = GrowingTree()
        self.last_at = 0

    def append(self, entry: Entry) -> Appended:
        """Append an entry. Raises Wrong, without a change, if it is not allowed here."""
        check_entry(entry)
        if (entry["k"] == "begin") != (self.tree.size == 0):
            raise Wrong("a log begins with its begin entry, and has one")
        if entry["at"] < self.last_at:
            raise Wrong("times never fall within a log")
        if entry["k"] == "commit":
            commitment = entry["promise"]
            if (commitment["house"], commitment["casino"], commitment["log"]) != (self.house, self.casino, self.number):
                raise Wrong("this promise belongs into another log")
        leaf = encode(entry)
        self.last_at = entry["at"]
        return Appended(self.tree.append(leaf), leaf)

    def head(self, at: int) -> dict[str, JSON]:
        """Return the signed head over all present entries: {"head", "signature"}."""
        head = {
            "house": self.house,
            "casino": self.casino,
            "log": self.number,
            "size": self.tree.size,
            "root": self.tree.root().hex(),
            "at": at,
        }
        return sign_head(self._secret, head)

    def prove(self, entries: Mapping[int, Entry], head: Mapping[str, JSON]) -> dict[str, JSON]:
        """Return the `log` of a record: entries by their index, each with its proof in the published head."""
        size = head["head"]["size"]
        proven = [
            {"index": index, "entry": entry, "proof": [node.hex() for node in self.tree.inclusion(index, size)]}
            for index, entry in sorted(entries.items())
        ]
        return {"entries": proven, **head}


def make_record(
    commitment: Commitment,
    server: bytes,
    *,
    salt: str,
    stakes: Sequence[JSON],
    cuts: Sequence[str] = (),
    moves: Sequence[str] = (),
    start: int = 0,
    hand: str = "",
    jackpot: int | None = None,
    beacon: Mapping[str, JSON] | None = None,
    void: str = "",
    seals: Sequence[str] = (),
    unopened: Sequence[str] = (),
) -> Record:
    """Make the record of a hand that is over, or was void before its deal (`void` says why), without its log.

    `hand` is the own id of a shoe's later hand; `cuts` are sorted by code point already. `paid` is what the rules give.
    Raises ValueError where the rules refuse the hand.
    """
    record: Record = {"v": 2, "promise": commitment}
    if hand:
        record["hand"] = hand
    record["seed"] = {"server": server.hex(), "cuts": list(cuts)}
    record |= {name: sorted(named) for name, named in (("seals", seals), ("unopened", unopened)) if named}
    record |= {"salt": salt, "start": start}
    record |= {"stakes": list(stakes), "moves": list(moves)}
    if jackpot is not None:
        record["jackpot"] = jackpot
    if beacon is not None:
        record["beacon"] = dict(beacon)
    if void:
        record["void"] = void
    answer = play_record(record)
    if not answer.get("over"):
        raise ValueError(answer.get("refused", "the hand is not over"))
    return record | {"paid": {name: answer[name] for name in PAID}}


def settled(seals: Mapping[str, str | None], public: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return (the cuts to mix, the unopened seals); `seals` maps each seal to its opened cut, or None."""
    opened = [cut for cut in seals.values() if cut is not None]
    return sorted([*public, *opened]), sorted(named for named, cut in seals.items() if cut is None)
