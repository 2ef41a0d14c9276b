"""Stored state of a casino besides its name, and what a game may store there."""

from collections.abc import Mapping

from msgspec import Struct

from bot.core.state.codec import StoredState


class JoinCode(Struct, frozen=True, forbid_unknown_fields=True):
    """Code by which another community may join this casino, with its expiry."""

    code: str
    until: float


class Season(Struct, frozen=True, forbid_unknown_fields=True):
    """A season that has ended: when, and the names and chips of the richest."""

    ended: float
    board: tuple[tuple[str, int], ...]


class CasinoState(StoredState, frozen=True):
    """Settings by inspectors, and notes of the casino.

    start, daily, daily_below      chips in minor units, and a bet's largest share of a wallet; None: the default rule
    give_a_day, take_a_day,        what may pass from person to person
    give_after_s, most_percent
    language                       of new tables
    inspectors, roles              players, and {platform: the role whose members are inspectors}
    banned                         {player: why}
    messages                       {place: the message that shows its table}
    code, joined                   to join this casino, and the casino that it has joined
    seasons                        those that have ended

    Values of a game are among `others`, each under a name of the game's own.
    """

    start: int | None = None
    daily: int | None = None
    daily_below: int | None = None
    give_a_day: int | None = None
    take_a_day: int | None = None
    give_after_s: float | None = None
    most_percent: int | None = None
    language: str = ""
    inspectors: tuple[int, ...] = ()
    roles: Mapping[str, str] = {}
    banned: Mapping[int, str] = {}
    messages: Mapping[str, str] = {}
    code: JoinCode | None = None
    joined: int | None = None
    seasons: tuple[Season, ...] = ()


class CasinoMemory(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """State that a game stores at a casino. A game declares its own type, as a frozen Struct below this one, with a
    default for each field. Names on disk (or those of `rename`) must differ from other games' and the casino's.
    """
