"""The progressive: one meter for all Caribbean tables of a casino, and the keys of its great prizes."""

import pytest

DAY_S = 24 * 3600


def meter(house):
    return house.books.balance("jackpot:1")


def alone(house, name="anna", bets="bet 50 jackpot", move="raise", table=1):
    """A whole hand of one player, who cut with "x"."""
    house.deal(f"{name} {bets}", table=table)
    house.do(f"{name} {move}", table=table)


def make_inspectors(house):
    """Three players who are inspectors by name, which `keys` needs."""
    for name in ("one", "two", "three"):
        house.do(f"{name} balance")
        assert not house.do(f"insp inspector add {name}").refused
    assert house.says("insp meter set hand_pay keys why") == "hand_pay is now keys."


def test_CS17_two_tables_are_linked_to_one_meter(house):
    assert meter(house) == 1_000_000
    house.deal("anna bet 50 jackpot")
    house.deal("bea bet 50 jackpot", table=6)
    assert meter(house) == 1_000_000 + 90 + 90
    assert house.says("anna jackpot").startswith("The jackpot stands at 10,001.80.")
    assert house.says("bea jackpot", table=6).startswith("The jackpot stands at 10,001.80.")


def test_CS2_coins_drop_at_the_deal_and_not_before(house):
    house.do("anna bet 50 jackpot")
    assert meter(house) == 1_000_000
    house.wait(20)
    assert meter(house) == 1_000_090
    assert house.balances()["bank:1"] == -1_000_000 + 10
    assert house.books.balance("hand:1") == 5000


@pytest.mark.parametrize(
    ("house", "prize", "left"),
    [("flush", 5000, 995_090), ("full house", 10_000, 990_090), ("pair", 0, 1_000_090), ("high card", 0, 1_000_090)],
    indirect=["house"],
)
def test_CS19_fixed_prizes_are_paid_from_the_meter_a_folded_hand_included(house, prize, left):
    alone(house, move="fold")
    assert house.chips("anna") == 100_000 - 5000 - 100 + prize
    assert meter(house) == left


@pytest.mark.parametrize("house", ["flush"], indirect=True)
def test_CS2_without_a_coin_there_is_no_prize(house):
    alone(house, bets="bet 50", move="fold")
    assert meter(house) == 1_000_000


@pytest.mark.parametrize("house", ["flush"], indirect=True)
def test_CS7_who_exchanges_gives_his_prize_up(house):
    house.deal("anna bet 50 jackpot")
    house.do("anna exchange 1")
    house.do("anna fold")
    assert meter(house) == 1_000_090


@pytest.mark.parametrize("house", ["straight flush"], indirect=True)
def test_CS20_a_straight_flush_takes_ten_percent_of_the_meter_with_its_own_coin(house):
    alone(house, move="fold")
    assert house.chips("anna") == 100_000 - 5100 + 100_009
    assert meter(house) == 1_000_090 - 100_009
    assert "straight flush: replayed" in house.says("insp audit")
    assert house.table().phase == "asleep"  # automatic: confirmed at once


@pytest.mark.parametrize("house", ["royal flush"], indirect=True)
def test_CS21_a_royal_takes_all_and_the_meter_restarts_from_the_bank(house):
    bank = house.balances()["bank:1"]
    alone(house, move="fold")
    assert house.chips("anna") == 100_000 - 5100 + 1_000_090
    assert meter(house) == 1_000_000
    assert house.balances()["bank:1"] == bank + 5000 + 10 - 1_000_000


@pytest.mark.parametrize("house", ["full house"], indirect=True)
def test_CS21_a_meter_that_cannot_cover_its_prizes_pays_them_and_restarts(house):
    house.deal("anna bet 50 jackpot")
    assert not house.do("insp meter reset 0.01 for a test", sure=True).refused
    house.do("anna fold")
    assert house.chips("anna") == 100_000 - 5100 + 10_000
    assert meter(house) == 1_000_000


@pytest.mark.parametrize("house", ["straight flush"], indirect=True)
def test_CS20_the_coins_of_a_hand_count_whatever_an_inspector_did_meanwhile(house):
    house.deal("anna bet 50 jackpot")
    house.do("insp meter reset 0.01 for a test", sure=True)
    house.do("anna fold")
    assert house.chips("anna") == 100_000 - 5100 + 9


def test_G6_a_void_hand_takes_its_coins_back(house):
    house.deal("anna bet 50 jackpot", "bea bet 10 jackpot")
    house.do("anna exchange 1")
    assert meter(house) == 1_000_180
    hand = house.table().hand_id
    assert house.do(f"insp void {hand} a fault").confirm
    assert not house.do(f"insp void {hand} a fault", sure=True).refused
    assert (house.chips("anna"), house.chips("bea"), meter(house)) == (100_000, 100_000, 1_000_000)
    assert house.balances()["bank:1"] == -1_000_000


def test_G6_coins_come_back_from_the_bank_when_the_meter_has_them_no_more(house):
    house.deal("anna bet 50 jackpot")
    house.do("insp meter reset 0.01 for a test", sure=True)
    house.do(f"insp void {house.table().hand_id} a fault", sure=True)
    assert (house.chips("anna"), meter(house)) == (100_000, 0)


# Keys (CS22, CS23)


def test_CS23_keys_need_three_inspectors(house):
    assert house.do("insp meter set hand_pay keys why").clause == "CS23"
    make_inspectors(house)


@pytest.mark.parametrize("house", ["straight flush"], indirect=True)
def test_CS22_a_straight_flush_suspends_the_linked_tables_until_two_keys_are_turned(house):
    make_inspectors(house)
    alone(house)
    house.do("bea bet 10", table=6)
    assert house.chips("anna") == 100_000 - 5100 - 10_000
    # Ante 1:1 or bet and prize: all of that seat waits.
    waits = house.books.balance(f"escrow:{house.table().last_hand}:1")
    assert waits >= 100_009
    assert "waits for 2 keys" in house.says("anna jackpot")
    house.wait(60)
    assert house.table(6).phase == "betting"
    assert "One key is turned" in house.says("one meter confirm")
    assert house.do("one meter confirm").clause == "CS23"
    house.wait(60)
    assert house.table(6).phase == "betting"
    assert house.says("two meter confirm").startswith("Confirmed:")
    assert house.chips("anna") == 84_900 + waits
    house.wait(5)
    assert house.table(6).phase == "playing"


@pytest.mark.parametrize("house", ["flush"], indirect=True)
def test_CS23_one_key_pays_a_fixed_prize_and_it_suspends_nothing(house):
    make_inspectors(house)
    alone(house, move="fold")
    assert house.chips("anna") == 100_000 - 5100
    house.deal("anna bet 10", table=6)
    assert house.table(6).phase == "playing"
    assert house.says("one meter confirm 1 1") == "Confirmed: 50 is paid."
    assert house.chips("anna") == 100_000 - 5100 - 1000 + 5000
    assert house.says("one meter confirm") == "No prize waits for a key."


@pytest.mark.parametrize("house", ["straight flush"], indirect=True)
def test_CS22_a_straight_flush_without_a_coin_suspends_too(house):
    make_inspectors(house)
    alone(house, bets="bet 50")
    if house.pit.floor.house.casinos[1].get("prizes", []):  # only cards that are turned can be declared
        house.do("bea bet 10")
        house.wait(30)
        assert house.table().phase == "betting"
        assert house.says("one meter confirm").startswith("Confirmed:")
        assert house.chips("anna") > 100_000
    else:
        assert house.table().last.felt.facts["qualifies"] is False


@pytest.mark.parametrize("house", ["flush"], indirect=True)
def test_CS23_nobody_who_played_in_the_hand_turns_a_key(house):
    make_inspectors(house)
    alone(house, name="three", move="fold")
    assert house.says("three meter confirm") == "You played in that hand: another inspector confirms it."


@pytest.mark.parametrize("house", ["royal flush"], indirect=True)
def test_CS23_after_a_day_the_replay_confirms_by_itself(house):
    make_inspectors(house)
    alone(house, move="fold")
    assert house.pit.floor.next_deadline() is not None  # an idle house wakes for it
    house.wait(DAY_S - 1)
    assert house.chips("anna") == 94_900
    house.restart()
    house.wait(1)
    assert house.chips("anna") == 94_900 + 1_000_090
    assert "a day passed" in house.says("insp audit")


@pytest.mark.parametrize("house", ["flush"], indirect=True)
def test_CS23_a_prize_whose_replay_holds_cannot_be_rejected(house):
    make_inspectors(house)
    alone(house, move="fold")
    answer = house.do("one meter reject 1 1 I do not like it")
    assert (answer.refused, answer.clause) == (True, "CS23")
    assert house.books.balance("escrow:1:1") == 5000


# Settings (CS24)


def test_CS24_a_reset_asks_once_more_with_what_would_happen(house):
    house.deal("anna bet 50 jackpot")
    assert house.says("insp meter reset") == "Name the reason, please: it stands in the audit log."
    asked = house.do("insp meter reset counted again")
    assert asked.confirm
    assert str(asked.texts[0]) == "The meter falls from 10,000.90 to 10,000; 0.90 goes to the bank. Do it?"
    assert meter(house) == 1_000_090
    assert house.says("insp meter reset counted again", sure=True) == "The meter stands at 10,000."
    assert "rises from 10,000 to 20,000" in house.says("insp meter reset 20000 a present")
    house.do("insp meter reset 20000 a present", sure=True)
    assert meter(house) == 2_000_000
    assert house.says("insp meter history").startswith("10,000 · meter reset: a present")


@pytest.mark.parametrize(
    ("line", "clause"),
    [
        ("meter set contribution 30", "CS18"),
        ("meter set four 5000", "CS18"),
        ("meter set coin 0.01", "CS18"),
        ("meter set contribution 101", "CS18"),
        ("meter set hand_pay sometimes", None),
        ("meter set", None),
        ("meter set colour red", None),
        ("meter set coin -5", None),
        (f"meter set coin {'9' * 900}", None),
    ],
)
def test_CS18_settings_that_would_eat_the_meter_up_are_refused(house, no_errors, line, clause):
    answer = house.do(f"insp {line}")
    assert (answer.refused, answer.clause) == (True, clause)


def test_settings_wait_for_coins_that_lie_on_a_table(house):
    house.do("anna bet 50 jackpot")
    assert "Coins lie on a table" in house.says("insp meter set coin 2 why")
    house.wait(20)
    assert house.says("insp meter set coin 2 why") == "coin is now 2."
    house.do("anna fold")
    assert house.says("anna bet 50 jackpot").startswith("ante: 50 | jackpot: 2")
