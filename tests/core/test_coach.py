"""/odds and /review: costs of a table's bets, values of choices, and losses by choices."""

import random
import re
from collections import Counter

import pytest

from bot.core.commands.counting import CountFault, Counting, here
from bot.core.commands.offers import as_typed
from bot.core.guide import coach
from bot.core.guide.coach import tell_bets
from bot.core.state.plays import PLAYS
from bot.texts import say
from bot.texts.games import GAME_TEXTS
from engine.advice import decision_of
from engine.games import GAMES, ODDS
from tests.core.conftest import STUD, TABLES
from tests.core.test_offers import BETS, asked, begin, offers


def texts(answer):
    return [say(text, "en") for text in answer.said]


@pytest.mark.long
@pytest.mark.parametrize("game", [game for game in PLAYS if game in ODDS])
def test_each_bet_that_the_odds_know_has_its_words(game):
    options = GAMES[game].parse_options({})
    assert set(ODDS[game].edges(options, None)) == set(GAME_TEXTS[game].bets)


def test_without_a_decision_the_bets_of_the_table_are_told_by_its_options(house):
    table = TABLES["puntobanco"]
    before = texts(house.do("anna odds", table=table))
    assert "A bet on banco: house edge 1.06 %." in before
    assert not house.do("insp table set egalite_pays 9 for a change", table=table).refused
    after = texts(house.do("anna odds", table=table))
    assert [line for line in after if line not in before] == ["A bet on égalité: house edge 4.93 %."]


def test_a_game_that_is_named_is_told_by_what_is_usual(house):
    assert "A bet on one position: house edge 1.45 %." in texts(house.do("anna odds paiju"))


def test_what_is_no_game_is_refused_in_a_sentence(house):
    assert house.do("anna odds whist").refused


@pytest.fixture
def dealt(house):
    """A Caribbean table: Anna and Bea have cards, and Anna must choose."""
    for line in ("anna cut moon", "anna bet 50", "bea bet 50", "anna ready", "bea ready"):
        assert not house.do(line).refused
    house.wait(21)
    return house


def test_in_a_hand_ones_own_choices_are_priced_the_best_first(dealt):
    told = texts(dealt.do("anna odds"))
    assert told[0] == "The value of each decision to the end of the hand, from the cards you see:"
    worth = {choice: float(net) for choice, _colon, net in (line.rpartition(": ") for line in told[1:])}
    assert worth["fold"] == -50
    assert set(worth) == {"fold", "raise (100)", *(f"exchange {card} (50)" for card in range(1, 6))}
    assert list(worth.values()) == sorted(worth.values(), reverse=True)


def test_they_are_told_to_them_alone_and_from_what_they_see(dealt):
    told = texts(dealt.do("anna odds"))
    cards = decision_of(dealt.table().round.hand, "1").cards
    assert [card for card in (*cards["2"], *cards["dealer"]) if card != "??"] == [cards["dealer"][4]]
    assert told != texts(dealt.do("bea odds"))


def test_an_inspector_may_keep_choices_from_being_priced_while_a_hand_runs(house):
    assert not house.do("insp table set coach off").refused
    house.do("anna bet 50")
    house.wait(21)
    assert house.table().round.hand.asks
    answer = house.do("anna odds")
    assert answer.refused
    assert "/review" in texts(answer)[0]


def test_between_players_nothing_is_told_while_the_hand_runs(house):
    for name in ("anna", "bea"):
        assert not house.do(f"{name} buyin 800", table=STUD).refused
    house.wait(30)
    (seat,) = house.table(STUD).round.hand.asks
    name = "anna" if seat in house.table(STUD).seats_played_by(house.player("anna")) else "bea"
    assert texts(house.do(f"{name} odds", table=STUD)) == [
        "Odds of hands between players are shown only after the hand. Use /review then."
    ]


def test_a_game_that_is_named_is_told_in_a_hand_as_well(dealt):
    assert "A bet on one position" in " ".join(texts(dealt.do("anna odds paiju")))


def asks(house, name, table):
    """Return the answer to /odds, and check that asking changes nothing."""
    at, chips = house.table(table), house.says(f"{name} balance")
    answer = house.do(f"{name} odds", table=table)
    assert house.table(table) == at
    assert house.says(f"{name} balance") == chips
    assert all(text.strip() for text in texts(answer))
    return texts(answer)


@pytest.mark.slow
@pytest.mark.parametrize("game", PLAYS)
def test_at_every_phase_of_every_game_odds_tells_ones_choices_or_the_bets_and_changes_nothing(house, game):
    table, chance, phases = TABLES[game], random.Random(game), Counter[str]()
    for _ in range(30):
        at = house.table(table)
        waiting = asked(house, table) if at.round.hand is not None else []
        bets = asks(house, "dora", table)
        for name in ("anna", "bea"):
            told = asks(house, name, table)
            seats = at.seats_played_by(house.player(name))
            own = next((seat for seat in seats if at.round.hand is not None and seat in at.round.hand.asks), None)
            phase = (
                "asked" if own is not None else "in the hand" if seats and at.round.hand is not None else "beside it"
            )
            phases[phase] += 1
            if own is None:
                assert told == bets
            elif ODDS[game].equity is not None:
                assert told == ["Odds of hands between players are shown only after the hand. Use /review then."]
            else:
                listed = [typed.verb for offer in at.round.hand.asks[own] if offer.listed for typed in as_typed(offer)]
                assert told[0].startswith("The value of each decision")
                assert Counter(re.split("[ :]", line)[0] for line in told[1:]) == Counter(listed)
        if not waiting:
            begin(house, table, chance, BETS.get(table, ["bet punto 10", "bet banco 10", "bet pair-punto 10"]))
            continue
        if table in BETS:
            name = chance.choice(waiting)
            words, _cost = chance.choice(offers(house, name, table))
            assert not house.do(f"{name} {words}", table=table, sure=True).refused
        else:
            house.wait(30)
    assert phases["beside it"]
    assert phases["asked"] or not GAMES[game].words


def test_a_review_tells_what_was_given_away_by_kind(dealt):
    dealt.do("anna fold")
    dealt.do("bea raise")
    dealt.wait(30)
    told = texts(dealt.do("anna review"))
    assert told[0] == "Your decisions compared with the best ones, from what you saw:"
    assert told[1].startswith("Hands: 1; decisions: 1; given away: ")
    assert [line.partition(":")[0] for line in told[2:]] == ["fold, where raise was best", "Most expensive decision"]


@pytest.mark.long
def test_a_review_tells_between_players_what_share_was_theirs_by_kind_of_choice(house):
    for name in ("anna", "bea"):
        assert not house.do(f"{name} buyin 800", table=STUD).refused
    house.wait(30)
    house.wait(4000)
    assert house.table(STUD).last is not None
    told = texts(house.do("anna review", table=STUD))
    assert told[1].startswith("Your average share of the pot, estimated")
    assert told[2:]
    assert all(re.fullmatch(r"[a-z-]+: \d+ %, \d+ times?", line) for line in told[2:])


def test_who_played_nothing_is_told_so(house):
    assert texts(house.do("anna review"))[1] == "There were no decisions in your latest hands here."


@pytest.mark.parametrize("many", ["0", "x", "1000"])
def test_a_review_is_of_so_many_hands(house, many):
    assert texts(house.do(f"anna review {many}")) == ["Enter a number of hands from 1 to 200, or session, or month."]


@pytest.mark.long
def test_a_review_is_of_a_session_or_a_month(dealt):
    """A session ends after some hours without a hand."""

    def looked_at(span):
        return texts(dealt.do(f"anna review {span}"))[1].partition(";")[0]

    dealt.do("anna fold")
    dealt.do("bea fold")
    dealt.wait(coach.PAUSE_S + 60)
    for _hand in range(2):
        dealt.do("anna bet 50")
        dealt.wait(21)
        dealt.do("anna fold")
    assert [looked_at(span) for span in ("session", "month", "20")] == ["Hands: 2", "Hands: 3", "Hands: 3"]
    dealt.wait(coach.MONTH_S - 3600)
    assert looked_at("month") == "Hands: 2"
    assert looked_at("Session") == "Hands: 2"


def test_a_review_says_how_many_hands_it_had_time_for(dealt, monkeypatch):
    monkeypatch.setattr(coach, "REVIEW_S", -1.0)
    dealt.do("anna fold")
    dealt.do("bea fold")
    assert texts(dealt.do("anna review"))[-1] == "This covers the latest 0 of 1 hands."


def test_what_cannot_be_counted_is_a_sentence_and_no_fault_of_a_hand(dealt):
    def fails(function, *args):
        raise CountFault("no answer within 10 s")

    dealt.writer.count = fails
    assert "The odds could not be calculated just now. Try again in a moment." in texts(dealt.do("anna odds"))
    assert dealt.table().round.hand is not None


def test_in_a_process_of_its_own_it_comes_to_the_same():
    counting, game = Counting(), "puntobanco"
    options = GAMES[game].parse_options({})
    try:
        assert list(tell_bets(counting, game, options, None)) == list(tell_bets(here, game, options, None))
    finally:
        counting.close()
