"""Black Jack and Admiral Jack (BJ): from records to payouts; offers, refusals and payments of each clause."""

import json
from itertools import cycle
from random import Random

import pytest

from engine.cards import FRENCH
from engine.errors import IllegalDeal, IllegalMove
from engine.felt import Deal, Move, Stake
from engine.games.blackjack import (
    GAME,
    BlackJackOptions,
    BoxHand,
    can_double,
    count,
    cut_stakes,
    insurable,
    name_stakes,
    order_box,
)
from engine.games.blackjack_strategies import play_basic
from engine.hand import Hand, check_deal, lay_out, run
from engine.record import parse_record, play_record, write_record


def deck_of(ranks):
    """Return cards in the order of the deal, by rank: `8 6 T` are 8s 6h Td."""
    return [rank + suit for rank, suit in zip(ranks.split(), cycle("shdc"), strict=False)]


def bet(seat=1, player="anna", main=1000, follow=None, **bets):
    stake = {"seat": seat, "player": player, "bets": {"main": main, **bets}}
    return stake if follow is None else stake | {"follow": follow}


def record_of(ranks, *moves, stakes=None, **options):
    """Return a record. The deck is the box, the dealer, the box, then the draws; for more boxes see BJ8."""
    return {
        "game": "blackjack",
        "options": options,
        "deck": deck_of(ranks),
        "stakes": stakes or [bet()],
        "moves": list(moves),
    }


def replay(ranks, *moves, **table):
    answer = play_record(record_of(ranks, *moves, **table))
    assert "refused" not in answer, answer
    return answer


def finish(ranks, *moves, **table):
    answer = replay(ranks, *moves, **table)
    assert answer["over"], answer["asks"]
    return answer


def refused(ranks, *moves, **table):
    """Return (clause, index of the move)."""
    answer = play_record(record_of(ranks, *moves, **table))
    assert "refused" in answer, answer
    return answer["clause"], answer["move"]


def asked(ranks, *moves, **table):
    return replay(ranks, *moves, **table)["asks"]


def hands_of(answer, box="1"):
    """Return [(ranks, total, result)] of a box."""
    hands = answer["facts"]["boxes"][box]
    return [("".join(c[0] for c in hand["cards"]), hand["total"], hand["result"]) for hand in hands]


def paid(answer):
    """Return (seat, spot, hand of the box, return, reason, clause) of each payment."""
    return [
        (event["seat"], event["spot"], event["on"], event["amount"], event["why"], event["clause"])
        for event in answer["events"]
        if event["event"] == "paid"
    ]


BEHIND = [bet(), bet(player="bea", main=3000), bet(player="cid", main=3000)]
FOLLOWED = [bet(), bet(player="bea", main=2000, follow=True), bet(player="cid", main=3000)]


def test_BJ1_seven_boxes():
    assert refused("T T T", stakes=[bet(8)]) == ("BJ1", None)


def test_BJ1_stakes_stand_by_rising_box():
    assert refused("T T T", stakes=[bet(2), bet(1, "bea")]) == ("BJ1", None)


def test_BJ1_one_bet_per_player_and_box():
    assert refused("T T T", stakes=[bet(1), bet(1)]) == ("BJ1", None)


def test_BJ1_a_player_may_bet_on_several_boxes():
    answer = replay("T T 8 9 9", stakes=[bet(1), bet(2)])
    assert answer["asks"] == {"1": ["hit", "stand"]}


@pytest.mark.parametrize("main", [500, 1500, 101000])
def test_BJ2_one_bet_alone_keeps_to_minimum_step_and_maximum(main):
    assert refused("T T T", stakes=[bet(main=main)]) == ("G5", None)


def test_BJ2_the_step_is_the_minimum_unless_it_is_given():
    assert BlackJackOptions(minimum=2000).step == 2000
    assert refused("T T T", stakes=[bet(main=3000)], minimum=2000) == ("G5", None)
    assert asked("T T T", stakes=[bet(main=3000)], minimum=2000, step=500)
    assert refused("T T T", step=0) == ("G5", None)


@pytest.mark.parametrize(
    ("bets", "left"),
    [
        ([60000, 40000], [60000, 40000]),
        ([60000, 30000, 20000], [60000, 30000, 10000]),
        ([60000, 50000, 20000], [60000, 40000, 0]),
        ([100000, 100000], [100000, 0]),
        ([99500, 1000, 1000], [99500, 0, 0]),  # a rest below the minimum is cut completely
    ],
)
def test_BJ2_a_box_above_its_maximum_is_cut_from_the_last_co_player(bets, left):
    stakes = [Stake(1, f"player{number}", {"main": bet}) for number, bet in enumerate(bets)]
    lying = cut_stakes(BlackJackOptions(), stakes)
    assert [lying[key].bets["main"] if key in lying else 0 for key in name_stakes(stakes)] == left


def test_BJ2_what_is_cut_is_not_wagered_and_the_admiral_jack_of_a_bet_cut_whole_neither():
    stakes = [bet(main=90000), bet(player="bea", main=30000, admiral=1000), bet(player="cid", admiral=1000)]
    answer = finish("T T 9 8", "1 stand", stakes=stakes)
    assert {seat: spots["main"] for seat, spots in answer["wagered"].items()} == {"1": 90000, "1/bea": 10000}
    assert answer["net"] == {"1": 90000, "1/bea": 10000 - 1000}


def test_BJ2_doubling_may_exceed_the_maximum():
    answer = finish("6 T 5 T 7", "1 double", stakes=[bet(main=100000)])
    assert answer["wagered"]["1"]["main"] == 200000


def test_BJ3_the_higher_bet_holds_a_free_box_and_of_equal_bets_the_first():
    assert order_box({"anna": 1000, "bea": 2000, "cid": 2000}) == ["bea", "anna", "cid"]
    assert order_box({"anna": 1000, "bea": 1000}) == ["anna", "bea"]


def test_BJ4_who_holds_the_box_already_decides_when_they_bet_and_else_the_highest_bet():
    assert order_box({"bea": 2000, "anna": 1000}, holder="anna") == ["anna", "bea"]
    assert order_box({"bea": 1000, "cid": 2000}, holder="anna") == ["cid", "bea"]


@pytest.mark.parametrize(
    ("move", "clause"),
    [
        ("1/bea hit", "BJ5"),
        ("1/bea stand", "BJ5"),
        ("1/bea double", "BJ13"),
        ("1/bea insure 500", "BJ10"),
        ("1/bea timeout", "BJ11"),
        ("1/zoe hit", "BJ5"),
    ],
)
def test_BJ5_co_players_do_not_decide(move, clause):
    assert refused("6 T 5", move, stakes=BEHIND) == (clause, 0)


def test_BJ6_the_highest_co_player_nearest_the_dealer_decides_when_the_holder_is_away():
    answer = replay("5 T 5", "1 timeout", stakes=BEHIND)
    assert answer["asks"] == {"1/bea": ["hit", "stand"]}
    answer = finish("5 T 5 6 T 8", "1 timeout", "1/bea hit", "1/bea stand", stakes=BEHIND)
    assert hands_of(answer) == [("556", 16, "lose")]


@pytest.mark.parametrize("word", ["double", "split"])
def test_BJ6_doubling_and_splitting_are_off_then(word):
    assert refused("5 T 5", "1 timeout", f"1/bea {word}", stakes=BEHIND) == ("BJ6", 1)


def test_BJ6_the_holder_does_not_come_back_on_that_box():
    assert refused("5 T 5", "1 timeout", "1 hit", stakes=BEHIND) == ("BJ11", 1)


def test_BJ6_without_a_co_player_the_dealers_rule_draws_on_11_and_stands_on_12():
    answer = finish("2 T 3 2 4 9 7", "1 timeout")
    assert hands_of(answer) == [("23249", 20, "win")]


def test_BJ6_an_ace_counts_11_where_it_fits_for_the_dealers_rule():
    assert hands_of(finish("A T 2 8", "1 timeout")) == [("A2", 13, "lose")]


def test_BJ6_the_dealers_rule_finishes_when_the_co_player_is_away_too():
    answer = finish("5 T 5 2 7", "1 timeout", "1/bea timeout", stakes=BEHIND)
    assert hands_of(answer) == [("552", 12, "lose")]


def test_BJ6_to_the_end_of_the_box_with_all_its_hands_but_the_next_box_is_asked_again():
    # The holder of both boxes is away in the first hand of their split, which the dealer's rule then plays.
    answer = replay("8 T T 8 8 5 3 T", "1 split", "1 timeout", stakes=[bet(1), bet(2)])
    assert [hand["cards"] for hand in answer["facts"]["boxes"]["1"]] == [["8s", "5h"], ["8c", "3d", "Tc"]]
    assert answer["asks"] == {"2": ["hit", "stand"]}


def test_BJ6_a_pair_of_split_aces_stands_when_the_holder_is_away():
    answer = finish("A T A A 9 8", "1 split", "1 timeout", stakes=BEHIND)
    assert hands_of(answer) == [("AA", 12, "lose"), ("A9", 20, "win")]


def test_BJ6_at_the_insurance_time_out_only_declines():
    answer = replay("T A 9", "1 timeout", stakes=[bet(main=4000)])
    assert answer["asks"] == {"1": ["hit", "stand"]}


def test_BJ7_a_shoe_of_one_to_eight_decks():
    assert len(GAME.full_deck(BlackJackOptions(decks=2))) == 104
    assert GAME.full_deck(BlackJackOptions())[:52] == FRENCH
    assert refused("T T T", decks=9) == ("BJ7", None)
    assert refused("T T T", decks=0) == ("BJ7", None)


def test_BJ7_the_green_light_knows_how_often_a_card_is_in_the_shoe():
    twice = record_of("T T T T T", decks=1)  # the tens go round the suits, so the fifth is the first again
    assert play_record(twice)["clause"] == "G6"
    assert refused("T T T", penetration=7501) == ("BJ7", None)


def test_BJ8_one_card_to_every_box_one_to_the_dealer_a_second_to_every_box():
    answer = replay("2 3 4 5 6", stakes=[bet(2), bet(5)])
    assert answer["facts"] == {
        "dealer": {"cards": ["4d"], "total": 4},
        "boxes": {"2": [{"cards": ["2s", "5c"], "total": 7}], "5": [{"cards": ["3h", "6s"], "total": 9}]},
    }
    assert [event["up"] for event in answer["events"] if event["event"] == "dealt"] == [(True,)] * 5


@pytest.mark.parametrize(
    ("ranks", "total", "soft"),
    [("A K", 21, True), ("A A", 12, True), ("A A 9", 21, True), ("A 5 T", 16, False), ("K Q J", 30, False)],
)
def test_BJ9_an_ace_counts_11_where_that_fits(ranks, total, soft):
    assert count(deck_of(ranks)) == (total, soft)


def test_BJ9_black_jack_beats_any_other_21():
    answer = finish("A T K 5 6")
    assert hands_of(answer) == [("AK", 21, "blackjack")]
    assert answer["facts"]["dealer"] == {"cards": ["Th", "5c", "6s"], "total": 21}
    assert answer["returned"]["1"]["main"] == 2500


def test_BJ10_every_bettor_is_asked_at_once_for_their_own_bet_before_the_boxes_play():
    stakes = [bet(main=5000), bet(player="bea"), bet(3, "cid", main=4000)]
    assert asked("T T A 9 9", stakes=stakes) == {
        "1": ["insure 1000..2500", "decline"],
        "1/bea": ["insure 500..500", "decline"],
        "3": ["insure 1000..2000", "decline"],
    }
    assert refused("T T A 9 9", "1 hit", stakes=stakes) == ("BJ10", 0)


def test_BJ10_the_order_of_the_insurances_is_free_and_each_has_one():
    stakes = [bet(main=5000), bet(player="bea")]
    answer = replay("T A 9", "1/bea insure 500", "1 insure 1001", stakes=stakes)
    assert answer["asks"] == {"1": ["hit", "stand"]}
    assert refused("T A 9", "1/bea insure 500", "1/bea decline", stakes=stakes) == ("BJ10", 1)


@pytest.mark.parametrize(
    ("bet", "least", "most"), [(1000, 500, 500), (2000, 1000, 1000), (2001, 1000, 1000), (5000, 1000, 2500)]
)
def test_BJ10_half_of_the_minimum_or_from_the_minimum_to_half_the_bet(bet, least, most):
    assert insurable(bet, 1000) == (least, most)


@pytest.mark.parametrize("amount", ["999", "2501", "01000", "", "max"])
def test_BJ10_other_amounts_are_refused(amount):
    assert refused("T A 9", f"1 insure {amount}".strip(), stakes=[bet(main=5000)]) == ("BJ10", 0)


def test_BJ10_who_has_no_such_amount_is_not_asked():
    assert asked("T A 9", minimum=1001, stakes=[bet(main=1001)]) == {"1": ["hit", "stand"]}
    assert asked("T A 9", step=500, stakes=[bet(main=1500)]) == {"1": ["hit", "stand"]}


def test_BJ10_pays_two_to_one_when_the_dealer_makes_black_jack_else_it_is_lost():
    stakes = [bet(main=4000)]
    made = finish("T A 9 K", "1 insure 2000", "1 stand", stakes=stakes)
    assert (made["returned"]["1"], made["net"]["1"]) == (
        {"main": 0, "insurance": 6000, "admiral": 0, "sevens": 0},
        0,
    )
    missed = finish("T A 9 5 A", "1 insure 2000", "1 stand", stakes=stakes)
    assert missed["facts"]["dealer"]["total"] == 17
    assert missed["net"]["1"] == 4000 - 2000


def test_BJ10_a_black_jack_may_be_insured():
    answer = finish("A A K Q", "1 insure 500")
    assert answer["net"]["1"] == 1000


@pytest.mark.parametrize(
    ("ranks", "words"),
    [
        ("2 T 6", ["hit", "stand"]),
        ("5 T 6", ["hit", "stand", "double"]),
        ("5 T 4", ["hit", "stand", "double"]),
        ("5 T 5", ["hit", "stand", "double", "split"]),
        ("J T Q", ["hit", "stand", "split"]),
        ("A T 8", ["hit", "stand"]),
        ("A T A", ["hit", "stand", "split"]),
        ("8 T 4", ["hit", "stand"]),
    ],
)
def test_BJ11_double_on_hard_9_10_and_11_and_split_equal_values(ranks, words):
    assert asked(ranks) == {"1": words}


def test_BJ11_the_option_doubles_ace_eight_and_ace_nine():
    doubled = [other for other in "23456789" if can_double(BoxHand("1", deck_of(f"A {other}"), {}), soft=True)]
    assert doubled == ["8", "9"]
    assert asked("A T 8", double_soft=True) == {"1": ["hit", "stand", "double"]}


def test_BJ11_double_takes_one_card_only():
    answer = finish("6 T 5 2 7", "1 double")
    assert hands_of(answer) == [("652", 13, "lose")]
    assert (answer["wagered"]["1"]["main"], answer["net"]["1"]) == (2000, -2000)
    assert refused("6 T 3 2", "1 hit", "1 double") == ("BJ11", 1)


def test_BJ11_21_or_more_ends_a_hand():
    assert hands_of(finish("T T 5 6 7", "1 hit")) == [("T56", 21, "win")]
    assert paid(finish("T T 5 7 7", "1 hit")) == [("1", "main", "1", 0, "bust", "BJ11")]


def test_BJ11_a_split_plays_its_first_hand_to_its_end_before_the_second_gets_a_card():
    hands = replay("8 T 8 2 4", "1 split", "1 hit")["facts"]["boxes"]["1"]
    assert [hand["cards"] for hand in hands] == [["8s", "2c", "4s"], ["8d"]]
    answer = finish("8 T 8 2 4 5 9 7", "1 split", "1 hit", "1 hit", "1 stand", "1 stand")
    assert hands_of(answer) == [("8245", 19, "win"), ("89", 17, "push")]


def test_BJ11_double_after_a_split_and_a_line_for_each_hand():
    answer = finish("8 T 8 3 T 9 7", "1 split", "1 double", "1 stand")
    assert hands_of(answer) == [("83T", 21, "win"), ("89", 17, "push")]
    assert paid(answer) == [
        ("1", "main", "1", 4000, "win", "BJ15"),
        ("1", "main", "1.2", 1000, "push", "BJ15"),
    ]
    assert (answer["wagered"]["1"]["main"], answer["returned"]["1"]["main"]) == (3000, 5000)


def test_BJ11_any_number_of_splits_and_the_hands_stand_in_the_order_of_their_play():
    answer = finish("8 T 8 8 9 T 8 2 5 7", *["1 split"] * 2, *["1 stand"] * 2, "1 split", *["1 stand"] * 2)
    assert hands_of(answer) == [
        ("89", 17, "push"),
        ("8T", 18, "win"),
        ("82", 10, "lose"),
        ("85", 13, "lose"),
    ]
    split = [(event["hand"], event["into"]) for event in answer["events"] if event["event"] == "split"]
    assert split == [("1", "1.2"), ("1", "1.3"), ("1.2", "1.4")]


def test_BJ11_split_aces_get_one_card_each_and_make_no_black_jack():
    answer = finish("A T A K 5 7", "1 split")
    assert hands_of(answer) == [("AK", 21, "win"), ("A5", 16, "lose")]
    assert answer["returned"]["1"]["main"] == 2000


def test_BJ11_an_ace_drawn_to_a_split_ace_may_be_split_again_and_nothing_else():
    assert asked("A T A A", "1 split") == {"1": ["stand", "split"]}
    assert refused("A T A A", "1 split", "1 hit") == ("BJ11", 1)
    answer = finish("A T A A 9 8 2 7", "1 split", "1 split")
    assert hands_of(answer) == [("A9", 20, "win"), ("A8", 19, "win"), ("A2", 13, "lose")]


def test_BJ11_tens_split_make_21_but_no_black_jack():
    assert hands_of(finish("K T T A 9 7", "1 split", "1 stand")) == [("KA", 21, "win"), ("T9", 19, "win")]


def test_BJ11_boxes_play_in_order():
    stakes = [bet(1), bet(2)]
    assert refused("T T T 5 5", "2 hit", stakes=stakes) == ("BJ11", 0)
    answer = finish("T T T 5 5 6 4 7", "1 hit", "2 hit", "2 stand", stakes=stakes)
    assert hands_of(answer, "1") == [("T56", 21, "win")]
    assert hands_of(answer, "2") == [("T54", 19, "win")]


def test_BJ13_on_a_double_a_single_bet_rides_on_the_one_card_hand():
    answer = finish("6 T 5 T 7", "1 double", stakes=FOLLOWED)
    assert {seat: spots["main"] for seat, spots in answer["wagered"].items()} == {
        "1": 2000,
        "1/bea": 4000,
        "1/cid": 3000,
    }
    assert answer["net"] == {"1": 2000, "1/bea": 4000, "1/cid": 3000}


def test_BJ13_on_a_split_a_bet_that_does_not_follow_stays_on_the_first_hand():
    answer = finish("8 T 8 T 9 7", "1 split", "1 stand", "1 stand", stakes=FOLLOWED)
    assert hands_of(answer) == [("8T", 18, "win"), ("89", 17, "push")]
    assert [(seat, on, amount) for seat, _, on, amount, *_ in paid(answer)] == [
        ("1", "1", 2000),
        ("1/bea", "1", 4000),
        ("1/cid", "1", 6000),
        ("1", "1.2", 1000),
        ("1/bea", "1.2", 2000),
    ]


def test_BJ13_a_follower_may_stay_and_follows_nothing_more():
    answer = finish("8 T 8 3 T 9 7", "1 split", "1/bea stay", "1 double", "1 stand", stakes=FOLLOWED)
    assert answer["wagered"]["1/bea"]["main"] == 4000  # both hands, single
    assert [(on, amount) for seat, _, on, amount, *_ in paid(answer) if seat == "1/bea"] == [
        ("1", 4000),
        ("1.2", 2000),
    ]


def test_BJ13_stay_is_not_listed_and_not_waited_for_and_leaves_the_ask_as_it_is():
    before, after = replay("8 T 8", stakes=FOLLOWED), replay("8 T 8", "1/bea stay", stakes=FOLLOWED)
    assert before["asks"] == after["asks"] == {"1": ["hit", "stand", "split"]}


def test_BJ13_stay_is_legal_on_another_boxs_turn_and_beside_ones_own_insurance():
    stakes = [bet(1), bet(2, "bea"), bet(2, "cid", follow=True)]
    answer = replay("T T A 5 8", "2/cid stay", "2/cid decline", "1 decline", "2 decline", "1 stand", stakes=stakes)
    assert answer["asks"] == {"2": ["hit", "stand"]}
    assert replay("T T 9 5 8", "2/cid stay", stakes=stakes)["asks"] == {"1": ["hit", "stand"]}


@pytest.mark.parametrize(
    "moves",
    [
        ("1/cid stay",),  # they never followed
        ("1/bea stay", "1/bea stay"),
        ("1 stay",),
    ],
)
def test_BJ13_only_who_follows_can_stay(moves):
    assert refused("8 T 8", *moves, stakes=FOLLOWED) == ("BJ13", len(moves) - 1)


def test_BJ13_stay_ends_with_the_box():
    stakes = [*FOLLOWED, bet(2, "dan")]
    assert refused("T T T 9 9", "1 stand", "1/bea stay", stakes=stakes) == ("BJ13", 1)
    # A Black Jack ends at once.
    assert refused("A T T K 9", "1/bea stay", stakes=stakes) == ("BJ13", 0)


def test_BJ14_the_dealer_draws_to_16_and_stands_on_all_17s():
    assert finish("T A 9 6", "1 decline", "1 stand")["facts"]["dealer"]["total"] == 17
    answer = finish("T A 9 6 4", "1 decline", "1 stand", hits_soft_17=True)
    assert answer["facts"]["dealer"]["total"] == 21


def test_BJ14_the_dealer_draws_to_their_end_though_every_box_is_bust_or_a_black_jack():
    answer = finish("T A 6 6 K T 2 4 5", "1 hit", stakes=[bet(1), bet(2, "bea")])
    assert [result for box in "12" for *_, result in hands_of(answer, box)] == ["bust", "blackjack"]
    assert answer["facts"]["dealer"] == {"cards": ["6d", "2d", "4c", "5s"], "total": 17}
    assert refused("T 6 6 T", "1 hit") == ("G6", None)


def test_BJ14_a_dealers_black_jack_takes_everything_but_a_black_jack():
    answer = finish("T A A 5 K 6 K", "1 decline", "2 decline", "1 hit", stakes=[bet(1), bet(2, "bea")])
    assert (hands_of(answer, "1"), hands_of(answer, "2")) == ([("T56", 21, "lose")], [("AK", 21, "push")])
    assert paid(answer) == [
        ("1", "main", "1", 0, "dealer blackjack", "BJ14"),
        ("2", "main", "2", 1000, "push", "BJ15"),
    ]


def test_BJ14_doubled_and_split_bets_are_lost_to_a_dealers_black_jack():
    answer = finish("8 T 8 3 T 9 A", "1 split", "1 double", "1 stand")
    assert hands_of(answer) == [("83T", 21, "lose"), ("89", 17, "lose")]
    assert (answer["wagered"]["1"]["main"], answer["returned"]["1"]["main"]) == (3000, 0)


def test_BJ14_the_option_takes_the_original_bet_alone():
    answer = finish("8 T 8 3 T 9 A", "1 split", "1 double", "1 stand", dealer_blackjack_takes="original")
    assert paid(answer) == [
        ("1", "main", "1", 1000, "original bet", "BJ14"),
        ("1", "main", "1.2", 1000, "original bet", "BJ14"),
    ]


def test_BJ14_under_the_option_a_bust_is_lost_before_the_dealer_draws():
    moves = ("1 split", "1 stand", "1 hit")
    answer = finish("8 T 8 T 7 9 A", *moves, dealer_blackjack_takes="original")
    assert hands_of(answer) == [("8T", 18, "lose"), ("879", 24, "bust")]
    assert answer["net"]["1"] == -2000


@pytest.mark.parametrize(
    ("draws", "result", "back"), [("7", "win", 2000), ("8", "push", 1000), ("9", "lose", 0), ("6 T", "win", 2000)]
)
def test_BJ15_win_one_to_one_equal_totals_push(draws, result, back):
    answer = finish(f"T T 8 {draws}", "1 stand")
    assert hands_of(answer) == [("T8", 18, result)]
    assert answer["returned"]["1"]["main"] == back


def test_BJ15_black_jack_against_black_jack_pushes():
    answer = finish("A T K A")
    assert paid(answer) == [("1", "main", "1", 1000, "push", "BJ15")]


@pytest.mark.parametrize(("odds", "back"), [("3:2", 2502), ("6:5", 2202), ("1:1", 2002), ("2:1", 3003)])
def test_BJ15_black_jack_pays_by_the_option_rounded_down(odds, back):
    answer = finish("A T K 9", stakes=[bet(main=1001)], minimum=1001, blackjack_pays=odds)
    assert answer["returned"]["1"]["main"] == back


@pytest.mark.parametrize("odds", ["3", "3:0", "0:1", "3/2", "100:1", "3:2 ", ""])
def test_BJ15_other_odds_are_refused(odds):
    assert refused("A T K 9", blackjack_pays=odds) == ("BJ15", None)


def test_BJ16_three_sevens_pay_every_bettor_their_first_bet_and_the_hand_plays_on_as_21():
    answer = finish("7 T 7 7 7", "1 hit", stakes=FOLLOWED)
    assert hands_of(answer) == [("777", 21, "win")]
    assert {seat: spots["sevens"] for seat, spots in answer["returned"].items()} == {
        "1": 1000,
        "1/bea": 2000,
        "1/cid": 3000,
    }
    assert answer["wagered"]["1"]["sevens"] == 0
    assert answer["net"] == {"1": 2000, "1/bea": 4000, "1/cid": 6000}


def test_BJ16_the_bonus_is_kept_whatever_the_dealer_makes():
    answer = finish("7 T 7 7 A", "1 hit")
    assert answer["returned"]["1"] == {"main": 0, "insurance": 0, "admiral": 0, "sevens": 1000}


def test_BJ16_no_bonus_after_a_split():
    answer = finish("7 T 7 2 7 5 7 9", "1 split", "1 stand", "1 hit", "1 stand")
    assert answer["returned"]["1"]["sevens"] == 0
    answer = finish("7 T 7 7 2 7 7", "1 split", "1 stand", "1 hit", "1 stand")
    assert answer["returned"]["1"]["sevens"] == 0


def test_BJ17_pays_19_to_1_on_the_boxs_first_two_cards_whatever_the_dealer_has():
    stakes = [bet(admiral=1000), bet(player="bea", admiral=2000)]
    answer = finish("A T K A", stakes=stakes)
    assert {seat: spots["admiral"] for seat, spots in answer["returned"].items()} == {"1": 20000, "1/bea": 40000}


def test_BJ17_a_later_21_does_not_count():
    answer = finish("A T A K K 7", "1 split", stakes=[bet(admiral=1000)])
    assert answer["returned"]["1"]["admiral"] == 0


@pytest.mark.parametrize("amount", [500, 1500, 3000])
def test_BJ17_the_minimum_or_twice_the_minimum(amount):
    assert refused("T T T", stakes=[bet(admiral=amount)], step=500) == ("BJ17", None)


def test_BJ17_only_with_a_main_bet_of_ones_own_on_that_box():
    alone = {"seat": 1, "player": "bea", "bets": {"admiral": 1000}}
    assert refused("T T T", stakes=[bet(), alone]) == ("BJ17", None)


def test_every_spot_of_every_bettor_is_named():
    answer = finish("T T 9 8", "1 stand", stakes=FOLLOWED)
    assert list(answer["wagered"]) == ["1", "1/bea", "1/cid"]
    for spots in (*answer["wagered"].values(), *answer["returned"].values()):
        assert list(spots) == ["main", "insurance", "admiral", "sevens"]


def test_G6_a_void_returns_doubles_splits_and_insurances():
    answer = finish("8 A 8 9", "1 insure 500", "1 split", "void", stakes=[bet(admiral=1000)])
    assert answer["wagered"]["1"] == {"main": 2000, "insurance": 500, "admiral": 1000, "sevens": 0}
    assert answer["returned"] == answer["wagered"]


def test_a_refused_move_changes_nothing_and_later_moves_of_another_line_do_not_either():
    deal, _ = parse_record(record_of("8 T 8 T 9 7", stakes=FOLLOWED))
    hand = Hand(deal)
    with pytest.raises(IllegalMove):
        hand.play(Move("1", "double"))
    stayed, split = hand.play(Move("1/bea", "stay")), hand.play(Move("1", "split"))
    assert stayed.play(Move("1", "split")).wagered()["1/bea"]["main"] == 2000
    assert split.wagered()["1/bea"]["main"] == 4000
    assert list(hand.asks) == list(stayed.asks) == ["1"]


@pytest.mark.parametrize("option", [{"dealer_blackjack_takes": "some"}, {"boxes": 7}, {"double_soft": 1}])
def test_unknown_options_and_values_are_refused(option):
    with pytest.raises(IllegalDeal):
        GAME.parse_options(option)


def choose_any(random, hand):
    """Return a legal move, including followers who stop and time-outs."""
    aside = list(hand.aside)
    if aside and random.random() < 0.1:
        return Move(random.choice(aside), "stay")
    seat = random.choice(list(hand.asks))
    if random.random() < 0.1:
        return Move(seat, "timeout")
    offer = random.choice([*hand.asks[seat]] + [o for o in hand.asks[seat] if o.word == "split"] * 3)
    return Move(seat, offer.word, str(random.randint(offer.least, offer.most)) if offer.most else offer.argument)


def random_deal(random):
    options = BlackJackOptions(
        hits_soft_17=random.random() < 0.5,
        double_soft=random.random() < 0.5,
        dealer_blackjack_takes=random.choice(["all", "original"]),
    )
    stakes = []
    for seat in sorted(random.sample(range(1, 8), random.randint(1, 3))):
        for player in ("anna", "bea", "cid")[: random.randint(1, 3)]:
            bets = {"main": 1000 * random.randint(1, 50)} | random.choice([{}, {"admiral": 1000}])
            stakes.append(Stake(seat, player, bets, follow=random.random() < 0.5))
    # Many aces, eights and tens, so that splits and insurances are common.
    shoe = random.sample(list(GAME.full_deck(options)), 312)
    shoe.sort(key=lambda card: random.random() - 0.6 * (card[0] in "A8TJ"))
    return Deal("blackjack", options, tuple(stakes), tuple(shoe))


@pytest.mark.parametrize("seed", range(60))
def test_any_legal_play_ends_replays_and_adds_up(seed):
    random = Random(seed)
    deal = random_deal(random)
    check_deal(deal)
    hand = Hand(deal)
    while not hand.is_over:
        assert all(any(offer.listed for offer in offers) for offers in hand.asks.values())
        hand = hand.play(choose_any(random, hand))
    assert len(hand.moves) < 200

    felt = hand.felt
    assert Hand(deal, hand.moves).events == hand.events
    assert hand.cards(None) == lay_out(hand.events) == felt.cards
    wagered, returned = hand.wagered(), hand.returned()
    assert {(seat, spot): amount for seat, spots in wagered.items() for spot, amount in spots.items()} == felt.staked
    assert all(spots.get("main", 0) <= 2.5 * wagered[seat]["main"] for seat, spots in returned.items())
    hands = [hand["result"] for box in felt.facts["boxes"].values() for hand in box]
    assert set(hands) <= {"win", "lose", "push", "bust", "blackjack"}
    assert not felt.aside

    again = play_record(json.loads(json.dumps(write_record(deal, hand.moves))))
    net = {seat: sum(returned[seat].values()) - sum(wagered[seat].values()) for seat in wagered}
    assert (again["net"], again["facts"]) == (net, felt.facts)


@pytest.mark.parametrize(
    ("own", "dealer", "word"),
    [
        ("8 8", "T", "hit"),  # without a hole card the second bet is in danger
        ("8 8", "9", "split"),
        ("A A", "T", "split"),
        ("A A", "A", "hit"),
        ("6 5", "T", "hit"),
        ("6 5", "9", "double"),
        ("5 5", "5", "double"),
        ("T J", "6", "stand"),
        ("9 9", "7", "stand"),
        ("A 7", "8", "stand"),
        ("A 7", "9", "hit"),
        ("A 6", "6", "hit"),
        ("T 2", "3", "hit"),
        ("T 2", "4", "stand"),
        ("T 6", "7", "hit"),
    ],
)
def test_basic_strategy_without_a_hole_card(own, dealer, word):
    first, second = own.split()
    deal, _ = parse_record(record_of(f"{first} {dealer} {second}"))
    hand = Hand(deal)
    if dealer == "A":
        hand = hand.play(play_basic("1", hand.asks["1"], hand.felt.cards))
    assert play_basic("1", hand.asks["1"], hand.felt.cards).word == word


def test_basic_strategy_plays_whole_hands_and_never_insures():
    random = Random(3)
    for _ in range(300):
        deal = random_deal(random)
        assert not any(spot == "insurance" for _, spot in run(deal, play_basic).staked)


def test_BJ12_a_time_out_is_what_BJ6_plays_and_never_a_double_or_a_split():
    answer = finish("2 T 3 2 4 9 7", "1 timeout")
    assert hands_of(answer) == [("23249", 20, "win")]
    assert answer["wagered"]["1"]["main"] == bet()["bets"]["main"]
