"""The hand record: what is read, what is refused and how, and that equal records give equal answers."""

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from engine.cards import FRENCH
from engine.events import Placed
from engine.hand import Hand
from engine.record import parse_record, play_record, write_record
from engine.shuffler import commit

SERVER = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"
DECK = "Tc Ts 8s 7c 3s 2h 2d 9c 8d 4h As".split()
RECORD: dict[str, Any] = {
    "game": "caribbean",
    "deck": DECK,
    "stakes": [{"seat": 1, "player": "anna", "bets": {"ante": 1000}}],
    "moves": ["1 raise"],
}
SEEDED: dict[str, Any] = {
    "game": "caribbean",
    "commit": commit(bytes.fromhex(SERVER)),
    "seed": {"server": SERVER, "cuts": ["12", "Buona fortuna, città!"]},
    "stakes": RECORD["stakes"],
    "moves": ["1 fold"],
}
PAIJU: dict[str, Any] = {
    "game": "paiju",
    "deck": "Qh Qd 2h 2d 8h 8d 4h 4d".split(),
    "dice": [3, 4],
    "stakes": [{"seat": 1, "player": "anna", "bets": {"south": 500}}],
}


def changed(record: dict[str, Any], **keys: Any) -> dict[str, Any]:
    return copy.deepcopy(record) | keys


def without(record: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in record.items() if name != key}


def stake(**keys: Any) -> dict[str, Any]:
    return changed(RECORD, stakes=[{"seat": 1, "player": "anna", "bets": {"ante": 1000}} | keys])


def refuse(record: Any) -> tuple[str | None, int | None]:
    """Return the clause and the move of a refusal, and check that it has only one sentence."""
    answer = play_record(record)
    assert list(answer) == ["refused", "clause", "move"], answer
    assert answer["refused"].endswith(".")
    assert "\n" not in answer["refused"]
    return answer["clause"], answer["move"]


def test_a_hand_that_is_over_says_all_of_it() -> None:
    assert play_record(RECORD) == {
        "over": True,
        "wagered": {"1": {"ante": 1000, "bet": 2000, "exchange": 0, "jackpot": 0}},
        "returned": {"1": {"ante": 2000, "bet": 4000, "exchange": 0, "jackpot": 0}},
        "net": {"1": 3000},
        "jackpot": 1000000,
        "facts": {
            "dealer": DECK[5:10],
            "qualifies": True,
            "hands": {"1": {"cards": DECK[:5], "rank": "pair", "result": "win"}},
        },
        "events": play_record(RECORD)["events"],
        "asks": {},
    }


def test_a_hand_that_ends_early_is_not_refused() -> None:
    answer = play_record(without(RECORD, "moves"))
    assert list(answer) == ["over", "facts", "events", "asks"]
    assert answer["over"] is False
    assert answer["asks"] == {"1": ["fold", "raise", *(f"exchange {card}" for card in DECK[:5])]}
    assert answer["facts"]["dealer"] == DECK[5:10]


def test_other_top_level_keys_are_ignored() -> None:
    noise = {"hand": 5, "note": None, "beacon": 5, "clock": {"x": [1.5]}, "moves_": "1 fly"}
    assert play_record(changed(RECORD, **noise)) == play_record(RECORD)


def test_the_events_of_a_record_are_named_facts() -> None:
    events = play_record(RECORD)["events"]
    assert events[0] == {"event": "placed", "seat": "1", "spot": "ante", "amount": 1000}
    fields = {"event", "seat", "spot", "amount", "why", "clause", "hand", "odds", "on"}
    assert {tuple(sorted(event)) for event in events if event["event"] == "paid"} == {tuple(sorted(fields))}
    paid = [(event["spot"], event["amount"], event["clause"]) for event in events if event["event"] == "paid"]
    assert paid == [("bet", 4000, "CS15"), ("ante", 2000, "CS13")]


def test_G6_a_deck_may_stop_after_the_last_card_needed_or_go_on() -> None:
    short, whole = DECK[:10], DECK + [card for card in FRENCH if card not in DECK]
    assert play_record(changed(RECORD, deck=short)) == play_record(changed(RECORD, deck=whole))


def test_a_seed_deals_the_same_as_its_deck_written_out() -> None:
    deal, _ = parse_record(SEEDED)
    explicit = changed(without(without(SEEDED, "seed"), "commit"), deck=list(deal.deck))
    assert play_record(explicit) == play_record(SEEDED)


def test_cuts_change_the_deck_and_none_are_needed() -> None:
    decks = {
        parse_record(changed(SEEDED, seed=seed))[0].deck
        for seed in ({"server": SERVER}, {"server": SERVER, "cuts": ["a"]}, {"server": SERVER, "cuts": ["a", "b"]})
    }
    assert len(decks) == 3
    assert parse_record(changed(SEEDED, seed={"server": SERVER}))[0].deck in decks


def test_the_same_record_gives_the_same_bytes() -> None:
    for record in (RECORD, SEEDED, PAIJU, changed(RECORD, moves=["1 fly"])):
        assert json.dumps(play_record(copy.deepcopy(record))) == json.dumps(play_record(record))


def test_a_record_is_not_changed_by_playing_it() -> None:
    before = copy.deepcopy(RECORD)
    play_record(RECORD)
    assert before == RECORD


@pytest.mark.parametrize("record", [RECORD, SEEDED, PAIJU])
def test_a_record_written_back_holds_what_was_read(record: dict[str, Any]) -> None:
    deal, moves = parse_record(record)
    written = write_record(deal, moves, hand="h1")
    assert written["hand"] == "h1"
    assert written["rules"] == 1
    assert parse_record(written) == (deal, moves)
    assert "options" not in record
    assert written["options"] == {}


def test_written_options_are_those_that_differ() -> None:
    deal, moves = parse_record(changed(RECORD, options={"minimum": 500, "coin": 100}))
    assert write_record(deal, moves)["options"] == {"minimum": 500}


@pytest.mark.parametrize("record", [None, True, 0, 1.5, "caribbean", [], [RECORD], {}, {"game": "bingo"}])
def test_what_is_no_record_is_refused(record: Any) -> None:
    assert refuse(record) == (None, None)


JUNK: list[Any] = [None, True, -1, 10**30, 1.5, float("inf"), "", "x", "\ud800", [], [[]], [None], {}, {"": None}]
KEYS = ("game", "rules", "commit", "options", "deck", "dice", "seed", "start", "jackpot", "stakes", "moves")


@pytest.mark.parametrize("name", ["minimum", "step", "maximum", "coin", "contribution", "reset", "procedure", "fixed"])
@pytest.mark.parametrize("junk", [None, True, -1, 10**30, 1.5, "x", [], {"four": None}], ids=repr)
def test_options_of_wrong_types_are_refused(name: str, junk: Any) -> None:
    assert refuse(changed(RECORD, options={name: junk}))[1] is None


@pytest.mark.parametrize("name", ["limit", "seats", "", "Minimum", "options", "\ud800"])
def test_unknown_options_are_refused(name: str) -> None:
    assert refuse(changed(RECORD, options={name: 1})) == (None, None)


@pytest.mark.parametrize("rules", [0, 2, "1", 1.0, True])
def test_other_rules_are_refused(rules: Any) -> None:
    assert refuse(changed(RECORD, rules=rules)) == (None, None)


def test_a_record_has_a_deck_or_a_seed() -> None:
    assert refuse(without(RECORD, "deck")) == (None, None)
    assert refuse(changed(RECORD, seed=SEEDED["seed"])) == (None, None)


@pytest.mark.parametrize("count", [0, 1, 9])
def test_G6_a_deck_that_ends_too_early_is_refused(count: int) -> None:
    assert refuse(changed(RECORD, deck=DECK[:count]))[0] == "G6"


def test_G6_a_deck_that_ends_before_the_exchange_is_refused() -> None:
    assert refuse(changed(RECORD, deck=DECK[:10], moves=["1 exchange 3s"]))[0] == "G6"


@pytest.mark.parametrize(("card", "clause"), [("Tc", "G6"), ("JK", "G1"), ("10c", "G1"), ("tc", "G1"), (5, "G1")])
def test_G1_G6_a_card_twice_or_foreign_is_refused_wherever_it_lies(card: Any, clause: str) -> None:
    assert refuse(changed(RECORD, deck=[*DECK, card])) == (clause, None)
    assert refuse(changed(RECORD, deck=[*DECK[:4], card, *DECK[5:]])) == (clause, None)


@pytest.mark.parametrize("server", ["", "00", SERVER + "00", SERVER[:-1] + "g", SERVER + "\n", " " + SERVER[1:], 5])
def test_a_server_seed_is_64_hexadecimal_digits(server: Any) -> None:
    assert refuse(changed(SEEDED, seed={"server": server})) == (None, None)


def test_only_a_shoe_has_a_start() -> None:
    assert play_record(changed(SEEDED, start=0)) == play_record(SEEDED)
    assert refuse(changed(SEEDED, start=10)) == (None, None)
    assert refuse(changed(RECORD, start=1)) == (None, None)


@pytest.mark.parametrize("start", [-1, 312, 10**30])
def test_BJ7_the_start_lies_within_the_shoe(start: int) -> None:
    record = changed(SEEDED, game="blackjack", stakes=[{"seat": 1, "player": "a", "bets": {"main": 1000}}], moves=[])
    assert "refused" not in play_record(changed(record, start=100))
    assert refuse(changed(record, start=start)) == ("BJ7", None)


@pytest.mark.parametrize("dice", [[], [3], [3, 4, 5], [0, 4], [3, 7], [3.0, 4], [True, 4], ["3", 4], None, 7])
def test_PJ5_paiju_takes_two_dice_of_1_to_6(dice: Any) -> None:
    assert "over" in play_record(PAIJU)
    refuse(changed(PAIJU, dice=dice))
    refuse(without(PAIJU, "dice"))


def test_PJ5_dice_stand_beside_an_explicit_deck_of_paiju_only() -> None:
    assert refuse(changed(RECORD, dice=[3, 4])) == ("PJ5", None)
    seeded = changed(without(PAIJU, "deck"), seed=SEEDED["seed"])
    assert refuse(seeded) == ("PJ5", None)
    assert "over" in play_record(without(seeded, "dice"))


def test_a_hand_needs_a_stake() -> None:
    assert refuse(changed(RECORD, stakes=[])) == (None, None)
    assert refuse(without(RECORD, "stakes")) == (None, None)


@pytest.mark.parametrize("player", ["", " ", "an na", "a/b", "a\tb", "a\u00a0b", "\ud800", 5])
def test_a_players_name_holds_no_space_and_no_slash(player: Any) -> None:
    assert refuse(stake(player=player)) == (None, None)


@pytest.mark.parametrize("player", ["città", "🃏", "Anna-1", "@anna"])
def test_a_players_name_may_be_of_any_other_letters(player: str) -> None:
    assert "refused" not in play_record(stake(player=player))


@pytest.mark.parametrize("seat", [0, -1, 8, 10**9, "1", 1.0, True])
def test_seats_are_whole_numbers_from_1(seat: Any) -> None:
    refuse(stake(seat=seat))


@pytest.mark.parametrize("amount", [0, -1000, 1000.0, "1000", True, None, 10**30])
def test_G2_a_bet_is_a_whole_number_of_minor_units(amount: Any) -> None:
    assert refuse(stake(bets={"ante": amount}))[0] in ("G2", "G5")


@pytest.mark.parametrize("spot", ["bet", "exchange", "main", "", "Ante"])
def test_a_bet_that_the_game_does_not_have_is_refused(spot: str) -> None:
    assert refuse(stake(bets={"ante": 1000, spot: 1000})) == (None, None)


def test_a_stake_has_no_other_keys() -> None:
    assert refuse(stake(amount=5)) == (None, None)
    assert refuse(stake(follow=True)) == ("BJ13", None)
    assert refuse(stake(stack=5)) == ("HE2", None)


@pytest.mark.parametrize("jackpot", [-1, 10**18, 1.5, "1", True])
def test_G2_the_meter_is_an_amount(jackpot: Any) -> None:
    refuse(changed(RECORD, jackpot=jackpot))


@pytest.mark.parametrize(
    "move",
    [
        "1  raise",
        " 1 raise",
        "1 raise ",
        "1\traise",
        "1 raise\n",
        "raise",
        "1",
        "",
        "01 raise",
        "+1 raise",
        "-1 raise",
        "0 raise",
        "١ raise",
        "1/ raise",
        "1/a/b raise",
        "1 void",
        "void ",
        "1 Raise",
        "1 RAISE",
        "1 exchange 3S",
        "1 exchange  3s",
        "1 timeout now",
        "1 check",
        "2 raise",
        "1/anna raise",
    ],
)
def test_a_move_is_seat_word_argument_with_single_spaces_and_small_letters(move: str) -> None:
    assert refuse(changed(RECORD, moves=[move]))[1] == 0


def test_CS6_out_of_turn_names_the_move_from_0() -> None:
    stakes = [{"seat": seat, "player": f"p{seat}", "bets": {"ante": 1000}} for seat in (1, 2)]
    record = changed(RECORD, deck=list(FRENCH), stakes=stakes)
    assert refuse(changed(record, moves=["2 fold", "2 fold", "1 fold"])) == ("CS6", 1)
    assert refuse(changed(record, moves=["1 fold", "3 fold"])) == ("CS6", 1)


def test_a_move_after_the_end_is_refused() -> None:
    assert refuse(changed(RECORD, moves=["1 raise", "1 raise"])) == (None, 1)
    assert refuse(changed(RECORD, moves=["1 raise", "void"]))[1] == 1
    assert refuse(changed(PAIJU, moves=["void"]))[1] == 0


def test_G6_a_void_is_the_last_move() -> None:
    assert play_record(changed(RECORD, moves=["void"]))["net"] == {"1": 0}
    assert refuse(changed(RECORD, moves=["void", "1 raise"]))[1] == 1
    assert refuse(changed(RECORD, moves=["1 exchange 3s", "void", "void", "1 fold"]))[1] == 2


def test_the_first_fault_of_the_moves_is_the_one_told() -> None:
    assert refuse(changed(RECORD, moves=["1 fly", "1  raise"]))[1] == 0
    assert refuse(changed(RECORD, moves=["1 exchange 3s", "1 fly", 5]))[1] == 1


def test_a_deal_is_frozen_and_a_hand_of_it_starts_with_its_bets() -> None:
    deal, _ = parse_record(RECORD)
    with pytest.raises(AttributeError):
        deal.game = "uth"  # type: ignore[misc]
    assert Hand(deal).events[0] == Placed("1", "ante", 1000)


CHANGES: list[Callable[[dict[str, Any]], Any]] = [
    lambda record: record["stakes"][0]["bets"].update(ante=5000),
    lambda record: record["deck"].reverse(),
    lambda record: record["moves"].clear(),
]


@pytest.mark.parametrize("change", CHANGES)
def test_a_deal_does_not_hang_on_the_record_that_it_came_from(change: Callable[[dict[str, Any]], Any]) -> None:
    record = copy.deepcopy(RECORD)
    deal, moves = parse_record(record)
    before = write_record(deal, list(moves))
    change(record)
    assert write_record(deal, moves) == before
