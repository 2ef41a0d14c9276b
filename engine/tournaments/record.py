"""The answer of `ridotto replay-tournament`: the state of a tournament after its events."""

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from typing import Any

from engine.fairness.canonical import JSON
from engine.tournaments.definition import IllegalTournament, is_whole, parse_definition, require
from engine.tournaments.play import RUNNING, Tournament

_HEX = frozenset("0123456789abcdef")


def replay_tournament(record: JSON) -> dict[str, JSON]:
    """Answer `ridotto replay-tournament` for one record; never raises for any JSON value."""
    at: int | None = None
    try:
        tournament, events = _parse(record)
        for at, event in zip(count(), events, strict=False):
            apply_event(tournament, event, at)
    except IllegalTournament as refused:
        return {"refused": str(refused), "event": at}
    return describe(tournament)


def _parse(record: JSON) -> tuple[Tournament, list[list[JSON]]]:
    require(isinstance(record, dict), "A tournament record must be an object.")
    definition = parse_definition(record.get("tournament"))
    seed = record.get("seed")
    require(isinstance(seed, str) and len(seed) == 64 and set(seed) <= _HEX, "seed must be 64 lower-case hex digits.")
    events = record.get("events", [])
    is_list = isinstance(events, list) and all(isinstance(one, list) and one for one in events)
    require(is_list and all(isinstance(one[0], str) for one in events), "events must be a list of [NAME, ...].")
    return Tournament(definition, bytes.fromhex(seed)), events


def apply_event(tournament: Tournament, event: Sequence[JSON], number: int) -> None:
    """Apply the event of that number, counted from 0. Raises IllegalTournament."""
    tournament.tables.event = number
    name, *values = event
    if name == "hand":
        require(len(values) == 2 and is_whole(values[0]), "A hand is [hand, TABLE, {PLAYER: STACK}].")
        tournament.record_hand(values[0], _stacks(values[1]))
    elif name in _BY_PLAYER:
        require(len(values) == 1 and _is_name(values[0]), f"{name} needs a name without spaces and slashes.")
        _BY_PLAYER[name](tournament, values[0])
    else:
        require(name in _ALONE, f"Unknown event: {name!r}.")
        require(not values, f"{name} takes no values.")
        _ALONE[name](tournament)


_BY_PLAYER: Mapping[str, Callable[[Tournament, str], None]] = {
    "register": Tournament.register,
    "unregister": Tournament.unregister,
    "late": Tournament.enter_late,
    "reenter": Tournament.enter_again,
    "remove": Tournament.remove,
}
_ALONE: Mapping[str, Callable[[Tournament], None]] = {
    "start": Tournament.start,
    "level": Tournament.raise_level,
    "cancel": Tournament.cancel,
    "abandon": Tournament.abandon,
}


def _is_name(value: JSON) -> bool:
    return isinstance(value, str) and bool(value) and "/" not in value and not any(map(str.isspace, value))


def _stacks(value: JSON) -> dict[str, int]:
    are_stacks = isinstance(value, dict) and all(is_whole(stack) and stack >= 0 for stack in value.values())
    require(are_stacks, "Stacks must be whole numbers of at least 0, by player.")
    stacks: dict[str, int] = value
    return stacks


def describe(tournament: Tournament) -> dict[str, JSON]:
    """Return the state of a tournament as the record's contract has it."""
    answer: dict[str, Any] = {
        "state": tournament.state,
        "entries": tournament.entries,
        "pool": tournament.pool,
        "prizes": tournament.prizes,
        "places": tournament.places,
        "paid": {player: amount for player, amount in tournament.paid.items() if amount},
        "moves": [
            {"event": move.event, "player": move.player, "from": move.start, "to": move.end, "why": move.why}
            for move in tournament.tables.moves
        ],
    }
    return answer | _describe_running(tournament) if tournament.state == RUNNING else answer


def _describe_running(tournament: Tournament) -> dict[str, JSON]:
    definition, tables = tournament.definition, tournament.tables.by_number
    answer: dict[str, Any] = {
        "left": tournament.left,
        "tables": {
            str(number): {str(seat): player for seat, player in sorted(tables[number].seats.items())}
            for number in sorted(tables)
        },
        "stacks": {player: tournament.stacks[player] for player in tournament.order if player in tournament.stacks},
    }
    playing = tournament.playing_tables()
    if not definition.is_elimination:
        hands = {number: tables[number].hands + 1 for number in playing}
        steps = {str(one): {"hand": hand, "minimum": definition.minimum(hand)} for one, hand in hands.items()}
        return answer | {"next": steps}
    return answer | {
        "level": tournament.level,
        "stakes": definition.stakes(tournament.level),
        "hand_for_hand": tournament.is_hand_for_hand,
        "next": {str(number): _describe_next(tournament, number) for number in playing},
    }


def _describe_next(tournament: Tournament, number: int) -> dict[str, JSON]:
    positions = tournament.tables.positions(number)
    assert positions is not None
    return {
        "button": positions.button,
        "small": positions.small_blind,
        "big": positions.big_blind,
        "in": list(positions.dealt),
    }
