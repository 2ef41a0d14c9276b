"""Verification of a record by the verifier for strangers, and changes that it must see."""

from collections.abc import Iterator
from typing import Any

from bot.verifier.records import NOTE_WITHOUT_LOG, verify_record

# Checks that must be ok for a dealt hand of version 2; a hand without a covering head has no log yet.
PLAYED = ("promise", "commit", "deck", "moves", "payments")


def holds(record: dict[str, Any]) -> bool:
    """Return whether every check of a version 2 record is ok, and its log if it has one; there is no beacon here."""
    answer = verify_record(record)
    checks = answer["checks"]
    assert answer["version"] == 2, answer
    assert {name: checks[name] for name in PLAYED} == dict.fromkeys(PLAYED, "ok"), checks
    assert checks["log"] == ("ok" if "log" in record else "absent"), checks
    assert checks["beacon"] == "absent", checks
    assert answer["verified"] is ("log" in record)
    assert answer.get("note", NOTE_WITHOUT_LOG) == NOTE_WITHOUT_LOG
    return True


def seed_fits(record: dict[str, Any]) -> bool:
    """Return whether a plain record's seed is the commit's, and its hand can be played."""
    checks = verify_record(record)["checks"]
    return bool(checks["commit"] == checks["deck"] == checks["moves"] == "ok")


def leaves(value: Any) -> Iterator[tuple[Any, Any]]:
    """Yield (container, key) of every scalar."""
    for key, one in value.items() if isinstance(value, dict) else enumerate(value):
        if isinstance(one, dict | list):
            yield from leaves(one)
        else:
            yield value, key


def other(value: Any) -> Any:
    """Return a different value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + 1
    return ("1" if value[0] == "0" else "0") + value[1:] if value else "x"
