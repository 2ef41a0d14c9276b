"""Button, blinds and dealt-in seats of the next hand at a table (TN15, HE6, HE8, SH15)."""

from collections.abc import Collection, Sequence
from typing import NamedTuple


class Positions(NamedTuple):
    """Positions of one hand.

    button  a seat, which may be empty
    small   the position of the small blind, which may be empty; 0 without blinds
    big     the seat of the big blind; 0 without blinds
    dealt   the dealt-in seats from the dealer's left
    """

    button: int
    small: int
    big: int
    dealt: tuple[int, ...]

    @property
    def small_blind(self) -> int | None:
        """The seat that posts the small blind, or None."""
        return self.small if self.small in self.dealt else None

    @property
    def big_blind(self) -> int | None:
        return self.big or None

    @property
    def is_heads_up(self) -> bool:
        return len(self.dealt) == 2


def next_positions(seats: Collection[int], last: Positions | None, *, has_blinds: bool) -> Positions | None:
    """Return the positions of the next hand, `last` being those of the latest; None with fewer than two players."""
    players = sorted(seats)
    if len(players) < 2:
        return None
    if not has_blinds:
        return _move_button(players, last)
    if last is None:
        return _first(players)
    if len(players) == 2:
        return _heads_up(players, last.big)
    return _dead_button(players, last)


def clockwise_from(seat: int, seats: Sequence[int]) -> list[int]:
    """Return the seats in order, from the first one after `seat`."""
    return [one for one in seats if one > seat] + [one for one in seats if one <= seat]


def _move_button(players: Sequence[int], last: Positions | None) -> Positions:
    button = players[0] if last is None else clockwise_from(last.button, players)[0]
    return Positions(button, 0, 0, tuple(clockwise_from(button, players)))


def _first(players: Sequence[int]) -> Positions:
    button = players[0]
    order = clockwise_from(button, players)
    small, big = (button, order[0]) if len(players) == 2 else (order[0], order[1])
    return Positions(button, small, big, tuple(order))


def _heads_up(players: Sequence[int], last_big: int) -> Positions:
    """Return the positions of two players: HE6 decides the big blind, the other player has the button (HE8)."""
    big, button = clockwise_from(last_big, players)
    return Positions(button, button, big, (big, button))


def _dead_button(players: Sequence[int], last: Positions) -> Positions:
    """Move the small blind to where the big blind was, and the button to where the small blind was (HE6).

    Newcomers between both wait until the button has passed, unless fewer than three would be dealt in then (TN15).
    """
    button, small = last.small, last.big
    dealt = [seat for seat in players if not _is_between(button, seat, small)]
    is_short = len(dealt) < 3
    if is_short:
        dealt = list(players)
    if is_short or last.is_heads_up:
        button = clockwise_from(small - 1, dealt)[-1]
    big = clockwise_from(small, dealt)[0]
    return Positions(button, small, big, tuple(clockwise_from(button, dealt)))


def _is_between(start: int, seat: int, end: int) -> bool:
    """Check whether `seat` comes after `start` and before `end`, clockwise."""
    if start < end:
        return start < seat < end
    return seat > start or seat < end
