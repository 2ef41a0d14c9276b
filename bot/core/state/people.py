"""Stored states of a player, and of a member of a casino, besides their names."""

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct

from bot.core.state.codec import StoredState

COACH_ON, COACH_AFTER, COACH_OFF = "on", "after", "off"
"""Levels of the coach: odds next to the buttons and a note after the hand, only the note, or neither."""


class LinkCode(Struct, frozen=True, forbid_unknown_fields=True):
    """Code by which another account may link with this one, with its expiry."""

    code: str
    until: float


class TimeBank(Struct, frozen=True, forbid_unknown_fields=True):
    """Seconds of extra time used on a day, counted from 1970 on."""

    day: int
    used: float


class Looser(NamedTuple):
    """A limit that applies later (None: no limit any more), and from when on."""

    value: int | None
    since: float


class Given(NamedTuple):
    """The net amount that a player has passed on in a day (counted from 1970); negative if they received more."""

    day: int
    passed: int


class PlayerState(StoredState, frozen=True):
    """State of a player.

    paused, limits, looser, quiet   the player's own limits ("loss" in minor units, "minutes"), and no reminders
    time_bank                       extra time of the day
    hidden                          not on any leaderboard
    link, linked                    the code that they were given, and when two accounts became one
    was, merged                     the accounts merged into this one, or the account that this one was merged into
    parts, parted                   the accounts that parted from this one, or the one that it parted from; `no_start`:
                                    without chips
    casinos                         the casinos where they have been
    coach                           what the coach comments on
    unmentioned                     no message mentions them when it is their turn
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


class MemberState(StoredState, frozen=True):
    """State of a member in one casino besides their chips.

    daily       when they last got daily chips
    debt        what they owe the casino, in minor units
    from_house  their chips that came from the casino before they were linked, in minor units
    given       their budget of gifts
    standing    {game: the order that is played when their time runs out}
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
