"""What is to be seen: a table as one viewer may see it, free of platform and language.

A `Screen` is data made of texts, cards and amounts; `bot.texts` puts it into words, each platform draws it its own way.
The public's screen (`viewer` None) and a player's own differ in what `Hand.view` shows and in who may press what.
"""

from typing import NamedTuple

from msgspec import Struct

from bot.texts import Text
from engine.felt import Amount


class Button(NamedTuple):
    """One press: a command that a person could type as well. `fresh` guards against presses on an older state.

    kind    bet, move, ahead, quiet; `cost` what it takes from the wallet, 0 for nothing (`label` says it too)
    ask     the press needs an amount or a text that the person types, as further `args`: what may be typed, and how
    card    the position (from 1) of the viewer's own card that it is about, 0 for none
    spot    where a bet goes (an area, a side bet), in the order of the amounts for each spot
    amount  what a bet puts there; it costs more where another bet follows it (UT2)
    """

    label: Text
    verb: str
    args: tuple[str, ...] = ()
    kind: str = "quiet"
    fresh: str = ""
    cost: Amount = Amount(0)
    ask: Text | None = None
    card: int = 0
    spot: str = ""
    amount: Amount = Amount(0)


class Pile(NamedTuple):
    """Cards that lie together, as the viewer sees them ("??" is a back), and what they are worth if that is known.

    leaves  the position (from 1) of the card that is being exchanged, 0 for none
    to      whose they are, as the rules deal them, where players may turn them
    """

    name: Text
    cards: tuple[str, ...]
    worth: Text | None = None
    is_turn: bool = False
    leaves: int = 0
    to: str = ""


class Slip(NamedTuple):
    """What a hand has paid the viewer on one of his seats, or behind one: `key` is the engine's, `lines` say what each
    spot paid and why."""

    key: str
    net: Amount
    lines: tuple[Text, ...]


class Turning(NamedTuple):
    """Cards that a player turns now: those of `to` from the one at `first` (from 1) on. `position` is what he names."""

    position: str
    to: str
    first: int
    is_viewer: bool


class Chips(NamedTuple):
    """An amount on a spot of the felt; `total` counts everybody's there (an area, a box).

    `name` is whose it is where that is not the seat's own (a co-player behind a box).
    """

    spot: str
    label: Text
    amount: Amount
    total: Amount = Amount(0)
    name: str = ""


class Seat(NamedTuple):
    """A seat, a box, or one who bets on areas. `key` is the engine's; an empty `name` is a free seat.

    state   what it is doing or did last, as a `Word`: free, waiting, betting, thinking, raised, folded, all in...
    result  win, lose, push, or empty; `lines` say what each spot paid and why, with its clause
    """

    key: str
    name: str
    is_viewer: bool
    piles: tuple[Pile, ...] = ()
    chips: tuple[Chips, ...] = ()
    stack: Amount | None = None
    state: str = ""
    is_turn: bool = False
    is_dealer: bool = False
    result: str = ""
    net: Amount | None = None
    lines: tuple[Text, ...] = ()
    buttons: tuple[Button, ...] = ()


class Screen(Struct, frozen=True, kw_only=True):
    """A table now. `deadline` is when the clock that is shown runs out (seconds since 1970), `waits_s` how long it was.

    headline  what is going on, in one line: the dealer's call, whose turn it is, the result
    call      the dealer's own words in the language of the house (G7)
    house     the bank's piles: dealer, board, or hands that nobody at the table holds
    spots     areas that anybody may bet on, with the viewer's and everybody's chips
    lines     the notice, if there is one; the result, one line a player; what happened lately
    notice    what an inspector did here just now
    bets      buttons for everybody while bets are open; `moves` the viewer's own choices; `more` the rest
    ahead     what the viewer may choose before his turn, its moves as `args`: no command, the page makes one in time
    prints    what is printed on the felt, whatever lies there
    holds     what the viewer holds now and what it is worth; empty for the public
    road      results of past hands, oldest first, each a `Word`; () where the game shows none
    last_ended  when the last hand was paid; 0 where that is not known
    slips     of the last hand, what it paid the viewer
    turning   what players turn themselves now
    own_result  what the last hand paid the viewer, in one line; None where they were not in it, or it is void
    dearest   of the last hand, the choice that cost the viewer most; for the public None
    cutters   the player of each of the `cuts`
    revealed  the server seed of the last hand, of which the commit was the SHA-256, once it may be seen
    """

    table: int
    number: int
    game: str
    phase: str
    viewer: int | None
    headline: Text
    call: Text | None = None
    limits: Text
    meter: Amount | None = None
    hand_id: int
    commit: str
    house: tuple[Pile, ...]
    seats: tuple[Seat, ...]
    spots: tuple[Chips, ...]
    pot: Amount | None = None
    lines: tuple[Text, ...] = ()
    bets: tuple[Button, ...]
    moves: tuple[Button, ...]
    ahead: tuple[Button, ...] = ()
    prints: tuple[Text, ...] = ()
    more: tuple[Button, ...] = ()
    holds: tuple[Text, ...]
    deadline: float | None
    waits_s: float
    cuts: tuple[str, ...] = ()
    cutters: tuple[int, ...] = ()
    last_hand: int | None = None
    last_ended: float = 0.0
    dice: tuple[int, int] | None = None
    version: int
    notice: Text | None = None
    revealed: str = ""
    road: tuple[str, ...] = ()
    slips: tuple[Slip, ...] = ()
    turning: tuple[Turning, ...] = ()
    dearest: Text | None = None
    own_result: Text | None = None


def is_deciding(screen: Screen) -> bool:
    """Whether somebody at the table is asked for a decision now."""
    return screen.phase == "playing" and any(seat.is_turn for seat in screen.seats)


def has_totals(screen: Screen) -> bool:
    """Whether the areas' totals say more than the seats do: several players bet on them, and nothing is paid yet."""
    betting = [seat for seat in screen.seats if seat.chips]
    return (
        len(betting) > 1 and not any(seat.result for seat in screen.seats) and any(spot.total for spot in screen.spots)
    )
