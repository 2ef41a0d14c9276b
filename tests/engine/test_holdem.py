"""Texas Hold'em (HE): from records to payments."""

import json
from pathlib import Path

import pytest

from engine.cards import HIDDEN
from engine.hand import Hand
from engine.record import parse_record, play_record

EXAMPLES = json.loads((Path(__file__).parents[1] / "fixtures" / "holdem-examples.json").read_text("utf-8"))

# From the best to the worst on this board: three jacks, three nines, then pairs from the aces down.
HANDS = ("Jc Jd", "9c 9d", "As Ah", "Ks Kh", "Qs Qh", "Ts Th", "8s 8h", "6s 6h", "5s 5h")
BOARD = "2c 7d 9h Js 4c"
DEEP = 10_000


def record_of(stacks, moves="", *, hands=HANDS, board=BOARD, posts=None, **options):
    """`stacks` and `posts` by seat, or stacks from seat 1 on; `hands` from the dealer's left; moves with commas."""
    stacks = dict(enumerate(stacks, 1)) if not isinstance(stacks, dict) else stacks
    cards = [hand.split() for hand in hands[: len(stacks)]]
    stakes = [{"seat": seat, "player": f"player{seat}", "stack": stack} for seat, stack in stacks.items()]
    for stake in stakes:
        if stake["seat"] in (posts or {}):
            stake["post"] = posts[stake["seat"]]
    return {
        "game": "holdem",
        "options": options,
        "deck": [hand[i] for i in range(2) for hand in cards] + board.split(),
        "stakes": stakes,
        "moves": [move.strip() for move in moves.split(",") if move.strip()],
    }


def replay(*table, **options):
    answer = play_record(record_of(*table, **options))
    assert "refused" not in answer, answer
    return answer


def asks(*table, **options):
    """ "3: fold, call, raise 400..10000", or "" when the hand is over."""
    return "".join(f"{seat}: {', '.join(offers)}" for seat, offers in replay(*table, **options)["asks"].items())


def net(*table, **options):
    """Return the net results by seat, ascending."""
    answer = replay(*table, **options)
    assert answer["over"], answer["asks"]
    assert sum(answer["net"].values()) == 0
    return [won for _, won in sorted(answer["net"].items())]


def refusal(*table, **options):
    """Return (clause, index of the move)."""
    answer = play_record(record_of(*table, **options))
    return answer["clause"], answer["move"]


def put_in(*table, **options):
    """(seat, amount) of all that was put in, in order."""
    events = replay(*table, **options)["events"]
    return [(event["seat"], event["amount"]) for event in events if event["event"] == "staked"]


def pots(*table, **options):
    """(amount, eligible, winners)"""
    return [tuple(pot.values()) for pot in replay(*table, **options)["facts"]["pots"]]


def showdown(*table, **options):
    """{seat: whether it shows}, in order"""
    return {entry["seat"]: entry["shows"] for entry in replay(*table, **options)["facts"]["showdown"]}


def check_down(seats, streets=3):
    """Return the moves of players who check on this many streets."""
    return ", ".join(f"{seat} check" for _ in range(streets) for seat in seats)


def agrees(expected, found):
    """Return whether everything expected is found."""
    if isinstance(expected, dict):
        return isinstance(found, dict) and all(key in found and agrees(expected[key], found[key]) for key in expected)
    return expected == found


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example["id"])
def test_the_examples_of_the_rules(example):
    answer, expected = play_record(example["record"]), example["expect"]
    if "refused" in expected:
        assert (bool(answer.get("refused")), answer["move"]) == (True, expected["move"]), example["why"]
    else:
        assert agrees(expected, answer), example["why"]


@pytest.mark.parametrize("stacks", [{1: DEEP}, dict.fromkeys(range(1, 11), DEEP), {2: DEEP, 10: DEEP}])
def test_HE1_two_to_nine_players_on_seats_1_to_9(stacks):
    assert refusal(stacks)[0] == "HE1"


def test_HE1_nine_players_are_dealt_in():
    assert asks([DEEP] * 9) == "3: fold, call, raise 400..10000"


def test_HE1_a_player_has_one_seat():
    record = record_of([DEEP, DEEP])
    record["stakes"][1]["player"] = record["stakes"][0]["player"]
    assert play_record(record)["clause"] == "G9"


@pytest.mark.parametrize("stake", [{}, {"stack": 0}, {"stack": -1}, {"stack": "100"}, {"bets": {"pot": 100}}])
def test_HE2_a_player_needs_a_stack(stake):
    record = record_of([DEEP, DEEP])
    record["stakes"][0] = {"seat": 1, "player": "anna"} | stake
    assert play_record(record)["refused"]


@pytest.mark.parametrize("betting", ["no-limit", "pot-limit", "fixed-limit"])
def test_HE3_betting_is_one_of_three(betting):
    assert asks([DEEP] * 3, betting=betting).startswith("3: fold, call, raise")
    assert "refused" in play_record(record_of([DEEP] * 3, betting="limit"))


@pytest.mark.parametrize("seats", [(1, 2, 3), (4, 6, 1), (9, 1), (8, 9, 2)])
def test_HE4_stakes_start_at_the_dealers_left_and_may_wrap(seats):
    first = seats[-1] if len(seats) == 3 else seats[1]
    assert asks(dict.fromkeys(seats, DEEP)).startswith(f"{first}: ")


@pytest.mark.parametrize("seats", [(2, 1, 3), (4, 6, 5), (1, 3, 2, 4)])
def test_HE4_any_other_order_is_refused(seats):
    assert refusal(dict.fromkeys(seats, DEEP)) == ("HE4", None)


@pytest.mark.parametrize(
    ("options", "small"),
    [
        ({}, 100),
        ({"big_blind": 250}, 125),
        ({"big_blind": 25}, 12),
        ({"big_blind": 250, "unit": 50}, 100),
        ({"big_blind": 50, "unit": 50}, 50),
        ({"big_blind": 1}, 1),
        ({"small_blind": 200}, 200),
    ],
)
def test_HE5_the_small_blind_is_half_the_big_one_in_whole_units(options, small):
    assert put_in([DEEP] * 3, **options)[0] == ("1", small)


@pytest.mark.parametrize(
    "options",
    [
        {"big_blind": 0},
        {"small_blind": 0},
        {"small_blind": 201},
        {"small_blind": -100},
        {"small_blind": True},
        {"big_blind": 200.0},
        {"big_blind": "200"},
        {"unit": 0},
        {"unit": 300},
        {"unit": 100, "big_blind": 250},
        {"unit": 100, "small_blind": 50},
        {"unit": 100, "ante": 50},
        {"ante": 201},
        {"ante": -1},
        {"ante_from": "button"},
        {"betting": ""},
        {"straddle": 400},
        {"seats": 6},
    ],
)
def test_HE5_HE9_impossible_blinds_antes_and_units_are_refused(options):
    answer = play_record(record_of([DEEP] * 3, "3 fold", **options))
    assert answer["refused"]
    assert answer["move"] is None


def test_HE6_with_a_dead_small_blind_the_first_player_has_the_big_one():
    assert put_in([DEEP] * 3, posts={1: "big"}) == [("1", 200)]
    assert asks([DEEP] * 3, "2 call, 3 call", posts={1: "big"}) == "1: check, raise 400..10000"
    assert asks([DEEP] * 3, "2 call, 3 call, 1 check", posts={1: "big"}) == "1: check, bet 200..9800"


def test_HE7_posts_come_after_the_blinds_in_order_the_live_part_first():
    table, posts = [DEEP] * 6, {3: "dead", 5: "both", 6: "live"}
    blinds = [("1", 100), ("2", 200)]
    assert put_in(table, posts=posts) == [*blinds, ("3", 100), ("5", 200), ("5", 100), ("6", 200)]
    assert put_in([DEEP] * 3, posts={1: "big", 2: "live"}) == [("1", 200), ("2", 200)]


def test_HE7_a_live_post_is_a_bet_and_a_dead_one_is_not():
    table = [DEEP] * 5
    assert asks(table, "3 fold", posts={4: "live"}) == "4: check, raise 400..10000"
    assert asks(table, "3 raise 600", posts={4: "both"}) == "4: fold, call, raise 1000..9900"
    assert asks(table, "3 fold", posts={4: "dead"}) == "4: fold, call, raise 400..9900"


def test_HE7_a_short_player_posts_what_there_is():
    assert put_in([DEEP, DEEP, 150], posts={3: "live"})[2:] == [("3", 150)]
    assert put_in([DEEP, DEEP, 250], posts={3: "both"})[2:] == [("3", 200), ("3", 50)]
    assert asks([DEEP, DEEP, 200], posts={3: "both"}) == "1: fold, call, raise 400..10000"


@pytest.mark.parametrize(
    ("stacks", "posts"),
    [
        (2, {1: "big"}),
        (2, {2: "live"}),
        (3, {1: "live"}),
        (3, {2: "live"}),
        (3, {2: "big"}),
        (3, {3: "big"}),
        (4, {1: "big", 4: "big"}),
        (4, {1: "dead"}),
        (4, {1: "both"}),
        (4, {2: "dead"}),
        (4, {3: "small"}),
        (4, {3: ""}),
        (4, {3: None}),
        (4, {3: 200}),
    ],
)
def test_HE7_any_other_post_is_refused(stacks, posts):
    answer = play_record(record_of([DEEP] * stacks, posts=posts))
    assert answer["refused"]
    assert answer["move"] is None


def test_HE7_a_dead_small_blind_leaves_at_least_one_chip():
    table = [DEEP, DEEP]
    assert refusal([*table, 100], posts={3: "dead"}) == ("HE7", None)
    assert refusal([*table, 150], posts={3: "dead"}, ante=50) == ("HE7", None)
    assert asks([*table, 101], posts={3: "dead"}) == "3: fold, call"
    assert asks([*table, 101], posts={3: "dead"}, ante=50, ante_from="big-blind") == "3: fold, call"
    assert asks([*table, 151], posts={3: "dead"}, ante=50) == "3: fold, call"


def test_HE7_posts_are_no_keys_of_another_game():
    record = record_of([DEEP] * 3, posts={3: "live"})
    assert "post" in play_record(record | {"game": "stud", "options": {}})["refused"]


def test_HE8_heads_up_the_button_has_the_small_blind_and_acts_last_after_the_flop():
    assert put_in([DEEP, DEEP]) == [("2", 100), ("1", 200)]
    assert asks([DEEP, DEEP], "2 call") == "1: check, raise 400..10000"
    assert asks([DEEP, DEEP], "2 call, 1 check, 1 check") == "2: check, bet 200..9800"
    dealt = [event["to"] for event in replay([DEEP, DEEP])["events"] if event["event"] == "dealt"]
    assert dealt == ["1", "2", "1", "2"]


def test_HE9_the_ante_of_each_comes_first_and_that_of_the_big_blind_last():
    assert put_in([DEEP] * 3, ante=50)[:4] == [("1", 50), ("2", 50), ("3", 50), ("1", 100)]
    last = put_in([DEEP] * 4, ante=50, ante_from="big-blind", posts={4: "live"})[-1]
    assert last == ("2", 50)
    assert put_in([DEEP, 220, DEEP], ante=50, ante_from="big-blind")[-1] == ("2", 20)
    assert put_in([DEEP, DEEP], ante=200, ante_from="big-blind") == [("2", 100), ("1", 200), ("1", 200)]


def test_HE9_a_stack_that_the_ante_takes_posts_no_blind():
    assert put_in([50, 50, DEEP], ante=50) == [("1", 50), ("2", 50), ("3", 50)]
    assert net([50, 50, DEEP], ante=50) == [100, -50, -50]


def test_HE10_cards_come_one_at_a_time_and_no_card_is_burnt():
    events = replay([DEEP] * 3, "3 call, 1 call, 2 check," + check_down("123"))["events"]
    dealt = [(event["to"], len(event["cards"])) for event in events if event["event"] == "dealt"]
    assert dealt == [*[(seat, 1) for seat in "123"] * 2, ("board", 3), ("board", 1), ("board", 1)]


def test_HE10_the_deck_may_end_after_the_last_card_needed():
    limped = "3 call, 1 call, 2 check,"
    assert net([DEEP] * 3, "3 fold, 1 fold", board="") == [-100, 100, 0]
    assert net([DEEP] * 3, f"{limped} 1 bet 200, 2 fold, 3 fold", board="2c 7d 9h") == [400, -200, -200]
    assert refusal([DEEP] * 3, f"{limped} {check_down('123', 1)}", board="2c 7d 9h") == ("G6", None)
    assert refusal([DEEP] * 3, board="2c 7d 9h 2c")[0] == "G6"


def test_HE10_the_board_may_play():
    moves = "2 call, 1 check," + check_down("12")
    assert net([DEEP, DEEP], moves, board="As Ks Qs Js Ts", hands=("2c 3d", "4h 5c")) == [0, 0]
    assert net([DEEP, DEEP], moves, board="2c 3d 4h 9s Kd", hands=("Ac 5d", "Kh 9c")) == [200, -200]


def test_HE11_the_order_of_the_streets():
    table = [DEEP] * 4
    assert asks(table).startswith("3")
    assert asks(table, "3 call, 4 call, 1 call") == "2: check, raise 400..10000"
    assert asks(table, "3 call, 4 call, 1 fold, 2 check").startswith("2: check, bet")
    raised = "3 call, 4 call, 1 call, 2 raise 600"
    assert asks(table, raised) == "3: fold, call, raise 1000..10000"
    assert asks(table, f"{raised}, 3 call, 4 call, 1 call") == "1: check, bet 200..9400"


@pytest.mark.parametrize(
    ("moves", "index"),
    [
        ("1 call", 0),
        ("3 check", 0),
        ("3 bet 400", 0),
        ("3 call, 1 call, 2 fold", 2),
        ("3 call, 1 call, 2 call", 2),
        ("3 call, 1 call, 2 check, 1 raise 400", 3),
        ("3 call, 1 call, 2 check, 1 bet 400, 2 bet 800", 4),
        ("3 fold, 3 call", 1),
        ("3 fold, 1 fold, 2 check", 2),
        ("3 allin", 0),
        ("3 complete", 0),
        ("3 fold 1", 0),
    ],
)
def test_HE11_HE22_what_is_not_exactly_a_legal_move_is_refused(moves, index):
    assert refusal([DEEP] * 3, moves)[1] == index


def test_HE12_a_short_big_blind_does_not_lower_the_call():
    assert asks([DEEP, 60, DEEP], "3 call") == "1: fold, call, raise 400..10000"
    assert asks([DEEP, 60, 150]) == "3: fold, call"
    assert asks([DEEP, 60, 150], "3 call") == "1: fold, call"


def test_HE12_against_players_who_are_all_in_the_level_is_what_they_put_in():
    # The small blind has put in 100, more than the 60 of the only other player in the hand.
    assert net([DEEP, 60, DEEP], "3 fold", hands=("2d 3c", "As Ah", "5s 5h")) == [-60, 60, 0]
    # Seat 4 calls 100 instead of 200.
    four = [100, 60, DEEP, DEEP]
    assert asks(four, "3 fold") == "4: fold, call"
    assert replay(four, "3 fold, 4 call")["wagered"]["4"] == {"pot": 100}
    # Seat 3 still faces seat 4, who has chips.
    assert replay(four, "3 call")["asks"] == {"4": ["fold", "call", "raise 400..10000"]}


def test_HE12_a_player_without_chips_or_with_nothing_to_answer_is_not_asked():
    assert asks([DEEP, 200, DEEP], "3 call") == "1: fold, call, raise 400..10000"
    assert asks([DEEP, 200, DEEP], "3 call, 1 call") == "1: check, bet 200..9800"
    assert net([DEEP, 200, DEEP], "3 fold, 1 call") == [200, -200, 0]
    assert net([100, DEEP, DEEP], "3 fold") == [100, -100, 0]


def test_HE13_no_raise_without_chips_beyond_the_call_or_against_players_who_are_all_in():
    assert asks([DEEP, DEEP, 200]) == "3: fold, call"
    assert asks([DEEP, DEEP], "2 raise 10000") == "1: fold, call"
    assert asks([DEEP, 500, 500], "3 raise 500") == "1: fold, call"
    assert asks([DEEP, 700, 500], "3 raise 500") == "1: fold, call, raise 800..10000"


def test_HE14_a_raise_is_at_least_as_large_as_the_largest_before():
    table = [DEEP] * 3
    assert asks(table, "3 raise 700, 1 raise 1200") == "2: fold, call, raise 1700..10000"
    assert asks(table, "3 raise 1000, 1 raise 2500, 2 raise 4000") == "3: fold, call, raise 5500..10000"
    limped = "3 call, 1 call, 2 check"
    assert asks(table, f"{limped}, 1 bet 200") == "2: fold, call, raise 400..9800"
    assert refusal(table, f"{limped}, 1 bet 199") == ("HE14", 3)
    assert refusal(table, "3 raise 399") == ("HE14", 0)
    assert refusal(table, "3 raise 10001") == ("HE15", 0)


def test_HE15_a_short_all_in_raises_the_level_and_not_the_size_of_a_raise():
    limped = "3 call, 1 call, 2 check"
    assert asks([350, DEEP, DEEP], f"{limped}, 1 bet 150") == "2: fold, call, raise 350..9800"
    assert asks([350, DEEP, DEEP], limped) == "1: check, bet 150..150"
    assert asks([DEEP, 350, DEEP], "3 call, 1 call") == "2: check, raise 350..350"
    assert asks([DEEP, DEEP, 350], "3 raise 350") == "1: fold, call, raise 550..10000"
    assert asks([DEEP, 600, DEEP], "3 raise 1000") == "1: fold, call, raise 1800..10000"


def test_HE16_a_check_is_not_reopened_by_a_short_bet():
    table = [DEEP, DEEP, 350]
    moves = "3 call, 1 call, 2 check, 1 check, 2 check, 3 bet 150"
    assert asks(table, moves) == "1: fold, call"
    assert refusal(table, f"{moves}, 1 raise 600") == ("HE16", 6)
    assert asks([DEEP, DEEP, 450], "3 call, 1 call, 2 check, 1 check, 2 check, 3 bet 250").endswith("raise 500..9800")


def test_HE16_who_has_not_acted_may_raise_a_short_all_in():
    table = [DEEP, DEEP, DEEP, 1300]
    moves = "3 raise 1000, 4 raise 1300"
    assert asks(table, moves) == "1: fold, call, raise 2100..10000"
    assert asks(table, f"{moves}, 1 call, 2 call") == "3: fold, call"
    # A raise behind it opens the betting to all again.
    assert asks(table, f"{moves}, 1 raise 2100, 2 fold") == "3: fold, call, raise 2900..10000"


def test_HE16_short_all_ins_that_add_up_to_a_full_bet_reopen_the_betting():
    table, moves = [DEEP, 500, 600, DEEP], "3 call, 4 call, 1 call, 2 check, 1 bet 200, 2 raise 300"
    assert asks(table, f"{moves}, 3 call, 4 call") == "1: fold, call"
    assert asks(table, f"{moves}, 3 raise 400, 4 call") == "1: fold, call, raise 600..9800"


def test_HE16_a_blind_or_post_is_no_action():
    assert asks([DEEP, DEEP, DEEP, 350], "3 call, 4 raise 350") == "1: fold, call, raise 550..10000"
    assert asks([DEEP, DEEP, 350, DEEP], "3 raise 350", posts={4: "live"}) == "4: fold, call, raise 550..10000"


def test_HE17_amounts_are_totals_in_multiples_of_the_unit_and_the_ends_are_allowed():
    table, options = [DEEP, 1350, DEEP], {"unit": 100}
    assert asks(table, "3 raise 400, 1 fold", **options) == "2: fold, call, raise 600..1350"
    assert refusal(table, "3 raise 450", **options) == ("HE17", 0)
    assert put_in(table, "3 raise 400, 1 fold, 2 raise 1350", **options)[-1] == ("2", 1150)
    assert asks([DEEP, 1350, DEEP], "3 raise 400, 1 raise 600, 2 raise 1350, 3 raise 2100", **options) == (
        "1: fold, call, raise 2850..10000"
    )


def test_HE17_a_raise_costs_what_it_adds():
    assert replay([DEEP] * 3, "3 fold, 1 raise 600, 2 fold")["wagered"]["1"] == {"pot": 600}


def test_HE18_the_pot_limit_counts_everything_in_the_pot():
    table, limit = [DEEP] * 3, {"betting": "pot-limit"}
    assert asks(table, ante=50, **limit) == "3: fold, call, raise 400..850"
    assert asks(table, ante=200, ante_from="big-blind", **limit) == "3: fold, call, raise 400..900"
    assert asks([DEEP] * 4, "3 fold", posts={4: "dead"}, **limit) == "4: fold, call, raise 400..800"
    assert asks(table, "3 raise 700", **limit) == "1: fold, call, raise 1200..2300"


def test_HE18_a_short_big_blind_counts_in_full_in_the_level_and_as_posted_in_the_pot():
    assert asks([DEEP, 60, DEEP], betting="pot-limit") == "3: fold, call, raise 400..560"


def test_HE18_the_maximum_is_never_below_the_minimum_nor_above_the_chips():
    limit = {"betting": "pot-limit"}
    assert asks([DEEP, DEEP, 500], **limit) == "3: fold, call, raise 400..500"
    assert asks([DEEP, DEEP, 350], **limit) == "3: fold, call, raise 350..350"
    assert refusal([DEEP, DEEP, 350], "3 raise 351", **limit) == ("HE18", 0)
    assert refusal([DEEP, DEEP, DEEP], "3 raise 701", **limit) == ("HE18", 0)
    assert asks([DEEP, 10, DEEP], small_blind=1, **limit) == "3: fold, call, raise 400..411"


FIXED = {"betting": "fixed-limit"}


def test_HE19_moves_take_no_amount_and_bets_double_on_the_turn():
    table, limped = [DEEP] * 2, "2 call, 1 check"
    assert refusal(table, "2 raise 400", **FIXED) == ("HE19", 0)
    moves = f"{limped}, 1 bet, 2 raise, 1 call, 1 bet, 2 raise, 1 call, {check_down('12', 1)}"
    assert replay(table, moves, **FIXED)["wagered"]["1"] == {"pot": 200 + 400 + 800}


def test_HE17_no_limit_moves_need_their_amount():
    for move in ("3 raise", "3 raise 0400", "3 raise -400", "3 raise x"):
        assert refusal([DEEP] * 3, move) == ("HE17", 0)


def test_HE11_moves_that_are_not_offered_are_refused_by_their_word():
    for move in ("3 bet 400", "3 check", "3 call 200", "3 fold 1", "4 call", "1 call"):
        assert refusal([DEEP] * 3, move) == ("HE11", 0)
    limped = "3 call, 1 call, 2 check"
    for move in ("1 call", "1 raise 400", "1 fold"):
        assert refusal([DEEP] * 3, f"{limped}, {move}") == ("HE11", 3)
    assert refusal([DEEP] * 3, "3 call, 3 call") == ("HE11", 1)


def test_HE2_stakes_have_a_stack_and_no_bets():
    record = record_of([DEEP] * 3)
    for bets in ({}, {"ante": 100}, None):
        stakes = [{**stake, "bets": bets} for stake in record["stakes"]]
        assert play_record({**record, "stakes": stakes})["clause"] == "HE2"


def test_HE20_four_bets_a_street_the_big_blind_is_the_first():
    table = [DEEP] * 2
    assert asks(table, "2 raise, 1 raise, 2 raise", **FIXED) == "1: fold, call"
    assert refusal(table, "2 raise, 1 raise, 2 raise, 1 raise", **FIXED) == ("HE20", 3)
    flop = "2 call, 1 check, 1 bet, 2 raise, 1 raise"
    assert asks(table, flop, **FIXED) == "2: fold, call, raise"
    assert asks(table, f"{flop}, 2 raise", **FIXED) == "1: fold, call"
    assert asks([DEEP, 60, DEEP], "3 raise, 1 raise, 3 raise", **FIXED) == "1: fold, call"


def test_HE21_half_a_bet_or_more_counts():
    table = [DEEP, DEEP, DEEP, 300]
    assert asks(table, "3 call, 4 raise, 1 call, 2 call", **FIXED) == "3: fold, call, raise"
    assert put_in(table, "3 call, 4 raise, 1 raise", **FIXED)[-1] == ("1", 400)


def test_HE21_less_than_half_a_bet_does_not_count_and_the_next_raise_goes_to_the_full_amount():
    table = [DEEP, DEEP, DEEP, 299]
    assert put_in(table, "3 call, 4 raise, 1 raise", **FIXED)[-1] == ("1", 300)
    short = [DEEP, 290, DEEP]
    assert asks(short, "3 call, 1 call, 2 check, 1 check, 2 bet", **FIXED) == "3: fold, call, bet"
    answer = replay(short, "3 call, 1 call, 2 check, 1 check, 2 bet, 3 bet", **FIXED)
    assert answer["asks"] == {"1": ["fold", "call", "raise"]}


def test_HE23_when_a_player_is_all_in_all_hands_are_shown_before_the_rest_of_the_board():
    events = replay([DEEP, 1000, DEEP], "3 raise 1000, 1 fold, 2 call")["events"]
    told = [event["event"] for event in events if event["event"] in ("shown", "dealt")]
    assert told[-5:] == ["shown", "shown", "dealt", "dealt", "dealt"]
    assert showdown([DEEP, 1000, DEEP], "3 raise 1000, 1 fold, 2 call") == {2: True, 3: True}


def test_HE23_an_all_in_on_the_river_shows_all_hands_from_the_dealers_left():
    table = {8: DEEP, 9: DEEP, 1: 1000}
    moves = f"1 call, 8 call, 9 check, {check_down('891', 2)}, 8 check, 9 check, 1 bet 800, 8 call, 9 fold"
    assert showdown(table, moves) == {8: True, 1: True}


def test_HE24_the_last_aggressor_of_the_river_shows_first_then_clockwise():
    limped = f"3 call, 1 call, 2 check, {check_down('123', 2)}"
    hands = ("Ks Kh", "9c 9d", "As Ah")
    river = "1 check, 2 bet 200, 3 raise 600, 1 call, 2 call"
    assert showdown([DEEP] * 3, f"{limped}, {river}", hands=hands) == {3: True, 1: False, 2: True}
    assert list(showdown([DEEP] * 3, f"{limped}, {river}", hands=hands)) == [3, 1, 2]
    checked = f"{limped}, {check_down('123', 1)}"
    assert showdown([DEEP] * 3, checked, hands=hands) == {1: True, 2: True, 3: False}
    turned = (
        f"3 call, 1 call, 2 check, {check_down('123', 1)}, 1 check, 2 bet 200, 3 call, 1 call, {check_down('123', 1)}"
    )
    assert list(showdown([DEEP] * 3, turned)) == [1, 2, 3]


def test_HE25_a_mucked_hand_stays_hidden_and_a_tie_is_shown():
    moves = "2 call, 1 check," + check_down("12")
    hand = Hand(*parse_record(record_of([DEEP, DEEP], moves)))
    assert hand.cards(None)["1"] == ["Jc", "Jd"]
    assert hand.cards(None)["2"] == [HIDDEN] * 2
    assert hand.cards("2")["2"] == ["9c", "9d"]
    assert showdown([DEEP, DEEP], moves, hands=("As Kd", "Ah Kc")) == {1: True, 2: True}


def test_HE26_the_last_player_shows_nothing():
    hand = Hand(*parse_record(record_of([DEEP, DEEP], "2 raise 600, 1 fold")))
    assert hand.cards(None)["2"] == [HIDDEN] * 2
    assert replay([DEEP, DEEP], "2 raise 600, 1 fold")["facts"]["showdown"] == []


def test_HE27_the_uncalled_bet_comes_back_first():
    assert pots([DEEP] * 3, "3 raise 900, 1 fold, 2 fold") == [(500, [3], [3])]
    assert replay([DEEP] * 3, "3 raise 900, 1 fold, 2 fold")["returned"]["3"] == {"pot": 1200}


def test_HE27_without_a_matched_bet_dead_money_is_the_only_pot():
    dead = {"posts": {1: "big"}}
    answer = replay([DEEP] * 3, "2 fold, 3 fold", **dead)
    assert answer["facts"]["pots"] == []
    assert answer["net"] == {"1": 0, "2": 0, "3": 0}
    assert answer["facts"]["hands"]["1"]["result"] == "win"
    with_ante = replay([DEEP] * 3, "2 fold, 3 fold", ante=100, ante_from="big-blind", **dead)
    assert with_ante["facts"]["pots"] == [{"amount": 100, "eligible": [1], "winners": [1]}]
    posted_dead = replay([DEEP] * 4, "2 fold, 3 fold, 4 fold", posts={1: "big", 3: "dead"})
    assert posted_dead["facts"]["pots"] == [{"amount": 100, "eligible": [1], "winners": [1]}]
    assert posted_dead["net"] == {"1": 100, "2": 0, "3": -100, "4": 0}


def test_HE27_dead_money_is_in_the_main_pot_in_full():
    """The all-in player put in 60 and can win the whole dead small blind."""
    table = [DEEP, DEEP, 60, DEEP]
    moves = f"3 call, 4 call, 1 fold, 2 check, {check_down('24')}"
    hands = ("5s 5h", "Ks Kh", "As Ah", "Qs Qh")
    assert pots(table, moves, posts={4: "dead"}, hands=hands) == [
        (60 * 4 + 100, [2, 3, 4], [3]),
        (40 + 140 + 140, [2, 4], [2]),
    ]


def test_HE27_levels_with_the_same_players_are_one_pot():
    moves = "3 raise 900, 1 raise 1700, 2 fold, 3 call," + check_down("13")
    assert pots([DEEP] * 3, moves) == [(3600, [1, 3], [1])]


def test_HE28_each_pot_is_split_on_its_own():
    table = [1000, 2000, 2000]
    hands = ("As Kd", "Ah Kc", "Qs Qh")
    answer = replay(table, "3 raise 2000, 1 call, 2 call", hands=hands, board="Ac 7d 9h 3s 4c")
    assert [tuple(pot.values()) for pot in answer["facts"]["pots"]] == [(3000, [1, 2, 3], [1, 2]), (2000, [2, 3], [2])]
    assert answer["net"] == {"1": 500, "2": 1500, "3": -2000}
    assert [hand["result"] for hand in answer["facts"]["hands"].values()] == ["win", "win", "lose"]


@pytest.mark.parametrize(
    ("options", "stacks", "shares"),
    [
        ({"small_blind": 101}, (DEEP, DEEP, DEEP), [-101, 51, 50]),
        ({"unit": 100}, (DEEP, DEEP, DEEP), [-100, 100, 0]),
        # 30 cannot be split in units of 100: the remainder goes to the first winner.
        ({"unit": 100}, (30, DEEP, DEEP), [-30, 130, -100]),
    ],
)
def test_HE29_odd_units_go_one_each_to_the_winners_first_in_order(options, stacks, shares):
    hands = ("8d 3d", "As Kd", "Ah Kc")
    first = "" if stacks[0] == 30 else "1 fold,"
    assert net(stacks, f"3 call, {first} 2 check," + check_down("23"), hands=hands, **options) == shares


def test_HE29_three_winners_share_two_odd_units():
    table = {7: DEEP, 8: DEEP, 9: DEEP, 2: DEEP}
    hands = ("2d 3d", "As Kd", "Ah Kc", "Ad Ks")
    moves = f"9 call, 2 call, 7 fold, 8 check, {check_down('892')}"
    assert net(table, moves, hands=hands, small_blind=101) == [33, -101, 34, 34]


def test_HE29_each_of_three_pots_gives_its_own_odd_units_from_the_dealers_left():
    """Main pot 1212, side pots 606 and 992 in units of 5: the rests are 12, 6 and 2."""
    table, hands = [303, 505, 1001, 1001], ("2s 2h", "3s 3h", "4s 4h", "5s 5h")
    moves, board = "3 raise 1001, 4 call, 1 call, 2 call", "Tc Jc Qc Kc Ac"
    assert net(table, moves, hands=hands, board=board) == [0, 0, 0, 0]
    assert net(table, moves, hands=hands, board=board, unit=5) == [4, 6, -4, -6]


def test_HE30_run_it_twice_is_refused():
    assert "run_it_twice" in play_record(record_of([DEEP] * 2, run_it_twice=True))["refused"]


def test_HE31_a_time_out_checks_if_that_is_free_and_folds_otherwise():
    assert net([DEEP] * 3, "3 timeout, 1 call, 2 timeout, 1 bet 200, 2 timeout") == [200, -200, 0]


def test_HE34_a_void_returns_blinds_antes_and_posts():
    answer = replay([DEEP] * 4, "3 call, void", ante=50, posts={4: "both"})
    assert answer["wagered"] == answer["returned"]
    assert answer["wagered"]["4"] == {"pot": 350}
    assert set(answer["net"].values()) == {0}
    assert refusal([DEEP] * 2, "2 fold, void") == (None, 1)
    assert refusal([DEEP] * 2, "void, 2 fold") == ("G6", 1)


def test_HE35_folded_cards_stay_in_their_owners_view():
    hand = Hand(*parse_record(record_of([DEEP, 1000, DEEP], "3 raise 1000, 1 fold, 2 call")))
    assert hand.cards(None)["1"] == hand.cards("2")["1"] == [HIDDEN] * 2
    assert hand.cards("1")["1"] == ["Jc", "Jd"]


def test_the_record_names_ranks_with_the_board_at_the_end_of_the_hand():
    hands = replay([DEEP] * 3, "3 call, 1 fold, 2 check, 2 bet 200, 3 fold")["facts"]["hands"]
    assert [(hand["rank"], hand["result"]) for hand in hands.values()] == [
        ("pair", "fold"),
        ("three of a kind", "win"),
        ("pair", "fold"),
    ]
    preflop = replay([DEEP] * 2, "2 fold")["facts"]
    assert [hand["rank"] for hand in preflop["hands"].values()] == [None, None]
    assert preflop["board"] == []
