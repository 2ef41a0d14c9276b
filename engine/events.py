"""The few frozen facts that a hand leaves, in order. Who may see what of them is decided here, once for all games.

A seat is named by its number as text ("1"); a co-player of black jack by seat and name ("1/bea"); the house's own hands
are "dealer", "bank", "board", "east".
"""

from typing import NamedTuple

from engine.cards import HIDDEN, Card


class Placed(NamedTuple):
    """A bet that lay there before the first card; the books have taken it already."""

    seat: str
    spot: str
    amount: int


class Called(NamedTuple):
    """A call of the dealer (G7): "prego", "no more bets", "turn"..."""

    call: str


class Rolled(NamedTuple):
    """The dice that fall before the cards (PJ5)."""

    dice: tuple[int, int]


class Dealt(NamedTuple):
    """Cards for `to`, who sees them all; everybody sees those whose `up` is true."""

    to: str
    cards: tuple[Card, ...]
    up: tuple[bool, ...]

    def seen_by(self, viewer: str | None) -> "Dealt":
        if viewer == self.to or all(self.up):
            return self
        return self._replace(cards=tuple(c if up else HIDDEN for c, up in zip(self.cards, self.up, strict=True)))


class Shown(NamedTuple):
    """Cards of `to`, which all lie face up now."""

    to: str
    cards: tuple[Card, ...]


class Turned(NamedTuple):
    """Some cards of `to` turned face up, from the one at `position` (from 1) on; the others lie as they lay."""

    to: str
    position: int
    cards: tuple[Card, ...]


class Opened(NamedTuple):
    """First seat to act in a betting round, and why (SH5): `shows` is the card or the hand that decided.

    `instead_of` is the seat that should have opened and has no chips.
    """

    seat: str
    why: str
    shows: str
    instead_of: str = ""


class Moved(NamedTuple):
    """A player's move. `played` is what a time-out played; `public` is how others see a secret argument."""

    seat: str
    word: str
    argument: str = ""
    played: str = ""
    public: str | None = None

    def seen_by(self, viewer: str | None) -> "Moved":
        if self.public is None or viewer == self.seat:
            return self
        return self._replace(argument=self.public)


class Staked(NamedTuple):
    """More money on a spot during the hand: the books take it with the move that caused it."""

    seat: str
    spot: str
    amount: int


class Exchanged(NamedTuple):
    """The card at `position` (from 1) left for a new one; others see only the position (CS6)."""

    seat: str
    position: int
    gone: Card
    card: Card

    def seen_by(self, viewer: str | None) -> "Exchanged":
        return self if viewer == self.seat else self._replace(gone=HIDDEN, card=HIDDEN)


class Split(NamedTuple):
    """The second card of `hand` left it and begins the hand `into`, beside it on the same seat (BJ11)."""

    seat: str
    hand: str
    into: str


class Declared(NamedTuple):
    """A royal or straight flush, told when the cards are turned (CS22)."""

    seat: str
    rank: str


class Won(NamedTuple):
    """A prize of the progressive: the engine says who and which, the books say how much (CS20)."""

    seat: str
    prize: str


class Paid(NamedTuple):
    """Payment of a spot: 0 for a loss, the stake for a push, stake and winnings for a win.

    `why` is a word for the reason, `hand` the rank or total that decided, `odds` the payout to one; `on` names the seat
    whose cards decided, where a seat plays several hands: its spot is then paid once for each. `stake` is the bet
    on the spot; `pot` counts the pots in the order of payment, the main pot as 0.
    """

    seat: str
    spot: str
    amount: int
    why: str
    clause: str
    hand: str = ""
    odds: tuple[int, int] | None = None
    on: str = ""
    stake: int = 0
    pot: int = 0


class Voided(NamedTuple):
    """Every stake goes back (G6)."""


Event = (
    Placed
    | Called
    | Rolled
    | Dealt
    | Shown
    | Turned
    | Opened
    | Moved
    | Staked
    | Exchanged
    | Split
    | Declared
    | Won
    | Paid
    | Voided
)


def seen_by(event: Event, viewer: str | None) -> Event:
    """Return an event as `viewer` may know it: a seat, or None for the public."""
    if isinstance(event, Dealt | Moved | Exchanged):
        return event.seen_by(viewer)
    return event
