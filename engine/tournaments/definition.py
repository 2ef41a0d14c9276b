"""Definition of a tournament: its settings, levels and prizes (TN1 to TN8, TN17, TN20)."""

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from engine.fairness.canonical import JSON
from engine.games import GAMES

SCHEDULED, SIT_AND_GO = "scheduled", "sit-and-go"
STANDARD, WINNER = "standard", "winner"
WHOLE = 10_000
MOST_ENTRIES = 200
# By then a blind exceeds all chips of the tournament; larger ones would only make endless numbers.
MOST_DOUBLINGS = 64
# Sums of larger amounts could become numbers that cannot be written as text.
MOST_DIGITS = 100

STANDARD_LEVELS = (
    *((50, 100, 0), (75, 150, 0), (100, 200, 0)),
    *((150, 300, 300), (200, 400, 400), (300, 600, 600), (400, 800, 800), (500, 1000, 1000), (700, 1400, 1400)),
    *((1000, 2000, 2000), (1500, 3000, 3000), (2000, 4000, 4000), (3000, 6000, 6000), (4000, 8000, 8000)),
    *((5000, 10_000, 10_000), (7000, 14_000, 14_000), (10_000, 20_000, 20_000)),
)
"""Small blind, big blind and ante of each level (TN8)."""

STANDARD_PRIZES = (
    (3, (WHOLE,)),
    (6, (6500, 3500)),
    (10, (5000, 3000, 2000)),
    (18, (4000, 3000, 2000, 1000)),
    (27, (3700, 2500, 1700, 1200, 900)),
    (36, (3300, 2200, 1600, 1200, 900, 800)),
    (50, (3000, 2000, 1400, 1100, 800, 700, 500, 500)),
    (100, (2700, 1800, 1300, 950, 750, 600, 500, 400, 300, 300, 200, 200)),
    (MOST_ENTRIES, (2200, 1500, 1100, 850, 650, 500, 400, 350, 300, 250, *[190] * 10)),
)
"""(most entries, basis points by place), as TN20 lists them."""


class IllegalTournament(ValueError):
    """A definition or an event that the rules do not allow, as one sentence with its clause."""


def require(holds: bool, sentence: str, clause: str = "") -> None:
    """Raise IllegalTournament with the sentence and its clause unless the condition holds."""
    if not holds:
        raise IllegalTournament(f"{sentence[:-1]} ({clause})." if clause else sentence)


class Definition(NamedTuple):
    """Settings of a tournament; money in minor units, chips in tournament chips."""

    game: str
    kind: str = SCHEDULED
    seats: int = 0
    least: int = 2
    most: int = 0
    buy_in: int = 0
    added: int = 0
    stack: int = 10_000
    levels: tuple[tuple[int, int, int], ...] = STANDARD_LEVELS
    level_hands: int = 8
    late_levels: int = 0
    reentries: int = 0
    prizes: str | tuple[int, ...] = STANDARD
    prize_unit: int = 100
    hands: int = 20

    @property
    def is_elimination(self) -> bool:
        """Return whether one player wins all chips; a game against the bank is played over a number of hands (TN17)."""
        return bool(GAMES[self.game].stacks)

    @property
    def has_blinds(self) -> bool:
        return bool(GAMES[self.game].posts)

    def blinds(self, level: int) -> tuple[int, int, int]:
        """Return small blind, big blind and ante of a level, counted from 1 (TN8)."""
        last = len(self.levels)
        small, big, ante = self.levels[min(level, last) - 1]
        times = 2 ** min(max(0, level - last), MOST_DOUBLINGS)
        return small * times, big * times, ante * times

    def stakes(self, level: int) -> dict[str, int]:
        small, big, ante = self.blinds(level)
        if not self.has_blinds:
            return {"lower": big, "upper": 2 * big, "ante": -(-big // 8)}
        return {"small_blind": small, "big_blind": big, "ante": ante}

    def options(self, level: int, chip: int) -> dict[str, Any]:
        """Return the options of the game's hands in a level, with `chip` minor units to a tournament chip."""
        amounts = {name: amount * chip for name, amount in self.stakes(level).items()}
        return amounts | ({"unit": chip, "ante_from": "big-blind"} if self.has_blinds else {"unit": chip})

    @property
    def step(self) -> int:
        """Return the step of bets in a bank game: a tenth of the first minimum (TN17)."""
        return max(1, self.levels[0][1] // 10)

    def minimum(self, hand: int) -> int:
        """Return the least bet of a hand of a bank game, counted from 1: it doubles in each quarter (TN17)."""
        quarter = -(-self.hands // 4)
        return int(self.levels[0][1] * 2 ** ((hand - 1) // quarter))

    def shares(self, entries: int, ranked: int) -> tuple[int, ...]:
        """Return the prizes in basis points, at most one for each ranked player (TN20)."""
        if self.prizes == WINNER:
            shares: tuple[int, ...] = (WHOLE,)
        elif isinstance(self.prizes, tuple):
            shares = self.prizes
        else:
            shares = next(shares for most, shares in STANDARD_PRIZES if entries <= most)
        return shares[:ranked]

    def prizes_of(self, pool: int, entries: int, ranked: int) -> list[int]:
        """Return the prizes, first place first, in whole prize units; the rest of the pool goes to first place."""
        if not entries or not ranked:
            return []
        prizes = [self.round_down(pool * share // WHOLE) for share in self.shares(entries, ranked)]
        prizes[0] += pool - sum(prizes)
        return prizes

    @property
    def first_prize(self) -> int:
        """Return the first prize with the entries of at most one full table."""
        entries = min(self.most, self.seats)
        return self.prizes_of(entries * self.buy_in + self.added, entries, entries)[0]

    def round_down(self, amount: int) -> int:
        return amount // self.prize_unit * self.prize_unit


def parse_definition(value: JSON) -> Definition:
    """Read a definition from a record. Raises IllegalTournament."""
    require(isinstance(value, dict), "A tournament must be an object with a game.")
    unknown = [name for name in value if name not in Definition._fields]
    require(not unknown, f"Unknown setting: {', '.join(map(repr, unknown))}.")
    game = value.get("game")
    require(isinstance(game, str) and game in GAMES, f"game must be one of: {', '.join(GAMES)}.")
    kind = value.get("kind", SCHEDULED)
    require(kind in (SCHEDULED, SIT_AND_GO), f"kind must be {SCHEDULED} or {SIT_AND_GO}.")
    seats = _number(value, "seats", 2, GAMES[game].seats, GAMES[game].seats)
    most = _number(value, "most", 2, MOST_ENTRIES, seats if kind == SIT_AND_GO else MOST_ENTRIES)
    definition = Definition(
        game=game,
        kind=kind,
        seats=seats,
        least=_number(value, "least", 2, most, 2),
        most=most,
        buy_in=_number(value, "buy_in", 0, None, 0),
        added=_number(value, "added", 0, None, 0),
        stack=_number(value, "stack", 1, None, 10_000),
        levels=_levels(value.get("levels", [*map(list, STANDARD_LEVELS)])),
        level_hands=_number(value, "level_hands", 0, 1000, 8),
        late_levels=_number(value, "late_levels", 0, 20, 0),
        reentries=_number(value, "reentries", 0, 10, 0),
        prizes=_prizes(value.get("prizes", STANDARD)),
        prize_unit=_number(value, "prize_unit", 1, None, 100),
        hands=_number(value, "hands", 1, 1000, 20),
    )
    takes_late = definition.is_elimination and kind == SCHEDULED
    for name in ("late_levels", "reentries"):
        require(
            takes_late or not getattr(definition, name),
            f"{name} needs a scheduled tournament of Hold'em or stud.",
            "TN11",
        )
    return definition


def is_whole(value: JSON) -> bool:
    """Return whether it is an integer; booleans are none."""
    return isinstance(value, int) and not isinstance(value, bool)


def _number(value: Mapping[str, JSON], name: str, least: int, most: int | None, default: int) -> int:
    number = value.get(name, default)
    fits = is_whole(number) and least <= number < 10**MOST_DIGITS and (most is None or number <= most)
    range = f"from {least} to {most}" if most is not None else f"of at least {least}, with at most {MOST_DIGITS} digits"
    require(fits, f"{name} must be a whole number {range}.")
    return int(number)


def _levels(value: JSON) -> tuple[tuple[int, int, int], ...]:
    require(isinstance(value, list) and bool(value), "levels must be a list of [small blind, big blind, ante].")
    return tuple(_level(one) for one in value)


def _level(value: JSON) -> tuple[int, int, int]:
    is_level = isinstance(value, list) and len(value) == 3 and all(map(is_whole, value))
    require(is_level, "A level must be [small blind, big blind, ante] in whole numbers.")
    small, big, ante = value
    require(big < 10**MOST_DIGITS, f"A level can have amounts of at most {MOST_DIGITS} digits.")
    is_fair = 0 < small <= big and 0 <= ante <= big
    require(is_fair, "A level needs 0 < small blind <= big blind, and ante <= big blind.", "TN8")
    return small, big, ante


def _prizes(value: JSON) -> str | tuple[int, ...]:
    if value in (STANDARD, WINNER) and isinstance(value, str):
        return value
    is_list = isinstance(value, list) and bool(value) and all(is_whole(one) and one > 0 for one in value)
    require(is_list, f"prizes must be {STANDARD}, {WINNER}, or a list of basis points.")
    is_table = _never_rises(value) and sum(value) == WHOLE
    require(is_table, f"Prizes must never rise, and add up to {WHOLE} basis points.", "TN20")
    return tuple(value)


def _never_rises(numbers: Sequence[int]) -> bool:
    return all(one >= other for one, other in itertools.pairwise(numbers))
