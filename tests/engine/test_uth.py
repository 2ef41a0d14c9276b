"""Ultimate Texas Hold'em, clause by clause: from decks and moves to payments."""

import random
from typing import Any

import pytest

from engine.cards import FRENCH, HIDDEN
from engine.errors import IllegalMove
from engine.events import Dealt, Paid, Shown, Turned, seen_by
from engine.felt import Deal, Move, Stake
from engine.games.uth import BLIND_PAYS, TRIPS_PAYS, UltimateOptions, has_hidden_pair
from engine.games.uth_strategies import SIMULATION, count_outs
from engine.hand import Hand, lay_out, run
from engine.poker import CATEGORIES
from engine.record import parse_record, play_record, write_record

# A board that helps no hand by itself; against it the bank's NOTHING does not qualify.
BOARD = "As Kd 9h 7c 4s"
PAIR, NOTHING = "4c 2h", "8s 2d"


def record(
    board: str, *hands: str, moves: str = "", ante: int = 1000, trips: int = 0, **options: object
) -> dict[str, Any]:
    """Return a record: seats 1, 2... in the order of `hands`, the bank's hand last; moves are separated by commas."""
    bets = {"ante": ante} | ({"trips": trips} if trips else {})
    return {
        "game": "uth",
        "options": options,
        "deck": " ".join([board, *hands]).split(),
        "stakes": [{"seat": i, "player": f"p{i}", "bets": bets} for i in range(1, len(hands))],
        "moves": moves.split(", ") if moves else [],
    }


def play(board: str, *hands: str, **more: Any) -> dict[str, Any]:
    return play_record(record(board, *hands, **more))


def heads_up(own: str, dealers: str, board: str = BOARD, moves: str = "1 play 4", **more: Any) -> dict[str, Any]:
    """Play one seat; its returns for Play, Ante, Trips and Blind are `answer["returned"]["1"]`."""
    answer = play(board, own, dealers, moves=moves, **more)
    assert answer["over"]
    return answer


def returned(answer: dict[str, Any], seat: str = "1") -> tuple[int, ...]:
    """Return the bank's payments: Play, Ante, Trips, Blind."""
    return tuple(answer["returned"][seat][spot] for spot in ("play", "ante", "trips", "blind"))


def payments(answer: dict[str, Any]) -> list[tuple[str, str]]:
    return [(event["seat"], event["spot"]) for event in answer["events"] if event["event"] == "paid"]


def open_hand(answered: dict[str, Any]) -> Hand:
    return Hand(*parse_record(answered))


def test_UT1_six_seats_and_no_seventh():
    hands = [" ".join(FRENCH[i : i + 2]) for i in range(0, 14, 2)]
    board = " ".join(FRENCH[20:25])
    six = play(board, *hands[:6], hands[6])
    assert list(six["asks"]) == ["1", "2", "3", "4", "5", "6"]
    assert play(board, *hands, "Ks Qs")["clause"] == "UT1"


def test_UT2_the_blind_follows_the_ante():
    answer = heads_up(PAIR, NOTHING, trips=700)
    assert answer["wagered"]["1"] == {"ante": 1000, "blind": 1000, "play": 4000, "trips": 700}


def test_UT2_trips_is_not_played_alone():
    alone = record(BOARD, PAIR, NOTHING)
    alone["stakes"][0]["bets"] = {"trips": 1000}
    assert play_record(alone)["clause"] == "UT2"


@pytest.mark.parametrize("spot", ["blind", "play"])
def test_UT2_blind_and_play_are_no_bets_of_their_own(spot):
    more = record(BOARD, PAIR, NOTHING)
    more["stakes"][0]["bets"][spot] = 1000
    assert "refused" in play_record(more)


@pytest.mark.parametrize(("ante", "trips"), [(400, 0), (550, 0), (50100, 0), (1000, 400), (1000, 550), (1000, 50100)])
def test_UT2_G5_ante_and_trips_lie_each_within_the_limits(ante, trips):
    assert play(BOARD, PAIR, NOTHING, ante=ante, trips=trips)["clause"] == "G5"


def test_UT6_play_is_not_bound_by_the_maximum_of_the_table():
    assert heads_up(PAIR, NOTHING, ante=50000)["wagered"]["1"]["play"] == 200000


def test_UT3_the_shuffler_gives_the_board_then_two_to_each_seat_and_the_bank_last():
    facts = play(BOARD, "2c 2d", "3c 3d", "5c 5d")["facts"]
    assert facts["board"] == BOARD.split()
    assert facts["hands"]["1"]["cards"] == ["2c", "2d"]
    assert facts["hands"]["2"]["cards"] == ["3c", "3d"]
    assert facts["dealer"] == ["5c", "5d"]


def test_UT3_by_hand_one_card_at_a_time_and_a_card_burnt_before_flop_turn_and_river():
    dealt = record("2c 3c 5c 2d 3d 5d", "6c As Kd 9h", "6d 7c", "6h 4s", procedure="manual")
    dealt["moves"] = ["1 check", "2 check", "1 check", "2 check"]
    answer = play_record(dealt)
    assert answer["facts"]["hands"] == {"1": {"cards": ["2c", "2d"]}, "2": {"cards": ["3c", "3d"]}}
    assert answer["facts"]["dealer"] == ["5c", "5d"]
    assert answer["facts"]["board"] == BOARD.split()
    assert open_hand(dealt).cards(None)["burn"] == [HIDDEN] * 3


def test_UT3_by_hand_the_board_is_not_there_before_it_is_dealt():
    dealt = record("2c 3c 5c 2d 3d 5d", "", "", procedure="manual")
    assert play_record(dealt)["facts"]["board"] == []


def test_G6_a_deck_that_ends_before_the_bank_has_its_cards():
    assert play(BOARD, PAIR, "8s")["clause"] == "G6"


def test_UT4_UT5_UT6_what_each_street_offers():
    asks = [play(BOARD, PAIR, NOTHING, moves=moves)["asks"] for moves in ("", "1 check", "1 check, 1 check")]
    assert asks == [{"1": ["check", "play 3", "play 4"]}, {"1": ["check", "play 2"]}, {"1": ["fold", "play 1"]}]


@pytest.mark.parametrize(
    ("moves", "stake"),
    [
        ("1 play 3", 3000),
        ("1 play 4", 4000),
        ("1 check, 1 play 2", 2000),
        ("1 check, 1 check, 1 play 1", 1000),
        ("1 check, 1 check, 1 fold", 0),
    ],
)
def test_UT4_UT5_UT6_play_is_a_multiple_of_the_ante(moves, stake):
    assert heads_up(PAIR, NOTHING, moves=moves)["wagered"]["1"]["play"] == stake


@pytest.mark.parametrize(
    ("moves", "clause"),
    [
        ("1 play 2", "UT4"),
        ("1 play 1", "UT4"),
        ("1 play", "UT4"),
        ("1 play 5", "UT4"),
        ("1 fold", "UT6"),
        ("1 check, 1 play 3", "UT5"),
        ("1 check, 1 play 1", "UT5"),
        ("1 check, 1 fold", "UT6"),
        ("1 check, 1 check, 1 check", "UT6"),
        ("1 check, 1 check, 1 play 2", "UT6"),
        ("1 check, 1 check, 1 play 04", "UT6"),
    ],
)
def test_UT4_UT5_UT6_what_a_street_does_not_offer_is_refused_with_its_clause(moves, clause):
    answer = play(BOARD, PAIR, NOTHING, moves=moves)
    assert (answer["clause"], answer["move"]) == (clause, moves.count(","))


def test_UT6_one_play_bet_a_hand():
    answer = play(BOARD, PAIR, "Qc Qd", NOTHING, moves="1 play 4, 2 check, 1 play 2")
    assert (answer["clause"], answer["move"]) == ("UT7", 2)


def test_UT7_a_street_ends_when_all_have_chosen_in_any_order():
    hand = open_hand(record(BOARD, PAIR, "Qc Qd", NOTHING))
    hand = hand.play(Move("2", "check"))
    assert list(hand.asks) == ["1"]
    assert not any(isinstance(event, Turned) for event in hand.events)
    assert list(hand.play(Move("1", "check")).asks) == ["1", "2"]
    with pytest.raises(IllegalMove):
        hand.play(Move("2", "check"))


def test_UT7_the_order_of_choices_changes_no_payment():
    answers = [
        play(BOARD, PAIR, "Qc Qd", NOTHING, moves=moves)["returned"]
        for moves in ("1 check, 2 play 4, 1 play 2", "2 play 4, 1 check, 1 play 2")
    ]
    assert answers[0] == answers[1]


def test_UT5_UT6_the_board_is_turned_in_two_steps_and_hidden_until_then():
    hand = open_hand(record(BOARD, PAIR, NOTHING))
    seen = []
    for _ in range(3):
        seen.append(hand.cards("1")["board"])
        hand = hand.play(Move("1", hand.asks["1"][0].word))
    assert seen == [[HIDDEN] * 5, ["As", "Kd", "9h", HIDDEN, HIDDEN], BOARD.split()]
    assert hand.cards(None)["board"] == BOARD.split()


def test_UT3_by_hand_the_public_sees_the_same_board_street_by_street():
    deck = "4c 8s 2h 2d 6c As Kd 9h 6d 7c 6h 4s".split()
    hand = open_hand(record("", "", "", procedure="manual") | {"deck": deck})
    seen = []
    for _ in range(3):
        seen.append(hand.cards(None).get("board", []))
        hand = hand.play(Move("1", hand.asks["1"][0].word))
    assert seen == [[], ["As", "Kd", "9h"], BOARD.split()]


def test_G8_nobody_sees_anothers_cards_or_the_banks_before_they_are_turned():
    hand = open_hand(record(BOARD, PAIR, "Qc Qd", NOTHING, moves="1 check, 2 check, 1 check, 2 check"))
    hidden = [HIDDEN] * 2
    assert hand.cards("1") == {"board": BOARD.split(), "1": ["4c", "2h"], "2": hidden, "dealer": hidden}
    assert hand.cards(None) == {"board": BOARD.split(), "1": hidden, "2": hidden, "dealer": hidden}


def test_UT15_a_folded_hand_stays_hidden():
    hand = open_hand(record(BOARD, PAIR, "Qc Qd", "9c 2d", moves="1 play 4, 2 check, 2 check, 2 fold"))
    assert hand.is_over
    assert hand.cards(None)["1"] == ["4c", "2h"]
    assert hand.cards(None)["2"] == [HIDDEN] * 2


def test_UT15_a_folded_hand_whose_trips_pays_is_shown():
    hand = open_hand(record(BOARD, "Ac Ah", NOTHING, moves="1 check, 1 check, 1 fold", trips=500))
    assert hand.is_over
    assert hand.cards(None)["1"] == ["Ac", "Ah"]


def test_UT9_who_is_paid_uncompared_keeps_their_cards_hidden():
    hand = open_hand(record(BOARD, "Qc 2h", "Jd 2d", moves="1 play 4"))
    assert hand.cards(None)["1"] == [HIDDEN] * 2
    assert hand.cards(None)["dealer"] == ["Jd", "2d"]


@pytest.mark.parametrize(
    ("dealers", "qualifies"), [("Qc Jd", False), ("2c 2d", True), ("Ac 2d", True), ("Qs Ts", False), ("Js Qd", False)]
)
def test_UT8_the_bank_qualifies_with_a_pair_or_better_of_seven(dealers, qualifies):
    assert heads_up("8s 3d", dealers)["facts"]["qualifies"] is qualifies


def test_UT8_a_pair_on_the_board_qualifies():
    assert heads_up(PAIR, "8s 2d", board="As Ad 9h 7c 4s")["facts"]["qualifies"]


@pytest.mark.parametrize("own", [PAIR, "Qc 8c", "3d 2h", "Ac Ad"])
def test_UT9_the_bank_withdraws_pays_the_ante_and_leaves_play_and_blind(own):
    answer = heads_up(own, "Jd 2d")
    assert returned(answer) == (4000, 2000, 0, 1000)
    assert answer["facts"]["hands"]["1"]["result"] == "unqualified"


@pytest.mark.parametrize(
    ("own", "expected", "result"),
    [
        (PAIR, (8000, 1000, 0, 1000), "win"),
        ("5d 2h", (0, 1000, 0, 0), "lose"),
        ("Jc 2c", (4000, 1000, 0, 1000), "tie"),
    ],
)
def test_UT9_by_the_american_rule_the_ante_pushes_and_the_rest_is_compared(own, expected, result):
    answer = heads_up(own, "Jd 2d", nonqualify="us")
    assert returned(answer) == expected
    assert answer["facts"]["hands"]["1"]["result"] == result


def test_UT9_UT13_by_the_american_rule_the_blind_is_paid_without_the_bank():
    assert returned(heads_up("8s 6d", "Jd 2d", board="As Kd 9h 7c 5s", nonqualify="us")) == (8000, 1000, 0, 2000)


@pytest.mark.parametrize(
    ("own", "dealers", "expected", "result"),
    [
        ("Kc 2h", "9c 2d", (8000, 2000, 0, 1000), "win"),
        ("9c 2h", "Kc 2d", (0, 0, 0, 0), "lose"),
        ("9c 2h", "9d 2d", (4000, 1000, 0, 1000), "tie"),
    ],
)
def test_UT10_better_wins_worse_loses_equal_stays(own, dealers, expected, result):
    answer = heads_up(own, dealers)
    assert returned(answer) == expected
    assert answer["facts"]["hands"]["1"] == {"cards": own.split(), "rank": "pair", "result": result}


def test_UT11_the_highest_seat_first_and_in_a_seat_play_ante_trips_blind():
    answer = play(BOARD, PAIR, "Qc Qd", "9c 2d", moves="1 play 4, 2 play 3", trips=500)
    assert payments(answer) == [(seat, spot) for seat in "21" for spot in ("play", "ante", "trips", "blind")]


def test_UT12_the_kicker_within_the_best_five_decides():
    assert heads_up("9c Qh", "9d Jd")["facts"]["hands"]["1"]["result"] == "win"


def test_UT12_a_kicker_beyond_the_best_five_does_not():
    assert heads_up("9c 3h", "9d 2d")["facts"]["hands"]["1"]["result"] == "tie"


def test_UT12_suits_never_count_and_the_board_alone_is_a_tie():
    assert heads_up("2s 3s", "2d 3d", board="Th Jh Qh Kh Ah")["facts"]["hands"]["1"]["result"] == "tie"


# Each rank: the board and the player's hand that make it; the bank holds a lower pair or better.
MADE = {
    "royal flush": ("Th Jh Qh 4c 4d", "Kh Ah"),
    "straight flush": ("Th Jh Qh 4c 4d", "8h 9h"),
    "four of a kind": ("Th Jc Qh 4c 4d", "4h 4s"),
    "full house": ("Th Jc Qh 4c 4d", "4h Qs"),
    "flush": ("Th Jh Qh 4c 4d", "2h 5h"),
    "straight": ("Th Jc Qh 4c 4d", "8h 9h"),
    "three of a kind": ("Th Jc Qh 4c 4d", "4h 9h"),
    "two pair": ("Th Jc Qh 4c 4d", "Qs 9c"),
    "pair": ("Th Jc Qh 4c 4d", "Ac 7s"),
}


@pytest.mark.parametrize("made", MADE)
def test_UT13_the_blind_of_a_winner(made):
    board, own = MADE[made]
    paid, per = BLIND_PAYS.get(made, (0, 1))
    answer = heads_up(own, "2c 3d", board=board)
    assert answer["facts"]["hands"]["1"] == {"cards": own.split(), "rank": made, "result": "win"}
    assert returned(answer) == (8000, 2000, 0, 1000 + 1000 * paid // per)


def test_UT13_the_table():
    assert BLIND_PAYS == {
        "royal flush": (500, 1),
        "straight flush": (50, 1),
        "four of a kind": (10, 1),
        "full house": (3, 1),
        "flush": (3, 2),
        "straight": (1, 1),
    }


def test_UT13_G2_half_a_minor_unit_of_three_to_two_is_the_banks():
    board, own = MADE["flush"]
    answer = heads_up(own, "2c 3d", board=board, ante=501, minimum=1, step=1)
    assert answer["returned"]["1"]["blind"] == 501 + 751


def test_UT13_the_blind_of_a_beaten_straight_is_lost_and_of_an_equal_one_stays():
    board = "Th Jc Qh 4c 5d"
    assert returned(heads_up("8h 9h", "Kc Ad", board=board)) == (0, 0, 0, 0)
    assert returned(heads_up("8h 9h", "8c 9d", board=board)) == (4000, 1000, 0, 1000)


@pytest.mark.parametrize("made", MADE)
@pytest.mark.parametrize("moves", ["1 play 4", "1 check, 1 check, 1 fold"])
def test_UT14_UT15_trips_pays_by_the_best_five_of_seven_also_after_a_fold(made, moves):
    board, own = MADE[made]
    odds = TRIPS_PAYS.get(made)
    answer = heads_up(own, "2c 3d", board=board, trips=600, moves=moves)
    assert answer["returned"]["1"]["trips"] == (600 * (1 + odds) if odds else 0)


def test_UT14_the_table():
    assert list(TRIPS_PAYS) == list(reversed(CATEGORIES[3:]))
    assert list(TRIPS_PAYS.values()) == [50, 40, 30, 8, 7, 4, 3]


@pytest.mark.parametrize(
    ("own", "dealers", "board", "result"),
    [
        ("8h 9h", "Kc Ad", "Th Jc Qh 4c 5d", "lose"),
        ("8h 9h", "8c 9d", "Th Jc Qh 4c 5d", "tie"),
        ("8h 9h", "2c 3d", "Th Jc Qh 4c 5d", "unqualified"),
    ],
)
def test_UT14_trips_pays_whoever_wins_on_a_tie_and_without_the_bank(own, dealers, board, result):
    answer = heads_up(own, dealers, board=board, trips=500)
    assert answer["facts"]["hands"]["1"]["result"] == result
    assert answer["returned"]["1"]["trips"] == 500 * (1 + 4)


def test_UT15_a_fold_loses_ante_and_blind_at_once_before_the_bank_opens():
    hand = open_hand(record(BOARD, PAIR, NOTHING, moves="1 check, 1 check, 1 fold", trips=500))
    ends = [event for event in hand.events if isinstance(event, Paid | Shown)]
    order = [event.spot if isinstance(event, Paid) else event.to for event in ends]
    assert order == ["ante", "blind", "dealer", "trips"]
    assert hand.returned()["1"] == {"ante": 0, "blind": 0, "trips": 0}


def test_UT15_by_hand_trips_is_lost_with_a_fold():
    deck = "4c 8s 4h 2d 6c 4d Kd 9h 6d 7c 6h 4s".split()
    answer = play_record(
        record("", "", "", moves="1 check, 1 check, 1 fold", trips=500, procedure="manual") | {"deck": deck}
    )
    assert answer["facts"]["hands"]["1"] == {"cards": ["4c", "4h"], "rank": "four of a kind", "result": "fold"}
    assert payments(answer) == [("1", "ante"), ("1", "blind"), ("1", "trips")]
    assert answer["net"] == {"1": -2500}


def test_UT14_by_hand_trips_is_paid_to_who_plays():
    deck = "4c 8s 4h 2d 6c 4d Kd 9h 6d 7c 6h 4s".split()
    answer = play_record(record("", "", "", moves="1 check, 1 play 2", trips=500, procedure="manual") | {"deck": deck})
    assert returned(answer) == (4000, 2000, 500 * 31, 11000)


def test_UT16_a_void_gives_every_stake_back():
    answer = play(BOARD, PAIR, NOTHING, "5d 2c", moves="1 play 4, void", trips=500)
    assert answer["over"]
    assert answer["net"] == {"1": 0, "2": 0}
    assert answer["returned"]["1"] == {"ante": 1000, "blind": 1000, "play": 4000, "trips": 500}


def test_UT17_time_out_checks_and_on_the_river_folds():
    answer = heads_up(PAIR, NOTHING, moves="1 timeout, 1 timeout, 1 timeout")
    assert [event["played"] for event in answer["events"] if event["event"] == "moved"] == ["check", "check", "fold"]
    assert answer["net"] == {"1": -2000}


@pytest.mark.parametrize(
    ("own", "board", "has"),
    [
        ("4c 2h", "As Kd 9h 7c 4s", True),
        ("3c 3h", "As Kd 9h 7c 4s", True),
        ("Qc Jh", "As Kd 9h 7c 4s", False),
        ("Qc Jh", "As Ad 9h 7c 4s", False),
        ("Qc Ah", "As Ad 9h 7c 4s", True),
        ("Ac 2h", "Ks Kd 7h 7c 4s", False),
        ("4c 2h", "Ks Kd 7h 7c 4s", False),
        ("8c 8h", "Ks Kd 7h 7c 4s", True),
        ("Ac 2h", "7s Kd 7h 7c 7d", False),
        ("6c 2h", "9s 8d 7h Jc Td", False),
        ("Qc 2h", "9s 8d 7h Jc Td", True),
        ("2s 3s", "As Ks 9s 7s 4s", False),
        ("2s Qs", "As Ks 9s 7s 4s", True),
        ("Kc 2h", "As Kd 9h", True),
        ("Kc 2h", "As Ad 9h", False),
    ],
)
def test_UT17_a_pair_or_better_that_uses_a_hole_card(own, board, has):
    assert has_hidden_pair(own.split(), board.split()) is has


@pytest.mark.parametrize("procedure", ["shuffler", "manual"])
@pytest.mark.parametrize("nonqualify", ["venice", "us"])
def test_every_bet_is_paid_once_and_no_hidden_card_is_seen(procedure, nonqualify):
    rng = random.Random(17)
    options = UltimateOptions(procedure=procedure, nonqualify=nonqualify)
    for _ in range(40):
        stakes = tuple(
            Stake(seat, f"p{seat}", {"ante": 1000, "trips": 500} if rng.random() < 0.5 else {"ante": 600})
            for seat in sorted(rng.sample(range(1, 7), rng.randint(1, 6)))
        )
        hand = Hand(Deal("uth", options, stakes, tuple(rng.sample(FRENCH, 52))))
        while not hand.is_over:
            seat = rng.choice(list(hand.asks))
            assert_hidden(hand)
            offer = rng.choice(hand.asks[seat])
            hand = hand.play(Move(seat, offer.word, offer.argument))
        paid = [(event.seat, event.spot) for event in hand.events if isinstance(event, Paid)]
        assert sorted(paid) == sorted(hand.felt.staked)
        assert Hand(hand.deal, hand.moves).events == hand.events
        assert play_record(write_record(hand.deal, hand.moves))["net"] == {
            seat: sum(spots.values()) - sum(hand.wagered()[seat].values()) for seat, spots in hand.returned().items()
        }


def assert_hidden(hand: Hand) -> None:
    """Check that before the end a viewer knows only their own two cards and the opened part of the board."""
    street = sum(isinstance(event, Turned) or (isinstance(event, Dealt) and all(event.up)) for event in hand.events)
    opened = {0: 0, 1: 3}.get(street, 5)
    for viewer in (None, *hand.asks):
        cards = lay_out(seen_by(event, viewer) for event in hand.events)
        known = sum(card != HIDDEN for lying in cards.values() for card in lying)
        assert known == opened + (2 if viewer else 0)


@pytest.mark.parametrize(
    ("own", "plays"),
    [
        ("As 2d", True), ("Ks 2s", True), ("Ks 5d", True), ("Ks 4d", False), ("Qs 6s", True), ("Qs 5s", False),
        ("Qs 8d", True), ("Qs 7d", False), ("Js 8s", True), ("Js 7s", False), ("Js Td", True), ("Js 9d", False),
        ("3s 3d", True), ("2s 2d", False), ("Ts 9s", False),
    ],
)  # fmt: skip
def test_the_simple_strategy_plays_four_times_before_the_flop(own, plays):
    assert basic_choice(own, "6h 6c 9h 9c 7h", "") == ("1 play 4" if plays else "1 check")


@pytest.mark.parametrize(
    ("own", "flop", "plays"),
    [
        ("9s 8d", "9h 8c 2d", True), ("9s 8d", "9h Kc 2d", True), ("2s 2d", "9h Kc 7d", False),
        ("2s 2d", "9h 9c 7d", True), ("2s 7d", "9h 2c Kd", True), ("Ts 7d", "9s Ks 3s", True),
        ("9s 7d", "2s Ks 3s", False), ("Ts 7s", "9s Kd 3s", True), ("Jd 7c", "9s 9d 3s", False),
    ],
)  # fmt: skip
def test_the_simple_strategy_plays_twice_on_the_flop(own, flop, plays):
    assert basic_choice(own, f"{flop} Qh 6c", "1 check") == ("1 play 2" if plays else "1 check")


@pytest.mark.parametrize(
    ("own", "board", "plays"),
    [
        ("2s 7d", "2h Kc Qd 9c 5s", True), ("Ad 8c", "Ks Kd 7h 7c 3s", True),
        ("Jd 8c", "Ks Qd 9h 4c 3s", True), ("8d 7c", "Ks Qd 9h 4c 3s", False),
    ],
)  # fmt: skip
def test_the_simple_strategy_plays_once_on_the_river_against_fewer_than_21_outs(own, board, plays):
    assert basic_choice(own, board, "1 check, 1 check") == ("1 play 1" if plays else "1 fold")


def basic_choice(own: str, board: str, moves: str) -> str:
    unseen = [card for card in FRENCH if card not in own + board]
    hand = open_hand(record(board, own, " ".join(unseen[:2]), moves=moves))
    return str(SIMULATION.strategies["basic"]("1", hand.asks["1"], hand.cards("1")))


def test_outs_are_the_dealers_single_cards_that_beat_the_player():
    # The three remaining cards of K, Q, 9, 4 and 3 pair the bank; a card higher than the player's own also beats them.
    board = "Ks Qd 9h 4c 3s".split()
    assert count_outs("Jd 8c".split(), board) == 5 * 3 + 4
    assert count_outs("8d 7c".split(), board) == 5 * 3 + 3 * 4


@pytest.mark.parametrize("name", SIMULATION.strategies)
def test_strategies_finish_every_hand(name):
    rng = random.Random(2)
    stakes = tuple(Stake(seat, f"p{seat}", {"ante": 1000}) for seat in range(1, 7))
    for procedure in ("shuffler", "manual"):
        deal = Deal("uth", UltimateOptions(procedure=procedure), stakes, tuple(rng.sample(FRENCH, 52)))
        felt = run(deal, SIMULATION.strategies[name])
        assert all("result" in hand for hand in felt.facts["hands"].values())
