"""Tables of a tournament: its seats, and the draws that seat, break and balance (TN9 to TN14)."""

from collections.abc import Collection, Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from engine.shuffler import Stream
from engine.tournaments.definition import Definition
from engine.tournaments.positions import Positions, clockwise_from, next_positions

MESSAGE = "ridotto tournament"


class SeatMove(NamedTuple):
    """A player who got a seat: `start` and `end` are (table, seat), `start` is None for a player without one."""

    event: int
    player: str
    start: tuple[int, int] | None
    end: tuple[int, int]
    why: str


@dataclass
class TournamentTable:
    """A table: {seat: player}, the positions of its latest hand, and its hands, in all and in this level.

    `newcomers` got a seat since its latest hand, in that order: they may have come while the next one was played.
    """

    seats: dict[int, str] = field(default_factory=dict)
    newcomers: tuple[str, ...] = ()
    last: Positions | None = None
    hands: int = 0
    level_hands: int = 0

    def seat_of(self, player: str) -> int | None:
        return next((seat for seat, one in self.seats.items() if one == player), None)


class TournamentTables:
    """All tables, by number. Draws are made in the order in which they are needed (TN9)."""

    def __init__(self, definition: Definition, seed: bytes) -> None:
        self.definition = definition
        self.by_number: dict[int, TournamentTable] = {}
        self.moves: list[SeatMove] = []
        self.event = 0
        self._stream = Stream(seed, (MESSAGE,))

    def copy(self) -> "TournamentTables":
        """Return an independent copy, whose draws go on from here."""
        other = copy(self)
        other.by_number = {number: replace(table, seats={**table.seats}) for number, table in self.by_number.items()}
        other.moves = [*self.moves]
        other._stream = self._stream.copy()
        return other

    def __len__(self) -> int:
        return len(self.by_number)

    @property
    def seated(self) -> int:
        return sum(len(table.seats) for table in self.by_number.values())

    def start(self, players: Sequence[str]) -> None:
        """Seat everyone (TN10)."""
        count = -(-len(players) // self.definition.seats)
        self.by_number = {number: TournamentTable() for number in range(1, count + 1)}
        for place, player in enumerate(self._stream.shuffle(list(players))):
            self._sit(player, place % count + 1, place // count + 1, None, "start")

    def find_seat(self, player: str) -> tuple[int, int] | None:
        for number, table in self.by_number.items():
            if (seat := table.seat_of(player)) is not None:
                return number, seat
        return None

    def leave(self, player: str) -> int:
        """Free the seat of a player who is seated, and return the table."""
        place = self.find_seat(player)
        assert place is not None
        del self.by_number[place[0]].seats[place[1]]
        return place[0]

    def positions(self, number: int) -> Positions | None:
        table = self.by_number[number]
        return next_positions(table.seats, table.last, has_blinds=self.definition.has_blinds)

    def positions_of_hand(self, number: int, players: Collection[str]) -> Positions | None:
        """Return the positions of the hand with these players, or of the next hand if there is none.

        Players who came during the hand were not dealt in (TN14): the latest are left out, until the others fit.
        """
        table, positions = self.by_number[number], self.positions(number)
        for came in range(len(table.newcomers) - 1, -1, -1):
            if positions is None or {table.seats[seat] for seat in positions.dealt} == set(players):
                break
            later = table.newcomers[came:]
            seats = [seat for seat, player in table.seats.items() if player not in later]
            before = next_positions(seats, table.last, has_blinds=self.definition.has_blinds)
            if before is not None and {table.seats[seat] for seat in before.dealt} == set(players):
                return before
        return positions

    @property
    def breaking(self) -> int:
        """The table that breaks after its hand, because everyone fits on one table fewer (TN13); 0 for none."""
        fits = len(self) > 1 and self.seated <= (len(self) - 1) * self.definition.seats
        return max(self.by_number) if fits else 0

    @property
    def has_free_seat(self) -> bool:
        """Return whether a player could get a seat, at a table that is not about to break."""
        breaking, seats = self.breaking, self.definition.seats
        return any(len(table.seats) < seats for number, table in self.by_number.items() if number != breaking)

    def draw_seat(self, player: str, why: str, start: tuple[int, int] | None = None) -> bool:
        """Give a player a seat at one of the emptiest tables (TN11); False without a free seat."""
        breaking = self.breaking
        return self._draw_seat_among((number for number in self.by_number if number != breaking), player, why, start)

    def _draw_seat_among(self, numbers: Iterable[int], player: str, why: str, start: tuple[int, int] | None) -> bool:
        sizes = {number: len(self.by_number[number].seats) for number in sorted(numbers)}
        sizes = {number: size for number, size in sizes.items() if size < self.definition.seats}
        if not sizes:
            return False
        least = min(sizes.values())
        number = self._draw([number for number, size in sizes.items() if size == least])
        self._sit(player, number, self._draw(self._free_seats(number)), start, why)
        return True

    def break_up(self, number: int) -> None:
        """Close a table; its players draw seats at the others (TN13)."""
        table = self.by_number.pop(number)
        for seat, player in sorted(table.seats.items()):
            is_seated = self._draw_seat_among(list(self.by_number), player, "break", (number, seat))
            assert is_seated

    def balance(self, number: int) -> None:
        """Move players from a table that has two more than the smallest one (TN14)."""
        while (smallest := self._find_smallest(number)) is not None:
            seat = self._pick_mover(number)
            player = self.by_number[number].seats.pop(seat)
            self._sit(player, smallest, self._worst_seat(smallest), (number, seat), "balance")

    def _find_smallest(self, number: int) -> int | None:
        breaking = self.breaking
        others = [other for other in sorted(self.by_number) if other not in (number, breaking)]
        if number == breaking or not others:
            return None
        smallest = min(others, key=lambda other: len(self.by_number[other].seats))
        more = len(self.by_number[number].seats) - len(self.by_number[smallest].seats)
        return smallest if more > 1 else None

    def _pick_mover(self, number: int) -> int:
        """Return the next big blind; at stud a seat that is drawn."""
        positions = self.positions(number)
        if positions is None or not positions.big:
            return self._draw(sorted(self.by_number[number].seats))
        return positions.big

    def _worst_seat(self, number: int) -> int:
        """Return the first free seat after the big blind of the latest or else the first hand, never the small blind.

        At stud it is the lowest free seat.
        """
        free = self._free_seats(number)
        positions = self.by_number[number].last or self.positions(number)
        if positions is None or not positions.big:
            return free[0]
        return clockwise_from(positions.big, free)[0]

    def _free_seats(self, number: int) -> list[int]:
        taken = self.by_number[number].seats
        return [seat for seat in range(1, self.definition.seats + 1) if seat not in taken]

    def _sit(self, player: str, number: int, seat: int, start: tuple[int, int] | None, why: str) -> None:
        table = self.by_number[number]
        table.seats[seat] = player
        table.newcomers = (*table.newcomers, player)
        self.moves.append(SeatMove(self.event, player, start, (number, seat), why))

    def _draw(self, choices: Sequence[int]) -> int:
        return choices[0] if len(choices) == 1 else choices[self._stream.below(len(choices))]
