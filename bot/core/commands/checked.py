"""Result of verifying a record, in plain words: the casino runs the same verifier that everyone may have.

Only what was computed is called right, and the sentence says who computed it.
"""

from collections.abc import Iterator, Mapping

from bot.core.commands.command import Answer, Beside
from bot.core.commands.counting import CountFault
from bot.texts import Text
from bot.verifier.pack import FILE, packed
from bot.verifier.records import OK, checks_of, verify_record
from engine.fairness.canonical import Unreadable
from engine.fairness.record import Record

FIXED = Text(
    "This deck was fixed before bets closed: its commitment comes first in the log that the casino has signed."
)
MADE = {
    "number": Text("It comes from the casino's seed, the players' cuts and a public number."),
    "cuts": Text("It comes from the casino's seed and the players' cuts only."),
    "none": Text("It comes from the casino's seed only; no one cut."),
}
_NOT_SIGNED = Text("It is not proven yet that the deck was fixed before bets closed. Check again in a minute.")
_PAID = Text("All payouts follow the rules.")
_NOTHING_DEALT = Text("No cards were dealt, and all stakes were returned.")
_NOT_CHECKED = Text("The casino cannot check it just now.")


def send_verifier() -> Answer:
    """The file for who checks by himself. It is no text, and every house has it: `bytes_of` reads it."""
    told = Text("Check a record without the casino: python3 {file} verify RECORD.", file=FILE)
    return Answer((told, Text("Its SHA-256 is {digest}.", digest=packed()[1])), file=(FILE, ""))


def bytes_of(file: tuple[str, str]) -> bytes:
    """Return the bytes of an answer's file, for platforms."""
    name, content = file
    return packed()[0] if name == FILE else content.encode()


def check_beside(beside: Beside, record: Record, file: tuple[str, str]) -> Answer:
    """The same file again, and what the house finds of it, in the process that counts: a signature of the
    beacon takes a second.
    """
    try:
        checks = beside.count(checks_of, record) or verify_record(record)["checks"]
        found = tuple(_tell(record, checks))
    except (CountFault, Unreadable):
        found = (_NOT_CHECKED,)
    by_oneself = Text(
        (
            "You don't have to trust the casino: run “python3 {file} verify FILE”. Get the file with `/verify "
            "file`, from the lounge, or with “make verifier”; its SHA-256 is {digest}."
        ),
        file=FILE,
        digest=packed()[1],
    )
    return Answer((*found, by_oneself), file=file)


def _tell(record: Record, checks: Mapping[str, str]) -> Iterator[Text]:
    yield Text("The casino's own check:")
    for check, found in checks.items():
        if found.startswith("wrong"):
            yield Text(
                "Something is wrong with it, and the casino owes you an answer: {check}, {why}.", check=check, why=found
            )
    if all(checks[name] == OK for name in ("promise", "commit", "log")):
        yield FIXED
    elif checks["log"] == "absent":
        yield _NOT_SIGNED
    if checks["deck"] == OK:
        yield MADE["number" if "beacon" in record else "cuts" if record["seed"]["cuts"] else "none"]
    if checks["moves"] == checks["payments"] == OK:
        yield _PAID
    elif "void" in record and checks["payments"] in (OK, "absent"):
        yield _NOTHING_DEALT
