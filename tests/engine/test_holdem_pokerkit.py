"""Hold'em hands compared with pokerkit: the same player to act, the same price, the same range, the same chips.

pokerkit has known differences, each of which a rule explains:

    HE12   it asks for a check that can change nothing, because all others are all-in; here it checks and goes on
    HE15   it takes a street's first short all-in for a full bet, which reopens the betting
    HE16   it does not add up several short all-ins
    HE20   it does not count the big blind as the first of four bets
    HE21   in fixed-limit it takes a short all-in for a bet, and the next raise goes a full bet above it
    HE29   it merges pots when hands are killed, and gives all odd chips to one player

A hand goes on after a difference as long as pokerkit can follow it.

It has no posts of returning players, and lets others call less than the big blind where that is short (HE12); no hand
here has either.
"""

from collections import Counter
from random import Random

import pytest
from pokerkit import BettingStructure, Deck, Opening, StandardHighHand, State, Street

from engine.cards import FRENCH
from engine.events import Called, Dealt, Moved
from engine.felt import Deal, Move, Stake
from engine.games import GAMES
from engine.games.holdem import EACH, FIXED_LIMIT, NO_LIMIT, POT_LIMIT, PRE_FLOP
from engine.hand import run
from engine.poker import rank
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

HOLDEM = GAMES["holdem"]
STRUCTURES = {
    NO_LIMIT: BettingStructure.NO_LIMIT,
    POT_LIMIT: BettingStructure.POT_LIMIT,
    FIXED_LIMIT: BettingStructure.FIXED_LIMIT,
}
BETS = ("bet", "raise")
EXPLAINED = ("HE16", "HE21", "HE29")


class High(Remembers, StandardHighHand):
    pass


def pokerkit_state(options, stacks):
    """Return pokerkit's hold'em without burn cards."""
    is_fixed = options.betting == FIXED_LIMIT
    streets = [
        Street(
            False,
            (False, False) if street == 0 else (),
            (0, 3, 1, 1)[street],
            False,
            Opening.POSITION,
            options.big_blind * (2 if is_fixed and street > 1 else 1),
            4 if is_fixed else None,
        )
        for street in range(4)
    ]
    from_each = options.ante_from == EACH
    return State(
        AUTOMATED,
        Deck.STANDARD,
        (High,),
        tuple(streets),
        STRUCTURES[options.betting],
        from_each,
        (options.ante,) * len(stacks) if from_each else {1: options.ante},
        (options.small_blind, options.big_blind),
        0,
        stacks,
        len(stacks),
    )


class HoldemRival(Rival):
    """`short` counts the all-ins of this street that were less than a full bet or raise."""

    def __init__(self, deal):
        super().__init__(deal, pokerkit_state(deal.options, [stake.stack for stake in deal.stakes]))
        self.options = deal.options
        self.street, self.short, self.is_first_short, self.bets = PRE_FLOP, 0, False, 1

    def begin(self, street):
        self.catch_up()
        self.street, self.short, self.is_first_short, self.bets = street, 0, False, 0

    def deal(self, event):
        self.catch_up()
        super().deal(event)

    def catch_up(self, seat=""):
        """Check for the players whom pokerkit asks and who can change nothing (HE12)."""
        state = self.state
        while state.actor_index is not None and self.seats[state.actor_index] != seat:
            others = [i for i, is_in in enumerate(state.statuses) if is_in and i != state.actor_index]
            assert state.checking_or_calling_amount == 0
            assert not any(state.stacks[i] for i in others)
            state.check_or_call()

    def ask(self, seat, offers):
        self.catch_up(seat)
        state, by_word = self.state, {offer.word: offer for offer in offers}
        index = state.actor_index
        assert index == self.seats.index(seat)
        assert state.checking_or_calling_amount == (by_word["call"].stake if "call" in by_word else 0)
        bet = next((by_word[word] for word in BETS if word in by_word), None)
        theirs = (
            state.min_completion_betting_or_raising_to_amount,
            state.max_completion_betting_or_raising_to_amount,
        )
        if bet is None:
            ours = (None, None)
        elif bet.most:
            ours = (bet.least, bet.most)
        else:
            ours = (state.bets[index] + bet.stake,) * 2
        self.clause = "" if ours == theirs else self.explain(ours, theirs)

    def explain(self, ours, theirs):
        """The clause for which the offers differ."""
        if self.options.betting == FIXED_LIMIT:
            if self.street == PRE_FLOP and self.bets == 4 and ours == (None, None):
                return "HE20"
            assert self.short, (ours, theirs)
            return "HE21"
        assert self.short, (ours, theirs)
        if self.is_first_short and ours == (None, None):
            return "HE15"
        assert self.short > 1, (ours, theirs)
        return "HE16"

    def move(self, choice, offer):
        state = self.state
        if choice.word == "fold":
            state.fold()
        elif choice.word in BETS:
            index, level = state.actor_index, max(state.bets)
            to = int(choice.argument) if offer.most else state.bets[index] + offer.stake
            full = max(
                state.street.min_completion_betting_or_raising_amount, state.completion_betting_or_raising_amount
            )
            if to - level < full:
                self.is_first_short |= not state.completion_status
                self.short += 1
            self.bets += 1
            if self.clause and not state.can_complete_bet_or_raise_to(to):
                raise Explained(self.clause)
            state.complete_bet_or_raise_to(to)
        else:
            state.check_or_call()

    def stacks(self):
        self.catch_up()
        return super().stacks()


def play_both(deal, choose):
    """Return (our table, pokerkit's stacks, or the clause of a difference)."""
    asked = []

    def remember(seat, offers, cards):
        asked.append(offers)
        return choose(offers, seat)

    felt = run(deal, remember)
    rival, left = HoldemRival(deal), iter(asked)
    try:
        for event in felt.events:
            if isinstance(event, Called) and event.call != "showdown":
                rival.begin(event.call)
            elif isinstance(event, Dealt):
                rival.deal(event)
            elif isinstance(event, Moved):
                offers = next(left)
                rival.ask(event.seat, offers)
                rival.move(event, next(offer for offer in offers if offer.word == event.word))
    except Explained as explained:
        return felt, str(explained)
    return felt, rival.stacks()


def pokerkit_way(deal, felt):
    """Return pokerkit's payments for the showdown (HE29)."""
    stacks, paid = before_pots(deal, felt)
    hands, dead = felt.facts["hands"], 0
    if deal.options.ante_from != EACH:
        seat = str(deal.stakes[0 if len(deal.stakes) == 2 else 1].seat)
        dead = deal.options.ante
        paid[seat] -= dead
    live = [seat for seat in stacks if hands[seat]["result"] == "win"]
    ranked = {seat: rank(felt.cards[seat] + felt.cards["board"]) for seat in live}
    for amount, eligible in split_pots(paid, live, dead):
        best = max(ranked[seat] for seat in eligible)
        give_to_first(stacks, [seat for seat in eligible if ranked[seat] == best], amount)
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
    assert pokerkit_way(deal, felt) == theirs, f"unexplained: {ours} {theirs} {felt.events}"
    return "HE29"


def deal_at(random, options, most):
    """Stacks from one chip on; that of the big blind pays blind and ante."""
    players = random.randint(2, 9)
    big = 0 if players == 2 else 1
    stakes = [Stake(seat, f"player{seat}", {}, stack=random.randint(1, most)) for seat in range(1, players + 1)]
    forced = options.big_blind + options.ante
    stakes[big] = Stake(big + 1, f"player{big + 1}", {}, stack=forced + random.randint(0, most))
    return Deal("holdem", options, tuple(stakes), tuple(random.sample(FRENCH, 52)))


def choose_with(random):
    """Seldom a fold; amounts at the ends of the range, near its least and anywhere in it."""

    def choose(offers, seat):
        (offer,) = random.choices(offers, [1 if offer.word == "fold" else 4 for offer in offers])
        if not offer.most:
            return Move(seat, offer.word)
        near = min(offer.most, offer.least + random.randint(0, 400))
        anywhere = random.randint(offer.least, offer.most)
        return Move(seat, offer.word, str(random.choice([offer.least, offer.least, near, near, anywhere, offer.most])))

    return choose


def compare_hands(betting, count, seed):
    random = Random(f"{betting} {seed}")
    tables = [
        HOLDEM.parse_options({"betting": betting} | more)
        for more in ({}, {"small_blind": 67}, {"ante": 25}, {"ante": 200, "ante_from": "big-blind"})
    ]
    seen: Counter[str] = Counter()
    for i in range(count):
        # Deep stacks, and short ones, where much is all-in.
        deal = deal_at(random, tables[i % 4], random.choice((600, 4000, 40_000)))
        seen[compare(deal, choose_with(random))] += 1
    return seen


@pytest.mark.parametrize("betting", STRUCTURES)
def test_hands_pay_what_pokerkit_pays(betting):
    check_explained(compare_hands(betting, 300, seed=1), 300, EXPLAINED)


@pytest.mark.exhaustive
@pytest.mark.parametrize("part", range(10))
@pytest.mark.parametrize("betting", STRUCTURES)
def test_a_hundred_thousand_hands_of_each_structure_pay_what_pokerkit_pays(betting, part):
    check_explained(compare_hands(betting, 10_000, seed=100 + part), 10_000, EXPLAINED)
