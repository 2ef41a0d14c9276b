"""Bans, corrections, the audit log, and files for an auditor."""

import csv
import io
from datetime import datetime, timedelta
from decimal import Decimal

import pytest

from bot.core.commands.acts import ACTS
from bot.core.commands.picks import pick_account
from tests.core.communities import do, found, link_as_once, says
from tests.core.conftest import BLACKJACK, CARIBBEAN, HAND, PAIJU, STUD
from tests.disk import ask

DAY_S = 86400


def test_who_is_banned_stakes_nothing_and_gets_no_chips(house):
    house.do("anna balance")
    assert house.says("insp ban anna") == "Add a reason. It goes into the audit log."
    asked = house.do("insp ban anna cheating at cards")
    assert asked.confirm
    assert "Ban anna from Lounge? anna leaves every table" in str(asked.texts[0])
    assert house.says("insp ban anna cheating at cards", sure=True) == "anna is banned. Hands in progress will finish."
    for line in ("bet 50", "rebet", "sit", "daily", "give insp 5"):
        assert house.says(f"anna {line}") == "An inspector has banned you from this casino: cheating at cards", line
    assert house.says("anna buyin 80", table=STUD) == "An inspector has banned you from this casino: cheating at cards"
    for line in ("balance", "statement", "history 1", "leaderboard", "help"):
        assert not house.do(f"anna {line}").refused, line
    house.restart()
    assert house.do("anna bet 50").refused
    assert house.says("insp unban anna we talked") == "anna can play again."
    assert not house.do("anna bet 50").refused
    assert house.says("insp unban anna again") == "anna is not banned."


def test_a_ban_lets_a_hand_end_and_gives_bets_and_stacks_back(house):
    house.deal("anna bet 50")
    house.do("anna bet south 5", table=PAIJU)
    for name in ("anna", "bea"):
        house.do(f"{name} buyin 80", table=STUD)
    house.do("insp ban anna cheating", sure=True)
    assert (house.table(PAIJU).round.bets, house.table(STUD).seat_of(house.player("anna"))) == ((), None)
    assert house.chips("anna") == 95_000
    assert not house.do("anna fold").refused


def test_a_ban_in_the_middle_of_a_hand_of_stud_counts_when_it_is_over(house):
    for name in ("anna", "bea"):
        house.do(f"{name} buyin 80", table=STUD)
    house.wait(8)
    house.do("insp ban anna cheating", sure=True)
    assert house.table(STUD).phase == "playing"
    house.wait(600)
    assert house.table(STUD).seat_of(house.player("anna")) is None
    assert house.books.balance(f"stack:5:{house.player('anna')}") == 0


def test_nobody_bans_themselves_or_a_stranger(house):
    house.do("insp balance")
    assert house.do("insp ban insp why").refused
    assert house.do("insp ban nobody why").refused


def test_CS27_a_settled_hand_is_corrected_beside_it_and_stays_as_it_was(house):
    house.deal("anna bet 50")
    assert "For an open hand use /void" in house.says(f"insp adjust {HAND} anna 50 wrong limit", sure=True)
    house.do("anna fold")
    bank = house.balances()["bank:1"]
    assert house.says(f"insp adjust #{HAND} anna 50 wrong limit", sure=True) == "anna has 1,000 now."
    asked = house.do(f"insp adjust {HAND} anna -20 too much")
    assert asked.confirm
    assert f"Correct hand {HAND}: take 20 chips from anna? 1,000 → 980." in str(asked.texts[0])
    assert house.says(f"insp adjust {HAND} anna -20 too much", sure=True) == "anna has 980 now."
    assert house.says(f"insp adjust {HAND} anna -2000 too much", sure=True) == "Only 980 can be taken."
    assert house.balances()["bank:1"] == bank - 3000
    assert f"50 · Hand {HAND} corrected: wrong limit" in house.says("anna statement")
    assert f"hand {HAND} · Caribbean Stud: bet 50, returned 0" in house.says("anna history")


def test_an_inspector_corrects_no_hand_that_they_were_in_nor_their_own_chips(house):
    house.deal("insp bet 50", "anna bet 50")
    for name in ("insp", "anna"):
        house.do(f"{name} fold")
    before = house.balances()
    for line in ("insp 5000 why", "insp -5 why", "anna 50 why"):
        answer = house.do(f"insp adjust {HAND} {line}", sure=True)
        assert (str(answer.texts[0]), answer.clause) == (
            "You played in that hand. Another inspector must adjust it.",
            "CS27",
        )
    house.deal("anna bet 50")
    hand = house.table().round.hand_id
    house.do("anna fold")
    assert "your own chips" in house.says(f"insp adjust {hand} insp 50 why", sure=True)
    assert not house.do(f"insp adjust {hand} anna 50 why", sure=True).refused
    assert house.balances()["bank:1"] == before["bank:1"]


@pytest.mark.parametrize("line", ["", "1 anna 50", "99 anna 50 why", "² anna 50 why", "1 nobody 5 why", "1 anna x why"])
def test_a_correction_names_hand_player_amount_and_reason(house, no_errors, line):
    house.deal("anna bet 50")
    house.do("anna fold")
    assert house.do(f"insp adjust {line}", sure=True).refused


def test_hands_of_another_casino_are_none_of_ones_own(house):
    house.deal("anna bet 50")
    house.do("anna fold")
    found(house, "discord:1", "caribbean")
    do(house, "anna balance", "discord:1")
    assert "no settled hand" in says(house, f"insp adjust {HAND} anna 50 why", "discord:1")
    assert "no hand with that number" in says(house, f"anna verify {HAND}", "discord:1")


def fill(house):
    for name in ("anna", "bea"):
        house.do(f"{name} balance")
    house.do("insp grant anna 5 a prize", sure=True)
    house.do("insp ban anna cheating", sure=True)
    house.do("inspetta ban bea shouting", sure=True)
    house.do("inspetta table set pace fast too slow")


def test_the_log_says_when_who_what_whom_why_before_and_after(house):
    fill(house)
    lines = [str(text) for text in house.do("insp audit").texts]
    assert lines[-1] == "1970-01-12 13:46 UTC · insp: Chips given, anna, 1,000 → 1,005 (a prize)"
    assert lines[0] == (
        f"1970-01-12 13:46 UTC · inspetta: Setting changed, table {CARIBBEAN}, Time to decide, normal → fast (too slow)"
    )


@pytest.mark.parametrize(
    ("words", "acts"),
    [
        ("", ["table set", "ban", "ban", "grant"]),
        ("ban", ["ban", "ban"]),
        ("table", ["table set"]),
        ("table set", ["table set"]),
        ("anna", ["ban", "grant"]),
        ("ANNA ban", ["ban"]),
        ("inspetta", ["table set", "ban"]),
        ("inspetta table set", ["table set"]),
        ("bea grant", []),
        ("void", []),
    ],
)
def test_the_log_is_filtered_by_person_and_kind(house, words, acts):
    """The filter covers both the inspector and the affected player."""
    fill(house)
    if words.startswith("inspetta"):
        words = words.replace("inspetta", pick_account("inspetta"), 1)
    texts = house.do(f"insp audit {words}").texts
    assert [text.values["act"] for text in texts if "act" in text.values] == [ACTS[act].label for act in acts]


def test_the_log_of_a_linked_person_holds_what_was_done_under_either_name(house):
    house.do("anna balance")
    house.wait(1)
    found(house, "discord:1", "caribbean")
    house.do("bea balance")
    house.do("insp grant bea 5 a prize", sure=True)
    link_as_once(house, "anna@web:1", "bea@web:1")
    assert "Chips given" in house.says("insp audit anna")


def test_a_stranger_has_no_log(house):
    assert house.do("insp audit nobody").refused


def test_an_inspector_sees_every_option_of_the_table_here_as_it_is_set(house):
    listed = house.says("insp table list", table=BLACKJACK).split(" | ")
    assert listed[CARIBBEAN - 1].startswith(f"Table {CARIBBEAN}: Caribbean Stud")
    assert all(line.startswith("Table ") for line in listed), "tables alone"
    told = house.says("insp rules table", table=BLACKJACK)
    for line in (
        "Time to decide: normal",
        "Boxes per player: 3",
        "Minimum: 10",
        "Decks: 6",
        "Penetration: 0",
        "Dealer hits soft 17: off",
    ):
        assert f"| {line}" in told
    house.do("insp table set hits_soft_17 on why", table=BLACKJACK)
    assert "Dealer hits soft 17: on" in house.says("insp rules table", table=BLACKJACK)
    assert "Boxes per player" not in house.says("insp rules table")


def test_G6_a_former_account_of_a_player_voids_no_hand_of_theirs(house):
    for name in ("anna", "alias"):
        house.do(f"{name} balance")
        house.wait(1)
    link_as_once(house, "anna@web:1", "alias@web:1")
    house.do("alias unlink", sure=True)
    house.deal("anna bet 50")
    assert do(house, f"alias void {HAND} bad cards", "web:1", sure=True, inspector=True).clause == "G6"


def tables_of(file):
    postings, audit = file[1].split("\n\r\n") if "\n\r\n" in file[1] else file[1].split("\r\n\n")
    return [list(csv.DictReader(io.StringIO(part))) for part in (postings, audit)]


def test_an_export_holds_every_posting_of_the_casino_and_the_audit_of_a_period(house):
    house.deal("anna bet 50 jackpot")
    house.do("anna raise")
    for name in ("anna", "bea"):
        house.do(f"{name} buyin 80", table=STUD)
    house.wait(600)
    house.do("insp grant anna 5 a prize", sure=True)
    found(house, "discord:1", "caribbean")
    do(house, "cat balance", "discord:1")
    answer = house.do("insp export 30")
    postings, audit = tables_of(answer.file)
    ((others,),) = ask(house.books, "SELECT count(*) FROM postings WHERE debit IN ('mint:2', 'bank:2')")
    ((total,),) = ask(house.books, "SELECT count(*) FROM postings")
    assert len(postings) == total - others
    assert [row["What"] for row in audit] == ["Chips given", "Records exported"]
    assert [row["Who"] for row in audit] == ["insp", "insp"]
    assert (audit[0]["About"], audit[0]["Reason"]) == ("anna", "a prize")
    sums: dict[str, Decimal] = {}
    for row in postings:
        assert datetime.fromisoformat(row["Time"]).utcoffset() == timedelta()
        sums[row["To"]] = sums.get(row["To"], Decimal()) + Decimal(row["Chips"])
        sums[row["From"]] = sums.get(row["From"], Decimal()) - Decimal(row["Chips"])
    balances, anna = house.balances(), house.player("anna")
    named = {
        f"player:1:{anna}": "chips of anna",
        "bank:1": "the bank",
        "jackpot:1": "the jackpot",
        "mint:1": "new chips",
    }
    assert {said: sums[said] * 100 for said in named.values()} == {said: balances[one] for one, said in named.items()}
    assert {"stack of anna", "stack of bea", f"bets of hand {HAND}"} <= set(sums)


def test_an_export_of_a_period_leaves_out_what_was_before(house):
    for name in ("anna", "insp"):
        house.do(f"{name} balance")
    house.wait(2 * DAY_S)
    house.do("anna daily")
    postings, _audit = tables_of(house.do("insp export 1").file)
    assert [row["Reason"] for row in postings] == ["Daily chips"]
    for days in ("0", "367", "x", "²"):
        assert house.do(f"insp export {days}").refused


def test_an_export_that_no_file_would_take_holds_the_latest_and_says_so(house, monkeypatch):
    monkeypatch.setattr("bot.core.admin.auditing.MOST_ROWS", 3)
    house.do("anna balance")
    for number in range(4):
        house.do(f"insp grant anna {number + 1} a prize", sure=True)
    answer = house.do("insp export 1")
    postings, audit = tables_of(answer.file)
    assert [row["Chips"] for row in postings] == ["2.00", "3.00", "4.00"]
    assert [row["What"] for row in audit] == ["Chips given", "Chips given", "Records exported"]
    said = "The postings and the audit log of 1 day, the latest 3 of each at most."
    assert [str(text) for text in answer.texts] == [said]


def test_an_export_that_is_asked_for_again_by_the_same_update_is_written_down_once(house):
    command = house.command("insp export 1")
    first, again = house.batch([command])[0], house.batch([command])[0]
    assert first.file is not None
    assert again.texts == first.texts
    assert ask(house.books, "SELECT count(*) FROM audit WHERE act = 'export'") == [(1,)]


def test_a_statement_as_a_file_is_of_one_player_alone_and_of_all_their_movements(house):
    commit = house.table().round.commit
    house.deal("anna bet 50", "bea bet 10")
    house.do("anna fold")
    answer = house.do("anna statement csv")
    assert answer.file[1].splitlines() == [
        "Time,Chips,Reason,Hand,From,To,Commitment,You in the record",
        "1970-01-12T13:46:40+00:00,1000.00,Start chips,,new chips,your chips,,",
        f"1970-01-12T13:46:40+00:00,-50.00,Bet,{HAND},your chips,bets of hand {HAND},{commit},p{house.player('anna')}",
    ]
    assert str(answer.texts[0]) == "Your latest 50,000 chip movements."
