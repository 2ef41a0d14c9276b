"""Stud hands compared with pokerkit: the same chips, or a difference that a rule explains.

pokerkit has three known differences, each reproduced here to the chip:

    SH4    it deals folded cards again before it turns a community card
    SH9    a short all-in raise counts as a bet, and the next raise goes a full bet above it
    SH11   it halves a pot whose possible winners have no low if someone else has one, and removes players who win
           nothing from the pots first, so that some are merged and have fewer odd chips
"""

from collections import Counter
from random import Random

import pytest
from pokerkit import BettingStructure, Deck, EightOrBetterLowHand, Opening, StandardHighHand, State, Street

from engine.cards import FRENCH
from engine.events import Dealt, Moved, Opened, Staked
from engine.felt import Deal, Move, Stake
from engine.games import GAMES
from engine.games.stud import StudOptions
from engine.hand import run
from engine.poker import rank_and_low
from engine.pots import split_pots
from tests.engine.pokerkit_hands import (
    AUTOMATED,
    Explained,
    Remembers,
    Rival,
    before_pots,
    check_explained,
    give_to_first,
    our_stacks,
)

STUD = GAMES["stud"]
BETS = ("complete", "bet", "raise")


class High(Remembers, StandardHighHand):
    pass


class Low(Remembers, EightOrBetterLowHand):
    pass


def pokerkit_state(options, stacks):
    """Return pokerkit's fixed-limit stud hi/lo without burn cards."""
    deals = [(False, False, True), (True,), (True,), (True,), (False,)]
    limits = [options.lower] * 2 + [options.upper] * 3
    openings = [Opening.LOW_CARD] + [Opening.HIGH_HAND] * 4
    streets = [
        Street(False, up, 0, False, opening, limit, 4)
        for up, opening, limit in zip(deals, openings, limits, strict=True)
    ]
    return State(
        AUTOMATED,
        Deck.STANDARD,
        (High, Low),
        tuple(streets),
        BettingStructure.FIXED_LIMIT,
        True,
        (options.ante,) * len(stacks),
        (0,) * len(stacks),
        options.lower // 2,
        stacks,
        len(stacks),
    )


class StudRival(Rival):
    def __init__(self, deal):
        super().__init__(deal, pokerkit_state(deal.options, [stake.stack for stake in deal.stakes]))
        self.short = False

    def deal_board(self, cards):
        if not any(self.state.board_dealing_counts):
            raise Explained("SH4")
        super().deal_board(cards)

    def open(self, event):
        """Begin a round, in which no bet has been short yet."""
        self.short = False
        assert self.state.actor_index == self.seats.index(event.seat)

    def bring_in(self, amount):
        assert self.state.effective_bring_in_amount == amount
        self.state.post_bring_in()

    def ask(self, seat, offers):
        """Check that the same bet is on offer, or none."""
        state, stakes = self.state, {offer.word: offer.stake for offer in offers}
        index = state.actor_index
        assert index == self.seats.index(seat)
        assert state.checking_or_calling_amount == stakes.get("call", 0)
        ours = next((state.bets[index] + stakes[word] for word in BETS if word in stakes), None)
        theirs = state.min_completion_betting_or_raising_to_amount
        if ours != theirs:
            assert self.short, (ours, theirs)
            raise Explained("SH9")

    def move(self, word):
        state = self.state
        if word == "fold":
            state.fold()
        elif word in BETS:
            to = state.min_completion_betting_or_raising_to_amount
            raised = to if state.completion_status else to - max(state.bets)
            self.short |= raised < state.street.min_completion_betting_or_raising_amount
            state.complete_bet_or_raise_to(to)
        else:
            state.check_or_call()


def play_both(deal, choose):
    """Return (our table, pokerkit's stacks, or the clause of a difference)."""
    asked = []

    def remember(seat, offers, cards):
        asked.append(offers)
        return choose(offers, seat)

    felt = run(deal, remember)
    rival, offers, brings_in = StudRival(deal), iter(asked), False
    try:
        for event in felt.events:
            if isinstance(event, Dealt):
                rival.deal(event)
            elif isinstance(event, Opened):
                rival.open(event)
                brings_in = rival.state.street_index == 0
            elif isinstance(event, Staked) and brings_in:
                rival.bring_in(event.amount)
                brings_in = False
            elif isinstance(event, Moved):
                rival.ask(event.seat, next(offers))
                rival.move(event.word)
    except Explained as explained:
        return felt, str(explained)
    return felt, rival.stacks()


def pokerkit_way(deal, felt, *, merges, halves):
    """Return pokerkit's payments: with merged pots, with halved pots that have no low, or with neither."""
    stacks, paid = before_pots(deal, felt)
    hands, board = felt.facts["hands"], felt.facts.get("board", [])
    live = [seat for seat in stacks if hands[seat]["result"] in (("win",) if merges else ("win", "lose"))]
    ranked = {seat: rank_and_low(felt.cards[seat] + board) for seat in live}
    somebody_low = any(low for _, low in ranked.values())
    for amount, eligible in split_pots(paid, live):
        best = max(ranked[seat][0] for seat in eligible)
        lows = {seat: found for seat in eligible if (found := ranked[seat][1])}
        low = [seat for seat in lows if lows[seat] == min(lows.values())]
        if halves and somebody_low:
            low = low or eligible
        low_half = amount // 2 if low else 0
        high = [seat for seat in eligible if ranked[seat][0] == best]
        for winners, half in ((high, amount - low_half), (low, low_half)):
            give_to_first(stacks, winners, half)
    return stacks


def compare(deal, choose):
    """Return the clause that explains a difference, "" for none; fail if no clause does."""
    felt, theirs = play_both(deal, choose)
    if isinstance(theirs, str):
        return theirs
    ours = our_stacks(deal, felt)
    assert sum(ours.values()) == sum(stake.stack for stake in deal.stakes)
    if ours == theirs:
        return ""
    explanations = {"SH11 low": (False, True), "SH11 odd": (True, False), "SH11 both": (True, True)}
    for clause, (merges, halves) in explanations.items():
        if pokerkit_way(deal, felt, merges=merges, halves=halves) == theirs:
            return clause
    raise AssertionError(f"unexplained: {ours} {theirs} {felt.events}")


def deal_at(random, players, options, most):
    stakes = tuple(Stake(seat, f"player{seat}", {}, stack=random.randint(1, most)) for seat in range(1, players + 1))
    return Deal("stud", options, stakes, tuple(random.sample(FRENCH, 52)))


def compare_showdowns(count, seed):
    """Compare hands in which everyone is all-in with the ante, so that many side pots meet every kind of hand."""
    random, options = Random(seed), STUD.parse_options({"ante": 1000})
    players = [min(random.randint(2, 8), random.randint(2, 8)) for _ in range(count)]
    return Counter(compare(deal_at(random, n, options, random.choice((40, 1000))), None) for n in players)


def compare_hands(count, seed):
    random = Random(seed)

    def choose(offers, seat):
        weights = [1 if offer.word == "fold" else 4 for offer in offers]
        return Move(seat, random.choices(offers, weights)[0].word)

    tables = [StudOptions(), StudOptions(lower=50), StudOptions(lower=30, upper=70, ante=3)]
    seen: Counter[str] = Counter()
    for i in range(count):
        options = tables[i % 3]
        # Deep stacks, where betting goes to its caps, and short ones, where much is all in.
        most = options.lower * random.choice((6, 20, 100))
        seen[compare(deal_at(random, random.randint(2, 8), options, most), choose)] += 1
    return seen


EXPLAINED = ("SH4", "SH9", "SH11 low", "SH11 odd", "SH11 both")


@pytest.mark.slow
def test_showdowns_pay_what_pokerkit_pays():
    check_explained(compare_showdowns(300, seed=1), 300, EXPLAINED)


@pytest.mark.long
def test_whole_hands_pay_what_pokerkit_pays():
    check_explained(compare_hands(150, seed=1), 150, EXPLAINED)


@pytest.mark.exhaustive
def test_twenty_thousand_showdowns_pay_what_pokerkit_pays():
    check_explained(compare_showdowns(20_000, seed=2), 20_000, EXPLAINED)


@pytest.mark.exhaustive
def test_two_thousand_whole_hands_pay_what_pokerkit_pays():
    check_explained(compare_hands(2_000, seed=2), 2_000, EXPLAINED)
