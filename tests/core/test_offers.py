"""Offers of `/cards`: each can be typed as shown, and is made at its price."""

import random
import re

import pytest

from bot.core.commands.amounts import LARGEST, parse_amount
from bot.core.commands.offers import typed
from bot.texts import LANGUAGES
from tests.core.conftest import BLACKJACK, CARIBBEAN, HOLDEM, PAIJU, STUD, UTH
from tests.some import some

NAMES = ["anna", "bea", "cat"]
# By table: what each of them bets, again and again.
BETS = {
    CARIBBEAN: ["bet 10 jackpot", "bet 50", "bet 20"],
    UTH: ["bet 10 trips 5", "bet 20", "bet 5"],
    PAIJU: ["bet south 10", "bet west 20", "bet north 10"],
    BLACKJACK: ["bet 1 10", "bet 3 25 admiral 10", "bet 1 20"],
    STUD: ["buyin 80", "buyin 80", "buyin 200"],
    HOLDEM: ["buyin 40", "buyin 40", "buyin 100"],
}
OFFERED = re.compile(r"(?P<words>[a-z-]+( ([0-9.]+|south|west|north))?)( \((?P<cost>[0-9,.]+)\))?")


def offers(house, name, table):
    """Return [(what to type, its price)]."""
    (line,) = [
        str(text) for text in house.do(f"{name} cards", table=table).texts if text.template.startswith("You may")
    ]
    found = [some(OFFERED.fullmatch(offer)) for offer in line.removeprefix("You may: ").split(", ")]
    return [(each["words"], parse_amount(each["cost"], "en") if each["cost"] else 0) for each in found]


def begin(house, table, chance, bets=None):
    for name, bet in zip(NAMES, bets or BETS[table], strict=True):
        house.do(f"{name} {bet}", table=table)
        house.do(f"{name} {'follow on' if table == BLACKJACK else 'squeeze'}", table=table)
    house.do("anna sit", table=table)
    house.wait(chance.choice([8, 20]))


def asked(house, table):
    """Return the players to move."""
    at = house.table(table)
    if at.round.hand is None:
        return []
    owners = {owner for key, owner in at.owners().items() if key in at.round.hand.asks or key in at.round.hand.aside}
    return sorted(house.writer.state.players[player].own_name for player in owners | set(at.turners))


def put_down(house, hand, table, name):
    at = house.table(table)
    played = at.round.hand if at.round.hand is not None and at.round.hand_id == hand else at.last
    mine = [stake for stake in played.deal.stakes if stake.player == f"p{house.player(name)}"]
    keys = {str(stake.seat) for stake in mine} | {f"{stake.seat}/{stake.player}" for stake in mine}
    return sum(sum(spots.values()) for key, spots in played.wagered().items() if key in keys)


@pytest.mark.slow
@pytest.mark.parametrize("poor", [False, True])
@pytest.mark.parametrize("table", BETS)
def test_every_offer_that_cards_prints_is_accepted_at_its_price(house, no_errors, table, poor):
    """The players include one who can only pay for some, or must not lose more today."""
    chance, done = random.Random(table), set()
    if poor:
        house.do("insp balance")
        for name in NAMES:
            house.do(f"{name} balance")
        house.do("insp take bea 915 why", sure=True)
        house.do("cat pause loss 60")
    for _ in range(150):
        waiting = asked(house, table)
        if not waiting:
            begin(house, table, chance)
            continue
        name = chance.choice(waiting)
        words, cost = chance.choice(offers(house, name, table))
        hand, before = house.table(table).round.hand_id, put_down(house, house.table(table).round.hand_id, table, name)
        answer = house.do(f"{name} {words}", table=table, sure=True)
        assert not answer.refused, (name, words, str(answer.texts))
        if words != "stay":
            assert put_down(house, hand, table, name) - before == cost, words
        done.add(words.partition(" ")[0])
    assert len(done) >= (1 if table == PAIJU else 3), done


def test_who_lacks_the_chips_is_not_offered_what_they_would_buy(house):
    house.do("insp balance")
    house.deal("anna bet 10")
    assert "raise (20)" in house.says("anna cards")
    assert not house.do("insp take anna 975 why", sure=True).refused
    assert "You may: fold, exchange 1 (10)" in house.says("anna cards")


def test_CS6_cards_go_by_their_position_and_words_are_the_commands_in_every_language(house):
    house.deal("anna bet 10")
    assert house.says("anna language it")
    last = house.do("anna cards").texts[-1]
    assert [str(choice) for choice in last.values["choices"]][:3] == ["fold", "raise (20)", "exchange 1 (10)"]
    assert not house.do("anna exchange 1").refused


@pytest.mark.parametrize("amount", [1, 50, 99, 100, 101, 1250, 100_000, 123_456_700, LARGEST])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_typed_amount_is_read_as_itself_in_every_language(amount, language):
    assert parse_amount(typed(amount), language) == amount
