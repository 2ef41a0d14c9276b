"""A hand as one viewer sees it, and how a game tells the screens about itself.

Everything comes from `Hand.view` and `Hand.cards`: what the viewer may not see is not here.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bot.floor.table import Table, owners_of
from bot.screens import Pile
from bot.texts import Text
from engine.cards import HIDDEN, Card
from engine.events import Dealt, Event, Moved, Paid, Shown
from engine.felt import TIMEOUT, VOID
from engine.hand import Hand, lay_out

# What a seat did last, as a state.
STATES = {
    "raise": "raised",
    "fold": "folded",
    "exchange": "exchanged",
    "check": "checked",
    "play": "played",
    "call": "called",
    "bet": "has bet",
    "complete": "completed",
    "bring-in": "brought in",
    "hit": "drew",
    "stand": "stands",
    "double": "doubled",
    "split": "has split",
    "insure": "insured",
    "decline": "declined",
    "stay": "stays",
}


@dataclass(frozen=True)
class Sight:
    """`events` as the public knows them; `cards` with the viewer's own, whose seats are `mine`.

    `is_over`: everything is turned and paid. A hand of paiju whose cards are still being turned is not (PJ12).
    """

    hand: Hand
    owners: Mapping[str, int]
    mine: tuple[str, ...]
    events: Sequence[Event]
    cards: Mapping[str, Sequence[Card]]
    wagered: Mapping[str, Mapping[str, int]]
    is_over: bool

    @property
    def options(self) -> Any:
        return self.hand.deal.options

    def keys_at(self, seat: int) -> list[str]:
        """The seat's own key, then those of who bets behind it."""
        return [key for key in self.owners if key.partition("/")[0] == str(seat)]


def look_at(hand: Hand, viewer: int | None, turning: Mapping[str, int] | None = None) -> Sight:
    """`turning`: the positions of paiju that players turn themselves, and who they are."""
    owners = owners_of(hand)
    mine = tuple(key for key, owner in owners.items() if owner == viewer)
    events: Sequence[Event] = hand.view(None)
    cards: dict[str, list[Card]] = lay_out(events)
    for key in mine:
        cards |= {to: seen for to, seen in hand.cards(key).items() if to == key}
    if turning:
        # PJ6: the bank's hand comes last, and nothing is paid before.
        events = [event for event in events if not isinstance(event, Dealt | Shown | Paid)]
        hidden = {"east", *(position for position, player in turning.items() if player != viewer)}
        cards |= {to: [HIDDEN] * len(cards[to]) for to in hidden}
    return Sight(hand, owners, mine, events, cards, hand.wagered(), hand.is_over and not turning)


def hand_on(table: Table, viewer: int | None) -> Sight | None:
    """The hand that lies on the table: played now, or the last one until somebody bets."""
    if table.play is not None:
        return look_at(table.play, viewer, table.turning)
    return look_at(table.last, viewer) if table.last is not None and not table.bets else None


def states_of(sight: Sight) -> dict[str, str]:
    """{key: what it did last}, time-outs as the move that they played."""
    states = {}
    for event in sight.events:
        if isinstance(event, Moved) and event.word != VOID:
            word = event.played if event.word == TIMEOUT else event.word
            states[event.seat] = STATES.get(word, "away")
    return states


class Look(NamedTuple):
    """What differs from game to game.

    house     the bank's piles
    piles     a seat's own piles
    worth     what a seat's cards are worth, if all of them are seen
    result    a finished hand in one line
    holds     what more a player should know of the hand that he holds
    opening   how the dealer opens the bets, in the language of the house (G7)
    """

    house: Callable[[Sight], tuple[Pile, ...]]
    piles: Callable[[Sight, str], tuple[Pile, ...]]
    worth: Callable[[Sight, str], Text | None]
    result: Callable[[Sight], Text]
    holds: Callable[[Sight, str], tuple[Text, ...]] = lambda sight, key: ()
    opening: str = "Fate il vostro gioco"
