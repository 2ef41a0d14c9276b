"""The table page inside a platform's own app: who the platform says is there, and how page and app talk.

A platform that shows the page gives a `FrameHost` when it is made; the lounge serves it without knowing any platform by
name. Claims of the page itself count for nothing; only what its platform has signed does.
"""

import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from bot.core.casinos.places import communities_of
from bot.core.state.transaction import State
from bot.texts import Text

# Names of tables in links, which a platform passes to the page.
_NAMED = re.compile(r"t([1-9][0-9]{0,10})")
OPEN_TABLE = Text("Open table")
# For the log, which the operator reads.
NO_ADDRESS = "tables do not open in an app: RIDOTTO_PUBLIC_URL is not set (docs/host/apps.md)"
NOT_FROM_HERE = Text("That did not come from the app. Close this and open the table again.")
TOO_OLD = Text("This has been open too long. Close it and open the table again.")
OUTSIDER = Text("This table is for its own community. Join its chat and open it from there.")
AWAY = Text("The app cannot confirm who you are right now. Try again in a minute.")


class NotProven(Exception):
    """A failed proof of identity; `text` tells the person what they can do."""

    def __init__(self, text: Text) -> None:
        super().__init__(str(text))
        self.text = text


class Proven(NamedTuple):
    """An identity that a platform has proven. Showing the same `proof` again proves the same person; it is never
    stored.

    table   number of the table that the person came for; None: the page asks
    seen    other statements of the platform, for `FrameHost.place_of`
    """

    account: str
    name: str
    language: str
    proof: str
    table: int | None = None
    seen: Mapping[str, str] = {}


async def nobody(proven: Proven, address: str) -> bool:
    """Return False: on a platform without rights, no one administers a place."""
    return False


@dataclass(frozen=True)
class FrameHost:
    """One platform's way to show the page.

    ancestors   origins that may embed the page, as in a content security policy
    script      the page's side of the talk with the app around it
    prove       verify the body of a request and return who sent it. Raises NotProven
    place_of    return the address of a table that this person may join; None for others
    inspects    return whether the platform counts the person as an admin of the place right now; False if it cannot be
                asked
    origin      origin of the page, where the platform serves it under an address of its own
    marks       query parameters with which the platform opens the first page
    told        values for the script
    """

    name: str
    ancestors: tuple[str, ...]
    script: Path
    prove: Callable[[bytes], Awaitable[Proven]]
    place_of: Callable[[Proven, int], Awaitable[str | None]]
    inspects: Callable[[Proven, str], Awaitable[bool]] = nobody
    origin: Callable[[], str | None] = lambda: None
    marks: frozenset[str] = frozenset()
    told: Callable[[], Mapping[str, str]] = dict


def name_of(table: int) -> str:
    """Return the name of a table in links."""
    return f"t{table}"


def table_named(text: str) -> int | None:
    """Return the number of a table named in a link, or None."""
    found = _NAMED.fullmatch(text)
    return int(found[1]) if found else None


def page_of(public_url: str, host: str, table: int | None = None) -> str:
    """Return the address of the page that a platform's app shows."""
    query = f"?{urlencode({'table': name_of(table)})}" if table is not None else ""
    return f"{public_url}/frame/{host}{query}"


def is_known_at(state: State, player: int | None, casino: int) -> bool:
    """Return whether the player is known as a member of one of the casino's communities."""
    return player is not None and casino in communities_of(state, state.players[player])
