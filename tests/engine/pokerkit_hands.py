"""pokerkit beside our games between players: it gets each event and checks it by its own rules."""

from collections import Counter
from functools import lru_cache
from typing import Any

from pokerkit import Automation, CombinationHand

from engine.events import Dealt, Paid

AUTOMATED = (
    Automation.ANTE_POSTING,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.BET_COLLECTION,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)


class Remembers(CombinationHand):
    """A cache of pokerkit's ranks, which it would compute again for every question; it makes the tests ten times
    faster.
    """

    @classmethod
    def from_game(cls, hole_cards, board_cards=()):
        hand = cls._rank(tuple(hole_cards), tuple(board_cards))
        if hand is None:
            raise ValueError("no such hand")
        return hand

    @classmethod
    @lru_cache(1000)
    def _rank(cls, hole_cards, board_cards):
        try:
            return super().from_game(hole_cards, board_cards)
        except ValueError:
            return None


class Explained(Exception):
    """The hands differ from here on, for a reason that has a clause."""


class Rival:
    """pokerkit's hand with the seats of ours."""

    def __init__(self, deal, state: Any):
        self.seats = [str(stake.seat) for stake in deal.stakes]
        self.state: Any = state  # `State` cannot say that a hand has a street

    def deal(self, event: Dealt):
        self.turn()
        if event.to == "board":
            self.deal_board(event.cards)
        else:
            self.state.deal_hole(event.cards[0], self.seats.index(event.to))

    def deal_board(self, cards):
        self.state.deal_board("".join(cards))

    def turn(self):
        """Return the player to act; all-in players have shown their cards by then."""
        while self.state.showdown_index is not None:
            self.state.show_or_muck_hole_cards(True)

    def stacks(self):
        self.turn()
        assert not self.state.status
        return dict(zip(self.seats, self.state.stacks, strict=True))


def our_stacks(deal, felt):
    stacks = {str(stake.seat): stake.stack for stake in deal.stakes}
    for (seat, _), amount in felt.staked.items():
        stacks[seat] -= amount
    for event in felt.events:
        if isinstance(event, Paid):
            stacks[event.seat] += event.amount
    return stacks


def before_pots(deal, felt):
    """(stacks, what each put into the pots): the uncalled bet has come back."""
    paid = {str(stake.seat): felt.staked.get((str(stake.seat), "pot"), 0) for stake in deal.stakes}
    stacks = {str(stake.seat): stake.stack - paid[str(stake.seat)] for stake in deal.stakes}
    for event in felt.events:
        if isinstance(event, Paid) and event.why == "uncalled":
            paid[event.seat] -= event.amount
            stacks[event.seat] += event.amount
    return stacks, paid


def give_to_first(stacks, winners, amount):
    """Split a pot as pokerkit does: all odd chips go to the first winner."""
    for seat in winners:
        stacks[seat] += amount // len(winners)
    if winners:
        stacks[winners[0]] += amount % len(winners)


def check_explained(seen: Counter[str], count, clauses, share=0.6):
    """All hands were compared, most without a difference, and the others differ only for these reasons."""
    assert sum(seen.values()) == count
    assert seen[""] > count * share, seen
    assert seen.keys() <= {"", *clauses}
