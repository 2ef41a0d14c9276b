"""How the books kept a deal of stud of version 1: for how long it stays secret after the hand, and how odd chips are
shared.

`reveal_after` are the hours as the table had them at the deal. `odd_one_each` says that odd chips go one each (SH11): a
deal of before says nothing of it, and stays with the rules it was dealt under.
"""

from collections.abc import Mapping
from typing import Any

from bot.house.hooks import Deeds
from engine.games.stud import FIRST_TAKES_THE_ODD

REVEAL_AFTER = 24


def read(record: dict[str, Any]) -> None:
    """A record without the mark was dealt before odd chips went one each: it keeps those rules."""
    if record["rules"] == 1 and "odd_one_each" not in record:
        record["rules"] = FIRST_TAKES_THE_ODD


def hidden_s(record: Mapping[str, Any]) -> float:
    """Seconds that the table had set at the deal; 24 hours where it says nothing."""
    return 3600.0 * int(record.get("reveal_after", REVEAL_AFTER))


DEEDS = Deeds(("reveal_after", "odd_one_each"), read, hidden_s)
