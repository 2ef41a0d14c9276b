"""Cards that players reveal, in an order of steps: a third card waits for the first two of both hands.

The game is a toy with two hands, based on a real plugin: revealing a hand includes its third card (PB10).
"""

from dataclasses import dataclass, replace

import pytest

from bot.core.state.plays import Reveal, Reveals, in_no_words
from bot.games import PLUGINS
from bot.texts import Text
from bot.view.build import screen
from bot.view.parts import hands_of
from bot.view.player_view import hand_on
from engine.cards import FRENCH, HIDDEN
from engine.felt import Game, Limits, check
from tests.core.conftest import House
from tests.games.toys import installed
from tests.some import some

KNOWN, TOY = "paiju", "twohands"
SPOTS = ("one", "two")


@dataclass(frozen=True)
class ToyOptions(Limits):
    minimum: int = 100
    step: int = 100
    maximum: int = 50000
    squeeze: bool = True


def check_stakes(options, stakes):
    for stake in stakes:
        check(bool(stake.bets), "Bet on a hand.", "PB2")


def play(felt):
    """A game: hand one always gets a third card, hand two never."""
    bets = felt.place_all()
    felt.call("no more bets")
    felt.deal_each(SPOTS * 2, up=True)
    felt.call("a card for one")
    felt.deal_to("one", up=True)
    for seat, spots in bets.items():
        for spot, amount in spots.items():
            felt.pay(seat, spot, amount, "tie", "PB8")
    yield from ()


GAME = Game(name=TOY, script=play, options=ToyOptions, check=check_stakes, words={}, spots=SPOTS, all_spots=(),
            turn="PB3", full_deck=lambda options: FRENCH)  # fmt: skip
REVEALS = Reveals(
    (
        (Reveal("one", to="one", spot="one", size=2),),
        (Reveal("two", to="two", spot="two", size=2),),
        (Reveal("one-third", to="one", spot="one", first=3),),
        (Reveal("two-third", to="two", spot="two", first=3),),
    ),
    clause="PB10",
)


@pytest.fixture
def toy(tmp_path):
    """A casino with the toy game."""
    known = PLUGINS[KNOWN]
    look = replace(known.presenter, bank=hands_of(*SPOTS), result=lambda view: Text("Over."))
    plugin = replace(
        known,
        commands=(),
        game=GAME,
        simulation=replace(known.simulation, game=GAME),
        rank=99,
        play=replace(known.play, reveals=REVEALS, describe_hand=in_no_words),
        presenter=look,
        texts=replace(known.texts, title="Two Hands", channel="two-hands", labels={}),
    )
    with installed(plugin):
        opened = House(tmp_path)
        opened.is_spoilt = True
        yield opened
        opened.close()


def table_of(house):
    return next(table for table in house.writer.state.tables.values() if table.game == TOY)


def do(house, line):
    answer = house.do(line, table=table_of(house).id, sure=True)
    assert not answer.refused, (line, str(answer.texts[0]))
    return " | ".join(map(str, answer.texts))


def turn_cards(house, *lines):
    for line in lines:
        do(house, line)
    house.wait(table_of(house).round.deadline - house.clock.now)
    return table_of(house)


def seen(house, name):
    """Return (cards of hand one, cards of hand two) as the viewer sees them: backs as None."""
    view = some(hand_on(table_of(house), house.player(name) if name else None))
    return tuple([None if card == HIDDEN else card for card in view.cards.get(to, ())] for to in SPOTS)


def offered(house, name):
    shown = screen(house.writer.state, table_of(house), house.player(name), house.clock.now)
    return [button.args[0] for button in shown.moves]


BOTH = ("anna bet one 5", "bea bet two 5", "anna squeeze", "bea squeeze")


def test_PB10_nobody_is_shown_a_third_card_before_it_is_due(toy):
    turn_cards(toy, *BOTH)
    first, second = table_of(toy).round.hand.cards(None)["one"], table_of(toy).round.hand.cards(None)["two"]
    assert (len(first), len(second)) == (3, 2)
    # Neither its face nor its existence is known, not even to the player who reveals it.
    assert seen(toy, "anna") == (first[:2], [None, None])
    assert seen(toy, "bea") == seen(toy, None) == ([None, None], [None, None])
    do(toy, "anna squeeze one")
    assert seen(toy, "bea") == (first[:2], second)
    assert seen(toy, "anna") == seen(toy, None) == (first[:2], [None, None])
    do(toy, "bea squeeze two")
    assert seen(toy, "anna") == (first, second)
    assert seen(toy, "bea") == seen(toy, None) == ([*first[:2], None], second)
    assert table_of(toy).phase == "playing"
    do(toy, "anna squeeze one-third")
    assert seen(toy, None) == (first, second)
    assert table_of(toy).round.hand is None


def test_PB10_a_turn_that_is_not_due_is_neither_offered_nor_taken(toy):
    turn_cards(toy, *BOTH)
    assert (offered(toy, "anna"), offered(toy, "bea")) == (["one"], [])
    assert toy.do("anna squeeze one-third", table=table_of(toy).id).clause == "PB10"
    assert toy.do("bea squeeze two", table=table_of(toy).id).clause == "PB10"
    assert toy.do("bea cards", table=table_of(toy).id).refused
    assert "one: " in do(toy, "anna cards")
    assert table_of(toy).turners == [toy.player("anna")]
    do(toy, "anna squeeze one")
    assert (offered(toy, "anna"), offered(toy, "bea")) == ([], ["two"])


def test_PB10_a_hand_without_a_third_card_has_no_third_turn(toy):
    assert set(turn_cards(toy, *BOTH).round.turning) == {"one", "two", "one-third"}


def test_PB10_each_wave_has_its_own_time_and_then_the_dealer_turns(toy):
    turn_cards(toy, *BOTH)
    toy.clock.now += 10
    do(toy, "anna squeeze one")
    assert table_of(toy).round.deadline == toy.clock.now + 15
    toy.wait(16)
    assert offered(toy, "anna") == ["one-third"]
    toy.wait(15)
    assert table_of(toy).round.hand is None
    assert not table_of(toy).round.turning


def test_PB10_while_cards_are_turned_no_call_tells_what_comes(toy):
    turn_cards(toy, *BOTH)
    for name in ("anna", "bea", None):
        told = some(hand_on(table_of(toy), toy.player(name) if name else None)).events
        assert not any("a card for one" in repr(event) for event in told)


def test_PB10_an_inspector_who_decides_between_equals_decides_for_the_whole_hand(toy):
    turn_cards(toy, "anna bet one 5", "bea bet one 5", "anna squeeze", "bea squeeze")
    assert table_of(toy).round.turning == {"one": 0, "one-third": 0}
    assert offered(toy, "anna") == []
    do(toy, "insp table turner one bea why")
    assert set(table_of(toy).round.turning.values()) == {toy.player("bea")}
