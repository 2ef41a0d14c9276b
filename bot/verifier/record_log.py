"""Check a record's part of the log: head, proofs, and what the entries say of this hand."""

from collections.abc import Mapping

from bot.verifier.case import ABSENT, Case, NotChecked
from engine.fairness import shape
from engine.fairness.beacon import VOID_AFTER_S
from engine.fairness.canonical import JSON, digest, encode
from engine.fairness.commitment import commit_to, shoe_of
from engine.fairness.log import Entry, Head, check_entry, check_head, hash_bets, hash_record, is_signed
from engine.fairness.merkle import is_included
from engine.fairness.record import cards_dealt, meter_of, next_start
from engine.fairness.seals import OPENING_S, public_cuts
from engine.felt import VOID

# A proof of a tree of 2^53 entries is no longer than this.
_LONGEST_PROOF = 53
_LOG: Mapping[str, shape.Check] = {
    "entries": lambda value: isinstance(value, list),
    "head": lambda value: isinstance(value, dict),
    "signature": shape.is_hex(128),
}


def _is_proof(value: JSON) -> bool:
    return isinstance(value, list) and len(value) <= _LONGEST_PROOF and all(map(shape.is_hex(64), value))


_PROVEN: Mapping[str, shape.Check] = {
    "index": shape.is_number,
    "entry": lambda value: isinstance(value, dict),
    "proof": _is_proof,
}


def check_log(case: Case) -> str | None:
    """Check a record's part of the log. Raises Wrong for the first difference."""
    if "log" not in case.record:
        return ABSENT
    log = case.record["log"]
    shape.check_keys(log, _LOG, "the log")
    _check_head(case, log["head"], log["signature"])
    entries = _proven_entries(log["entries"], log["head"])
    has_seals = "seals" in case.record
    kinds = ["commit", "close", *(["cuts"] if has_seals else []), "paid"]
    kinds = ["commit", "open"] if case.is_dropped else kinds
    if [entry["k"] for entry in entries] != kinds:
        raise shape.Wrong(f"the entries of this hand are {', '.join(kinds)}, in this order")
    times = [entry["at"] for entry in entries] + [log["head"]["at"]]
    if times != sorted(times):
        raise shape.Wrong("times fall within the log")
    if entries[0]["promise"] != case.commitment:
        raise shape.Wrong("the commit entry has another promise")
    if any(entry["commit"] != commit_to(case.commitment) for entry in entries[1:]):
        raise shape.Wrong("an entry is another commit's")
    if case.is_dropped:
        _check_open(case, entries[1])
        return None
    _check_close(case, entries[1])
    if has_seals:
        _check_cuts(case, *entries[1:3])
    _check_round(case, entries[-2])
    _check_paid(case, entries[-1], entries[-2]["round"])
    return None


def _check_head(case: Case, head: Head, signature: str) -> None:
    check_head(head)
    for name in ("house", "casino", "log"):
        if head[name] != case.commitment.get(name):
            raise shape.Wrong(f"{name} of the head is not the promise's")
    if not is_signed(head, signature):
        raise shape.Wrong("the head is not signed by the house")


def _proven_entries(given: list[JSON], head: Head) -> list[Entry]:
    root, last = bytes.fromhex(head["root"]), -1
    for one in given:
        shape.check_keys(one, _PROVEN, "an entry of the log")
        index, proof = one["index"], [bytes.fromhex(node) for node in one["proof"]]
        if index <= last:
            raise shape.Wrong("entries must be ordered by index")
        if not is_included(encode(one["entry"]), index, head["size"], proof, root):
            raise shape.Wrong(f"the proof of entry {index} does not lead to the head's root")
        check_entry(one["entry"])
        last = index
    return [one["entry"] for one in given]


def _check_open(case: Case, entry: Entry) -> None:
    if entry["seed"] != case.seed.get("server"):
        raise shape.Wrong("the open entry shows another seed")
    if entry["why"] != case.record["void"]:
        raise shape.Wrong("the open entry says another why")


def _check_close(case: Case, entry: Entry) -> None:
    record = case.record
    if entry["start"] != case.start:
        raise shape.Wrong("the close entry has another start")
    if entry.get("seals") != record.get("seals"):
        raise shape.Wrong("the close entry has other seals")
    cuts = case.seed.get("cuts", [])
    has_opened_cuts = "seals" in record and isinstance(cuts, list)
    if entry["cuts"] != digest(public_cuts(cuts) if has_opened_cuts else cuts):
        raise shape.Wrong("the close entry was made of other cuts")
    if entry["bets"] != hash_bets(record.get("salt", ""), case.stakes):
        raise shape.Wrong("the close entry was made of other bets")
    if "seals" in record and entry["round"]:
        raise shape.Wrong("the close entry names a round, which is for the cuts entry to name")
    if case.options is not None:
        _, limit = shoe_of(case.game, case.options)
        if entry["start"] and entry["start"] >= limit:
            raise shape.Wrong(f"no hand starts after {entry['start']} cards here")


def _check_cuts(case: Case, close: Entry, entry: Entry) -> None:
    if entry["start"] != case.start:
        raise shape.Wrong("the cuts entry has another start")
    if entry["cuts"] != digest(case.seed.get("cuts", [])):
        raise shape.Wrong("the cuts entry was made of other cuts")
    if entry["unopened"] != case.record.get("unopened", []):
        raise shape.Wrong("the cuts entry has other unopened seals")
    if entry["unopened"] and entry["at"] < close["at"] + OPENING_S:
        raise shape.Wrong(f"seals are called unopened within {OPENING_S} s of the close")


def _check_round(case: Case, entry: Entry) -> None:
    """Check that an entry names the record's round, none for a void hand.

    A shoe's later hands keep the round of its first.
    """
    beacon, named = case.record.get("beacon"), f"the {entry['k']} entry names"
    if isinstance(beacon, dict) and entry["round"] != beacon.get("round"):
        raise shape.Wrong(f"{named} round {entry['round']}, and the record another")
    if not case.commitment["beacon"] or entry["start"] == 0:
        due = case.chain.round_after(entry["at"]) if case.commitment["beacon"] else 0
        if entry["round"] != due:
            raise shape.Wrong(f"{named} round {entry['round']} and not {due}")
    elif entry["round"] == 0:
        raise shape.Wrong(f"{named} no round")


def _check_paid(case: Case, entry: Entry, round: int) -> None:
    record = case.record
    if round:
        due = case.chain.time_of(round) + (VOID_AFTER_S if case.is_void else 0)
        if entry["at"] < due:
            raise shape.Wrong(f"the paid entry is of {entry['at']}, before {due}, which round {round} allows")
    if entry["start"] != case.start:
        raise shape.Wrong("the paid entry has another start")
    if entry["record"] != hash_record(record):
        raise shape.Wrong("the paid entry was made of another record")
    moves = record.get("moves")
    if case.is_void:
        if entry["void"] != record["void"]:
            raise shape.Wrong("the paid entry says another why")
    elif (entry["void"] != "") != (isinstance(moves, list) and moves[-1:] == [VOID]):
        raise shape.Wrong("record and paid entry do not agree on whether the hand was void")
    if case.result is None:
        raise NotChecked("the hand cannot be played to its end")
    if entry["meter"] != meter_of(case.playable):
        raise shape.Wrong("the meter is not the record's and what replay prints")
    if not _is_next(case, entry["next"]):
        raise shape.Wrong("next is not the start and the cards that were dealt")


def _is_next(case: Case, next: int) -> bool:
    """Check where the next hand starts; for a deck of one hand also the number of its dealt cards is accepted."""
    due = next_start(case.playable)
    is_of_one_hand = case.game.shoe is not None and not due and not case.is_void
    return next == due or (is_of_one_hand and next == cards_dealt(case.playable))
