"""Punto Banco by commands, by clause, and on platforms: the lounge, a Telegram group, a Discord channel.

Seeds are searched: a hand is dealt from the first one that gives what its test needs.
"""

import hashlib
import json
from itertools import count

import pytest
from msgspec.structs import replace
from PIL import Image

from bot.core.rounds.past_results import LONGEST
from bot.games import PLUGINS
from bot.texts import LANGUAGES, say
from bot.view.build import screen
from bot.view.describe import describe
from bot.view.pictures import picture
from bot.view.player_view import hand_on
from engine.cards import HIDDEN
from engine.fairness.commitment import commit_to
from engine.felt import Deal, Stake
from engine.games.puntobanco import AREAS, GAME, PuntoBancoOptions
from engine.hand import Hand
from engine.record import shuffled
from engine.shuffler import Seed
from tests.core.conftest import TABLES, House
from tests.disk import ask
from tests.exhibits import exhibits
from tests.simulation.visible_cards import known_to
from tests.some import some
from tests.verified import holds
from tests.view.test_pictures import GOLDENS, assert_alike, small, structure

PB = TABLES["puntobanco"]
CUTS = ("x", "y", "z")


class Table(House):
    """A casino whose first hand at each table has this seed."""

    def __init__(self, folder, server):
        self.server, self.is_new = server, True
        super().__init__(folder)

    def open(self):
        self.entropy, later = (lambda n: self.server) if self.is_new else self.entropy, self.entropy
        super().open()
        self.entropy, self.is_new = later, False


def server_of(wanted, cuts):
    """Return the first seed whose hand satisfies `wanted`."""
    for number in count():
        server = hashlib.sha256(str(number).encode()).digest()
        deck, _dice = shuffled(GAME, PuntoBancoOptions(), Seed(server, cuts, 0, ""))
        facts = Hand(Deal(GAME.name, PuntoBancoOptions(), (Stake(1, "p1", {"punto": 500}),), deck)).facts
        if wanted(facts):
            return server


@pytest.fixture
def house(tmp_path):
    opened = House(tmp_path)
    yield opened
    opened.close()
    assert opened.faults() == []


@pytest.fixture
def dealt(tmp_path):
    """A function: dealt(wanted, "anna bet punto 20", ...) plays a hand after these lines, with each player's cut."""
    opened = []

    def deal(wanted, *lines):
        names = list(dict.fromkeys(line.split()[0] for line in lines if " bet " in line))
        opened.append(house := Table(tmp_path / "data", server_of(wanted, CUTS[: len(names)])))
        for line in (*lines, *(f"{name} cut {text}" for name, text in zip(names, CUTS, strict=False))):
            assert not (answer := pb(house, line)).refused, (line, answer)
        house.wait(at(house).round.deadline - house.clock.now)
        return house

    yield deal
    for house in opened:
        house.close()
        assert house.faults() == []


def pb(house, line, **more):
    return house.do(line, table=PB, **more)


def says(house, line):
    return house.says(line, table=PB)


def at(house):
    return house.table(PB)


def with_thirds(punto, banco):
    """Return a predicate: whether each hand has a third card."""
    return lambda facts: (len(facts["punto"]["cards"]) == 3, len(facts["banco"]["cards"]) == 3) == (punto, banco)


def hand(house, *lines):
    for line in lines or ("anna bet punto 5",):
        assert not (answer := pb(house, line)).refused, (line, answer)
    house.wait(at(house).round.deadline - house.clock.now)


def any_hand(facts):
    return True


def test_PB1_by_default_every_hand_has_a_shoe_of_its_own(house):
    commits = set()
    for _hand in range(3):
        commits.add(at(house).round.commit)
        hand(house)
        assert at(house).last.deal.seed.start == 0
    assert len(commits) == 3


@pytest.mark.long
def test_PB1_a_shoe_goes_on_until_its_part_is_out_and_its_seed_is_shown_only_then(house):
    assert not pb(house, "insp table set penetration 15 why").refused
    hands: list[Hand] = []
    commit, gone = at(house).round.commit, 0
    assert not pb(house, "anna cut x").refused
    while at(house).round.commit == commit:
        if hands:
            answer = pb(house, "anna cut y")
            assert (answer.refused, answer.clause) == (True, "PB1")
            assert "or the shoe is over" in says(house, f"anna verify {hands[-1]}")
            assert not screen(house.writer.state, at(house), None, house.clock.now).revealed
        hands.append(at(house).round.hand_id)
        hand(house)
        last = at(house).last
        assert last.deal.seed.start == gone
        gone += sum(len(cards) for cards in last.cards(None).values())
        house.restart()
    assert len(hands) > 5
    assert 312 * 15 // 100 <= gone < 312 * 15 // 100 + 6
    assert screen(house.writer.state, at(house), None, house.clock.now).revealed
    records = [json.loads(pb(house, f"anna verify {one}").file[1]) for one in hands]
    assert {commit_to(record["promise"]) for record in records} == {commit}
    assert all(map(holds, records))
    assert not pb(house, "anna cut y").refused


def test_PB1_eight_decks_are_an_option(house):
    assert not pb(house, "insp table set decks 8 why").refused
    assert pb(house, "insp table set decks 7 why").refused
    hand(house)
    assert len(at(house).last.deal.deck) == 416


def test_PB8_banco_19_wins_18_and_all_chips_are_whole(house):
    for option in ("step 0.01", "minimum 0.19"):
        assert not pb(house, f"insp table set {option} why").refused
    while True:
        chips = house.chips("anna") if house.player("anna") else 100_000
        hand(house, "anna bet banco 0.19")
        if at(house).last.facts["winner"] == "banco":
            break
    assert house.chips("anna") == chips + 18
    assert all(type(amount) is int for (amount,) in ask(house.books, "SELECT amount FROM postings"))


@pytest.mark.long
def test_PB11_pairs_then_egalite_banco_and_punto_are_paid_by_rising_seat(dealt):
    every = " ".join(f"{area} 5" for area in AREAS)

    def both_pairs(facts):
        pairs = all(facts[to]["cards"][0][0] == facts[to]["cards"][1][0] for to in ("punto", "banco"))
        return pairs and facts["winner"] == "egalite"

    house = dealt(both_pairs, f"anna bet {every}", f"bea bet {every}")
    number, purses = at(house).last_hand, {f"player:1:{house.player(name)}": name for name in ("anna", "bea")}
    paid = ask(house.books, "SELECT why, credit FROM postings WHERE hand = ? AND debit = ? ORDER BY id",
               number, f"hand:{number}")  # fmt: skip
    order = ("pair-punto", "pair-banco", "egalite", "banco", "punto")
    assert [(area, purses[to]) for area, to in paid if to in purses] == [
        (area, name) for area in order for name in ("anna", "bea")
    ]


BOTH = ("anna bet punto 20", "bea bet banco 20", "anna squeeze", "bea squeeze")


def shown(house, name=None):
    return screen(house.writer.state, at(house), house.player(name) if name else None, house.clock.now)


def seen(house, name=None):
    """Return (cards of punto, cards of banco) as the viewer sees them, backs as `??`; the screen shows no more."""
    view = some(hand_on(at(house), house.player(name) if name else None))
    found = tuple(list(view.cards[to]) for to in ("punto", "banco"))
    assert [list(pile.cards) for pile in shown(house, name).bank] == list(found)
    assert {card for cards in found for card in cards} - {HIDDEN} <= known_to(at(house), view_of(house, name))
    return found


def view_of(house, name):
    return house.player(name) if name else None


def test_PB10_two_and_two_are_turned_then_puntos_third_then_bancos(dealt):
    house = dealt(with_thirds(True, True), *BOTH)
    cards = at(house).round.hand.cards(None)
    punto, banco, backs = cards["punto"], cards["banco"], [HIDDEN, HIDDEN]
    assert (seen(house), seen(house, "anna"), seen(house, "bea")) == (
        (backs, backs), (punto[:2], backs), (backs, backs))  # fmt: skip
    assert says(house, "anna squeeze punto") == "You revealed punto."
    assert (seen(house), seen(house, "bea")) == ((punto[:2], backs), (punto[:2], banco[:2]))
    assert says(house, "bea squeeze banco") == "You revealed banco."
    assert (seen(house), seen(house, "anna")) == (([*punto[:2], HIDDEN], banco[:2]), (punto, banco[:2]))
    assert says(house, "anna squeeze punto-third") == "You revealed punto's third card."
    assert (seen(house), seen(house, "bea")) == ((punto, [*banco[:2], HIDDEN]), (punto, banco))
    assert says(house, "bea squeeze banco-third") == "You revealed banco's third card."
    assert at(house).round.hand is None
    assert seen(house) == (punto, banco)


@pytest.mark.parametrize(("punto", "banco"), [(False, False), (True, False), (False, True)])
def test_PB10_there_is_no_turn_for_a_third_card_that_nobody_draws(dealt, punto, banco):
    house = dealt(with_thirds(punto, banco), *BOTH)
    thirds = {position for position in at(house).round.turning if position.endswith("third")}
    assert thirds == {name for name, drawn in (("punto-third", punto), ("banco-third", banco)) if drawn}


def results(house, hands):
    won = []
    for _hand in range(hands):
        hand(house)
        won.append(at(house).last.facts["winner"])
    return tuple(won)


def test_PB12_the_results_of_past_hands_are_shown_with_the_sentence_and_kept(house):
    won = results(house, 5)
    assert shown(house).road == won
    house.restart()
    assert shown(house).road == won
    assert "Past hands do not predict the next one" in describe(shown(house), "en")
    assert "Le mani passate non dicono nulla della prossima" in describe(shown(house), "it")


@pytest.mark.slow
def test_PB12_without_a_shoe_that_goes_on_the_last_60_hands_are_shown(house):
    won = results(house, LONGEST + 3)
    assert shown(house).road == won[-60:]


def test_PB12_with_one_its_own_results_are_shown_and_the_next_shoe_begins_anew(house):
    results(house, 2)
    pb(house, "insp table set penetration 10 why")
    commit, won = at(house).round.commit, ()
    while at(house).round.commit == commit:
        won += results(house, 1)
        assert shown(house).road == won
    assert len(won) > 4
    pb(house, "anna squeeze")
    hand(house)
    assert at(house).round.turning
    assert shown(house).road == (), "of the old shoe, while the next is dealt"
    house.wait(60)
    assert shown(house).road == (at(house).last.facts["winner"],)


def test_PB12_a_hand_whose_cards_are_still_turned_is_not_on_the_road(dealt):
    house = dealt(any_hand, "anna bet punto 20", "anna squeeze")
    assert shown(house).road == ()
    house.wait(60)
    assert shown(house).road == (at(house).last.facts["winner"],)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", {"rules": "a natural: no one draws (PB4)", "paytable": "less 5 % (PB8)", "odds": "1.06 %"}),
        ("it", {"rules": "è un naturale: nessuno tira (PB4)", "paytable": "meno il 5 % (PB8)", "odds": "1,06 %"}),
    ],
)
def test_rules_paytable_and_odds_in_both_languages(house, language, words):
    says(house, f"anna language {language}")
    for verb, wanted in words.items():
        told = pb(house, f"anna {verb} puntobanco").said
        assert wanted in " ".join(say(text, language) for text in told), verb


def test_the_rules_name_every_clause_that_players_meet():
    said = " ".join(map(str, PLUGINS["puntobanco"].texts.rules(PuntoBancoOptions())))
    assert all(f"PB{number}" in said for number in (*range(1, 11), 12))


def test_the_paytable_is_that_of_the_table(house):
    for option in ("egalite_pays 9", "commission 0"):
        assert not pb(house, f"insp table set {option} why").refused
    said = says(house, "anna paytable")
    assert "Égalité pays 9 to 1 (PB8)." in said
    assert "Banco pays 1 to 1 (PB8)." in said


def example(phase):
    found = next(one.screen for one in exhibits(3) if (one.game, one.phase) == ("puntobanco", phase))
    return replace(found, number=6, commit="4be1a2c97d0011")


@pytest.mark.long
@pytest.mark.parametrize("phase", ["squeeze punto-third", "payment"])
def test_a_table_looks_as_it_was_looked_at(phase):
    name = f"puntobanco-{phase.partition(' ')[0]}"
    assert structure(example(phase)) == (GOLDENS / f"{name}.txt").read_text("utf-8")
    assert_alike(small(picture(example(phase), "en")), Image.open(GOLDENS / f"{name}.png").convert("RGB"))


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_name_of_an_area_has_room_in_its_box(language):
    drawn = structure(replace(example("payment"), road=())) if language == "en" else ""
    assert "…" not in drawn
    assert len(picture(example("payment"), language)) < 45 * 1024


def write_goldens():
    """Write the golden files by `python -m tests.games.test_puntobanco`; look at them before keeping them."""
    for phase in ("squeeze punto-third", "payment"):
        name = f"puntobanco-{phase.partition(' ')[0]}"
        (GOLDENS / f"{name}.txt").write_text(structure(example(phase)), "utf-8")
        drawn = small(picture(example(phase), "en")).quantize(64, dither=Image.Dither.NONE)
        drawn.save(GOLDENS / f"{name}.png", optimize=True)


if __name__ == "__main__":
    write_goldens()
