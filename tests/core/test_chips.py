"""Wallets: starting chips, daily chips, gifts, and one's own figures."""

import csv
import json

import pytest

from engine.fairness.commitment import commit_to
from storage.questions.people import player_behind
from tests.core.conftest import HAND, House

HOUR_S = 3600


def test_everybody_starts_with_a_thousand_chips_from_the_mint_once(house):
    assert house.says("anna balance") == "You have 1,000 chips."
    house.do("anna balance")
    assert house.balances()["mint:1"] == -100_000


def test_daily_chips_come_once_in_twenty_hours(house):
    assert house.says("anna daily") == "200 chips for today. You have 1,200."
    assert house.says("anna daily") == "Your next daily chips are ready in 20 h."
    house.wait(19.5 * HOUR_S)
    assert house.says("anna daily") == "Your next daily chips are ready in 1 h."
    house.wait(0.5 * HOUR_S)
    assert house.says("anna daily") == "200 chips for today. You have 1,400."


def test_a_clock_that_was_put_back_keeps_nobody_from_their_daily_chips_for_longer_than_twenty_hours(house):
    for _ in range(5):
        house.do("anna daily")
        house.clock.now += 24 * HOUR_S
    house.do("insp take anna 1900 to hold less", sure=True)
    house.clock.now -= 5 * 24 * HOUR_S
    assert house.says("anna daily") == "Your next daily chips are ready in 20 h."
    house.wait(15 * HOUR_S)
    house.restart()
    assert house.says("anna daily") == "Your next daily chips are ready in 5 h."
    house.wait(5 * HOUR_S)
    assert house.says("anna daily") == "200 chips for today. You have 300."


def test_daily_chips_are_for_those_who_hold_less_than_2000_wherever_it_lies(house):
    house.do("anna balance")
    house.do("insp grant anna 1000 rich", sure=True)
    house.do("anna bet 500", sure=True)
    assert house.do("anna daily").refused
    house.wait(20)
    house.do("anna exchange 1")
    assert house.do("anna daily").refused
    house.do("anna fold")
    assert not house.do("anna daily").refused


def test_gifts_move_chips_and_make_none(house):
    for name in ("anna", "bea"):
        house.do(f"{name} balance")
    assert house.says("anna give BEA 50") == "You gave 50 to bea. You have 950."
    assert house.chips("bea") == 105_000
    assert house.says("anna give bea 951") == "That costs 951, you have 950."
    assert house.chips("anna") == 95_000


def test_elsewhere_than_in_the_lounge_gifts_wait_a_day_and_have_a_limit(house):
    casino = house.writer.state.casinos[1]
    house.writer.state.casinos[1] = casino.change(give_after_s=86400, give_a_day=50_000)
    for name in ("anna", "bea"):
        house.do(f"{name} balance")
    told = "New players can't send gifts yet. You can in 24 h."
    assert house.says("anna give bea 5") == told
    house.wait(86400)
    assert not house.do("anna give bea 400").refused
    assert house.says("anna give bea 200") == "You can still give 100 chips today."
    house.wait(86400)
    assert not house.do("anna give bea 200").refused


def test_the_statement_lists_every_movement_of_the_own_wallet(house):
    house.deal("anna bet 50", "bea bet 10")
    house.do("anna fold")
    moment = "1970-01-12 13:46"
    assert (
        house.says("anna statement") == f"{moment} UTC · -50 · Bet · hand {HAND} | {moment} UTC · 1,000 · Start chips"
    )


@pytest.mark.parametrize("is_paid", [True, False])
def test_fairness_who_kept_statement_and_record_can_show_a_missing_payment(tmp_path, is_paid):
    """Both name the hand, its commitment and the player; what the record pays is in the wallet, or is not."""
    house, hand = House(tmp_path), HAND
    while "Payment" not in house.says(f"anna statement #{hand}"):
        hand = house.table().round.hand_id
        house.deal("anna bet 50")
        house.do("anna raise")
    house.wait(1)
    house.writer.heads.sign()
    house.writer.round([], [])
    if not is_paid:
        wallet = f"player:1:{house.player('anna')}"
        house.change("DROP TRIGGER postings_remain")
        house.change("DELETE FROM postings WHERE hand = ? AND credit = ?", hand, wallet)
    record = json.loads(house.do(f"anna verify {hand}").file[1])
    (key,) = [stake["player"] for stake in record["stakes"] if stake["seat"] == 1]
    owed = record["paid"]["net"]["1"]
    head, *rows = csv.reader(house.do("anna statement csv").file[1].splitlines())
    of_hand = [dict(zip(head, row, strict=True)) for row in rows if row[3] == str(hand)]
    assert {(row["Commitment"], row["You in the record"]) for row in of_hand} == {(commit_to(record["promise"]), key)}
    assert (sum(round(100 * float(row["Chips"])) for row in of_hand) == owed) is is_paid
    said = house.says(f"anna statement #{hand}")
    assert said.endswith(
        f"In the record of hand {hand} you are {key}: commitment {commit_to(record['promise'])[:32]}…, "
        f"entry {record['log']['entries'][0]['index']} of log 1"
    )
    house.close()


def test_a_statement_is_narrowed_to_a_hand_or_goes_back_from_a_day(house):
    house.deal("anna bet 50")
    house.do("anna fold")
    house.wait(24 * HOUR_S)
    second = house.table().round.hand_id
    house.deal("anna bet 20")
    moved, record = house.says(f"anna statement #{second}").split(" | ")
    assert moved == f"1970-01-13 13:47 UTC · -20 · Bet · hand {second}"
    assert record.startswith(f"In the record of hand {second} you are p{house.player('anna')}: commitment ")
    until = house.says("anna statement 1970-01-12")
    assert until == f"1970-01-12 13:46 UTC · -50 · Bet · hand {HAND} | 1970-01-12 13:46 UTC · 1,000 · Start chips"
    assert house.says("anna statement 1970-01-11") == "There are no chip movements here."
    assert f"-50 · Bet · hand {HAND} | " in house.says(f"anna statement #{HAND} 1970-01-13")
    for wrong in ("1970-13-01", "#x", "bets"):
        assert house.says(f"anna statement {wrong}").startswith("Enter a page, for example 2, or a day")


def test_a_history_is_narrowed_to_a_game_and_goes_back_from_a_day(house):
    house.deal("anna bet 50")
    house.do("anna fold")
    house.wait(24 * HOUR_S)
    second = house.table().round.hand_id
    house.deal("anna bet 20")
    house.do("anna fold")

    def told(filters):
        return [f"hand {hand} " in house.says(f"anna history {filters}") for hand in (HAND, second)]

    assert told("") == told("caribbean") == told("1970-01-13") == [True, True]
    assert told("1970-01-12") == told("1970-01-12 caribbean") == [True, False]
    assert house.says("anna history uth") == "You have no such hands here."
    assert house.says("anna history 2") == "You have no such hands here."


def test_history_statistics_and_leaderboard_name_hands_and_sums(house):
    assert house.says("anna history") == "You have not finished a hand here yet."
    house.deal("anna bet 50")
    house.do("anna fold")
    assert (
        house.says("anna history")
        == f"1970-01-12 13:47 UTC · hand {HAND} · Caribbean Stud: bet 50, returned 0, -50 · entry {HAND} of log 1"
    )
    figures = "Caribbean Stud: 1 hand, 50 bet, 0 returned, best -50"
    assert house.says("anna stats") == f"{figures} | Last 1 hand: █▁ -50"
    assert house.says("bea balance") == "You have 1,000 chips."
    assert house.says("bea leaderboard") == "1. bea: 1,000 | 2. anna: 950"


def win(house, name, hand, amount, at):
    """Record a hand of stud as won, without the rules."""
    player = player_behind(house.books, "web", name)
    row = (hand, player, 1, "stud", 100, 100 + amount, at)
    house.change("INSERT INTO hands VALUES (?, 1, 1, 'stud', 'over', ?, '{}', 0, 0)", hand, b"\0")
    house.change("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?)", *row)
    house.is_spoilt = True


def biggest(house, line):
    return [said for said in house.says(line).split(" | ") if said.startswith("Biggest win")]


def test_the_biggest_wins_name_each_person_once_and_pass_over_who_hides(house):
    for name in ("anna", "bea", "cat"):
        house.do(f"{name} balance")
    house.do("cat leaderboard hide")
    for number in range(250):  # more than are read at once, all of one player and of a hidden one
        win(house, "anna", 1000 + number, 50_000 + number, house.clock.now)
        win(house, "cat", 2000 + number, 90_000, house.clock.now)
    win(house, "bea", 3000, 700, house.clock.now - 8 * 24 * HOUR_S)
    assert biggest(house, "bea leaderboard") == [
        "Biggest win: anna, 502.49 at 7 Card Stud Hi/Lo",
        "Biggest win: bea, 7 at 7 Card Stud Hi/Lo",
    ]
    assert biggest(house, "bea leaderboard week") == ["Biggest win: anna, 502.49 at 7 Card Stud Hi/Lo"]
