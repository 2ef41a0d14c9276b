"""The lounge: the casino that every store has, whichever platforms are on.

Its people are not proven by any platform: a name is picked there, and rights in another casino do not count.
"""

from bot.core.state.place import Place

# The first casino.
LOUNGE = 1
# Platform of its rooms and of accounts that sign in there.
PLATFORM = "web"
# Platform of the house players.
GUESTS = "guest"
LOBBY = Place(PLATFORM, "lobby")


def room(table: int) -> Place:
    """Return the lounge's place of a table: the address is the table's number."""
    return Place(PLATFORM, str(table))


def is_room(place: Place) -> bool:
    """Check whether a place is a page of the lounge, for any table."""
    return place.platform == PLATFORM
