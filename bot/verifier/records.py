"""Check a record: seven checks, each "ok", "wrong: <why>", "absent" or "not checked: <why>".

The checks are those of docs/reference/fairness-log.md.

A check is ok only if it was computed again here.
"""

from collections.abc import Callable, Mapping

from bot.verifier.case import ABSENT, Case, NotChecked, check_deck, is_digest
from bot.verifier.payments import check_payments
from bot.verifier.record_log import check_log
from engine.fairness import bls, shape
from engine.fairness.beacon import QUICKNET, ChainInfo, randomness_of
from engine.fairness.canonical import JSON
from engine.fairness.commitment import check_commitment, hash_seed
from engine.fairness.record import Record, is_dropped
from engine.games import GAMES
from engine.record import play_record, terms_of
from engine.shuffler import commit as hash_server

Answer = dict[str, JSON]

NOTE_OF_VERSION_1 = "this proves only that seed and commit fit"
NOTE_WITHOUT_LOG = "without its log this record proves nothing about the house"
OK = "ok"

_KEYS = frozenset("v promise hand seed seals unopened salt start stakes moves jackpot beacon paid void log".split())
# Other forbidden keys, which another check reports.
_OF_THE_DECK = frozenset(("deck", "dice"))
_BEACON: Mapping[str, shape.Check] = {
    "round": shape.is_positive,
    "randomness": is_digest,
    "signature": shape.is_hex(2 * bls.SIGNATURE_BYTES),
}


def verify_record(record: Record, house: str | None = None, chain: ChainInfo | None = None) -> Answer:
    """Return what `ridotto verify` prints of a record, which may be any object.

    house   the key that its commitment must name, in hex
    chain   the beacon's; quicknet where none is named
    """
    named_chain = {} if chain is None else {"chain": chain.key.hex()}
    if "v" not in record:
        return _verify_plain(record) | named_chain
    case = Case(record, house, chain or QUICKNET)
    checks = {name: _run_check(check, case) for name, check in _CHECKS.items()}
    version = record["v"] if type(record["v"]) is int else 0
    named = {name: _text_or_nothing(case.commitment.get(name)) for name in ("house", "casino")}
    note = {} if "log" in record else {"note": NOTE_WITHOUT_LOG}
    verified = is_verified(record, checks)
    return {"verified": verified, "version": version, **named, "checks": checks, **note, **named_chain}


def checks_of(record: Record, chain: ChainInfo | None = None) -> Mapping[str, str] | None:
    """Return each check of a record; None in a process that does not know its game, which may be another package's."""
    if terms_of(record)["game"] not in GAMES:
        return None
    checks: Mapping[str, str] = verify_record(record, chain=chain)["checks"]
    return checks


def is_verified(record: Record, checks: Mapping[str, str]) -> bool:
    """Return whether every check of a version 2 record is ok, except those that must be absent."""
    commitment = record.get("promise")
    absent = set() if isinstance(commitment, dict) and commitment.get("beacon") is True else {"beacon"}
    if "void" in record:
        absent |= {"deck", "moves", "beacon"} | ({"payments"} if is_dropped(record) else set())
    return all(said == (ABSENT if name in absent else OK) for name, said in checks.items())


def _text_or_nothing(value: JSON) -> str:
    return value if isinstance(value, str) else ""


def _run_check(check: Callable[[Case], str | None], case: Case) -> str:
    """Return the verdict of a check, which returns "absent", or None where all is well."""
    try:
        return check(case) or OK
    except shape.Wrong as why:
        return f"wrong: {why}"
    except NotChecked as why:
        return f"not checked: {why}"


def _check_commitment(case: Case) -> None:
    record, commitment = case.record, case.commitment
    if type(record["v"]) is not int or record["v"] != 2:
        raise shape.Wrong(f"a record of version {shape.quote(record['v'])} is not known here")
    if "promise" not in record:
        raise shape.Wrong("there is no promise")
    check_commitment(record["promise"])
    if strange := sorted(record.keys() - _KEYS - _OF_THE_DECK):
        raise shape.Wrong(f"the record has a key {shape.quote(strange[0])}")
    _check_keys(case)
    if case.house is not None and commitment["house"] != case.house:
        raise shape.Wrong(f"it is the promise of the house {commitment['house']}")
    if case.seed.keys() - {"server", "cuts"}:
        raise shape.Wrong("the seed of a record is its server and its cuts")
    if case.is_void and not shape.is_text(record["void"]):
        raise shape.Wrong("void says why")
    if case.is_dropped and "salt" in record:
        raise shape.Wrong("a dropped hand has no salt")
    if not case.is_dropped and not shape.is_hex(32)(record.get("salt")):
        raise shape.Wrong("the salt is 16 bytes in hex")
    is_later = shape.is_positive(case.start)
    if is_later != ("hand" in record) or (is_later and not _is_other_id(record["hand"], commitment["hand"])):
        raise shape.Wrong("a later hand of a shoe has an id of its own, and no other hand has one")


def _is_other_id(value: JSON, first: str) -> bool:
    return shape.is_text(value) and value != first


def _check_keys(case: Case) -> None:
    """Check for keys that are missing or too many and that no other check notices. The commitment can be played."""
    record, has_meter = case.record, case.game.meter is not None
    if "start" not in record:
        raise shape.Wrong("the record has no start")
    if "jackpot" in record and not has_meter:
        raise shape.Wrong("this game has no meter, and the record a jackpot")
    if case.is_dropped:
        return
    if "cuts" not in case.seed and "server" in case.seed:
        raise shape.Wrong("the seed of a record is its server and its cuts")
    if "jackpot" not in record and has_meter:
        raise shape.Wrong("the record does not tell the meter, its jackpot")


def _check_commit(case: Case) -> None:
    server: JSON = case.seed.get("server")
    if not is_digest(server):
        raise shape.Wrong("the server seed is 32 bytes in hex")
    if hash_seed(bytes.fromhex(server)) != case.commitment.get("seed"):
        raise shape.Wrong("the seed does not match the commitment")


def _check_moves(case: Case) -> str | None:
    if case.is_void:
        if case.record.get("moves", []) != []:
            raise shape.Wrong("a hand that was void before its deal has no moves")
        if case.is_dropped and case.record.get("stakes", []) != []:
            raise shape.Wrong("a dropped hand has no stakes")
        return ABSENT
    if case.answer is None:
        raise NotChecked("there is no deck to play from")
    if "refused" in case.answer:
        where = "" if case.answer["move"] is None else f"move {case.answer['move']}: "
        raise shape.Wrong(f"{where}{case.answer['refused']}")
    if not case.answer["over"]:
        raise shape.Wrong("the hand is not over")
    return None


def _check_beacon(case: Case) -> str | None:
    is_committed = case.commitment.get("beacon") is True
    if "beacon" not in case.record:
        if is_committed and not case.is_void:
            raise shape.Wrong("the promise has a beacon, and the record no round")
        return ABSENT
    if not is_committed:
        raise shape.Wrong("the promise has no beacon")
    if case.is_void:
        raise shape.Wrong("a hand that was void before its deal has no round")
    beacon = case.record["beacon"]
    shape.check_keys(beacon, _BEACON, "the beacon")
    round, signature = beacon["round"], bytes.fromhex(beacon["signature"])
    if beacon["randomness"] != randomness_of(signature):
        raise shape.Wrong("the randomness is not the hash of the signature")
    named_at = _round_named_at(case.record)
    if named_at is not None and case.start == 0 and round != case.chain.round_after(named_at):
        raise shape.Wrong(f"at {named_at} round {case.chain.round_after(named_at)} is named and not {round}")
    if not case.chain.has_signed(round, signature):
        chain = "quicknet" if case.chain == QUICKNET else "this chain"
        raise shape.Wrong(f"this is not {chain}'s signature of round {round}")
    return None


def _round_named_at(record: Record) -> int | None:
    """Return the time of the entry that names the round: the close, with seals the cuts; None if it is not there."""
    log, kind = record.get("log"), "cuts" if "seals" in record else "close"
    entries = log.get("entries") if isinstance(log, dict) else None
    for one in entries if isinstance(entries, list) else ():
        entry = one.get("entry") if isinstance(one, dict) else None
        if isinstance(entry, dict) and entry.get("k") == kind and shape.is_number(entry.get("at")):
            named_at: int = entry["at"]
            return named_at
    return None


_CHECKS: Mapping[str, Callable[[Case], str | None]] = {
    "promise": _check_commitment,
    "commit": _check_commit,
    "deck": check_deck,
    "moves": _check_moves,
    "payments": check_payments,
    "log": check_log,
    "beacon": _check_beacon,
}


def _verify_plain(record: Record) -> Answer:
    """Check that the seed is the commit's, and the hand can be played; a plain record has nothing else."""
    checks = dict.fromkeys(_CHECKS, ABSENT)
    answer = play_record(record)
    if "refused" not in answer:
        checks |= {"deck": OK, "moves": OK}
    elif answer["move"] is None:
        checks |= {"deck": f"wrong: {answer['refused']}", "moves": "not checked: there is no deck to play from"}
    else:
        checks |= {"deck": OK, "moves": f"wrong: move {answer['move']}: {answer['refused']}"}
    checks["commit"] = _commit_of_plain(record)
    named = {"version": 1, "house": "", "casino": ""}
    return {"verified": False, **named, "checks": checks, "note": NOTE_OF_VERSION_1}


def _commit_of_plain(record: Record) -> str:
    if "commit" not in record or "seed" not in record:
        return ABSENT
    commit, seed = record["commit"], record["seed"]
    server = seed.get("server") if isinstance(seed, dict) else None
    if not (isinstance(commit, str) and isinstance(server, str) and is_digest(server.lower())):
        return "wrong: commit and server seed are 32 bytes in hex"
    fits = commit.lower() == hash_server(bytes.fromhex(server))
    return OK if fits else "wrong: this is not the hash of the seed"
