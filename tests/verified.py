"""What a record of version 1 proves."""

from typing import Any

from bot.verifier.records import verify_record


def seed_fits(record: dict[str, Any]) -> bool:
    """Its seed is the commit's, and its hand can be played."""
    checks = verify_record(record)["checks"]
    return bool(checks["commit"] == checks["deck"] == checks["moves"] == "ok")
