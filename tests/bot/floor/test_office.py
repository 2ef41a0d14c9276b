"""Bans, corrections, the audit log and what is handed to an auditor."""

import csv
import io

import pytest

from tests.bot.floor.communities import do, found, says

DAY_S = 86400


def test_who_is_banned_stakes_nothing_and_gets_no_chips(house):
    house.do("anna balance")
    assert house.says("insp ban anna") == "Name the reason, please: it stands in the audit log."
    asked = house.do("insp ban anna cheating at cards")
    assert asked.confirm
    assert "anna leaves every table of Lounge and bets there no more" in str(asked.texts[0])
    assert house.says("insp ban anna cheating at cards", sure=True) == "anna plays here no more; hands under way end."
    for line in ("bet 50", "rebet", "sit", "daily", "give insp 5"):
        assert house.says(f"anna {line}") == "An inspector keeps you from playing in this casino.", line
    assert house.says("anna buyin 80", table=5) == "An inspector keeps you from playing in this casino."
    for line in ("balance", "statement", "history 1", "leaderboard", "help"):
        assert not house.do(f"anna {line}").refused, line
    house.restart()
    assert house.do("anna bet 50").refused
    assert house.says("insp unban anna we talked") == "anna may play again."
    assert not house.do("anna bet 50").refused
    assert house.says("insp unban anna again") == "anna is not banned."


def test_a_ban_lets_a_hand_end_and_gives_bets_and_stacks_back(house):
    house.deal("anna bet 50")
    house.do("anna bet south 5", table=3)
    for name in ("anna", "bea"):
        house.do(f"{name} buyin 80", table=5)
    house.do("insp ban anna cheating", sure=True)
    assert (house.table(3).bets, house.table(5).seat_of(house.player("anna"))) == ((), None)
    assert house.chips("anna") == 95_000
    assert not house.do("anna fold").refused


def test_a_ban_in_the_middle_of_a_hand_of_stud_counts_when_it_is_over(house):
    for name in ("anna", "bea"):
        house.do(f"{name} buyin 80", table=5)
    house.wait(8)
    house.do("insp ban anna cheating", sure=True)
    assert house.table(5).phase == "playing"
    house.wait(600)
    assert house.table(5).seat_of(house.player("anna")) is None
    assert house.books.balance(f"stack:5:{house.player('anna')}") == 0


def test_nobody_bans_himself_or_a_stranger(house):
    house.do("insp balance")
    assert house.do("insp ban insp why").refused
    assert house.do("insp ban nobody why").refused


def test_CS27_a_settled_hand_is_corrected_beside_it_and_stays_as_it_was(house):
    house.deal("anna bet 50")
    assert "an open one takes /void" in house.says("insp adjust 1 anna 50 wrong limit")
    house.do("anna fold")
    bank = house.balances()["bank:1"]
    assert house.says("insp adjust #1 anna 50 wrong limit") == "anna has 1,000 now."
    asked = house.do("insp adjust 1 anna -20 too much")
    assert asked.confirm
    assert "anna has 1,000: 20 goes back to the house" in str(asked.texts[0])
    assert house.says("insp adjust 1 anna -20 too much", sure=True) == "anna has 980 now."
    assert house.says("insp adjust 1 anna -2000 too much") == "There are only 980 to take."
    assert house.balances()["bank:1"] == bank - 3000
    assert "50 · adjust hand 1: wrong limit" in house.says("anna statement")
    assert house.says("anna history").startswith("Hand 1 · Caribbean Stud: 50 put down, 0 came back")


@pytest.mark.parametrize("line", ["", "1 anna 50", "99 anna 50 why", "² anna 50 why", "1 nobody 5 why", "1 anna x why"])
def test_a_correction_names_hand_player_amount_and_reason(house, no_errors, line):
    house.deal("anna bet 50")
    house.do("anna fold")
    assert house.do(f"insp adjust {line}").refused


def test_hands_of_another_casino_are_none_of_ones_own(house):
    house.deal("anna bet 50")
    house.do("anna fold")
    found(house, "discord:1", "caribbean")
    do(house, "anna balance", "discord:1")
    assert "No settled hand" in says(house, "insp adjust 1 anna 50 why", "discord:1")
    assert "no hand of that number" in says(house, "anna verify 1", "discord:1")


# The audit log


def fill(house):
    for name in ("anna", "bea"):
        house.do(f"{name} balance")
    house.do("insp grant anna 5 a prize")
    house.do("insp ban anna cheating", sure=True)
    house.do("inspector ban bea shouting", sure=True)
    house.do("inspector table set pace fast too slow")


def test_the_log_says_when_who_what_whom_why_before_and_after(house):
    fill(house)
    lines = [str(text) for text in house.do("insp audit").texts]
    assert lines[-1] == "1970-01-12 13:46 · insp: grant, anna (a prize) 100000 → 100500"
    assert lines[0] == "1970-01-12 13:46 · inspector: table set, table 1 pace (too slow) normal → fast"


@pytest.mark.parametrize(
    ("words", "acts"),
    [
        ("", ["table set", "ban", "ban", "grant"]),
        ("ban", ["ban", "ban"]),
        ("table", ["table set"]),
        ("table set", ["table set"]),
        ("anna", ["ban", "grant"]),
        ("ANNA ban", ["ban"]),
        ("inspector", ["table set", "ban"]),
        ("inspector table set", ["table set"]),
        ("bea grant", []),
        ("void", []),
    ],
)
def test_the_log_is_filtered_by_person_and_kind(house, words, acts):
    """By who did it, and by whom it was done to."""
    fill(house)
    if words.startswith("inspector"):
        words = words.replace("inspector", "=inspector", 1)
    texts = house.do(f"insp audit {words}").texts
    assert [text.values["act"] for text in texts if "act" in text.values] == acts


def test_the_log_of_a_linked_person_holds_what_was_done_under_either_name(house):
    house.do("anna balance")
    house.wait(1)
    found(house, "discord:1", "caribbean")
    house.do("bea balance")
    house.do("insp grant bea 5 a prize")
    code = house.says("anna link").split()[3].rstrip(".")
    house.do(f"bea link {code}", sure=True)
    assert "grant" in house.says("insp audit anna")


def test_a_stranger_has_no_log(house):
    assert house.do("insp audit nobody").refused


def test_an_inspector_sees_every_option_of_the_table_here_as_it_is_set(house):
    told = house.says("insp table list", table=4)
    assert told.startswith("Table 1: Caribbean Stud")
    for line in (
        "pace: normal",
        "boxes_per_player: 3",
        "minimum: 10",
        "decks: 6",
        "penetration: 0",
        "hits_soft_17: off",
    ):
        assert f"| {line}" in told
    house.do("insp table set hits_soft_17 on why", table=4)
    assert "hits_soft_17: on" in house.says("insp table list", table=4)
    assert "boxes_per_player" not in house.says("insp table list")


def test_G6_a_former_account_of_a_player_voids_no_hand_of_his(house):
    for name in ("anna", "alias"):
        house.do(f"{name} balance")
        house.wait(1)
    code = house.says("anna link").split()[3].rstrip(".")
    house.do(f"alias link {code}", sure=True)
    house.do("alias unlink", sure=True)
    house.deal("anna bet 50")
    assert do(house, "alias void 1 bad cards", "web:1", sure=True, inspector=True).clause == "G6"


# The export


def tables_of(file):
    postings, audit = file[1].split("\n\r\n") if "\n\r\n" in file[1] else file[1].split("\r\n\n")
    return [list(csv.DictReader(io.StringIO(part))) for part in (postings, audit)]


def test_an_export_holds_every_posting_of_the_casino_and_the_audit_of_a_period(house):
    house.deal("anna bet 50 jackpot")
    house.do("anna raise")
    for name in ("anna", "bea"):
        house.do(f"{name} buyin 80", table=5)
    house.wait(600)
    house.do("insp grant anna 5 a prize")
    found(house, "discord:1", "caribbean")
    do(house, "cat balance", "discord:1")
    answer = house.do("insp export 30")
    postings, audit = tables_of(answer.file)
    ((others,),) = house.books.select("SELECT count(*) FROM postings WHERE debit IN ('mint:2', 'bank:2')")
    ((total,),) = house.books.select("SELECT count(*) FROM postings")
    assert len(postings) == total - others
    assert [row["act"] for row in audit] == ["grant"]
    sums = {}
    for row in postings:
        sums[row["credit"]] = sums.get(row["credit"], 0) + int(row["amount"])
        sums[row["debit"]] = sums.get(row["debit"], 0) - int(row["amount"])
    own = {name: amount for name, amount in sums.items() if amount}
    assert own.items() <= house.balances().items()


def test_an_export_of_a_period_leaves_out_what_was_before(house):
    house.do("anna balance")
    house.wait(2 * DAY_S)
    house.do("anna daily")
    postings, _audit = tables_of(house.do("insp export 1").file)
    assert [row["why"] for row in postings] == ["daily"]
    for days in ("0", "367", "x", "²"):
        assert house.do(f"insp export {days}").refused
