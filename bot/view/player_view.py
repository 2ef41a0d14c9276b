"""The player view: a hand as one viewer sees it, from which games compute everything on a screen.

All comes from `Hand.view` and `Hand.cards`, so hidden cards are not in it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from bot.core.state.plays import PLAYS, Reveals
from bot.core.state.table import Table, owners_of
from engine.cards import HIDDEN, Card
from engine.events import Dealt, Event, Shown
from engine.hand import Hand, lay_out


@dataclass(frozen=True)
class PlayerView:
    """A hand as its viewer sees it. `options` are the table's.

    mine      keys of the viewer's own seats
    events    what the public knows
    cards     {owner: cards}, with the viewer's own
    hand      the whole hand: only its asks, its deal's options and its stakes are public
    owners    {key: player}, with the keys of bets behind a seat
    wagered   {key: {spot: amount}}, all stakes
    is_over   everything is revealed and paid; false while players reveal cards (PJ12)
    shown     cards that players showed after the hand (HE25), which `events` and `cards` include
    """

    hand: Hand
    owners: Mapping[str, int]
    mine: tuple[str, ...]
    events: Sequence[Event]
    cards: Mapping[str, Sequence[Card]]
    wagered: Mapping[str, Mapping[str, int]]
    is_over: bool
    shown: Sequence[Event] = ()

    @property
    def options(self) -> Any:
        return self.hand.deal.options

    def keys_at(self, seat: int) -> list[str]:
        """Return the seat's own key, then those of bets behind it."""
        return [key for key in self.owners if key.partition("/")[0] == str(seat)]


def view_hand(
    hand: Hand, viewer: int | None, turning: Mapping[str, int] | None = None, shown_seats: Sequence[str] = ()
) -> PlayerView:
    """Return a hand as the viewer sees it. `turning`: positions being revealed and their players (0: none yet);
    `shown_seats`: the seats whose cards were shown after it.
    """
    owners = owners_of(hand)
    mine = tuple(key for key, owner in owners.items() if owner == viewer)
    shown = [Shown(key, tuple(hand.cards(key)[key])) for key in shown_seats]
    events: Sequence[Event] = [*hand.view(None), *shown]
    cards: dict[str, list[Card]] = lay_out(events)
    for key in mine:
        cards |= {to: seen for to, seen in hand.cards(key).items() if to == key}
    if turning:
        # Neither a call nor a payment may reveal cards that are still face down.
        events = list(takewhile(lambda event: not isinstance(event, Dealt), events))
        own = {key: cards[key] for key in mine if key in cards}
        cards = _unturned(cards, viewer, turning, PLAYS[hand.deal.game].reveals) | own
    return PlayerView(hand, owners, mine, events, cards, hand.wagered(), hand.is_over and not turning, shown)


def hand_on(table: Table, viewer: int | None) -> PlayerView | None:
    """Return the hand on the table: the present one, or the last one until someone bets."""
    if table.round.hand is not None:
        return view_hand(table.round.hand, viewer, table.round.turning)
    return last_view(table, viewer) if not table.round.bets else None


def last_view(table: Table, viewer: int | None) -> PlayerView | None:
    """Return the last hand, if it is still known."""
    return view_hand(table.last, viewer, shown_seats=table.shown_seats) if table.last is not None else None


def _unturned(
    cards: Mapping[str, list[Card]], viewer: int | None, turning: Mapping[str, int], reveals: Reveals
) -> dict[str, list[Card]]:
    """Return the cards with unrevealed ones face down; those that are never revealed stay so to the end."""
    seen: dict[str, list[Card]] = {}
    is_due = True
    for step in reveals.steps:
        for turn in step:
            dealt = turn.of(cards)
            if is_due and turning.get(turn.position, viewer) == viewer:
                seen.setdefault(turn.to, []).extend(dealt)
            elif is_due or turn.first == 1:
                seen.setdefault(turn.to, []).extend([HIDDEN] * len(dealt))
        is_due = is_due and not any(turn.position in turning for turn in step)
    hands = {turn.to for turn in reveals.in_order}
    return {to: [HIDDEN] * len(lying) for to, lying in cards.items() if to not in hands} | seen
