"""The lounge: the casino that every store has, whichever platforms are on.

Its people are not proven by any platform: a name is picked there, and rights in another casino do not count.
"""

from bot.core.state.place import Place

# The first casino.
LOUNGE = 1
# Of its rooms and of whoever signs in there, as the books have it.
PLATFORM = "web"
# Of the house players, who keep people company there.
GUESTS = "guest"
LOBBY = Place(PLATFORM, "lobby")


def room(table: int) -> Place:
    """Return the lounge's place of a table: the address is the table's number."""
    return Place(PLATFORM, str(table))


def is_room(place: Place) -> bool:
    """Check whether a place is a page of the lounge, for any table."""
    return place.platform == PLATFORM
