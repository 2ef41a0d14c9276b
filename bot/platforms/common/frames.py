"""The house's page inside a platform's own app: who the platform vouches for there, and how the page speaks with it.

A door whose platform shows pages of ours hands the house a `FrameHost` when it is made; the lounge serves what it
says, and knows none by name. What a page says of itself counts for nothing: only what its platform vouches for does.
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

# As tables are named in links, which a platform hands on to the page.
_NAMED = re.compile(r"t([1-9][0-9]{0,10})")
OPEN_TABLE = Text("Open table")
# For the log: whoever runs the house reads it.
NO_ADDRESS = "tables do not open in an app: RIDOTTO_PUBLIC_URL is not set (docs/host/apps.md)"
NOT_FROM_HERE = Text("That does not come from the app that it says: close this and open the table again.")
TOO_OLD = Text("This was opened long ago: close it and open the table again.")
OUTSIDER = Text("This table is for its own community: join the chat where it stands, then open it from there.")
AWAY = Text("The app cannot be asked who you are right now: try again in a minute.")


class NotProven(Exception):
    """Whom nobody vouches for; `text` says what he can do."""

    def __init__(self, text: Text) -> None:
        super().__init__(str(text))
        self.text = text


class Proven(NamedTuple):
    """Who a platform says he is. `proof` is the same when it is shown again, and is kept nowhere as it came.

    table   that he came for, by its number in the books; None: his page asks which
    seen    whatever else the platform has said, for `FrameHost.place_of`
    """

    account: str
    name: str
    language: str
    proof: str
    table: int | None = None
    seen: Mapping[str, str] = {}


async def nobody(proven: Proven, address: str) -> bool:
    """Administers a place of a platform that says nothing of rights."""
    return False


@dataclass(frozen=True)
class FrameHost:
    """One platform's.

    ancestors   whose pages may show ours inside of them, as a content security policy says it
    script      the page's end of the talk with the app that shows it
    prove       whom the body of a request is vouched for. Raises NotProven
    place_of    the address, on this platform, of a table at which he may be; None where he is none of its people
    inspects    whether the platform has him among those who administer the place at this address, at this moment; where
                it cannot be asked he is none of them
    origin      whose pages our own are, where the platform serves them under an address of its own
    marks       what stands in the query of the house's first page when the platform opens it there
    told        what the script is to know
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
    """How links name a table."""
    return f"t{table}"


def table_named(text: str) -> int | None:
    """The number of a table that a link names; None for what is none."""
    found = _NAMED.fullmatch(text)
    return int(found[1]) if found else None


def page_of(public_url: str, host: str, table: int | None = None) -> str:
    """The address of the page that is shown in a platform's app."""
    query = f"?{urlencode({'table': name_of(table)})}" if table is not None else ""
    return f"{public_url}/frame/{host}{query}"


def is_known_at(house: State, player: int | None, casino: int) -> bool:
    """Whether the books know him as one of a community's people."""
    return player is not None and casino in communities_of(house, house.players[player])
