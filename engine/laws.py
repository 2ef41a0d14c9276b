"""Laws of payments, which the engine checks at the end of every hand, whatever its rule script did.

A rule script may come from anybody. A hand that breaks a law is void (G6): its stakes are returned.
"""

from collections.abc import Iterable, Sized

from engine.events import Event, Paid, Won
from engine.felt import Felt, Game

Spot = tuple[str, str]
MOST_EVENTS = 100_000
"""More events than any hand of any game has: sixty players with a hundred bets each."""


class BrokenLaw(Exception):
    """A payment that no game may make: a fault of the rule script. The sentence names no card."""


def check_length(events: Sized) -> None:
    """Check that a hand does not grow beyond measure. Raises BrokenLaw."""
    if len(events) > MOST_EVENTS:
        raise BrokenLaw(f"it has {len(events)} events, {MOST_EVENTS} at most")


def check_payments(game: Game, felt: Felt) -> None:
    """Check the stakes and payments of a finished hand. Raises BrokenLaw.

    Amounts are whole numbers of at least 0. Each staked spot is paid exactly once, with 0 for a loss; a spot without a
    stake is paid only if the game declares it as a bonus or as its prize. A game between players pays out what was put
    in, another one at most `Game.most_pays` times that.
    """
    staked = felt.staked
    for spot, amount in staked.items():
        _check_amount(spot, amount)
    told, total = _add_payments(game, felt)
    prizes = {(event.seat, game.meter.spot) for event in felt.events if isinstance(event, Won)} if game.meter else set()
    if missing := staked.keys() - told - prizes:
        raise BrokenLaw(f"{_name(missing)} was not paid")
    if extra := {spot for spot in told - staked.keys() if spot[1] not in game.bonuses} | (told & prizes):
        raise BrokenLaw(f"{_name(extra)} was paid without a stake, or besides its prize")
    wagered = sum(staked.values())
    if game.stacks and total != wagered:
        raise BrokenLaw(f"{wagered} was put in, and {total} was paid")
    if total > game.most_pays * wagered:
        raise BrokenLaw(f"{total} was paid, more than {game.most_pays} times the stakes of {wagered}")


def _add_payments(game: Game, felt: Felt) -> tuple[set[Spot], int]:
    """Return the paid spots and the sum; a spot is paid once for each hand on it, or for each pot."""
    paid: set[tuple[str, str, str]] = set()
    told: set[Spot] = set()
    total = 0
    for event in _payments(felt.events):
        spot = (event.seat, event.spot)
        _check_amount(spot, event.amount)
        key = (*spot, event.on)
        if key in paid and not game.stacks:
            raise BrokenLaw(f"{_name([spot])} was paid twice")
        paid.add(key)
        told.add(spot)
        total += event.amount
    return told, total


def _payments(events: Iterable[Event]) -> Iterable[Paid]:
    return (event for event in events if isinstance(event, Paid))


def _check_amount(spot: Spot, amount: int) -> None:
    if type(amount) is not int or amount < 0:
        raise BrokenLaw(f"the amount on {_name([spot])} is no whole number of at least 0")


def _name(spots: Iterable[Spot]) -> str:
    return ", ".join(sorted(f"“{spot}” of seat {seat}" for seat, spot in spots))
