"""What the books keep of a player, and of a member of a casino, beside their names: the types of their states."""

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from bot.core.state.codec import Kept

COACH_ON, COACH_AFTER, COACH_OFF = "on", "after", "off"
"""What a player has the coach tell unasked: figures beside his buttons and a line after the hand, the line, nothing."""


class LinkCode(Struct, frozen=True, forbid_unknown_fields=True):
    """With which another account may link with this one, until then."""

    code: str
    until: float


class TimeBank(Struct, frozen=True, forbid_unknown_fields=True):
    """How many seconds of extra time were used on a day, counted from 1970 on."""

    day: int
    used: float


class Looser(NamedTuple):
    """A limit that is to come, None for the end of it, and from when on it counts."""

    value: int | None
    since: float


class Given(NamedTuple):
    """The day, counted from 1970 on, and what has passed on in it; less than nothing where more was taken."""

    day: int
    passed: int


class PlayerState(Kept, frozen=True):
    """What a player has set, is, and was.

    paused, limits, looser, quiet   limits of his own ("loss" in minor units, "minutes"), and no reminders
    time_bank                       extra time of the day
    hidden                          kept off every leaderboard
    link, linked                    the code that he was given, and when two accounts became one
    was, merged                     whom he has become one with: those who went over into him, or who he is now
    parts, parted                   who has gone from him his own way, or from whom he has; `no_start`: without chips
    casinos                         where he has spoken
    coach                           what the coach tells him unasked
    unmentioned                     no message mentions him when it is his turn
    called, usernames               {platform: the name, and the username, that it last gave this person}
    """

    paused: float = 0.0
    limits: Mapping[str, int] = {}
    looser: Mapping[str, Looser] = {}
    quiet: bool = False
    time_bank: TimeBank | None = None
    hidden: bool = False
    link: LinkCode | None = None
    linked: float | None = None
    was: tuple[int, ...] = ()
    merged: int | None = None
    parts: tuple[int, ...] = ()
    parted: int | None = None
    no_start: bool = False
    casinos: tuple[int, ...] = ()
    coach: str = COACH_AFTER
    unmentioned: bool = False
    called: Mapping[str, str] = {}
    usernames: Mapping[str, str] = {}


class MemberState(Kept, frozen=True):
    """What a member has in one casino beside his chips.

    daily       when he last got his daily chips
    debt        what he owes the house, in minor units
    from_house  what of his chips came from the house before he was linked, in minor units
    given       his budget of gifts
    standing    {game: the order that is played when his time runs out}
    heard       {platform: the name that it last gave this member here}: until that changes, the name stays as it is
    reset       why an inspector took the name away, until the member has read it
    homes       the communities through which the member has come, by the numbers of their own casinos; empty for a
                member of the founding community alone
    """

    daily: float | None = None
    debt: int = 0
    from_house: int = 0
    given: Given | None = None
    standing: Mapping[str, str] = {}
    heard: Mapping[str, str] = {}
    reset: str | None = None
    homes: tuple[int, ...] = ()
