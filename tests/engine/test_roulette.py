"""French roulette (RO): every bet on every number, the order of payments, announced bets, and the exact edges."""

import hashlib
from fractions import Fraction

import pytest

from engine.cards import POCKETS, RED_NUMBERS
from engine.games.roulette import ANNOUNCED, BETS, EVEN_CHANCES, GAME, RouletteOptions
from engine.games.roulette_odds import edges, kind_of
from engine.record import parse_record, play_record, write_record
from tests.verified import seed_fits

# The order on the wheel, clockwise.
WHEEL = ("0 32 15 19 4 21 2 25 17 34 6 27 13 36 11 30 8 23 10 5 24 16 33 1 20 14 31 9 22 18 29 7 28 12 35 3 26").split()


def record_of(number, *bets, **options):
    stakes = [{"seat": seat, "player": f"p{seat}", "bets": spots} for seat, spots in enumerate(bets, start=1)]
    return {"game": "roulette", "options": options, "deck": [POCKETS[number]], "stakes": stakes}


def replay(number, *bets, **options):
    answer = play_record(record_of(number, *bets, **options))
    assert "refused" not in answer, answer
    return answer


def paid(answer):
    return [
        (event["spot"], event["amount"], event["why"], event["clause"])
        for event in answer["events"]
        if event["event"] == "paid"
    ]


def test_the_wheel_has_eighteen_red_and_eighteen_black_numbers():
    """RO1: the written order of the pockets is what a verifier shuffles."""
    assert sorted(map(int, WHEEL)) == list(range(37))
    assert [pocket[0] for pocket in POCKETS].count("r") == [pocket[0] for pocket in POCKETS].count("b") == 18
    colours = ["g", *(POCKETS[int(number)][0] for number in WHEEL[1:])]
    assert colours[1:] == ["r", "b"] * 18


def numbers_of(bet):
    """Return the numbers of a bet by its name alone, as a croupier reads the layout."""
    rows = [range(first, first + 3) for first in range(1, 37, 3)]
    named = {
        "red": RED_NUMBERS,
        "black": {n for n in range(1, 37) if n not in RED_NUMBERS},
        "even": {n for n in range(1, 37) if n % 2 == 0},
        "odd": {n for n in range(1, 37) if n % 2},
        "low": {n for n in range(1, 37) if n < 19},
        "high": {n for n in range(1, 37) if n > 18},
        "first-four": {0, 1, 2, 3},
    }
    if bet in named:
        return set(named[bet])
    nth, _, what = bet.partition("-")
    if what in ("dozen", "column"):
        at = ("first", "second", "third").index(nth)
        return {n for row in rows for n in row if ((n - 1) // 12 if what == "dozen" else (n - 1) % 3) == at}
    ends = [int(part) for part in bet.split("-")]
    low, high = ends[0], ends[-1]
    if len(ends) == 3 or low == 0 or high - low in (0, 1, 3):
        return set(ends)
    return {low, low + 1, high - 1, high} if high - low == 4 else set(range(low, high + 1))


PAYS = {1: 35, 2: 17, 3: 11, 4: 8, 6: 5, 12: 2, 18: 1}


@pytest.mark.parametrize("number", range(37))
def test_every_bet_pays_by_its_numbers(number):
    """RO3 to RO9, all 157 bets at once; the sums are those that the rules page names."""
    returned = replay(number, dict.fromkeys(BETS, 1000), la_partage=False)["returned"]["1"]
    assert len(returned) == 157
    expected = {bet: (1 + PAYS[len(numbers_of(bet))]) * 1000 * (number in numbers_of(bet)) for bet in BETS}
    assert returned == expected


def test_la_partage_returns_half_of_even_chances_on_zero():
    """RO10, rounded down; other bets lose, and so do even chances without it."""
    bets = {"red": 501, "first-dozen": 1000, "0": 1000}
    table = {"minimum": 501, "step": 1} | {"maximum": 5000}
    assert replay(0, {"red": 501}, **table)["returned"] == {"1": {"red": 250}}
    assert replay(0, {"red": 501}, **table, la_partage=False)["returned"] == {"1": {"red": 0}}
    assert replay(0, bets, **table)["returned"] == {"1": {"red": 250, "first-dozen": 0, "0": 36000}}
    assert replay(1, {"red": 501, "black": 501}, **table)["returned"] == {"1": {"red": 1002, "black": 0}}


def test_losing_bets_are_collected_before_winning_ones_are_paid():
    """RO12: the smallest odds first, over all players."""
    answer = replay(17, {"red": 500, "17": 500, "black": 500}, {"17-20": 500, "36": 500})
    assert paid(answer) == [
        ("red", 0, "lose", "RO9"),
        ("36", 0, "lose", "RO3"),
        ("black", 1000, "win", "RO9"),
        ("17-20", 9000, "win", "RO4"),
        ("17", 18000, "win", "RO3"),
    ]
    assert answer["facts"] == {"number": 17}


def test_announced_bets_lie_as_the_rules_page_says():
    """RO11: chips, and that the three parts of the wheel cover every number once."""
    chips = {bet: sum(parts.values()) for bet, parts in ANNOUNCED.items()}
    assert chips == {"voisins": 9, "tiers": 6, "orphelins": 5} | {f"finals-{n}": 4 if n < 7 else 3 for n in range(10)}
    assert {part for parts in ANNOUNCED.values() for part in parts} <= set(BETS)
    covered = {bet: set().union(*(BETS[part] for part in ANNOUNCED[bet])) for bet in ("voisins", "tiers", "orphelins")}
    at = WHEEL.index
    assert covered["voisins"] == {int(n) for n in [*WHEEL[at("22") :], *WHEEL[: at("25") + 1]]}
    assert covered["tiers"] == {int(n) for n in WHEEL[at("27") : at("33") + 1]}
    assert covered["orphelins"] == set(range(37)) - covered["voisins"] - covered["tiers"]
    assert all({n % 10 for n in BETS[part]} == {digit} for digit in range(10) for part in ANNOUNCED[f"finals-{digit}"])


@pytest.mark.parametrize(
    ("bets", "clause"),
    [({}, "RO2"), ({"17": 400}, "G5"), ({"17": 550}, "G5"), ({"17": 50100}, "G5"), ({"37": 500}, None)],
)
def test_refusals(bets, clause):
    answer = play_record(record_of(17, bets))
    assert answer["refused"]
    assert answer["clause"] == clause


def test_a_number_is_drawn_from_the_committed_seed():
    """RO1: a record with a seed has all pockets, each once."""
    record = {
        "game": "roulette",
        "seed": {"server": "ab" * 32, "cuts": ["anna"]},
        "stakes": record_of(0, {"red": 500})["stakes"],
    }
    deal, moves = parse_record(record)
    assert sorted(deal.deck) == sorted(POCKETS)
    assert play_record(record)["facts"] == {"number": int(deal.deck[0][1:])}
    assert write_record(deal, moves)["seed"] == record["seed"]
    commit = hashlib.sha256(bytes.fromhex("ab" * 32)).hexdigest()
    assert seed_fits({**record, "commit": commit})


@pytest.mark.parametrize("la_partage", [True, False])
def test_exact_edges_of_every_bet(la_partage):
    """1/37 of every bet; 1/74 of even chances with la partage, counted over all numbers by the script itself."""
    options = RouletteOptions(la_partage=la_partage)
    known = edges(options, None)
    lost = dict.fromkeys(BETS, 0)
    for number in range(37):
        returned = replay(number, dict.fromkeys(BETS, 1000), la_partage=la_partage)["returned"]["1"]
        lost = {bet: lost[bet] + 1000 - returned[bet] for bet in BETS}
    for bet in BETS:
        exact = Fraction(1, 74) if la_partage and bet in EVEN_CHANCES else Fraction(1, 37)
        assert known[kind_of(bet)].exact == exact == Fraction(lost[bet], 37 * 1000), bet


def test_the_game_pays_at_most_what_it_declares():
    assert max(replay(17, {"17": 500})["returned"]["1"].values()) == GAME.most_pays * 500
