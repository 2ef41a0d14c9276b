"""How a game tells the screens about itself. The part of a game's face that the screens read.

A hook is a plain function of what the viewer may see; it changes nothing and asks no clock. One that raises, or answers
with what it should not, is a `LookFault`: the screen of that table alone is a plain one then (bot.view.build).
Amounts are minor units. bot/view/parts.py has ready-made pieces, and `nothing` and `none` for what a game has not.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from bot.core.state.table import Table
from bot.texts import Text
from bot.view import Button, Pile
from bot.view.scene import Scene
from bot.view.sight import Sight
from bot.view.words import Words, with_common
from engine.felt import Amount


class SideBet(NamedTuple):
    """A press puts `amount` on `spot`. `is_fixed`: the spot takes just that, so that nobody types an amount."""

    spot: str
    amount: int
    is_fixed: bool = False


@dataclass(frozen=True)
class Bets:
    """What may be pressed while bets are open.

    mains   the spots that chips are offered for; () for every spot of the game, none before the others
    sides   (options, {spot: what the viewer has there}) -> side bets, offered beside a main bet
    asks    how an amount is asked for: {least} {most} {step}, and {such}, an example that can be typed as it stands
    beside  (scene) -> further buttons
    """

    mains: tuple[str, ...]
    sides: Callable[[Any, Mapping[str, int]], tuple[SideBet, ...]]
    asks: Text
    beside: Callable[[Scene], tuple[Button, ...]]


class Ahead(NamedTuple):
    """What may be chosen before one's turn: the first of `moves` that is offered then, at this price."""

    label: Text
    moves: tuple[str, ...]
    cost: int = 0


class BuyIn(NamedTuple):
    """A stack to sit down with: what is proposed (0 where the viewer cannot), the least and the most."""

    usual: int
    least: int
    most: int


@dataclass(frozen=True)
class Stacks:
    """What seats with stacks need (Seating.STACKS).

    buy_in  (scene) -> with what the viewer may sit down
    is_out  (table, player) -> whether he is not dealt in
    button  (table) -> the dealer's seat, 0 for none
    """

    buy_in: Callable[[Scene], BuyIn]
    is_out: Callable[[Table, int], bool]
    button: Callable[[Table], int]


NO_STACKS = Stacks(lambda scene: BuyIn(0, 0, 0), lambda table, player: False, lambda table: 0)


@dataclass(frozen=True)
class Meter:
    """A jackpot that is shown at the table, and how a prize of it is told.

    shown  (scene) -> what stands on it, None for no meter
    won    the sentence for an event `Won`; may name {amount} and {rank}
    """

    shown: Callable[[Scene], Amount | None]
    won: Text


NO_METER = Meter(lambda scene: None, Text(""))


@dataclass(frozen=True)
class Look:
    """What differs from game to game on a screen.

    house    the bank's piles, in the order in which they are told
    piles    (sight, key) -> a seat's own piles
    worth    (sight, key) -> what a seat's cards are worth, None where not all of them are seen
    result   a finished hand in one sentence: what the bank has
    holds    (sight, key) -> what more a player should know of the hand that he holds
    notes    what is told of a hand while it is played: who begins and why
    ahead    (sight, key) -> what this seat, not asked yet, may choose before its turn; the last of an answer's moves
             says where it stands, and what is not the same when the turn comes is not chosen
    prints   (options) -> what is printed on the felt: what the bank plays with, what it pays
    pot      what lies in the middle, None for no pot
    limits   the table's limits in one line
    least    (options) -> with less than that nobody can play
    waits    why a table that is open takes no bets now, a sentence; None when it does
    road     (table) -> results of past hands, newest last, each a word of the game; () for none
    """

    house: Callable[[Sight], tuple[Pile, ...]]
    piles: Callable[[Sight, str], tuple[Pile, ...]]
    worth: Callable[[Sight, str], Text | None]
    result: Callable[[Sight], Text]
    holds: Callable[[Sight, str], tuple[Text, ...]]
    notes: Callable[[Sight], tuple[Text, ...]]
    ahead: Callable[[Sight, str], tuple[Ahead, ...]]
    prints: Callable[[Any], tuple[Text, ...]]
    pot: Callable[[Sight], Amount | None]
    limits: Callable[[Scene], Text]
    least: Callable[[Any], int]
    waits: Callable[[Scene], Text | None]
    road: Callable[[Table], tuple[str, ...]]
    words: Words
    bets: Bets
    stacks: Stacks
    meter: Meter


_looks: dict[str, Look] = {}
LOOKS: Mapping[str, Look] = MappingProxyType(_looks)
"""{game: its look}, with the words that all games have in common, and with hooks that raise nothing but LookFault."""


def add_look(game: str, look: Look) -> None:
    """For bot.games: how this game's screens are made from now on. What one of its functions raises is a LookFault."""
    _looks[game] = replace(_guarded(look), words=with_common(look.words))


def look_of(scene: Scene) -> Look:
    """The look of the table's game. Of a game that is gone there is none: KeyError."""
    return LOOKS[scene.table.game]


class LookFault(Exception):
    """A hook of a game's look failed. Names the hook and a type, never what was in its hands: that may be a card."""

    def __init__(self, hook: str, what: str) -> None:
        super().__init__(hook, what)
        self.hook, self.what = hook, what


Part = TypeVar("Part", bound=Look | Bets | Stacks | Meter)


def _guarded(part: Part, within: str = "") -> Part:
    """The same with each hook watched."""
    watched: dict[str, Any] = {}
    for name in (one.name for one in fields(part)):
        value = getattr(part, name)
        if isinstance(value, Bets | Stacks | Meter):
            watched[name] = _guarded(value, f"{name}.")
        elif callable(value):
            watched[name] = _watch(within + name, value, _ANSWERS[within + name])
    return replace(part, **watched)


class _Fits(NamedTuple):
    """What an answer is one of, and what all that stands in it is, where it is a tuple."""

    kinds: tuple[type, ...]
    inner: tuple[type, ...] = ()


def _watch(hook: str, ask: Callable[..., Any], fits: _Fits) -> Callable[..., Any]:
    kinds, inner = fits

    def watched(*about: object) -> object:
        try:
            answer = ask(*about)
        except Exception as fault:
            raise LookFault(hook, type(fault).__name__) from None
        is_one = isinstance(answer, kinds)
        if not is_one or (inner and not all(isinstance(one, inner) for one in answer)):
            raise LookFault(hook, f"answered with {type(answer).__name__}")
        return answer

    return watched


def _tuple_of(*kinds: type) -> _Fits:
    return _Fits((tuple,), kinds)


def _one_of(*kinds: type) -> _Fits:
    return _Fits(kinds)


# What each hook may answer with.
_ANSWERS: Mapping[str, _Fits] = {
    "house": _tuple_of(Pile),
    "piles": _tuple_of(Pile),
    "worth": _one_of(Text, type(None)),
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
    "meter.shown": _one_of(int, type(None)),
}
