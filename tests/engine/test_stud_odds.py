"""Advice of `ridotto advise` at stud: a seat's share of the main pot against random hands (SH10, SH11)."""

import json
from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest

from engine.advice import advise_record, find_decisions
from engine.cards import FRENCH, HIDDEN, Card
from engine.equity import RANKED, Draw
from engine.felt import TIMEOUT, Deal, Move, Stake
from engine.games import stud_odds
from engine.games.stud import GAME
from engine.games.stud_odds import draws_of, equity, shares
from engine.hand import Hand
from engine.odds import Decision, seen
from engine.poker import key_of, low, rank
from engine.record import write_record

CALM = ("check", "call")


def deal_of(players: int, deck: Sequence[Card]) -> Deal:
    stakes = tuple(Stake(seat, f"player{seat}", {}, stack=100_000) for seat in range(1, players + 1))
    return Deal("stud", GAME.options(), stakes, tuple(deck))


def call_down(deal: Deal, folds: dict[str, int] | None = None) -> tuple[Hand, list[Move]]:
    """Keep everyone in, except those who fold after this many moves of their own."""
    hand, moves = Hand(deal), list[Move]()
    while hand.asks:
        seat, offers = next(iter(hand.asks.items()))
        words = [offer.word for offer in offers]
        folded = (folds or {}).get(seat) == sum(move.seat == seat for move in moves) and "fold" in words
        moves.append(Move(seat, "fold" if folded else next(word for word in words if word in CALM)))
        hand = hand.play(moves[-1])
    return hand, moves


def decisions_of(players: int, seed: int, folds: dict[str, int] | None = None) -> list[Decision]:
    deal = deal_of(players, Random(seed).sample(FRENCH, len(FRENCH)))
    return [asked.decision for asked in find_decisions(deal, call_down(deal, folds)[1])]


def share_of(own: list[Card], other: list[Card]) -> float:
    """Return the share of the first of two hands of seven."""
    half = (rank(own) > rank(other)) + (rank(own) == rank(other)) / 2
    mine, his = low(own), low(other)
    if mine is None and his is None:
        return half
    if mine is None or his is None:
        return (half + (his is None)) / 2
    return (half + (mine < his) + (mine == his) / 2) / 2


@pytest.mark.long
@pytest.mark.parametrize("seed", range(4))
def test_on_the_river_it_is_the_mean_over_all_hands_that_the_other_may_have(seed: int) -> None:
    decision = decisions_of(2, seed)[-1]
    own, other = decision.cards[decision.seat], decision.cards["1" if decision.seat == "2" else "2"]
    lie = [card for card in other if card != HIDDEN]
    unseen = [card for card in FRENCH if card not in own and card not in lie]
    shares = [share_of(list(own), [*lie, *three]) for three in combinations(unseen, 3)]
    assert equity(decision) == pytest.approx(sum(shares) / len(shares), abs=0.005)


@pytest.mark.slow
def test_on_sixth_street_both_hands_still_grow() -> None:
    decision = decisions_of(2, 3)[-3]
    own, other = decision.cards[decision.seat], decision.cards["1" if decision.seat == "2" else "2"]
    assert (len(own), len(other)) == (6, 6)
    lie = [card for card in other if card != HIDDEN]
    unseen = [card for card in FRENCH if card not in own and card not in lie]
    shares = [
        share_of([*own, one], [*lie, *three])
        for one in unseen
        for three in combinations([card for card in unseen if card != one], 3)
    ]
    assert equity(decision) == pytest.approx(sum(shares) / len(shares), abs=0.005)


# With eight players the deck cannot give everyone a seventh card: one serves all of them (SH4).
GROUPS = [(2, {}), (3, {}), (4, {"2": 0}), (8, {}), (8, {"1": 0, "2": 0, "4": 0})]


@pytest.mark.long
@pytest.mark.parametrize(("players", "folds"), GROUPS)
def test_a_deal_is_shared_as_the_rules_pay_its_main_pot(players: int, folds: dict[str, int]) -> None:
    """The later cards of each decision are dealt, and the pot is divided as by the script."""
    checked = 0
    for seed in range(20):
        deal = deal_of(players, Random(f"{players} {seed}").sample(FRENCH, len(FRENCH)))
        hand, moves = call_down(deal, folds)
        pot, lie = hand.facts["pots"][0], hand.felt.cards
        for asked in find_decisions(deal, moves):
            decision = asked.decision
            draws, shared = draws_of(decision)
            if len(draws) != len(pot["eligible"]):
                continue  # players who fold later are still in
            seats = sorted((str(stake.seat) for stake in deal.stakes), key=lambda seat: seat != decision.seat)
            seats = [seat for seat in seats if int(seat) in pot["eligible"]]
            come = [key_of(card) for card in lie.get("board", ())][:shared]
            for seat, draw in zip(seats, draws, strict=True):
                own = [key_of(card) for card in (*lie[seat], *(() if shared else lie.get("board", ())))]
                come += [key for key in own if key not in draw.known]
                assert len(own) == len(draw.known) + draw.more
            halves = [pot["high"], pot["low"] or pot["high"]]
            paid = sum((int(decision.seat) in half) / len(half) for half in halves) / 2
            assert list(shares(draws, [tuple(come)], shared)) == [paid]
            checked += 1
    assert checked >= 20 * players


@pytest.mark.long
def test_it_rests_on_nothing_that_the_seat_cannot_see() -> None:
    """Face-down cards and the deck are changed; the figure is the same to the last digit."""
    deal = deal_of(4, Random(8).sample(FRENCH, len(FRENCH)))
    moves = call_down(deal)[1][:6]
    decision = [asked.decision for asked in find_decisions(deal, moves)][-1]
    known = set(seen(decision))
    hidden = Random(1).sample(sorted(set(FRENCH) - known), len(FRENCH) - len(known))
    other = deal_of(4, [card if card in known else hidden.pop() for card in deal.deck])
    again = [asked.decision for asked in find_decisions(other, moves)][-1]
    assert other.deck != deal.deck
    assert equity(again) == equity(decision)


def test_cards_of_who_folded_that_lay_open_are_seen_and_the_others_are_not() -> None:
    decision = decisions_of(8, 8, {"1": 0, "2": 0, "4": 0})[-1]
    folded = [card for seat in ("1", "2", "4") for card in decision.cards[seat]]
    assert [card != HIDDEN for card in folded] == [False, False, True] * 3
    assert set(folded) - {HIDDEN} < set(seen(decision))
    assert len(draws_of(decision)[0]) == 5


def test_whose_time_ran_out_and_folded_is_out() -> None:
    deal = deal_of(3, Random(2).sample(FRENCH, len(FRENCH)))
    first = next(iter(Hand(deal).asks))
    by_time, by_word = ([Move(first, word)] for word in (TIMEOUT, "fold"))
    assert [len(draws_of(asked.decision)[0]) for asked in find_decisions(deal, by_time)] == [3, 2]
    assert [len(draws_of(asked.decision)[0]) for asked in find_decisions(deal, by_word)] == [3, 2]


@pytest.mark.long
def test_a_record_has_an_equity_for_each_decision_and_no_choices() -> None:
    deal = deal_of(2, Random(5).sample(FRENCH, len(FRENCH)))
    record = write_record(deal, call_down(deal)[1][:3])
    answer = advise_record(record)
    assert answer["method"] == "sampled"
    assert [(one["move"], one["taken"]) for one in answer["decisions"]] == [
        (0, "call"), (1, "check"), (2, "check"), (None, None)]  # fmt: skip
    assert all(list(one) == ["move", "seat", "equity", "best", "taken", "cost"] for one in answer["decisions"])
    assert all(one["best"] is one["cost"] is None for one in answer["decisions"])
    assert json.dumps(advise_record(record)) == json.dumps(answer)


@pytest.mark.long
def test_so_many_hands_are_ranked_for_a_figure_and_fewer_where_it_is_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """The effort is the same for any number of players; a player who can hardly lose on the river needs a part of
    it.
    """
    ranked: list[int] = []

    def count(draws: Sequence[Draw], deals: Sequence[tuple[int, ...]], shared: int) -> list[float]:
        ranked.append(len(draws) * len(deals))
        return list(shares(draws, deals, shared))

    monkeypatch.setattr(stud_odds, "shares", count)
    for players in (2, 8):
        ranked.clear()
        equity(decisions_of(players, 1)[0])
        assert RANKED <= sum(ranked) <= RANKED + 1000 * players
    ranked.clear()
    best, worst = "As Ac Ad Ah Ks Kc Kd".split(), "2c 3d 5h 7s 9c Jd Qh".split()
    deck = [card for pair in zip(best, worst, strict=True) for card in pair]
    moves = call_down(deal_of(2, deck))[1]
    last = list(find_decisions(deal_of(2, deck), moves))[-1].decision
    assert round(equity(last)) == (last.seat == "1")
    assert sum(ranked) < RANKED / 10
