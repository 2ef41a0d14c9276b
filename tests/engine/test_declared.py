"""Optional features of games, which are declared by the games: an unknown game can have them like ours."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from engine.cards import FRENCH
from engine.felt import Felt, Game, Meter, Options, Script, Settlement, Shoe
from engine.games import GAMES, add_game, remove_game
from engine.record import parse_record, play_record, write_record


@dataclass(frozen=True)
class TossOptions(Options):
    reset: int = 700
    penetration: int = 5000


def play(felt: Felt) -> Script:
    """A game: a card to everyone; an ace wins the meter."""
    bets = felt.place_all()
    felt.facts["dice"] = list(felt.roll())
    for seat, spots in bets.items():
        felt.deal_to(seat, up=True)
        for spot, amount in spots.items():
            if spot == "coin" and felt.cards[seat][0][0] == "A":
                felt.win(seat, "ace")
            else:
                felt.pay(seat, spot, amount, "push", "TO1")
    yield from ()


def settle(options: TossOptions, meter: int | None, coins: int, prizes: Mapping[str, str]) -> Settlement:
    full = (options.reset if meter is None else meter) + coins
    return Settlement(coins, dict.fromkeys(prizes, full), 0, 0 if prizes else full)


TOSS = Game(
    name="toss",
    script=play,
    options=TossOptions,
    check=lambda options, stakes: None,
    words={},
    spots=("coin",),
    all_spots=("coin",),
    turn="TO1",
    dice="TO2",
    follow="TO3",
    shoe=Shoe("TO4", lambda options: options.penetration, reserve=10),
    meter=Meter("coin", settle),
)
STACKED = Game("piles", play, TossOptions, lambda options, stakes: None, (), "PI1", all_spots=("pot",), stacks="PI2")
RECORD: dict[str, Any] = {
    "game": "toss",
    "deck": ["As", "Kd"],
    "dice": [1, 6],
    "jackpot": 50,
    "stakes": [
        {"seat": 1, "player": "anna", "bets": {"coin": 1}},
        {"seat": 1, "player": "bea", "bets": {"coin": 1}, "follow": True},
    ],
}
SEEDED = {name: value for name, value in RECORD.items() if name not in ("deck", "dice")} | {
    "seed": {"server": "ab" * 32}
}


@pytest.fixture(autouse=True)
def known() -> Iterator[None]:
    for game in (TOSS, STACKED):
        add_game(game)
    yield
    for game in (TOSS, STACKED):
        remove_game(game.name)


def test_dice_followers_a_meter_and_a_shoe_are_read_and_written_where_they_are_declared() -> None:
    for record in (RECORD, SEEDED, SEEDED | {"start": 20}):
        deal, moves = parse_record(record)
        assert parse_record(write_record(deal, moves)) == (deal, moves)
        assert deal.dice is not None
        assert deal.jackpot == 50
        assert [stake.follow for stake in deal.stakes] == [False, True]


def test_a_finished_hand_settles_the_meter_that_its_game_declares() -> None:
    one = RECORD | {"stakes": RECORD["stakes"][:1]}
    answer = play_record(one)
    assert (answer["jackpot"], answer["returned"]) == (0, {"1": {"coin": 51}})
    none = play_record({name: value for name, value in one.items() if name != "jackpot"})
    assert none["returned"] == {"1": {"coin": 701}}


def test_what_is_wrong_with_it_is_refused_by_the_clauses_of_the_game() -> None:
    assert play_record(RECORD | {"dice": [0, 1]})["clause"] == "TO2"
    assert play_record(SEEDED | {"dice": [1, 1]})["clause"] == "TO2"
    assert play_record(SEEDED | {"start": len(FRENCH)})["clause"] == "TO4"


def test_a_stack_stands_instead_of_bets_where_it_is_declared() -> None:
    deal, _ = parse_record(SEEDED | {"game": "piles", "stakes": [{"seat": 1, "player": "anna", "stack": 5}]})
    assert write_record(deal, [])["stakes"] == [{"seat": 1, "player": "anna", "stack": 5}]
    refused = play_record(SEEDED | {"game": "piles", "stakes": [{"seat": 1, "player": "anna"}]})["refused"]
    assert refused == "Stacks are for holdem, stud, piles, where a stack is required."


def test_a_shoe_serves_until_its_part_is_out_or_too_few_cards_are_left() -> None:
    shoe = TOSS.shoe
    assert shoe is not None
    half, whole = TossOptions(penetration=5000), TossOptions(penetration=10000)
    assert [shoe.serves(half, 52, gone) for gone in (0, 25, 26, 42)] == [True, True, False, False]
    assert [shoe.serves(whole, 52, gone) for gone in (42, 43)] == [True, False]
    assert not shoe.serves(TossOptions(penetration=0), 52, 0)


def test_of_our_games_each_has_what_it_always_had() -> None:
    has = {
        name: [part for part in ("dice", "stacks", "follow", "shoe", "meter") if getattr(GAMES[name], part)]
        for name in ("caribbean", "uth", "paiju", "blackjack", "stud")
    }
    assert has == {
        "caribbean": ["meter"],
        "uth": [],
        "paiju": ["dice"],
        "blackjack": ["follow", "shoe"],
        "stud": ["stacks"],
    }
