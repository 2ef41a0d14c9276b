"""The presenter of a game: the part of its plugin that screens use.

A hook is a pure function of what the viewer may see. One that raises, or returns a wrong type, is a `PresenterFault`:
only that table's screen becomes a plain one (bot.view.build). Amounts are in minor units. bot/view/parts.py has
ready-made pieces, and `nothing` and `none` for hooks that a game does not need.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar, cast

from bot.core.state.table import Table
from bot.texts import Text
from bot.view import Button, Pile
from bot.view.parts import (
    ASKS,
    bank_piles,
    bet_limits,
    describe_bank,
    describe_seen,
    least_bet,
    none,
    nothing,
    seat_pile,
)
from bot.view.player_view import PlayerView
from bot.view.render_context import RenderContext
from bot.view.words import Words, with_common
from engine.felt import Amount


class SideBet(NamedTuple):
    """A side bet of `amount` on `spot`. `is_fixed`: the spot takes exactly that, so no amount can be typed."""

    spot: str
    amount: int
    is_fixed: bool = False


@dataclass(frozen=True)
class Bets:
    """Buttons of a game while bets are open.

    asks    the question for an amount: {limits}, and {such}, an example that can be typed as it is
    mains   the spots that chips are offered for; () for every spot of the game, none before the others
    sides   (options, {spot: the viewer's bet there}) -> side bets, offered beside a main bet
    beside  (context) -> further buttons
    announced  announced bets (`Play.announced`) that have a button, with chips of the minimum
    """

    asks: Text = ASKS
    mains: tuple[str, ...] = ()
    sides: Callable[[Any, Mapping[str, int]], tuple[SideBet, ...]] = nothing
    beside: Callable[[RenderContext], tuple[Button, ...]] = nothing
    announced: tuple[str, ...] = ()


NO_BETS = Bets(Text(""))
"""Bets of a game with stacks."""


class Ahead(NamedTuple):
    """A choice before the turn: the first of `moves` that is offered then, at this price."""

    label: Text
    moves: tuple[str, ...]
    cost: int = 0


class BuyIn(NamedTuple):
    """A stack to sit down with: the proposal (0 if the viewer cannot), the least and the most."""

    usual: int
    least: int
    most: int


@dataclass(frozen=True)
class Stacks:
    """Hooks of games with stacks (Seating.STACKS).

    buy_in  (context) -> the buy-ins that the viewer may choose
    is_out  (table, player) -> whether the player is not dealt in
    button  (table) -> the dealer's seat, 0 for none
    beside  (context) -> further buttons between hands
    absent  (context) -> lines between hands about seated players who are not dealt in
    """

    buy_in: Callable[[RenderContext], BuyIn]
    is_out: Callable[[Table, int], bool]
    button: Callable[[Table], int]
    beside: Callable[[RenderContext], tuple[Button, ...]]
    absent: Callable[[RenderContext], tuple[Text, ...]] = nothing


NO_STACKS = Stacks(lambda context: BuyIn(0, 0, 0), lambda table, player: False, lambda table: 0, lambda context: ())


@dataclass(frozen=True)
class MeterDisplay:
    """A jackpot that is shown at the table, and the sentence for its prizes.

    shown  (context) -> the meter's amount, None for no meter
    won    the sentence for an event `Won`; may name {amount} and {rank}
    """

    shown: Callable[[RenderContext], Amount | None]
    won: Text


NO_METER = MeterDisplay(lambda context: None, Text(""))


_WORDS, _BETS = Words(), Bets()


@dataclass(frozen=True)
class Presenter:
    """The differences between games on a screen. The defaults are those of a game against the bank with common limits
    (G5), whose hands `Play.describe_hand` describes.

    bank     its piles, in the order in which they are told
    piles    (view, key) -> a seat's own piles
    describe_hand  (view, key) -> the description of a seat's hand, None unless all its cards are visible
    result   a finished hand in one sentence: the bank's hand
    holds    (view, key) -> further facts about the player's own hand
    notes    facts about a hand in play: who begins and why
    ahead    (view, key) -> the choices of this seat before its turn; the last of a choice's moves says where it
             belongs, and a choice is dropped if the offer has changed when the turn comes
    prints   (options) -> text printed on the felt: the bank's rules and the payouts
    pot      the amount in the middle, None for no pot
    limits   the table's limits in one line
    least    (options) -> the amount below which no one can play
    waits    a sentence why an open table takes no bets now; None if it does
    road     (table) -> results of past hands, newest last, each a word of the game; () for none
    words    words of its calls, moves and payments
    bets     buttons while bets are open
    stacks   hooks of a game with stacks
    meter    a jackpot that is shown at the table
    """

    bank: Callable[[PlayerView], tuple[Pile, ...]] = bank_piles
    piles: Callable[[PlayerView, str], tuple[Pile, ...]] = seat_pile
    describe_hand: Callable[[PlayerView, str], Text | None] = describe_seen
    result: Callable[[PlayerView], Text] = describe_bank
    holds: Callable[[PlayerView, str], tuple[Text, ...]] = nothing
    notes: Callable[[PlayerView], tuple[Text, ...]] = nothing
    ahead: Callable[[PlayerView, str], tuple[Ahead, ...]] = nothing
    prints: Callable[[Any], tuple[Text, ...]] = nothing
    pot: Callable[[PlayerView], Amount | None] = none
    limits: Callable[[RenderContext], Text] = bet_limits
    least: Callable[[Any], int] = least_bet
    waits: Callable[[RenderContext], Text | None] = none
    road: Callable[[Table], tuple[str, ...]] = nothing
    words: Words = _WORDS
    bets: Bets = _BETS
    stacks: Stacks = NO_STACKS
    meter: MeterDisplay = NO_METER


_presenters: dict[str, Presenter] = {}
PRESENTERS: Mapping[str, Presenter] = MappingProxyType(_presenters)
"""{game: its presenter}, with the words that all games have in common, and hooks that only raise PresenterFault."""


def add_presenter(game: str, presenter: Presenter) -> None:
    """Register how a game's screens are made (for bot.games). An exception of its hooks becomes a PresenterFault."""
    _presenters[game] = replace(_guarded(presenter), words=with_common(presenter.words))


class PresenterFault(Exception):
    """A failed hook of a game's presenter. Names the hook and a type, never a value, which may be a card."""

    def __init__(self, hook: str, what: str) -> None:
        super().__init__(hook, what)
        self.hook, self.what = hook, what


Part = TypeVar("Part", bound=Presenter | Bets | Stacks | MeterDisplay)


def _guarded(part: Part, within: str = "") -> Part:
    """Return the presenter with each hook guarded."""
    watched: dict[str, Any] = {}
    for name in (one.name for one in fields(part)):
        value = getattr(part, name)
        if isinstance(value, Bets | Stacks | MeterDisplay):
            watched[name] = _guarded(value, f"{name}.")
        elif callable(value):
            watched[name] = _watch(within + name, value, _ANSWERS[within + name])
    return replace(part, **watched)


class _Fits(NamedTuple):
    """The allowed types of an answer, and of its items if it is a tuple."""

    kinds: tuple[type, ...]
    inner: tuple[type, ...] = ()


def _watch(hook: str, ask: Callable[..., Any], fits: _Fits) -> Callable[..., Any]:
    kinds, inner = fits

    def watched(*about: object) -> object:
        try:
            answer = ask(*about)
        except Exception as fault:
            raise PresenterFault(hook, type(fault).__name__) from None
        if not isinstance(answer, kinds):
            raise PresenterFault(hook, f"answered with {type(answer).__name__}")
        if inner:
            for one in cast(tuple[object, ...], answer):
                if not isinstance(one, inner):
                    raise PresenterFault(hook, f"answered with {type(answer).__name__}")
        return answer

    return watched


def _tuple_of(*kinds: type) -> _Fits:
    return _Fits((tuple,), kinds)


def _one_of(*kinds: type) -> _Fits:
    return _Fits(kinds)


# The allowed answers of each hook.
_ANSWERS: Mapping[str, _Fits] = {
    "bank": _tuple_of(Pile),
    "piles": _tuple_of(Pile),
    "describe_hand": _one_of(Text, type(None)),
    "result": _one_of(Text),
    "holds": _tuple_of(Text),
    "notes": _tuple_of(Text),
    "ahead": _tuple_of(Ahead),
    "prints": _tuple_of(Text),
    "pot": _one_of(int, type(None)),
    "limits": _one_of(Text),
    "least": _one_of(int),
    "waits": _one_of(Text, type(None)),
    "road": _tuple_of(str),
    "bets.sides": _tuple_of(SideBet),
    "bets.beside": _tuple_of(Button),
    "stacks.buy_in": _one_of(BuyIn),
    "stacks.is_out": _one_of(bool),
    "stacks.button": _one_of(int),
    "stacks.beside": _tuple_of(Button),
    "stacks.absent": _tuple_of(Text),
    "meter.shown": _one_of(int, type(None)),
}
