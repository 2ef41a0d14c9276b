"""How the house plays a game: what its tables need beside the rules. The part of a game's face that the house reads.

A game is found here by its name alone; who fills `PLAYS` is bot/games.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec

from bot.texts import Text
from engine.cards import Card
from engine.felt import Offers
from engine.hand import Hand


class Seating(Enum):
    """Where people are at a table, and what they bet with.

    SEATS   a seat each, taken with the first bet, free again after a hand without one (G9)
    AREAS   anybody bets on any area; a seat only tells people apart (PJ2)
    BOXES   boxes that a player holds, on each of which anybody may bet too (BJ3)
    STACKS  seats with a stack each, won from each other; no bet before the deal (SH1)
    """

    SEATS = "seats"
    AREAS = "areas"
    BOXES = "boxes"
    STACKS = "stacks"


class FollowUp(NamedTuple):
    """The bet that must follow the first one, or that is lost: its spot, and how many times the bet on the spot
    `after` it costs at least (CS8).
    """

    spot: str
    antes: int
    after: str


NO_FOLLOW_UP = FollowUp("", 0, "")


class Turn(NamedTuple):
    """Cards that are turned together: those of the hand `to` from the one at `first` (from 1) on.

    position  what it is called in `/squeeze POSITION`, in `table.turning` and among the words
    to        whose cards, as the rule script deals them
    spot      the highest bet on it may turn them; "" where the dealer always does
    size      how many cards; 0 for all that there are
    """

    position: str
    to: str
    spot: str
    first: int = 1
    size: int = 0

    def of(self, cards: Mapping[str, Sequence[Card]]) -> Sequence[Card]:
        """The cards that it is about, among those that lie on the table; none where it does not come about."""
        return cards.get(self.to, ())[self.first - 1 :][: self.size or None]


class Turned(NamedTuple):
    """In which order cards are turned that players may turn themselves, and by which clause (PJ12).

    `waves` follow each other: what is in one may be turned in any order, and nobody is shown any of it, who turns it
    neither, before all of the one before lies open. What begins a hand lies there face down until then; what comes to
    it later (`first` above 1) is not told of at all.
    """

    waves: tuple[tuple[Turn, ...], ...]
    clause: str

    @property
    def turns(self) -> tuple[Turn, ...]:
        """Of all waves, in their order."""
        return tuple(turn for wave in self.waves for turn in wave)

    def due(self, turning: Mapping[str, int]) -> tuple[Turn, ...]:
        """What may be turned now, of the positions that are being turned."""
        waiting = (tuple(turn for turn in wave if turn.position in turning) for wave in self.waves)
        return next((wave for wave in waiting if wave), ())


NO_TURNING = Turned((), "")


class GameMemory(msgspec.Struct, frozen=True):
    """What a game keeps at a table from hand to hand. A game declares its own type, as a frozen Struct below this one,
    with a default for each field; it is kept as JSON, and a field that is new later needs a default too.
    """


Order = Callable[[str, Offers, Mapping[str, Sequence[Card]]], str]
"""(seat, what it is offered, the cards as it sees them) -> the move that is played when its time runs out: a word, and
what it names behind a space."""


class MoveHelp(NamedTuple):
    """What a move does, in a sentence; what is typed behind its word (POSITION, TIMES, AMOUNT or nothing); the clause
    that says so.

    `here`: the sentence from the options of a table, where these change what the move does; it names the clause.
    `done`: the sentence that answers the move, with its {argument} and {cost}, where its button does not say it all.
    `gives_up`: (hand, seat) -> what the move gives up besides its price, as a sentence that answers it and is confirmed
    before it; None where it gives up nothing.
    """

    help: Text
    usage: str = ""
    clause: str | None = None
    here: Callable[[Any], Text] | None = None
    done: Text | None = None
    gives_up: Callable[[Hand, str], Text | None] | None = None

    def at(self, options: Any) -> Text:
        """What it does at a table with these options."""
        return self.help if self.here is None else self.here(options)


@dataclass(frozen=True)
class Play:
    """What a table of the game is like.

    seats          how many may sit or bet at one table
    seating        where they are, and what they bet with
    follow_up      the bet that must follow the first
    takes_turns    players decide one after the other, and not all at the same time
    private_cards  players hold cards that only they see
    turned         the cards that players may turn themselves, where the option `squeeze` is on
    memory         what a table keeps from hand to hand: `GameMemory` itself, where that is nothing
    lounge_tables  how many tables of it a new lounge has
    moves          {word: help and usage} of every move that its players can make; what several games have is the same
    orders         {name: what it plays} of the standing orders that a player may leave (CS10); {} for none
    linked_meter   one meter stands at all its tables of a casino, and moves with each of them (CS17)
    worth          ({whose: cards}, to) -> what the cards of `to` are worth, in words; None where one of them is hidden
    """

    seats: int
    seating: Seating
    follow_up: FollowUp
    takes_turns: bool
    private_cards: bool
    turned: Turned
    memory: type[GameMemory]
    lounge_tables: int
    moves: Mapping[str, MoveHelp]
    orders: Mapping[str, Order]
    linked_meter: bool
    worth: Callable[[Mapping[str, Sequence[Card]], str], Text | None]


def in_no_words(cards: Mapping[str, Sequence[Card]], to: str) -> Text | None:
    """Cards that say themselves what they are worth."""
    return None


def plain_play(
    *,
    seats: int,
    moves: Mapping[str, MoveHelp],
    worth: Callable[[Mapping[str, Sequence[Card]], str], Text | None] = in_no_words,
    follow_up: FollowUp = NO_FOLLOW_UP,
    private_cards: bool = True,
    orders: Mapping[str, Order] = MappingProxyType({}),
) -> Play:
    """Of a game against the bank with a seat each, where all choose at the same time and nothing is kept from hand to
    hand; `dataclasses.replace` says what is otherwise.
    """
    return Play(
        seats=seats,
        seating=Seating.SEATS,
        follow_up=follow_up,
        takes_turns=False,
        private_cards=private_cards,
        turned=NO_TURNING,
        memory=GameMemory,
        lounge_tables=1,
        moves=moves,
        orders=orders,
        linked_meter=False,
        worth=worth,
    )


NOT_HERE = plain_play(seats=0, moves={}, private_cards=False)
"""Of a table whose game is not installed any more: it is closed, and nothing is played there."""

_plays: dict[str, Play] = {}
PLAYS: Mapping[str, Play] = MappingProxyType(_plays)
"""{game: how it is played}, in the order in which games are offered."""


LEFT_OUT: dict[str, str] = {}
"""{game, as its package names it: why it is not played here}, of packages that are installed and cannot be taken."""


def add_play(game: str, play: Play) -> None:
    """For bot.games: how tables of this game are played from now on."""
    _plays[game] = play
