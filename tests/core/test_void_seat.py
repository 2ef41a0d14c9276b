"""Void seats: the hand goes on, the seat's stakes come back from the bank, which is paid in its place (G6)."""

import json

import pytest

from bot.games.caribbean.kept import prizes_of
from bot.view.build import screen
from tests.core.conftest import BLACKJACK, CARIBBEAN, HAND, PAIJU, STUD, UTH
from tests.disk import ask


def void(house, seat, *, table=CARIBBEAN, who="insp", sure=True):
    return house.do(f"{who} void {house.table(table).round.hand_id} {seat} a card fell", sure=sure, table=table)


def bank(house):
    return house.books.balance("bank:1")


def test_G6_their_stakes_come_back_at_once_and_the_others_play_on(house):
    house.deal("anna bet 50", "bea bet 10")
    before = bank(house)
    asked = void(house, 1, sure=False)
    assert asked.confirm
    assert str(asked.texts[0]).startswith(f"Void seat 1 of hand {HAND}? The bank returns 50 to anna")
    assert str(void(house, 1).texts[0]) == f"Seat 1 of hand {HAND} is void: 50 was returned to anna."
    assert (house.chips("anna"), bank(house)) == (100_000, before - 5000)
    assert set(house.table().round.hand.asks) == {"2"}
    assert house.do("anna raise").refused
    house.do("bea fold")
    assert house.table().phase == "asleep"
    assert (house.chips("anna"), house.chips("bea")) == (100_000, 99_000)
    assert bank(house) == before + 1000


def test_G6_the_audit_says_what_and_why(house):
    house.deal("anna bet 50", "bea bet 10")
    void(house, 1)
    line = house.says("insp audit void")
    assert (
        f"insp: Hand voided, table {CARIBBEAN} hand {HAND} seat 1 anna, 50 back, its payments to the bank (a card fell)"
        in line
    )


@pytest.mark.parametrize("house", ["full house"], indirect=True)
def test_G6_a_voided_seat_wins_nothing_and_what_the_meter_pays_it_is_the_banks(house):
    house.do("anna standing raise-pairs")
    house.deal("anna bet 50 jackpot")
    meter = house.books.balance("jackpot:1")
    void(house, 1)
    assert house.table().phase == "asleep"
    assert house.chips("anna") == 100_000
    assert house.books.balance("jackpot:1") == meter - 10_000
    assert house.books.balance(f"hand:{HAND}") == 0
    assert house.says("anna history").endswith(
        f" · hand {HAND} · Caribbean Stud: bet 0, returned 0, 0 · entry {HAND} of log 1"
    )
    shown = screen(house.writer.state, house.table(), None, house.clock.now)
    assert any("void: all bets returned" in str(line) for line in shown.lines)
    assert (shown.seats[0].state, shown.seats[0].net) == ("void", None)


@pytest.mark.parametrize("house", ["royal flush"], indirect=True)
def test_G6_a_royal_flush_on_a_voided_seat_goes_to_the_bank_and_suspends_nothing(house):
    house.deal("anna bet 50 jackpot")
    void(house, 1)
    assert house.books.balance("jackpot:1") == 1_000_000
    assert prizes_of(house.writer.state.casinos[1]) == ()


def test_G6_the_whole_hand_may_still_be_void_afterwards(house):
    house.deal("anna bet 50 jackpot", "bea bet 10 jackpot")
    house.do("bea exchange 2", sure=True)
    void(house, 1)
    assert house.do(f"insp void {HAND} all spoilt", sure=True).confirm == ""
    assert (house.chips("anna"), house.chips("bea")) == (100_000, 100_000)
    assert house.books.balance("jackpot:1") == 1_000_000
    assert bank(house) == -1_000_000


def test_G6_it_outlives_a_restart(house):
    house.deal("anna bet 50", "bea bet 10")
    void(house, 1)
    house.restart()
    house.do("bea raise")
    assert house.chips("anna") == 100_000
    assert house.faults() == []


def test_G6_nobody_who_has_a_stake_in_the_hand_voids_a_seat_of_it(house):
    house.deal("anna bet 50", "insp bet 10")
    assert void(house, 1).clause == "G6"
    assert void(house, 2).clause == "G6"


@pytest.mark.parametrize("seat", ["3", "9", "1/bea", "999"])
def test_G6_a_seat_without_a_stake_is_refused(house, no_errors, seat):
    house.deal("anna bet 50")
    assert str(void(house, seat).texts[0]) == f"Seat {seat} has no stake in that hand."


def test_G6_a_seat_is_void_once_and_only_in_an_open_hand(house):
    house.deal("anna bet 50", "bea bet 10")
    void(house, 1)
    assert str(void(house, 1).texts[0]) == "That seat is already void."
    house.do("bea fold")
    assert house.do(f"insp void {HAND} 2 late", sure=True).clause == "G6"


def test_G6_a_seat_needs_a_reason_too(house):
    house.deal("anna bet 50")
    assert house.says(f"insp void {HAND} 1") == "Add a reason. It goes into the audit log."


def test_G6_at_stud_only_the_whole_hand_can_be_void(house):
    for name in ("anna", "bea"):
        house.do(f"{name} buyin 320", table=STUD)
    house.wait(8)
    answer = void(house, 1, table=STUD)
    assert (answer.clause, "only the whole hand" in str(answer.texts[0])) == ("G6", True)
    assert house.table(STUD).phase == "playing"


def test_G6_a_co_player_is_named_behind_their_box_and_follows_at_the_banks_cost(house):
    """The follower's double and its payment are the bank's."""
    house.do("bea follow on", table=BLACKJACK)
    for _hand in range(20):
        house.do("bea rebet", table=BLACKJACK)
        house.deal("anna bet 1 50", *([] if house.table(BLACKJACK).round.bets else ["bea bet 1 20"]), table=BLACKJACK)
        hand = house.table(BLACKJACK).round.hand
        if hand and any(offer.word == "double" for offer in hand.asks.get("1", ())):
            break
        house.wait(300)
    before, hand_id = house.chips("bea"), house.table(BLACKJACK).round.hand_id
    assert (
        str(void(house, "1/bea", table=BLACKJACK).texts[0])
        == f"Seat 1/bea of hand {hand_id} is void: 20 was returned to bea."
    )
    assert str(void(house, "1/bea", table=BLACKJACK).texts[0]) == "That seat is already void."
    assert not house.do("anna double", table=BLACKJACK).refused
    house.wait(300)
    doubled = "SELECT count(*) FROM postings WHERE hand = ? AND debit = 'bank:1' AND why = 'main' AND amount = 2000"
    assert ask(house.books, doubled, hand_id) == [(1,)]
    assert house.chips("bea") == before + 2000
    assert house.faults() == []


@pytest.mark.parametrize(("table", "bet"), [(UTH, "bet 50"), (PAIJU, "bet south 50"), (BLACKJACK, "bet 1 50")])
def test_G6_in_every_game_against_the_bank_the_books_stay_in_order(house, table, bet):
    if table == PAIJU:
        house.do("anna squeeze", table=PAIJU)
    house.deal(f"anna {bet}", f"bea {bet.replace('1 50', '2 50')}", table=table)
    if house.table(table).round.hand is None or not house.table(table).round.hand.asks:
        assert void(house, 1, table=table).clause == "G6"  # decided already
        return
    assert not void(house, 1, table=table).refused
    house.wait(300)
    assert house.chips("anna") == 100_000
    assert house.table(table).phase == "asleep"


def test_the_record_of_the_hand_stays_as_it_was_dealt(house):
    house.deal("anna bet 50", "bea bet 10")
    void(house, 1)
    house.do("bea fold")
    record = json.loads(house.do(f"anna verify {HAND}").file[1])
    assert record["moves"] == ["1 timeout", "2 fold"]
