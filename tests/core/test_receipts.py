"""The receipt of a bet: 32 digits of the commit, and the log entry of the commitment."""

import json

import pytest

from bot.core.rounds import commitments
from bot.core.state.lounge import LOUNGE
from bot.core.state.transaction import Transaction
from engine.fairness.commitment import commit_to
from storage.questions import logs
from tests.core.conftest import BLACKJACK, HAND, STUD
from tests.some import some


def receipts(house, name="anna"):
    """Return (digits of the commit, entry, log) of each unpaid bet of the player."""
    told = [text.values for text in house.do(f"{name} history").texts]
    return [(one["digits"], one["entry"], one["log"]) for one in told if "digits" in one]


def receipt(house, line, **more):
    """Return the history's receipt for the player's only bet, which this line makes."""
    answer = house.do(line, **more)
    assert not answer.refused, answer
    (found,) = receipts(house, line.split()[0])
    assert found[0][:12] not in " ".join(map(str, answer.said)), "the answer to a bet shows no digits"
    return found


def expected(house, id):
    table = house.table(id)
    return table.round.commit[:32], str(table.round.lines[0]), "1"


def entry(house, number):
    """Return an entry of the lounge's log."""
    (found,) = logs.entries(house.books, LOUNGE, 1, int(number), int(number) + 1)
    return json.loads(found)


def test_the_history_names_the_commit_and_the_entry_from_the_moment_of_the_bet(house):
    digits, number, _log = receipt(house, "anna bet 50")
    found = entry(house, number)
    assert found["k"] == "commit"
    assert found["promise"]["hand"] == str(house.table().round.hand_id)
    assert commit_to(found["promise"])[:32] == digits
    assert len(digits) == 32
    assert receipt(house, "bea bet 10") == (digits, number, "1")
    assert receipts(house, "cat") == []
    house.wait(20)
    assert receipts(house) == [(digits, number, "1")]
    assert house.do("anna history paiju").texts == house.do("cat history paiju").texts


def test_each_hand_has_its_own_and_the_hands_of_a_shoe_have_one(house):
    first = receipt(house, "anna bet 50")
    house.wait(20)
    house.do("anna fold")
    assert receipts(house) == []
    assert receipt(house, "anna rebet") != first
    house.do("anna takeback")
    house.do("insp table set penetration 50% why", table=BLACKJACK)
    one = receipt(house, "anna bet 50", table=BLACKJACK)
    house.wait(20)
    while house.table(BLACKJACK).round.hand is not None:
        house.do("anna stand", table=BLACKJACK)
        house.wait(1)
    assert house.table(BLACKJACK).shoe is not None
    assert receipt(house, "anna rebet", table=BLACKJACK) == one


def test_a_restart_keeps_it_and_the_same_update_is_told_the_same_again(house):
    command = house.command("anna bet 50")
    (first,) = house.batch([command])
    before = receipts(house)
    house.restart()
    assert house.batch([command]) == [first]
    assert receipts(house) == before
    assert [receipt(house, "bea bet 50")] == before


def test_a_stack_has_one_too_but_none_of_a_hand_that_others_play(house):
    assert receipt(house, "anna buyin 80", table=STUD) == expected(house, STUD)
    house.do("bea buyin 80", table=STUD)
    house.wait(house.table(STUD).round.deadline - house.clock.now)
    assert house.table(STUD).round.hand is not None
    house.do("cat buyin 80", table=STUD)
    assert receipts(house, "cat") == []
    assert receipts(house, "bea") == [expected(house, STUD)]


def test_what_is_refused_or_taken_back_has_none(house):
    for line in ("anna bet 1", "anna balance", "anna bet 50 50000", "anna cut x"):
        house.do(line)
        assert receipts(house) == []
    house.do("anna bet 50")
    house.do("anna takeback")
    assert receipts(house) == []


def test_the_history_names_the_same_entry_when_the_hand_is_paid(house):
    _digits, number, log = receipt(house, "anna bet 50")
    house.wait(20)
    house.do("anna fold")
    assert house.says("anna history").endswith(f"-50 · entry {number} of log {log}")
    house.restart()
    assert house.says("anna history").endswith(f"-50 · entry {number} of log {log}")


def test_a_hand_whose_deal_is_damaged_is_in_the_history_without_its_entry(house):
    house.is_spoilt = True
    house.deal("anna bet 50")
    house.do("anna fold")
    for damaged in ("{}", "{"):
        house.change(f"UPDATE hands SET deal = ? WHERE id = {HAND}", damaged)
        assert (
            house.says("anna history")
            == f"1970-01-12 13:47 UTC · hand {HAND} · Caribbean Stud: bet 50, returned 0, -50"
        )


def test_verify_names_the_entry_and_the_newest_root_before_the_cards_and_in_the_record_after_them(house):
    digits, number, log = receipt(house, "anna bet 50")
    house.writer.heads.sign()
    house.wait(1)
    told = house.do(f"cat verify {HAND}").texts
    head = some(logs.newest_head(house.books, LOUNGE, 1))
    assert digits in str(told[1])
    assert str(told[2]) == f"Its commitment is entry {number} of log {log}."
    assert str(told[3]) == f"The newest tree head of that log: {head.size} entries, root {head.root.hex()[:32]}…"
    house.wait(20)
    house.do("anna fold")
    house.writer.heads.sign()
    house.wait(1)
    record = json.loads(some(house.do(f"cat verify {HAND}").file)[1])
    assert commit_to(record["promise"])[:32] == digits
    head = some(logs.newest_head(house.books, LOUNGE, 1))
    assert record["log"]["entries"][0]["index"] == int(number)
    assert record["log"]["entries"][0]["entry"]["promise"] == record["promise"]
    assert (record["log"]["head"]["size"], record["log"]["head"]["root"]) == (head.size, head.root.hex())


def test_the_history_looks_at_no_table_without_the_player(house, monkeypatch):
    house.do("anna bet 50")
    seen = []
    monkeypatch.setattr(commitments, "receipt_of", lambda table: seen.append(table.id))
    monkeypatch.setattr(Transaction, "tables_in", lambda _transaction, casino: pytest.fail("every table was looked at"))
    house.do("anna history")
    assert seen == [house.table().id]
