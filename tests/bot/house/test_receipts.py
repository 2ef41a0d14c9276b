"""What who bets can note: 32 digits of the commit, and the entry of the log that holds the promise."""

import json

from bot.house.lounge import LOUNGE
from engine.fairness.promise import commit_to
from storage.questions import logs
from tests.bot.house.conftest import BLACKJACK, HAND, STUD
from tests.some import some


def receipt(answer):
    """(digits of the commit, entry, log) that an answer names."""
    assert answer.said[-1] is answer.receipt
    return tuple(answer.receipt.values[name] for name in ("digits", "entry", "log"))


def expected(house, id):
    table = house.table(id)
    return table.commit[:32], str(table.lines[0]), "1"


def entry(house, number):
    """An entry of the lounge's log."""
    (found,) = logs.entries(house.books, LOUNGE, 1, int(number), int(number) + 1)
    return json.loads(found)


def test_the_answer_to_a_bet_names_the_commit_and_the_entry_that_holds_its_promise(house):
    digits, number, _log = receipt(house.do("anna bet 50"))
    found = entry(house, number)
    assert found["k"] == "commit"
    assert found["promise"]["hand"] == str(house.table().hand_id)
    assert commit_to(found["promise"])[:32] == digits
    assert len(digits) == 32
    assert receipt(house.do("bea bet 10")) == (digits, number, "1")


def test_each_hand_has_its_own_and_the_hands_of_a_shoe_have_one(house):
    first = receipt(house.do("anna bet 50"))
    house.wait(20)
    house.do("anna fold")
    assert receipt(house.do("anna rebet")) != first
    house.do("insp table set penetration 50% why", table=BLACKJACK)
    one = receipt(house.do("anna bet 50", table=BLACKJACK))
    house.wait(20)
    while house.table(BLACKJACK).play is not None:
        house.do("anna stand", table=BLACKJACK)
        house.wait(1)
    assert house.table(BLACKJACK).shoe is not None
    assert receipt(house.do("anna rebet", table=BLACKJACK)) == one


def test_a_restart_keeps_it_and_the_same_update_is_told_it_again(house):
    command = house.command("anna bet 50")
    (first,) = house.batch([command])
    house.restart()
    assert house.batch([command]) == [first]
    assert receipt(house.do("bea bet 50")) == receipt(first)


def test_a_stack_has_one_too_but_none_of_a_hand_that_others_play(house):
    assert receipt(house.do("anna buyin 80", table=STUD)) == expected(house, STUD)
    house.do("bea buyin 80", table=STUD)
    house.wait(house.table(STUD).deadline - house.clock.now)
    assert house.table(STUD).play is not None
    assert house.do("cat buyin 80", table=STUD).receipt is None


def test_what_is_refused_or_is_no_bet_has_none(house):
    for line in ("anna bet 1", "anna balance", "anna bet 50 50000", "anna cut x", "anna takeback"):
        assert house.do(line).receipt is None


def test_the_history_names_the_same_entry(house):
    _digits, number, log = receipt(house.do("anna bet 50"))
    house.wait(20)
    house.do("anna fold")
    assert house.says("anna history").endswith(f"-50 · entry {number} of log {log}")
    house.restart()
    assert house.says("anna history").endswith(f"-50 · entry {number} of log {log}")


def test_a_hand_of_version_1_stands_in_the_history_without_an_entry(house):
    house.is_spoilt = True
    house.deal("anna bet 50")
    house.do("anna fold")
    house.change(f"UPDATE hands SET deal = ? WHERE id = {HAND}", json.dumps({"hand": "1", "game": "caribbean"}))
    assert (
        house.says("anna history") == f"1970-01-12 13:47 · hand {HAND} · Caribbean Stud: 50 put down, 0 came back, -50"
    )


def test_verify_names_the_entry_and_the_newest_root_before_the_cards_and_after_them(house):
    _digits, number, _log = receipt(house.do("anna bet 50"))
    house.pit.heads.sign()
    house.wait(1)
    for _moment in ("before", "after"):
        told = house.do(f"cat verify {HAND}").texts
        head = some(logs.newest_head(house.books, LOUNGE, 1))
        assert str(told[2]) == f"Its promise is entry {number} of log 1."
        assert str(told[3]) == f"The newest head of that log: {head.size} entries, root {head.root.hex()[:32]}…"
        house.wait(20)
        house.do("anna fold")
        house.pit.heads.sign()
        house.wait(1)
