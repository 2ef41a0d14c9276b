"""Screens: a table as one viewer may see it, independent of platform and language.

A `Screen` is data made of texts, cards and amounts; `bot.texts` puts it into words, each platform draws it its own way.
The public screen (`viewer` None) and a player's own differ in what `Hand.view` shows and in the moves that they offer.
"""

from typing import NamedTuple

from msgspec import Struct

from bot.texts import Text
from engine.felt import Amount


class Button(NamedTuple):
    """A button: a command that could also be typed. `fresh` guards against presses on an older state.

    kind    bet, move, ahead, quiet; `cost` what it takes from the wallet, 0 for nothing (`label` says it too)
    ask     the press needs an amount or a text that the person types, as further `args`: what may be typed, and how
    card    the position (from 1) of the viewer's own card that it is about, 0 for none
    spot    where a bet goes (an area, a side bet), in the order of the amounts for each spot
    amount  the size of the bet; it costs more where another bet follows it (UT2)
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
    """Cards that lie together, as the viewer sees them.

    name    what the pile is called; the bank's places in `bot.view.pictures.felt` are found by it
    cards   "??" is a back
    description  of the hand, if it is known
    is_turn  this hand is asked
    leaves  the position (from 1) of the card that is being exchanged, 0 for none
    to      the owner to whom the rules deal them, where players may reveal them themselves
    """

    name: Text
    cards: tuple[str, ...]
    description: Text | None = None
    is_turn: bool = False
    leaves: int = 0
    to: str = ""


class Slip(NamedTuple):
    """The payment of a hand to the viewer on one seat, or behind one: `key` is the engine's, `lines` explain each
    spot, `results` are theirs: win, lose or push.
    """

    key: str
    net: Amount
    lines: tuple[Text, ...]
    results: tuple[str, ...] = ()


class Turning(NamedTuple):
    """Cards that a player is revealing: those of `to` from `first` (from 1) on. `position` names them in commands."""

    position: str
    to: str
    first: int
    is_viewer: bool


class SpotChips(NamedTuple):
    """An amount on a spot of the felt; `total` includes everyone's (an area, a box).

    `name` is the player's if it is not the seat's own (a bet behind a box); `is_own`: it is the viewer's.
    `result`: win, lose or push once an area is paid.
    """

    spot: str
    label: Text
    amount: Amount
    total: Amount = Amount(0)
    name: str = ""
    is_own: bool = False
    result: str = ""


class Seat(NamedTuple):
    """A seat, a box, or a player on areas. `key` is the engine's; an empty `name` is a free seat.

    state   its present or last action, as a `Word`: free, waiting, betting, thinking, raised, folded, all in...
    result  win, lose, push, or empty; `lines` explain each spot's payment, with its clause
    """

    key: str
    name: str
    is_viewer: bool
    piles: tuple[Pile, ...] = ()
    chips: tuple[SpotChips, ...] = ()
    stack: Amount | None = None
    state: str = ""
    is_turn: bool = False
    is_dealer: bool = False
    result: str = ""
    net: Amount | None = None
    lines: tuple[Text, ...] = ()
    buttons: tuple[Button, ...] = ()


class Screen(Struct, frozen=True, kw_only=True):
    """A table now. `deadline` is when the shown clock runs out (seconds since 1970), `waits_s` its whole length.

    headline  the present state in one line: the dealer's call, whose turn it is, the result
    call      the dealer's own words in the language of the casino (G7)
    bank      its piles: dealer, board, or hands that no one at the table holds
    spots     areas that anyone may bet on, with the viewer's and everyone's chips
    lines     the notice, if there is one; the result, one line a player; recent events
    notice    the last act of an inspector here
    bets      buttons for everyone while bets are open; `moves` the viewer's own choices; `more` the rest
    ahead     choices before the viewer's turn, its moves as `args`: not a command, the page makes one in time
    prints    text printed on the felt
    holds     the viewer's hand and its description; empty for the public
    road      results of past hands, oldest first, each a `Word`; () if the game shows none
    last_ended  when the last hand was paid; 0 if unknown
    slips     payments of the last hand to the viewer
    turning   cards that players are revealing now
    own_result  the viewer's result of the last hand, in one line; None if they were not in it, or it is void
    dearest   the choice in the last hand that cost the viewer most; None for the public
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
    bank: tuple[Pile, ...]
    seats: tuple[Seat, ...]
    spots: tuple[SpotChips, ...]
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
    """Return whether a player must decide now."""
    return screen.phase == "playing" and any(seat.is_turn for seat in screen.seats)


def has_totals(screen: Screen) -> bool:
    """Return whether totals of areas add to what seats show: several players bet on them, and nothing is paid yet."""
    if not any(spot.total for spot in screen.spots):
        return False
    betting = [seat for seat in screen.seats if seat.chips]
    return len(betting) > 1 and not any(seat.result for seat in screen.seats)
