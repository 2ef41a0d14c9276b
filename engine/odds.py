"""Value of bets and choices. Odds are floats and pay nothing: payouts are the rule script's.

Each game declares its own `ODDS` beside its rule script. A value is that of a seat that knows what its view shows, with
every other card equally likely.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple

from engine.cards import HIDDEN, Card
from engine.events import Event, Exchanged
from engine.felt import Game, Move, Offer, Offers, Stake


@dataclass(frozen=True)
class BetOdds:
    """Cost of a bet.

    edge      the expected loss per unit of the bet as it is first placed; None where it is not counted
    strategy  the play that it assumes
    exact     the same where it is a known fraction
    win, push, lose  shares of 1 that end above, at and below the stake; None where they are not counted
    why       why there is no edge
    outcomes  {net win of a unit, -1 for a loss: chance} of a bet without any choice after it; winnings before they are
              rounded down
    """

    edge: float | None
    strategy: str
    exact: Fraction | None = None
    win: float | None = None
    push: float | None = None
    lose: float | None = None
    why: str = ""
    outcomes: Mapping[Fraction, Fraction] | None = None


@dataclass(frozen=True)
class Decision:
    """A seat that is asked, with all that it knows.

    options  those of the table
    stakes   the deal's
    seat     who is asked
    offers   what it may do
    events   what its view shows
    cards    whose cards lie on the table, "??" where the seat may not see them
    moves    those that it made itself before: what others named may be hidden from it
    jackpot  the meter that the deal names, less this hand's own contribution; None without one
    """

    options: Any
    stakes: tuple[Stake, ...]
    seat: str
    offers: Offers
    events: Sequence[Event]
    cards: Mapping[str, Sequence[Card]]
    moves: tuple[Move, ...]
    jackpot: int | None = None


Values = Mapping[str, float]

SAME_SHARE = dict.fromkeys(
    ("minimum", "step", "maximum"), "a bet costs the same share of itself, whatever its size may be"
)
"""Why the limits of a table change no figure, for `Odds.no_figure`."""


class Unit(NamedTuple):
    """Bet that lies on a spot, by its name among the edges, and the spots that its play adds to it."""

    bet: str
    adds: tuple[str, ...] = ()


def value_nothing(decision: Decision) -> Values:
    """Value the choices of a game that has none."""
    return {}


@dataclass(frozen=True)
class Odds:
    """Value of the bets and choices of a game.

    game        the game that they belong to
    edges       (options, the meter that counts for a prize or None) -> {bet: its cost}
    values      (decision) -> {choice: expected final net of the seat, in minor units} of all `choices_of` its offers,
                with every bet, side bet and prize of the seat, and best play from there on
    equity      (decision) -> the seat's expected share of the main pot, sampled: for a game between players, which has
                no values
    fair_meter  (options) -> the meter in minor units at which its coin costs nothing, for a game that has one
    units       {spot: the bet that lies there}, by which actual returns are compared with the edges; the bet that is
                played comes before its side bets. Without them nothing is compared
    no_figure   {option: why its values change no edge at a table with default options}; by default the limits
    """

    game: Game
    edges: Callable[[Any, int | None], Mapping[str, BetOdds]]
    values: Callable[[Decision], Values] = value_nothing
    equity: Callable[[Decision], float] | None = None
    fair_meter: Callable[[Any], float] | None = None
    units: Mapping[str, Unit] = field(default_factory=dict)
    no_figure: Mapping[str, str] = field(default_factory=lambda: SAME_SHARE)


def fraction(exact: Fraction, strategy: str, win: Fraction, push: Fraction) -> BetOdds:
    """Return the odds of a bet whose deals are all counted; the remaining share loses."""
    return BetOdds(float(exact), strategy, exact, float(win), float(push), float(1 - win - push))


def chance_alone(strategy: str, pays: Mapping[Fraction, Fraction]) -> BetOdds:
    """Return the odds of a bet without choices: {net win of a unit: chance}; the rest of 1 loses the unit."""
    lose = 1 - sum(pays.values(), Fraction(0))
    outcomes = {**pays, Fraction(-1): lose + pays.get(Fraction(-1), 0)}
    exact = -sum((net * chance for net, chance in outcomes.items()), Fraction(0))
    win = sum((chance for net, chance in pays.items() if net > 0), Fraction(0))
    return replace(fraction(exact, strategy, win, pays.get(Fraction(0), Fraction(0))), outcomes=outcomes)


def choices_of(offers: Offers) -> list[str]:
    """List the choices as a move writes them, without the seat: each proposed one, and the ends of each range."""
    return list(dict.fromkeys(choice for offer in offers if offer.listed for choice in _ends(offer)))


def _ends(offer: Offer) -> list[str]:
    if offer.most:
        return [f"{offer.word} {offer.least}", f"{offer.word} {offer.most}"]
    return [str(offer)]


def seen(decision: Decision) -> list[Card]:
    """Return every card that the seat has seen, on the table or exchanged, each as often as it occurs."""
    lying = [card for cards in decision.cards.values() for card in cards]
    left = [event.gone for event in decision.events if isinstance(event, Exchanged)]
    return [card for card in [*lying, *left] if card != HIDDEN]
