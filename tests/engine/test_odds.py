"""Invariants of the odds of every game that has them, over random hands; nothing here knows a rule."""

from collections import Counter
from math import isfinite
from random import Random

import pytest

from bot.cli.game_checks.random_hands import play_at_random
from engine.advice import Asked, advise_record, decision_of, find_decisions
from engine.errors import IllegalMove
from engine.felt import Deal, Move, find_offer
from engine.games import GAMES, ODDS
from engine.hand import Hand
from engine.odds import choices_of, seen
from engine.record import play_record, write_record
from tests.engine.conformance import random_deal

ASKING = [name for name in ODDS if GAMES[name].words]
EVERY_GAME = pytest.mark.parametrize("game", ASKING)
# Games that deal each card once, so that a card identifies its place.
HIDING = [name for name in ASKING if len(set(deck := GAMES[name].full_deck(GAMES[name].options()))) == len(deck)]
HANDS = 5
MANY = 1000


def some_decision(game: str, random: Random) -> tuple[Deal, list[Move], Asked]:
    """Return a decision in a random hand after some of its moves."""
    while True:
        deal = random_deal(game, random)
        *_, last = play_at_random(deal, random)
        moves = list(last.moves[: random.randint(0, len(last.moves))])
        if asked := list(find_decisions(deal, moves)):
            return deal, moves, random.choice(asked)


def answer_of(game: str, asked: Asked) -> object:
    odds = ODDS[game]
    return odds.equity(asked.decision) if odds.equity else odds.values(asked.decision)


@pytest.mark.long
@EVERY_GAME
def test_every_choice_that_is_proposed_has_a_value_and_no_other(game: str) -> None:
    random = Random(f"choices {game}")
    for _ in range(HANDS):
        _, _, asked = some_decision(game, random)
        values = ODDS[game].values(asked.decision)
        assert list(values) == ([] if ODDS[game].equity else choices_of(asked.decision.offers))
        assert all(isinstance(value, float) and isfinite(value) for value in values.values())


@pytest.mark.long
@pytest.mark.parametrize("game", HIDING)
def test_nothing_rests_on_cards_that_the_seat_cannot_see(game: str) -> None:
    """Every card that it has not seen swaps places with another one; the answer is the same to the last digit."""
    random, checked = Random(f"hidden {game}"), 0
    while checked < 3:
        deal, moves, asked = some_decision(game, random)
        known = set(seen(asked.decision))
        hidden = random.sample([card for card in deal.deck if card not in known], len(deal.deck) - len(known))
        other = deal._replace(deck=tuple(card if card in known else hidden.pop() for card in deal.deck))
        before = moves if asked.index is None else moves[: asked.index]
        try:
            Hand(other, before)
        except IllegalMove:
            continue  # someone else named a card that they no longer have
        again = [each for each in find_decisions(other, before) if each.decision.seat == asked.decision.seat][-1]
        assert other.deck != deal.deck
        assert answer_of(game, again) == answer_of(game, asked)
        checked += 1


def with_others_hidden(deal: Deal, asked: Asked, random: Random) -> Deal | None:
    """Return the same deal with all cards that the seat has not seen moved; None if there are none.

    With distinct cards a card identifies its place; of a shoe dealt from its top, everything that left it is seen.
    """
    known, deck = seen(asked.decision), list(deal.deck)
    if len(set(deck)) == len(deck):
        places = [place for place, card in enumerate(deck) if card not in known]
    else:
        assert Counter(deck[: len(known)]) == Counter(known)
        places = list(range(len(known), len(deck)))
    cards = [deck[place] for place in places]
    for place, card in zip(places, random.sample(cards, len(cards)), strict=True):
        deck[place] = card
    return deal._replace(deck=tuple(deck)) if tuple(deck) != tuple(deal.deck) else None


def made_alike(deal: Deal, other: Deal, moves: list[Move]) -> list[Move]:
    """Return the same choices as everyone saw them: a choice that named the card at a place names the new one there."""
    one, two, made = Hand(deal), Hand(other), list[Move]()
    for move in moves:
        offer = find_offer(one.asks.get(move.seat, ()), move)
        if offer is not None and offer.public is not None:
            same = (each for each in two.asks[move.seat] if (each.word, each.public) == (offer.word, offer.public))
            move = move._replace(argument=next(same).argument)
        one, two = one.play(moves[len(made)]), two.play(move)
        made.append(move)
    return made


@pytest.mark.exhaustive
@EVERY_GAME
def test_of_a_thousand_decisions_each_is_the_same_whatever_lies_where_its_seat_does_not_see_it(game: str) -> None:
    """The seen decision is all that a value depends on; some decisions are also valued."""
    random, checked = Random(f"unseen {game}"), 0
    while checked < MANY:
        deal = random_deal(game, random)
        *_, last = play_at_random(deal, random)
        moves = list(last.moves)
        found = [each for each in find_decisions(deal, moves) if each.index is not None]
        for asked in random.sample(found, min(len(found), 20)):
            other = with_others_hidden(deal, asked, random)
            if other is None:
                continue
            hand = Hand(other, made_alike(deal, other, moves[: asked.index]))
            again = decision_of(hand, asked.decision.seat)
            assert again == asked.decision
            checked += 1
            if checked % 100 == 0:
                assert answer_of(game, Asked(again)) == answer_of(game, asked)


@pytest.mark.long
@EVERY_GAME
def test_advice_on_a_whole_record_has_a_best_choice_that_costs_nothing_more_than_the_one_taken(game: str) -> None:
    random = Random(f"advice {game}")
    deal, moves, _ = some_decision(game, random)
    record = write_record(deal, moves)
    answer, replayed = advise_record(record), play_record(record)
    assert answer["method"] == ("sampled" if ODDS[game].equity else "exact")
    still_open = [one["seat"] for one in answer["decisions"] if one["move"] is None]
    assert sorted(still_open) == sorted(replayed["asks"])
    for one in answer["decisions"]:
        if one["best"] is not None:
            assert one["choices"][one["best"]] == max(one["choices"].values())
            assert one["cost"] is None or one["cost"] >= 0
            assert (one["cost"] is None) == (one["taken"] is None)
