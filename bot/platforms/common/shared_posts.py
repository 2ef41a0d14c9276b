"""Shared posts: drawn once, with alternative text, and rate-limited.

A shared post is one message that a person asked for; limits for each place and person prevent flooding.
"""

import secrets
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Hashable
from typing import NamedTuple

from bot.core.commands.command import Answer
from bot.core.state.shared_posts import SharedPost
from bot.core.state.table import Table
from bot.platforms.common.allowance import Allowance
from bot.platforms.common.recent import Recent
from bot.platforms.common.witness import Closed
from bot.texts import Text
from bot.view.pictures.shared_posts import shared_post_file
from bot.view.shared_posts import describe_shared_post
from storage.store import ReadableBooks

PaintSharedPost = Callable[[SharedPost, ReadableBooks, str], Awaitable[bytes | None]]
SHOWN = Text("Shared with everyone here.")
REMOVE, REMOVED = Text("Remove post"), Text("Post removed.")
NOT_YOURS = Text("Only the player who shared this, or an inspector, can remove it.")
NOT_REMOVED = Text("I can't remove this post any more. An admin can delete it.")
NOT_YET = Text("Something was just shared here. Try again in a minute.")
# In one place, and by one person: two at once, then one each this many seconds.
AT_ONCE, PLACE_S, PERSON_S = 2, 30.0, 60.0
MOST_KEPT = 500


class DrawnPost(NamedTuple):
    """A drawn shared post: the file's name and content, None if it is late or failed; and its alternative text."""

    file: str
    picture: bytes | None
    words: str


class SharedPosts(ABC):
    """The shared posts of one platform. `paint` draws the picture; with None a post is words alone."""

    def __init__(self, paint: PaintSharedPost | None, clock: Callable[[], float]) -> None:
        self._paint = paint
        self._places = Allowance(AT_ONCE, 1 / PLACE_S, clock)
        self._people = Allowance(AT_ONCE, 1 / PERSON_S, clock)

    def may_post(self, place: Hashable, person: Hashable) -> bool:
        """Return whether one more post is allowed, and count it; ask once for each post."""
        if self._places.left(place) < 1.0:
            return False
        return self._people.spend(person) and self._places.spend(place)

    async def draw(self, shared_post: SharedPost, books: ReadableBooks, language: str) -> DrawnPost:
        """Draw a shared post; nothing is read from `books`."""
        picture = await self._paint(shared_post, books, language) if self._paint is not None else None
        return DrawnPost(shared_post_file(shared_post), picture, describe_shared_post(shared_post, books, language))

    @abstractmethod
    async def announce(self, address: str, table: Table, answer: Answer) -> None:
        """Send a message of the casino itself, after all calls that people wait for."""

    @abstractmethod
    async def publish(self, address: str, table: Table, about: Text, line: str) -> None:
        """Send a line for copying, as `announce` does and without a notification."""

    @abstractmethod
    async def witness(self, address: str, table: Table, closed: Closed) -> None:
        """Send closed bets before everything that can wait, because seconds count."""


class ShownThings(Recent[str, Answer]):
    """Shared posts by the secret of their address, kept until the process ends."""

    def __init__(self) -> None:
        super().__init__(MOST_KEPT)

    def keep_post(self, answer: Answer) -> str:
        """Keep a shared post and return the path of its page."""
        key = secrets.token_urlsafe(16)
        self[key] = answer
        return f"/shown/{key}"
