"""Verdict on a finished hand, in plain words: the casino runs everyone's verifier, and compares its own books.

Only what was computed is called right, and the sentence says who computed it.
"""

import json
from collections.abc import Iterator, Mapping

from bot.core.commands.command import Answer, Beside
from bot.core.commands.counting import CountFault
from bot.core.rounds.commitments import say_dropped, say_unproven, say_void
from bot.core.rounds.hand_records import load_commitment
from bot.core.rounds.posted_sums import find_unposted
from bot.texts import Text
from bot.verifier.case import ABSENT
from bot.verifier.pack import FILE, packed
from bot.verifier.records import OK, checks_of, verify_record
from engine.fairness.beacon import CHAIN_NAME
from engine.fairness.record import Record, is_dropped
from engine.felt import VOID
from storage.questions import logs
from storage.rows import HandRow
from storage.store import Reader

FIXED = Text(
    "The seed was fixed before the first bet: its commitment comes first in the log that the casino has signed."
)
MADE = {
    "number": Text("The deck comes only from that seed, the players' cuts and a public number."),
    "cuts": Text("The deck comes only from that seed and the players' cuts."),
    "none": Text("The deck comes from that seed alone; no one cut."),
}
_NOT_SIGNED = Text("The log with this hand is not signed yet, so nothing is proven. Check again in a minute.")
_BOOKED = Text("The record pays what the rules give, and the chips were booked accordingly.")
_PAYS = Text("The record pays what the rules give.")
_ADJUSTED = Text("An inspector adjusted the payouts afterwards. Your statement shows what was booked.")
_NOT_CHECKED = Text("The casino cannot check it just now.")


def send_verifier() -> Answer:
    """Send the verifier, a binary file that every node has: `bytes_of` reads it."""
    told = Text("Check a record without the casino: python3 {file} verify RECORD.", file=FILE)
    return Answer((told, Text("Its SHA-256 is {digest}.", digest=packed()[1])), file=(FILE, ""))


def bytes_of(file: tuple[str, str]) -> bytes:
    """Return the bytes of an answer's file, for platforms."""
    name, content = file
    return packed()[0] if name == FILE else content.encode()


def lead(books: Reader, row: HandRow, record: Record) -> Text | None:
    """Return what has to be said first of a hand: that it was void or never dealt, and why. None for any other."""
    if is_dropped(record):
        return say_dropped(record["void"])
    if "void" in record:
        return say_void(record["void"])
    if record["moves"][-1:] != [VOID]:
        return None
    commitment, lines = load_commitment(row.deal)
    assert commitment is not None
    (paid,) = logs.entries(books, int(commitment["casino"]), commitment["log"], lines[-1], lines[-1] + 1)
    return say_void(json.loads(paid)["void"])


def check_beside(beside: Beside, hand: int, record: Record, file: tuple[str, str], chain: str) -> Answer:
    """Return the file of a hand with the casino's own verdict on it, computed in the counting process.

    `chain` is the name of the casino's beacon.
    """
    try:
        checks = beside.count(checks_of, record) or verify_record(record)["checks"]
        unposted = [] if is_dropped(record) else find_unposted(beside.books, hand, record)
        found = tuple(_describe(record, checks, unposted, chain))
    except CountFault:
        found = (_NOT_CHECKED,)
    by_oneself = Text(
        "You don't have to trust the casino: `/verify file` sends the verifier. The casino's key is {key}.",
        key=record["promise"]["house"],
    )
    return Answer((*found, by_oneself), file=file)


def _describe(record: Record, checks: Mapping[str, str], unposted: list[str] | None, chain: str) -> Iterator[Text]:
    wrong = {check: found for check, found in checks.items() if found.startswith("wrong")}
    if "beacon" in record and chain not in ("", CHAIN_NAME):
        wrong.pop("beacon", None)  # only quicknet's rounds are checked here
    for check, found in wrong.items():
        yield Text(
            "Something is wrong with it, and the casino owes you an answer: {check}, {why}.", check=check, why=found
        )
    for fault in unposted or ():
        yield Text(
            "The booked chips do not match the record, and the casino owes you an answer: {fault}.",
            fault=fault,
        )
    is_void = "void" in record or record["moves"][-1:] == [VOID]
    if checks["moves"] == checks["payments"] == OK and not is_void:
        yield _PAYS if unposted is None else _BOOKED if not unposted else _PAYS
        if unposted is None:
            yield _ADJUSTED
    if checks["log"] == ABSENT:
        yield _NOT_SIGNED
    elif all(checks[name] == OK for name in ("promise", "commit", "log")):
        yield FIXED
    if checks["deck"] == OK and "beacon" not in wrong:
        if checks["beacon"] in (OK, ABSENT):
            yield MADE["number" if "beacon" in record else "cuts" if record["seed"]["cuts"] else "none"]
        yield say_unproven(record["promise"], chain)
