"""Pictures on their way: one that is late or fails leaves the words alone, and one that Telegram has is sent by its id.

The files of one painter are never those of another: what one person alone may see stays in his own messages.
"""

import asyncio
import logging
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import TypeVar

from telegram import Message
from telegram.error import BadRequest

from bot.screens import Screen

MOST_FILES = 200
# When a picture was late: the words stand, under an older picture or none, until this look.
LATE_PICTURE_S = 5.0
_log = logging.getLogger("ridotto.telegram")

Paint = Callable[[Screen, str], Awaitable[bytes | None]]
Sent = TypeVar("Sent", bound=Message | bool)


class Painter:
    """Belongs to the event loop. `paint` draws, None is words alone; `soon_s` is how long the words wait for it."""

    def __init__(self, paint: Paint | None, soon_s: float | None = None) -> None:
        self._paint, self._soon_s = paint, soon_s
        self._files: OrderedDict[bytes, str] = OrderedDict()

    @property
    def is_on(self) -> bool:
        return self._paint is not None

    async def draw(self, view: Screen, language: str) -> bytes | None:
        if self._paint is None:
            return None
        try:
            return await asyncio.wait_for(self._paint(view, language), self._soon_s)
        except TimeoutError:
            return None
        except Exception as fault:
            _log.error("a picture failed: %s", type(fault).__name__, exc_info=fault)
            self._paint = None
            return None

    def id_of(self, picture: bytes) -> str | None:
        """Under which Telegram has it already."""
        return self._files.get(picture)

    async def send(self, picture: bytes, send: Callable[[bytes | str], Awaitable[Sent]]) -> Sent:
        """By its id; a picture that Telegram does not know, or knows no more, is uploaded."""
        try:
            sent = await send(self._files.get(picture, picture))
        except BadRequest as refusal:
            if "file" not in str(refusal).lower() or self._files.pop(picture, None) is None:
                raise
            sent = await send(picture)
        if isinstance(sent, Message) and sent.photo:
            self._files[picture] = sent.photo[-1].file_id
            if len(self._files) > MOST_FILES:
                self._files.popitem(last=False)
        return sent
