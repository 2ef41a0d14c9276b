"""The betting phase, from the first bet to "No more bets please"."""

import pytest

from tests.core.conftest import CARIBBEAN, HAND, LINKED


def spots(house, name, table=CARIBBEAN):
    return {
        spot: amount for bet in house.table(table).bets_of(house.player(name)) for spot, amount in bet.spots.items()
    }


def test_the_table_sleeps_until_the_first_bet(house):
    assert house.table().phase == "asleep"
    house.wait(3600)
    assert house.table().phase == "asleep"
    assert house.says("anna bet 50 jackpot") == "Bet 51: ante 50 + jackpot 1. 949 left. Cards in 20 s."
    assert house.table().phase == "betting"
    house.wait(19)
    assert house.table().phase == "betting"
    house.wait(1)
    assert house.table().phase == "playing"


def test_bets_leave_the_wallet_when_they_are_placed_and_later_ones_lengthen_nothing(house):
    house.do("anna bet 50")
    assert house.chips("anna") == 95_000
    assert house.books.balance(f"hand:{HAND}") == 5000
    house.wait(15)
    house.do("bea bet 20")
    house.do("anna bet 10")
    assert spots(house, "anna") == {"ante": 6000}
    house.wait(5)
    assert house.table().phase == "playing"


def test_the_seed_is_committed_before_the_first_bet_and_stays_when_nobody_bets(house):
    commit = house.table().round.commit
    assert len(commit) == 64
    house.do("anna bet 50")
    house.do("anna takeback")
    house.wait(600)
    assert house.table().round.commit == commit


def test_everybody_ready_ends_the_betting_early_but_not_in_its_first_five_seconds(house):
    house.do("anna bet 50")
    house.do("bea bet 50")
    house.do("anna ready")
    house.wait(4)
    house.do("bea ready")
    assert house.table().phase == "betting"
    house.wait(1)
    assert house.table().phase == "playing"


def test_who_bets_after_the_others_were_ready_has_their_time(house):
    house.do("anna bet 50")
    house.do("anna ready")
    house.wait(4)
    house.do("bea bet 50")
    house.wait(10)
    assert house.table().phase == "betting"
    house.do("bea ready")
    house.wait(0)
    assert house.table().phase == "playing"


def test_a_bet_after_ready_takes_it_back_and_who_takes_their_bets_back_is_waited_for_no_more(house):
    house.do("anna bet 50")
    house.do("anna ready")
    house.do("anna bet 10")
    house.do("bea bet 10")
    house.wait(10)
    assert house.table().phase == "betting"
    house.do("anna ready")
    house.do("bea takeback")
    house.wait(0)
    assert house.table().phase == "playing"


def test_bets_that_are_taken_back_return_and_the_table_sleeps_again(house):
    house.do("anna bet 50 jackpot")
    assert house.says("anna takeback") == "51 returned. You have 1,000."
    assert house.table().phase == "asleep"
    assert house.books.balance(f"hand:{HAND}") == 0
    house.wait(20)
    assert house.table().phase == "asleep"
    assert house.says("anna takeback") == "You have no bets to take back."


def test_G9_a_bet_takes_the_first_free_seat_and_a_sleeping_table_frees_them(house):
    assert house.says("anna sit 2") == "You have seat 2. Place your bets."
    house.do("bea bet 10")
    house.do("cat bet 10")
    assert dict(house.table().seats) == {1: house.player("bea"), 2: house.player("anna"), 3: house.player("cat")}
    for name in ("bea", "cat"):
        house.do(f"{name} takeback")
    house.wait(180)
    assert dict(house.table().seats) == {}


def test_G9_a_hand_dealt_without_your_bet_frees_your_seat(house):
    house.do("anna sit 2")
    house.deal("bea bet 10")
    assert dict(house.table().seats) == {1: house.player("bea")}


def test_G9_who_has_played_keeps_their_seat_until_the_table_sleeps(house):
    house.do("anna sit 2")
    house.deal("anna bet 10")
    house.do("anna fold")
    house.wait(179)
    assert dict(house.table().seats) == {2: house.player("anna")}
    house.wait(1)
    assert dict(house.table().seats) == {}


def test_leaving_returns_the_bets_but_nobody_leaves_a_hand(house):
    house.do("anna bet 50")
    assert house.says("anna leave") == "You left the table."
    assert (house.chips("anna"), dict(house.table().seats)) == (100_000, {})
    assert house.says("anna leave") == "You have no seat at this table."
    house.deal("anna bet 50")
    assert house.says("anna leave") == "You are in this hand. Finish it, then leave."


def test_rebet_places_the_same_bets_as_last_time(house):
    assert house.says("anna rebet") == "You have not bet at this table yet."
    house.deal("anna bet 50 jackpot")
    house.do("anna fold")
    assert house.says("anna rebet") == "Bet 51: ante 50 + jackpot 1. 898 left. Cards in 20 s."
    assert house.says("anna rebet") == "Your bets are already placed."


def test_all_half_and_max_keep_enough_for_the_bet_that_follows(house):
    for word, ante in (("all", 33_000), ("max", 33_000), ("half", 33_000), ("min", 1000)):
        house.do(f"anna bet {word}")
        assert spots(house, "anna") == {"ante": ante}, word
        house.do("anna takeback")


def test_all_counts_what_lies_there_already(house):
    house.do("anna bet 100")
    answer = house.do("anna bet all")
    assert not answer.confirm
    assert spots(house, "anna") == {"ante": 33_000}
    house.do("anna takeback")
    house.do("anna bet 50")
    house.do("anna bet x2")
    assert spots(house, "anna") == {"ante": 10_000}


def test_a_larger_ante_than_a_third_asks_once(house):
    answer = house.do("anna bet 340")
    assert answer.confirm
    assert house.table().round.bets == ()
    assert not house.do("anna bet 340", sure=True).refused
    assert not house.do("anna bet jackpot").refused
    assert house.chips("anna") == 100_000 - 34_100


def test_cuts_are_public_one_for_each_player_and_decide_the_deck(house):
    assert house.says("anna cut  ciao bella ") == "You cut the deck with “ciao bella”."
    assert house.says("anna cut again") == "You have already cut this deck. The first cut counts."
    house.do("cat cut but does not bet")
    house.do("anna bet 50", key="anna's bet")
    hand = house.deal("bea bet 10")
    assert hand.deal.seed.cuts == ("ciao bella", "x")
    house.do("anna fold")
    house.do("bea fold")
    hand = house.deal("bea bet 10", "anna bet 50")
    assert hand.deal.seed.cuts == ("x",)  # a player without a cut has no part in it


def test_cuts_stand_by_code_point_as_they_were_normalised(house):
    for line in ("bea cut z", "anna cut Ａ e\u0301", "cat cut Z"):
        assert not house.do(line).refused
    for name in ("anna", "bea", "cat"):
        house.do(f"{name} bet 10")
    house.wait(20)
    assert house.table().round.hand.deal.seed.cuts == ("Z", "z", "Ａ é")


def test_a_cut_outlives_bets_that_come_back(house):
    house.do("anna cut x")
    house.do("anna bet 50")
    house.do("insp table pause why")
    house.do("insp table resume why")
    assert house.says("anna cut y") == "You have already cut this deck. The first cut counts."


@pytest.mark.parametrize("text", ["ab" * 32, f"  {'09' * 32} "])
def test_fairness_4_a_public_cut_that_looks_like_a_sealed_one_is_refused_as_such(house, text):
    said = house.says(f"anna cut {text}")
    assert said == "Only sealed cuts are 64 hex digits. Choose another text, such as /cut hearts."
    assert house.table().round.cuts == ()
    assert not house.do(f"anna cut {text.strip()[:-1]}").refused


@pytest.mark.parametrize("text", ["", "y" * 65, "a\tb\x07", "\ud800", "\u2028"])
def test_a_cut_is_one_short_line(house, no_errors, text):
    command = house.command("anna cut x")._replace(args=(text,))
    assert house.batch([command])[0].refused
    assert house.table().round.cuts == ()


BAD_BETS = {
    "bet": "Enter an amount, for example 50.",
    "bet 0": "Enter an amount like",
    "bet -5": "Enter an amount like",
    "bet 1e9": "Enter an amount like",
    "bet abc": "There is no bet called “abc” here. Try ante, jackpot.",
    "bet 1.2345": "Enter an amount like",
    "bet ∞": "Enter an amount like",
    f"bet {'1' * 40}": "Enter an amount like",
    f"bet {'9' * 900}": "Enter an amount like",
    f"bet {'9' * 5000}": "That is too long",
    "bet ante": "Enter an amount for ante",
    "bet ante jackpot": "Enter an amount for ante",
    "bet trips 50": "There is no bet called “trips” here",
    "bet 5": "Bet at least 10 on ante.",
    "bet 12": "Bets on ante must be in steps of 5.",
    "bet 1005": "Bet at most 1,000 on ante.",
    "bet 1000 jackpot": "That costs 1,001, you have 1,000.",
    "bet jackpot": "Place an ante first; the jackpot cannot be played alone.",
    "bet 50 jackpot 2": "The jackpot takes exactly one coin.",
    "bet \ud800": "not supported",
    "sit 8": "Choose a seat from 1 to 7.",
    "sit 0": "Choose a seat from 1 to 7.",
    f"sit {'7' * 900}": "Choose a seat from 1 to 7.",
    "sit ²": "Choose a seat from 1 to 7.",
    "raise": "No hand is being played.",
    "exchange 1": "No hand is being played.",
    "ready": "Place your bets first.",
    "dance": "There is no command or game called “dance”.",
    f"void {HAND} why": "Only inspectors can do that.",
    "history ²": "Enter a page",
    f"history {'1' * 900}": "Enter a page",
    f"verify {'1' * 900}": "no hand with that number",
    "give nobody 5": "No player here is called nobody.",
    "give anna 5": "You already have those chips.",
    "give anna": "Enter a player and an amount",
    "language fr": "Choose a language",
    "daily": "Daily chips are for players with less than",
    "standing sometimes": "Choose one of",
}


@pytest.mark.parametrize(("line", "sentence"), BAD_BETS.items(), ids=[line[:20] for line in BAD_BETS])
def test_bad_input_is_one_sentence_and_changes_nothing(house, no_errors, line, sentence):
    house.do("anna balance")
    if line == "daily":
        house.do("insp grant anna 1000 rich", sure=True)
    before, table = house.balances(), house.table()
    answer = house.do(f"anna {line}", sure=True)
    assert answer.refused
    assert len(answer.texts) == 1
    assert sentence in str(answer.texts[0])
    assert house.balances() == before
    assert house.table() is table


def test_a_second_seat_is_refused(house, no_errors):
    house.do("anna sit")
    assert house.do("anna sit 2").clause == "G9"
    house.do("bea sit 2")
    assert house.says("cat sit 2") == "Seat 2 is taken."
    for number in range(5):
        house.do(f"p{number} sit")
    assert house.says("cat bet 50") == f"All seats are taken. Watch, or join table {house.table(LINKED).number}."


def test_a_paused_table_returns_its_bets_and_takes_none(house):
    house.do("anna bet 50")
    assert not house.do("insp table pause a storm").refused
    assert house.chips("anna") == 100_000
    assert "paused" in house.says("anna bet 50")
    house.do("insp table resume")
    assert not house.do("anna bet 50").refused
