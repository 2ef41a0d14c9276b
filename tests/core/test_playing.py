"""A hand from the deal to the payment: simultaneous choices, clocks, exact payments, the next hand."""

import json

import pytest

from engine.fairness.commitment import commit_to
from engine.record import play_record
from tests.core.conftest import BLACKJACK, HAND, LINKED, UTH
from tests.verified import holds


def test_CS5_cards_come_when_betting_ends_and_everybody_chooses_at_the_same_time(house):
    house.deal("anna bet 50", "bea bet 10")
    assert house.table().round.hand.asks.keys() == {"1", "2"}
    assert house.says("bea fold") == "You folded. Waiting for anna."
    assert house.says("bea fold") == "Nothing to decide right now. Waiting for anna."
    assert house.table().round.hand.asks.keys() == {"1"}
    assert house.do("bea raise").clause == "CS6"


@pytest.mark.parametrize("line", ["bea raise", "bea fold", "bea exchange 1"])
def test_who_is_not_in_the_hand_has_no_choice(house, no_errors, line):
    house.deal("anna bet 50")
    assert house.says(line) == "You are not in this hand. Place your bets when it is over."
    assert "No more bets please" in house.says("bea bet 10")


@pytest.mark.parametrize(
    "line",
    [
        "anna exchange",
        "anna exchange 0",
        "anna exchange 6",
        "anna exchange Zz",
        "anna exchange 9h",
        "anna check",
        "anna raise 5",
        "anna raise ²",
        "anna exchange ²",
        f"anna exchange {'1' * 900}",
        "anna hit",
    ],
)
@pytest.mark.parametrize("house", ["pair"], indirect=True)
def test_a_move_that_the_rules_refuse_is_one_sentence_and_changes_nothing(house, no_errors, line):
    house.deal("anna bet 50")
    before, table = house.balances(), house.table()
    answer = house.do(line)
    assert answer.refused
    assert len(answer.texts) == 1
    assert house.balances() == before
    assert house.table() is table


@pytest.mark.parametrize("house", ["pair"], indirect=True)
def test_CS6_a_card_is_exchanged_by_its_position_for_the_price_of_the_ante_and_never_by_its_face(house):
    house.deal("anna bet 50")
    for face in ("Kh", "kh", "9s", "Ad"):
        answer = house.do(f"anna exchange {face}")
        assert (answer.refused, answer.clause) == (True, "CS6")
        assert str(answer.texts[0]) == "Enter the position of the card, 1 to 5."
    assert house.says("anna exchange 3") == "Card 3 swapped for 50."
    assert house.table().round.hand.cards("1")["1"] == ["9s", "4c", house.table().round.hand.deal.deck[10], "7c", "7s"]
    assert house.chips("anna") == 100_000 - 5000 - 5000
    assert house.says("anna exchange 2") == "You can't choose “Exchange card 2” now. You can choose: Fold, Raise (100)."
    house.do("anna fold")
    assert house.chips("anna") == 90_000


@pytest.mark.parametrize("house", ["full house"], indirect=True)
def test_CS15_a_raise_is_paid_to_the_unit(house):
    house.deal("anna bet 50 jackpot")
    house.do("anna raise")
    # Ante 50 at 1:1, bet 100 at 7:1, and the fixed prize of the full house; the coin is lost.
    assert house.chips("anna") == 100_000 + 5000 + 70_000 + 10_000 - 100
    assert house.balances()["bank:1"] == -1_000_000 - 5000 - 70_000 + 10
    assert house.books.balance(f"hand:{HAND}") == 0
    line = f" · hand {HAND} · Caribbean Stud: bet 151, returned 1,000, +849 · entry {HAND} of log 1"
    assert house.says("anna history").endswith(line)


@pytest.mark.parametrize("house", ["pair"], indirect=True)
def test_CS12_an_unqualified_dealer_pays_the_ante_alone(house):
    house.deal("anna bet 50")
    house.do("anna raise")
    assert house.chips("anna") == 105_000


@pytest.mark.parametrize("house", ["high card"], indirect=True)
def test_CS13_a_lost_raise_goes_to_the_bank(house):
    house.deal("anna bet 50")
    house.do("anna raise")
    assert house.chips("anna") == 85_000
    assert house.balances()["bank:1"] == -1_000_000 + 15_000


def test_a_raise_beyond_the_wallet_is_refused_and_the_hand_waits(house, no_errors):
    house.deal("anna bet 50")
    house.do("insp take anna 900 rich", sure=True)
    assert house.says("anna raise") == "That costs 100, you have 50."
    assert house.table().phase == "playing"
    assert not house.do("anna exchange 1").refused


def test_the_next_hand_opens_in_the_same_table_with_another_seed(house):
    house.deal("anna bet 50")
    first = house.table()
    house.do("anna fold")
    assert (house.table().last_hand, house.table().phase) == (first.round.hand_id, "asleep")
    assert house.table().round.hand_id > first.round.hand_id
    assert house.table().round.commit != first.round.commit
    assert not house.do("anna bet 50").refused


def test_a_time_bank_of_thirty_seconds_a_day_is_used_by_itself(house):
    house.deal("anna bet 50", "bea bet 10")
    house.wait(30)
    assert house.table().phase == "playing"
    house.wait(10)
    house.do("anna raise")  # ten of thirty seconds have passed
    house.wait(20)
    assert house.table().phase == "asleep"
    house.deal("anna bet 50")
    house.wait(30 + 19)
    assert house.table().phase == "playing"
    house.wait(1)
    assert house.table().phase == "asleep"
    house.deal("anna bet 50")
    house.wait(30)
    assert house.table().phase == "asleep"
    house.wait(86400)
    house.deal("anna bet 50")
    house.wait(59)
    assert house.table().phase == "playing"


def test_G10_each_late_seat_uses_its_own_time_bank_and_who_has_none_keeps_nobody_waiting(house):
    """The time bank is used automatically; the table's one clock shows the next that is used up."""
    house.deal("bea bet 50")
    house.wait(30 + 20)
    house.do("bea fold")  # ten of her thirty seconds are left
    house.deal("cat bet 50")
    house.wait(60)  # and none of cat's
    house.deal("anna bet 50", "bea bet 10", "cat bet 10")
    hand, dealt = house.table().round.hand_id, house.clock.now
    house.wait(30)
    assert house.moves(hand) == ["2 timeout"]
    assert house.table().round.deadline == dealt + 40
    house.wait(10)
    assert house.moves(hand) == ["2 timeout", "3 timeout"]
    assert (house.table().phase, house.table().round.deadline) == ("playing", dealt + 60)
    house.wait(5)
    assert not house.do("anna fold").refused
    house.deal("anna bet 50", "bea bet 10")
    hand = house.table().round.hand_id
    house.wait(30)
    assert house.moves(hand) == ["3 timeout"]
    house.wait(14)
    assert house.table().phase == "playing"
    house.wait(1)
    assert house.moves(hand) == ["3 timeout", "1 timeout"]


def test_a_new_round_of_choices_ends_the_extra_time_and_books_what_was_used(house):
    house.deal("anna bet 20", table=UTH)
    house.wait(30 + 12)
    assert not house.do("anna check", table=UTH).refused
    table = house.table(UTH)
    assert (table.round.extended, table.round.deadline) == (None, house.clock.now + 30)
    house.wait(30 + 18)
    assert house.table(UTH).round.hand is None or house.table(UTH).round.away


@pytest.mark.long
def test_who_decides_two_boxes_in_extra_time_pays_for_it_once(house):
    """The dealer shows an ace: insurance is offered to every box at once."""
    while True:
        house.do("anna bet 1 20", table=BLACKJACK)
        house.do("anna bet 2 20", table=BLACKJACK)
        house.wait(20)
        table = house.table(BLACKJACK)
        if table.round.hand is not None and any(
            offer.word == "decline" for offer in table.round.hand.asks.get("1", ())
        ):
            break
        house.wait(86400)  # the hand ends, and the time bank is full again
        house.do("insp grant anna 100 to go on", table=BLACKJACK, sure=True)
    house.wait(30 + 10)
    assert not house.do("anna decline", table=BLACKJACK).refused
    assert house.table(BLACKJACK).round.extended is not None
    assert not house.do("anna decline", table=BLACKJACK).refused
    bank = house.writer.state.players[house.player("anna")].state.time_bank
    assert bank.used == 10


def test_CS10_time_out_folds(house):
    house.deal("anna bet 50", "bea bet 10")
    house.do("bea fold")
    house.wait(60)
    assert house.moves(HAND) == ["2 fold", "1 timeout"]
    assert (house.chips("anna"), house.chips("bea")) == (95_000, 99_000)


@pytest.mark.parametrize(("house", "move"), [("pair", "1 raise"), ("high card", "1 fold")], indirect=["house"])
def test_CS10_a_standing_order_plays_instead_and_is_written_as_its_move(house, move):
    assert house.says("anna standing raise-pairs") == "If your time runs out: raise-pairs."
    house.deal("anna bet 50")
    house.wait(60)
    assert house.moves(HAND) == [move]
    house.do("anna standing off")
    house.deal("anna bet 50")
    house.wait(60)
    assert house.moves(house.table().last_hand) == ["1 timeout"]


@pytest.mark.parametrize("house", ["pair"], indirect=True)
def test_CS10_an_order_that_cannot_be_paid_for_folds(house):
    house.do("anna standing raise-pairs")
    house.deal("anna bet 50")
    house.do("insp take anna 900 rich", sure=True)
    house.wait(60)
    assert house.moves(HAND) == ["1 timeout"]


def test_who_let_a_clock_run_out_is_not_waited_for_again_in_this_hand(house):
    """bea exchanges at once; anna's time-out is a fold; bea still has her second choice and her own clock."""
    house.deal("anna bet 50", "bea bet 10")
    house.do("bea exchange 1")
    house.wait(60)
    assert (house.table().phase, house.table().round.away) == ("playing", {"1"})
    assert house.table().round.hand.asks.keys() == {"2"}
    house.wait(29)
    assert not house.do("bea fold").refused
    card = house.table().last.moves[0].argument
    assert house.moves(HAND) == [f"2 exchange {card}", "1 timeout", "2 fold"]


def test_the_pace_of_the_table_sets_the_clock(house):
    assert not house.do("insp table set pace fast").refused
    house.deal("anna bet 50")
    house.wait(15 + 30)
    assert house.table().phase == "asleep"


def test_a_stale_button_gets_a_quiet_answer_and_does_nothing(house, no_errors):
    before_cards = f"{house.table().round.hand_id}."
    house.deal("anna bet 50")
    hand = house.table().round.hand_id
    assert not house.do("anna exchange 1", fresh=f"{hand}.0").refused
    for fresh in (f"{hand}.0", "2.0", f"{hand}.", f"{hand}.1x", f"{hand}.{'1' * 5000}", "nonsense", "1.²", "."):
        if fresh != f"{hand}.":
            assert house.says("anna raise", fresh=fresh) == "The table has changed. Here it is now.", fresh
    assert not house.do("anna fold", fresh=f"{hand}.1").refused
    assert house.says("anna bet 50", fresh=before_cards) == "The table has changed. Here it is now."
    assert house.chips("anna") == 90_000


def test_a_button_counts_the_moves_of_its_own_seat_alone(house):
    house.deal("anna bet 50", "bea bet 10")
    fresh = f"{house.table().round.hand_id}.0"
    house.do("bea exchange 1")
    assert not house.do("anna raise", fresh=fresh).refused


def test_another_tables_button_is_stale_here(house, no_errors):
    house.deal("anna bet 50")
    assert house.do("anna raise", fresh=f"{house.table(LINKED).round.hand_id}.0").refused


def test_a_record_is_shown_when_the_hand_is_over_and_replays_to_what_was_paid(house):
    house.deal("anna bet 50 jackpot", "bea bet 10 jackpot")
    commit = house.table().round.commit
    assert "is revealed when the hand" in house.says(f"anna verify {HAND}")
    house.do("bea exchange 2")
    house.do("anna raise")
    house.do("bea raise")
    record = json.loads(house.do(f"cat verify #{HAND}").file[1])
    answer = play_record(record)
    assert (commit_to(record["promise"]), holds(record), answer["over"]) == (commit, True, True)
    assert house.chips("anna") == 100_000 + answer["net"]["1"]
    assert house.chips("bea") == 100_000 + answer["net"]["2"]
    assert house.balances()["jackpot:1"] == answer["jackpot"]
    assert "seal" not in record


def test_CS9_a_player_without_the_money_is_lent_it_and_plays_their_own_hand(house):
    house.do("bea balance")
    house.do("anna bet 400", sure=True)
    house.wait(house.table().round.deadline - house.clock.now)
    assert house.says("anna raise") == "That costs 800, you have 600."
    assert house.do("bea raise").refused
    assert not house.do("bea give anna 200").refused
    assert not house.do("anna raise").refused
    assert house.moves(HAND) == ["1 raise"]
