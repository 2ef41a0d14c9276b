"""Pictures without waiting: drawn in a thread; one that is late or fails is None, and the words remain.

A fault is logged once for its kind, not for each hand.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from bot.core.state.shared_posts import SharedPost
from bot.view import Screen
from bot.view.pictures.draw import hand_picture, picture
from bot.view.pictures.shared_posts import shared_post_picture
from storage.store import ReadableBooks

LATE_S = 1.0
# With more pictures than these under way, a new one would be late anyway.
_MOST_WAITING = 64
_log = logging.getLogger(__name__)


class Renderer:
    """Renderer of pictures in one thread. Call it from the event loop; `close` ends the thread."""

    def __init__(self, late_s: float = LATE_S) -> None:
        self._late_s = late_s
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="pictures")
        self._waiting = 0
        self._told: set[str] = set()

    async def render(self, screen: Screen, language: str) -> bytes | None:
        """Render the table as a PNG."""
        return await self._draw(screen.game, partial(picture, screen, language))

    async def render_hand(self, screen: Screen, language: str) -> bytes | None:
        """Render the viewer's own hands as a PNG, only for them."""
        return await self._draw(screen.game, partial(hand_picture, screen, language))

    async def render_shared_post(self, shared_post: SharedPost, books: ReadableBooks, language: str) -> bytes | None:
        """Render a shared post as a PNG or a GIF."""
        return await self._draw(type(shared_post).__name__, partial(shared_post_picture, shared_post, books, language))

    def close(self) -> None:
        self._thread.shutdown(wait=False, cancel_futures=True)

    async def _draw(self, what: str, draw: Callable[[], bytes]) -> bytes | None:
        if self._waiting >= _MOST_WAITING:
            self._tell_once("pictures are late: too many at once")
            return None
        self._waiting += 1
        try:
            drawing = asyncio.get_running_loop().run_in_executor(self._thread, draw)
            return await asyncio.wait_for(drawing, self._late_s)
        except TimeoutError:
            self._tell_once(f"a picture of {what} took longer than {self._late_s} s")
        except Exception as fault:
            self._tell_once(f"a picture of {what} failed: {type(fault).__name__}", fault)
        finally:
            self._waiting -= 1
        return None

    def _tell_once(self, what: str, fault: Exception | None = None) -> None:
        if what not in self._told:
            self._told.add(what)
            _log.error("%s", what, exc_info=fault)
