"""The progressive: one meter for all Caribbean tables of a casino, and the keys of its great prizes."""

import json
from typing import Any

import pytest

from bot.core.rounds.betting import options_of
from bot.core.rounds.hand_records import seal
from bot.core.rounds.log_proofs import lines
from bot.core.state.plays import PLAYS
from bot.core.state.transaction import Transaction
from bot.games.caribbean import prize_keys
from bot.games.caribbean.kept import Prize, PrizeInputs, prizes_of
from bot.verifier.logs import check_log
from engine import jackpot
from storage import ledger
from storage.questions import logs
from tests.core.communities import do, link_as_once
from tests.core.conftest import CARIBBEAN, HAND, LINKED
from tests.disk import ask
from tests.some import some

DAY_S = 24 * 3600


def meter(house):
    return house.books.balance("jackpot:1")


def alone(house, name="anna", bets="bet 50 jackpot", move="raise", table=CARIBBEAN):
    """Play a whole hand of one player with the cut "x"."""
    house.deal(f"{name} {bets}", table=table)
    house.do(f"{name} {move}", table=table)


# The open hand after keys are required: the option replaces every open commitment.
KEYS = 1 + sum(play.lounge_tables for play in PLAYS.values())


def make_inspectors(house):
    """Make three players inspectors by name, as `keys` requires."""
    for name in ("one", "two", "three"):
        house.do(f"{name} balance")
        assert not house.do(f"insp inspector add {name}", sure=True).refused
    assert house.says("insp meter set hand_pay keys why", sure=True).startswith(
        "Jackpot wins are confirmed by: replay → inspectors."
    )


def test_CS17_two_tables_are_linked_to_one_meter(house):
    assert meter(house) == 1_000_000
    house.deal("anna bet 50 jackpot")
    house.deal("bea bet 50 jackpot", table=LINKED)
    assert meter(house) == 1_000_000 + 90 + 90
    assert house.says("anna jackpot").startswith("Jackpot: 10,001.80.")
    assert house.says("bea jackpot", table=LINKED).startswith("Jackpot: 10,001.80.")


def test_CS2_coins_drop_at_the_deal_and_not_before(house):
    house.do("anna bet 50 jackpot")
    assert meter(house) == 1_000_000
    house.wait(20)
    assert meter(house) == 1_000_090
    assert house.balances()["bank:1"] == -1_000_000 + 10
    assert house.books.balance(f"hand:{HAND}") == 5000


def test_CS18_a_fixed_prize_that_was_set_holds_for_the_next_bets(house):
    assert not house.do("insp meter set flush 60 why", sure=True).refused
    assert not house.do("anna bet 50 jackpot").refused
    assert options_of(house.writer.state, house.table()).fixed["flush"] == 6000


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
def test_CS7_who_exchanges_gives_their_prize_up(house):
    house.deal("anna bet 50 jackpot")
    question = house.do("anna exchange 1")
    assert question.confirm
    assert str(question.texts[0]) == "Exchange card 1 (50)? You lose your jackpot chance in this hand (CS7)."
    assert not house.table().round.hand.moves
    done = house.says("anna exchange 1", sure=True)
    assert done == "Card 1 swapped for 50. You lose your jackpot chance in this hand (CS7)."
    assert house.says("anna exchange 2").startswith("You can't choose “Exchange card 2” now."), "asked once a move"
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
    house.do("anna exchange 1", sure=True)
    assert meter(house) == 1_000_180
    hand = house.table().round.hand_id
    assert house.do(f"insp void {hand} an error").confirm
    assert not house.do(f"insp void {hand} an error", sure=True).refused
    assert (house.chips("anna"), house.chips("bea"), meter(house)) == (100_000, 100_000, 1_000_000)
    assert house.balances()["bank:1"] == -1_000_000


def test_G6_coins_come_back_from_the_bank_when_the_meter_has_them_no_more(house):
    house.deal("anna bet 50 jackpot")
    house.do("insp meter reset 0.01 for a test", sure=True)
    house.do(f"insp void {house.table().round.hand_id} an error", sure=True)
    assert (house.chips("anna"), meter(house)) == (100_000, 0)


def test_CS23_keys_need_three_inspectors(house):
    assert house.do("insp meter set hand_pay keys why", sure=True).clause == "CS23"
    make_inspectors(house)


@pytest.mark.parametrize("house", ["straight flush"], indirect=True)
def test_CS22_a_straight_flush_suspends_the_linked_tables_until_two_keys_are_turned(house):
    make_inspectors(house)
    alone(house)
    house.do("bea bet 10", table=LINKED)
    assert house.chips("anna") == 100_000 - 5100 - 10_000
    # Ante 1:1, or bet and prize: everything of that seat waits.
    waits = house.books.balance(f"escrow:{house.table().last_hand}:1")
    assert waits >= 100_009
    assert "needs 2 confirmations" in house.says("anna jackpot")
    house.wait(60)
    assert house.table(LINKED).phase == "betting"
    assert "Confirmed once" in house.says("one meter confirm")
    assert house.do("one meter confirm").clause == "CS23"
    house.wait(60)
    assert house.table(LINKED).phase == "betting"
    assert house.says("two meter confirm").startswith("Confirmed:")
    assert house.chips("anna") == 84_900 + waits
    house.wait(5)
    assert house.table(LINKED).phase == "playing"


@pytest.mark.parametrize("house", ["flush"], indirect=True)
def test_CS23_one_key_pays_a_fixed_prize_and_it_suspends_nothing(house):
    make_inspectors(house)
    alone(house, move="fold")
    assert house.chips("anna") == 100_000 - 5100
    house.deal("anna bet 10", table=LINKED)
    assert house.table(LINKED).phase == "playing"
    assert house.says(f"one meter confirm {KEYS} 1") == "Confirmed: 50 is paid."
    assert house.chips("anna") == 100_000 - 5100 - 1000 + 5000
    assert house.says("one meter confirm") == "No prize needs confirmation."


@pytest.mark.parametrize("house", ["straight flush"], indirect=True)
def test_CS22_a_straight_flush_without_a_coin_suspends_too(house):
    make_inspectors(house)
    alone(house, bets="bet 50")
    if prizes_of(house.writer.state.casinos[1]):  # only cards that are turned can be declared
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
    assert house.says("three meter confirm") == "You played in that hand. Another inspector must confirm it."


@pytest.mark.parametrize("house", ["royal flush"], indirect=True)
def test_CS23_after_a_day_the_replay_confirms_by_itself(house):
    make_inspectors(house)
    alone(house, move="fold")
    assert house.writer.schedule.next_deadline() is not None  # an idle writer wakes for it
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
    told = f"Hand {KEYS} replays as recorded and paid: flush at seat 1, prize 50. It cannot be rejected."
    for name in ("one", "two"):
        answer = house.do(f"{name} meter reject {KEYS} 1 I do not like it", sure=True)
        assert (answer.refused, answer.clause, str(answer.texts[0])) == (True, "CS23", told)
    assert house.books.balance(f"escrow:{KEYS}:1") == 5000
    assert "reject" not in house.says("insp audit")
    assert house.says("one meter confirm") == "Confirmed: 50 is paid."


@pytest.mark.parametrize("house", ["flush"], indirect=True)
def test_CS23_a_prize_that_is_settled_and_rejected_in_one_breath_holds(house):
    """The hand has just been played and is not written yet."""
    make_inspectors(house)
    house.deal("anna bet 50 jackpot")
    lines = ("anna fold", "anna meter reject why", "one meter reject why", "one meter confirm")
    _fold, own, rejected, confirmed = house.batch([house.command(line, sure=True) for line in lines])
    assert str(own.texts[0]) == "Only inspectors can do that."
    assert "replays as recorded" in str(rejected.texts[0])
    assert str(confirmed.texts[0]) == "Confirmed: 50 is paid."


def another_deal(house):
    """Change the cuts, and thereby the cards, as a forger who knows the seal could."""
    ((seed, deal),) = ask(house.books, "SELECT seed, deal FROM hands WHERE id = ?", KEYS)
    record = json.loads(deal)
    del record["seal"]
    record["cuts"] = ["y"]
    house.change("UPDATE hands SET deal = ? WHERE id = ?", seal(record, seed), KEYS)


def another_seed(house):
    house.change("UPDATE hands SET seed = ? WHERE id = ?", bytes(32), KEYS)


def another_move(house):
    house.change("UPDATE moves SET move = '1 exchange 2c' WHERE hand = ? AND number = 0", KEYS)


SPOILS = {
    another_deal: f"The replay of hand {KEYS} pays seat 1 0, not {{prize}}.",
    another_seed: f"The replay of hand {KEYS} pays seat 1 0, not {{prize}}.",
    another_move: f"Hand {KEYS} does not replay as recorded (see the audit log).",
}


def reopen_spoilt(house, spoil):
    """Change the hand in the store and open it again."""
    spoil(house)
    house.is_spoilt = True
    house.restart()


@pytest.mark.parametrize("house", ["royal flush"], indirect=True)
@pytest.mark.parametrize("spoil", SPOILS)
def test_CS23_a_prize_whose_replay_fails_goes_back_to_the_meter_by_two_keys_and_the_restart_to_the_bank(house, spoil):
    make_inspectors(house)
    bank = house.balances()["bank:1"]
    alone(house, move="fold")
    reopen_spoilt(house, spoil)
    before, fault = house.balances(), SPOILS[spoil].format(prize="10,000.90")
    assert house.says(f"one meter reject {KEYS} 1") == "Add a reason. It goes into the audit log."
    asked = house.do(f"one meter reject {KEYS} 1 not the cards I saw")
    assert asked.confirm
    assert str(asked.texts[0]) == f"{fault} Two confirmations return 10,000.90 to the jackpot. Confirm?"
    assert house.balances() == before
    assert "Confirmed once" in house.says(f"one meter reject {KEYS} 1 not the cards I saw", sure=True)
    assert house.balances() == before
    assert house.do(f"one meter reject {KEYS} 1 again", sure=True).clause == "CS23"
    assert house.says("two meter reject nor I", sure=True) == "Rejected: 10,000.90 returns to the jackpot."
    # A suspended seat is not settled yet: it is void alone, and the bank returns the coin.
    assert (meter(house), house.chips("anna")) == (1_000_090, 100_000)
    assert house.balances()["bank:1"] == bank + 10 - 100
    assert sum(house.balances().values()) == 0
    assert house.says("one meter confirm") == "No prize needs confirmation."
    assert moves_in_log(house) == [(1_000_000, 1_000_090, "nor I")]
    log = house.says("insp audit meter reject")
    assert log.count(f"Jackpot win rejected, table {CARIBBEAN} hand {KEYS} seat 1, ") == 2
    assert "royal flush: nor I: " in log
    assert house.table(LINKED).told(house.clock.now).template.startswith("{rank} of hand {hand}: rejected")
    assert all(fault.startswith((f"Hand {KEYS}", "Log 1 ")) for fault in house.faults())


WINNERS = [
    ({"1": "full house", "2": "full house"}, 500),  # the meter cannot cover them
    ({"1": "full house", "2": "full house"}, 15_000),  # it covers one
    ({"1": "royal flush", "2": "flush"}, 1_000_000),
    ({"1": "royal flush", "2": "royal flush"}, 1_000_000),
    ({"1": "royal flush", "2": "straight flush", "3": "four of a kind"}, 1_000_000),
]


@pytest.mark.parametrize(("winners", "stood"), WINNERS)
def test_CS21_when_every_prize_of_a_hand_is_rejected_the_meter_is_as_if_nobody_had_won(house, winners, stood):
    """The order does not matter, and each step leaves the bank enough for the other prizes."""
    fixed = {"four": 50_000, "full": 10_000, "flush": 5_000}
    options: dict[str, Any] = {"coin": 100, "contribution": 9000, "fixed": fixed, "reset": 1_000_000}
    settled = jackpot.settle(stood, 0, winners, **options)
    transaction, pot, bank = Transaction(house.writer.state), ledger.jackpot(1), ledger.bank(1)
    transaction.post(pot, bank, meter(house) - stood, "test", 0)
    house_has = transaction.balance(bank)
    transaction.post(bank, pot, settled.from_bank, "test", 0)
    for seat, amount in settled.prizes.items():
        transaction.post(pot, ledger.escrow(7, seat), amount, "test", 0)
    count = PrizeInputs(stood, 0, winners, **options)
    for seat, amount in settled.prizes.items():
        prize_keys._take_back(
            transaction, 1, Prize(7, 1, seat, 1, winners[seat], False, amount, count, 1, (), 0.0), "why", 0
        )
    assert (transaction.balance(pot), transaction.balance(bank)) == (stood, house_has)


@pytest.mark.parametrize("house", ["straight flush"], indirect=True)
def test_CS23_stakes_that_wait_with_a_rejected_prize_come_back_and_winnings_do_not(house):
    make_inspectors(house)
    bank = house.balances()["bank:1"]
    alone(house)
    reopen_spoilt(house, another_deal)
    house.do("bea bet 10", table=LINKED)
    house.wait(60)
    assert house.table(LINKED).phase == "betting"
    for name in ("one", "two"):
        assert not house.do(f"{name} meter reject {KEYS} 1 not these cards", sure=True).refused
    assert house.chips("anna") == 100_000
    assert meter(house) == 1_000_090
    assert house.balances()["bank:1"] == bank - 90
    house.wait(5)
    assert house.table(LINKED).phase == "playing"


@pytest.mark.parametrize("house", ["royal flush"], indirect=True)
def test_CS23_no_second_key_against_a_prize_is_the_same_persons_or_a_players(house):
    make_inspectors(house)
    house.do("anna balance")
    house.do("insp inspector add anna", sure=True)
    alone(house, move="fold")
    house.wait(1)
    house.do("alias balance")
    link_as_once(house, "one@web:1", "alias@web:1")
    reopen_spoilt(house, another_deal)
    assert "You played in that hand" in house.says("anna meter reject they are mine", sure=True)
    assert not house.do("one meter reject not these cards", sure=True).refused
    assert house.do("alias meter reject nor I", sure=True).clause == "CS23"
    do(house, "alias unlink", "web:1", sure=True)
    assert do(house, "alias meter reject nor I", "web:1", sure=True, inspector=True).clause == "CS23"
    assert house.books.balance(f"escrow:{KEYS}:1") == 1_000_090


@pytest.mark.parametrize("house", ["royal flush"], indirect=True)
def test_CS23_whoever_turns_a_key_against_a_prize_takes_back_their_key_for_it(house):
    make_inspectors(house)
    alone(house, move="fold")
    assert not house.do("one meter confirm").refused
    reopen_spoilt(house, another_deal)
    assert not house.do("one meter reject I looked again", sure=True).refused
    asked = house.do("two meter confirm")
    assert asked.confirm
    assert str(asked.texts[0]).endswith("not 10,000.90. Confirm the prize of 10,000.90 anyway?")
    assert "Confirmed once" in house.says("two meter confirm", sure=True)
    assert house.says("three meter confirm the guests saw it", sure=True).startswith("Confirmed")
    assert house.chips("anna") == 94_900 + 1_000_090


@pytest.mark.parametrize("house", ["royal flush"], indirect=True)
def test_CS23_a_replay_that_fails_confirms_nothing_by_itself(house):
    make_inspectors(house)
    alone(house, move="fold")
    reopen_spoilt(house, another_seed)
    house.wait(3 * DAY_S)
    assert house.chips("anna") == 94_900
    assert house.says("insp audit meter confirm").count("the replay fails") == 1
    house.restart()
    house.wait(DAY_S)
    assert house.says("insp audit meter confirm").count("the replay fails") == 1
    for name in ("one", "two"):
        assert not house.do(f"{name} meter reject {KEYS} 1 not these cards", sure=True).refused
    assert meter(house) == 1_000_090


@pytest.mark.parametrize("house", ["straight flush"], indirect=True)
def test_CS24_nobody_moves_the_meter_with_a_coin_in_an_open_hand(house):
    """The inspector has seen what they would win."""
    house.deal("insp bet 50 jackpot")
    for line in ("meter set 1000000 why", "meter reset 20000 why", "meter reset why"):
        assert "coin in an open hand" in house.says(f"insp {line}", sure=True)
    assert not house.do("insp2 meter reset 20000 why", sure=True).refused
    house.do("insp fold")
    assert not house.do("insp meter reset why", sure=True).refused


def test_CS24_a_reset_asks_once_more_with_what_would_happen(house):
    house.deal("anna bet 50 jackpot")
    assert house.says("insp meter reset") == "Add a reason. It goes into the audit log."
    asked = house.do("insp meter reset counted again")
    assert asked.confirm
    assert str(asked.texts[0]) == "Lower the jackpot from 10,000.90 to 10,000? The bank receives 0.90."
    assert meter(house) == 1_000_090
    assert house.says("insp meter reset counted again", sure=True) == "The jackpot is now at 10,000."
    assert "Raise the jackpot meter from 10,000 to 20,000?" in house.says("insp meter reset 20000 a present")
    house.do("insp meter reset 20000 a present", sure=True)
    assert meter(house) == 2_000_000
    assert house.says("insp meter history").startswith("10,000 · Jackpot reset: a present")


def test_CS24_the_meter_is_set_to_an_amount_after_it_was_said_what_moves_where(house):
    """`/meter reset` and `set` are confirmed with the amounts and accounts."""
    assert house.says("insp meter set 12345", sure=True) == "Add a reason. It goes into the audit log."
    asked = house.do("insp meter set 12345 a present")
    assert (bool(asked.confirm), meter(house)) == (True, 1_000_000)
    assert str(asked.texts[0]) == "Raise the jackpot meter from 10,000 to 12,345? 2,345 comes from the bank."
    assert house.says("insp meter set 12345 a present", sure=True) == "The jackpot is now at 12,345."
    assert (meter(house), house.balances()["bank:1"]) == (1_234_500, -1_234_500)
    assert "insp: Jackpot changed, 10,000 → 12,345 (a present)" in house.says("insp audit meter set")


def moves_in_log(house):
    found = (json.loads(entry) for entry in logs.entries(house.books, 1, 1, 0, 10**6))
    return [(entry["before"], entry["after"], entry["why"]) for entry in found if entry["k"] == "meter"]


def test_fairness_2_an_inspectors_move_of_the_meter_is_in_the_log_without_the_coins_of_hands_in_play(house, tmp_path):
    alone(house)
    house.deal("anna bet 50 jackpot")
    assert meter(house) == 1_000_180
    for line in ("meter set 12345 a present", "meter reset counted again", "meter set 12345 another present"):
        assert not house.do(f"insp {line}", sure=True).refused
    assert moves_in_log(house) == [
        (1_000_090, 1_234_410, "a present"),
        (1_234_410, 999_910, "counted again"),
        (999_910, 1_234_410, "another present"),
    ]
    house.do("anna raise")
    alone(house, "bea")
    house.wait(1)
    house.writer.heads.sign()
    house.writer.round([], [])
    file = tmp_path / "log.jsonl"
    file.write_text("".join(f"{line}\n" for line in lines(house.books, some(logs.log(house.books, 1)))))
    with check_log(str(file)) as report:
        assert report.faults == []


@pytest.mark.parametrize(
    ("line", "clause"),
    [
        ("meter set 0 why", None),
        ("meter set 1,5 why", None),
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
    first, linked = house.table(), house.table(LINKED)
    assert house.says("insp meter set coin 2 why", sure=True).startswith("Price of a jackpot coin: 1 → 2.")
    told = str(house.table().told(house.clock.now))
    assert told == "An inspector changed a jackpot setting; it applies from the next hand."
    assert (house.table().round.commit, house.table().round.terms.coin) == (first.round.commit, 100)
    assert (house.table(LINKED).round.commitment["previous"], house.table(LINKED).round.terms.coin) == (
        linked.round.commit,
        200,
    )
    house.wait(20)
    assert house.table().round.hand.deal.options.coin == 100
    house.do("anna fold")
    assert house.says("anna bet 50 jackpot").startswith("Bet 52: ante 50 + jackpot 2.")
