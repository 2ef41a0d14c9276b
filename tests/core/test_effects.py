"""Effects of an option on the bets: before and after, computed, and the effects that no edge shows."""

import re
from random import Random
from statistics import mean, stdev
from typing import Any

import pytest

from bot.cli.game_checks.random_hands import list_tables
from bot.core.commands.command import Beside
from bot.core.commands.counting import CountFault, here
from bot.core.guide import coach
from bot.games import PLUGINS
from bot.games.blackjack.card_counter import DEPTHS, GAINS, Gain, gain_of
from bot.games.caribbean.words import SHORT_RAISES, TOLD_GAINS
from bot.games.puntobanco.words import COUNTED_GAIN
from bot.texts import LANGUAGES, say
from bot.texts.games import GAME_TEXTS
from engine.cards import FRENCH
from engine.felt import Offer
from engine.games import ODDS
from engine.games.caribbean_odds import Chair, Unseen
from engine.games.puntobanco_odds import count_winners
from tests.core.conftest import BLACKJACK, CARIBBEAN, STUD, TABLES, UTH
from tests.counted import blackjack_counter, puntobanco_counter
from tests.counted import told_cards as measured
from tests.games.test_options_told import OPTIONS

NOTHING = "This does not change the odds."


def found(house, line, table):
    answer = house.do(f"insp {line}", table=table, sure=True)
    assert not answer.refused, answer
    return [str(text) for text in answer.found]


def test_it_is_told_before_and_after(house):
    assert found(house, "table set blackjack_pays 6:5 why", BLACKJACK) == [
        "The bet on a box, played perfectly: house edge 1.88 %, before 0.52 %."
    ]
    assert found(house, "table set decks 1 why", BLACKJACK)[0].endswith("house edge 1.43 %, before 1.88 %.")
    assert found(house, "table set nonqualify us why", UTH) == [
        "Ante and blind together, for each ante: house edge 2.18 %, before 15.67 %."
    ]


def test_what_changes_no_bet_and_what_nobody_has_counted_is_said(house):
    assert found(house, "table set squeeze off why", TABLES["paiju"]) == [NOTHING]
    assert found(house, "table set ante 1 why", STUD) == [NOTHING]
    (trips,) = found(house, "table set procedure manual why", UTH)
    assert trips == "Trips: not calculated for these options."
    assert found(house, "table set pace slow", UTH) == []  # no option of the game


def test_BJ7_a_shoe_dealt_to_three_quarters_is_told_to_pay_a_card_counter(house):
    (nothing, counter) = found(house, "table set penetration 75 why", BLACKJACK)
    assert nothing == NOTHING
    assert counter.startswith(
        "With 75 % of the shoe dealt, counting cards pays: betting 1,000 when the count is good and 10 otherwise "
        "wins about "
    )
    # The limits bound the player's choice.
    assert "counting cards" in found(house, "table set maximum 10 why", BLACKJACK)[-1]
    assert found(house, "table set penetration 0 why", BLACKJACK) == [NOTHING]
    assert "next to nothing" in found(house, "table set penetration 75 why", TABLES["puntobanco"])[-1]


def test_CS8_short_raises_are_told_to_cost_half_the_ante(house):
    said = found(house, "table set irregular_bets on why", CARIBBEAN)
    assert said[0] == NOTHING
    assert "wins about 50 % of each ante from the casino" in said[1]


def test_CS2_how_many_seats_there_are_is_told_with_what_they_gain_by_telling_each_other_their_cards(house):
    told = [found(house, f"table set seats {seats} why", CARIBBEAN) for seats in (1, 2, 7)]
    assert told[0] == ["A single seat knows no other cards (CS2)."]
    assert told[1] == [
        "2 seats that share all their cards gain about 0.70 % of an ante; 0.48 % house edge is left (CS2)."
    ]
    assert re.fullmatch(r"7 seats .* gain about 9\.\d+ % of an ante and win 8\.\d+ % \(CS2\)\.", told[2][0])
    assert found(house, "table set seats 3 why", UTH) == []


@pytest.mark.long
def test_CS2_the_gain_of_told_cards_is_as_measured_and_grows_with_the_seats():
    """The mean of twelve deals lies within their spread; without told cards there is no gain."""
    gains = list(TOLD_GAINS.values())
    assert gains == sorted(gains)
    again = measured.measure(12, Random(3))
    assert again.keys() == TOLD_GAINS.keys()
    assert all(-0.1 < again[seats] - gain < 0.3 for seats, gain in TOLD_GAINS.items())
    assert again[7] > again[2]


def test_CS19_what_is_set_at_the_meter_is_told_too(house):
    said = found(house, "meter set four 600 why", CARIBBEAN)
    assert said[0].startswith("A jackpot coin: house edge ")
    assert said[-1].startswith("Right after a restart, a coin has a house edge of ")
    assert found(house, "meter set reset 20000 why", CARIBBEAN)[0] == NOTHING


def test_a_table_that_is_opened_with_options_tells_what_they_do(house):
    (ante,) = found(house, "table open uth nonqualify us why", UTH)
    assert ante.endswith("house edge 2.18 %, before 15.67 %.")
    assert found(house, "table open uth", UTH) == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "option"), OPTIONS)
def test_for_each_value_of_each_option_every_bet_that_changes_is_told_in_every_language(game, option, language):
    usual = PLUGINS[game].game.options()
    for options in list_tables(game, option):
        said = coach.tell_effect(Beside(None, here), game, usual, options, None).texts  # type: ignore[arg-type]
        assert said
        assert all(say(text, language).strip() for text in said)
        if game not in ODDS:
            assert str(said[0]) == "Its effect on the house edge has not been calculated."
            continue
        before, after = (ODDS[game].edges(each, None) for each in (usual, options))
        changed = [name for name in after if after[name].edge != before[name].edge]
        for name, text in zip(changed, said, strict=False):
            assert say(text, language).startswith(say(GAME_TEXTS[game].bets[name], language))
        if not changed:
            assert say(said[0], "en") == NOTHING


def test_what_cannot_be_counted_in_time_is_said():
    def late(function: Any, *args: object) -> Any:
        raise CountFault("late")

    options = PLUGINS["uth"].game.options()
    (said,) = coach.tell_effect(Beside(None, late), "uth", options, options, None).texts  # type: ignore[arg-type]
    assert str(said) == "The odds could not be calculated just now. Try again in a moment."


@pytest.mark.long
def test_BJ7_the_gain_of_a_counter_is_measured_and_grows_with_the_depth():
    assert gain_of(0) is None
    assert gain_of(1) == GAINS[2500]
    assert gain_of(7500) == GAINS[7500]
    goods = [GAINS[depth].good for depth in DEPTHS]
    assert goods == sorted(goods)
    assert all(gain.bad < 0 < gain.good for gain in GAINS.values())
    again = blackjack_counter.measure(7500, 6000, Random(1))
    assert isinstance(again, Gain)
    assert again.bad <= 0 <= again.good


@pytest.mark.long
def test_PB1_who_knows_all_that_has_gone_from_a_shoe_gains_next_to_nothing():
    gains = puntobanco_counter.measure(8, Random(2))
    assert set(gains) == {"punto", "banco", "egalite", "pair-punto", "pair-banco"}
    assert sum(gains.values()) < COUNTED_GAIN
    full = [number * 6 for number in (16, 4, 4, 4, 4, 4, 4, 4, 4, 4)]
    wins = count_winners(full)
    assert wins["punto"] / sum(wins.values()) == pytest.approx(0.446247, abs=1e-4)


@pytest.mark.long
def test_CS8_what_short_raises_are_worth_is_as_counted():
    """The choices are a fold, a raise by one minor unit and one by twice the ante, over random hands."""
    random, nets = Random(8), list[float]()
    for _ in range(300):
        *own, up = random.sample(FRENCH, 6)
        chair = Chair(tuple(own), Unseen(up, [*own, up]), 1000, False, 0, 0)
        raised = max(chair.worth(Offer("raise"), stake) for stake in (1, 2000))
        nets.append(max(-1000.0, raised) / 10)
    assert mean(nets) == pytest.approx(SHORT_RAISES / 100, abs=4 * stdev(nets) / len(nets) ** 0.5)
