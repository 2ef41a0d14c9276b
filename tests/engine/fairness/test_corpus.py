"""One digest over ten thousand records of all games, which notices any change in writing, dealing or paying them."""

from collections.abc import Iterable

import pytest

from bot.verifier.records import verify_record
from engine.fairness.record import Record
from tests.engine.fairness.corpus import HANDS_OF_A_LOG, digest_of, make_corpus
from tests.engine.fairness.writing import STAKES

# A change of a game's rules, or of the record, requires writing them anew and a new version of the rules.
FIRST = "9073b657f1d32fa42bdbaa610f556ae6051ad1a485de5436199fb205d354f408"


def check_verified(records: Iterable[Record]) -> None:
    for record in records:
        answer = verify_record(record)
        assert answer["verified"], answer
        assert answer["checks"]["log"] == "ok"


@pytest.mark.long
def test_the_first_records_are_what_they_were_and_verify() -> None:
    records = list(make_corpus(4 * HANDS_OF_A_LOG))
    assert digest_of(iter(records)) == FIRST
    assert {record["promise"]["game"] for record in records} == {*STAKES}
    check_verified(records[::5])
