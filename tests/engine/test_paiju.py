"""Paiju (PJ): from records to payouts; the rulebook's worked examples; the odds against independent counts."""

import hashlib
import hmac
import json
from fractions import Fraction
from itertools import combinations
from math import comb

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.cards import PAIJU
from engine.events import Called, Dealt, Paid, Rolled, Shown
from engine.games.paiju import AREAS, POSITIONS, PaijuOptions, score, strength
from engine.games.paiju_odds import count_odds
from engine.hand import Hand
from engine.record import parse_record, play_record, write_record
from tests.verified import seed_fits

EAST_FIRST = [1, 4]


def deck_of(east="", north="", west="", south=""):
    """Return the deck that gives these hands when EAST is first; omitted positions get the rest of the pack."""
    hands = [east.split(), north.split(), west.split(), south.split()]
    named = [card for hand in hands for card in hand]
    rest = iter([card for card in PAIJU if card not in named])
    hands = [hand or [next(rest), next(rest)] for hand in hands]
    return [hand[i] for i in (0, 1) for hand in hands]


def record_of(*bets, dice=EAST_FIRST, options=None, deck=None, **hands):
    """Return a record with one stake for each of `bets`, on the seats 1, 2, 3..."""
    return {
        "game": "paiju",
        "options": options or {},
        "deck": deck or deck_of(**hands),
        "dice": dice,
        "stakes": [
            {"seat": seat, "player": f"player{seat}", "bets": spots} for seat, spots in enumerate(bets, start=1)
        ],
    }


def replay(*bets, **table):
    answer = play_record(record_of(*bets, **table))
    assert "refused" not in answer, answer
    return answer


def paid(answer):
    """Return (area, return, reason, clause) of each payment."""
    return [
        (event["spot"], event["amount"], event["why"], event["clause"])
        for event in answer["events"]
        if event["event"] == "paid"
    ]


def test_PJ1_thirty_two_cards_sixteen_pairs():
    assert len(set(PAIJU)) == 32
    assert PAIJU[:4] == ("JK", "3d", "Qh", "Qd")


@pytest.mark.parametrize(
    ("sums", "start"),
    [((5, 9), "east"), ((2, 6, 10), "north"), ((3, 7, 11), "west"), ((4, 8, 12), "south")],
)
def test_PJ5_the_sum_of_the_dice_names_who_gets_the_first_card(sums, start):
    for one in range(1, 7):
        for other in range(1, 7):
            answer = replay({"south": 500}, dice=[one, other])
            assert (answer["facts"]["start"] == start) == (one + other in sums)


@pytest.mark.parametrize(
    ("dice", "order"),
    [
        ([4, 5], ["east", "north", "west", "south"]),
        ([3, 3], ["north", "west", "south", "east"]),
        ([5, 6], ["west", "south", "east", "north"]),
        ([6, 6], ["south", "east", "north", "west"]),
    ],
)
def test_PJ5_one_card_at_a_time_anticlockwise_in_two_rounds(dice, order):
    deck = "JK 3d Qh Qd 2h 2d 8h 8d".split()
    answer = replay({"south": 500}, dice=dice, deck=deck)
    dealt = [(event["to"], event["cards"]) for event in answer["events"] if event["event"] == "dealt"]
    assert dealt == [(position, (card,)) for position, card in zip(order * 2, deck, strict=True)]
    assert answer["facts"]["hands"][order[0]]["cards"] == ["JK", "2h"]


def test_PJ5_PJ6_bets_close_dice_roll_cards_fall_hidden_and_are_turned_the_bank_last():
    deal, _ = parse_record(record_of({"south": 500}))
    seen = Hand(deal).view("1")[1:]
    assert seen[:2] == [Called("no more bets"), Rolled((1, 4))]
    assert seen[2:10] == [Dealt(position, ("??",), (False,)) for position in POSITIONS * 2]
    assert [event.to for event in seen[10:14] if isinstance(event, Shown)] == ["south", "west", "north", "east"]
    assert [type(event) for event in seen[14:]] == [Paid]


def test_PJ5_the_dice_come_first_from_the_committed_seed():
    server, cuts = bytes(range(32)), ["anna", "è bello"]
    key = hmac.digest(server, "\n".join(cuts).encode(), "sha256")
    blocks = b"".join(hmac.digest(key, i.to_bytes(8, "big"), "sha256") for i in range(8))
    words = (int.from_bytes(blocks[at : at + 4], "big") for at in range(0, len(blocks), 4))
    # No word of this seed exceeds the last whole multiple of n, so none is skipped.
    dice = (1 + next(words) % 6, 1 + next(words) % 6)
    deck = list(PAIJU)
    for i in range(31, 0, -1):
        j = next(words) % (i + 1)
        deck[i], deck[j] = deck[j], deck[i]

    record = record_of({"west": 500})
    del record["deck"], record["dice"]
    record |= {"seed": {"server": server.hex(), "cuts": cuts}, "commit": hashlib.sha256(server).hexdigest()}
    answer = play_record(record)
    assert seed_fits(record)
    assert next(event for event in answer["events"] if event["event"] == "rolled")["dice"] == dice == (2, 5)
    assert [event["cards"][0] for event in answer["events"] if event["event"] == "dealt"] == deck[:8]


@pytest.mark.parametrize(
    ("hands", "points"),
    [
        ("JK3d", 20),
        ("QhQd", 19),
        ("2h2d", 18),
        ("8h8d", 17),
        ("4h4d", 16),
        ("ThTd 6h6d 4s4c", 15),
        ("TsTc 6s6c JdJh 7d7h", 14),
        ("9h9d 5h5d 8s8c 7s7c", 13),
        ("Qh9h Qh9d Qd9h Qd9d", 12),
        ("Qh8h Qh8d Qh8s Qh8c Qd8h Qd8d Qd8s Qd8c", 11),
        ("8h2h 8d2h 8s2h 8c2h 8h2d 8d2d 8s2d 8c2d", 10),
    ],
)
def test_PJ7_the_table_of_pairs(hands, points):
    for hand in hands.split():
        assert score(hand[:2], hand[2:]) == score(hand[2:], hand[:2]) == points


def test_PJ7_names_36_of_the_496_hands():
    scores = [score(*hand) for hand in combinations(PAIJU, 2)]
    assert sum(points >= 10 for points in scores) == 16 + 4 + 8 + 8
    assert len(scores) == 496


@pytest.mark.parametrize(
    ("one", "other", "points"),
    [
        ("Th", "Ts", 0),  # two tens, but no pair of the table
        ("6h", "6s", 2),
        ("4h", "4s", 8),
        ("8h", "8s", 6),
        ("7d", "7s", 4),
        ("JK", "4h", 0),
        ("JK", "Jd", 7),
        ("3d", "Qh", 5),
        ("9h", "8h", 7),
        ("Qh", "2h", 4),
        ("9h", "2h", 1),
        ("Jd", "9h", 0),
    ],
)
def test_PJ8_any_other_hand_scores_its_sum_without_the_ten(one, other, points):
    assert score(one, other) == score(other, one) == points


# PJ14: section 5 of the rulebook. (hand, its score, other hand, its score, how the first fares)
EXAMPLES = [
    ("8h 8d", 17, "Ts Tc", 14, "wins"),
    ("4h 4d", 16, "6d 2d", 8, "wins"),
    ("JK Qd", 8, "7d 8s", 5, "wins"),
    ("Jd 7d", 8, "8s Th", 8, "loses"),
    ("JK 2d", 8, "6s Qh", 8, "loses"),
    ("8s Jh", 9, "9h Ts", 9, "ties"),
    ("Th Tc", 0, "6h 4h", 0, "ties"),
]


@pytest.mark.parametrize(("one", "ones", "other", "others", "fares"), EXAMPLES)
@pytest.mark.parametrize("area", ["south", "west", "north"])
def test_PJ14_the_seven_worked_examples(area, one, ones, other, others, fares):
    results = {
        "wins": (2000, "win", "PJ11"),
        "loses": (0, "lose", "PJ11"),
        "ties": (0, "lose", "PJ10"),
    }
    turned = {"wins": "loses", "loses": "wins", "ties": "ties"}[fares]
    for player, players, bank, banks, result in ((one, ones, other, others, fares), (other, others, one, ones, turned)):
        answer = replay({area: 1000}, east=bank, **{area: player})
        assert answer["facts"]["hands"][area] == {"cards": player.split(), "score": players}
        assert answer["facts"]["hands"]["east"] == {"cards": bank.split(), "score": banks}
        assert paid(answer) == [(area, *results[result])]


@pytest.mark.parametrize(
    ("stronger", "weaker"),
    [
        ("Qh Jd", "3d Td"),  # 3 : 3, the queen is worth 19, the ten 15
        ("5h Td", "JK 9h"),  # 5 : 5, the ten 15, the nine 13: the joker's 20 is for its pair alone
        ("3d 4h", "7d Td"),  # 7 : 7, the four of hearts 16, the ten 15
        ("4h Ts", "4s Td"),  # 4 : 4, the red four 16, the black four 15
    ],
)
def test_PJ9_the_best_single_card_decides_equal_sums(stronger, weaker):
    assert score(*stronger.split()) == score(*weaker.split())
    assert strength(*stronger.split()) > strength(*weaker.split())


def test_PJ9_joker_and_three_of_diamonds_count_only_6_and_3_alone():
    assert strength("3d", "6s") == strength("9h", "Tc") == (9, 14)
    assert strength("JK", "Jd") == strength("7d", "Ts") == (7, 14)


def test_PJ9_PJ10_equal_scores_tie_and_the_bank_wins_ties():
    for one, other in [("Qh 9h", "Qd 9d"), ("Ts Tc", "7d 7h"), ("8h 2d", "8s 2h")]:
        assert strength(*one.split()) == strength(*other.split())
        answer = replay({"south": 500}, east=one, south=other)
        assert paid(answer) == [("south", 0, "lose", "PJ10")]


def test_PJ9_sums_of_nothing_tie_whatever_the_cards():
    assert strength("6h", "4h") == strength("Th", "Ts") == strength("Jd", "9h") == (0, 0)


# Payment: the bank has a 7 with a card worth 14, and a position a pair, a 5, or the same 7.

BANK, HIGH, LOW, TIED = "7s Tc", "JK 3d", "5h Td", "7c Ts"
ALSO_HIGH = "Qh Qd"


def test_PJ11_a_main_bet_pays_even_money():
    answer = replay({"south": 700}, east=BANK, south=HIGH)
    assert answer["wagered"] == {"1": {"south": 700}}
    assert answer["returned"] == {"1": {"south": 1400}}
    assert answer["net"] == {"1": 700}
    payment = answer["events"][-1]
    assert (payment["hand"], payment["odds"]) == ("20", (1, 1))


@pytest.mark.parametrize("area", ["south-west", "north-west", "north-south"])
@pytest.mark.parametrize(
    ("first", "second", "result"),
    [
        (HIGH, ALSO_HIGH, (1000, "win", "PJ11")),
        (HIGH, LOW, (500, "push", "PJ11")),
        (LOW, HIGH, (500, "push", "PJ11")),
        (HIGH, TIED, (500, "push", "PJ11")),
        (LOW, "4s Qh", (0, "lose", "PJ11")),
        (TIED, LOW, (0, "lose", "PJ10")),
        (LOW, TIED, (0, "lose", "PJ10")),
    ],
)
def test_PJ11_a_cavallo_wins_with_both_comes_back_with_one_and_loses_with_none(area, first, second, result):
    one, other = area.split("-")
    answer = replay({area: 500}, east=BANK, **{one: first, other: second})
    assert paid(answer) == [(area, *result)]


def test_PJ3_the_cavallo_needs_no_main_bet_and_only_areas_with_a_bet_are_named():
    answer = replay({"north-west": 500}, {"south": 600, "north-south": 700}, east=BANK, north=HIGH, west=ALSO_HIGH)
    assert answer["wagered"] == {"1": {"north-west": 500}, "2": {"south": 600, "north-south": 700}}
    assert {seat: set(areas) for seat, areas in answer["returned"].items()} == {
        "1": {"north-west"},
        "2": {"south", "north-south"},
    }


def test_PJ2_any_number_of_players_on_the_same_area():
    answer = replay(*[{"west": 500 + 100 * i} for i in range(40)], east=BANK, west=HIGH)
    assert answer["net"] == {str(i + 1): 500 + 100 * i for i in range(40)}


def test_PJ2_the_seat_is_any_number_and_tells_the_players_apart():
    record = record_of({"west": 500}, {"west": 600}, east=BANK, west=HIGH)
    record["stakes"][0]["seat"], record["stakes"][1]["seat"] = 7, 123456
    assert play_record(record)["net"] == {"7": 500, "123456": 600}


def test_PJ11_each_player_is_paid_in_the_order_of_the_areas():
    answer = replay(dict.fromkeys(reversed(AREAS), 500), {"north": 500}, east=BANK)
    assert [(event["seat"], event["spot"]) for event in answer["events"] if event["event"] == "paid"] == [
        *(("1", area) for area in AREAS),
        ("2", "north"),
    ]


@pytest.mark.long
@settings(derandomize=True, max_examples=60)
@given(st.permutations(PAIJU), st.tuples(st.integers(1, 6), st.integers(1, 6)))
def test_PJ11_a_cavallo_is_half_a_bet_on_each_of_its_positions(deck, dice):
    answer = replay(dict.fromkeys(AREAS, 1000), deck=deck[:8], dice=list(dice))
    back = answer["returned"]["1"]
    for area in ("south-west", "north-west", "north-south"):
        one, other = area.split("-")
        assert 2 * back[area] == back[one] + back[other]
    assert {back[area] for area in ("south", "west", "north")} <= {0, 2000}


def test_facts_name_every_hand_in_the_order_of_the_deal():
    answer = replay({"south": 500}, east="8h 8d", north="Ts Tc", west="JK Qd", south="6h 4h", dice=[3, 6])
    assert json.dumps(answer["facts"]) == json.dumps(
        {
            "start": "east",
            "hands": {
                "east": {"cards": ["8h", "8d"], "score": 17},
                "north": {"cards": ["Ts", "Tc"], "score": 14},
                "west": {"cards": ["JK", "Qd"], "score": 8},
                "south": {"cards": ["6h", "4h"], "score": 0},
            },
        }
    )


def test_the_hand_is_over_at_once_and_nothing_can_be_moved():
    record = record_of({"south": 500})
    assert (play_record(record)["over"], play_record(record)["asks"]) == (True, {})
    for move in ("1 hit", "1 timeout", "void"):
        answer = play_record(record | {"moves": [move]})
        assert answer == {"refused": "The hand is over.", "clause": None, "move": 0}


def test_a_written_record_plays_the_same():
    record = record_of({"south": 500, "north-west": 600}, options={"maximum": 600})
    written = write_record(*parse_record(record))
    assert written["dice"] == EAST_FIRST
    assert json.dumps(play_record(written)) == json.dumps(play_record(record))


def test_PJ12_who_turns_the_cards_never_changes_the_result():
    assert replay({"south": 500}, options={"squeeze": False}) == replay({"south": 500}, options={"squeeze": True})


@pytest.mark.parametrize("area", AREAS)
def test_PJ3_default_limits_of_an_area(area):
    for amount in (500, 600, 50000):
        assert replay({area: amount})["wagered"] == {"1": {area: amount}}
    for amount in (400, 550, 50100):
        refused = play_record(record_of({area: amount}))
        assert (refused["clause"], refused["move"]) == ("G5", None)


def test_PJ3_limits_hold_for_each_area_and_player_alone():
    assert replay(dict.fromkeys(AREAS, 50000), {"south": 50000})["over"]


def test_PJ3_limits_are_options_of_the_table():
    options = {"minimum": 1000, "step": 1000, "maximum": 3000}
    assert replay({"south": 3000}, options=options)["over"]
    for amount in (500, 1500, 4000):
        assert play_record(record_of({"south": amount}, options=options))["clause"] == "G5"


def two_cards_alike(record):
    record["deck"][1] = record["deck"][0]


def foreign_card(record):
    record["deck"][0] = "As"


def short_deck(record):
    del record["deck"][7]


def no_dice(record):
    del record["dice"]


def seven_on_a_die(record):
    record["dice"] = [1, 7]


def three_dice(record):
    record["dice"] = [1, 2, 3]


def dice_beside_a_seed(record):
    del record["deck"]
    record["seed"] = {"server": "00" * 32}


def unknown_area(record):
    record["stakes"][0]["bets"] = {"east": 500}


def no_bet(record):
    record["stakes"][0]["bets"] = {}


def nobody(record):
    record["stakes"] = []


def falling_seats(record):
    record["stakes"].reverse()


def one_player_on_two_seats(record):
    record["stakes"][1]["player"] = record["stakes"][0]["player"]


def unknown_option(record):
    record["options"] = {"decks": 2}


def squeeze_as_number(record):
    record["options"] = {"squeeze": 1}


def minimum_above_maximum(record):
    record["options"] = {"minimum": 60000}


@pytest.mark.parametrize(
    ("spoil", "clause"),
    [
        (two_cards_alike, "G6"),
        (foreign_card, "G1"),
        (short_deck, "G6"),
        (no_dice, None),
        (seven_on_a_die, "PJ5"),
        (three_dice, "PJ5"),
        (dice_beside_a_seed, "PJ5"),
        (unknown_area, None),
        (no_bet, "PJ2"),
        (nobody, None),
        (falling_seats, "G9"),
        (one_player_on_two_seats, "G9"),
        (unknown_option, None),
        (squeeze_as_number, None),
        (minimum_above_maximum, "G5"),
    ],
)
def test_what_a_record_of_paiju_may_not_hold(spoil, clause):
    record = record_of({"south": 500}, {"west": 500})
    spoil(record)
    answer = play_record(record)
    assert answer.keys() == {"refused", "clause", "move"}
    assert (answer["clause"], answer["move"]) == (clause, None)


def plain_strength(hand):
    """Return the strength of a hand by PJ7 to PJ9, from the text alone and without the engine."""
    table = [
        ["JK3d"], ["QhQd"], ["2h2d"], ["8h8d"], ["4h4d"], ["ThTd", "6h6d", "4s4c"],
        ["TsTc", "6s6c", "JdJh", "7d7h"], ["9h9d", "5h5d", "8s8c", "7s7c"],
    ]  # fmt: skip
    alone = {}
    for points, pairs in zip(range(20, 12, -1), table, strict=True):
        for pair in pairs:
            if pair in ("".join(hand), "".join(reversed(hand))):
                return points * 100
            alone[pair[:2]] = alone[pair[2:]] = points
    alone |= {"JK": 6, "3d": 3}
    ranks = ["joker" if card == "JK" else card[0] for card in hand]
    for points, mixed in ((12, "Q9"), (11, "Q8"), (10, "82")):
        if sorted(ranks) == sorted(mixed):
            return points * 100
    numbers = {"joker": 6, "T": 0, "J": 1, "Q": 2} | {str(number): number for number in range(2, 10)}
    total = sum(numbers[rank] for rank in ranks)
    total -= 10 if total >= 10 else 0
    return total * 100 + max(alone[card] for card in hand) if total else 0


def test_the_two_readings_of_the_rules_order_all_hands_alike():
    for hand in combinations(PAIJU, 2):
        points, best = strength(*hand)
        assert plain_strength(hand) == points * 100 + best


@pytest.mark.long
def test_main_bet_by_all_35960_four_card_sets_and_their_six_splits():
    strengths = {frozenset(hand): plain_strength(hand) for hand in combinations(PAIJU, 2)}
    deals = wins = 0
    for a, b, c, d in combinations(PAIJU, 4):
        ab, cd = strengths[frozenset((a, b))], strengths[frozenset((c, d))]
        ac, bd = strengths[frozenset((a, c))], strengths[frozenset((b, d))]
        ad, bc = strengths[frozenset((a, d))], strengths[frozenset((b, c))]
        # Each split is dealt two ways round; where the two hands are not equal, one of the ways wins.
        wins += (ab != cd) + (ac != bd) + (ad != bc)
        deals += 6
    assert deals == 6 * 35960
    win = Fraction(wins, deals)
    assert count_odds(PaijuOptions())["main"] == {"win": win, "push": 0, "lose": 1 - win, "edge": 1 - 2 * win}


def kinds_of_hands():
    """Return hands of the 17 kinds of cards that the rules distinguish: the two of a pair are one kind, except JK and
    3d.
    """
    kinds = [("JK",), ("3d",), *zip(PAIJU[2::2], PAIJU[3::2], strict=True)]
    hands = [(i, j) for i in range(17) for j in range(i, 17) if i != j or len(kinds[i]) == 2]
    left = [len(kind) for kind in kinds]
    strengths = {(i, j): plain_strength((kinds[i][0], kinds[j][-1])) for i, j in hands}
    return left, strengths


def ways(hand, left):
    """Return in how many ways two cards of these kinds can be taken from the rest."""
    i, j = hand
    return comb(left[i], 2) if i == j else left[i] * left[j]


def without(hand, left):
    rest = list(left)
    for kind in hand:
        rest[kind] -= 1
    return rest


@pytest.mark.long
def test_cavallo_by_the_kinds_of_cards_of_three_hands():
    left, strengths = kinds_of_hands()
    total = both = 0
    for bank, banks in strengths.items():
        after_bank = without(bank, left)
        better = [hand for hand, own in strengths.items() if own > banks]
        beating_twice = 0
        for one in better:
            if found := ways(one, after_bank):
                after_one = without(one, after_bank)
                beating_twice += found * sum(ways(other, after_one) for other in better)
        both += ways(bank, left) * beating_twice
        total += ways(bank, left)
    odds = count_odds(PaijuOptions())
    win = Fraction(both, total * comb(30, 2) * comb(28, 2))
    assert odds["cavallo"]["win"] == win
    assert odds["cavallo"]["push"] == 2 * (odds["main"]["win"] - win)


def test_the_exact_odds():
    assert count_odds(PaijuOptions()) == {
        "main": {
            "win": Fraction(35437, 71920),
            "push": Fraction(0),
            "lose": Fraction(36483, 71920),
            "edge": Fraction(523, 35960),
        },
        "cavallo": {
            "win": Fraction(3305663, 10194660),
            "push": Fraction(221617, 657720),
            "lose": Fraction(6907867, 20389320),
            "edge": Fraction(523, 35960),
        },
    }
