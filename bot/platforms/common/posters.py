"""What somebody shows to everybody: drawn once, with the words for who cannot see it, and not too often.

It is one message, which the person wanted; a place takes few of them, so that nobody fills it.
"""

import secrets
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Hashable
from typing import NamedTuple

from bot.core.commands.command import Answer
from bot.core.state.posters import Poster
from bot.core.state.table import Table
from bot.platforms.common.allowance import Allowance
from bot.platforms.common.recent import Recent
from bot.platforms.common.witness import Closed
from bot.texts import Text
from bot.view.pictures.posters import poster_file
from bot.view.posters import describe_poster
from storage.store import Books

PaintPoster = Callable[[Poster, Books, str], Awaitable[bytes | None]]
SHOWN = Text("Shared with everyone here.")
REMOVE, REMOVED = Text("Remove post"), Text("Post removed.")
NOT_YOURS = Text("Only the player who shared this, or an inspector, can remove it.")
NOT_REMOVED = Text("I can't remove this post any more. An admin can delete it.")
NOT_YET = Text("Something was shared here just now. Try again in a minute.")
# In one place, and by one person: two at once, then one in so many seconds.
AT_ONCE, PLACE_S, PERSON_S = 2, 30.0, 60.0
MOST_KEPT = 500


class Sheet(NamedTuple):
    """A file's name and content, None where it is late or fails; and what it shows, in words."""

    file: str
    picture: bytes | None
    words: str


class Posters(ABC):
    """One for each door. `paint` draws; None is words alone."""

    def __init__(self, paint: PaintPoster | None, clock: Callable[[], float]) -> None:
        self._paint = paint
        self._places = Allowance(AT_ONCE, 1 / PLACE_S, clock)
        self._people = Allowance(AT_ONCE, 1 / PERSON_S, clock)

    def may_post(self, place: Hashable, person: Hashable) -> bool:
        """Whether one more is not too many there; asked once for each."""
        if self._places.left(place) < 1.0:
            return False
        return self._people.take(person) and self._places.take(place)

    async def draw(self, poster: Poster, books: Books, language: str) -> Sheet:
        """Of `books` nothing is read."""
        picture = await self._paint(poster, books, language) if self._paint is not None else None
        return Sheet(poster_file(poster), picture, describe_poster(poster, books, language))

    @abstractmethod
    async def tell(self, address: str, table: Table, answer: Answer) -> None:
        """What the house tells by itself: after all that anybody waits for."""

    @abstractmethod
    async def publish(self, address: str, table: Table, about: Text, line: str) -> None:
        """The same of a line that is to be copied as it stands; it wakes nobody."""

    @abstractmethod
    async def witness(self, address: str, table: Table, closed: Closed) -> None:
        """The same before what can wait, for it counts for seconds."""


class ShownThings(Recent[str, Answer]):
    """{the secret of its address: what is shown there}, as long as the house stays open."""

    def __init__(self) -> None:
        super().__init__(MOST_KEPT)

    def keep(self, answer: Answer) -> str:
        """The path of its page."""
        key = secrets.token_urlsafe(16)
        self[key] = answer
        return f"/shown/{key}"
