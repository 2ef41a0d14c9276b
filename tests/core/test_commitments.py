"""Log entries of a table, hand by hand, and checks of a record by a stranger."""

import json

import pytest

from bot.cli.log_faults import examine_logs
from bot.core.casinos.log_heads import sign
from bot.core.commands.counting import CountFault
from bot.core.guide.verdicts import FIXED, MADE, bytes_of
from bot.core.rounds import commitments
from bot.core.state.transaction import Transaction
from bot.verifier.pack import packed
from bot.verifier.records import checks_of, verify_record
from engine.fairness.commitment import commit_to
from storage.questions import logs
from tests.core.conftest import BLACKJACK, CARIBBEAN, HAND, LINKED, PAIJU, STUD, UTH
from tests.verified import holds

HOUR_S = 3600


def said(house, table):
    """Return the entries of a table, each with its kind and reason."""
    entries = [json.loads(row.entry) for row in logs.entry_rows(house.books, 1, 1)]
    by_commit = {}
    for entry in entries:
        if entry["k"] == "commit":
            by_commit[commit_to(entry["promise"])] = entry["promise"]["table"]
    found = []
    for entry in entries:
        commit = commit_to(entry["promise"]) if entry["k"] == "commit" else entry.get("commit")
        if by_commit.get(commit) == str(table):
            found.append((entry["k"], entry.get("why", entry.get("void", ""))))
    return found


def sign_head(house):
    transaction = Transaction(house.writer.state)
    transaction.put(sign(bytes(32), transaction.log_of(1), transaction.log_of(1).last_at))
    house.books.write(transaction)
    house.writer.state.publish(transaction)


def test_a_hand_is_committed_closed_paid_and_opened_and_its_record_proves_it(house):
    house.deal("anna bet 50 jackpot", "bea bet 10")
    for name in ("anna", "bea"):
        house.do(f"{name} fold")
    kinds = [kind for kind, _why in said(house, CARIBBEAN)]
    assert kinds == ["commit", "close", "paid", "open", "commit"]
    sign_head(house)
    record = json.loads(house.do(f"anna verify {HAND}").file[1])
    assert holds(record)
    assert [one["entry"]["k"] for one in record["log"]["entries"]] == ["commit", "close", "paid"]


def found(house, line):
    """Return the findings of /verify, in words; the record comes as a file."""
    answer = house.do(line)
    assert answer.file is not None
    *found, last = map(str, answer.found)
    assert "/verify file" in last
    assert house.writer.state.key in last
    return found


def test_verify_says_in_plain_words_what_the_record_proves_who_has_checked_it_and_how_anybody_does(house):
    house.deal("anna bet 50 jackpot", "bea bet 10")
    for name in ("anna", "bea"):
        house.do(f"{name} fold")
    paid, made = "The record pays what the rules give, and the chips were booked accordingly.", str(MADE["cuts"])
    first, unsigned, *others = found(house, f"anna verify {HAND}")
    assert first == paid
    assert unsigned.startswith("The log with this hand is not signed yet")
    sign_head(house)
    first, *rest = found(house, f"anna verify {HAND}")
    assert rest == [str(FIXED), made, *others[1:]]
    assert "Nothing proves" in rest[-1]
    lead = str(house.do(f"anna verify {HAND}").texts[0])
    assert lead.startswith(f"Record of hand {HAND}")


def test_verify_says_that_chips_were_not_booked_as_the_record_pays(house):
    house.deal("anna bet 50")
    house.do("anna fold")
    sign_head(house)
    house.change("UPDATE results SET returned = returned + 1 WHERE hand = ?", HAND)
    house.is_spoilt = True
    wrong, paid, *_ = found(house, f"anna verify {HAND}")
    assert wrong.startswith("The booked chips do not match the record")
    assert paid == "The record pays what the rules give."


def test_verify_begins_with_the_reason_of_a_void_hand(house):
    house.deal("anna bet 50")
    house.do(f"insp void {HAND} misdeal.", sure=True)
    sign_head(house)
    answer = house.do(f"anna verify {HAND}")
    assert str(answer.texts[0]) == "This hand was made void by an inspector: misdeal. Every stake came back."
    assert not any("pays what the rules give" in str(text) for text in answer.found)


def test_verify_sends_the_verifier_to_who_wants_to_check_by_themselves(house):
    house.deal("anna bet 50")
    house.do("anna fold")
    (offered,) = house.do(f"anna verify {HAND}").choices
    answer = house.do(f"anna {offered.verb} {offered.args[0]}")
    assert packed()[1] in " ".join(map(str, answer.texts))
    assert bytes_of(answer.file) == packed()[0]
    record = house.do(f"anna verify {HAND}").file
    assert bytes_of(record) == record[1].encode()


def test_a_record_for_who_checks_it_themselves_waits_for_no_check_of_the_house(house):
    """A page does so after each hand; checks of all tables are left out."""

    def asked(*_asked):
        raise AssertionError("asked")

    house.deal("anna bet 50")
    house.do("anna fold")
    house.writer.count = asked
    answer = house.do(f"anna verify {HAND} record")
    assert answer.file[0] == f"hand-{HAND}.json"
    assert answer.found == ()


def test_verify_says_that_nobody_has_cut(house):
    house.do("anna bet 50")
    house.wait(30)
    house.do("anna fold")
    assert str(MADE["none"]) in found(house, f"anna verify {HAND}")


def test_verify_says_of_a_dropped_deck_that_nothing_was_dealt(house):
    before = house.table()
    house.do("insp table set minimum 20 why")
    sign_head(house)
    assert found(house, f"anna verify {before.round.hand_id}") == [str(FIXED)]
    lead = str(house.do(f"anna verify {before.round.hand_id}").texts[0])
    assert lead == "Nothing was dealt from this promise: options changed."


def test_verify_says_what_is_wrong_and_nothing_that_it_makes_untrue(house):
    house.deal("anna bet 50")
    house.do("anna fold")
    sign_head(house)
    house.change(f"UPDATE moves SET move = '1 raise' WHERE hand = {HAND}")
    house.is_spoilt = True
    wrong, *others = found(house, f"anna verify {HAND}")
    assert wrong.startswith("Something is wrong with it, and the casino owes you an answer: payments, ")
    assert str(FIXED) not in others
    assert not any("pays what the rules give" in one for one in others)


def test_verify_hands_out_the_record_where_it_could_not_be_checked_in_time(house):
    def late(*_asked):
        raise CountFault("no answer")

    house.deal("anna bet 50")
    house.do("anna fold")
    house.writer.count = late
    answer = house.do(f"anna verify {HAND}")
    assert answer.file is not None
    assert str(answer.found[0]) == "The casino cannot check it just now."


def test_a_game_that_the_counting_process_does_not_know_is_checked_by_the_house_itself(house):
    house.deal("anna bet 50")
    house.do("anna fold")
    record = json.loads(house.do(f"anna verify {HAND}").file[1])
    assert checks_of(record | {"promise": record["promise"] | {"game": "elsewhere"}}) is None
    house.writer.count = lambda _function, _record: None
    assert "The record pays what the rules give, and the chips were booked accordingly." in found(
        house, f"anna verify {HAND}"
    )


def test_options_drop_the_commitment_where_nothing_lies(house):
    before = house.table()
    house.do("insp table set minimum 20 why")
    assert said(house, CARIBBEAN) == [("commit", ""), ("open", commitments.CHANGED), ("commit", "")]
    assert house.table().round.commitment["previous"] == before.round.commit
    record = json.loads(house.do(f"anna verify {before.round.hand_id}").file[1])
    assert record["void"] == commitments.CHANGED
    assert record["seed"] == {"server": before.round.seed.hex(), "cuts": []}


def test_a_table_that_closes_shows_its_seed(house):
    house.do("insp table close why", table=UTH, sure=True)
    assert said(house, UTH) == [("commit", ""), ("open", commitments.CLOSED)]


def test_an_option_set_at_a_closed_table_commits_to_nothing(house):
    house.do("insp table close why", table=UTH, sure=True)
    assert not house.do("insp table set minimum 20 why", table=UTH).refused
    assert house.table(UTH).round.commitment is None
    assert said(house, UTH) == [("commit", ""), ("open", commitments.CLOSED)]
    assert not list(examine_logs(house.books))


def test_a_non_betting_coup_shows_its_seed(house):
    house.do("insp noncoup why", table=PAIJU, sure=True)
    assert said(house, PAIJU) == [("commit", ""), ("open", commitments.NON_COUP), ("commit", "")]


def test_a_void_hand_is_paid_as_such_and_its_record_holds(house):
    house.deal("anna bet 50 jackpot")
    house.do(f"insp void {HAND} why", sure=True)
    assert said(house, CARIBBEAN)[:4] == [("commit", ""), ("close", ""), ("paid", "why"), ("open", "")]
    sign_head(house)
    assert holds(json.loads(house.do(f"anna verify {HAND}").file[1]))


def test_of_a_hand_that_does_not_replay_the_log_tells_the_meter_as_of_any_other(house):
    """The amount leaves out the coins of hands in play: its own, and another table's."""
    house.do("bea bet 10 jackpot", table=LINKED)
    house.deal("anna bet 50 jackpot")
    spoilt, played = house.table().round.hand_id, house.table(LINKED).round.hand_id
    house.change("INSERT INTO moves VALUES (?, 0, '1 dance', 0)", spoilt)
    house.restart()
    assert house.table().round.hand is None
    house.writer.round([], [])
    house.do("bea fold", table=LINKED)
    entries = [json.loads(row.entry) for row in logs.entry_rows(house.books, 1, 1)]
    void, paid = (entry for entry in entries if entry["k"] == "paid")
    assert (void["void"], void["meter"]) == (commitments.OTHER_RULES, {"before": 1_000_000, "after": 1_000_000})
    assert paid["meter"] == {"before": 1_000_000, "after": 1_000_090}
    assert list(examine_logs(house.books)) == []
    sign_head(house)
    assert holds(json.loads(house.do(f"bea verify {played}").file[1]))
    assert verify_record(json.loads(house.do(f"anna verify {spoilt}").file[1]))["verified"]


def test_the_seed_of_stud_is_shown_when_its_hours_are_over_after_a_restart_too(house):
    for name in ("anna", "bea"):
        house.do(f"{name} buyin 80", table=STUD)
    house.wait(8)
    first = house.table(STUD)
    assert first.round.commitment["opens"] == 24
    while house.table(STUD).round.hand_id == first.round.hand_id:
        house.wait(60)
    for name in ("anna", "bea"):
        house.do(f"{name} leave", table=STUD)
    while house.table(STUD).round.hand is not None:
        house.wait(60)
    assert ("open", "") not in said(house, STUD)
    house.restart()
    house.wait(25 * HOUR_S)
    assert said(house, STUD).count(("open", "")) == said(house, STUD).count(("paid", ""))
    house.restart()
    house.wait(HOUR_S)
    assert said(house, STUD).count(("open", "")) == said(house, STUD).count(("paid", ""))
    assert list(examine_logs(house.books)) == []


@pytest.mark.parametrize("restarts", [False, True])
def test_a_shoe_that_nobody_plays_from_ends_within_a_day(house, restarts):
    house.do("insp table set penetration 50 a shoe", table=BLACKJACK)
    house.deal("anna bet 20", table=BLACKJACK)
    while house.table(BLACKJACK).round.hand is not None:
        house.wait(60)
    shoe = house.table(BLACKJACK)
    assert shoe.shoe is not None
    assert said(house, BLACKJACK)[-1][0] == "paid"
    if restarts:
        house.restart()
    house.wait(24 * HOUR_S)
    assert house.table(BLACKJACK).shoe is None
    assert house.table(BLACKJACK).round.commitment["previous"] == shoe.round.commit
    assert [kind for kind, _why in said(house, BLACKJACK)][-3:] == ["paid", "open", "commit"]


def test_a_seed_is_shown_once_however_often_it_was_put_off_to_the_same_second(house):
    """Two hands of one shoe, while the system clock was changed back: a log's time does not go back."""
    house.do("insp table set penetration 50 a shoe", table=BLACKJACK)
    house.clock.now -= HOUR_S
    for _hand in range(2):
        house.deal("anna bet 20", table=BLACKJACK)
        while house.table(BLACKJACK).round.hand is not None:
            house.do("anna stand", table=BLACKJACK)
    assert [kind for kind, _why in said(house, BLACKJACK)][-4:] == ["close", "paid", "close", "paid"]
    house.wait(24 * HOUR_S)
    assert said(house, BLACKJACK).count(("open", "")) == 1
    assert list(examine_logs(house.books)) == []


def test_a_seed_is_shown_once_where_a_command_ends_its_shoe_as_it_falls_due(house):
    house.do("insp table set penetration 50 a shoe", table=BLACKJACK)
    house.deal("anna bet 20", table=BLACKJACK)
    while house.table(BLACKJACK).round.hand is not None:
        house.do("anna stand", table=BLACKJACK)
    house.clock.now += 24 * HOUR_S
    assert not house.do("insp table set penetration 60 another", table=BLACKJACK).refused
    assert said(house, BLACKJACK).count(("open", "")) == 1
    assert list(examine_logs(house.books)) == []
