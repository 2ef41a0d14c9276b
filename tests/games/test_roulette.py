"""French roulette by commands: typed bets, announced bets, the last numbers, and its screens."""

from time import process_time

import pytest
from msgspec.structs import replace
from PIL import Image

from bot.texts import say
from bot.view.build import screen
from bot.view.describe import describe
from bot.view.pictures import picture
from engine.games.roulette import ANNOUNCED, BETS
from tests.core.conftest import TABLES, House
from tests.exhibits import exhibits
from tests.view.test_pictures import GOLDENS, assert_alike, small, structure

TABLE = TABLES["roulette"]


@pytest.fixture
def house(tmp_path):
    opened = House(tmp_path)
    yield opened
    opened.close()
    assert opened.faults() == []


def lying(house):
    """Return all bets of the first player, in chips."""
    return {spot: amount // 100 for bet in house.table(TABLE).round.bets[:1] for spot, amount in bet.spots.items()}


@pytest.mark.parametrize(
    ("typed", "bets"),
    [
        ("17 10, red 50", {"red": 50, "17": 10}),
        ("17 10 , red 50 ;", {"red": 50, "17": 10}),
        ("17 10,red 50;18 5", {"red": 50, "17": 10, "18": 5}),
        ("17 17", {"17": 17}),
        ("1-3 10 13 5 12 5 1-2 5", {"12": 5, "13": 5, "1-2": 5, "1-3": 10}),
        ("first dozen 10; first four 5", {"first-dozen": 10, "first-four": 5}),
        ("rosso 10 prima dozzina 5", {"red": 10, "first-dozen": 5}),
        ("schwarz 10 vicini 5", {"black": 10, **{part: 5 * chips for part, chips in ANNOUNCED["voisins"].items()}}),
        ("finals 7 5, 17 10", {"7": 5, "17": 15, "27": 5}),
        ("finals-0 5", {"0": 5, "10": 5, "20": 5, "30": 5}),
    ],
)
def test_bets_are_typed_by_their_numbers_and_names(house, typed, bets):
    answer = house.do(f"anna bet {typed}", table=TABLE)
    assert not answer.refused, answer
    assert lying(house) == bets
    assert "Bets close in" in str(answer.texts[0])
    assert house.chips("anna") == (1000 - sum(bets.values())) * 100


@pytest.mark.parametrize("typed", ["10", "37 10", "1-5-9 10", "purple 10", "10 red 50"])
def test_an_amount_alone_and_unknown_bets_are_refused_with_an_example(house, typed):
    said = house.says(f"anna bet {typed}", table=TABLE)
    assert "for example low 5" in said or "Enter an amount for 10" in said
    assert lying(house) == {}


def test_a_long_line_of_unknown_bets_keeps_nobody_waiting(house):
    began = process_time()
    assert house.do("anna bet " + "x y z " * 160, table=TABLE).refused
    assert process_time() - began < 0.5


def test_announced_bets_keep_the_limits_of_each_bet(house):
    """RO11: two of its chips are one bet on 0-2-3; all of the wallet is divided by the chips."""
    assert "Bet at most 500 on 0-2-3" in house.says("anna bet voisins 300", table=TABLE)
    assert lying(house) == {}
    assert not house.do("anna bet tiers all", table=TABLE).refused
    assert set(lying(house).values()) == {166}


def test_a_spin_is_paid_and_its_number_remembered(house):
    """RO13: the newest number is the last of the strip."""
    numbers = []
    for _spin in range(3):
        for bet in ("bet red 10", "bet voisins 5"):
            assert not house.do(f"anna {bet}", table=TABLE).refused
        house.wait(house.table(TABLE).round.deadline - house.clock.now)
        numbers.append(str(house.table(TABLE).last.facts["number"]))
        shown = screen(house.writer.state, house.table(TABLE), house.player("anna"), house.clock.now)
        assert shown.road == tuple(numbers)
        assert say(shown.headline, "en").startswith(f"{numbers[-1]}: ")
        assert all(area.result for area in shown.spots)
    assert "Last results: " + ", ".join(numbers) in describe(shown, "en")
    assert not house.do("anna rebet", table=TABLE).refused
    assert sum(lying(house).values()) == 55


def test_many_lost_bets_are_one_line_with_their_sum(house):
    house.do("anna bet voisins 5, tiers 5, 17 10", table=TABLE)
    house.wait(house.table(TABLE).round.deadline - house.clock.now)
    number = house.table(TABLE).last.facts["number"]
    bets = {*ANNOUNCED["voisins"], *ANNOUNCED["tiers"], "17"}
    lost = sum(number not in BETS[bet] for bet in bets)
    shown = screen(house.writer.state, house.table(TABLE), house.player("anna"), house.clock.now)
    (slip,) = shown.slips
    lines = [say(line, "en") for line in slip.lines]
    assert [line for line in lines if line.startswith(f"{lost} bets lost -")]
    assert len(lines) == 1 + len(bets) - lost


def test_every_bet_has_one_place_on_the_board_and_announced_ones_a_button(house):
    shown = screen(house.writer.state, house.table(TABLE), None, house.clock.now)
    assert {area.spot for area in shown.spots} == set(BETS)
    labels = [say(button.label, "en") for button in shown.bets]
    assert {"voisins: 9 × 5", "tiers: 6 × 5", "orphelins: 5 × 5"} <= set(labels)
    assert len([button for button in shown.bets if button.verb == "bet" and not button.ask]) <= 25, (
        "one select of Discord"
    )


def example():
    found = next(one.screen for one in exhibits(3) if (one.game, one.phase) == ("roulette", "payment"))
    return replace(found, number=8, commit="4be1a2c97d0011")


@pytest.mark.long
def test_a_table_looks_as_it_was_looked_at():
    shown = example()
    assert "…" not in structure(shown)
    assert structure(shown) == (GOLDENS / "roulette-payment.txt").read_text("utf-8")
    assert_alike(small(picture(shown, "en")), Image.open(GOLDENS / "roulette-payment.png").convert("RGB"))


def write_goldens():
    """Write the golden files by `python -m tests.games.test_roulette`; look at them before keeping them."""
    (GOLDENS / "roulette-payment.txt").write_text(structure(example()), "utf-8")
    drawn = small(picture(example(), "en")).quantize(64, dither=Image.Dither.NONE)
    drawn.save(GOLDENS / "roulette-payment.png", optimize=True)


if __name__ == "__main__":
    write_goldens()
