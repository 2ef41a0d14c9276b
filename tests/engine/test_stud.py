"""Seven Card Stud Hi/Lo (SH): from records to payments."""

from collections import Counter
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import FRENCH
from engine.events import Paid
from engine.felt import Deal, Move, Stake
from engine.games import GAMES
from engine.games.stud import StudOptions
from engine.hand import Hand, run
from engine.pots import share
from engine.record import parse_record, play_record, write_record
from engine.simulation import call_down, choose_at_random

STACK = 10_000
STUD = GAMES["stud"]

# Seat 3 brings in; from fourth street on seat 1 has the highest hand showing.
ACES, SIX_LOW, TRASH = "As Ah Ks 9d 9h Jc 5s", "Ac 2d 3h 4s 6c Qh Kd", "7c 8d 2c Td Jh 3c Kc"
THREE = {1: ACES, 2: SIX_LOW, 3: TRASH}


def deck_of(hands, board=""):
    """Return the cards in SH3's order; players with fewer than seven have folded by then."""
    cards = [hand.split() for hand in hands.values()]
    return [hand[i] for i in range(7) for hand in cards if i < len(hand)] + board.split()


def record_of(hands, *moves, stacks=None, board="", **options):
    """Return a record; `stacks` by seat where they are not STACK; each of `moves` may hold several, separated by
    commas.
    """
    stacks = dict.fromkeys(hands, STACK) | (stacks or {})
    return {
        "game": "stud",
        "options": options,
        "deck": deck_of(hands, board),
        "stakes": [{"seat": seat, "player": f"player{seat}", "stack": stacks[seat]} for seat in hands],
        "moves": [move.strip() for line in moves for move in line.split(",")],
    }


def replay(hands, *moves, **table):
    answer = play_record(record_of(hands, *moves, **table))
    assert "refused" not in answer, answer
    return answer


def play_down(hands, *moves, **table):
    """Check and call to the end."""
    record = record_of(hands, *moves, **table)
    hand = Hand(*parse_record(record))
    while hand.asks:
        ((seat, offers),) = hand.asks.items()
        hand = hand.play(call_down(seat, offers, {}))
    answer = play_record(record | {"moves": [str(move) for move in hand.moves]})
    assert sum(answer["net"].values()) == 0
    return answer


def net(*table, **options):
    return list(play_down(*table, **options)["net"].values())


def refusal(hands, *moves, **table):
    """Return (clause, index of the move)."""
    answer = play_record(record_of(hands, *moves, **table))
    return answer["clause"], answer["move"]


def stakes_of(hands, *moves, **table):
    """Return the player to act, and the stake of each word."""
    hand = Hand(*parse_record(record_of(hands, *moves, **table)))
    ((seat, offers),) = hand.asks.items()
    assert {offer.spot for offer in offers} <= {"", "pot"}
    return seat, {offer.word: offer.stake for offer in offers}


def events(answer, kind):
    return [event for event in answer["events"] if event["event"] == kind]


def openers(answer):
    return [(event["seat"], event["why"], event["shows"]) for event in events(answer, "opened")]


def posted(answer):
    """Return the forced stakes: antes and bring-in."""
    kinds = [event["event"] for event in answer["events"]]
    before = answer["events"][: kinds.index("moved")] if "moved" in kinds else answer["events"]
    return [(event["seat"], event["amount"]) for event in before if event["event"] == "staked"]


def payments(answer):
    """Return (seat, amount, reason, clause, hand) of each payment."""
    keys = ("seat", "amount", "why", "clause", "hand")
    return [tuple(event[key] for key in keys) for event in events(answer, "paid")]


@pytest.mark.parametrize("seats", [(1,), tuple(range(1, 10)), (2, 9)])
def test_SH1_two_to_eight_players_on_seats_1_to_8(seats):
    assert refusal(dict.fromkeys(seats, ""))[0] == "SH1"


def test_SH1_a_stack_and_no_bets():
    for stake, clause in (({"stack": 0}, "G2"), ({}, "SH1"), ({"stack": STACK, "bets": {}}, "SH1")):
        record = record_of(THREE)
        record["stakes"][0] = {"seat": 1, "player": "anna"} | stake
        answer = play_record(record)
        assert answer["refused"]
        assert answer["clause"] == clause


@pytest.mark.parametrize("seats", [(1, 2, 3), (4, 6, 1), (8, 1), (6, 1, 4)])
def test_SH15_seats_stand_from_the_dealers_left_and_may_wrap(seats):
    answer = replay(dict(zip(seats, THREE.values(), strict=False)))
    assert [event["to"] for event in events(answer, "dealt")][: len(seats)] == [str(seat) for seat in seats]


@pytest.mark.parametrize("seats", [(1, 3, 2), (6, 4, 1), (4, 6, 5), (4, 1, 6, 5)])
def test_SH15_any_other_order_is_refused(seats):
    assert refusal(dict.fromkeys(seats, "")) == ("SH15", None)


def test_SH15_a_seat_twice_is_refused():
    record = record_of(THREE)
    record["stakes"][1]["seat"] = 1
    assert play_record(record)["clause"] == "SH15"


def test_G9_a_player_has_one_seat():
    record = record_of(THREE)
    record["stakes"][1]["player"] = record["stakes"][0]["player"]
    assert play_record(record)["clause"] == "G9"


@pytest.mark.parametrize(
    ("given", "upper", "ante"),
    [
        ({}, 800, 50),
        ({"lower": 50}, 100, 0),
        ({"lower": 50, "upper": 150}, 150, 7),
        ({"lower": 100}, 200, 13),
        ({"lower": 100, "unit": 5}, 200, 15),
        ({"lower": 400, "unit": 100}, 800, 100),
        ({"lower": 1000, "upper": 3000}, 3000, 125),
        ({"ante": 75}, 800, 75),
    ],
)
def test_SH2_what_is_left_out_follows_from_the_lower_limit(given, upper, ante):
    options = STUD.parse_options(given)
    assert isinstance(options, StudOptions)
    assert (options.upper, options.ante) == (upper, ante)


@pytest.mark.parametrize(
    ("options", "clause"),
    [
        ({"lower": 0}, "SH1"),
        ({"lower": 401}, "SH5"),
        ({"lower": -400}, "G2"),
        ({"upper": 300}, "SH1"),
        ({"upper": 0}, "SH1"),
        ({"unit": 0}, "SH11"),
        ({"ante": 0}, "SH2"),
        ({"lower": 50, "ante": 5}, "SH2"),
        ({"unit": 400}, "SH2"),
        ({"unit": 100, "ante": 50}, "SH2"),
        ({"minimum": 100}, None),
        ({"ante": "50"}, None),
        ({"bring_in_may_complete": 1}, None),
    ],
)
def test_SH2_impossible_tables_are_refused(options, clause):
    assert refusal(THREE, **options) == (clause, None)


def test_SH2_everybody_antes():
    assert posted(replay(THREE, ante=60)) == [("1", 60), ("2", 60), ("3", 60), ("3", 200)]


def test_SH2_no_ante_at_half_and_one():
    answer = replay(THREE, "1 fold, 2 fold", lower=50)
    assert answer["wagered"] == {"1": {"pot": 0}, "2": {"pot": 0}, "3": {"pot": 25}}
    assert answer["returned"] == answer["wagered"]
    assert answer["facts"]["pots"] == []


@pytest.mark.parametrize(
    "given", [{}, {"lower": 800, "upper": 800, "ante": 100}, {"lower": 50, "upper": 800, "ante": 7}]
)
def test_a_written_record_keeps_a_limit_that_is_another_tables_default(given):
    deal, moves = parse_record(record_of(THREE, "1 call", **given))
    assert parse_record(write_record(deal, moves)) == (deal, moves)


def test_SH3_two_down_one_up_three_up_one_down_and_no_burn_cards():
    answer = play_down(THREE)
    dealt = [(event["to"], *event["cards"], *event["up"]) for event in events(answer, "dealt")]
    assert [card for _, card, _ in dealt] == deck_of(THREE)
    assert [to for to, _, _ in dealt] == ["1", "2", "3"] * 7
    assert [up for _, _, up in dealt[::3]] == [False, False, True, True, True, True, False]
    called = [event["call"] for event in events(answer, "called")]
    assert called == ["third street", "fourth street", "fifth street", "sixth street", "river", "showdown"]


def test_SH3_who_folded_gets_no_more_cards_and_their_hand_stands_in_the_facts():
    answer = play_down(THREE | {1: "As Ah Ks"}, "1 fold")
    assert answer["facts"]["hands"]["1"] == {"cards": ["As", "Ah", "Ks"], "rank": "pair", "low": None, "result": "fold"}
    assert answer["over"]


def test_G8_nobody_sees_anothers_down_cards():
    hand = Hand(*parse_record(record_of(THREE)))
    assert hand.cards("2") == {"1": ["??", "??", "Ks"], "2": ["Ac", "2d", "3h"], "3": ["??", "??", "2c"]}
    assert hand.cards(None)["2"] == ["??", "??", "3h"]


EIGHT = {
    1: "2s 3s As 4s 6h 8h",
    2: "2h 3h Ah 4h 6d 8d",
    3: "2d 3d Ad 4d 6c 8c",
    4: "Kc Kd Ac 4c 7s 9s",
    5: "Ks Kh Qs 5s 7h 9h",
    6: "Js Jh Qh 5h 7d 9d",
    7: "Jd Jc Qd 5d 7c 9c",
    8: "Ts Th 2c 5c 6s 8s",
}
COMMUNITY = {"event": "dealt", "to": "board", "up": (True,)}


def test_SH4_without_discards_the_next_card_of_the_deck_belongs_to_everybody():
    # 48 of the 52 are dealt; a record's deck may stop after the one card that is still needed.
    answer = play_down(EIGHT, board="Tc")
    assert events(answer, "dealt")[-1] == COMMUNITY | {"cards": ("Tc",)}
    assert answer["facts"]["board"] == ["Tc"]
    assert answer["facts"]["hands"]["8"]["rank"] == "three of a kind"


def test_SH4_the_discard_is_the_first_down_card_of_the_hand_that_folded_first():
    # Seat 3 folds on fourth street: 46 cards are dealt, six are left for seven.
    folds = ",".join(f"{seat} call" for seat in range(1, 8)) + ",1 bet, 2 call, 3 fold, 4 call, 5 call, 6 call"
    answer = play_down(EIGHT | {3: "2d 3d Ad 4d"}, folds)
    assert events(answer, "dealt")[-1] == COMMUNITY | {"cards": ("2d",)}


def test_SH4_enough_cards_are_no_reason_for_a_community_card():
    # Seat 1 folds on third street: 45 cards are dealt, seven are left for seven.
    rivers = dict(zip(range(2, 9), "4s Td Tc Qc 3c 6h 8h".split(), strict=True))
    hands = {1: "2s 3s As"} | {seat: f"{EIGHT[seat]} {river}" for seat, river in rivers.items()}
    answer = play_down(hands, "1 fold")
    assert events(answer, "dealt")[-1] == {"event": "dealt", "to": "8", "cards": ("8h",), "up": (False,)}


def test_SH5_a_community_card_does_not_count_for_who_begins():
    # The pair of tens that it would give seat 8 does not exist.
    sixth, river = openers(play_down(EIGHT, board="Tc"))[-2:]
    assert river == sixth


@pytest.mark.parametrize(
    ("doors", "opener"),
    [("2s 2h 2d 2c", "4"), ("2s 2h 2d 3c", "3"), ("2s 2h 3d 3c", "2"), ("As Ah Kd Kc", "4"), ("2s 3h 3d 3c", "1")],
)
def test_SH5_the_lowest_up_card_brings_in_by_suit_and_the_ace_is_high(doors, opener):
    downs = iter("4s 4h 4d 4c 5s 5h 5d 5c".split())
    answer = replay({seat: f"{next(downs)} {next(downs)} {up}" for seat, up in enumerate(doors.split(), start=1)})
    assert openers(answer) == [(opener, "lowest card", doors.split()[int(opener) - 1])]
    assert posted(answer)[-1] == (opener, 200)


def test_SH5_when_all_just_call_the_bring_in_the_round_ends():
    assert stakes_of(THREE) == ("1", {"fold": 0, "call": 200, "complete": 400})
    assert [e["call"] for e in events(replay(THREE, "1 call, 2 call"), "called")] == ["third street", "fourth street"]


def test_SH5_the_bring_in_is_forced():
    assert refusal(THREE, "3 bring-in") == ("SH5", 0)


def test_SH5_where_the_table_lets_them_the_opener_may_complete():
    choice = {"bring_in_may_complete": True}
    assert stakes_of(THREE, **choice) == ("3", {"complete": 400, "bring-in": 200})
    assert stakes_of(THREE, "3 bring-in", **choice) == ("1", {"fold": 0, "call": 200, "complete": 400})
    assert stakes_of(THREE, "3 complete", **choice) == ("1", {"fold": 0, "call": 400, "raise": 800})
    assert posted(replay(THREE, **choice)) == [("1", 50), ("2", 50), ("3", 50)]


def test_SH5_whose_chips_do_not_reach_beyond_the_bring_in_has_no_choice():
    answer = replay(THREE, stacks={3: 250}, bring_in_may_complete=True)
    assert posted(answer)[-1] == ("3", 200)
    assert stakes_of(THREE, stacks={3: 251}, bring_in_may_complete=True) == ("3", {"complete": 201, "bring-in": 200})
    # The same if no one could put in more.
    assert posted(replay(THREE, stacks={1: 250, 2: 250}, bring_in_may_complete=True))[-1] == ("3", 200)


def test_SH5_a_short_bring_in_is_what_the_others_call():
    assert posted(replay(THREE, stacks={3: 130}))[-1] == ("3", 80)
    assert stakes_of(THREE, stacks={3: 130}) == ("1", {"fold": 0, "call": 80, "complete": 400})


def test_SH5_an_opener_without_chips_leaves_it_to_the_next_on_their_left_who_has_some():
    answer = replay(THREE | {4: "4c 4d 5h"}, stacks={3: 50, 4: 30})
    assert posted(answer)[-1] == ("1", 200)
    assert events(answer, "opened") == [
        {"event": "opened", "seat": "1", "why": "lowest card", "shows": "2c", "instead_of": "3"}
    ]


@pytest.mark.parametrize("stacks", [{1: 50, 3: 50}, {1: 50, 2: 50, 3: 40}])
def test_SH5_with_only_one_player_who_has_chips_no_bring_in_is_posted(stacks):
    answer = replay(THREE, stacks=stacks)
    assert answer["over"]
    assert len(events(answer, "staked")) == 3
    assert not events(answer, "opened")


@pytest.mark.parametrize(
    ("showing", "opener"),
    [
        ("4d 4c, Kd Ac, 2c 7h", ("1", "highest hand", "pair")),
        ("Qd 9c, Qh 8c, 2c 7h", ("1", "highest hand", "high card")),
        ("Qd 8c, Qh 9c, 2c 7h", ("2", "highest hand", "high card")),
        ("Qd 9c, Qh 9s, 2c 7h", ("1", "equal hands", "high card")),
        ("Jd 9c, Qh 9s, 2c Qc", ("2", "highest hand", "high card")),
        ("8d 9d, Qh 9s, 2c Ac", ("3", "highest hand", "high card")),
    ],
)
def test_SH5_later_the_highest_hand_showing_begins_and_of_equal_ones_the_first_to_the_left(showing, opener):
    ups = zip((1, 2, 3), "shd", showing.split(", "), strict=True)
    hands = {seat: f"5{suit} 6{suit} {up}" for seat, suit, up in ups}
    assert openers(replay(hands, "1 call, 2 call"))[1] == opener


@pytest.mark.parametrize(
    ("higher", "lower"),
    [
        ("3d 3c 3h 3s", "Ad Ac Ah Ks"),
        ("3d 3c 3h 4s", "Ad Ac Kh Ks"),
        ("3d 3c 4h 4s", "Ad Ac Kh Qs"),
        ("3d 3c 4h 5s", "Ad Kc Qh Js"),
        ("Ad Kc Qh 9s", "Td Jd Qd Kd"),
    ],
)
def test_SH5_showing_hands_rank_by_four_three_two_pair_pair_and_high_cards_only(higher, lower):
    hands = {1: f"7s 8s {lower}", 2: f"7h 8h {higher}", 3: "7d 8d 2c 6h 7c 8c"}
    assert openers(play_down(hands, "1 call, 2 call", board="4c 5c 6c"))[3][0] == "2"


def test_SH6_the_lower_limit_on_third_and_fourth_street_the_upper_later():
    third, street = "1 call, 2 call", ",1 check, 2 check, 3 check"
    bets = [stakes_of(THREE, third + i * street)[1]["bet"] for i in range(4)]
    assert bets == [400, 800, 800, 800]


def test_SH6_an_open_pair_on_fourth_street_does_not_open_the_upper_limit():
    hands = {1: "As Ah Ks Kd", 2: "Ac 2d 3h 4s", 3: "7c 8d 2c Td"}
    assert stakes_of(hands, "1 call, 2 call") == ("1", {"check": 0, "bet": 400})


def test_SH7_completing_is_the_first_bet_of_four():
    moves = "1 complete, 2 raise, 3 raise, 1 raise"
    seen = [stakes_of(THREE, *moves.split(",")[:i]) for i in range(1, 5)]
    assert seen == [
        ("2", {"fold": 0, "call": 400, "raise": 800}),
        ("3", {"fold": 0, "call": 600, "raise": 1000}),
        ("1", {"fold": 0, "call": 800, "raise": 1200}),
        ("2", {"fold": 0, "call": 800}),
    ]
    assert refusal(THREE, moves, "2 raise") == ("SH7", 4)


def test_SH7_the_cap_holds_heads_up_too():
    opened = "1 fold, 2 call, 2 check, 3 bet, 2 raise, 3 raise, 2 raise"
    hands = {1: "As Ah Ks", 2: SIX_LOW, 3: "7c 8d 2c 3c"}
    assert stakes_of(hands | {2: "Ac 2d 3h 4s"}, opened) == ("3", {"fold": 0, "call": 400})


def test_SH7_a_called_raise_ends_the_round():
    assert openers(replay(THREE, "1 complete, 2 raise, 3 call, 1 call"))[-1][0] == "1"


def test_SH8_facing_nothing_one_checks_or_bets_and_does_not_fold():
    fourth = "1 call, 2 call"
    assert stakes_of(THREE, fourth) == ("1", {"check": 0, "bet": 400})
    assert refusal(THREE, fourth, "1 fold") == ("SH8", 2)
    assert refusal(THREE, fourth, "1 call") == ("SH8", 2)
    assert refusal(THREE, "1 check") == ("SH8", 0)
    assert refusal(THREE, "1 call 200") == ("SH8", 0)
    assert refusal(THREE, "1 raise") == ("SH8", 0)
    assert refusal(THREE, "1 complete 400") == ("SH7", 0)
    assert refusal(THREE, fourth, "1 bet 400") == ("SH6", 2)


def test_SH5_out_of_turn():
    assert refusal(THREE, "2 call") == ("SH5", 0)
    assert refusal(THREE, "1 stand")[0] is None


def test_SH9_a_short_call_plays_for_the_pot_it_paid_into():
    answer = play_down(THREE, "1 complete, 2 call, 3 call", stacks={2: 150})
    # The wheel is in for 150 of 450 each: its pot is 450, the other 600 are between the others.
    assert answer["facts"]["pots"] == [
        {"amount": 450, "eligible": [1, 2, 3], "high": [1], "low": [2]},
        {"amount": 600, "eligible": [1, 3], "high": [1], "low": []},
    ]
    assert answer["net"] == {"1": 225 + 600 - 450, "2": 225 - 150, "3": -450}


def test_SH9_levels_with_the_same_players_still_in_are_one_pot():
    hands = THREE | {2: "Ac 2d 3h 4s"}
    answer = play_down(hands, "1 call, 2 call, 1 bet, 2 fold, 3 call")
    assert answer["facts"]["pots"] == [{"amount": 750 + 800, "eligible": [1, 3], "high": [1], "low": []}]


def test_SH9_an_uncalled_excess_goes_back():
    answer = replay(THREE | {2: "Ac 2d 3h"}, "1 complete, 2 fold, 3 call", stacks={3: 330})
    # Seat 3 is in for 330 of seat 1's 450.
    assert answer["wagered"] == {"1": {"pot": 450}, "2": {"pot": 50}, "3": {"pot": 330}}
    assert payments(answer) == [
        ("1", 120, "uncalled", "SH9", ""),
        ("1", 710, "high", "SH11", "two pair"),
        ("2", 0, "fold", "SH8", ""),
        ("3", 0, "lose", "SH10", ""),
    ]
    assert answer["returned"] == {"1": {"pot": 830}, "2": {"pot": 0}, "3": {"pot": 0}}


def test_SH9_what_nobody_could_answer_is_not_offered():
    stacks = {2: 250, 3: 250}
    assert stakes_of(THREE, stacks=stacks) == ("1", {"fold": 0, "call": 200})
    assert refusal(THREE, "1 complete", stacks=stacks) == ("SH9", 0)
    assert replay(THREE, "1 call, 2 call", stacks=stacks)["over"]


@pytest.mark.parametrize("chips", [201, 250, 399])
def test_SH9_a_short_completion_is_no_bet_and_the_next_completes_to_the_full_limit(chips):
    short = {"stacks": {1: 50 + chips}}
    assert stakes_of(THREE, **short) == ("1", {"fold": 0, "call": 200, "complete": chips})
    assert stakes_of(THREE, "1 complete", **short) == ("2", {"fold": 0, "call": chips, "complete": 400})
    # The bring-in has acted, and has only to call.
    assert stakes_of(THREE, "1 complete, 2 call", **short) == ("3", {"fold": 0, "call": chips - 200})
    assert refusal(THREE, "1 complete, 2 call, 3 complete", **short) == ("SH9", 2)
    # A completion opens the betting again, and is the first of four bets.
    moves = "1 complete, 2 complete"
    assert stakes_of(THREE, moves, **short) == ("3", {"fold": 0, "call": 200, "raise": 600})
    assert stakes_of(THREE, moves + ", 3 raise, 2 raise", **short) == ("3", {"fold": 0, "call": 400, "raise": 800})


def test_SH9_with_limits_of_4_and_8_a_completion_to_4_counts_and_all_in_for_3_does_not():
    # The bring-in is 2: 4 is 2 above it, half a bet.
    assert stakes_of(THREE, "1 complete") == ("2", {"fold": 0, "call": 400, "raise": 800})
    assert stakes_of(THREE, "1 complete", stacks={1: 350}) == ("2", {"fold": 0, "call": 300, "complete": 400})


@pytest.mark.parametrize(("chips", "word", "stake"), [(300, "raise", 700), (399, "raise", 799)])
def test_SH9_who_completes_instead_of_the_bring_in_has_no_bring_in_to_be_measured_from(chips, word, stake):
    table = {"stacks": {3: 50 + chips}, "bring_in_may_complete": True}
    assert stakes_of(THREE, "3 complete", **table) == ("1", {"fold": 0, "call": chips, word: stake})


FOURTH = "1 call, 2 call"
FOUR = {1: ACES, 2: SIX_LOW, 3: TRASH, 4: "Ts Th Qc 7h 6s Jd 9s"}


@pytest.mark.parametrize("chips", [1, 199])
def test_SH9_less_than_half_a_bet_does_not_count(chips):
    short = {"stacks": {2: 250 + chips}}
    moves = FOURTH + ", 1 check, 2 bet"
    assert stakes_of(THREE, moves, **short) == ("3", {"fold": 0, "call": chips, "bet": 400})
    assert stakes_of(THREE, moves + ", 3 call", **short) == ("1", {"fold": 0, "call": chips})
    assert refusal(THREE, moves, "3 call", "1 bet", **short) == ("SH9", 5)
    # The full bet over it is the first of four.
    full = moves + ", 3 bet"
    assert stakes_of(THREE, full, **short) == ("1", {"fold": 0, "call": 400, "raise": 800})
    assert stakes_of(THREE, full + ", 1 raise, 3 raise", **short) == ("1", {"fold": 0, "call": 400, "raise": 800})
    assert stakes_of(THREE, full + ", 1 raise, 3 raise, 1 raise", **short) == ("3", {"fold": 0, "call": 400})


@pytest.mark.parametrize("chips", [200, 399])
def test_SH9_from_half_a_bet_on_it_counts_and_the_next_raise_is_a_full_bet_above_it(chips):
    short = {"stacks": {2: 250 + chips}}
    moves = FOURTH + ", 1 check, 2 bet"
    assert stakes_of(THREE, moves, **short) == ("3", {"fold": 0, "call": chips, "raise": chips + 400})
    assert stakes_of(THREE, moves + ", 3 call", **short) == ("1", {"fold": 0, "call": chips, "raise": chips + 400})
    assert stakes_of(THREE, moves + ", 3 raise, 1 raise, 3 raise", **short) == ("1", {"fold": 0, "call": 400})


def test_SH9_a_short_raise_leaves_the_others_to_raise_to_the_level_it_fell_short_of():
    short = {"stacks": {2: 250 + 500}}
    moves = FOURTH + ", 1 bet, 2 raise"
    assert stakes_of(THREE, FOURTH + ", 1 bet", **short) == ("2", {"fold": 0, "call": 400, "raise": 500})
    assert stakes_of(THREE, moves, **short) == ("3", {"fold": 0, "call": 500, "raise": 800})
    assert stakes_of(THREE, moves + ", 3 call", **short) == ("1", {"fold": 0, "call": 100})
    assert stakes_of(THREE, moves + ", 3 raise", **short) == ("1", {"fold": 0, "call": 400, "raise": 800})


def test_SH9_two_short_raises_count_together():
    # 500 and 650 over the bet of 400: the second is a bet, for the first player faces more than half of one.
    short = {"stacks": {2: 250 + 500, 3: 250 + 650}}
    hands, third = FOUR | {3: "Qc Qs 8h 3c 4c 6h 8c", 4: "7c 8d 2c Td Jh 2h 6s"}, "1 call, 2 call, 3 call"
    moves = third + ", 1 bet, 2 raise, 3 raise"
    assert stakes_of(hands, moves, **short) == ("4", {"fold": 0, "call": 650, "raise": 1050})
    assert stakes_of(hands, moves + ", 4 call", **short) == ("1", {"fold": 0, "call": 250, "raise": 650})


@pytest.mark.parametrize(("chips", "word", "stake"), [(279, "complete", 400), (280, "raise", 680)])
def test_SH9_over_a_short_bring_in_half_a_bet_is_measured_from_it(chips, word, stake):
    # The bring-in is 80.
    table = {"stacks": {3: 130, 1: 50 + chips}}
    assert stakes_of(FOUR, "4 call, 1 complete", **table) == ("2", {"fold": 0, "call": chips, word: stake})


def test_SH9_a_short_ante_plays_for_its_level():
    answer = play_down(THREE, stacks={1: 30})
    assert [(pot["amount"], pot["eligible"]) for pot in answer["facts"]["pots"]] == [(90, [1, 2, 3]), (440, [2, 3])]


def test_SH10_high_and_low_may_share_cards_and_one_hand_may_take_both():
    answer = play_down({1: "As 2s 3s 4s 5s Kh Kd", 2: "Ac 8c 7d 6h 4c Qh Qd"})
    assert answer["facts"]["hands"] == {
        "1": {"cards": "As 2s 3s 4s 5s Kh Kd".split(), "rank": "straight flush", "low": "5-4-3-2-A", "result": "win"},
        "2": {"cards": "Ac 8c 7d 6h 4c Qh Qd".split(), "rank": "pair", "low": "8-7-6-4-A", "result": "lose"},
    }
    assert answer["facts"]["pots"] == [{"amount": 500, "eligible": [1, 2], "high": [1], "low": [1]}]


@pytest.mark.parametrize(
    ("first", "second", "low"),
    [
        ("As 2h 3s 4h 8s Kh Kd", "2c 4c 5d 6h 7c Qh Qd", [2]),  # 8-low against 7-low
        ("As 3h 4s 5h 8s Kh Kd", "2c 3c 4d 7h 8c Qh Qd", [1]),  # the next card decides
        ("As 2h 3s 4h 9s Kh Kd", "Ac 2c 3d 4d 4c Qh Jd", []),  # five different ranks of eight or lower
        ("As 2h 3s 4h 7s Kh Kd", "Ac 2c 3d 4d 7c Qh Qd", [1, 2]),
    ],
)
def test_SH10_lows_compare_by_the_highest_card_then_the_next(first, second, low):
    (pot,) = play_down({1: first, 2: second})["facts"]["pots"]
    assert (pot["high"], pot["low"]) == ([1], low)


def test_SH11_without_a_low_the_high_takes_all():
    hands = {1: "As Ah Ks 9d 9h Jc 5s", 2: "Qs Qh 2c 3d 9c Jd 5h"}
    assert payments(play_down(hands)) == [
        ("1", 500, "high", "SH11", "two pair"),
        ("2", 0, "lose", "SH10", ""),
    ]


LOW_WINS = {1: "As Ah Ks 9d 9h Jc Td", 2: "Ac 2d 3h 4s 6c Qh Kd"}


@pytest.mark.parametrize(("unit", "ante", "high", "low"), [(1, 53, 80, 79), (1, 100, 150, 150), (100, 100, 200, 100)])
def test_SH11_the_odd_chip_of_the_halving_goes_to_the_high_half_in_the_tables_smallest(unit, ante, high, low):
    hands = LOW_WINS | {3: "Qs Qd 8c Jh 5s Tc 3s"}
    answer = play_down(hands, stacks=dict.fromkeys(hands, ante), ante=ante, unit=unit)
    assert payments(answer) == [
        ("1", high, "high", "SH11", "two pair"),
        ("2", low, "low", "SH11", "6-4-3-2-A"),
        ("3", 0, "lose", "SH10", ""),
    ]


def test_SH11_within_a_half_odd_chips_go_to_the_winner_first_to_the_dealers_left():
    # The low half of 75 has two winners, and seat 6 sits first to the dealer's left.
    hands = {6: "As 2h 3s 4h 8s Kh Qd", 1: "Ac 2c 3d 4d 8c Kd Qh", 3: "9s 9h Th Ts Jc Jd 7c"}
    answer = play_down(hands, stacks=dict.fromkeys(hands, 50))
    assert [line[:3] for line in payments(answer)] == [("3", 75, "high"), ("6", 38, "low"), ("1", 37, "low")]
    assert answer["facts"]["pots"] == [{"amount": 150, "eligible": [1, 3, 6], "high": [3], "low": [1, 6]}]


# Seats 6, 1 and 2, from the dealer's left, have 8-4-3-2-A.
THREE_LOWS = {
    6: "As 2h 3s 4h 8s Kh Qd",
    1: "Ac 2c 3d 4d 8c Kd Qh",
    2: "Ad 2d 3h 4s 8d Kc Qs",
    3: "9s 9h Th Ts Jc Jd 7c",
    4: "9c 9d 7h 7s 6c Jh Js",
}


def shares_of(chips):
    """Return (seat, amount) of each low."""
    answer = play_record(record_of(THREE_LOWS, stacks=dict.fromkeys(THREE_LOWS, chips), ante=chips))
    assert (answer["over"], sum(answer["net"].values())) == (True, 0)
    return [(seat, amount) for seat, amount, why, *_ in payments(answer) if why == "low"]


def test_SH11_several_odd_chips_go_one_each_beginning_with_the_first_to_the_dealers_left():
    assert shares_of(12_050) == [("6", 10_042), ("1", 10_042), ("2", 10_041)]
    assert shares_of(12_052) == [("6", 10_044), ("1", 10_043), ("2", 10_043)]


@pytest.mark.parametrize("unknown", [-1, 0, 2])
def test_a_record_of_unknown_rules_is_refused(unknown):
    assert "refused" in play_record(record_of(THREE_LOWS) | {"rules": unknown})


@pytest.mark.parametrize(("amount", "shares"), [(30_250, [10_150, 10_100, 10_000]), (30_000, [10_000] * 3)])
def test_SH11_what_is_no_whole_chip_any_more_is_the_first_winners(amount, shares):
    assert list(share(amount, "abc", 100).values()) == shares


@given(amount=st.integers(0, 10**9), winners=st.integers(1, 8), unit=st.sampled_from([1, 5, 100]))
def test_SH11_no_winner_has_a_chip_more_than_one_who_sits_before_them(amount, winners, unit):
    shares = list(share(amount // unit * unit, [f"seat {number}" for number in range(winners)], unit).values())
    assert sum(shares) == amount // unit * unit
    assert shares == sorted(shares, reverse=True)
    assert shares[0] - shares[-1] in (0, unit)
    assert all(part % unit == 0 for part in shares)


def test_SH12_the_last_player_takes_the_pot_and_shows_nothing():
    hands = {seat: " ".join(hand.split()[:3]) for seat, hand in THREE.items()}
    answer = replay(hands, "1 complete, 2 fold, 3 fold")
    assert payments(answer) == [
        ("1", 200, "uncalled", "SH9", ""),
        ("1", 550, "last player", "SH12", ""),
        ("2", 0, "fold", "SH8", ""),
        ("3", 0, "fold", "SH8", ""),
    ]
    assert not events(answer, "shown")
    assert answer["facts"]["pots"] == [{"amount": 550, "eligible": [1], "high": [1], "low": []}]


def test_SH12_at_the_showdown_all_live_hands_are_turned():
    hands = {1: "As Ah Ks", 2: SIX_LOW, 3: TRASH}
    assert [event["to"] for event in events(play_down(hands, "1 fold"), "shown")] == ["2", "3"]


def test_SH14_time_out_checks_if_that_is_free_and_else_folds():
    hands = THREE | {2: "Ac 2d 3h 4s"}
    answer = replay(hands, "1 call, 2 call, 1 timeout, 2 timeout, 3 bet, 1 call, 2 timeout")
    played = [event["played"] for event in events(answer, "moved") if event["word"] == "timeout"]
    assert played == ["check", "check", "fold"]


def test_SH14_where_the_bring_in_is_a_choice_time_out_plays_it():
    answer = replay(THREE, "3 timeout", bring_in_may_complete=True)
    assert events(answer, "staked")[-1] == {"event": "staked", "seat": "3", "spot": "pot", "amount": 200}
    assert answer["asks"] == {"1": ["fold", "call", "complete"]}


def test_G6_a_void_returns_every_stake():
    answer = replay(THREE, "1 complete", "void")
    assert answer["returned"] == answer["wagered"] == {"1": {"pot": 450}, "2": {"pot": 50}, "3": {"pot": 250}}


def test_G6_a_deck_that_ends_too_early_is_refused():
    record = record_of(THREE, "1 call, 2 call")
    assert play_record(record | {"deck": record["deck"][:11]})["clause"] == "G6"


@st.composite
def deals(draw):
    count = draw(st.integers(2, 8))
    seats = draw(st.permutations(range(1, 9)))[:count]
    first = draw(st.integers(0, count - 1))
    seats = sorted(seats)[first:] + sorted(seats)[:first]
    lower = draw(st.sampled_from([50, 400, 1000]))
    options = {"lower": lower, "bring_in_may_complete": draw(st.booleans()), "unit": draw(st.sampled_from([1, 5]))}
    stakes = tuple(Stake(seat, f"player{seat}", {}, stack=draw(st.integers(1, 12 * lower))) for seat in seats)
    deck = tuple(Random(draw(st.integers(0, 2**32))).sample(FRENCH, 52))
    return Deal("stud", STUD.parse_options(options), stakes, deck)


def chips(felt):
    """Return (stake, return) by seat."""
    staked: Counter[str] = Counter()
    back: Counter[str] = Counter()
    for (seat, _), amount in felt.staked.items():
        staked[seat] += amount
    for event in felt.events:
        if isinstance(event, Paid):
            back[event.seat] += event.amount
    return staked, back


@pytest.mark.long
@given(deals(), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_SH13_no_rake_chips_are_conserved_to_the_last_minor_unit(deal, random):
    felt = run(deal, choose_at_random(random))
    staked, back = chips(felt)
    assert sum(staked.values()) == sum(back.values())
    assert set(staked) == {event.seat for event in felt.events if isinstance(event, Paid)}
    assert all(staked[str(stake.seat)] <= stake.stack for stake in deal.stakes)
    assert sum(pot["amount"] for pot in felt.facts["pots"]) == sum(staked.values()) - sum(
        event.amount for event in felt.events if isinstance(event, Paid) and event.why == "uncalled"
    )


@pytest.mark.long
@given(deals(), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_a_hand_is_bounded_and_its_time_outs_end_it(deal, random):
    choose, hand = choose_at_random(random), Hand(deal)
    for _ in range(random.randrange(40)):
        if hand.is_over:
            break
        ((seat, offers),) = hand.asks.items()
        hand = hand.play(choose(seat, offers, {}))
    while not hand.is_over:
        (seat,) = hand.asks
        hand = hand.play(Move(seat, "timeout"))
    # Five rounds; in each at most four bets, and as many short ones as there are players, are answered by the others.
    assert len(hand.moves) <= 5 * (4 + 8) * 8
    assert Hand(deal, hand.moves).events == hand.events


def test_who_calls_down_neither_folds_nor_raises():
    answer = play_down(THREE, bring_in_may_complete=True)
    assert {event["word"] for event in events(answer, "moved")} == {"bring-in", "call", "check"}


def test_who_chooses_at_random_takes_every_offer_equally_often():
    hand = Hand(*parse_record(record_of(THREE)))
    choose = choose_at_random(Random(1))
    words = Counter(choose("1", hand.asks["1"], {}).word for _ in range(3000))
    assert words.keys() == {"fold", "call", "complete"}
    assert min(words.values()) > 900
