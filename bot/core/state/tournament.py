"""A tournament at its table as a frozen value: what was announced, its seed, its events. A change is a new value.

Everything else follows from these by the engine (engine.tournaments), so that a restart continues with the same seats,
button and level, and anyone can replay the record. Tournament chips are counted in minor units at the table, as money
is, and in whole chips in the record.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from threading import Lock
from typing import Any

import msgspec

from engine.tournaments.definition import Definition, parse_definition
from engine.tournaments.play import OVER, REGISTERING, RUNNING, Tournament
from engine.tournaments.record import apply_event

# Minor units of a tournament chip, the smallest amount (TN7).
CHIP = 100


class LiveTournament(msgspec.Struct, frozen=True):
    """A tournament from its announcement on.

    definition  what was announced, as JSON
    seed        of its draws, secret until it is over (TN9)
    events      as in the record, each as JSON; players are named by number
    opened      when registration opened
    starts_at   when it starts, with enough players; 0: as soon as it is full
    postponed   whether the start was moved, which an inspector may do once (TN1)
    level_s     seconds of a level by the clock; 0: levels go by hands
    played      seconds of play in this level; a pause and downtime do not count (TN8)
    sealed      {player: {spot: minor units}} of bets against the bank until betting closes; secret until then (TN17)
    missed      {player: hands in a row without a bet} against the bank (TN16)
    shown_up    players who have moved, or said that they are there; anyone else is away after one time-out (TN16)
    banks       {player: seconds used} of the time banks (TN16)
    is_held     whether Ridotto has paused it, because a table of it could not be shown
    before      the table that this one replaces at its place, until people go back to it
    tables      its tables by number from 1, broken ones included; empty until the start
    counted     until when play is counted in `played`
    """

    definition: str
    seed: bytes
    events: tuple[str, ...] = ()
    opened: float = 0.0
    starts_at: float = 0.0
    level_s: float = 0.0
    played: float = 0.0
    sealed: dict[int, dict[str, int]] = msgspec.field(default_factory=dict)
    missed: dict[int, int] = msgspec.field(default_factory=dict)
    before: int | None = None
    postponed: bool = False
    tables: tuple[int, ...] = ()
    counted: float = 0.0
    shown_up: tuple[int, ...] = ()
    banks: dict[int, float] = msgspec.field(default_factory=dict)
    is_held: bool = False

    def __repr__(self) -> str:
        """Show nothing secret, because a representation can end up in an error message."""
        return f"LiveTournament(events={len(self.events)})"

    @property
    def now(self) -> Tournament:
        """Return the tournament after its events; it must not be changed."""
        return _follow(self.definition, self.seed, self.events)

    @property
    def rules(self) -> Definition:
        return _parse(self.definition)

    @property
    def commit(self) -> str:
        """Return the SHA-256 of the seed, which is published when registration opens."""
        return hashlib.sha256(self.seed).hexdigest()

    @property
    def is_registering(self) -> bool:
        return self.now.state == REGISTERING

    @property
    def is_running(self) -> bool:
        return self.now.state == RUNNING

    @property
    def is_over(self) -> bool:
        return self.now.state == OVER

    @property
    def has_ended(self) -> bool:
        return not (self.is_registering or self.is_running)

    @property
    def takes_sealed_bets(self) -> bool:
        """Check whether it is played against the bank, with bets that nobody else sees (TN17)."""
        return self.is_running and not self.rules.is_elimination

    def hand_at(self, number: int) -> int:
        """Return the number of a table's next hand, from 1."""
        table = self.now.tables.by_number.get(number)
        return 1 + table.hands if table is not None else 1

    def is_in_play(self, number: int) -> bool:
        """Check whether a table may play a hand now: it does not wait for others (TN18), and has the players."""
        return self.is_running and number in self.now.playing_tables()

    def seats_at(self, number: int) -> dict[int, int]:
        """Return {seat: player} of a table; nobody sits at a broken one."""
        table = self.now.tables.by_number.get(number)
        return {seat: player_named(name) for seat, name in sorted(table.seats.items())} if table is not None else {}

    def spent_by(self, player: int) -> int:
        """Return the buy-ins of a player, in minor units."""
        return self.now.buy_ins[name_player(player)] * self.rules.buy_in

    @property
    def registered(self) -> list[str]:
        """Return whose buy-ins are in the pool, by the events alone: the game may not be installed any more."""
        found: list[str] = []
        for name, *values in self._each():
            if name in ("register", "late", "reenter"):
                found.append(values[0])
            elif name == "unregister":
                found.remove(values[0])
        return found

    def add(self, *event: Any) -> "LiveTournament":
        """Return the tournament after one more event. Raises IllegalTournament."""
        after = msgspec.structs.replace(self, events=(*self.events, json.dumps(event)))
        _follow(after.definition, after.seed, after.events)
        return after

    def results(self) -> dict[str, tuple[int, int]]:
        """Return {player: (buy-ins, what came back)} of everyone who entered, in minor units."""
        cost, refunds = self.rules.buy_in, Counter(values[0] for name, *values in self._each() if name == "unregister")
        now = self.now
        return {one: (now.buy_ins[one] * cost, now.paid[one] - refunds[one] * cost) for one in now.order}

    def _each(self) -> list[list[Any]]:
        return [json.loads(event) for event in self.events]

    def count_hands(self, player: int) -> int:
        """Count the hands that a player was dealt."""
        name = name_player(player)
        return sum(event[0] == "hand" and name in event[2] for event in self._each())

    def with_shown_up(self, players: Iterable[int]) -> "LiveTournament":
        """Return the tournament with players noted who are there."""
        new = sorted({*players} - {*self.shown_up})
        return msgspec.structs.replace(self, shown_up=(*self.shown_up, *new)) if new else self

    def record(self) -> dict[str, Any]:
        """Return the record, as `ridotto replay-tournament` reads it; it names the seed."""
        return {"tournament": json.loads(self.definition), "seed": self.seed.hex(), "events": self._each()}


def name_player(player: int) -> str:
    """Return what a player is called in a record."""
    return f"p{player}"


def player_named(name: str) -> int:
    """Return the player of a name in a record."""
    return int(name[1:])


@lru_cache(maxsize=256)
def _parse(definition: str) -> Definition:
    return parse_definition(json.loads(definition))


_KEPT = 256
_states: dict[tuple[str, bytes, tuple[str, ...]], Tournament] = {}
_states_lock = Lock()


def _follow(definition: str, seed: bytes, events: tuple[str, ...]) -> Tournament:
    """Return the tournament after its events. Only the last one is applied where the one before it is known."""
    with _states_lock:
        if (known := _states.get((definition, seed, events))) is not None:
            return known
        before = _states.get((definition, seed, events[:-1]))
        tournament = before.copy() if before is not None else Tournament(_parse(definition), seed)
        for number in range(0 if before is None else len(events) - 1, len(events)):
            apply_event(tournament, json.loads(events[number]), number)
        if len(_states) >= _KEPT:
            del _states[next(iter(_states))]
        _states[definition, seed, events] = tournament
        return tournament
