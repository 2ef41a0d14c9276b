"""Caribbean Stud Poker, clause by clause: from decks and moves to payments and facts."""

from typing import Any

import pytest

from engine.cards import FRENCH, HIDDEN
from engine.errors import IllegalMove
from engine.events import Called, Dealt, Declared, Exchanged, Moved, Paid, Shown, Won
from engine.felt import Move
from engine.hand import Hand
from engine.record import parse_record, play_record

# Dealers' hands: the last card is open.
PAIR_OF_TWOS = "2h 2d 9c 8d 4h"
ACE_QUEEN = "Ah Qd 9c 8d 4h"
WEAK, PAIR = "Kc Jc 6h 5c 3c", "Tc Ts 8s 7c 3s"
ROYAL, STRAIGHT_FLUSH, FOUR = "As Ks Qs Js Ts", "9s 8s 7s 6s 5s", "Ks Kc Kd Kh 3c"


def record(*hands: str, dealer: str = PAIR_OF_TWOS, then: str = "", moves: str = "", **more: Any) -> dict[str, Any]:
    """Return a record: seats 1, 2... with these hands; `then` are the cards after the dealer's; moves are separated by
    commas.
    """
    ante, coins, meter = more.pop("ante", 1000), more.pop("coins", ""), more.pop("jackpot", None)
    stakes = [
        {"seat": seat, "player": f"p{seat}", "bets": {"ante": ante} | ({"jackpot": 100} if str(seat) in coins else {})}
        for seat in range(1, len(hands) + 1)
    ]
    written = {
        "game": "caribbean",
        "options": more,
        "deck": " ".join([*hands, dealer, then]).split(),
        "stakes": stakes,
        "moves": moves.split(", ") if moves else [],
    }
    return written | ({"jackpot": meter} if meter is not None else {})


def play(*hands: str, **more: Any) -> dict[str, Any]:
    answer = play_record(record(*hands, **more))
    assert answer.get("over"), answer
    return answer


def refuse(*hands: str, **more: Any) -> tuple[str | None, int | None]:
    """Return the clause and the move of a refusal."""
    answer = play_record(record(*hands, **more))
    assert set(answer) == {"refused", "clause", "move"}, answer
    return answer["clause"], answer["move"]


def open_hand(*hands: str, **more: Any) -> Hand:
    return Hand(*parse_record(record(*hands, **more)))


def returned(answer: dict[str, Any], seat: str = "1") -> tuple[int, int]:
    """Return the returns of ante and bet."""
    spots = answer["returned"][seat]
    return spots["ante"], spots["bet"]


def result(answer: dict[str, Any], seat: str = "1") -> str:
    return str(answer["facts"]["hands"][seat]["result"])


def bets(**spots: int) -> dict[str, Any]:
    return record(PAIR) | {"stakes": [{"seat": 1, "player": "anna", "bets": spots}]}


def test_CS1_seven_seats_are_dealt_to() -> None:
    hands = [" ".join(FRENCH[i : i + 5]) for i in range(0, 35, 5)]
    answer = play(*hands, dealer=" ".join(FRENCH[35:40]), moves=", ".join(f"{seat} fold" for seat in range(1, 8)))
    assert list(answer["net"].values()) == [-1000] * 7


@pytest.mark.parametrize(("seats", "clause"), [([8], "CS1"), ([2, 1], "G9"), ([1, 1], "G9")])
def test_CS1_seats_are_1_to_7_and_rise(seats: list[int], clause: str) -> None:
    stakes = [{"seat": seat, "player": f"p{i}", "bets": {"ante": 1000}} for i, seat in enumerate(seats)]
    assert play_record(record(PAIR, WEAK) | {"stakes": stakes})["clause"] == clause


def test_G9_a_player_has_one_seat() -> None:
    stakes = [{"seat": seat, "player": "anna", "bets": {"ante": 1000}} for seat in (1, 2)]
    assert play_record(record(PAIR, WEAK) | {"stakes": stakes})["clause"] == "G9"


@pytest.mark.parametrize("ante", [1000, 1500, 99500, 100000])
def test_CS1_G5_antes_from_10_to_1000_chips_in_steps_of_5(ante: int) -> None:
    assert play(WEAK, ante=ante, moves="1 fold")["net"] == {"1": -ante}


@pytest.mark.parametrize(("ante", "limit"), [(500, "1000"), (999, "1000"), (1001, "500"), (100500, "100000")])
def test_G5_an_ante_outside_the_limits_is_refused_and_the_limit_named(ante: int, limit: str) -> None:
    answer = play_record(record(WEAK, ante=ante))
    assert limit in answer["refused"]
    assert answer["clause"] == "G5"


def test_CS2_nobody_plays_the_jackpot_alone() -> None:
    assert play_record(bets(jackpot=100))["clause"] == "CS2"


@pytest.mark.parametrize("coin", [99, 101, 200])
def test_CS2_one_coin_of_fixed_size(coin: int) -> None:
    assert play_record(bets(ante=1000, jackpot=coin))["clause"] == "CS2"


def test_CS3_five_cards_at_once_seat_1_first_then_the_dealer_whose_fifth_lies_open() -> None:
    hand = open_hand(PAIR, WEAK)
    dealt = [event for event in hand.events if isinstance(event, Dealt)]
    assert [(event.to, " ".join(event.cards)) for event in dealt] == [
        ("1", PAIR),
        ("2", WEAK),
        ("dealer", PAIR_OF_TWOS),
    ]
    assert hand.cards(None) == {"1": [HIDDEN] * 5, "2": [HIDDEN] * 5, "dealer": [HIDDEN] * 4 + ["4h"]}


def test_CS3_the_dealers_calls_frame_the_deal() -> None:
    events = open_hand(PAIR).events
    assert [event.call for event in events if isinstance(event, Called)] == ["no more bets", "go ahead"]


def test_CS4_by_hand_one_card_at_a_time_round_the_table_the_dealer_last() -> None:
    hand = open_hand("As Kd 2h 3d 4c", "5s 6d 7h 8d 9c", dealer="Ts Jd Qh Kc Ac", procedure="manual")
    assert hand.cards("1")["1"] == "As 3d 6d 9c Qh".split()
    assert hand.cards("2")["2"] == "Kd 4c 7h Ts Kc".split()
    assert hand.cards(None)["dealer"] == [HIDDEN] * 4 + ["Ac"]
    assert hand.felt.cards["dealer"] == "2h 5s 8d Jd Ac".split()


def test_CS5_three_choices_each_with_what_it_stakes() -> None:
    offers = open_hand(WEAK).asks["1"]
    assert [(str(offer), offer.stake, offer.spot) for offer in offers] == [
        ("fold", 0, ""),
        ("raise", 2000, "bet"),
        *((f"exchange {card}", 1000, "exchange") for card in WEAK.split()),
    ]


def test_CS5_a_fold_loses_the_ante() -> None:
    answer = play(PAIR, moves="1 fold")
    assert (returned(answer), result(answer), answer["net"]) == ((0, 0), "fold", {"1": -1000})


def test_CS5_a_raise_bets_exactly_twice_the_ante() -> None:
    assert play(PAIR, ante=5000, moves="1 raise")["wagered"]["1"]["bet"] == 10000


@pytest.mark.parametrize("end", ["1 raise", "1 fold"])
def test_CS5_an_exchange_costs_the_ante_whatever_happens(end: str) -> None:
    answer = play("Ks Kc Kd 7c 3s", then="Kh", moves=f"1 exchange 3s, {end}")
    assert answer["wagered"]["1"]["exchange"] == 1000
    assert answer["returned"]["1"]["exchange"] == 0


def test_CS5_the_fee_is_wagered_from_the_moment_it_is_chosen() -> None:
    hand = open_hand(WEAK, PAIR, then="2s", moves="1 exchange 3c")
    assert hand.wagered()["1"] == {"ante": 1000, "exchange": 1000}


def test_CS6_everybody_chooses_at_the_same_time_in_any_order() -> None:
    forth = play(PAIR, WEAK, moves="1 raise, 2 fold")
    back = play(PAIR, WEAK, moves="2 fold, 1 raise")
    assert forth["returned"] == back["returned"]


def test_CS6_exchanged_cards_come_in_seat_order_however_late_the_player_chose() -> None:
    hand = open_hand(WEAK, PAIR, then="As 5s", moves="2 exchange 3s, 1 exchange 3c")
    assert hand.felt.cards["1"][4] == "As"
    assert hand.felt.cards["2"][4] == "5s"
    exchanged = [event for event in hand.events if isinstance(event, Exchanged)]
    assert exchanged == [Exchanged("1", 5, "3c", "As"), Exchanged("2", 5, "3s", "5s")]


def test_CS6_no_card_is_exchanged_before_all_have_chosen() -> None:
    hand = open_hand(WEAK, PAIR, then="As", moves="1 exchange 3c")
    assert not any(isinstance(event, Exchanged) for event in hand.events)
    assert list(hand.asks) == ["2"]


def test_CS6_in_public_a_card_is_named_by_its_position_never_by_its_face() -> None:
    hand = open_hand(WEAK, PAIR, then="As", moves="1 exchange Jc, 2 raise")
    for viewer in (None, "2"):
        view = hand.view(viewer)
        assert Moved("1", "exchange", "2", public="2") in view
        assert Exchanged("1", 2, HIDDEN, HIDDEN) in view
    own = hand.view("1")
    assert Moved("1", "exchange", "Jc", public="2") in own
    assert Exchanged("1", 2, "Jc", "As") in own


def test_CS6_each_player_exchanges_once() -> None:
    assert refuse(WEAK, then="As 5s", moves="1 exchange 3c, 1 exchange As") == ("CS6", 1)


def test_CS6_who_exchanged_chooses_raise_or_fold() -> None:
    hand = open_hand(WEAK, then="As", moves="1 exchange 3c")
    assert [str(offer) for offer in hand.asks["1"]] == ["fold", "raise"]


def test_CS6_a_second_choice_before_every_first_is_out_of_turn() -> None:
    assert refuse(WEAK, PAIR, then="As", moves="1 exchange 3c, 1 raise, 2 fold") == ("CS6", 1)
    assert refuse(WEAK, PAIR, moves="1 raise, 1 raise") == ("CS6", 1)


def test_CS5_only_a_card_in_the_hand_can_be_exchanged() -> None:
    assert refuse(WEAK, then="As", moves="1 exchange As") == ("CS5", 0)
    assert refuse(WEAK, then="As", moves="1 exchange") == ("CS5", 0)
    assert refuse(WEAK, then="As", moves="1 exchange 5") == ("CS5", 0)


def test_CS7_who_exchanges_gives_up_the_jackpot() -> None:
    answer = play("Ks Qs Js 9s 2s", dealer="2h 2d 9c 8d 4h", then="As", coins="1", moves="1 exchange 2s, 1 raise")
    assert answer["facts"]["hands"]["1"]["rank"] == "flush"
    assert answer["returned"]["1"]["jackpot"] == 0
    assert answer["jackpot"] == 1000090


@pytest.mark.parametrize("amount", ["2000", "1999", "1", "3000"])
def test_CS8_a_raise_names_no_amount(amount: str) -> None:
    assert refuse(PAIR, moves=f"1 raise {amount}") == ("CS8", 0)


@pytest.mark.parametrize(
    ("bet", "wins", "ties", "loses"),
    [
        (1000, (2000, 2000), (1000, 1000), (0, 0)),
        (1, (2000, 2), (1000, 1), (0, 0)),
        (2000, (2000, 4000), (1000, 2000), (0, 0)),
        (5000, (2000, 7000), (1000, 5000), (0, 3000)),
    ],
)
def test_CS8_an_irregular_bet_counts_up_to_the_double_and_the_excess_comes_back(
    bet: int, wins: tuple[int, int], ties: tuple[int, int], loses: tuple[int, int]
) -> None:
    own, moves = "Kc Kd 8s 7c 3s", f"1 raise {bet}"
    for dealer, expected in (("Qh Qd 9c 8d 4h", wins), ("Ks Kh 8d 7d 3h", ties), ("Ah Ad 9c 8d 4h", loses)):
        answer = play(own, dealer=dealer, moves=moves, irregular_bets=True)
        assert answer["wagered"]["1"]["bet"] == bet
        assert returned(answer) == expected


def test_CS8_an_irregular_bet_stays_whole_when_the_dealer_does_not_qualify() -> None:
    assert returned(play(WEAK, dealer=ACE_QUEEN, moves="1 raise 5000", irregular_bets=True)) == (2000, 5000)


def test_CS8_with_irregular_bets_a_plain_raise_is_the_double_and_the_only_one_listed() -> None:
    answer = play_record(record(PAIR, irregular_bets=True))
    assert answer["asks"]["1"][:2] == ["fold", "raise"]
    assert len(answer["asks"]["1"]) == 7
    assert returned(play(PAIR, moves="1 raise", irregular_bets=True)) == (2000, 4000)


@pytest.mark.parametrize("amount", ["0", "-1", "+5", "01000", "1e3", "1.5", "٣", "9" * 30, ""])
def test_CS8_an_irregular_amount_is_plain_digits(amount: str) -> None:
    assert "refused" in play_record(record(PAIR, moves=f"1 raise {amount}", irregular_bets=True))


def test_CS10_a_time_out_folds() -> None:
    answer = play(PAIR, moves="1 timeout")
    assert (returned(answer), result(answer)) == ((0, 0), "fold")
    hand = open_hand(PAIR, moves="1 timeout")
    assert Moved("1", "timeout", played="fold") in hand.events


def test_CS10_a_time_out_after_an_exchange_folds_too() -> None:
    answer = play(PAIR, then="Th", moves="1 exchange 3s, 1 timeout")
    assert answer["net"] == {"1": -2000}


@pytest.mark.parametrize(
    ("dealer", "qualifies"),
    [
        ("As Kd 4c 3h 2s", True),
        ("As Kd Jc Th 9s", True),
        ("As Qd Jc 9h 8s", False),
        ("As Qd Jc Th 9s", False),
        ("Ks Qd Jc Th 8s", False),
        ("2h 2d 5c 4d 3h", True),
        ("5s 4d 3h 2c As", True),
    ],
)
def test_CS11_the_dealer_qualifies_with_ace_and_king_or_a_pair(dealer: str, qualifies: bool) -> None:
    answer = play("Tc Td 6h 7c 3s", dealer=dealer, moves="1 raise")
    assert answer["facts"]["qualifies"] is qualifies
    assert (result(answer) == "unqualified") is not qualifies


@pytest.mark.parametrize("own", [WEAK, PAIR, ROYAL])
def test_CS12_not_qualified_pays_the_ante_and_leaves_the_bet_whatever_the_player_holds(own: str) -> None:
    answer = play(own, dealer=ACE_QUEEN, moves="1 raise")
    assert (returned(answer), result(answer)) == ((2000, 2000), "unqualified")


def test_CS12_a_fold_loses_even_when_the_dealer_does_not_qualify() -> None:
    assert returned(play(PAIR, dealer=ACE_QUEEN, moves="1 fold")) == (0, 0)


def shown(hand: Hand) -> list[str]:
    return [event.to for event in hand.events if isinstance(event, Shown)]


def test_CS12_unqualified_the_cards_are_collected_unseen() -> None:
    assert shown(open_hand(PAIR, WEAK, dealer=ACE_QUEEN, moves="1 raise, 2 raise")) == ["dealer"]


def test_CS12_folded_hands_stay_hidden() -> None:
    hand = open_hand(PAIR, WEAK, moves="1 raise, 2 fold")
    assert shown(hand) == ["dealer", "1"]
    assert hand.cards(None)["2"] == [HIDDEN] * 5


@pytest.mark.parametrize("moves", ["1 raise", "1 fold"])
def test_CS12_CS19_a_jackpot_hand_is_declared_though_unqualified_or_folded(moves: str) -> None:
    hand = open_hand(FOUR, dealer=ACE_QUEEN, coins="1", moves=moves)
    assert shown(hand) == ["dealer", "1"]
    assert Won("1", "four of a kind") in hand.events


@pytest.mark.parametrize(
    ("dealer", "expected", "why"),
    [
        ("9h 9d 6c 5d 4h", (2000, 4000), "win"),
        ("Jh Jd 6c 5d 4h", (0, 0), "lose"),
        ("Th Td 8c 7d 3h", (1000, 2000), "tie"),
    ],
)
def test_CS13_qualified_the_better_hand_wins(dealer: str, expected: tuple[int, int], why: str) -> None:
    answer = play(PAIR, dealer=dealer, moves="1 raise")
    assert (returned(answer), result(answer)) == (expected, why)


@pytest.mark.parametrize(("kicker", "why"), [("6s", "win"), ("5s", "tie"), ("4s", "lose")])
def test_CS13_all_five_cards_count_suits_never(kicker: str, why: str) -> None:
    assert result(play(f"Ac Ad Kc Qd {kicker}", dealer="As Ah Ks Qh 5h", moves="1 raise")) == why


def test_CS14_payment_from_the_highest_seat_down_the_bet_before_the_ante() -> None:
    hand = open_hand(PAIR, WEAK, "Jh Jd 9s 6c 3d", coins="13", moves="3 raise, 1 raise, 2 raise")
    paid = [(event.seat, event.spot) for event in hand.events if isinstance(event, Paid)]
    assert paid == [
        *(("3", spot) for spot in ("bet", "ante", "jackpot")),
        *(("2", spot) for spot in ("bet", "ante")),
        *(("1", spot) for spot in ("bet", "ante", "jackpot")),
    ]


MADE = {
    "royal flush": (ROYAL, 100, 60),
    "straight flush": (STRAIGHT_FLUSH, 50, 30),
    "four of a kind": (FOUR, 20, 12),
    "full house": ("Qs Qc Qh 7c 7s", 7, 7),
    "flush": ("Ks Js 9s 6s 3s", 5, 5),
    "straight": ("Js Tc 9s 8s 7c", 4, 4),
    "three of a kind": ("As Ac Ad 9s 3c", 3, 3),
    "two pair": ("Ks Kc Js Jc 3c", 2, 2),
    "pair": ("7s 7c Kc Tc 3c", 1, 1),
}


@pytest.mark.parametrize("made", MADE)
def test_CS15_the_bet_pays_on_the_five_cards_dealt(made: str) -> None:
    cards, odds, _ = MADE[made]
    answer = play(cards, moves="1 raise")
    assert answer["facts"]["hands"]["1"]["rank"] == made
    assert returned(answer) == (2000, 2000 + odds * 2000)


@pytest.mark.parametrize("made", MADE)
def test_CS15_an_exchange_reduces_the_three_highest(made: str) -> None:
    cards, _, odds = MADE[made]
    *four, fifth = cards.split()
    answer = play(" ".join([*four, "5d"]), then=fifth, moves="1 exchange 5d, 1 raise")
    assert answer["facts"]["hands"]["1"]["rank"] == made
    assert returned(answer) == (2000, 2000 + odds * 2000)


def test_CS15_a_winning_hand_without_a_pair_pays_even() -> None:
    # The manual's closing example: A-K-Q-9-8 against A-K-J-10-9.
    answer = play("As Kd Qc 9h 8s", dealer="Ah Kc Jd Th 9c", moves="1 raise")
    assert (returned(answer), answer["facts"]["hands"]["1"]["rank"]) == ((2000, 4000), "high card")


# CS16: the manual's table of examples, with three repairs: row 7's dealer is printed in one suit; rows 3 and 6 print
# the same cards in both hands.

COMBINATIONS = [
    ("As Ks Qs 3s 2s", "Ah Kh Jh 9h 8h", "lose"),
    ("Ah Kh Jh 9h 8h", "As Ks Js 9s 8s", "tie"),
    ("Ah As Kh Ks 5h", "Ad Ac Kd Kc 6c", "win"),
    ("9c 8c 7c 6c 5c", "8h 7h 6h 5h 4h", "lose"),
    ("Ah Qh Jh 9h 8s", "7c 5s 4c 3c 2c", "unqualified"),
    ("As Ac 9h 8h 7h", "Ah Ad 9c 8c 7c", "tie"),
    ("As 7d 6s 5s 4s", "Ah Kh Qh Jh Th", "unqualified"),
    ("Kh Qh Jh Th 9h", "Ac Kc Qc Jc Tc", "win"),
    ("Qh Jh Ts 9h 8h", "Qs Js Th 9s 8s", "tie"),
    ("2c 2h 3c 4h 5s", "3h 2s Ac Kh Qc", "lose"),
]


@pytest.mark.parametrize(("dealer", "own", "printed"), COMBINATIONS, ids=range(1, 11))
def test_CS16_the_manuals_table_of_examples(dealer: str, own: str, printed: str) -> None:
    assert result(play(own, dealer=dealer, moves="1 raise")) == printed


def test_CS18_the_meter_grows_by_nine_tenths_of_each_coin() -> None:
    answer = play(PAIR, WEAK, coins="12", jackpot=500000, moves="1 raise, 2 fold")
    assert answer["jackpot"] == 500180
    assert answer["returned"]["1"]["jackpot"] == answer["returned"]["2"]["jackpot"] == 0


def test_CS17_without_a_meter_in_the_record_it_stands_at_its_reset() -> None:
    assert play(PAIR, moves="1 fold", reset=777)["jackpot"] == 777


@pytest.mark.parametrize(
    ("own", "prize"),
    [(STRAIGHT_FLUSH, 100009), (FOUR, 50000), ("Qs Qc Qh 7c 7s", 10000), ("Ks Js 9s 6s 3s", 5000)],
)
@pytest.mark.parametrize(
    ("dealer", "moves"), [(PAIR_OF_TWOS, "1 raise"), (ACE_QUEEN, "1 raise"), (ACE_QUEEN, "1 fold")]
)
def test_CS19_a_prize_whether_or_not_the_dealer_qualifies_and_whoever_wins(
    own: str, prize: int, dealer: str, moves: str
) -> None:
    answer = play(own, dealer=dealer, coins="1", moves=moves)
    assert answer["returned"]["1"]["jackpot"] == prize
    assert answer["jackpot"] == 1000090 - prize


def test_CS19_a_prize_is_paid_on_a_hand_that_loses() -> None:
    answer = play("2s 3s 4s 5s 7s", dealer="2h 3h 4h 5h 8h", coins="1", moves="1 raise")
    assert result(answer) == "lose"
    assert answer["returned"]["1"]["jackpot"] == 5000


def test_CS7_CS19_a_coin_that_wins_nothing_says_why() -> None:
    def why(moves: str) -> list[tuple[str, str]]:
        answer = play(PAIR, then="Ac", moves=moves, coins="1")
        return [(e["why"], e["clause"]) for e in answer["events"] if e["event"] == "paid" and e["spot"] == "jackpot"]

    card = PAIR.split()[0]
    assert why("1 raise") == why("1 fold") == [("no prize", "CS19")]
    assert why(f"1 exchange {card}, 1 raise") == why(f"1 exchange {card}, 1 fold") == [("exchanged", "CS7")]


def test_CS19_without_a_coin_there_is_no_prize() -> None:
    answer = play(ROYAL, moves="1 raise")
    assert (answer["returned"]["1"]["jackpot"], answer["jackpot"]) == (0, 1000000)


def test_CS19_CS21_a_royal_takes_the_meter_which_restarts() -> None:
    answer = play(ROYAL, coins="1", jackpot=5000000, moves="1 raise", reset=2000000)
    assert (answer["returned"]["1"]["jackpot"], answer["jackpot"]) == (5000090, 2000000)
    assert answer["net"]["1"] == -3100 + 2000 + 202000 + 5000090


def test_CS20_two_royals_share_the_meter() -> None:
    answer = play(ROYAL, "Ac Kc Qc Jc Tc", coins="12", jackpot=1000001, moves="1 raise, 2 fold")
    assert answer["returned"]["1"]["jackpot"] == answer["returned"]["2"]["jackpot"] == 500090
    assert answer["jackpot"] == 1000000


def test_CS20_a_royal_and_a_straight_flush_share_the_same_meter() -> None:
    answer = play(ROYAL, "9c 8c 7c 6c 5c", dealer=ACE_QUEEN.replace("9c", "9h"), coins="12", moves="1 raise, 2 raise")
    assert answer["returned"]["1"]["jackpot"] == 1000180
    assert answer["returned"]["2"]["jackpot"] == 100018


def test_CS21_a_meter_that_cannot_cover_pays_all_the_same_and_restarts() -> None:
    answer = play(FOUR, coins="1", jackpot=100, moves="1 raise")
    assert (answer["returned"]["1"]["jackpot"], answer["jackpot"]) == (50000, 1000000)


def test_CS17_CS19_the_fixed_prizes_are_options_and_those_left_out_stay() -> None:
    answer = play(FOUR, "Qs Qc Qh 7c 7s", coins="12", moves="1 raise, 2 raise", fixed={"four": 60000})
    assert answer["returned"]["1"]["jackpot"] == 60000
    assert answer["returned"]["2"]["jackpot"] == 10000


@pytest.mark.parametrize(
    ("options", "clause"),
    [
        ({"contribution": 0}, "CS18"),
        ({"contribution": 10001}, "CS18"),
        ({"fixed": {"four": 10**7}}, "CS18"),
        ({"fixed": {"royal": 1}}, "CS19"),
        ({"fixed": {"four": "1"}}, "G2"),
        ({"coin": 0}, "CS17"),
        ({"minimum": 2000, "maximum": 1500}, "G5"),
        ({"minimum": 0}, "G5"),
        ({"step": 0}, "G5"),
        ({"minimum": 1200}, "G5"),
        ({"procedure": "magic"}, None),
        ({"hand_pay": "keys "}, None),
    ],
)
def test_CS18_impossible_options_are_refused(options: dict[str, Any], clause: str | None) -> None:
    assert refuse(PAIR, **options) == (clause, None)


@pytest.mark.parametrize(("own", "rank"), [(ROYAL, "royal flush"), (STRAIGHT_FLUSH, "straight flush")])
@pytest.mark.parametrize("coins", ["", "1"])
def test_CS22_a_royal_or_straight_flush_is_declared_when_turned_with_a_coin_or_without(
    own: str, rank: str, coins: str
) -> None:
    events = list(open_hand(own, coins=coins, moves="1 raise").events)
    declared = events.index(Declared("1", rank))
    assert events.index(Shown("1", tuple(own.split()))) < declared
    assert not any(isinstance(event, Declared) for event in open_hand(own, coins=coins).events)


def test_CS23_the_way_of_confirming_has_no_effect_on_a_replay() -> None:
    assert play(FOUR, coins="1", moves="1 raise", hand_pay="keys") == play(FOUR, coins="1", moves="1 raise")


@pytest.mark.parametrize("moves", ["void", "1 raise, void", "1 exchange 3c, void", "1 exchange 3c, 2 fold, void"])
def test_CS25_a_void_hand_returns_every_stake_fee_and_coin_included(moves: str) -> None:
    answer = play(WEAK, PAIR, then="As", coins="1", moves=moves)
    assert answer["wagered"] == answer["returned"]
    assert answer["net"] == {"1": 0, "2": 0}
    assert answer["jackpot"] == 1000000


def test_CS25_a_finished_hand_cannot_be_voided() -> None:
    answer = play_record(record(PAIR, moves="1 raise, void"))
    assert answer["move"] == 1


def test_CS26_the_deck_serves_seven_exchanges() -> None:
    hands = [" ".join(FRENCH[i : i + 5]) for i in range(0, 35, 5)]
    first = ", ".join(f"{seat} exchange {hands[seat - 1][:2]}" for seat in range(1, 8))
    then = ", ".join(f"{seat} fold" for seat in range(1, 8))
    answer = play(*hands, dealer=" ".join(FRENCH[35:40]), then=" ".join(FRENCH[40:47]), moves=f"{first}, {then}")
    assert answer["facts"]["hands"]["7"]["cards"][0] == FRENCH[46]


def test_facts_name_every_hand_folded_ones_too() -> None:
    answer = play(PAIR, WEAK, moves="1 raise, 2 fold")
    assert answer["facts"] == {
        "dealer": PAIR_OF_TWOS.split(),
        "qualifies": True,
        "hands": {
            "1": {"cards": PAIR.split(), "rank": "pair", "result": "win"},
            "2": {"cards": WEAK.split(), "rank": "high card", "result": "fold"},
        },
    }


def test_an_unoffered_move_changes_nothing() -> None:
    hand = open_hand(PAIR)
    with pytest.raises(IllegalMove, match=r"raise 1 is not possible. Choose one of: fold, raise, exchange Tc"):
        hand.play(Move("1", "raise", "1"))
    assert (len(hand.moves), list(hand.asks)) == (0, ["1"])
    assert hand.play(Move("1", "raise")).is_over
